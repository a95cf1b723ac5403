//! Linear algebra: of the implicit integrators, a symmetric sparse matrix of 3 × 3 blocks and a conjugate-gradient
//! solver; of the limiters, systems over rows (pairs of particles) with direct and iterative solvers. All sums run in
//! an order that does not depend on the number of threads.

mod block_matrix;
mod cg;
mod cholesky;
/// Systems over rows, for the limiters of the literature.
#[cfg(feature = "limiters")]
mod ldlt;
#[cfg(feature = "limiters")]
mod lu;
mod ordering;
#[cfg(feature = "limiters")]
mod particle_system;
#[cfg(feature = "limiters")]
mod pcg;
#[cfg(feature = "limiters")]
mod permuted;
#[cfg(feature = "limiters")]
mod row_pattern;
#[cfg(feature = "limiters")]
mod row_solver;
#[cfg(feature = "limiters")]
mod row_system;
mod vector;

pub use block_matrix::{BlockMatrix, Pattern};
pub use cg::{CgError, CgOutcome, ConjugateGradients};
pub(crate) use cholesky::Cholesky;
#[cfg(feature = "limiters")]
pub use ldlt::Ldlt;
#[cfg(feature = "limiters")]
pub use lu::Lu;
#[cfg(feature = "limiters")]
pub(crate) use particle_system::ParticleSystem;
#[cfg(feature = "limiters")]
pub use pcg::{Pcg, PcgOutcome};
#[cfg(feature = "limiters")]
pub use row_pattern::RowPattern;
#[cfg(feature = "limiters")]
pub use row_solver::{RowMethod, RowOutcome, RowSolver};
#[cfg(feature = "limiters")]
pub use row_system::RowSystem;
pub use vector::dot;
