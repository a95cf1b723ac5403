//! Sparse LU of a matrix that is not symmetric but whose pattern is.
//!
//! P A Pᵀ = L U, column by column, without pivoting: L and Uᵀ share the pattern of the LDLᵀ factor, so that order,
//! pattern and memory are kept while the pattern of A holds. Without pivoting the factor can be bad; the caller checks
//! the residual. The matrices here are a symmetric positive one plus what edges turn within a step: for small turns
//! elimination needs no pivoting.

use glam::DVec3;
use muslin_factor::Kernel;

use super::ldlt::Analysis;
use super::permuted::{Half, Permuted};
use super::{RowPattern, RowSystem};
use crate::settings::Ordering;
use crate::timing::{SolverClock, SolverStage, Watch};

/// A factor, and the memory to make and use it.
#[derive(Debug)]
pub struct Lu {
    order: Vec<u32>,
    above: Permuted,
    below: Permuted,
    factors: Factors,
    column: Vec<f64>,
}

/// L (unit diagonal) and U. What L has at (j, k), U has at (k, j): one pattern serves both.
#[derive(Debug)]
struct Factors {
    /// Where each column of L starts, its diagonal first.
    col_start: Vec<u32>,
    row: Vec<u32>,
    /// For each row of L, left of the diagonal: columns and places, in order.
    row_start: Vec<u32>,
    left: Vec<(u32, u32)>,
    l: Vec<f64>,
    u: Vec<f64>,
    pivot: Vec<f64>,
}

impl Lu {
    /// Does what depends on the pattern alone; none when memory runs out. `centres` [m] are the rows' places at rest.
    pub fn analyse(
        pattern: &RowPattern,
        centres: &[DVec3],
        ordering: Ordering,
        clock: &mut SolverClock,
    ) -> Option<Self> {
        let analysis = Analysis::new(pattern, centres, ordering, Some(Kernel::Entries), clock)?;
        let start = Watch::start();
        let l = analysis.factor.pattern()?;
        let factors = Factors::zero(l.col_start.to_vec(), l.row.to_vec());
        clock.add(SolverStage::Symbolic, start);
        let start = Watch::start();
        let below = Permuted::new(pattern, &analysis.place, Half::Lower);
        clock.add(SolverStage::Permute, start);
        let column = vec![0.0; pattern.size()];
        Some(Self { order: analysis.order, above: analysis.upper, below, factors, column })
    }

    /// Factors A + `fraction` diag A; false when a pivot vanishes or is no number.
    pub fn factor(&mut self, system: &RowSystem, fraction: f64, clock: &mut SolverClock) -> bool {
        let start = Watch::start();
        self.column.fill(0.0);
        let (lower, upper) = (system.lower(), system.upper());
        let mut sound = true;
        for j in 0..system.size() {
            for triangle in [&self.above, &self.below] {
                for entry in triangle.col_start[j] as usize..triangle.col_start[j + 1] as usize {
                    let (slot, mirrored) = triangle.source[entry];
                    let value = if mirrored { upper[slot as usize] } else { lower[slot as usize] };
                    self.column[triangle.row[entry] as usize] = value;
                }
            }
            self.column[j] *= 1.0 + fraction;
            sound = self.factors.eliminate(j, &mut self.column);
            if !sound {
                break;
            }
        }
        clock.add(SolverStage::Numeric, start);
        sound
    }

    /// Replaces `vector` by (A + fraction diag A)⁻¹ `vector`, for the matrix factored last.
    pub fn solve(&mut self, vector: &mut [f64], clock: &mut SolverClock) {
        let start = Watch::start();
        for (value, &old) in self.column.iter_mut().zip(&self.order) {
            *value = vector[old as usize];
        }
        self.factors.substitute(&mut self.column);
        for (value, &old) in self.column.iter().zip(&self.order) {
            vector[old as usize] = *value;
        }
        clock.add(SolverStage::Solve, start);
    }
}

impl Factors {
    fn zero(col_start: Vec<u32>, row: Vec<u32>) -> Self {
        let size = col_start.len() - 1;
        let mut lists: Vec<Vec<(u32, u32)>> = vec![Vec::new(); size];
        for k in 0..size {
            for place in col_start[k] + 1..col_start[k + 1] {
                lists[row[place as usize] as usize].push((k as u32, place));
            }
        }
        let row_start = std::iter::once(0).chain(lists.iter().scan(0, |end, list| {
            *end += list.len() as u32;
            Some(*end)
        }));
        Self {
            row_start: row_start.collect(),
            left: lists.concat(),
            l: vec![0.0; row.len()],
            u: vec![0.0; row.len()],
            pivot: vec![0.0; size],
            col_start,
            row,
        }
    }

    /// Turns column j of the matrix into column j of L and U; leaves zeros in `column`. False when the pivot is no
    /// good.
    fn eliminate(&mut self, j: usize, column: &mut [f64]) -> bool {
        for &(k, place) in &self.left[self.row_start[j] as usize..self.row_start[j + 1] as usize] {
            let value = std::mem::take(&mut column[k as usize]);
            self.u[place as usize] = value;
            for below in self.below(k as usize) {
                column[self.row[below] as usize] -= self.l[below] * value;
            }
        }
        let pivot = std::mem::take(&mut column[j]);
        self.pivot[j] = pivot;
        for below in self.below(j) {
            self.l[below] = std::mem::take(&mut column[self.row[below] as usize]) / pivot;
        }
        pivot != 0.0 && pivot.is_finite()
    }

    /// Forward and backward substitution, in the order of elimination.
    fn substitute(&self, vector: &mut [f64]) {
        for k in 0..self.pivot.len() {
            for below in self.below(k) {
                vector[self.row[below] as usize] -= self.l[below] * vector[k];
            }
        }
        for k in (0..self.pivot.len()).rev() {
            let known: f64 = self.below(k).map(|below| self.u[below] * vector[self.row[below] as usize]).sum();
            vector[k] = (vector[k] - known) / self.pivot[k];
        }
    }

    /// Places below the diagonal in a column of L.
    fn below(&self, k: usize) -> std::ops::Range<usize> {
        self.col_start[k] as usize + 1..self.col_start[k + 1] as usize
    }
}
