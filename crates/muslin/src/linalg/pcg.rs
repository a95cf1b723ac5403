//! Preconditioned conjugate gradients for the symmetric systems over rows.
//!
//! Preconditioners: the diagonal (Jacobi), or an incomplete Cholesky factor L Lᵀ with the pattern of A, IC(0). A pivot
//! of IC(0) that would not be positive is replaced by the diagonal entry it started from, so that L Lᵀ stays positive.

use super::{RowPattern, RowSystem};
use crate::interrupt::Interrupt;
use crate::settings::Preconditioner;
use crate::timing::{SolverClock, SolverStage, Watch};

/// The solver and its working memory.
#[derive(Debug)]
pub struct Pcg {
    preconditioner: Preconditioner,
    /// The diagonal, or the incomplete factor by columns.
    factor: Vec<f64>,
    fraction: f64,
    residual: Vec<f64>,
    scaled: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
    /// What ends a solve early; it has not converged then.
    pub(super) interrupt: Interrupt,
}

/// How an iteration ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PcgOutcome {
    /// Iterations done.
    pub iterations: u32,
    /// True when the residual fell below the tolerance.
    pub converged: bool,
}

impl Pcg {
    /// Memory for systems of a pattern.
    pub fn new(pattern: &RowPattern, preconditioner: Preconditioner) -> Self {
        let zeros = || vec![0.0; pattern.size()];
        let entries = match preconditioner {
            Preconditioner::Jacobi => pattern.size(),
            Preconditioner::IncompleteCholesky => pattern.entries(),
        };
        Self {
            preconditioner,
            factor: vec![0.0; entries],
            fraction: 0.0,
            residual: zeros(),
            scaled: zeros(),
            direction: zeros(),
            product: zeros(),
            interrupt: Interrupt::default(),
        }
    }

    /// Makes the preconditioner of A + `fraction` diag A, the matrix to be solved next; false when a diagonal entry is
    /// not positive.
    pub fn prepare(&mut self, system: &RowSystem, fraction: f64, clock: &mut SolverClock) -> bool {
        let start = Watch::start();
        self.fraction = fraction;
        let diagonal = |q: usize| system.lower()[system.pattern().column(q).start];
        let sound = (0..system.size()).all(|q| diagonal(q) > 0.0);
        match self.preconditioner {
            Preconditioner::Jacobi => {
                for q in 0..system.size() {
                    self.factor[q] = diagonal(q) * (1.0 + fraction);
                }
            }
            Preconditioner::IncompleteCholesky => {
                self.factor.copy_from_slice(system.lower());
                for q in 0..system.size() {
                    self.factor[system.pattern().column(q).start] *= 1.0 + fraction;
                }
                incomplete_cholesky(system.pattern(), system.lower(), &mut self.factor);
            }
        }
        clock.add(SolverStage::Numeric, start);
        sound
    }

    /// Solves for `solution`, from zero, until |residual| <= `tolerance` |`right`|.
    pub fn solve(
        &mut self,
        system: &RowSystem,
        right: &[f64],
        tolerance: f64,
        max_iterations: u32,
        solution: &mut [f64],
        clock: &mut SolverClock,
    ) -> PcgOutcome {
        let start = Watch::start();
        solution.fill(0.0);
        self.residual.copy_from_slice(right);
        self.direction.fill(0.0);
        let target = dot(right, right) * tolerance * tolerance;
        let (mut energy, mut iterations) = (0.0, 0);
        let mut left = dot(&self.residual, &self.residual);
        while left > target && iterations < max_iterations && !self.interrupt.asked() {
            self.precondition(system.pattern());
            let next_energy = dot(&self.residual, &self.scaled);
            let keep = if energy > 0.0 { next_energy / energy } else { 0.0 };
            energy = next_energy;
            for (direction, scaled) in self.direction.iter_mut().zip(&self.scaled) {
                *direction = scaled + keep * *direction;
            }
            system.multiply(&self.direction, self.fraction, &mut self.product);
            let curvature = dot(&self.direction, &self.product);
            // Not `curvature <= 0`: NaN must not go on either.
            if !(curvature > 0.0 && energy.is_finite()) {
                break;
            }
            let length = energy / curvature;
            for q in 0..solution.len() {
                solution[q] += length * self.direction[q];
                self.residual[q] -= length * self.product[q];
            }
            left = dot(&self.residual, &self.residual);
            iterations += 1;
        }
        clock.add(SolverStage::Solve, start);
        PcgOutcome { iterations, converged: left <= target }
    }

    /// `scaled` = preconditioner⁻¹ `residual`.
    fn precondition(&mut self, pattern: &RowPattern) {
        self.scaled.copy_from_slice(&self.residual);
        let (scaled, factor) = (&mut self.scaled, &self.factor);
        if self.preconditioner == Preconditioner::Jacobi {
            for (value, diagonal) in scaled.iter_mut().zip(factor) {
                *value /= diagonal;
            }
            return;
        }
        for q in 0..pattern.size() {
            let column = pattern.column(q);
            scaled[q] /= factor[column.start];
            for slot in column.start + 1..column.end {
                scaled[pattern.row[slot] as usize] -= factor[slot] * scaled[q];
            }
        }
        for q in (0..pattern.size()).rev() {
            let column = pattern.column(q);
            let below = column.start + 1..column.end;
            let known: f64 = below.map(|slot| factor[slot] * scaled[pattern.row[slot] as usize]).sum();
            scaled[q] = (scaled[q] - known) / factor[column.start];
        }
    }
}

/// Turns the lower triangle in `factor` into its incomplete Cholesky factor; `original` has the diagonal it started
/// from.
fn incomplete_cholesky(pattern: &RowPattern, original: &[f64], factor: &mut [f64]) {
    for k in 0..pattern.size() {
        let column = pattern.column(k);
        let pivot = factor[column.start];
        let pivot = if pivot > 0.0 { pivot } else { original[column.start] };
        let root = pivot.max(f64::MIN_POSITIVE).sqrt();
        factor[column.start] = root;
        for slot in column.start + 1..column.end {
            factor[slot] /= root;
        }
        for first in column.start + 1..column.end {
            let target = pattern.column(pattern.row[first] as usize);
            let mut place = target.start;
            for second in first..column.end {
                while place < target.end && pattern.row[place] < pattern.row[second] {
                    place += 1;
                }
                if place < target.end && pattern.row[place] == pattern.row[second] {
                    factor[place] -= factor[first] * factor[second];
                }
            }
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
