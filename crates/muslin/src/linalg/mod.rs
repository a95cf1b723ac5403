//! Linear algebra of the implicit integrators: a symmetric sparse matrix of 3 × 3 blocks and a conjugate-gradient solver.
//! All sums run in an order that does not depend on the number of threads.

mod block_matrix;
mod cg;
mod vector;

pub use block_matrix::{BlockMatrix, Pattern};
pub use cg::{CgError, CgOutcome, ConjugateGradients};
pub use vector::dot;
