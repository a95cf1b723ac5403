//! Energy that a step must not gain.
//!
//! Rows let edges grow a little over what they aim at and take it back later. Taking it back lifts the cloth, which nothing
//! pays for: energy appears, a few millijoules at a time. Where no pin moves and the air is still, nothing can do work on
//! the cloth, so a step may not end with more energy than it began with: what is over is taken from the motion, by
//! scaling all velocities of the cloth alike.

use glam::DVec3;

use crate::drivers::Freedom;
use crate::integrate::StepContext;
use crate::measure::energy_by_cloth;
use crate::model::Model;

/// Working memory of the guard.
#[derive(Debug)]
pub(super) struct EnergyGuard {
    before: Vec<[f64; 2]>,
    after: Vec<[f64; 2]>,
    scales: Vec<f64>,
}

impl EnergyGuard {
    pub(super) fn new(model: &Model) -> Self {
        let cloths = model.cloths.len();
        Self { before: vec![[0.0; 2]; cloths], after: vec![[0.0; 2]; cloths], scales: vec![1.0; cloths] }
    }

    /// True when nothing can do work on any cloth in this step.
    pub(super) fn applies(context: StepContext<'_>) -> bool {
        let StepContext { model, state, drivers, .. } = context;
        let still = |i: usize| drivers.freedom[i] != Freedom::Fixed || drivers.target[i] == state.x[i];
        model.air.wind_at(state.time) == DVec3::ZERO && (0..model.len()).all(still)
    }

    /// For each cloth, the factor that brings the energy at the end of the step (positions `x` [m], velocities `v` [m/s])
    /// down to that at its start.
    pub(super) fn scales(&mut self, context: StepContext<'_>, x: &[DVec3], v: &[DVec3]) -> &[f64] {
        let StepContext { model, state, .. } = context;
        energy_by_cloth(model, &state.x, &state.v, &mut self.before);
        energy_by_cloth(model, x, v, &mut self.after);
        for ((scale, before), [kinetic, potential]) in self.scales.iter_mut().zip(&self.before).zip(&self.after) {
            let allowed = before[0] + before[1] - potential;
            *scale = if *kinetic > allowed { (allowed.max(0.0) / kinetic).sqrt() } else { 1.0 };
        }
        &self.scales
    }
}
