//! Energy of a cloth and the work done on it, step by step.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::certify::{carried, certified};
use common::limited::{among, floor, moved};
use common::{bare, build, elastic, pin, settings, sheet, surface};
use glam::{DQuat, DVec3};
use muslin::model::{Material, Pin, World};
use muslin::settings::Integrator;
use muslin::{Model, Settings, State, Stepper, energy};

/// Energies at the start and after every step for a time, those of the first cloth: total, and work where it is known.
fn follow(model: &Model, settings: &Settings, duration: f64) -> Vec<(f64, Option<f64>)> {
    let (mut state, mut stepper) = (State::start(model), Stepper::new(model, settings));
    let mut seen = vec![(energy::at(model, &state)[0].total(), None)];
    for _ in 0..(duration / settings.step).round() as u64 {
        stepper.step(model, &mut state, ()).unwrap();
        let energy = stepper.energies()[0];
        seen.push((energy.total(), energy.work));
    }
    seen
}

fn work(seen: &[(f64, Option<f64>)]) -> f64 {
    seen[1..].iter().map(|(_, work)| work.unwrap()).sum()
}

#[test]
fn drag_does_the_work_that_energy_loses() {
    let fabric = || surface(Material { drag: 1.2, skin_drag: 0.1, bending: 0.0, ..elastic() });
    for wind in [DVec3::ZERO, DVec3::new(1.0, 0.5, -2.0)] {
        let mut world = World::default();
        world.air.wind = wind;
        let model = Model::build(vec![sheet(6, fabric(), vec![])], vec![], world).unwrap();
        for settings in [settings(Integrator::SymplecticEuler, 1e-4), certified(0.01, 1.0 / 120.0)] {
            let seen = follow(&model, &settings, 0.5);
            let (gained, work) = (seen.last().unwrap().0 - seen[0].0, work(&seen));
            assert!(work.abs() > 0.05 && (gained - work).abs() < 0.02 * work.abs(), "{gained} J by {work} J");
        }
    }
}

#[test]
fn nothing_does_work_on_cloth_in_a_vacuum_whose_pins_rest() {
    let model = among(moved(sheet(5, bare(), vec![pin(vec![0])]), DQuat::IDENTITY, DVec3::Y), vec![floor(0.3)]);
    for settings in [settings(Integrator::SymplecticEuler, 1e-3), certified(0.01, 1.0 / 60.0)] {
        let seen = follow(&model, &settings, 0.2);
        assert!(seen[1..].iter().all(|(_, work)| work.is_some_and(|work| work.abs() < 1e-12)), "{seen:?}");
    }
}

#[test]
fn pins_that_move_do_work_that_only_certified_knows() {
    let places = [(0.0, DVec3::ZERO), (0.1, DVec3::ZERO), (0.3, DVec3::Y * 0.2)];
    let model = build(vec![sheet(5, bare(), vec![carried(vec![0, 4], &places)])]);
    let seen = follow(&model, &settings(Integrator::SymplecticEuler, 0.01), 0.4);
    let known: Vec<bool> = seen[1..].iter().map(|(_, work)| work.is_some()).collect();
    let moves = |step: usize| (10..30).contains(&step);
    assert_eq!(known, (0..40).map(|step| !moves(step)).collect::<Vec<_>>());
    let seen = follow(&model, &certified(0.01, 1.0 / 60.0), 0.4);
    assert!(work(&seen) > 0.1, "{}", work(&seen));
}

#[test]
fn a_pin_that_lets_go_hands_over_its_motion() {
    // All of a sheet is carried upwards at 2 m/s and let go: it flies on, and nothing has come from nowhere.
    let release = Some(0.1);
    let pin = Pin { release, ..carried((0..9).collect(), &[(0.0, DVec3::ZERO), (1.0, DVec3::Y * 2.0)]) };
    let model = build(vec![sheet(3, bare(), vec![pin])]);
    let mass: f64 = model.mass.iter().sum();
    let seen = follow(&model, &settings(Integrator::Exact, 0.01), 0.2);
    let (before, after, work) = (seen[10].0, seen[11].0, seen[11].1.unwrap());
    assert!(
        (after - before - work).abs() < 1e-12 && (work - 2.0 * mass).abs() < 1e-9,
        "{before} J, {after} J, {work} J"
    );
}
