//! Conjugate gradients with constraint filters.
//!
//! Solves C A C y = C b for the y with C y = y, where A is symmetric positive definite and C the projection onto the
//! motion that is allowed (METHODS §2). Source: Baraff & Witkin 1998, as in [Ye08]. Preconditioner: the inverse of the
//! diagonal blocks of A, filtered.

use glam::{DMat3, DVec3};

use super::{BlockMatrix, dot};

/// A solver and its working memory.
#[derive(Debug, Clone, Default)]
pub struct ConjugateGradients {
    residual: Vec<DVec3>,
    direction: Vec<DVec3>,
    product: Vec<DVec3>,
    scaled: Vec<DVec3>,
    inverse_diagonal: Vec<DMat3>,
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CgOutcome {
    /// Iterations done.
    pub iterations: u32,
    /// True when the residual fell below the tolerance.
    pub converged: bool,
}

/// Why a solve could not go on.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum CgError {
    /// A direction of no or negative curvature.
    #[error("the matrix is not positive definite: curvature {curvature} in iteration {iteration}")]
    Indefinite {
        /// pᵀ A p of the offending direction.
        curvature: f64,
        /// The iteration that met it.
        iteration: u32,
    },
}

impl ConjugateGradients {
    /// Solves for `solution`, starting from zero, until the preconditioned residual has shrunk by `tolerance`.
    /// On [`CgError`] the solution so far is in `solution`: still a descent direction.
    pub fn solve(
        &mut self,
        matrix: &BlockMatrix,
        right: &[DVec3],
        filter: impl Fn(usize, DVec3) -> DVec3,
        tolerance: f64,
        max_iterations: u32,
        solution: &mut [DVec3],
    ) -> Result<CgOutcome, CgError> {
        let n = right.len();
        self.prepare(matrix, n);
        solution.fill(DVec3::ZERO);
        for i in 0..n {
            self.residual[i] = filter(i, right[i]);
            self.direction[i] = filter(i, self.inverse_diagonal[i] * self.residual[i]);
        }
        let mut energy = dot(&self.residual, &self.direction);
        let target = energy * tolerance * tolerance;
        for iteration in 0..max_iterations {
            if energy <= target {
                return Ok(CgOutcome { iterations: iteration, converged: true });
            }
            matrix.multiply(&self.direction, &mut self.product);
            for i in 0..n {
                self.product[i] = filter(i, self.product[i]);
            }
            let curvature = dot(&self.direction, &self.product);
            // Not `curvature <= 0`: NaN must not go on either.
            if !(curvature > 0.0) {
                return Err(CgError::Indefinite { curvature, iteration });
            }
            let length = energy / curvature;
            for i in 0..n {
                solution[i] += self.direction[i] * length;
                self.residual[i] -= self.product[i] * length;
                self.scaled[i] = filter(i, self.inverse_diagonal[i] * self.residual[i]);
            }
            let next_energy = dot(&self.residual, &self.scaled);
            let keep = next_energy / energy;
            for i in 0..n {
                self.direction[i] = self.scaled[i] + self.direction[i] * keep;
            }
            energy = next_energy;
        }
        Ok(CgOutcome { iterations: max_iterations, converged: energy <= target })
    }

    fn prepare(&mut self, matrix: &BlockMatrix, n: usize) {
        for vector in [&mut self.residual, &mut self.direction, &mut self.product, &mut self.scaled] {
            vector.resize(n, DVec3::ZERO);
        }
        self.inverse_diagonal.clear();
        self.inverse_diagonal.extend((0..n).map(|i| invert(matrix.diagonal(i))));
    }
}

/// The inverse of a positive definite block; the identity where there is none.
fn invert(block: DMat3) -> DMat3 {
    if block.determinant() > 0.0 { block.inverse() } else { DMat3::IDENTITY }
}
