//! Sparse LDLᵀ, its five stages apart: order, permute, symbolic, numeric, solve ([Ye08] §7).
//!
//! P A Pᵀ = L D Lᵀ. The first three stages depend on the pattern alone and are done once for it. Small factors are made
//! entry by entry, large ones by dense blocks; one thread, so that bits do not depend on the number of threads. There
//! is no pivoting: whether the result is any good is for the caller to check by its residual.

use glam::DVec3;
use muslin_factor::{Factor, Kernel};

use super::permuted::{Half, Permuted};
use super::{RowPattern, RowSystem, ordering};
use crate::settings::Ordering;
use crate::timing::{SolverClock, SolverStage, Watch};

/// What depends on the pattern alone.
#[derive(Debug)]
pub(super) struct Analysis {
    /// `order[new] = old`.
    pub(super) order: Vec<u32>,
    /// `place[old] = new`.
    pub(super) place: Vec<u32>,
    pub(super) upper: Permuted,
    pub(super) factor: Factor,
}

impl Analysis {
    /// Orders, permutes and analyses a pattern; none when memory runs out. `centres` [m] are the rows' places at rest.
    pub(super) fn new(
        pattern: &RowPattern,
        centres: &[DVec3],
        ordering: Ordering,
        kernel: Option<Kernel>,
        clock: &mut SolverClock,
    ) -> Option<Self> {
        let start = Watch::start();
        let order = match ordering {
            Ordering::Amd => ordering::minimum_degree(pattern),
            Ordering::NestedDissection => {
                ordering::nested_dissection(ordering::Neighbours::of_pattern(pattern), centres)
            }
        };
        clock.add(SolverStage::Order, start);

        let start = Watch::start();
        let mut place = vec![0; order.len()];
        for (new, &old) in (0..).zip(&order) {
            place[old as usize] = new;
        }
        let upper = Permuted::new(pattern, &place, Half::Upper);
        clock.add(SolverStage::Permute, start);

        let start = Watch::start();
        let factor = Factor::analyse(upper.triangle(), kernel)?;
        clock.add(SolverStage::Symbolic, start);
        Some(Self { order, place, upper, factor })
    }
}

/// A factor, and the memory to make and use it.
#[derive(Debug)]
pub struct Ldlt {
    analysis: Analysis,
    /// The triangle that the numeric stage reads.
    permuted: Permuted,
    values: Vec<f64>,
    right: Vec<f64>,
}

impl Ldlt {
    /// Does the stages that depend on the pattern alone; none when memory runs out. `centres` [m] are the rows' places
    /// at rest, for nested dissection.
    pub fn analyse(
        pattern: &RowPattern,
        centres: &[DVec3],
        ordering: Ordering,
        clock: &mut SolverClock,
    ) -> Option<Self> {
        let analysis = Analysis::new(pattern, centres, ordering, None, clock)?;
        let start = Watch::start();
        let permuted = match analysis.factor.kernel() {
            Kernel::Entries => analysis.upper.clone(),
            Kernel::Blocks => Permuted::new(pattern, &analysis.place, Half::Lower),
        };
        clock.add(SolverStage::Permute, start);
        let (values, right) = (vec![0.0; permuted.row.len()], vec![0.0; pattern.size()]);
        Some(Self { analysis, permuted, values, right })
    }

    /// Numbers in the factor.
    pub fn factor_size(&self) -> usize {
        self.analysis.factor.size()
    }

    /// True when the factor is made by dense blocks.
    pub fn by_blocks(&self) -> bool {
        self.analysis.factor.kernel() == Kernel::Blocks
    }

    /// Factors the symmetric matrix A + `fraction` diag A; false when a pivot vanishes or is no number.
    pub fn factor(&mut self, system: &RowSystem, fraction: f64, clock: &mut SolverClock) -> bool {
        let start = Watch::start();
        let lower = system.lower();
        for (value, &(slot, _)) in self.values.iter_mut().zip(&self.permuted.source) {
            *value = lower[slot as usize];
        }
        for old in 0..system.size() {
            let new = self.analysis.place[old] as usize;
            let slot = match self.analysis.factor.kernel() {
                Kernel::Entries => self.permuted.col_start[new + 1] - 1,
                Kernel::Blocks => self.permuted.col_start[new],
            };
            self.values[slot as usize] *= 1.0 + fraction;
        }
        clock.add(SolverStage::Permute, start);

        let start = Watch::start();
        let made = self.analysis.factor.factor(self.permuted.triangle(), &self.values);
        clock.add(SolverStage::Numeric, start);
        made
    }

    /// Replaces `vector` by (A + fraction diag A)⁻¹ `vector`, for the matrix factored last.
    pub fn solve(&mut self, vector: &mut [f64], clock: &mut SolverClock) {
        let start = Watch::start();
        let order = &self.analysis.order;
        for (value, &old) in self.right.iter_mut().zip(order) {
            *value = vector[old as usize];
        }
        self.analysis.factor.solve(&mut self.right);
        for (value, &old) in self.right.iter().zip(order) {
            vector[old as usize] = *value;
        }
        clock.add(SolverStage::Solve, start);
    }
}
