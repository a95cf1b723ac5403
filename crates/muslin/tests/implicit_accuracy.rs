//! The implicit integrators with the settings users get: they may save work, but not leave motion out.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::{build, cloth, damped, grid, pin, settings, surface};
use glam::DVec3;
use muslin::mesh::Diagonals;
use muslin::model::World;
use muslin::settings::{Integrator, Newton};
use muslin::{Model, State, Stepper, measure};

fn methods() -> [Integrator; 2] {
    [Integrator::BackwardEuler(Newton::default()), Integrator::Bdf2(Newton::default())]
}

#[test]
fn a_free_sheet_falls_in_weak_gravity_at_short_steps() {
    let gravity = DVec3::new(0.0, -0.1, 0.0);
    let sheet = cloth(grid([1.0, 1.0], [9, 9], Diagonals::Both), surface(damped()), vec![]);
    let model = Model::build(vec![sheet], vec![], World { gravity, ..World::default() }).unwrap();
    for method in methods() {
        let mut state = State::start(&model);
        let mut stepper = Stepper::new(&model, &settings(method, 1.0 / 1000.0));
        for _ in 0..200 {
            stepper.step(&model, &mut state, ()).unwrap();
        }
        // Every step changes velocities by 1e-4 m/s, far below the tolerance. Solves are good to 1 % in energy.
        let speed = measure::frame(&model, &state).momenta.linear.y / model.mass.iter().sum::<f64>();
        assert!((speed / (-0.1 * 0.2) - 1.0).abs() < 0.01, "{method:?}: {speed} m/s after 0.2 s");
    }
}

#[test]
fn default_settings_follow_the_accurate_solution_of_a_slow_sway() {
    let sheet = |lift: f64| {
        let mesh = grid([0.3, 0.3], [7, 7], Diagonals::Both);
        // Hanging from one side, pushed out of the plane by little.
        let mut cloth = cloth(mesh, surface(damped()), vec![pin((0..7).collect())]);
        for x in &mut cloth.start {
            *x = DVec3::new(x.x, -x.z, lift * x.z);
        }
        cloth
    };
    let model = build(vec![sheet(0.1)]);
    let sway = |method| {
        let end = common::simulate(&model, &settings(method, 1.0 / 120.0), 0.2);
        end.x.iter().map(|x| x.z).sum::<f64>() / end.x.len() as f64
    };
    let start = model.start.iter().map(|x| x.z).sum::<f64>() / model.len() as f64;
    let (quick, accurate) = (sway(Integrator::Bdf2(Newton::default())), sway(Integrator::Bdf2(common::accurate())));
    // The sheet has swung through by then; the rounds saved may cost 3 % of the distance.
    assert!(accurate < 0.5 * start, "{accurate} from {start}");
    assert!((quick - accurate).abs() < 0.03 * (start - accurate), "{quick} against {accurate}, from {start}");
}
