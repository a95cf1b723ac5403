//! Rods, chains and free sheets under `certified`: what a lossless motion must keep, over long times.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::certify::certified;
use common::*;
use glam::DVec3;
use muslin::model::Chain;
use muslin::settings::LimitMethod;
use muslin::{Model, Settings, State, Stepper, measure};

const FRAME: f64 = 1.0 / 60.0;

/// A chain of a kilogram and a metre without stiffness, its first particle pinned, that starts straight at an angle
/// from plumb [degrees].
fn straight(links: u32, degrees: f64) -> Model {
    let own = Chain { mass: 1.0, bob: 0.0, stiffness: 0.0, rest_length: None, damping: 0.0 };
    let (sin, cos) = libm::sincos(degrees.to_radians());
    build(vec![chain(DVec3::ZERO, DVec3::new(sin, -cos, 0.0), links + 1, own)])
}

/// Total and kinetic energy after every step [J].
fn energies(model: &Model, settings: &Settings, duration: f64) -> Vec<[f64; 2]> {
    let (mut state, mut stepper) = (State::start(model), Stepper::new(model, settings));
    let mut step = |_| {
        stepper.step(model, &mut state, ()).unwrap();
        let energies = measure::energies(model, &state);
        [energies.total(), energies.kinetic]
    };
    (0..(duration / settings.step).round() as u64).map(&mut step).collect()
}

/// How far the energy of a chain goes from that of its start, up and down, by its greatest kinetic energy.
fn drift(model: &Model, settings: &Settings, duration: f64) -> [f64; 2] {
    let start = measure::energies(model, &State::start(model)).total();
    let energies = energies(model, settings, duration);
    let greatest = energies.iter().map(|[_, kinetic]| *kinetic).fold(0.0, f64::max);
    let [low, high] = energies.iter().fold([0.0_f64; 2], |[low, high], [energy, _]| {
        [low.max((start - energy) / greatest), high.max((energy - start) / greatest)]
    });
    [low, high]
}

#[test]
fn a_rod_keeps_its_energy_for_a_minute() {
    for step in [1.0 / 24.0, FRAME, 1.0 / 240.0] {
        // Not from above level: what a strain limit holds is a thread there, and goes slack.
        for degrees in [10.0, 45.0, 90.0] {
            let [lost, gained] = drift(&straight(1, degrees), &certified(0.01, step), 60.0);
            assert!(lost < 0.01 && gained < 0.01, "{degrees}°, steps of {step} s: {lost} lost, {gained} gained");
        }
    }
}

#[test]
fn a_chain_that_swings_a_little_keeps_its_energy_for_a_minute() {
    for step in [1.0 / 24.0, FRAME, 1.0 / 240.0] {
        let [lost, gained] = drift(&straight(20, 10.0), &certified(0.01, step), 60.0);
        assert!(lost < 0.03 && gained < 0.03, "steps of {step} s: {lost} lost, {gained} gained");
    }
}

#[test]
fn a_chain_from_level_keeps_as_much_as_with_eight_times_the_substeps() {
    // Its end whips round and where to is chance, so the mean of several starts is compared.
    let starts = [86.0, 88.0, 90.0, 92.0, 94.0];
    let fine = |fineness: f64| {
        let mut settings = certified(0.01, FRAME);
        if let LimitMethod::Certified(own) = &mut settings.limiter.method {
            own.fineness = fineness;
        }
        starts.map(|degrees| energies(&straight(20, degrees), &settings, 10.0))
    };
    let (own, finer) = (fine(1.0), fine(8.0));
    let greatest = finer.iter().flatten().map(|[_, kinetic]| *kinetic).fold(0.0, f64::max);
    let mean = |runs: &[Vec<[f64; 2]>; 5], step: usize| runs.iter().map(|run| run[step][0]).sum::<f64>() / 5.0;
    for step in 0..own[0].len() {
        let apart = (mean(&own, step) - mean(&finer, step)).abs() / greatest;
        assert!(apart < 0.1, "step {step}: energy {apart} of the greatest kinetic energy apart");
    }
}

#[test]
fn a_free_spinning_sheet_keeps_energy_and_angular_momentum() {
    for speed in [0.5, 2.0, 8.0] {
        let model = spinning(sheet(13, bare(), vec![]), DVec3::new(0.15, 1.0, 0.05) * speed, DVec3::ZERO);
        let start = State::start(&model);
        let end = simulate(&model, &certified(0.01, FRAME), 10.0);
        let [before, after] = [&start, &end].map(|state| measure::momenta(&model, state).angular);
        let lost = (after - before).length() / before.length();
        assert!(lost < 1e-9, "{speed} rad/s: angular momentum off by {lost}");
        let [before, after] = [&start, &end].map(|state| measure::energies(&model, state).kinetic);
        let off = after / before - 1.0;
        assert!(off.abs() < 0.01, "{speed} rad/s: energy off by {off}");
    }
}
