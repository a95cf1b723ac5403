//! Imbalance of cloth that stands still, against statics.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::f64::consts::FRAC_PI_2;

use common::certify::{certified, rope};
use common::solids::{self, THICKNESS, turned};
use common::{bare, build, build_weightless, chain, cloth, pin, settings, sheet, simulate, surface};
use glam::{DQuat, DVec2, DVec3};
use muslin::collide::Shape;
use muslin::mesh::{Diagonals, GridSpec};
use muslin::model::{Chain, Cloth};
use muslin::settings::Integrator;
use muslin::stuck::{Balance, Imbalance};
use muslin::{Model, State};

/// The imbalance of the first cloth where a model starts.
fn imbalance(model: &Model) -> Imbalance {
    Balance::new(model, &certified(0.01, 1.0 / 60.0)).of(model, &State::start(model), 0, 0.0)
}

/// What a search leaves over, far below the 2 % of the weight that distinguish cloth at rest from cloth that is stuck.
const LEFT: f64 = 1e-3;

#[track_caller]
fn near(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within, "{found} is not {wanted} ± {within}");
}

/// Turns a cloth about z, from x towards -y.
fn turned_down(mut cloth: Cloth, angle: f64) -> Cloth {
    let turn = turned(DVec3::NEG_Z, angle);
    cloth.start.iter_mut().for_each(|x| *x = turn * *x);
    cloth
}

#[test]
fn a_pendulum_that_stands_still_is_out_of_balance_by_the_sine_of_its_angle() {
    for particles in [2, 3, 30] {
        for degrees in [0.0, 1.0, 30.0, 60.0, 90.0_f64] {
            let angle = degrees.to_radians();
            let found = imbalance(&build(vec![turned_down(rope(particles), FRAC_PI_2 - angle)]));
            near(found.fraction, libm::sin(angle), LEFT);
        }
    }
}

#[test]
fn springs_carry_what_they_are_stretched_for() {
    let own = Chain { mass: 0.0, bob: 1.0, stiffness: 981.0, rest_length: Some(1.0), damping: 0.0 };
    for (length, unlimited, limited) in [(1.01, 0.0, 0.0), (1.02, 1.0, 0.0), (1.005, 0.5, 0.0), (0.98, 3.0, 1.0)] {
        let model = build(vec![chain(DVec3::ZERO, DVec3::NEG_Y * length, 2, own)]);
        let by_springs = settings(Integrator::SymplecticEuler, 0.01);
        let found = Balance::new(&model, &by_springs).of(&model, &State::start(&model), 0, 0.0);
        near(found.fraction, unlimited, 1e-6);
        // There, springs may have less than all of their force, and limits hold what springs do not.
        near(imbalance(&model).fraction, limited, 1e-6);
    }
}

#[test]
fn a_sheet_is_in_balance_plumb_and_not_level() {
    let pinned: Vec<u32> = (0..21).collect();
    let at = |angle: f64, pins: Vec<u32>| {
        let mut sheet = sheet(21, bare(), vec![pin(pins)]);
        let turn = turned(DVec3::X, angle);
        sheet.start.iter_mut().for_each(|x| *x = turn * *x);
        imbalance(&build(vec![sheet])).fraction
    };
    near(at(FRAC_PI_2, pinned.clone()), 0.0, LEFT);
    near(at(FRAC_PI_2 - 0.3, pinned.clone()), libm::sin(0.3), 0.01);
    // What is in one patch with a pin cannot fall as freely as the rest.
    near(at(0.0, pinned), 1.0, 0.02);
    near(at(0.0, vec![0, 20]), 1.0, 0.02);
    near(at(0.0, vec![]), 1.0, 1e-9);
}

/// Stiff bending passes loads on slowly, and not by the gradients of angles where it is filtered.
#[test]
fn small_stiff_cloth_at_rest_is_found_in_balance() {
    let mesh =
        GridSpec { size: DVec2::splat(0.05), particles: [9, 9], diagonals: Diagonals::Alternating, triangles: true };
    let knit = muslin::materials::find("knit").unwrap();
    let model = build(vec![cloth(mesh.build().unwrap(), surface(knit.material()), vec![pin(vec![0]), pin(vec![80])])]);
    let settings = certified(0.01, 1.0 / 60.0);
    let state = simulate(&model, &settings, 3.0);
    let found = Balance::new(&model, &settings).of(&model, &state, 0, 0.015).fraction;
    assert!(found < 0.02, "{found}");
}

/// Between pins tethers carry the load, and filtered bending acts by stencils: both count.
#[test]
fn small_stiff_cloth_that_is_taut_between_pins_is_found_in_balance() {
    let grid = |size: [f64; 2], particles: [u32; 2]| {
        let size = DVec2::from(size);
        GridSpec { size, particles, diagonals: Diagonals::Alternating, triangles: true }.build().unwrap()
    };
    let denim = || surface(muslin::materials::find("denim").unwrap().material());
    let corners = |[across, along]: [u32; 2]| [0, across - 1, across * (along - 1), across * along - 1];
    let four = [7, 21];
    let cases = [
        ("four corners", 0.001, cloth(grid([0.033, 0.1], four), denim(), vec![pin(corners(four).to_vec())])),
        ("two corners", 0.001, cloth(grid([0.05, 0.1], [5, 9]), denim(), vec![pin(vec![0, 44])])),
    ];
    for (what, limit, cloth) in cases {
        let mut model = build(vec![cloth]);
        model.air.wind = DVec3::Z * 12.0;
        model.air.density = 1.2;
        let settings = certified(limit, 1.0 / 60.0);
        let state = simulate(&model, &settings, 3.0);
        let still: f64 = state.v.iter().map(|v| v.length()).fold(0.0, f64::max);
        assert!(still < 1e-4, "{what}: not at rest, {still} m/s");
        let found = Balance::new(&model, &settings).of(&model, &state, 0, 0.015).fraction;
        assert!(found < 0.02, "{what}: {found}");
    }
}

#[test]
fn without_gravity_nothing_is_stuck() {
    assert_eq!(imbalance(&build_weightless(vec![sheet(5, bare(), vec![])])).fraction, 0.0);
}

/// A sheet on the ground, which falls towards -x at an angle.
fn on_ground(tilt: f64, friction: f64, gap: f64) -> Imbalance {
    let mut sheet = sheet(11, bare(), vec![]);
    let turn = DQuat::from_rotation_z(tilt);
    sheet.start.iter_mut().for_each(|x| *x = turn * (*x + gap * DVec3::Y));
    let mut model = build(vec![sheet]);
    model.colliders = vec![solids::resting(&model, solids::ground(tilt), friction)];
    imbalance(&model)
}

#[test]
fn a_sheet_on_the_ground_is_held_by_push_and_friction() {
    near(on_ground(0.0, 0.0, THICKNESS).fraction, 0.0, LEFT);
    near(on_ground(0.0, 0.0, 2.0 * THICKNESS).fraction, 1.0, 1e-9);
    near(on_ground(0.3, 0.5, THICKNESS).fraction, 0.0, LEFT);
    // The distance of gravity from the cone of friction.
    for friction in [0.0, 0.2] {
        let (sin, cos) = libm::sincos(0.3);
        let slips = (sin - friction * cos) / (1.0_f64 + friction * friction).sqrt();
        near(on_ground(0.3, friction, THICKNESS).fraction, slips, LEFT);
    }
}

/// The distance that the rope keeps from the box [m]: several links fit around a corner.
const ROUND: f64 = 0.03;

/// A place above a box with half a width of 0.1 m, as far from its surface: at a distance [m] along that from the
/// middle of its top.
fn over_box(s: f64) -> DVec3 {
    const HALF: f64 = 0.1;
    let quarter = FRAC_PI_2 * ROUND;
    let place = if s.abs() < HALF {
        DVec3::new(s.abs(), ROUND, 0.0)
    } else if s.abs() < HALF + quarter {
        let (sin, cos) = libm::sincos((s.abs() - HALF) / ROUND);
        DVec3::new(HALF + ROUND * sin, ROUND * cos, 0.0)
    } else {
        DVec3::new(HALF + ROUND, HALF + quarter - s.abs(), 0.0)
    };
    DVec3::new(place.x * s.signum(), place.y, 0.0)
}

/// A rope over a box, with so much of its metre hanging down on one side [m].
fn rope_over_box(hanging: f64, friction: f64) -> Imbalance {
    const PARTICLES: u32 = 61;
    let own = Chain { mass: 0.1, bob: 0.0, stiffness: 0.0, rest_length: None, damping: 0.0 };
    let mut rope = chain(DVec3::ZERO, DVec3::X, PARTICLES, own);
    rope.pins.clear();
    let link = 1.0 / f64::from(PARTICLES - 1);
    let mut s = -0.1 - hanging;
    for x in &mut rope.start {
        *x = over_box(s);
        // The next place is a link away as the crow flies.
        let (mut low, mut high) = (s, s + 2.0 * link);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if over_box(middle).distance(*x) < link { &mut low } else { &mut high }) = middle;
        }
        s = high;
    }
    let mut model = build(vec![rope]);
    let half = DVec3::new(0.1, 1.0, 0.1);
    let mut collider = solids::resting(&model, solids::shape(Shape::Box { half }, DVec3::NEG_Y), friction);
    collider.thickness = vec![ROUND];
    model.colliders = vec![collider];
    imbalance(&model)
}

#[test]
fn a_rope_over_a_box_is_held_by_its_other_side_or_by_friction() {
    near(rope_over_box(0.4, 0.0).fraction, 0.0, LEFT);
    // 0.6 m against 0.2 m: without friction the difference, 0.4 of the weight, moves all of the rope; links that are
    // longer than the corners are wide take a little of it.
    near(rope_over_box(0.6, 0.0).fraction, 0.4, 0.04);
    // Around both corners friction multiplies the load by e^(0.5 π) = 4.8, and on the top it adds some.
    near(rope_over_box(0.6, 0.5).fraction, 0.0, LEFT);
}
