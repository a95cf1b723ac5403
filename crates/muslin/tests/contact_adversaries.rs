//! Contact under `certified` in situations made to break it, judged by the survey, which knows nothing of the step.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::certify::{carried, certified, certified_alone, passes, probe};
use common::solids::{along, box_mesh, ground, resting, shape};
use common::{bare, build, build_weightless, cloth, grid, pin, sheet};
use glam::DVec3;
use muslin::collide::Shape;
use muslin::contact::survey;
use muslin::error::Bond;
use muslin::mesh::Diagonals;
use muslin::model::{Cloth, Ease, Key, Motion, Solid, World};
use muslin::settings::Yield;
use muslin::{Model, State, StepError, Stepper, measure};

const FRAME: f64 = 1.0 / 60.0;

fn above(side: u32, height: f64) -> Cloth {
    let mut cloth = sheet(side, bare(), vec![]);
    cloth.start.iter_mut().for_each(|x| *x += DVec3::new(-0.5, height, -0.5));
    cloth
}

fn spin(axis: DVec3, turns_per_second: f64) -> Motion {
    let angle = std::f64::consts::TAU * turns_per_second;
    let key = |time: f64| Key { time, translate: DVec3::ZERO, axis, angle: angle * time };
    Motion { keys: vec![key(0.0), key(100.0)], ease: Ease::Linear, centre: DVec3::ZERO }
}

/// The same box as a shape and as a mesh.
fn boxes(half: DVec3, centre: DVec3) -> [(&'static str, Solid); 2] {
    [("shape", shape(Shape::Box { half }, centre)), ("mesh", Solid::Mesh(box_mesh(half, centre)))]
}

#[test]
fn a_key_that_changes_nothing_but_the_axis_turns_a_solid_past_the_cloth() {
    let mut model = build_weightless(vec![above(5, 0.15)]);
    // A bar that lies along z at first. A quarter turn about y in place of x lets it stand upright, under the sheet.
    let bar = Shape::Capsule { radius: 0.05, half_length: 0.35 };
    let mut bar = resting(&model, shape(bar, DVec3::ZERO), 0.3);
    let key = |time, axis| Key { time, translate: DVec3::ZERO, axis, angle: std::f64::consts::FRAC_PI_2 };
    let keys = vec![key(0.0, DVec3::X), key(1.0, DVec3::Y)];
    bar.motion = Motion { keys, ease: Ease::Linear, centre: DVec3::ZERO };
    model.colliders.push(bar);
    let state = passes("a bar", &model, &certified(0.01, FRAME), 0.1);
    let highest = state.x.iter().map(|x| x.y).fold(0.0, f64::max);
    assert!(highest > 0.4, "the bar has come up to 0.4 m and has lifted nothing: {highest} m");
}

#[test]
fn cloth_that_starts_in_a_solid_or_through_it_is_refused_and_the_solid_named() {
    for (name, solid) in boxes(DVec3::new(0.3, 0.1, 0.3), DVec3::ZERO) {
        let small = {
            let mut small = cloth(grid([0.1, 0.1], [5, 5], Diagonals::One), bare(), vec![]);
            small.start.iter_mut().for_each(|x| *x -= DVec3::new(0.05, 0.0, 0.05));
            small
        };
        let pinned = Cloth { pins: vec![pin(vec![40])], ..above(9, 0.0) };
        // Through the edge of the box, no vertex within.
        let wide = {
            let mut wide = cloth(grid([1.0, 1.0], [2, 2], Diagonals::One), bare(), vec![]);
            wide.start.iter_mut().for_each(|x| *x += DVec3::new(-0.5, 0.05, -0.5));
            wide
        };
        for (what, cloth) in
            [("all inside", small), ("pinned inside", pinned), ("through", above(9, 0.0)), ("wide", wide)]
        {
            let mut model = build(vec![cloth]);
            model.colliders.push(resting(&model, solid.clone(), 0.3));
            let settings = certified(0.01, FRAME);
            let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
            for _ in 0..2 {
                let error = stepper.step(&model, &mut state, ()).unwrap_err();
                let StepError::Blocked { colliders, bond, .. } = error else { panic!("{what}, {name}: {error}") };
                assert!(colliders == ["solid 1"] && bond == Bond::Entangled, "{what}, {name}: {bond:?}, {colliders:?}");
            }
        }
    }
}

#[test]
fn a_model_without_cloth_steps_on() {
    let mut model = Model::build(vec![], vec![], World::default()).unwrap();
    let settings = certified(0.01, FRAME);
    passes("nothing", &model, &settings, 0.1);
    model.colliders.push(resting(&model, ground(0.0), 0.3));
    passes("nothing on the ground", &model, &settings, 0.1);
}

#[test]
fn pins_that_part_are_to_blame_even_where_the_cloth_strikes_a_solid() {
    // The second time the pins themselves go into the ground, in the very first step.
    for down in [0.0, -0.2] {
        let mut sheet = above(9, 0.02);
        let apart = |x: f64| [(0.0, DVec3::ZERO), (0.1, DVec3::new(x, down, 0.0))];
        sheet.pins = vec![carried(vec![0], &apart(-0.2)), carried(vec![8], &apart(0.2))];
        sheet.start_velocity[18..].fill(DVec3::NEG_Y * 2.0);
        let mut model = build(vec![sheet]);
        model.colliders.push(resting(&model, ground(0.0), 0.3));
        let block = Shape::Box { half: DVec3::new(0.1, 0.01, 0.1) };
        model.colliders.push(resting(&model, shape(block, DVec3::ZERO), 0.3));
        let (_, outcome) = probe("pins apart", &model, &certified(0.01, FRAME), 0.2);
        let Err(StepError::Unkept { apart: Some(apart), .. }) = outcome else { panic!("{outcome:?}") };
        assert_eq!((apart.first, apart.second), (0, 8));
    }
}

#[test]
fn where_contact_is_given_up_a_run_goes_on_and_says_how_deep_the_cloth_is() {
    let mut sheet = above(9, 0.02);
    let rim = (0..81).filter(|i| i % 9 == 0 || i % 9 == 8 || *i < 9 || *i >= 72).collect();
    sheet.pins = vec![pin(rim)];
    let mut model = build_weightless(vec![sheet]);
    let block = box_mesh(DVec3::new(0.2, 0.1, 0.2), DVec3::NEG_Y * 0.1);
    let mut collider = resting(&model, Solid::Mesh(block), 0.3);
    collider.motion = along(&[(0.0, DVec3::ZERO), (0.2, DVec3::Y * 0.1)]);
    model.colliders.push(collider);
    let mut settings = certified(0.01, FRAME);
    settings.contact.yields = Yield::Contact;
    let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
    let mut deepest = 0.0_f64;
    for _ in 0..18 {
        let report = stepper.step(&model, &mut state, ()).unwrap();
        assert!(report.worst_strain <= 0.01, "strain {} at {} s", report.worst_strain, report.time);
        let seen = survey(&model, &state.x, state.time);
        let (gap, breach) = (seen.min_gap().unwrap(), report.work.contact.breach);
        assert!(seen.is_clear() || (breach > 0.0 && breach >= -gap), "a breach of {breach} m, a gap of {gap} m");
        deepest = deepest.min(gap);
    }
    // Further than the thickness, which is as far as planes are looked for.
    assert!(deepest < -0.01, "{deepest} m");
}

#[test]
fn pins_dragged_into_a_solid_are_refused_and_the_solid_named() {
    for (name, solid) in boxes(DVec3::new(0.6, 0.1, 0.2), DVec3::Z * 0.3) {
        let mut sheet = above(9, 0.15);
        sheet.pins = vec![carried((0..9).collect(), &[(0.0, DVec3::ZERO), (1.0, DVec3::new(0.0, -0.5, 1.5))])];
        let mut model = build(vec![sheet]);
        model.colliders.push(resting(&model, solid, 0.3));
        let (state, outcome) = probe(name, &model, &certified_alone(0.01, FRAME), 1.0);
        let Err(StepError::Blocked { vertex, bond, colliders, .. }) = outcome else { panic!("{name}: {outcome:?}") };
        let named = vertex < 9 && bond == Bond::Pinned && colliders == ["solid 1"];
        assert!(named, "{name}: vertex {vertex}, {bond:?}, {colliders:?}");
        // The first row comes to the face at z = 0.1 after 0.4 s.
        assert!((state.time - 0.4).abs() < 2.0 * FRAME, "{name}: {} s", state.time);
    }
}

#[test]
fn pins_drag_cloth_over_an_edge_with_any_friction() {
    for (name, solid) in boxes(DVec3::new(0.6, 0.1, 0.2), DVec3::ZERO) {
        for friction in [0.0, 0.3, 5.0] {
            let mut sheet = above(9, 0.15);
            let path = [(0.0, DVec3::ZERO), (1.0, DVec3::new(0.3, -0.3, -1.5))];
            sheet.pins = vec![carried((0..9).collect(), &path)];
            let mut model = build(vec![sheet]);
            model.colliders.push(resting(&model, solid.clone(), friction));
            passes(&format!("{name}, μ {friction}"), &model, &certified(0.01, FRAME), 1.0);
        }
    }
}

#[test]
fn solids_that_spin_fast_under_a_falling_sheet_are_kept_out_of() {
    let solids = [
        ("capsule", shape(Shape::Capsule { radius: 0.08, half_length: 0.25 }, DVec3::ZERO)),
        ("cylinder", shape(Shape::Cylinder { radius: 0.2, half_length: 0.1 }, DVec3::ZERO)),
        // 35 turns a second are 210° in a step: a mesh goes straight from start to end.
        ("mesh", Solid::Mesh(box_mesh(DVec3::new(0.25, 0.1, 0.15), DVec3::ZERO))),
    ];
    for (name, solid) in solids {
        for (axis, turns) in [(DVec3::X, 3.0), (DVec3::new(0.6, 0.0, 0.8), 35.0)] {
            let mut model = build(vec![above(9, 0.4)]);
            let mut collider = resting(&model, solid.clone(), 0.3);
            collider.motion = spin(axis, turns);
            model.colliders.push(collider);
            passes(&format!("{name}, {turns} turns"), &model, &certified(0.01, FRAME), 0.5);
        }
    }
}

#[test]
fn far_from_the_origin_contact_is_the_same() {
    for (name, _) in boxes(DVec3::ONE, DVec3::ZERO) {
        let rest = |off: f64| {
            let centre = DVec3::new(off, 0.3 * off, -off);
            let solid = boxes(DVec3::new(0.2, 0.1, 0.2), centre).into_iter().find(|one| one.0 == name).unwrap().1;
            let mut sheet = above(9, 0.14);
            // Askew: where edges are parallel, rounding says which of their points are nearest.
            let askew = |x: DVec3| x + DVec3::new(0.013, 0.02 * x.x + 0.01 * x.z, 0.007);
            sheet.start.iter_mut().for_each(|x| *x = askew(*x) + centre);
            let mut model = build(vec![sheet]);
            model.colliders.push(resting(&model, solid, 0.3));
            let state = passes(&format!("{name}, {off} m off"), &model, &certified(0.01, FRAME), 0.2);
            state.x.iter().map(|x| *x - centre).collect::<Vec<_>>()
        };
        let (near, far) = (rest(0.0), rest(1e3));
        let off = near.iter().zip(&far).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(off < 1e-6, "{name}: {off} m");
    }
}

#[test]
fn cloth_that_rests_neither_creeps_nor_gains_energy() {
    for (name, solid) in
        [("plane", ground(0.0)), ("mesh", boxes(DVec3::new(2.0, 0.05, 2.0), DVec3::NEG_Y * 0.05)[1].1.clone())]
    {
        let mut model = build(vec![above(9, 0.01)]);
        model.colliders.push(resting(&model, solid, 0.3));
        let state = passes(name, &model, &certified(0.01, FRAME), 10.0);
        let moved = measure::centre_of_mass(&model, &state.x) - measure::centre_of_mass(&model, &model.start);
        assert!(moved.x.abs().max(moved.z.abs()) < 1e-9, "{name}: slid by {moved} m");
        assert!(measure::energies(&model, &state).kinetic < 1e-12, "{name}");
    }
}

#[test]
fn a_solid_that_closes_a_slot_and_opens_it_again_lets_the_sheet_go() {
    let mut model = build_weightless(vec![above(7, 0.0)]);
    for side in [1.0, -1.0] {
        let slab = Shape::Box { half: DVec3::new(0.6, 0.05, 0.6) };
        let mut collider = resting(&model, shape(slab, DVec3::Y * (0.07 * side)), 0.3);
        let near = DVec3::Y * (-0.0175 * side);
        collider.motion = along(&[(0.0, DVec3::ZERO), (0.5, near), (0.6, near), (1.0, DVec3::ZERO)]);
        model.colliders.push(collider);
    }
    passes("a press that stays open by 5 ξ", &model, &certified(0.01, FRAME), 1.0);
}

/// A sheet pinned at its corners, and a ball that is pressed half a metre into it.
fn pressed() -> Model {
    let mut sheet = above(9, 0.0);
    sheet.pins = vec![pin(vec![0, 8, 72, 80])];
    let mut model = build(vec![sheet]);
    let mut ball = resting(&model, shape(Shape::Sphere { radius: 0.2 }, DVec3::Y * 0.25), 0.3);
    ball.motion = along(&[(0.0, DVec3::ZERO), (0.5, DVec3::NEG_Y * 0.75)]);
    model.colliders.push(ball);
    model
}

#[test]
fn a_solid_that_presses_pinned_cloth_too_far_is_named() {
    match probe("a ball", &pressed(), &certified(0.01, FRAME), 0.5).1 {
        Err(StepError::Blocked { colliders: named, .. } | StepError::Unkept { pressing: named, .. }) => {
            assert_eq!(named, ["solid 1"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_strain_limit_that_is_given_up_lets_a_run_go_to_its_end() {
    let (model, mut settings) = (pressed(), certified(0.01, FRAME));
    settings.contact.yields = Yield::Strain;
    let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
    for _ in 0..30 {
        stepper.step(&model, &mut state, ()).unwrap();
        assert!(survey(&model, &state.x, state.time).is_clear(), "at {} s", state.time);
    }
    let strain = measure::strain(&model, &state.x).worst;
    // From corner to corner it is 1.41 m; half a metre down in the middle that path is a fifth longer.
    assert!(strain > 0.1, "{strain}");
}
