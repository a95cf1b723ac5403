//! Linear algebra: of the implicit integrators, a symmetric sparse matrix of 3 × 3 blocks and a conjugate-gradient
//! solver; of the limiters, systems over rows (pairs of particles) with direct and iterative solvers. All sums run in
//! an order that does not depend on the number of threads.

mod block_matrix;
mod cg;
mod ldlt;
mod lu;
mod ordering;
mod pcg;
mod permuted;
mod row_pattern;
mod row_solver;
mod row_system;
mod vector;

pub use block_matrix::{BlockMatrix, Pattern};
pub use cg::{CgError, CgOutcome, ConjugateGradients};
pub use ldlt::Ldlt;
pub use lu::Lu;
pub use pcg::{Pcg, PcgOutcome};
pub use row_pattern::RowPattern;
pub use row_solver::{RowMethod, RowOutcome, RowSolver};
pub use row_system::RowSystem;
pub use vector::dot;
