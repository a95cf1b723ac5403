//! Systems over rows, solved and checked.
//!
//! A system may be singular (a flat taut sheet, a quad folded to a line) or, by rounding, indefinite. What is solved is
//!
//! ```text
//! (A + ε diag A) s = b,   ε = 0, else the smallest power of ten for which |b - (A + ε diag A) s| <= 1e-10 |b|
//! ```
//!
//! in the greatest norm, after at most two rounds of iterative refinement. A direction of s that A does not feel moves
//! nothing ([Ye08] §6: sᵀA s = Σ m |δv|²), so a small ε changes velocities by little. Nothing here depends on earlier
//! solves: a factor is used again only for the very same numbers.

use glam::DVec3;

use super::{Ldlt, Lu, Pcg, RowSystem};
use crate::interrupt::Interrupt;
use crate::settings::{LinearSolver, Ordering, Solver};
use crate::timing::SolverClock;

/// A solution is good when its residual is below this fraction of the right side.
const GOOD: f64 = 1e-10;
/// Refinement goes on down to this.
const REFINED: f64 = 1e-14;
const MAX_REFINEMENTS: u32 = 2;
/// Smallest fraction of the diagonal that is tried: below, it is lost in rounding.
const LEAST_FRACTION: f64 = 1e-13;
/// The iteration gains nothing from less: it would not converge.
const LEAST_FRACTION_ITERATED: f64 = 1e-7;
const GREATEST_FRACTION: f64 = 0.1;
/// Most iterations, as a multiple of the number of rows; what rounding lets converge does so earlier.
const ITERATIONS_PER_ROW: u32 = 1;

/// Which engine solves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowMethod {
    /// For symmetric systems.
    Symmetric(LinearSolver),
    /// For systems that are not: a direct solver.
    General(Ordering),
}

#[derive(Debug)]
enum Engine {
    Ldlt(Box<Ldlt>),
    Lu(Box<Lu>),
    Pcg(Box<Pcg>),
}

/// A solver for one pattern after another.
#[derive(Debug)]
pub struct RowSolver {
    method: RowMethod,
    engine: Option<Engine>,
    made_for: MadeFor,
    residual: Vec<f64>,
    /// What ends a solve early; it has not solved anything then.
    pub(crate) interrupt: Interrupt,
}

/// What the factor at hand was made for.
#[derive(Debug, Default)]
struct MadeFor {
    /// The fraction of the diagonal that was added, and whether the factor could be made.
    made: Option<(f64, bool)>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RowOutcome {
    /// Iterations done; 0 for direct solvers.
    pub iterations: u32,
    /// The fraction ε of the diagonal that was added.
    pub regularisation: f64,
    /// False when no ε was enough; the solution is zero then.
    pub solved: bool,
}

impl RowSolver {
    /// A solver that knows no pattern yet.
    pub fn new(method: RowMethod) -> Self {
        Self {
            method,
            engine: None,
            made_for: MadeFor::default(),
            residual: Vec::new(),
            interrupt: Interrupt::default(),
        }
    }

    /// Prepares for the pattern of a system. `centres` [m] are the rows' places at rest, for nested dissection.
    pub fn analyse(&mut self, system: &RowSystem, centres: &[DVec3], clock: &mut SolverClock) {
        let pattern = system.pattern();
        self.engine = match self.method {
            RowMethod::Symmetric(linear) => match linear.solver {
                Solver::Ldlt => {
                    Ldlt::analyse(pattern, centres, linear.ordering, clock).map(|ldlt| Engine::Ldlt(Box::new(ldlt)))
                }
                Solver::Pcg => Some(Engine::Pcg(Box::new(Pcg::new(pattern, linear.preconditioner)))),
            },
            RowMethod::General(ordering) => {
                Lu::analyse(pattern, centres, ordering, clock).map(|lu| Engine::Lu(Box::new(lu)))
            }
        };
        self.made_for.made = None;
        self.residual.clear();
        self.residual.resize(system.size(), 0.0);
    }

    /// Solves for `solution`, for the pattern analysed last.
    pub fn solve(
        &mut self,
        system: &RowSystem,
        right: &[f64],
        solution: &mut [f64],
        clock: &mut SolverClock,
    ) -> RowOutcome {
        solution.fill(0.0);
        let scale = greatest(right);
        if scale == 0.0 {
            return RowOutcome { solved: true, ..RowOutcome::default() };
        }
        let mut outcome = RowOutcome::default();
        let least = if matches!(self.engine, Some(Engine::Pcg(_))) { LEAST_FRACTION_ITERATED } else { LEAST_FRACTION };
        let mut fraction = 0.0;
        while scale.is_finite() && fraction <= GREATEST_FRACTION * 1.5 && !self.interrupt.asked() {
            outcome.regularisation = fraction;
            if self.attempt(system, right, fraction, solution, &mut outcome.iterations, clock) {
                outcome.solved = true;
                return outcome;
            }
            fraction = if fraction == 0.0 { least } else { fraction * 10.0 };
        }
        solution.fill(0.0);
        outcome
    }

    /// One try with a fraction of the diagonal added; true when the solution is good.
    fn attempt(
        &mut self,
        system: &RowSystem,
        right: &[f64],
        fraction: f64,
        solution: &mut [f64],
        iterations: &mut u32,
        clock: &mut SolverClock,
    ) -> bool {
        if !self.factor(system, fraction, clock) {
            return false;
        }
        if let Some(Engine::Pcg(pcg)) = &mut self.engine {
            let most = ITERATIONS_PER_ROW * right.len() as u32 + 100;
            pcg.interrupt.clone_from(&self.interrupt);
            let outcome = pcg.solve(system, right, GOOD, most, solution, clock);
            *iterations += outcome.iterations;
            return outcome.converged && greatest(solution).is_finite();
        }
        let scale = greatest(right);
        self.residual.copy_from_slice(right);
        solution.fill(0.0);
        let mut left = f64::INFINITY;
        for _ in 0..=MAX_REFINEMENTS {
            self.correct(solution, clock);
            self.measure(system, right, fraction, solution);
            let now = greatest(&self.residual);
            // Not `now > left`: NaN must not go on either.
            if !(now < left) {
                break;
            }
            left = now;
            if left <= REFINED * scale {
                break;
            }
        }
        left <= GOOD * scale && greatest(solution).is_finite()
    }

    /// Makes the factor of A + `fraction` diag A, unless it is at hand.
    fn factor(&mut self, system: &RowSystem, fraction: f64, clock: &mut SolverClock) -> bool {
        let known = &mut self.made_for;
        let same = known.lower == system.lower() && known.upper == system.upper();
        if let Some((_, sound)) = known.made.filter(|(made, _)| *made == fraction && same) {
            return sound;
        }
        let sound = match &mut self.engine {
            Some(Engine::Ldlt(ldlt)) => ldlt.factor(system, fraction, clock),
            Some(Engine::Lu(lu)) => lu.factor(system, fraction, clock),
            Some(Engine::Pcg(pcg)) => pcg.prepare(system, fraction, clock),
            None => false,
        };
        known.made = Some((fraction, sound));
        if !same {
            known.lower.clear();
            known.lower.extend_from_slice(system.lower());
            known.upper.clear();
            known.upper.extend_from_slice(system.upper());
        }
        sound
    }

    /// Adds the solution for the residual; leaves the correction in `residual`.
    fn correct(&mut self, solution: &mut [f64], clock: &mut SolverClock) {
        match &mut self.engine {
            Some(Engine::Ldlt(ldlt)) => ldlt.solve(&mut self.residual, clock),
            Some(Engine::Lu(lu)) => lu.solve(&mut self.residual, clock),
            Some(Engine::Pcg(_)) | None => {}
        }
        for (value, correction) in solution.iter_mut().zip(&self.residual) {
            *value += correction;
        }
    }

    fn measure(&mut self, system: &RowSystem, right: &[f64], fraction: f64, solution: &[f64]) {
        system.multiply(solution, fraction, &mut self.residual);
        for (residual, right) in self.residual.iter_mut().zip(right) {
            *residual = right - *residual;
        }
    }
}

/// The greatest magnitude; not a number when any entry is none.
fn greatest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, value| if value.abs() <= most { most } else { value.abs() })
}
