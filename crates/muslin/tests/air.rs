//! Motions through still air that have a formula.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::certify::certified;
use common::*;
use glam::{DVec2, DVec3};
use muslin::forces::Air;
use muslin::mesh::{Diagonals, GridSpec};
use muslin::model::{Cloth, Material};
use muslin::settings::Integrator;
use muslin::{Settings, measure};

const G: f64 = 9.81;
const STEP: f64 = 1.0 / 240.0;
/// C_n and C_t of the fabric presets.
const DRAG: f64 = 1.2;
const SKIN_DRAG: f64 = 0.01;

/// A free, level square metre that starts at a velocity [m/s]. Of triangles, because their corners get a third of both
/// air and mass, so that it moves as a plate; the corners of a sheet of quads get more or less air than mass, and bend.
fn free_sheet(velocity: DVec3) -> Cloth {
    let material = Material { drag: DRAG, skin_drag: SKIN_DRAG, ..damped() };
    let mesh = GridSpec { size: DVec2::ONE, particles: [7, 7], diagonals: Diagonals::One, triangles: true };
    let mut sheet = cloth(mesh.build().unwrap(), surface(material), vec![]);
    sheet.start_velocity.fill(velocity);
    sheet
}

/// The reference, and the default of scenes; each with how far its speed may be off in free fall [m/s]: half a step's
/// gravity for the second, which is of first order in the step.
fn methods() -> [(Settings, f64); 2] {
    [(settings(Integrator::Bdf2(accurate()), STEP), 5e-4), (certified(0.01, STEP), 0.5 * G * STEP)]
}

#[test]
fn a_sheet_that_slides_edge_on_is_slowed_by_skin_drag_alone() {
    // σ dv/dt = -½ ρ C_t v² gives v = v0 / (1 + k t) with k = ½ ρ C_t v0 / σ. C_n must not matter: v is in the plane.
    let (speed, duration) = (4.0, 2.0);
    let rate = 0.5 * Air::default().density * SKIN_DRAG * speed / elastic().density;
    let expected = speed / (1.0 + rate * duration);
    let model = build_weightless(vec![free_sheet(DVec3::X * speed)]);
    for (settings, _) in methods() {
        let state = simulate(&model, &settings, duration);
        let v = measure::centre_of_mass(&model, &state.v);
        assert!((v.x / expected - 1.0).abs() < 2e-4, "{settings:?}: {} m/s instead of {expected} m/s", v.x);
        // The solver's tolerance, no force: the air does not lift or turn it.
        assert!(v.y.abs() < 1e-6 && v.z.abs() < 1e-6, "{settings:?}: pushed aside at {v} m/s");
    }
}

#[test]
fn a_sheet_that_falls_flat_reaches_its_terminal_speed() {
    // σ dv/dt = σ g - ½ ρ C_n v² gives v = v_t tanh(g t / v_t) with v_t = √(2 σ g / (ρ C_n)) = 1.43 m/s.
    let terminal = (2.0 * elastic().density * G / (Air::default().density * DRAG)).sqrt();
    let model = build(vec![free_sheet(DVec3::ZERO)]);
    for (settings, tolerance) in methods() {
        for duration in [0.1, 0.25, 1.0] {
            let state = simulate(&model, &settings, duration);
            let v = measure::centre_of_mass(&model, &state.v);
            let expected = terminal * libm::tanh(G * duration / terminal);
            assert!((v.y + expected).abs() < tolerance, "{settings:?}, {duration} s: {} m/s, not {expected}", -v.y);
        }
    }
}
