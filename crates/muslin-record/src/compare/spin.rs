//! Drift of angular momentum, for scenes in which it should be kept.
//!
//! ```text
//! S = Σ m (x - c) × (v - V) = L - c × P        drift = |S_end - S_start| / |S_start|
//! ```
//!
//! S is the spin about the centre of mass [kg m²/s], L = Σ m x × v and P = Σ m v as in the report, c the centre of mass
//! [m], V its velocity [m/s]. Uniform gravity has no torque about the centre of mass, so S is kept whenever nothing
//! outside turns the cloth: no pins, no air, no damping against the ground. L about the origin would not do: a body
//! that falls beside the origin gains it.

use muslin::{DVec3, Model};

use crate::frames::FrameRow;

/// Spin below this fraction of the most that the start's speed and size allow is rounding.
const LEAST_FRACTION: f64 = 1e-6;

/// The least spin that a drift can be measured against [kg m²/s]; none when something outside turns the cloth, or
/// nothing moves at the start.
pub fn least_spin(model: &Model) -> Option<f64> {
    let air = &model.air;
    let drag = air.density != 0.0 && !model.air_triangles.is_empty();
    let particle_drag = air.particle_drag != 0.0 && model.particle_area.iter().any(|&area| area != 0.0);
    let damped = model.damping_rate.iter().any(|&rate| rate != 0.0);
    let stays = model.followers.iter().any(|follower| follower.leader.is_none());
    if !model.pins.is_empty() || drag || particle_drag || damped || stays {
        return None;
    }
    let squares = model.mass.iter().zip(&model.start_velocity).map(|(mass, velocity)| mass * velocity.length_squared());
    let (low, high) = model.start.iter().fold((DVec3::MAX, DVec3::MIN), |(low, high), &x| (low.min(x), high.max(x)));
    // Cauchy and Schwarz: |S| ≤ Σ m |x - c| |v| ≤ r √(Σ m) √(Σ m v²), r the greatest extent.
    let most = (high - low).length() * model.total_mass().sqrt() * squares.sum::<f64>().sqrt();
    (most > 0.0).then_some(LEAST_FRACTION * most)
}

/// Change of the spin from the first row to the last, as a fraction of the first.
pub(super) fn drift(rows: &[FrameRow], least_spin: f64) -> Option<f64> {
    let (first, last) = (spin(rows.first()?), spin(rows.last()?));
    let drift = (last - first).length() / first.length();
    (first.length() >= least_spin && drift.is_finite()).then_some(drift)
}

fn spin(row: &FrameRow) -> DVec3 {
    row.report.momenta.angular - row.report.centre.cross(row.report.momenta.linear)
}
