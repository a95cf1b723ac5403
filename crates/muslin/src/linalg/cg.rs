//! Conjugate gradients, preconditioned by one symmetric Gauss–Seidel sweep.
//!
//! Solves A y = b, A = L + D + Lᵀ symmetric positive definite (D its diagonal blocks, Lᵀ what is above them). With the
//! preconditioner (D + L) D⁻¹ (D + Lᵀ) the iteration runs on r̂ = (D + L)⁻¹ r and
//!
//! ```text
//! Â = (D + L)⁻¹ A (D + Lᵀ)⁻¹:    t = (D + Lᵀ)⁻¹ p,    Â p = t + (D + L)⁻¹ (p - D t),    p - D t = Lᵀ t
//! ```
//!
//! so that a product with matrix and preconditioner together reads each block twice, as often as a product with the
//! matrix alone. Source: Eisenstat 1981. Constrained particles are part of A: see [`BlockMatrix::constrain`].

use glam::{DMat3, DVec3};

use super::BlockMatrix;
use super::block_matrix::transposed_times;
use crate::interrupt::Interrupt;

/// A solver and its working memory.
#[derive(Debug, Clone, Default)]
pub struct ConjugateGradients {
    inverse_diagonal: Vec<DMat3>,
    /// r̂.
    residual: Vec<DVec3>,
    /// D r̂.
    scaled: Vec<DVec3>,
    /// p.
    direction: Vec<DVec3>,
    /// t.
    swept: Vec<DVec3>,
    /// Â p.
    product: Vec<DVec3>,
    /// What ends a solve early; it has not converged then.
    pub(crate) interrupt: Interrupt,
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
    /// The right side is so large that its square is not finite.
    #[error("the right side is too large: its energy is {energy}")]
    Overflow {
        /// What the energy of the residual came to.
        energy: f64,
    },
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
    /// On [`CgError`] the solution so far is in `solution`.
    pub fn solve(
        &mut self,
        matrix: &BlockMatrix,
        right: &[DVec3],
        tolerance: f64,
        max_iterations: u32,
        solution: &mut [DVec3],
    ) -> Result<CgOutcome, CgError> {
        solution.fill(DVec3::ZERO);
        self.prepare(matrix)?;
        self.product.copy_from_slice(right);
        self.sweep_forward(matrix);
        self.residual.copy_from_slice(&self.product);
        let mut energy = self.advance(matrix, 0.0, solution);
        if !energy.is_finite() {
            return Err(CgError::Overflow { energy });
        }
        let target = energy * tolerance * tolerance;
        let mut keep = 0.0;
        for iteration in 0..max_iterations {
            if energy <= target {
                return Ok(CgOutcome { iterations: iteration, converged: true });
            }
            if self.interrupt.asked() {
                return Ok(CgOutcome { iterations: iteration, converged: false });
            }
            self.sweep_backward(matrix, keep);
            let curvature = self.sweep_forward(matrix);
            // Not `curvature <= 0`: NaN must not go on either.
            if !(curvature > 0.0) {
                return Err(CgError::Indefinite { curvature, iteration });
            }
            let next_energy = self.advance(matrix, energy / curvature, solution);
            keep = next_energy / energy;
            energy = next_energy;
        }
        Ok(CgOutcome { iterations: max_iterations, converged: energy <= target })
    }

    fn prepare(&mut self, matrix: &BlockMatrix) -> Result<(), CgError> {
        let vectors = [&mut self.residual, &mut self.direction, &mut self.product, &mut self.scaled, &mut self.swept];
        for vector in vectors {
            vector.clear();
            vector.resize(matrix.size(), DVec3::ZERO);
        }
        self.inverse_diagonal.clear();
        for block in matrix.diagonal() {
            self.inverse_diagonal.push(invert(block)?);
        }
        Ok(())
    }

    /// The next direction p = D r̂ + `keep` p and its t, from the last row up; leaves Lᵀ t in `product`.
    fn sweep_backward(&mut self, matrix: &BlockMatrix, keep: f64) {
        for i in (0..matrix.size()).rev() {
            let direction = self.scaled[i] + self.direction[i] * keep;
            let coupled: DVec3 = matrix.row(i).map(|(j, block)| *block * self.swept[j]).sum();
            self.direction[i] = direction;
            self.swept[i] = self.inverse_diagonal[i] * (direction - coupled);
            self.product[i] = coupled;
        }
    }

    /// t + (D + L)⁻¹ `product` in place: each row, once found, is taken out of the rows below. Returns pᵀ times it.
    fn sweep_forward(&mut self, matrix: &BlockMatrix) -> f64 {
        let mut curvature = 0.0;
        for i in 0..matrix.size() {
            let value = self.inverse_diagonal[i] * self.product[i];
            for (j, block) in matrix.row(i) {
                self.product[j] -= transposed_times(block, value);
            }
            self.product[i] = self.swept[i] + value;
            curvature += self.direction[i].dot(self.product[i]);
        }
        curvature
    }

    /// Goes `length` along the direction; returns r̂ᵀ D r̂ there and leaves D r̂ in `scaled`.
    fn advance(&mut self, matrix: &BlockMatrix, length: f64, solution: &mut [DVec3]) -> f64 {
        let mut energy = 0.0;
        for (i, (block, solution)) in matrix.diagonal().iter().zip(solution).enumerate() {
            *solution += self.swept[i] * length;
            let residual = self.residual[i] - self.product[i] * length;
            self.residual[i] = residual;
            self.scaled[i] = *block * residual;
            energy += residual.dot(self.scaled[i]);
        }
        energy
    }
}

/// The inverse of a positive definite block: one whose leading minors are all positive.
fn invert(block: &DMat3) -> Result<DMat3, CgError> {
    let corner = block.x_axis.x;
    let minor = corner * block.y_axis.y - block.x_axis.y * block.y_axis.x;
    let determinant = block.determinant();
    if corner > 0.0 && minor > 0.0 && determinant > 0.0 {
        Ok(block.inverse())
    } else {
        Err(CgError::Indefinite { curvature: corner.min(minor).min(determinant), iteration: 0 })
    }
}
