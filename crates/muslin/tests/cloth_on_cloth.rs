//! Cloth against cloth, itself included: nothing passes through, whatever is thrown, and layers lie, slide and stick as
//! they should.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::certify::{carried, certified, certified_alone};
use common::solids::{ground, resting};
use common::{Dice, build, build_weightless, cloth, damped, grid, pin, surface};
use glam::{DQuat, DVec3};
use muslin::mesh::Diagonals;
use muslin::model::{Cloth, Model};
use muslin::{State, StepError, Stepper, measure};

const FRAME: f64 = 1.0 / 60.0;

/// A sheet of a size [m] about the origin of its middle, turned and shifted.
fn placed(size: f64, side: u32, turn: DQuat, shift: DVec3) -> Cloth {
    let mut cloth = cloth(grid([size, size], [side, side], Diagonals::Both), surface(damped()), vec![]);
    let middle = DVec3::new(0.5 * size, 0.0, 0.5 * size);
    cloth.start.iter_mut().for_each(|x| *x = turn * (*x - middle) + shift);
    cloth
}

/// Crossings of edges and triangles that share no particle, each by the signs of five volumes: no tree, no predicates.
/// Flat cloth is no crossing: its volumes are rounding [m³].
fn crossings(model: &Model, x: &[DVec3]) -> usize {
    let mut triangles = Vec::new();
    for part in &model.cloths {
        let first = part.particles.start;
        triangles.extend(part.topology.triangles.iter().map(|t| t.map(|i| first + i as usize)));
    }
    let volume = |a: usize, b: usize, c: usize, d: usize| (x[b] - x[a]).cross(x[c] - x[a]).dot(x[d] - x[a]);
    let crosses = |p: usize, q: usize, [a, b, c]: [usize; 3]| {
        let around = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
        let ends = [volume(a, b, c, p), volume(a, b, c, q)];
        ends.iter().all(|v| v.abs() > 1e-16)
            && ends[0] * ends[1] < 0.0
            && (around.iter().all(|v| *v > 0.0) || around.iter().all(|v| *v < 0.0))
    };
    let mut found = 0;
    for one in &triangles {
        for &other in triangles.iter().filter(|other| !one.iter().any(|i| other.contains(i))) {
            for (p, q) in [(one[0], one[1]), (one[1], one[2]), (one[2], one[0])] {
                found += usize::from(crosses(p, q, other));
            }
        }
    }
    found
}

/// Two or three small sheets that fly at each other.
fn thrown(dice: &mut Dice, scene: u32) -> Model {
    let count = 2 + scene % 2;
    let cloths = (0..count).map(|k| {
        let turn = DQuat::from_scaled_axis(dice.vector(0.7)) * DQuat::from_rotation_x(1.5);
        let mut cloth = placed(0.2, 4 + scene % 4, turn, DVec3::Z * (0.2 * f64::from(k)) + dice.vector(0.03));
        // Up to ten times its size in a second, towards the others.
        let velocity = DVec3::Z * (1.0 - f64::from(k)) * dice.number(0.5, 2.0) + dice.vector(0.3);
        cloth.start_velocity.iter_mut().for_each(|v| *v = velocity);
        cloth
    });
    build_weightless(cloths.collect())
}

#[test]
fn sheets_thrown_at_each_other_never_cross() {
    let mut dice = Dice::new(7);
    let (mut thrown_scenes, mut met) = (0, 0);
    for scene in 0..300 {
        let model = thrown(&mut dice, scene);
        if crossings(&model, &model.start) > 0 {
            continue;
        }
        thrown_scenes += 1;
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &certified(0.01, FRAME)));
        for _ in 0..24 {
            stepper.step(&model, &mut state, ()).unwrap_or_else(|error| panic!("scene {scene}: {error}"));
            assert_eq!(crossings(&model, &state.x), 0, "scene {scene} at {} s", state.time);
            let strain = measure::strain(&model, &state.x).worst;
            assert!(strain <= 0.01, "scene {scene}: strain {strain} at {} s", state.time);
        }
        // The same without contact: do they meet at all?
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &certified_alone(0.01, FRAME)));
        let crossed = (0..24).any(|_| {
            stepper.step(&model, &mut state, ()).unwrap();
            crossings(&model, &state.x) > 0
        });
        met += u32::from(crossed);
    }
    assert!(thrown_scenes > 150 && 2 * met > thrown_scenes, "{met} of {thrown_scenes} scenes would cross");
}

#[test]
fn cloth_that_touches_nothing_moves_to_the_same_bits_with_and_without() {
    let mut hung = placed(1.0, 11, DQuat::IDENTITY, DVec3::ZERO);
    hung.pins = vec![pin(vec![0, 10])];
    let model = build(vec![hung, placed(0.5, 7, DQuat::from_rotation_x(0.4), DVec3::Z * 3.0)]);
    let end = |settings| {
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
        for _ in 0..40 {
            stepper.step(&model, &mut state, ()).unwrap();
        }
        (state.x, state.v)
    };
    assert!(end(certified(0.01, FRAME)) == end(certified_alone(0.01, FRAME)));
}

/// Two sheets, one above the other, over a floor.
fn two_on_the_floor() -> Model {
    let turned = DQuat::from_rotation_y(0.5);
    let lower = placed(0.3, 9, DQuat::IDENTITY, DVec3::Y * 0.002);
    let mut model = build(vec![lower, placed(0.3, 9, turned, DVec3::Y * 0.01)]);
    model.colliders.push(resting(&model, ground(0.0), 0.3));
    model
}

#[test]
fn a_new_stepper_at_any_step_goes_on_to_the_same_bits() {
    let model = two_on_the_floor();
    let settings = certified(0.01, FRAME);
    let end = |renewed: u32| {
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
        for step in 0..30 {
            if step % renewed == renewed - 1 {
                stepper = Stepper::new(&model, &settings);
            }
            stepper.step(&model, &mut state, ()).unwrap();
        }
        (state.x, state.v)
    };
    assert!(end(1) == end(100) && end(7) == end(100), "lists that a state does not hold decide something");
}

#[test]
fn layers_lie_at_their_thickness_and_come_to_rest() {
    let model = two_on_the_floor();
    let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &certified(0.01, FRAME)));
    let (mut sum, mut count, mut peak) = (0.0, 0.0, 0.0_f64);
    let kinetic = |v: &[DVec3]| v.iter().zip(&model.mass).map(|(v, m)| 0.5 * m * v.length_squared()).sum::<f64>();
    for step in 0..90 {
        let work = stepper.step(&model, &mut state, ()).unwrap().work.contact;
        peak = peak.max(kinetic(&state.v));
        if step >= 60 {
            sum += work.layer_gap_sum;
            count += f64::from(work.layers);
        }
    }
    let (gap, left) = (sum / count, kinetic(&state.v) / peak);
    assert!(count > 0.0 && (0.9..=1.3).contains(&gap), "mean gap {gap} of the thickness, {count} planes");
    assert!(left < 1e-3, "{left} of the greatest kinetic energy after 1.5 s");
}

#[test]
fn a_sheet_slides_on_a_tilted_sheet_as_friction_says() {
    let tilt = 0.5_f64;
    let turn = DQuat::from_rotation_z(-tilt);
    // On the slope of the lower sheet, which is pinned everywhere: g (sin θ - μ cos θ), or nothing.
    for (friction, acceleration) in [(0.3, 9.81 * (libm::sin(tilt) - 0.3 * libm::cos(tilt))), (0.7, 0.0)] {
        let mut lower = placed(2.0, 21, turn, DVec3::ZERO);
        lower.pins = vec![pin((0..441).collect())];
        let mut upper = placed(0.2, 9, turn, turn * DVec3::new(-0.5, 0.001, 0.01));
        lower.skin.friction = friction;
        upper.skin.friction = friction;
        let model = build(vec![lower, upper]);
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &certified(0.01, FRAME)));
        for _ in 0..30 {
            stepper.step(&model, &mut state, ()).unwrap();
        }
        let middle = |x: &[DVec3]| x[441..].iter().sum::<DVec3>() / 81.0;
        let slid = (middle(&state.x) - middle(&model.start)).dot(turn * DVec3::X);
        let wanted = 0.5 * acceleration * state.time * state.time;
        assert!((slid - wanted).abs() <= 0.03 * wanted + 2e-4, "μ = {friction}: slid {slid} m, wanted {wanted} m");
    }
}

#[test]
fn a_sheet_that_pins_drag_through_another_is_refused_and_both_are_named() {
    let mut still = placed(0.5, 9, DQuat::IDENTITY, DVec3::ZERO);
    still.name = "still".into();
    still.pins = vec![pin((0..81).collect())];
    let mut dragged = placed(0.2, 5, DQuat::IDENTITY, DVec3::Y * 0.1);
    dragged.name = "dragged".into();
    dragged.pins = vec![carried((0..25).collect(), &[(0.0, DVec3::ZERO), (1.0, DVec3::Y * -0.5)])];
    let model = build(vec![still, dragged]);
    let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &certified(0.01, FRAME)));
    let error = (0..60).find_map(|_| stepper.step(&model, &mut state, ()).err());
    let Some(StepError::Blocked { cloth, colliders, .. }) = error else { panic!("{error:?}") };
    let mut named = vec![cloth, colliders[0].clone()];
    named.sort();
    assert_eq!(named, ["dragged", "still"]);
    // They would meet after 0.2 s.
    assert!((state.time - 0.2).abs() < 2.0 * FRAME, "{} s", state.time);
}
