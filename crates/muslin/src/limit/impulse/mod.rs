//! All impulses at once, from one linear system.
//!
//! ```text
//! A s = b,   b_p = (v_b - v_a)·n - z/h,   +s_p n on the first end of edge p, -s_p n on its second
//! z = L_max - L   if L > L_max            L: length at the start of the step, L̃: in the preview
//!     L_min - L   if L < L_min
//!     0           if L is within its limits but L̃ is not
//!     h (v_b - v_a)·n   else: the edge goes on as it did
//! ```
//!
//! s [N·s], z [m], A as in [`RowSystem`](crate::linalg::RowSystem). Source: [Ye08] §4–7. Rows whose ends cannot move,
//! A_pp = 0, are deleted: both ends fixed, C n = 0 at both ends, or an edge of no length. When no edge is or will be
//! out of bounds nothing is solved. One solve a step: n is taken as constant over the step, so edges that turn end up
//! off their wanted length, as the paper says: it guarantees no limits in every step. Departures: a singular system is
//! solved with a fraction of its diagonal added (see [`RowSolver`](crate::linalg::RowSolver)); with
//! `direction = "current"` n is the direction in the preview. In the reading `intended` an edge beyond a limit that
//! the preview leaves within its limits goes where the preview has it, z = L̃ - L: as printed it is held at the limit
//! although its springs would shorten it further, and may stick there (tests/impulses.rs).

pub(super) mod descent;
pub(super) mod rows;

use glam::DVec3;

use self::rows::ImpulseRows;
use crate::integrate::StepContext;
use crate::linalg::RowMethod;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::rows::Row;
use crate::settings::{Direction, Impulse, Limiter, Reading};
use crate::timing::SolverClock;

/// The system and its working memory.
#[derive(Debug)]
pub(super) struct ImpulseSystem {
    reading: Reading,
    direction: Direction,
    rows: ImpulseRows,
    /// The wanted change z of each row's length [m]; none: it goes on as it did.
    change: Vec<Option<f64>>,
    before: Vec<DVec3>,
}

impl ImpulseSystem {
    pub(super) fn new(own: Impulse, model: &Model) -> Self {
        let rows = ImpulseRows::new(RowMethod::Symmetric(own.linear), model);
        let change = Vec::with_capacity(rows.all().len());
        Self { reading: own.reading, direction: own.direction, rows, change, before: Vec::with_capacity(model.len()) }
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
        let StepContext { state, h, .. } = context;
        self.before.clear();
        self.before.extend_from_slice(velocity);
        let v = &self.before;
        let preview = |i: usize| state.x[i] + v[i] * h;
        let length = |row: &Row, at: &dyn Fn(usize) -> DVec3| at(row.b as usize).distance(at(row.a as usize));
        self.change.clear();
        for row in self.rows.all() {
            let lengths = [length(row, &|i| state.x[i]), length(row, &preview)];
            self.change.push(length_change(limiter, self.reading, row, lengths));
        }
        if self.change.iter().all(Option::is_none) {
            return LimiterWork::default();
        }
        match self.direction {
            Direction::Start => self.rows.aim(context, |i| state.x[i], clock),
            Direction::Current => self.rows.aim(context, preview, clock),
        }
        let change = &self.change;
        let wanted = |number: usize, row: &Row, n: DVec3| {
            change[number].map_or(0.0, |z| (v[row.b as usize] - v[row.a as usize]).dot(n) - z / h)
        };
        let outcome = self.rows.solve(wanted, velocity, clock);
        self.rows.add_pulls(1.0, pulls);
        LimiterWork {
            rounds: 1,
            velocity_rounds: 0,
            iterations: outcome.iterations,
            regularisation: outcome.regularisation,
            unfinished: !outcome.solved,
        }
    }
}

/// z [m] of an edge from its length and its preview length [m]; none in the fourth case.
fn length_change(limiter: &Limiter, reading: Reading, row: &Row, [length, preview]: [f64; 2]) -> Option<f64> {
    let (nearest, then) = (limiter.allowed_row_length(row, length), limiter.allowed_row_length(row, preview));
    if nearest == length {
        return (then != preview).then_some(0.0);
    }
    match reading {
        Reading::Intended => Some(then - length),
        Reading::Printed => Some(nearest - length),
    }
}

impl Limiter {
    /// The length a row of the given length must have [m]: itself, or the limit it is beyond.
    pub(super) fn allowed_row_length(&self, row: &Row, length: f64) -> f64 {
        let shortest = self.compress.map_or(0.0, |compress| row.rest * (1.0 - compress));
        length.clamp(shortest, row.rest * (1.0 + self.stretch))
    }
}
