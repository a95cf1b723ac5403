//! What must not change: momentum of internal forces and of impulses, energy of undamped motion, rigid motion under
//! stiffness damping.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::*;
use glam::DVec3;
use muslin::forces::total;
use muslin::mesh::Diagonals;
use muslin::model::{Bending, Shear, Surface};
use muslin::settings::{Integrator, LimitMethod, Newmark};
use muslin::{Model, State, Stepper, measure};

/// A free sheet of every combination of elements, with damping.
fn free_sheets() -> Vec<Model> {
    let shears = [Shear::Diagonals, Shear::Corners];
    let bendings = [Bending::Hinges, Bending::Springs, Bending::ChoiKo];
    let mut models = Vec::new();
    for (shear, bending) in shears.iter().flat_map(|shear| bendings.iter().map(move |bending| (*shear, *bending))) {
        let fabric = Surface { shear, bending, weak_springs: 0.5, ..surface(damped()) };
        models.push(build_weightless(vec![cloth(grid([1.0, 0.8], [6, 5], Diagonals::Both), fabric.clone(), vec![])]));
        models.push(build_weightless(vec![cloth(irregular(5, 3), fabric, vec![])]));
    }
    models
}

#[test]
fn internal_forces_have_no_net_force_and_no_net_torque() {
    for (case, model) in free_sheets().iter().enumerate() {
        let mut dice = Dice::new(case as u64);
        let x: Vec<DVec3> = model.start.iter().map(|x| *x + dice.vector(0.1)).collect();
        let v = dice.vectors(x.len(), 1.0);
        let mut force = vec![DVec3::ZERO; x.len()];
        total::add_conservative(model, &x, &mut force);
        total::add_dissipative(model, &x, &v, model.air.wind_at(0.0), &mut force);
        let scale: f64 = force.iter().map(|f| f.length()).sum();
        let sum: DVec3 = force.iter().sum();
        let torque: DVec3 = force.iter().zip(&x).map(|(f, x)| x.cross(*f)).sum();
        assert!(scale > 0.1, "nothing pulls in case {case}");
        assert!(sum.length() < 1e-12 * scale, "case {case}: net force {sum} of {scale}");
        assert!(torque.length() < 1e-12 * scale, "case {case}: net torque {torque} of {scale}");
    }
}

#[test]
fn stiffness_damping_leaves_rigid_motion_alone() {
    for (case, model) in free_sheets().iter().enumerate() {
        let mut dice = Dice::new(100 + case as u64);
        let (drift, spin) = (dice.vector(1.0), dice.vector(2.0));
        let x: Vec<DVec3> = model.start.iter().map(|x| *x + dice.vector(0.1)).collect();
        let v: Vec<DVec3> = x.iter().map(|x| drift + spin.cross(*x)).collect();
        let mut force = vec![DVec3::ZERO; x.len()];
        total::add_dissipative(model, &x, &v, model.air.wind_at(0.0), &mut force);
        let worst = force.iter().map(|f| f.length()).fold(0.0, f64::max);
        assert!(worst < 1e-10, "case {case}: rigid motion feels {worst} N");
    }
}

fn spinning_sheet(limit_method: LimitMethod, integrator: Integrator, step: f64) -> (Model, muslin::Settings, State) {
    let sheet = cloth(grid([1.0, 1.0], [8, 8], Diagonals::Both), surface(elastic()), vec![]);
    let model = spinning(sheet, DVec3::new(0.3, 2.0, 0.1), DVec3::new(0.1, 0.0, -0.2));
    let mut settings = settings(integrator, step);
    settings.limiter.method = limit_method;
    settings.limiter.stretch = 1e-4;
    let state = State::start(&model);
    (model, settings, state)
}

#[test]
fn a_free_spinning_sheet_keeps_its_momenta() {
    for integrator in [Integrator::SymplecticEuler, Integrator::Newmark(Newmark::default())] {
        let (model, mut settings, mut state) = spinning_sheet(LimitMethod::None, integrator, 1.0);
        settings.step = muslin::integrate::auto_step(&integrator, &model, 1.0 / 30.0);
        let before = measure::momenta(&model, &state);
        let mut stepper = Stepper::new(&model, &settings);
        for _ in 0..2000 {
            stepper.step(&model, &mut state, ()).unwrap();
        }
        let after = measure::momenta(&model, &state);
        assert!((after.linear - before.linear).length() < 1e-12, "{integrator:?}: linear {}", after.linear);
        let drift = (after.angular - before.angular).length() / before.angular.length();
        // Symplectic Euler and the explicit half of Newmark keep x × m v exactly for central forces; only rounding is
        // left.
        assert!(drift < 1e-11, "{integrator:?}: angular momentum drifts by {drift}");
    }
}

#[test]
fn limiting_impulses_keep_linear_momentum() {
    for method in [LimitMethod::Bridson, LimitMethod::Provot] {
        let (model, settings, mut state) = spinning_sheet(method, Integrator::SymplecticEuler, 1.0 / 2000.0);
        // Provot moves each end by half: equal masses here, so that this keeps momentum as well.
        let model = Model { mass: vec![0.01; model.len()], ..model };
        let before = measure::momenta(&model, &state).linear;
        let mut stepper = Stepper::new(&model, &settings);
        let mut rounds = 0;
        for _ in 0..200 {
            rounds += stepper.step(&model, &mut state, ()).unwrap().work.limiter.rounds;
        }
        let after = measure::momenta(&model, &state).linear;
        assert!(rounds > 100, "{method:?} had nothing to do");
        // Provot's velocities are differences of positions: rounding of 1e-16 m over h = 0.5 ms, 64 particles, 200
        // steps.
        assert!((after - before).length() < 1e-11, "{method:?}: from {before} to {after}");
    }
}

#[test]
fn undamped_motion_keeps_its_energy() {
    let fabric = surface(muslin::model::Material { stretch_warp: 100.0, stretch_weft: 100.0, ..elastic() });
    let model = build(vec![cloth(grid([1.0, 1.0], [8, 8], Diagonals::Both), fabric, vec![pin(vec![0, 7])])]);
    for integrator in [Integrator::SymplecticEuler, Integrator::Newmark(Newmark::default())] {
        let step = 0.25 * muslin::integrate::auto_step(&integrator, &model, 1.0 / 30.0);
        let mut state = State::start(&model);
        let mut stepper = Stepper::new(&model, &settings(integrator, step));
        let mut worst: f64 = 0.0;
        for _ in 0..(1.0 / step) as u32 {
            stepper.step(&model, &mut state, ()).unwrap();
            worst = worst.max(measure::energies(&model, &state).total().abs());
        }
        // The start is the zero of energy; about 0.7 J change hands. Both schemes oscillate by O(h) and O(h²).
        assert!(worst < 0.01, "{integrator:?}: energy off by {worst} J");
    }
}

#[test]
fn damping_and_backward_euler_only_take_energy() {
    let fabric = surface(damped());
    let model = build(vec![cloth(grid([1.0, 1.0], [12, 12], Diagonals::Both), fabric, vec![pin(vec![0, 11])])]);
    let integrator = Integrator::BackwardEuler(muslin::settings::Newton::default());
    for step in [1.0 / 30.0, 1.0 / 240.0] {
        let mut state = State::start(&model);
        let mut stepper = Stepper::new(&model, &settings(integrator, step));
        let mut energy = measure::energies(&model, &state).total();
        for _ in 0..(1.5 / step) as u32 {
            stepper.step(&model, &mut state, ()).unwrap();
            let now = measure::energies(&model, &state).total();
            assert!(now <= energy + 1e-9, "energy rose from {energy} J to {now} J at {} s", state.time);
            energy = now;
        }
    }
}
