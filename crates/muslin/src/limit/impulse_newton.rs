//! All impulses at once, from the lengths after the step: non-linear equations, by Newton's method.
//!
//! ```text
//! |q_b - q_a| = T_p  for every edge p,   q = x + h (v + δv(s))
//! T = L_max if the preview length is over it, L_min if it is under, else the preview length itself
//! A Δs = (|q_b - q_a| - T)/h,   A_pq = ± g_pᵀ (C/m) n_q
//! ```
//!
//! s [N·s], T [m]; n: direction of the impulse, g: direction in the current preview, A as in
//! [`RowSystem`](crate::linalg::RowSystem). Source: [YWG05] §3, which states the equations and leaves their solution to
//! a linearisation. Choices: impulses along the start directions keep angular momentum, and their exact derivative
//! (`jacobian = "exact"`) is not symmetric: LU. `frozen` keeps the symmetric matrix of the first round. With direction
//! `current` each round's impulses point along its own preview: symmetric, but angular momentum is not kept.
//!
//! As printed the equations are linearised once: one round (`max_iterations`), whatever it does. Departures of the
//! reading `intended`: limits are aimed at from inside by the tolerance; rounds go on until the equations hold; one
//! that does not lower Σ (length error/l0)² is halved, up to six times; when that does not help the rounds end. In
//! both, a singular system is met by a fraction of its diagonal ([`RowSolver`](crate::linalg::RowSolver)). When nothing
//! is out of bounds in the preview nothing is solved.

use glam::DVec3;

use super::impulse::descent::{Descent, Misfit, preview_length};
use super::impulse::rows::ImpulseRows;
use crate::integrate::StepContext;
use crate::linalg::{RowMethod, RowOutcome};
use crate::model::Model;
use crate::report::LimiterWork;
use crate::rows::Row;
use crate::settings::{Direction, ImpulseNewton, Jacobian, Limiter, LinearSolver, Reading};
use crate::timing::SolverClock;

/// The system and its working memory.
#[derive(Debug)]
pub(super) struct NewtonSystem {
    own: ImpulseNewton,
    rows: ImpulseRows,
    /// Wanted lengths T of all rows [m].
    target: Vec<f64>,
    descent: Descent,
}

impl NewtonSystem {
    pub(super) fn new(own: ImpulseNewton, model: &Model) -> Self {
        let method = match (own.direction, own.jacobian) {
            (Direction::Start, Jacobian::Exact) => RowMethod::General(own.ordering),
            _ => RowMethod::Symmetric(LinearSolver { ordering: own.ordering, ..LinearSolver::default() }),
        };
        let rows = ImpulseRows::new(method, model);
        Self { own, target: Vec::with_capacity(rows.all().len()), rows, descent: Descent::default() }
    }

    /// Changes the velocities [m/s], and adds the impulses on each particle to `pulls` [N s].
    pub(super) fn apply(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        velocity: &mut [DVec3],
        pulls: &mut [DVec3],
        clock: &mut SolverClock,
    ) -> LimiterWork {
        let mut work = LimiterWork::default();
        if !self.set_targets(limiter, context, velocity) {
            return work;
        }
        self.aim(context, velocity, clock);
        let mut misfit = self.misfit(context, velocity);
        while work.rounds < limiter.max_iterations && misfit.worst > self.own.tolerance {
            if work.rounds > 0 && self.own.jacobian == Jacobian::Exact {
                self.aim(context, velocity, clock);
            }
            let outcome = self.newton_step(context, velocity, clock);
            work.rounds += 1;
            work.regularisation = work.regularisation.max(outcome.regularisation);
            let (rows, target) = (&self.rows, &self.target);
            let trial = |v: &[DVec3]| Misfit::of(rows, context, v, |number, _| target[number]).sum;
            let goes = match self.own.reading {
                Reading::Intended => self.descent.descend(misfit.sum, velocity, trial),
                Reading::Printed => Some(self.descent.go(velocity)),
            };
            let Some(fraction) = goes else { break };
            self.rows.add_pulls(fraction, pulls);
            misfit = self.misfit(context, velocity);
            if context.interrupt.asked() {
                break;
            }
        }
        work.unfinished = !(misfit.worst <= self.own.tolerance);
        work
    }

    /// How far lengths are from the wanted ones.
    fn misfit(&self, context: StepContext<'_>, velocity: &[DVec3]) -> Misfit {
        Misfit::of(&self.rows, context, velocity, |number, _| self.target[number])
    }

    /// Sets the wanted lengths from the preview; false when all are what they are.
    fn set_targets(&mut self, limiter: &Limiter, context: StepContext<'_>, velocity: &[DVec3]) -> bool {
        let limiter = self.aims_of(limiter);
        self.target.clear();
        let mut any = false;
        for row in self.rows.all() {
            let length = preview_length(row, context, velocity);
            let allowed = limiter.allowed_row_length(row, length);
            any |= allowed != length;
            self.target.push(allowed);
        }
        any
    }

    /// What edges are to keep: in the reading `intended` inside the limits by the tolerance, so that equations that
    /// hold within it keep them.
    fn aims_of(&self, limiter: &Limiter) -> Limiter {
        let inside = if self.own.reading == Reading::Intended { self.own.tolerance } else { 0.0 };
        let shorter = |stretch: f64| (1.0 + stretch) * (1.0 - inside) - 1.0;
        let longer = |compress: f64| 1.0 - (1.0 - compress) * (1.0 + inside);
        Limiter { stretch: shorter(limiter.stretch).max(0.0), compress: limiter.compress.map(longer), ..*limiter }
    }

    /// Fills the matrix for the velocities at hand.
    fn aim(&mut self, context: StepContext<'_>, velocity: &[DVec3], clock: &mut SolverClock) {
        let x = &context.state.x;
        let preview = |i: usize| x[i] + velocity[i] * context.h;
        match (self.own.direction, self.own.jacobian) {
            (Direction::Start, Jacobian::Exact) => self.rows.aim_measured(context, |i| x[i], preview, clock),
            (Direction::Start, Jacobian::Frozen) => self.rows.aim(context, |i| x[i], clock),
            (Direction::Current, _) => self.rows.aim(context, preview, clock),
        }
    }

    /// Finds the change of velocities that would bring all lengths right if they were linear in it.
    fn newton_step(&mut self, context: StepContext<'_>, velocity: &[DVec3], clock: &mut SolverClock) -> RowOutcome {
        let target = &self.target;
        let wanted =
            |number: usize, row: &Row, _| (preview_length(row, context, velocity) - target[number]) / context.h;
        self.descent.reset(velocity.len());
        self.rows.solve(wanted, &mut self.descent.change, clock)
    }
}
