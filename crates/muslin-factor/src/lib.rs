//! Sparse LDLᵀ of symmetric matrices: the only place that names the solver library.
//!
//! A crate of its own because the library is generic: what is used of it is compiled here, once, and not with every
//! change of the physics. Everything runs on one thread, in the same order every time.
//!
//! Patterns are one triangle by columns, the rows of a column in order, the diagonal among them.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::linalg::{SupernodalThreshold, amd};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side, Spec};

/// Dense blocks pay from this number of operations per entry of the factor on, in units of the library's own threshold:
/// a square sheet of about 60 particles a side. The library's own choice comes too late.
const BLOCKS_FROM: SupernodalThreshold = SupernodalThreshold(0.45);

/// One triangle of a symmetric pattern.
#[derive(Debug, Clone, Copy)]
pub struct Triangle<'a> {
    /// Where each column starts, and where the last one ends.
    pub col_start: &'a [u32],
    /// The row of each entry.
    pub row: &'a [u32],
}

impl<'a> Triangle<'a> {
    fn size(self) -> usize {
        self.col_start.len() - 1
    }

    fn symbolic(self) -> SymbolicSparseColMatRef<'a, u32> {
        SymbolicSparseColMatRef::new_checked(self.size(), self.size(), self.col_start, None, self.row)
    }
}

/// How a factor is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// Entry by entry: reads the upper triangle.
    Entries,
    /// By dense blocks: reads the lower triangle.
    Blocks,
}

/// Approximate minimum degree, `order[new] = old`; none when memory runs out.
pub fn minimum_degree(triangle: Triangle<'_>) -> Option<Vec<u32>> {
    let size = triangle.size();
    let (mut order, mut inverse) = (vec![0; size], vec![0; size]);
    let mut memory = MemBuffer::try_new(amd::order_scratch::<u32>(size, triangle.row.len())).ok()?;
    let control = amd::Control::default();
    amd::order(&mut order, &mut inverse, triangle.symbolic(), control, MemStack::new(&mut memory)).ok()?;
    Some(order)
}

/// Vectors that are solved for at once: as many as there are coordinates.
pub const MOST_VECTORS: usize = 3;

/// The pattern of a factor, its numbers, and the memory to make and use it.
pub struct Factor {
    symbolic: SymbolicCholesky<u32>,
    values: Vec<f64>,
    memory: MemBuffer,
}

impl Factor {
    /// Finds the pattern of the factor of a matrix whose **upper** triangle is given; none when memory runs out.
    /// Without a wish the kernel is the one that is faster.
    pub fn analyse(upper: Triangle<'_>, wish: Option<Kernel>) -> Option<Self> {
        let blocks = match wish {
            None => BLOCKS_FROM,
            Some(Kernel::Entries) => SupernodalThreshold::FORCE_SIMPLICIAL,
            Some(Kernel::Blocks) => SupernodalThreshold::FORCE_SUPERNODAL,
        };
        let params = CholeskySymbolicParams { supernodal_flop_ratio_threshold: blocks, ..Default::default() };
        let order = SymmetricOrdering::Identity;
        let symbolic = factorize_symbolic_cholesky(upper.symbolic(), Side::Upper, order, params).ok()?;
        let need = StackReq::any_of(&[
            symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Spec::default()),
            symbolic.solve_in_place_scratch::<f64>(MOST_VECTORS, Par::Seq),
        ]);
        let memory = MemBuffer::try_new(need).ok()?;
        Some(Self { values: vec![0.0; symbolic.len_val()], memory, symbolic })
    }

    /// How the factor is made, and so which triangle [`Factor::factor`] reads.
    pub fn kernel(&self) -> Kernel {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(_) => Kernel::Entries,
            SymbolicCholeskyRaw::Supernodal(_) => Kernel::Blocks,
        }
    }

    /// Numbers in the factor.
    pub fn size(&self) -> usize {
        self.values.len()
    }

    /// The pattern of L by columns, each starting with its diagonal; none for one made by blocks.
    pub fn pattern(&self) -> Option<Triangle<'_>> {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(l) => Some(Triangle { col_start: l.col_ptr(), row: l.row_idx() }),
            SymbolicCholeskyRaw::Supernodal(_) => None,
        }
    }

    /// Makes the factor of the matrix whose triangle, as the kernel wants it, is given; false when a pivot vanishes or
    /// is no number.
    pub fn factor(&mut self, triangle: Triangle<'_>, values: &[f64]) -> bool {
        let side = match self.kernel() {
            Kernel::Entries => Side::Upper,
            Kernel::Blocks => Side::Lower,
        };
        let made = self.symbolic.factorize_numeric_ldlt(
            &mut self.values,
            SparseColMatRef::new(triangle.symbolic(), values),
            side,
            LdltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut self.memory),
            Spec::default(),
        );
        made.is_ok()
    }

    /// Replaces vectors, at most [`MOST_VECTORS`] of them one after the other, by the solutions with them on the right
    /// side.
    pub fn solve(&mut self, vectors: &mut [f64]) {
        let size = self.symbolic.nrows();
        let count = vectors.len() / size.max(1);
        LdltRef::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(vectors, size, count),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
    }
}

impl std::fmt::Debug for Factor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Factor").field("kernel", &self.kernel()).field("size", &self.size()).finish_non_exhaustive()
    }
}
