//! One-sided limits [JLGF17]: the step's problem, and its three solvers.
//!
//! ```text
//! minimise ½ |x - x̂|²_M    subject to   c = |d|/L - 1 <= 0,    L = (1 + α) l0     on edges and cross edges
//!                                       c = 1 - |d|/L' <= 0,   L' = (1 - β) l0    on edges, with a lower limit
//! ```
//!
//! x positions at the end of the step [m], x̂ their preview, M masses [kg], d edge vector, l0 rest length [m], α
//! greatest stretch, β greatest compression. Edges may shorten freely (unless a lower limit is set): that is what lets
//! coarse cloth fold where equalities lock. The impulse M (x - x̂)/h is what remains of a solution.
//!
//! `active_set` is the solver that the paper describes and uses; `interior` holds the two that it names beside it.
//! Lower limits are not convex: with `compress` it is the active set, whatever `solver` says. L is shorter than the
//! limit asked for by `tolerance` (and L' longer), so that a step that ends within it keeps the limit.

mod active_set;
mod bounded_gradients;
mod cone;
mod constraint;
mod interior;
#[cfg(test)]
mod tests;

use glam::DVec3;

use self::active_set::ActiveSets;
use self::constraint::Constraint;
use self::interior::InteriorPoint;
use crate::contact::{Contacts, Solids};
use crate::integrate::StepContext;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::rows::{cross_rows, edge_rows};
use crate::settings::{Inequality, InequalitySolver, Limiter};

/// A solver and its working memory.
#[derive(Debug)]
pub(super) struct OneSided(ChosenSolver);

#[derive(Debug)]
enum ChosenSolver {
    ActiveSets(Box<ActiveSets>),
    Barrier(Box<InteriorPoint>),
    /// With what takes over where limits contradict each other: interior points then lead nowhere.
    PrimalDual(Box<InteriorPoint>, Box<ActiveSets>),
}

impl OneSided {
    pub(super) fn new(own: Inequality, limiter: &Limiter, model: &Model) -> Self {
        let convex = limiter.compress.is_none();
        let interior_point = || Box::new(InteriorPoint::new(own, limiter, model));
        let active_sets = || Box::new(ActiveSets::new(own, limiter, model));
        Self(match own.solver {
            InequalitySolver::Barrier if convex => ChosenSolver::Barrier(interior_point()),
            InequalitySolver::PrimalDual if convex => ChosenSolver::PrimalDual(interior_point(), active_sets()),
            _ => ChosenSolver::ActiveSets(active_sets()),
        })
    }

    pub(super) fn apply(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        (contacts, solids): (&mut Contacts, &Solids),
        velocity: &mut [DVec3],
    ) -> LimiterWork {
        match &mut self.0 {
            ChosenSolver::ActiveSets(sets) => sets.apply(limiter, context, (contacts, solids), velocity),
            ChosenSolver::Barrier(points) => points.apply(limiter, context, (contacts, solids), velocity),
            ChosenSolver::PrimalDual(points, sets) => {
                let work = points.apply(limiter, context, (contacts, solids), velocity);
                if !work.unfinished {
                    return work;
                }
                contacts.gather(context, solids, |i| context.state.x[i] + velocity[i] * context.h);
                let mut more = sets.apply(limiter, context, (contacts, solids), velocity);
                more.rounds += work.rounds;
                more
            }
        }
    }

    /// Multipliers that the next step starts from [kg m²]; none when the solver has no use for them.
    pub(super) fn multipliers(&self) -> &[f64] {
        match &self.0 {
            ChosenSolver::ActiveSets(_) => &[],
            ChosenSolver::Barrier(points) | ChosenSolver::PrimalDual(points, _) => points.multipliers(),
        }
    }
}

/// The upper limits of a model, and the mean rest length of its edges [m].
fn lengths(own: &Inequality, limiter: &Limiter, model: &Model) -> (Vec<Constraint>, f64) {
    let edges = edge_rows(model);
    let cross = if own.cross_edges { cross_rows(model) } else { Vec::new() };
    // Aimed inside by the tolerance, so that what it leaves over is within the limit still.
    let longest = (1.0 + limiter.stretch) / (1.0 + own.tolerance);
    let upper = edges.iter().chain(&cross).map(|row| Constraint::at_most(*row, longest));
    let mean_rest = edges.iter().map(|row| row.rest).sum::<f64>() / edges.len().max(1) as f64;
    (upper.collect(), mean_rest)
}

/// Its lower limits.
fn lower_limits(own: &Inequality, compress: f64, model: &Model) -> impl Iterator<Item = Constraint> {
    let shortest = (1.0 - compress) / (1.0 - own.tolerance).max(f64::MIN_POSITIVE);
    edge_rows(model).into_iter().map(move |row| Constraint::at_least(row, shortest))
}
