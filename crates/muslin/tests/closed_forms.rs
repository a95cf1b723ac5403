//! Motions and rests that have a formula.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::f64::consts::{PI, TAU};

use common::*;
use glam::DVec3;
use muslin::mesh::Diagonals;
use muslin::model::{Chain, Damping, Hold, Material, Motion, Pin};
use muslin::settings::{Integrator, Newmark};
use muslin::{Model, State, Stepper, measure};

const G: f64 = 9.81;

fn all_integrators() -> [Integrator; 6] {
    [
        Integrator::ExplicitEuler,
        Integrator::SymplecticEuler,
        Integrator::Exact,
        Integrator::BackwardEuler(accurate()),
        Integrator::Newmark(Newmark::default()),
        Integrator::Bdf2(accurate()),
    ]
}

fn spring(mass: f64, stiffness: f64, rest_length: Option<f64>, damping: f64) -> Chain {
    Chain { mass: 0.0, bob: mass, stiffness, rest_length, damping }
}

/// Times at which a value falls through zero: of a velocity, when its coordinate is greatest.
fn downward_crossings(
    model: &Model,
    integrator: Integrator,
    step: f64,
    duration: f64,
    value: impl Fn(&State) -> f64,
) -> Vec<f64> {
    let mut state = State::start(model);
    let mut stepper = Stepper::new(model, &settings(integrator, step));
    let mut times = Vec::new();
    let mut before = value(&state);
    for _ in 0..(duration / step) as u64 {
        stepper.step(model, &mut state, ()).unwrap();
        let now = value(&state);
        if before > 0.0 && now <= 0.0 {
            times.push(state.time - step * now / (now - before));
        }
        before = now;
    }
    times
}

#[test]
fn free_fall_is_exact_for_the_exact_step_and_of_the_right_order_for_all() {
    let sheet = cloth(grid([1.0, 1.0], [5, 5], Diagonals::Both), surface(elastic()), vec![]);
    let model = build(vec![sheet]);
    let (step, duration) = (0.01, 0.5);
    for integrator in all_integrators() {
        let state = simulate(&model, &settings(integrator, step), duration);
        let fall = measure::centre_of_mass(&model, &state.x).y + 0.5 * G * duration * duration;
        let tolerance = match integrator {
            // Newmark is exact for constant force too.
            Integrator::Exact | Integrator::Newmark(_) => 1e-12,
            // BDF2 starts with one step of backward Euler, which is off by ½ g h².
            Integrator::Bdf2(_) => G * step * step,
            _ => 0.5 * G * step * duration + 1e-9,
        };
        assert!(fall.abs() <= tolerance, "{integrator:?}: off by {fall} m");
        assert!((state.v[0].y + G * duration).abs() < 1e-9, "{integrator:?}: speed {}", state.v[0].y);
    }
}

#[test]
fn an_oscillator_keeps_its_period() {
    let (mass, stiffness) = (0.5, 80.0_f64);
    let period = TAU * (mass / stiffness).sqrt();
    let model = build_weightless(vec![chain(DVec3::ZERO, DVec3::X, 2, spring(mass, stiffness, Some(0.8), 0.0))]);
    for integrator in all_integrators() {
        let times = downward_crossings(&model, integrator, period / 1000.0, 3.5 * period, |state| state.v[1].x);
        let measured = (times[2] - times[0]) / 2.0;
        // Of second order in h/T, with the constant π²/6 for symplectic Euler and less than 20 for all.
        assert!((measured / period - 1.0).abs() < 2e-5, "{integrator:?}: {measured} s instead of {period} s");
    }
}

#[test]
fn a_damped_oscillator_loses_what_its_ratio_says() {
    let (mass, stiffness, ratio) = (0.5, 80.0_f64, 0.2);
    let omega = (stiffness / mass).sqrt();
    // The ratio is stated at 10 Hz; at another frequency it is in proportion.
    let at_omega = ratio * (omega / TAU) / 10.0;
    let model = build_weightless(vec![chain(DVec3::ZERO, DVec3::X, 2, spring(mass, stiffness, Some(0.8), ratio))]);
    let damped_period = TAU / (omega * (1.0 - at_omega * at_omega).sqrt());
    for integrator in all_integrators() {
        let state = simulate(&model, &settings(integrator, damped_period / 20000.0), damped_period);
        let kept = (state.x[1].x - 0.8) / 0.2;
        let expected = libm::exp(-TAU * at_omega / (1.0 - at_omega * at_omega).sqrt());
        assert!((kept / expected - 1.0).abs() < 3e-3, "{integrator:?}: kept {kept} instead of {expected}");
    }
}

#[test]
fn a_hanging_spring_rests_where_weight_and_tension_meet() {
    let (mass, stiffness) = (0.4, 50.0_f64);
    for rest_length in [0.0, 0.5] {
        // Critically damped at its own frequency, so that it comes to rest without swinging.
        let frequency = (stiffness / mass).sqrt() / TAU;
        let bob = spring(mass, stiffness, Some(rest_length), 10.0 / frequency);
        let model = build(vec![chain(DVec3::ZERO, DVec3::new(0.0, -0.5, 0.0), 2, bob)]);
        for integrator in [Integrator::BackwardEuler(accurate()), Integrator::Bdf2(accurate())] {
            let state = simulate(&model, &settings(integrator, 1.0 / 200.0), 4.0);
            let expected = rest_length + mass * G / stiffness;
            assert!((state.x[1].y + expected).abs() < 1e-6, "{integrator:?}: hangs at {}", state.x[1].y);
        }
    }
}

#[test]
fn one_spring_equals_two_in_series() {
    let hang = |particles| {
        let body = Chain { mass: 1e-3, bob: 0.4, stiffness: 50.0, rest_length: None, damping: 3.0 };
        let model = build(vec![chain(DVec3::ZERO, DVec3::new(0.0, -0.5, 0.0), particles, body)]);
        simulate(&model, &settings(Integrator::BackwardEuler(accurate()), 1.0 / 100.0), 4.0).x.pop().unwrap().y
    };
    let [one, two, five] = [2, 3, 6].map(hang);
    // The links' own gram weighs 0.25 % of the bob and is spread differently; its part of the stretch is below 0.1 mm.
    assert!((one - two).abs() < 1.2e-4 && (one - five).abs() < 1.2e-4, "{one}, {two}, {five}");
}

/// Period of a pendulum of length 1 m released at 90°: 4 K(sin 45°) / √g, with the complete elliptic integral K.
const PENDULUM_PERIOD: f64 = 2.367_84;

#[test]
fn a_pendulum_with_symplectic_euler_keeps_its_period_within_two_permille() {
    let bob = Chain { mass: 0.0, bob: 1.0, stiffness: 5e4, rest_length: None, damping: 0.0 };
    let model = build(vec![chain(DVec3::ZERO, DVec3::X, 2, bob)]);
    // Passages through the lowest point: at the turning points the stiff rod's ripple would blur the time.
    let times = downward_crossings(&model, Integrator::SymplecticEuler, 1.0 / 300.0, 7.5, |state| state.x[1].x);
    let period = (times[2] - times[0]) / 2.0;
    assert!((period / PENDULUM_PERIOD - 1.0).abs() < 2e-3, "period {period} s");
}

#[test]
fn particles_stay_in_their_plane_and_on_their_line() {
    let slope = DVec3::new(1.0, 2.0, 0.5).normalize();
    let pinned = |hold| Pin { particles: vec![0], hold, release: None };
    for (pin, acceleration) in [
        (pinned(Hold::Plane(slope)), DVec3::NEG_Y * G + slope * slope.y * G),
        (pinned(Hold::Line(slope)), -slope * slope.y * G),
    ] {
        for integrator in all_integrators() {
            // A single free particle next to nothing: a chain of two whose spring has no force.
            let mut body = chain(DVec3::ZERO, DVec3::X, 2, spring(1.0, 0.0, None, 0.0));
            body.body = muslin::model::Body::Chain(Chain {
                mass: 2.0,
                bob: 0.0,
                stiffness: 0.0,
                rest_length: None,
                damping: 0.0,
            });
            body.pins = vec![pin.clone()];
            let model = build(vec![body]);
            let state = simulate(&model, &settings(integrator, 0.001), 0.3);
            let off = (state.v[0] - acceleration * 0.3).length();
            assert!(off < 1e-9, "{integrator:?}: {:?} has velocity {}", pin.hold, state.v[0]);
        }
    }
}

#[test]
fn pins_move_turn_and_let_go_on_time() {
    let key = |time, angle| muslin::model::Key { time, translate: DVec3::ZERO, axis: DVec3::Z, angle };
    let motion = Motion { keys: vec![key(0.0, 0.0), key(1.0, PI)], ..Motion::default() };
    let mut body = chain(DVec3::X, DVec3::X * 2.0, 2, spring(1.0, 100.0, None, 0.0));
    body.pins = vec![Pin { particles: vec![0], hold: Hold::Fixed(motion), release: Some(1.0) }];
    // The pinned end has no mass of its own, and must not need any once it is let go.
    body.body =
        muslin::model::Body::Chain(Chain { mass: 0.1, bob: 1.0, stiffness: 100.0, rest_length: None, damping: 0.0 });
    let model = build(vec![body]);
    let halfway = simulate(&model, &settings(Integrator::SymplecticEuler, 0.001), 0.5);
    assert!((halfway.x[0] - DVec3::Y).length() < 1e-12, "{}", halfway.x[0]);
    let end = simulate(&model, &settings(Integrator::SymplecticEuler, 0.001), 1.0);
    assert!((end.x[0] + DVec3::X).length() < 1e-12, "{}", end.x[0]);
    let free = simulate(&model, &settings(Integrator::SymplecticEuler, 0.001), 1.5);
    let fall = measure::centre_of_mass(&model, &free.x).y - measure::centre_of_mass(&model, &end.x).y;
    let speed = measure::momenta(&model, &end).linear.y / model.total_mass();
    assert!((fall - (speed * 0.5 - 0.5 * G * 0.25)).abs() < 0.005, "fell {fall} m after release");
}

#[test]
fn terminal_speed_in_air_balances_weight_and_drag() {
    // On triangles mass and drag are spread alike, so that the sheet stays flat.
    let material = Material { drag: 1.3, damping: Damping::default(), ..elastic() };
    let model = build(vec![cloth(irregular(6, 1), surface(material), vec![])]);
    let expected = (2.0 * material.density * G / (1.2 * material.drag)).sqrt();
    for integrator in [Integrator::BackwardEuler(accurate()), Integrator::Bdf2(accurate()), Integrator::SymplecticEuler]
    {
        let step = muslin::integrate::auto_step(&integrator, &model, 1.0 / 30.0);
        let state = simulate(&model, &settings(integrator, step), 2.0);
        let speed = -measure::momenta(&model, &state).linear.y / model.total_mass();
        assert!((speed / expected - 1.0).abs() < 1e-3, "{integrator:?}: {speed} m/s instead of {expected} m/s");
    }
}
