//! How cloth moves under `certified`: energy, momenta, the period of a pendulum.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::f64::consts::FRAC_PI_2;

use common::certify::{carried, certified, rope, shaken, watch};
use common::limited::{among, floor};
use common::solids::{THICKNESS, turned};
use common::*;
use glam::DVec3;
use muslin::materials;
use muslin::mesh::{Diagonals, TubeSpec};
use muslin::model::{Damping, Hold, Material, Pin};
use muslin::{Model, Settings, State, measure};

const FRAME: f64 = 1.0 / 120.0;

/// Fails when energy comes from nowhere.
#[track_caller]
fn gains_nothing(what: &str, model: &Model, settings: &Settings) {
    let run = watch(what, model, settings, 3.0);
    let scale = model.total_mass() * 9.81;
    run.gains_nothing(&format!("{what}, steps of {} s", settings.step), scale);
    assert!(
        run.dissipated < 10.0 * scale,
        "{what}: {} J are gone, more than a fall could have brought",
        run.dissipated
    );
}

#[test]
fn no_energy_comes_from_nowhere_while_pins_rest() {
    let two = |side: u32| vec![pin(vec![0, side - 1])];
    let slowed = surface(Material { damping: Damping { mass: 6.0, ..Damping::default() }, ..bare().material });
    let hold = |particles, hold| Pin { particles, hold, release: None };
    let guides = vec![pin(vec![0]), hold(vec![8], Hold::Line(DVec3::X)), hold(vec![80], Hold::Plane(DVec3::Y))];
    let cases = [
        ("bare, 10 %", sheet(11, bare(), two(11)), 0.1),
        ("bare, 1 %", sheet(11, bare(), two(11)), 0.01),
        ("bare, 0.1 %", sheet(11, bare(), two(11)), 0.001),
        ("elastic", sheet(11, surface(elastic()), two(11)), 0.01),
        ("damped", sheet(11, surface(damped()), two(11)), 0.01),
        ("a single pin", sheet(11, bare(), vec![pin(vec![0])]), 0.01),
        ("guided", sheet(9, bare(), guides), 0.01),
        ("triangles", cloth(irregular(11, 3), bare(), two(11)), 0.01),
        ("triangles with springs", cloth(irregular(13, 3), surface(elastic()), two(13)), 0.01),
        ("a rope", rope(15), 0.001),
        ("slowed down to rest", sheet(11, slowed, two(11)), 0.01),
    ];
    for (what, cloth, stretch) in cases {
        let model = build(vec![cloth]);
        for step in [1.0 / 60.0, FRAME] {
            gains_nothing(what, &model, &certified(stretch, step));
        }
    }
}

/// Filtered as much as flat cloth, they gained several times what is allowed; leather of 1 cm hopped.
#[test]
fn small_tubes_on_a_floor_gain_no_energy() {
    for (fabric, radius) in [("silk", 0.02), ("leather", 0.02), ("cotton", 0.01)] {
        let own = materials::find(fabric).unwrap().material();
        let mesh = TubeSpec { radius, length: 2.0 * radius, particles: [24, 7], diagonals: Diagonals::Both };
        let mut tube = cloth(mesh.build().unwrap(), surface(own), vec![]);
        let lie = turned(DVec3::X, FRAC_PI_2);
        tube.start.iter_mut().for_each(|x| *x = lie * *x + DVec3::Y * (radius + 1.1 * THICKNESS));
        let model = among(tube, vec![floor(0.3)]);
        let run = watch(fabric, &model, &certified(0.01, 1.0 / 60.0), 1.0);
        run.gains_nothing(fabric, model.total_mass() * 9.81 * 2.0 * radius);
    }
}

#[test]
fn a_free_spinning_sheet_gains_no_energy() {
    for speed in [0.5, 2.0, 8.0] {
        for step in [1.0 / 30.0, FRAME] {
            let axis = DVec3::new(0.15, 1.0, 0.05);
            let model = spinning(sheet(13, bare(), vec![]), axis * speed, DVec3::ZERO);
            gains_nothing("spinning", &model, &certified(0.01, step));
        }
    }
}

#[test]
fn a_free_spinning_sheet_keeps_its_momenta() {
    for (speed, stretch) in [(2.0, 0.01), (8.0, 0.01), (2.0, 0.001), (8.0, 0.001)] {
        let model = spinning(sheet(13, bare(), vec![]), DVec3::new(0.15, 1.0, 0.05) * speed, DVec3::ZERO);
        let before = measure::momenta(&model, &State::start(&model));
        let end = watch("spinning", &model, &certified(stretch, FRAME), 1.0).state;
        let after = measure::momenta(&model, &end);
        // Rounding, of up to 1e5 substeps.
        let drift = (after.linear - before.linear).length();
        assert!(drift < 1e-12, "{speed} rad/s, {stretch}: linear momentum off by {drift} kg m/s");
        let lost = (after.angular - before.angular).length() / before.angular.length();
        assert!(lost < 1e-11, "{speed} rad/s, {stretch}: angular momentum off by {lost}");
    }
}

#[test]
fn a_pendulum_keeps_its_period_at_tight_limits() {
    // The rod gives by up to the limit; bringing it back costs energy, so swings become smaller and quicker: 0.12 % at
    // a limit of 0.01 %, 0.02 % at a tenth of that, whatever the step. A limit of 0.1 % costs 0.6 %, too much.
    for (stretch, most) in [(1e-4, 2e-3), (1e-5, 5e-4)] {
        for step in [1.0 / 30.0, FRAME] {
            let error = period_error(&certified(stretch, step));
            assert!(error.abs() < most, "limit {stretch}, step {step}: period off by {error}");
        }
    }
}

#[test]
fn a_straight_rope_that_spins_freely_keeps_its_momenta_and_gains_no_energy() {
    let mut free = rope(9);
    free.pins.clear();
    let model = spinning(free, DVec3::new(0.3, 2.0, -1.0), DVec3::new(0.1, 0.2, 0.3));
    let before = measure::momenta(&model, &State::start(&model));
    let run = watch("a rope", &model, &certified(0.01, FRAME), 1.0);
    let after = measure::momenta(&model, &run.state);
    assert!((after.linear - before.linear).length() < 1e-12, "{:?} from {:?}", after.linear, before.linear);
    let lost = (after.angular - before.angular).length() / before.angular.length();
    assert!(lost < 1e-11, "angular momentum off by {lost}");
    // Rounding: a straight rope that spins is never longer than at rest but by what one substep adds.
    run.gains_nothing("a rope", 0.0);
}

#[test]
fn a_vertex_without_edges_does_not_pass_for_a_pin() {
    let mut mesh = grid([1.0, 1.0], [9, 9], Diagonals::One);
    mesh.positions.push(DVec3::new(2.0, 0.0, 0.0));
    let model = spinning(cloth(mesh, bare(), vec![]), DVec3::new(1.0, 0.5, 3.0), DVec3::X);
    assert!(!model.followers.is_empty(), "the vertex is not loose");
    let of_sheet = |state: &State| -> DVec3 { (0..81).map(|i| model.mass[i] * state.v[i]).sum() };
    let before = of_sheet(&State::start(&model));
    let after = of_sheet(&watch("a loose vertex", &model, &certified(0.01, FRAME), 1.0).state);
    assert!((after - before).length() < 1e-12, "{after} from {before}");
}

#[test]
fn shaken_cloth_gains_no_more_than_the_work_of_its_pins() {
    // Both pins alike, and one against the other: the work of each is its own force times its own path.
    for direction in [DVec3::X, DVec3::Y, DVec3::Z] {
        let together = vec![carried(vec![0, 12], &shaken(direction))];
        let apart = vec![pin(vec![0]), carried(vec![12], &shaken(DVec3::NEG_X * 0.5 + 0.5 * direction))];
        for (name, pins) in [("together", together), ("apart", apart)] {
            let model = build(vec![sheet(13, bare(), pins)]);
            let run = watch("shaken", &model, &certified(0.01, FRAME), 1.5);
            run.gains_nothing(&format!("{name} along {direction}"), model.total_mass() * 9.81);
            assert!(run.moved > 0.1, "{name} along {direction}: hardly moved, {} J", run.moved);
        }
    }
}
