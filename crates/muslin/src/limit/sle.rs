//! Edges of constant length, all impulses at once, for positions and then for velocities.
//!
//! ```text
//! positions:   A(x) p = e/h,   e = |q_b - q_a| - l0 in the preview q = x + h v
//! velocities:  A(x') p = (v_b - v_a)·n at the positions x' that the step reached
//! ```
//!
//! p [N·s], e [m], A as in [`RowSystem`](crate::linalg::RowSystem): with all particles free A_ij = ± (n_i·n_j)/m of the
//! shared particle. Source: [BB08] §3.4.2. Every edge is an equality: neither stretch nor compression is allowed. The
//! matrix of the velocity pass is that of the next step's position pass, and its factor is used again as long as the
//! numbers are the same (a pin that is released changes them).
//!
//! Departures. Against the paper, one solve does not satisfy the constraints when edges turn during the step, and a
//! taut sheet can blow up by it. So it is with `reading = "printed"`. In the reading `intended` impulses point along
//! the preview, the solve is repeated until |e| <= tolerance · l0 for every edge, and one that does not lower Σ (e/l0)²
//! is halved, up to six times; when that does not help the rounds end. In both, degenerate quads (folded to a line:
//! redundant constraints) are met by a fraction of the diagonal, not by moving particles apart, since that would change
//! positions. With direction `current` impulses point along the preview, and no factor is shared.

use glam::DVec3;

use super::impulse::descent::{Descent, Misfit, preview_length};
use super::impulse::rows::ImpulseRows;
use crate::integrate::StepContext;
use crate::linalg::{RowMethod, RowOutcome};
use crate::model::Model;
use crate::report::LimiterWork;
use crate::rows::Row;
use crate::settings::{Direction, Limiter, Reading, Sle};
use crate::timing::SolverClock;

/// The system and its working memory.
#[derive(Debug)]
pub(super) struct SleSystem {
    own: Sle,
    rows: ImpulseRows,
    descent: Descent,
    /// Velocities before the velocity pass [m/s].
    before: Vec<DVec3>,
}

impl SleSystem {
    pub(super) fn new(own: Sle, model: &Model) -> Self {
        let rows = ImpulseRows::new(RowMethod::Symmetric(own.linear), model);
        Self { own, rows, descent: Descent::default(), before: Vec::with_capacity(model.len()) }
    }

    pub(super) fn apply(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        velocity: &mut [DVec3],
        clock: &mut SolverClock,
    ) -> LimiterWork {
        let tolerance = self.own.tolerance.unwrap_or(limiter.stretch);
        let mut work = LimiterWork::default();
        self.aim(context, velocity, clock);
        let mut misfit = self.misfit(context, velocity);
        while work.rounds == 0 || misfit.worst > tolerance {
            if work.rounds > 0 && self.own.direction == Direction::Current {
                self.aim(context, velocity, clock);
            }
            let outcome = self.solve_positions(context, velocity, clock);
            work.rounds += 1;
            note(&mut work, outcome);
            if !self.change_velocity(misfit.sum, context, velocity) {
                break;
            }
            misfit = self.misfit(context, velocity);
            if work.rounds >= limiter.max_iterations || context.interrupt.asked() {
                break;
            }
        }
        work.unfinished |= !(misfit.worst <= tolerance);
        work
    }

    pub(super) fn finish(
        &mut self,
        _limiter: &Limiter,
        context: StepContext<'_>,
        x: &[DVec3],
        v: &mut [DVec3],
        work: &mut LimiterWork,
        clock: &mut SolverClock,
    ) {
        if !self.own.velocity_pass {
            return;
        }
        self.rows.aim(context, |i| x[i], clock);
        self.before.clear();
        self.before.extend_from_slice(v);
        let old = &self.before;
        let wanted = |_, row: &Row, n: DVec3| (old[row.b as usize] - old[row.a as usize]).dot(n);
        let outcome = self.rows.solve(wanted, v, clock);
        work.velocity_rounds += 1;
        note(work, outcome);
    }

    /// Fills the matrix of the position pass.
    fn aim(&mut self, context: StepContext<'_>, velocity: &[DVec3], clock: &mut SolverClock) {
        let x = &context.state.x;
        match self.own.direction {
            Direction::Start => self.rows.aim(context, |i| x[i], clock),
            Direction::Current => self.rows.aim(context, |i| x[i] + velocity[i] * context.h, clock),
        }
    }

    /// Finds the change of velocities that would bring all lengths right if they were linear in it.
    fn solve_positions(&mut self, context: StepContext<'_>, velocity: &[DVec3], clock: &mut SolverClock) -> RowOutcome {
        let wanted = |_, row: &Row, _| (preview_length(row, context, velocity) - row.rest) / context.h;
        self.descent.reset(velocity.len());
        self.rows.solve(wanted, &mut self.descent.change, clock)
    }

    /// Applies the change: as published, or as far as it lowers the misfit; false when it does not.
    fn change_velocity(&mut self, sum: f64, context: StepContext<'_>, velocity: &mut [DVec3]) -> bool {
        if self.own.reading == Reading::Printed {
            self.descent.go(velocity);
            return true;
        }
        let rows = &self.rows;
        let misfit = |v: &[DVec3]| Misfit::of(rows, context, v, |_, row| row.rest).sum;
        self.descent.descend(sum, velocity, misfit).is_some()
    }

    /// How far lengths are from those at rest.
    fn misfit(&self, context: StepContext<'_>, velocity: &[DVec3]) -> Misfit {
        Misfit::of(&self.rows, context, velocity, |_, row| row.rest)
    }
}

/// Adds a solve to the work of the step.
fn note(work: &mut LimiterWork, outcome: RowOutcome) {
    work.iterations += outcome.iterations;
    work.regularisation = work.regularisation.max(outcome.regularisation);
    work.unfinished |= !outcome.solved;
}
