//! Rounds that never make lengths worse: what iterating limiters share.

use glam::DVec3;

use super::rows::ImpulseRows;
use crate::integrate::StepContext;
use crate::rows::Row;

/// How often a round is halved before it is given up.
const MAX_HALVINGS: u32 = 6;

/// How far the lengths of the rows whose ends can move are from what is wanted.
#[derive(Debug, Clone, Copy)]
pub(in crate::limit) struct Misfit {
    /// Σ (error/l0)².
    pub(in crate::limit) sum: f64,
    /// The greatest |error|/l0.
    pub(in crate::limit) worst: f64,
}

impl Misfit {
    /// The misfit in the preview of `velocity` [m/s]; `target(number, row)` is the wanted length [m].
    pub(in crate::limit) fn of(
        rows: &ImpulseRows,
        context: StepContext<'_>,
        velocity: &[DVec3],
        target: impl Fn(usize, &Row) -> f64,
    ) -> Self {
        let mut misfit = Self { sum: 0.0, worst: 0.0 };
        for (number, row) in rows.active() {
            let error = (preview_length(row, context, velocity) - target(number, row)) / row.rest;
            misfit.sum += error * error;
            // What is no number must not get lost.
            misfit.worst = if error.abs() <= misfit.worst { misfit.worst } else { error.abs() };
        }
        misfit
    }
}

/// The length of a row in the preview [m].
pub(in crate::limit) fn preview_length(row: &Row, context: StepContext<'_>, velocity: &[DVec3]) -> f64 {
    let preview = |i: u32| context.state.x[i as usize] + velocity[i as usize] * context.h;
    preview(row.b).distance(preview(row.a))
}

/// Velocities before a round, and what the round would change them by [m/s].
#[derive(Debug, Default)]
pub(in crate::limit) struct Descent {
    before: Vec<DVec3>,
    pub(in crate::limit) change: Vec<DVec3>,
}

impl Descent {
    /// Starts a round with no change.
    pub(in crate::limit) fn reset(&mut self, particles: usize) {
        self.change.clear();
        self.change.resize(particles, DVec3::ZERO);
    }

    /// Applies the change whatever it does, and returns the fraction of it, 1.
    pub(in crate::limit) fn go(&mut self, velocity: &mut [DVec3]) -> f64 {
        for (v, change) in velocity.iter_mut().zip(&self.change) {
            *v += *change;
        }
        1.0
    }

    /// Applies the change, or the greatest half, quarter, … of it that brings `misfit` (a sum of squares) below `sum`,
    /// and returns that fraction. None when there is no such fraction; velocities stay as they were then.
    pub(in crate::limit) fn descend(
        &mut self,
        sum: f64,
        velocity: &mut [DVec3],
        misfit: impl Fn(&[DVec3]) -> f64,
    ) -> Option<f64> {
        self.before.clear();
        self.before.extend_from_slice(velocity);
        let mut fraction = 1.0;
        for _ in 0..=MAX_HALVINGS {
            for (i, v) in velocity.iter_mut().enumerate() {
                *v = self.before[i] + self.change[i] * fraction;
            }
            if misfit(velocity) < sum {
                return Some(fraction);
            }
            fraction *= 0.5;
        }
        velocity.copy_from_slice(&self.before);
        None
    }
}
