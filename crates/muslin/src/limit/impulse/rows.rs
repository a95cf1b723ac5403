//! What the linear limiters share: the rows whose ends can move, the matrix of their impulses, and its solver.

use glam::DVec3;

use crate::drivers::{Drivers, Freedom};
use crate::integrate::StepContext;
use crate::linalg::{RowMethod, RowOutcome, RowPattern, RowSolver, RowSystem};
use crate::model::Model;
use crate::rows::{Row, edge_rows};
use crate::timing::SolverClock;

/// A row is deleted when an impulse along it moves its ends by less than this fraction of what it would if nothing
/// constrained its ends: the square of what rounding leaves of a direction along which a rail does not let its particle
/// move.
const VANISHING: f64 = 1e-12;

/// All structural edges, and the system over those whose ends can move.
#[derive(Debug)]
pub(in crate::limit) struct ImpulseRows {
    rows: Vec<Row>,
    /// Where the rows are at rest [m].
    centres: Vec<DVec3>,
    /// The rows whose ends can move: one unknown each.
    active: Vec<u32>,
    /// The same for the step under way.
    found: Vec<u32>,
    /// Directions of the impulses of active rows.
    n: Vec<DVec3>,
    /// Directions along which active rows are measured, where those are others.
    g: Vec<DVec3>,
    system: RowSystem,
    solver: RowSolver,
    right: Vec<f64>,
    impulses: Vec<f64>,
}

impl ImpulseRows {
    pub(in crate::limit) fn new(method: RowMethod, model: &Model) -> Self {
        let rows = edge_rows(model);
        let mut rest = vec![DVec3::ZERO; model.len()];
        for part in &model.cloths {
            rest[part.particles.clone()].copy_from_slice(&part.mesh.positions);
        }
        let centre = |row: &Row| rest[row.a as usize].midpoint(rest[row.b as usize]);
        Self {
            centres: rows.iter().map(centre).collect(),
            active: Vec::with_capacity(rows.len()),
            found: Vec::with_capacity(rows.len()),
            n: Vec::with_capacity(rows.len()),
            g: Vec::with_capacity(rows.len()),
            system: RowSystem::default(),
            solver: RowSolver::new(method),
            right: Vec::with_capacity(rows.len()),
            impulses: Vec::with_capacity(rows.len()),
            rows,
        }
    }

    /// Every row, in the model's order.
    pub(in crate::limit) fn all(&self) -> &[Row] {
        &self.rows
    }

    /// The rows whose ends can move, with their numbers, since the last aiming.
    pub(in crate::limit) fn active(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.active.iter().map(|&number| (number as usize, &self.rows[number as usize]))
    }

    /// Fills the matrix for impulses along the rows where the particles are at `position` [m].
    pub(in crate::limit) fn aim(
        &mut self,
        context: StepContext<'_>,
        position: impl Fn(usize) -> DVec3,
        clock: &mut SolverClock,
    ) {
        let StepContext { model, drivers, interrupt, .. } = context;
        self.solver.interrupt.clone_from(interrupt);
        self.select(model, drivers, position, clock);
        self.system.fill(&self.n, |i, n| drivers.response(model, i, n));
    }

    /// The same, but lengths are measured where the particles are at `measured` [m]: the matrix is not symmetric.
    pub(in crate::limit) fn aim_measured(
        &mut self,
        context: StepContext<'_>,
        position: impl Fn(usize) -> DVec3,
        measured: impl Fn(usize) -> DVec3,
        clock: &mut SolverClock,
    ) {
        let StepContext { model, drivers, interrupt, .. } = context;
        self.solver.interrupt.clone_from(interrupt);
        self.select(model, drivers, position, clock);
        let rows = self.active.iter().map(|&number| &self.rows[number as usize]);
        self.g.clear();
        self.g.extend(rows.map(|row| direction(row, &measured)));
        self.system.fill_measured(&self.n, &self.g, |i, n| drivers.response(model, i, n));
    }

    /// Solves for the impulses that change the relative velocity (v_a - v_b) · n of every active row by
    /// `wanted(number, row, n)` [m/s], and adds what they do to `velocity` [m/s].
    pub(in crate::limit) fn solve(
        &mut self,
        wanted: impl Fn(usize, &Row, DVec3) -> f64,
        velocity: &mut [DVec3],
        clock: &mut SolverClock,
    ) -> RowOutcome {
        self.right.clear();
        for (&number, &n) in self.active.iter().zip(&self.n) {
            self.right.push(wanted(number as usize, &self.rows[number as usize], n));
        }
        self.impulses.resize(self.active.len(), 0.0);
        let outcome = self.solver.solve(&self.system, &self.right, &mut self.impulses, clock);
        self.system.add_impulses(&self.impulses, velocity);
        outcome
    }

    /// Adds the fraction `fraction` of the last solve's impulses to their sums at each particle [N s], whatever holds
    /// it.
    pub(in crate::limit) fn add_pulls(&self, fraction: f64, pulls: &mut [DVec3]) {
        for ((&number, &n), s) in self.active.iter().zip(&self.n).zip(&self.impulses) {
            let row = &self.rows[number as usize];
            pulls[row.a as usize] += n * (s * fraction);
            pulls[row.b as usize] -= n * (s * fraction);
        }
    }

    /// Finds the rows whose ends can move, and their directions. Only when they differ from before is the pattern
    /// made again.
    fn select(&mut self, model: &Model, drivers: &Drivers, position: impl Fn(usize) -> DVec3, clock: &mut SolverClock) {
        self.found.clear();
        self.n.clear();
        for (number, row) in (0..).zip(&self.rows) {
            let n = direction(row, &position);
            if can_move(model, drivers, row, n) {
                self.found.push(number);
                self.n.push(n);
            }
        }
        if self.found == self.active {
            return;
        }
        std::mem::swap(&mut self.found, &mut self.active);
        let rows = self.active.iter().map(|&number| &self.rows[number as usize]);
        let pattern = RowPattern::new(rows.map(|row| [row.a, row.b]).collect(), model.len());
        self.system = RowSystem::zero(pattern);
        let centres: Vec<DVec3> = self.active.iter().map(|&number| self.centres[number as usize]).collect();
        self.solver.analyse(&self.system, &centres, clock);
    }
}

/// The direction of a row; zero when its ends coincide.
fn direction(row: &Row, position: impl Fn(usize) -> DVec3) -> DVec3 {
    (position(row.b as usize) - position(row.a as usize)).normalize_or_zero()
}

/// True when an impulse along a row moves its ends.
fn can_move(model: &Model, drivers: &Drivers, row: &Row, n: DVec3) -> bool {
    let ends = [row.a as usize, row.b as usize];
    let response: f64 = ends.iter().map(|&i| drivers.response(model, i, n).dot(n)).sum();
    let free = ends.iter().filter(|&&i| drivers.freedom[i] != Freedom::Fixed);
    response > VANISHING * free.map(|&i| 1.0 / model.mass[i]).sum::<f64>()
}
