//! All impulses at once, from the lengths after the step: non-linear equations, by Newton's method.
//!
//! ```text
//! |q_b - q_a| = T_p  for every edge p,   q = x + h (v + δv(s))
//! T = L_max if the preview length is over it, L_min if it is under, else the preview length itself
//! A Δs = (|q_b - q_a| - T)/h,   A_pq = ± g_pᵀ (C/m) n_q
//! ```
//!
//! s [N·s], T [m]; n: direction of the impulse, g: direction in the current preview, A as in
//! [`RowSystem`](crate::linalg::RowSystem). Source: [YWG05] §3, which states the equations and leaves their solution to a linearisation.
//! Choices: impulses along the start directions keep angular momentum, and their exact derivative (`jacobian = "exact"`) is
//! not symmetric: LU. `frozen` keeps the symmetric matrix of the first round. With `direction = "current"` each round's
//! impulses point along its own preview: symmetric, but angular momentum is not kept.
//!
//! Departures: a round that does not lower Σ (length error/l0)² is halved, up to six times; when that does not help the
//! rounds end, unfinished. A singular system is met by a share of its diagonal ([`RowSolver`](crate::linalg::RowSolver)). When
//! nothing is out of bounds in the preview nothing is solved.

use glam::DVec3;

use super::impulse::network::Network;
use super::rows::Row;
use crate::integrate::StepContext;
use crate::linalg::{RowMethod, RowOutcome};
use crate::model::Model;
use crate::report::LimiterWork;
use crate::settings::{Direction, ImpulseNewton, Jacobian, Limiter, LinearSolver};
use crate::timing::SolverClock;

/// How often a round is halved before it is given up.
const MAX_HALVINGS: u32 = 6;

/// The system and its working memory.
#[derive(Debug)]
pub(super) struct NewtonSystem {
    own: ImpulseNewton,
    network: Network,
    /// Wanted lengths T of all rows [m].
    target: Vec<f64>,
    /// The velocities a round starts from, and what it would change them by [m/s].
    before: Vec<DVec3>,
    change: Vec<DVec3>,
}

/// How far lengths are from what is wanted.
#[derive(Debug, Clone, Copy)]
struct Misfit {
    /// Σ (error/l0)².
    sum: f64,
    /// The greatest |error|/l0.
    worst: f64,
}

impl NewtonSystem {
    pub(super) fn new(own: ImpulseNewton, model: &Model) -> Self {
        let method = match (own.direction, own.jacobian) {
            (Direction::Start, Jacobian::Exact) => RowMethod::General(own.ordering),
            _ => RowMethod::Symmetric(LinearSolver { ordering: own.ordering, ..LinearSolver::default() }),
        };
        let network = Network::new(method, model);
        Self {
            own,
            target: Vec::with_capacity(network.rows().len()),
            network,
            before: Vec::with_capacity(model.len()),
            change: Vec::with_capacity(model.len()),
        }
    }

    pub(super) fn apply(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        velocity: &mut [DVec3],
        clock: &mut SolverClock,
    ) -> LimiterWork {
        let mut work = LimiterWork::default();
        if !self.set_targets(limiter, context, velocity) {
            return work;
        }
        self.aim(context, velocity, clock);
        while work.rounds < limiter.max_iterations {
            let misfit = self.misfit(context, velocity);
            if misfit.worst <= self.own.tolerance {
                return work;
            }
            if work.rounds > 0 && self.own.jacobian == Jacobian::Exact {
                self.aim(context, velocity, clock);
            }
            work.rounds += 1;
            let outcome = self.newton_step(context, velocity, clock);
            work.regularisation = work.regularisation.max(outcome.regularisation);
            if !outcome.solved || !self.search(misfit.sum, context, velocity) {
                work.unfinished = true;
                return work;
            }
        }
        work.unfinished = self.misfit(context, velocity).worst > self.own.tolerance;
        work
    }

    /// Sets the wanted lengths from the preview; false when all are what they are.
    fn set_targets(&mut self, limiter: &Limiter, context: StepContext<'_>, velocity: &[DVec3]) -> bool {
        self.target.clear();
        let mut any = false;
        for row in self.network.rows() {
            let length = preview_length(row, context, velocity);
            let allowed = limiter.allowed_row_length(row, length);
            any |= allowed != length;
            self.target.push(allowed);
        }
        any
    }

    /// Fills the matrix for the velocities at hand.
    fn aim(&mut self, context: StepContext<'_>, velocity: &[DVec3], clock: &mut SolverClock) {
        let x = &context.state.x;
        let preview = |i: usize| x[i] + velocity[i] * context.h;
        match (self.own.direction, self.own.jacobian) {
            (Direction::Start, Jacobian::Exact) => self.network.aim_measured(context, |i| x[i], preview, clock),
            (Direction::Start, Jacobian::Frozen) => self.network.aim(context, |i| x[i], clock),
            (Direction::Current, _) => self.network.aim(context, preview, clock),
        }
    }

    /// Finds the change of velocities that would bring all lengths right if they were linear in it.
    fn newton_step(&mut self, context: StepContext<'_>, velocity: &[DVec3], clock: &mut SolverClock) -> RowOutcome {
        let target = &self.target;
        let wanted =
            |number: usize, row: &Row, _| (preview_length(row, context, velocity) - target[number]) / context.h;
        self.change.clear();
        self.change.resize(velocity.len(), DVec3::ZERO);
        self.network.solve(wanted, &mut self.change, clock)
    }

    /// Applies the change, or the greatest half, quarter, … of it that lowers the misfit; false when none does, and
    /// velocities stay as they were.
    fn search(&mut self, sum: f64, context: StepContext<'_>, velocity: &mut [DVec3]) -> bool {
        self.before.clear();
        self.before.extend_from_slice(velocity);
        let mut share = 1.0;
        for _ in 0..=MAX_HALVINGS {
            for (i, v) in velocity.iter_mut().enumerate() {
                *v = self.before[i] + self.change[i] * share;
            }
            if self.misfit(context, velocity).sum < sum {
                return true;
            }
            share *= 0.5;
        }
        velocity.copy_from_slice(&self.before);
        false
    }

    /// The misfit of the rows that can give way.
    fn misfit(&self, context: StepContext<'_>, velocity: &[DVec3]) -> Misfit {
        let mut misfit = Misfit { sum: 0.0, worst: 0.0 };
        for (number, row) in self.network.active() {
            let error = (preview_length(row, context, velocity) - self.target[number]) / row.rest;
            misfit.sum += error * error;
            misfit.worst = if error.abs() <= misfit.worst { misfit.worst } else { error.abs() };
        }
        misfit
    }
}

/// The length of a row in the preview [m].
fn preview_length(row: &Row, context: StepContext<'_>, velocity: &[DVec3]) -> f64 {
    let preview = |i: u32| context.state.x[i as usize] + velocity[i as usize] * context.h;
    preview(row.b).distance(preview(row.a))
}
