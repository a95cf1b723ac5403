//! Edges of constant length, all impulses at once, for positions and then for velocities.
//!
//! ```text
//! positions:   A(x) p = e/h,   e = |q_b - q_a| - l0 in the preview q = x + h v
//! velocities:  A(x') p = (v_b - v_a)·n at the positions x' that the step reached
//! ```
//!
//! p [N·s], e [m], A as in [`RowSystem`](crate::linalg::RowSystem): with all particles free A_ij = ± (n_i·n_j)/m of the shared particle.
//! Source: [BB08] §3.4.2. Every edge is an equality: neither stretch nor compression is allowed. The matrix of the
//! velocity pass is that of the next step's position pass, and its factor is used again as long as the numbers are
//! the same (a pin that is released changes them).
//!
//! Departures. One solve does not satisfy the constraints, as the paper has it, when edges turn during the step: the solve is
//! repeated until |e| <= tolerance · l0 or `max_iterations` is reached; 1 is the published method. A repetition that makes
//! the worst error greater is taken back and ends the rounds. Degenerate quads (folded to a line: redundant
//! constraints) are met by a share of the diagonal, not by moving particles apart, since that would change positions. With
//! `direction = "current"` impulses point along the preview, and no factor is shared.

use glam::DVec3;

use super::impulse::network::Network;
use super::rows::Row;
use crate::integrate::StepContext;
use crate::linalg::{RowMethod, RowOutcome};
use crate::model::Model;
use crate::report::LimiterWork;
use crate::settings::{Direction, Limiter, Sle};
use crate::timing::SolverClock;

/// The system and its working memory.
#[derive(Debug)]
pub(super) struct SleSystem {
    own: Sle,
    network: Network,
    before: Vec<DVec3>,
}

impl SleSystem {
    pub(super) fn new(own: Sle, model: &Model) -> Self {
        let network = Network::new(RowMethod::Symmetric(own.linear), model);
        Self { own, network, before: Vec::with_capacity(model.len()) }
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
        let mut worst = f64::INFINITY;
        while work.rounds < limiter.max_iterations && worst > tolerance {
            self.before.clear();
            self.before.extend_from_slice(velocity);
            let outcome = self.correct_positions(context, velocity, clock);
            work.rounds += 1;
            note(&mut work, outcome);
            let now = self.worst_error(context, velocity);
            // Not `now >= worst`: what is no number goes back too.
            let worse = work.rounds > 1 && !(now < worst);
            if worse {
                velocity.copy_from_slice(&self.before);
            }
            if worse || !outcome.solved {
                break;
            }
            worst = now;
        }
        work.unfinished |= worst > tolerance;
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
        self.network.aim(context, |i| x[i], clock);
        self.before.clear();
        self.before.extend_from_slice(v);
        let old = &self.before;
        let wanted = |_, row: &Row, n: DVec3| (old[row.b as usize] - old[row.a as usize]).dot(n);
        let outcome = self.network.solve(wanted, v, clock);
        work.velocity_rounds += 1;
        note(work, outcome);
    }

    /// One solve for positions; `before` holds the velocities it starts from.
    fn correct_positions(
        &mut self,
        context: StepContext<'_>,
        velocity: &mut [DVec3],
        clock: &mut SolverClock,
    ) -> RowOutcome {
        let (x, h, old) = (&context.state.x, context.h, &self.before);
        let preview = |i: usize| x[i] + old[i] * h;
        match self.own.direction {
            Direction::Start => self.network.aim(context, |i| x[i], clock),
            Direction::Current => self.network.aim(context, preview, clock),
        }
        let wanted = |_, row: &Row, _| (preview(row.b as usize).distance(preview(row.a as usize)) - row.rest) / h;
        self.network.solve(wanted, velocity, clock)
    }

    /// The greatest |e|/l0 of a row that can give way.
    fn worst_error(&self, context: StepContext<'_>, velocity: &[DVec3]) -> f64 {
        let preview = |i: u32| context.state.x[i as usize] + velocity[i as usize] * context.h;
        let error = |row: &Row| (preview(row.b).distance(preview(row.a)) / row.rest - 1.0).abs();
        let errors = self.network.active().map(|(_, row)| error(row));
        errors.fold(0.0, |most, error| if error <= most { most } else { error })
    }
}

/// Adds a solve to the work of the step.
fn note(work: &mut LimiterWork, outcome: RowOutcome) {
    work.iterations += outcome.iterations;
    work.regularisation = work.regularisation.max(outcome.regularisation);
    work.unfinished |= !outcome.solved;
}
