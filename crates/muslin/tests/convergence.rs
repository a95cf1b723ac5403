//! Order of convergence of every integrator, on a sheet whose forces are all at work.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::*;
use glam::DVec3;
use muslin::forces::total;
use muslin::mesh::Diagonals;
use muslin::model::Chain;
use muslin::settings::{EndVelocity, Integrator, Newmark};
use muslin::{Model, State};

/// A soft sheet of 4 × 4 particles, crumpled a little so that every element pulls, with or without damping and air.
fn crumpled_sheet(lossy: bool) -> Model {
    let mut material = if lossy { damped() } else { elastic() };
    (material.stretch_warp, material.stretch_weft, material.shear) = (4.0, 3.0, 1.0);
    material.bending = 1e-3;
    material.drag = if lossy { 1.0 } else { 0.0 };
    let mut sheet = cloth(grid([1.0, 1.0], [4, 4], Diagonals::One), surface(material), vec![pin(vec![0, 3])]);
    let mut dice = Dice::new(11);
    for x in &mut sheet.start[4..] {
        *x += dice.vector(0.05);
    }
    build(vec![sheet])
}

/// Accelerations, straight from the forces.
fn accelerations(model: &Model, x: &[DVec3], v: &[DVec3]) -> Vec<DVec3> {
    let mut force = vec![DVec3::ZERO; model.len()];
    total::add_conservative(model, x, &mut force);
    total::add_dissipative(model, x, v, model.air.wind_at(0.0), &mut force);
    let pinned = |i: usize| model.pins.iter().any(|pin| pin.particles.contains(&(i as u32)));
    force.iter().enumerate().map(|(i, f)| if pinned(i) { DVec3::ZERO } else { *f / model.mass[i] }).collect()
}

/// The end state by the classical Runge–Kutta method of fourth order: another route to the same answer.
fn reference(model: &Model, duration: f64) -> State {
    let steps = 4000;
    let h = duration / f64::from(steps);
    let plus = |a: &[DVec3], b: &[DVec3], s: f64| -> Vec<DVec3> { a.iter().zip(b).map(|(a, b)| *a + *b * s).collect() };
    let mut state = State::start(model);
    for _ in 0..steps {
        let (x, v) = (&state.x, &state.v);
        let a1 = accelerations(model, x, v);
        let v2 = plus(v, &a1, 0.5 * h);
        let a2 = accelerations(model, &plus(x, v, 0.5 * h), &v2);
        let v3 = plus(v, &a2, 0.5 * h);
        let a3 = accelerations(model, &plus(x, &v2, 0.5 * h), &v3);
        let v4 = plus(v, &a3, h);
        let a4 = accelerations(model, &plus(x, &v3, h), &v4);
        let mean = |k1: &[DVec3], k2: &[DVec3], k3: &[DVec3], k4: &[DVec3]| -> Vec<DVec3> {
            (0..k1.len()).map(|i| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0).collect()
        };
        (state.x, state.v) = (plus(x, &mean(v, &v2, &v3, &v4), h), plus(v, &mean(&a1, &a2, &a3, &a4), h));
    }
    state.time = duration;
    state
}

fn error(model: &Model, integrator: Integrator, step: f64, reference: &State) -> f64 {
    let state = simulate(model, &settings(integrator, step), reference.time);
    let gap = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    gap(&state.x, &reference.x).max(gap(&state.v, &reference.v))
}

/// log2 of the factor by which the error shrinks when the step is halved.
fn measured_order(model: &Model, integrator: Integrator) -> f64 {
    let reference = reference(model, 0.4);
    // Newmark's first-order damping error only rules over its second-order one at smaller steps.
    let step = if matches!(integrator, Integrator::Newmark(_)) { 1.0 / 2500.0 } else { 1.0 / 500.0 };
    let coarse = error(model, integrator, step, &reference);
    let fine = error(model, integrator, step / 2.0, &reference);
    assert!(coarse > 1e-7, "error {coarse} is too small to measure an order");
    libm::log2(coarse / fine)
}

const FIRST_ORDER: [Integrator; 3] = [Integrator::ExplicitEuler, Integrator::SymplecticEuler, Integrator::Exact];

#[test]
fn integrators_converge_with_their_order() {
    let model = crumpled_sheet(false);
    let mut cases = FIRST_ORDER.map(|integrator| (integrator, 1.0)).to_vec();
    cases.extend([
        (Integrator::BackwardEuler(accurate()), 1.0),
        (Integrator::Newmark(Newmark::default()), 2.0),
        (Integrator::Newmark(Newmark { end_velocity: EndVelocity::Printed }), 1.0),
        (Integrator::Bdf2(accurate()), 2.0),
    ]);
    for (integrator, order) in cases {
        let measured = measured_order(&model, integrator);
        assert!((measured - order).abs() < 0.2, "{integrator:?}: order {measured} instead of {order}");
    }
}

#[test]
fn integrators_converge_with_their_order_under_damping_and_drag() {
    let model = crumpled_sheet(true);
    let mut cases = FIRST_ORDER.map(|integrator| (integrator, 1.0)).to_vec();
    // Newmark's damping is two half steps of backward Euler: stable at any damping, but of first order.
    cases.extend([
        (Integrator::BackwardEuler(accurate()), 1.0),
        (Integrator::Newmark(Newmark::default()), 1.0),
        (Integrator::Bdf2(accurate()), 2.0),
    ]);
    for (integrator, order) in cases {
        let measured = measured_order(&model, integrator);
        assert!((measured - order).abs() < 0.2, "{integrator:?}: order {measured} instead of {order}");
    }
}

#[test]
fn one_linear_solve_is_still_backward_euler_to_first_order() {
    let model = crumpled_sheet(true);
    let newton = muslin::settings::Newton { max_newton: 1, ..accurate() };
    let measured = measured_order(&model, Integrator::BackwardEuler(newton));
    assert!((measured - 1.0).abs() < 0.2, "order {measured}");
}

#[test]
fn the_exact_step_is_exact_under_constant_force() {
    let free = Chain { mass: 2.0, bob: 0.0, stiffness: 0.0, rest_length: None, damping: 0.0 };
    let mut body = chain(DVec3::ZERO, DVec3::X, 2, free);
    body.pins.clear();
    body.start_velocity = vec![DVec3::new(1.0, 2.0, -0.5); 2];
    let model = build(vec![body]);
    for steps in [1.0, 3.0, 10.0] {
        let state = simulate(&model, &settings(Integrator::Exact, 0.6 / steps), 0.6);
        let expected = DVec3::new(0.6, 1.2 - 0.5 * 9.81 * 0.36, -0.3);
        assert!((state.x[0] - expected).length() < 1e-14, "{} with {steps} steps", state.x[0]);
    }
}
