//! Impulses edge by edge, each from a preview of the edge's length, round after round.
//!
//! ```text
//! n = (x_b - x_a)/|x_b - x_a|,   y = nᵀC_a n/m_a + nᵀC_b n/m_b
//! position pass, before positions move:   d = (x_b + h v_b) - (x_a + h v_a),   e = |d| - l0
//!     p = e/(h y);   v_a += C_a n p/m_a,  v_b -= C_b n p/m_b        until every |e| <= ε l0
//! velocity pass, after they have moved:   g = (v_b - v_a)·n at the new positions
//!     p = g/y;       v_a += C_a n p/m_a,  v_b -= C_b n p/m_b        until every |g| h <= ε l0
//! ```
//!
//! x [m] and v [m/s]: state at the start of the step and mean velocity over it; h step [s]; l0 rest length [m]; e
//! error [m]; p impulse [N·s]; m mass [kg]; C filter matrix of a particle; ε tolerance, a fraction of the rest length.
//! With the `exact` integrator the mean velocity is v + ½ h a, so that the preview is the paper's own. Source: [BB08]
//! §3.2 and Algorithm 1.
//!
//! Lengths are equalities: edges resist compression too. Angular momentum is kept, since impulses point along the edges
//! as they are when the impulses act. As published, a round leaves edges alone that are within ε: rounds over all edges
//! alike saved none when tried, and on the taut sheet between two pins they pull at a straightness that cannot be had.
//! Departures:
//!
//! - The paper does not say when a velocity constraint is satisfied. Here: when the velocity along the edge would
//!   change its length by no more than ε l0 in one step, the same tolerance as for lengths.
//! - In the reading `intended` impulses point along the preview, n = d/|d|. Along the directions at the start, as
//!   printed, edges that a step turns are not brought to their length by any number of rounds, and sheets that hang
//!   gain energy. The price is angular momentum.
//! - With `direction = "start"` in that reading, an edge that the step turns by more than 60° is pulled along its
//!   direction in the preview, because n may then point the wrong way. Up to 60° a pull never lengthens a long edge:
//!   |d - e n|² = |d|² + e (e - 2 |d| cos θ) <= |d|² - e l0.
//! - Ends that coincide have no direction: they part along the edge's direction in the rest shape.
//! - Contact is in the same loop (`contact`): after every round over the edges each vertex near a solid gets the push
//!   that its own preview asks for, and friction. Vertices are measured against the solids before the loop; when it has
//!   ended with vertices too near that were not, they are measured again and the loop goes on, at most
//!   `MOST_MEASUREMENTS` times.
//! - Rows are solved group by group, no two rows of a group sharing a particle ([BB08] §3.4.1), groups in parallel
//!   where they are large. The result does not depend on the number of threads.

mod contact;
mod edge_row;

use glam::DVec3;

use self::contact::{push_positions, push_velocities};
use self::edge_row::EdgeRow;
use super::shared::SharedVectors;
use super::sweep::{any_row, sweep};
use crate::contact::{Contacts, Solids};
use crate::integrate::StepContext;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::rows::{Colouring, edge_rows};
use crate::settings::{Direction, Iterative, Limiter, Reading};

/// How often vertices are measured against the solids in a step, at most.
const MOST_MEASUREMENTS: u32 = 4;

/// The rows in their groups, and working memory.
#[derive(Debug)]
pub(super) struct Loop {
    own: Iterative,
    /// Group after group.
    rows: Vec<EdgeRow>,
    /// Where each group ends.
    ends: Vec<usize>,
    velocity: SharedVectors,
}

impl Loop {
    pub(super) fn new(own: Iterative, model: &Model) -> Self {
        let rows = edge_rows(model);
        let colouring = Colouring::of(&rows, model.len());
        let rows = colouring.order.iter().map(|&number| EdgeRow::new(model, rows[number as usize])).collect();
        Self { own, rows, ends: colouring.ends, velocity: SharedVectors::default() }
    }

    pub(super) fn apply(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        (contacts, solids): (&mut Contacts, &Solids),
        velocity: &mut [DVec3],
    ) -> LimiterWork {
        self.place(context, &context.state.x);
        self.velocity.copy_from(velocity);
        let mut work = LimiterWork::default();
        let shared = &self.velocity;
        let preview = |i: usize| context.state.x[i] + shared.get(i as u32) * context.h;
        contacts.gather(context, solids, preview);
        for _ in 0..MOST_MEASUREMENTS {
            let (rounds, unfinished) =
                self.limit_lengths(limiter, limiter.max_iterations - work.rounds, context, contacts);
            work.rounds += rounds;
            work.unfinished = unfinished;
            if contacts.rows().is_empty() || work.rounds == limiter.max_iterations || context.interrupt.asked() {
                break;
            }
            contacts.gather(context, solids, preview);
            if !contacts.rows().iter().any(|row| row.is_too_near(preview(row.particle as usize))) {
                break;
            }
        }
        self.velocity.copy_to(velocity);
        work
    }

    /// The position pass: rounds over edges and vertices in contact. Returns what [`Loop::until_satisfied`] does.
    fn limit_lengths(
        &self,
        limiter: &Limiter,
        most: u32,
        context: StepContext<'_>,
        contacts: &mut Contacts,
    ) -> (u32, bool) {
        let tolerance = self.tolerance(limiter);
        let (shared, h) = (&self.velocity, context.h);
        let Iterative { direction, reading, .. } = self.own;
        let within = |row: &EdgeRow, error: f64| error.abs() <= tolerance * row.rest;
        let violated = |row: &EdgeRow| !within(row, row.preview(shared, h).length() - row.rest);
        let solve = |row: &EdgeRow| {
            let d = row.preview(shared, h);
            let error = d.length() - row.rest;
            if within(row, error) {
                return false;
            }
            let n = match (direction, reading) {
                (Direction::Start, Reading::Printed) => row.direction,
                (Direction::Start, Reading::Intended) => row.start_direction(d),
                (Direction::Current, _) => row.preview_direction(d),
            };
            row.pull(context, shared, n, error / h)
        };
        self.until_satisfied(context, most, solve, violated, || push_positions(context, contacts, shared))
    }

    pub(super) fn finish(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        contacts: &mut Contacts,
        (x, v): (&[DVec3], &mut [DVec3]),
        work: &mut LimiterWork,
    ) {
        if !self.own.velocity_pass {
            contacts.settle_velocities(v);
            return;
        }
        let tolerance = self.tolerance(limiter);
        self.place(context, x);
        self.velocity.copy_from(v);
        let (shared, h) = (&self.velocity, context.h);
        let within = |row: &EdgeRow, rate: f64| rate.abs() * h <= tolerance * row.rest;
        let violated = |row: &EdgeRow| !within(row, row.rate(shared));
        let solve = |row: &EdgeRow| {
            let rate = row.rate(shared);
            !within(row, rate) && row.pull(context, shared, row.direction, rate)
        };
        let push = || push_velocities(context, contacts, shared);
        let (rounds, unfinished) = self.until_satisfied(context, limiter.max_iterations, solve, violated, push);
        self.velocity.copy_to(v);
        work.velocity_rounds = rounds;
        work.unfinished |= unfinished;
    }

    fn tolerance(&self, limiter: &Limiter) -> f64 {
        self.own.tolerance.unwrap_or(limiter.stretch)
    }

    /// Makes the rows those of the positions `x` [m].
    fn place(&mut self, context: StepContext<'_>, x: &[DVec3]) {
        for row in &mut self.rows {
            row.place(context, x);
        }
    }

    /// Goes round, solving rows and then contacts by `push`, until there is nothing to solve or the most rounds are
    /// done. Returns the rounds that solved something, and whether they ran out. Rows whose ends cannot move do not
    /// count.
    fn until_satisfied(
        &self,
        context: StepContext<'_>,
        most: u32,
        solve: impl Fn(&EdgeRow) -> bool + Sync,
        violated: impl Fn(&EdgeRow) -> bool + Sync,
        mut push: impl FnMut() -> bool,
    ) -> (u32, bool) {
        for round in 0..most {
            let pulled = sweep(&self.rows, &self.ends, &solve);
            if !(push() | pulled) {
                return (round, false);
            }
            if context.interrupt.asked() {
                break;
            }
        }
        (most, any_row(&self.rows, |row| row.can_move() && violated(row)))
    }
}
