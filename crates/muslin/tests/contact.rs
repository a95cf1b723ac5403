//! Cloth against solids under `certified`: physics with closed forms, and motions made to slip through.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::f64::consts::{FRAC_PI_2, TAU};

use common::certify::{certified, watch};
use common::solids::{THICKNESS, along, box_mesh, ground, resting, shape, turned};
use common::{bare, build, build_weightless, cloth, elastic, grid, irregular, pin, sheet, surface};
use glam::DVec3;
use muslin::collide::{Pose, Shape};
use muslin::mesh::{Diagonals, TubeSpec};
use muslin::model::{Cloth, Damping, Ease, Key, Material, Motion, Solid};
use muslin::{Model, State, Stepper, materials, measure};

const FRAME: f64 = 1.0 / 60.0;

/// A square metre of `side` particles that starts `height` above the ground.
fn above(side: u32, height: f64) -> Cloth {
    let mut cloth = sheet(side, bare(), vec![]);
    cloth.start.iter_mut().for_each(|x| *x += DVec3::new(-0.5, height, -0.5));
    cloth
}

/// Least height above the ground.
fn lowest(state: &State) -> f64 {
    state.x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_sheet_that_falls_on_a_table_rests_on_it_and_the_table_carries_its_weight() {
    let mut model = build(vec![above(11, 0.05)]);
    model.colliders.push(resting(&model, ground(0.0), 0.3));
    let (mut state, settings) = (State::start(&model), certified(0.01, FRAME));
    let mut stepper = Stepper::new(&model, &settings);
    let weight = model.total_mass() * 9.81;
    let mut carried = 0.0;
    for step in 0..90 {
        let report = stepper.step(&model, &mut state, ()).unwrap();
        if step >= 60 {
            carried += report.work.contact.impulse.y / (30.0 * FRAME);
        }
    }
    assert!((carried / weight - 1.0).abs() < 1e-3, "{carried} N for {weight} N");
    assert!(lowest(&state) > 0.99 * THICKNESS, "{} m", lowest(&state));
    assert!(measure::energies(&model, &state).kinetic < 1e-9);
}

#[test]
fn a_sheet_on_an_incline_stops_or_slides_by_its_friction() {
    // tan 26.57° = 0.5.
    let tilt = libm::atan(0.5);
    let (sin, cos) = libm::sincos(tilt);
    for (friction, slides) in [(0.6, false), (0.4, true)] {
        let mut cloth = sheet(9, bare(), vec![]);
        let (along, up) = (DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0));
        for x in &mut cloth.start {
            *x = along * x.x + up * THICKNESS + DVec3::Z * x.z;
        }
        let mut model = build(vec![cloth]);
        model.colliders.push(resting(&model, ground(tilt), friction));
        let run = watch("an incline", &model, &certified(0.01, FRAME), 1.0);
        let start = measure::centre_of_mass(&model, &State::start(&model).x);
        let moved = (measure::centre_of_mass(&model, &run.state.x) - start).dot(-along);
        let expected = if slides { 0.5 * 9.81 * (sin - friction * cos) } else { 0.0 };
        assert!((moved - expected).abs() < 0.03 * expected.max(0.01), "μ {friction}: {moved} m, not {expected} m");
    }
}

#[test]
fn a_sheet_at_rest_on_a_ball_stays_where_it_is() {
    // Its edges are so long, by the ball, that the insides of triangles are nearer by a whole thickness.
    let cotton = surface(materials::find("cotton").unwrap().material());
    let mut draped = cloth(grid([1.0, 1.0], [21, 21], Diagonals::Both), cotton, vec![]);
    draped.start.iter_mut().for_each(|x| *x += DVec3::new(-0.5, 0.21, -0.5));
    let mut model = build(vec![draped]);
    model.colliders.push(resting(&model, shape(Shape::Sphere { radius: 0.2 }, DVec3::ZERO), 0.5));
    let (mut state, settings) = (State::start(&model), certified(0.01, FRAME));
    let mut stepper = Stepper::new(&model, &settings);
    let mut run = |seconds: u32| {
        for _ in 0..60 * seconds {
            stepper.step(&model, &mut state, ()).unwrap();
        }
        // The middle of the sheet: a seventh of its particles, all of them above the ball's equator.
        (0..441).filter(|i| (7..14).contains(&(i / 21)) && (7..14).contains(&(i % 21))).map(|i| state.x[i]).collect()
    };
    let (before, after): (Vec<DVec3>, Vec<DVec3>) = (run(6), run(4));
    let moved = before.iter().zip(&after).map(|(one, other)| one.distance(*other)).sum::<f64>() / before.len() as f64;
    // Its hem still sways, and the rest of it with the hem, by no more than this.
    assert!(moved < 4e-5, "crept {moved} m in 4 s");
}

#[test]
fn a_patch_on_the_side_of_a_cylinder_sticks_above_its_friction_angle_and_slides_below() {
    let (radius, angle) = (0.5, 30.0_f64.to_radians());
    let up = DVec3::new(libm::sin(angle), libm::cos(angle), 0.0);
    let down = DVec3::new(up.y, -up.x, 0.0);
    let moved = |friction: f64| {
        let mut patch = cloth(grid([0.04, 0.04], [9, 9], Diagonals::Both), bare(), vec![]);
        for x in &mut patch.start {
            let (along, across) = (x.x - 0.02, x.z - 0.02);
            let (sin, cos) = libm::sincos(along / radius);
            *x = (up * cos + down * sin) * (radius + THICKNESS) + DVec3::Z * across;
        }
        let mut model = build(vec![patch]);
        let pose = Pose { position: DVec3::ZERO, rotation: turned(DVec3::X, FRAC_PI_2) };
        let side = Shape::Cylinder { radius, half_length: 1.0 };
        model.colliders.push(resting(&model, Solid::Shape { shape: side, pose }, friction));
        // It takes a moment to lie down.
        let [first, last] = [0.5, 2.0].map(|end| watch("a patch", &model, &certified(0.01, FRAME), end).state.x);
        measure::centre_of_mass(&model, &first).distance(measure::centre_of_mass(&model, &last))
    };
    // It reaches from 27.7° to 32.3°, tan 0.525 to 0.632: with more friction all of it sticks, with less all slides.
    let (held, slid) = (moved(0.65), moved(0.5));
    assert!(held < 1e-6, "μ 0.65: {held} m");
    assert!(slid > 0.1, "μ 0.5: {slid} m");
}

#[test]
fn a_sheet_on_a_turning_disc_stays_where_it_lies() {
    // ω²r/g = 0.13 of friction would do.
    let (radius, spin) = (0.3, TAU / 3.0);
    let mut lying = cloth(grid([0.1, 0.1], [9, 9], Diagonals::Both), surface(elastic()), vec![]);
    lying.start.iter_mut().for_each(|x| *x += DVec3::new(radius - 0.05, THICKNESS, -0.05));
    lying.start_velocity = lying.start.iter().map(|x| (DVec3::Y * spin).cross(*x)).collect();
    let mut model = build(vec![lying]);
    let mut disc = resting(&model, ground(0.0), 0.5);
    let key = |time: f64| Key { time, translate: DVec3::ZERO, axis: DVec3::Y, angle: spin * time };
    disc.motion = Motion { keys: vec![key(0.0), key(3.0)], ease: Ease::Linear, centre: DVec3::ZERO };
    model.colliders.push(disc);
    let run = watch("a turn", &model, &certified(0.01, FRAME), 3.0);
    // After a whole turn it is where it was, half a substep behind at most.
    let moved = measure::centre_of_mass(&model, &run.state.x).distance(measure::centre_of_mass(&model, &model.start));
    assert!(moved < 1e-3, "moved by {moved} m on the disc");
}

#[test]
fn a_sheet_that_slides_on_a_table_stops_after_its_kinetic_energy_is_used_up() {
    let (speed, friction) = (1.5, 0.4);
    let mut cloth = above(11, THICKNESS);
    cloth.start_velocity.fill(DVec3::X * speed);
    let mut model = build(vec![cloth]);
    model.colliders.push(resting(&model, ground(0.0), friction));
    let run = watch("a slide", &model, &certified(0.01, FRAME), 1.0);
    let moved = measure::centre_of_mass(&model, &run.state.x).x - measure::centre_of_mass(&model, &model.start).x;
    let expected = speed * speed / (2.0 * friction * 9.81);
    assert!((moved / expected - 1.0).abs() < 0.03, "{moved} m, not {expected} m");
    assert!(run.state.v.iter().all(|v| v.length() < 1e-3));
}

/// A sheet over a ball, after a time.
fn over_ball(side: u32, radius: f64, duration: f64) -> (Model, State) {
    let mut cloth = sheet(side, surface(elastic()), vec![]);
    cloth.start.iter_mut().for_each(|x| *x += DVec3::new(-0.5, radius + 0.05, -0.5));
    let mut model = build(vec![cloth]);
    model.colliders.push(resting(&model, shape(Shape::Sphere { radius }, DVec3::ZERO), 0.3));
    let run = watch("over a ball", &model, &certified(0.01, FRAME), duration);
    (model, run.state)
}

#[test]
fn a_sheet_falls_over_a_ball_and_no_edge_of_it_enters() {
    let (model, state) = over_ball(21, 0.3, 1.0);
    let mut nearest = f64::INFINITY;
    for edge in &model.edges {
        let [a, b] = [edge.a, edge.b].map(|i| state.x[i as usize]);
        let gap = Shape::Sphere { radius: 0.3 }.nearest_on_edge(a, b).nearest.distance;
        assert!(gap > 0.0, "edge {edge:?} is {gap} m away");
        nearest = nearest.min(gap);
    }
    assert!(nearest < 2.5 * THICKNESS, "nothing touches: {nearest}");
}

#[test]
fn a_ball_as_fast_as_a_bullet_does_not_get_through() {
    for radius in [0.02, 0.1] {
        let mut model = build_weightless(vec![above(17, 0.0)]);
        let mut ball = resting(&model, shape(Shape::Sphere { radius }, DVec3::new(0.013, -2.0, 0.021)), 0.3);
        ball.motion = along(&[(0.0, DVec3::ZERO), (0.02, DVec3::Y * 6.0)]);
        model.colliders.push(ball);
        let run = watch("a bullet", &model, &certified(0.01, FRAME), 2.0 * FRAME);
        let centre = model.colliders[0].pose(run.state.time).position;
        // All of the sheet is still above or beside the ball, and some of it was carried along.
        for (i, x) in run.state.x.iter().enumerate() {
            assert!(x.distance(centre) > radius, "particle {i} is inside");
        }
        let highest = run.state.x.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
        assert!(highest > centre.y, "the ball of {radius} m is through: {highest} m, ball at {centre}");
    }
}

#[test]
fn a_mesh_that_moves_further_than_its_size_in_a_step_carries_the_cloth_along() {
    let mut model = build_weightless(vec![above(13, 0.0)]);
    let block = box_mesh(DVec3::new(0.15, 0.02, 0.15), DVec3::new(0.0, -0.3, 0.0));
    let mut collider = resting(&model, Solid::Mesh(block), 0.3);
    collider.motion = along(&[(0.0, DVec3::ZERO), (0.1, DVec3::Y * 2.0)]);
    model.colliders.push(collider);
    let run = watch("a block", &model, &certified(0.01, FRAME), 3.0 * FRAME);
    let top = model.colliders[0].pose(run.state.time).position.y - 0.3 + 0.02;
    let middle = run.state.x[84];
    assert!(middle.y > top, "the middle is at {middle}, the block's top at {top} m");
}

#[test]
fn a_thin_blade_is_caught_by_the_middle_of_edges() {
    // Narrower than a cell, its upper edge in the plane of no vertex.
    for lift in [0.0, 0.3] {
        let mut model = build(vec![above(6, 0.25)]);
        let blade = box_mesh(DVec3::new(0.8, 0.1, 1e-4), DVec3::new(0.0, 0.0, 0.03));
        let mut collider = resting(&model, Solid::Mesh(blade), 0.5);
        collider.motion = along(&[(0.0, DVec3::ZERO), (1.0, DVec3::Y * lift)]);
        model.colliders.push(collider);
        let run = watch("a blade", &model, &certified(0.01, FRAME), 0.5);
        let highest = run.state.x.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
        assert!(highest > 0.1, "the sheet has fallen through the blade: {highest} m");
    }
}

#[test]
fn an_open_mesh_is_a_wall_from_both_sides() {
    for side in [1.0, -1.0] {
        let mut model = build_weightless(vec![{
            let mut cloth = above(9, 0.1 * side);
            cloth.start_velocity.fill(DVec3::Y * (-3.0 * side));
            cloth
        }]);
        let wide = 2.0;
        let corners = [[-wide, -wide], [wide, -wide], [wide, wide], [-wide, wide]];
        let positions = corners.map(|[x, z]| DVec3::new(x, 0.0, z)).to_vec();
        let wall = muslin::model::SolidMesh { positions, triangles: vec![[0, 1, 2], [0, 2, 3]] };
        model.colliders.push(resting(&model, Solid::Mesh(wall), 0.3));
        let run = watch("a wall", &model, &certified(0.01, FRAME), 0.5);
        let nearest = run.state.x.iter().map(|x| x.y * side).fold(f64::INFINITY, f64::min);
        assert!(nearest > 0.5 * THICKNESS, "from {side}: {nearest} m");
        assert!(nearest < 2.0 * THICKNESS, "from {side}: it has not come to the wall, or has bounced: {nearest} m");
    }
}

#[test]
fn elastic_cloth_on_any_mesh_gains_no_energy_from_solids_at_rest() {
    // Edges and cross edges of triangles say the same many times over.
    for seed in 0..4 {
        let ball = shape(Shape::Sphere { radius: 0.3 }, DVec3::ZERO);
        for solid in [ball, Solid::Mesh(box_mesh(DVec3::splat(0.3), DVec3::ZERO))] {
            let mut cloth = cloth(irregular(9, seed), surface(elastic()), vec![]);
            cloth.start.iter_mut().for_each(|x| *x += DVec3::new(-0.5, 0.35, -0.5));
            let mut model = build(vec![cloth]);
            model.colliders.push(resting(&model, solid, 0.3));
            let run = watch("irregular cloth", &model, &certified(0.01, FRAME), 1.5);
            run.gains_nothing(&format!("seed {seed}"), model.total_mass() * 9.81);
        }
    }
}

#[test]
fn cloth_that_is_pressed_flat_by_its_own_folds_gains_no_energy() {
    // Nothing resists shortening, so triangles lose their area, and hinges on them have forces without bound.
    let damping = Damping { shear: 0.1, bending: 0.1, ..Damping::default() };
    let weak = Material { stretch_warp: 0.0, stretch_weft: 0.0, shear: 0.05, bending: 1e-5, damping, ..elastic() };
    let mut cloth = sheet(41, surface(weak), vec![]);
    cloth.start.iter_mut().for_each(|x| *x += DVec3::new(-0.5, 0.35, -0.5));
    let mut model = build(vec![cloth]);
    model.colliders.push(resting(&model, shape(Shape::Sphere { radius: 0.3 }, DVec3::ZERO), 0.3));
    let run = watch("weak cloth", &model, &certified(0.01, FRAME), 1.5);
    run.gains_nothing("cloth", model.total_mass() * 9.81);
}

#[test]
fn a_tube_that_falls_upright_on_the_ground_moves_no_more_than_its_fall_allows() {
    // Stiff threads stop it within a step. Each is solved once in a substep, and long substeps would leave all of them
    // too short.
    let spec = TubeSpec { radius: 0.15, length: 0.4, particles: [24, 17], diagonals: Diagonals::Both };
    let damping = Damping { stretch: 0.02, shear: 0.03, bending: 0.03, mass: 0.0 };
    let cotton = Material { stretch_warp: 3000.0, stretch_weft: 2200.0, damping, ..elastic() };
    let wool = Material { density: 0.24, stretch_warp: 2000.0, stretch_weft: 1500.0, shear: 30.0, ..cotton };
    for (material, height) in [(cotton, 0.723), (wool, 0.7)] {
        let mut tube = cloth(spec.build().unwrap(), surface(material), vec![]);
        let bottom = tube.start.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        tube.start.iter_mut().for_each(|x| x.y += height - bottom);
        let mut model = build(vec![tube]);
        model.colliders.push(resting(&model, ground(0.0), 0.3));
        let fall = 9.81 * height * model.mass.iter().sum::<f64>();
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &certified(0.01, FRAME)));
        for _ in 0..72 {
            stepper.step(&model, &mut state, ()).unwrap();
            let energies = measure::energies(&model, &state);
            let motion = energies.kinetic + energies.gravity;
            assert!(motion < 0.01 * fall, "from {height} m: {motion} J at {} s, a fall of {fall} J", state.time);
        }
    }
}

#[test]
fn cloth_far_from_a_slope_gains_no_energy_from_it_either() {
    let mut model = build(vec![cloth(irregular(9, 1), surface(elastic()), vec![pin(vec![0])])]);
    // A plane that is not level has no box around it.
    let mut slope = resting(&model, ground(0.3), 0.3);
    let Solid::Shape { pose, .. } = &mut slope.solid else { panic!("the ground is a plane") };
    pose.position.y = -10.0;
    model.colliders.push(slope);
    let run = watch("far from a slope", &model, &certified(0.01, FRAME), 2.0);
    run.gains_nothing("cloth", model.total_mass() * 9.81);
}

#[test]
fn cloth_that_strikes_the_ground_stays_there() {
    for side in [9, 17] {
        let mut cloth = above(side, 0.1);
        cloth.start_velocity.fill(DVec3::NEG_Y * 3.0);
        let mut model = build(vec![cloth]);
        model.colliders.push(resting(&model, ground(0.0), 0.3));
        let settings = certified(0.01, FRAME);
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
        let mut highest = 0.0_f64;
        for step in 0..30 {
            stepper.step(&model, &mut state, ()).unwrap();
            if step > 3 {
                highest = state.x.iter().map(|x| x.y).fold(highest, f64::max);
            }
        }
        assert!(highest < 2.0 * THICKNESS, "{side} a side: {highest} m");
    }
}
