//! A symmetric sparse matrix of 3 × 3 blocks: its diagonal and, by rows, what is above it. The pattern is made once and
//! kept.

use glam::{DMat3, DVec3};

/// Where a block matrix has blocks above its diagonal: the couplings of a model's elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    row_start: Vec<usize>,
    column: Vec<u32>,
}

impl Pattern {
    /// The pattern that couples the members of every group with each other.
    pub fn new<'a>(size: usize, groups: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); size];
        for group in groups {
            for &i in group {
                rows[i as usize].extend(group.iter().filter(|&&j| j > i));
            }
        }
        let mut row_start = Vec::with_capacity(size + 1);
        let mut column = Vec::new();
        row_start.push(0);
        for row in &mut rows {
            row.sort_unstable();
            row.dedup();
            column.extend_from_slice(row);
            row_start.push(column.len());
        }
        Self { row_start, column }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.row_start.len() - 1
    }

    /// The storage place of the block above the diagonal that couples two different particles, in either order.
    ///
    /// # Panics
    /// If the pattern has no such block: a mistake in the caller, not in any input.
    pub fn slot(&self, i: u32, j: u32) -> u32 {
        let (row, column) = (i.min(j), i.max(j));
        let range = self.row_start[row as usize]..self.row_start[row as usize + 1];
        let place = self.column[range.clone()].binary_search(&column).expect("the pattern holds every coupling");
        (range.start + place) as u32
    }
}

/// A symmetric block matrix.
#[derive(Debug, Clone)]
pub struct BlockMatrix {
    pattern: Pattern,
    diagonal: Vec<DMat3>,
    upper: Vec<DMat3>,
}

impl BlockMatrix {
    /// The zero matrix of a pattern.
    pub fn zero(pattern: Pattern) -> Self {
        let diagonal = vec![DMat3::ZERO; pattern.size()];
        let upper = vec![DMat3::ZERO; pattern.column.len()];
        Self { pattern, diagonal, upper }
    }

    /// Where it has blocks.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.diagonal.len()
    }

    /// Sets all blocks to `factor` times those of a matrix of the same pattern.
    pub fn set_scaled(&mut self, other: &Self, factor: f64) {
        let scale = |target: &mut [DMat3], source: &[DMat3]| {
            for (target, source) in target.iter_mut().zip(source) {
                *target = *source * factor;
            }
        };
        scale(&mut self.diagonal, &other.diagonal);
        scale(&mut self.upper, &other.upper);
    }

    /// Sets all blocks to zero.
    pub fn clear(&mut self) {
        self.diagonal.fill(DMat3::ZERO);
        self.upper.fill(DMat3::ZERO);
    }

    /// Adds to the block at a storage place above the diagonal, and so to its mirror image.
    pub fn add(&mut self, slot: u32, block: DMat3) {
        self.upper[slot as usize] += block;
    }

    /// Adds to a diagonal block.
    pub fn add_diagonal(&mut self, row: usize, block: DMat3) {
        self.diagonal[row] += block;
    }

    /// The diagonal blocks.
    pub fn diagonal(&self) -> &[DMat3] {
        &self.diagonal
    }

    /// Columns and blocks of a row, right of the diagonal.
    #[inline]
    pub fn row(&self, row: usize) -> impl DoubleEndedIterator<Item = (usize, &DMat3)> {
        let range = self.pattern.row_start[row]..self.pattern.row_start[row + 1];
        self.pattern.column[range.clone()].iter().map(|&j| j as usize).zip(&self.upper[range])
    }

    /// Makes the matrix A that of constrained particles, C A C + (I - C), with C = `filter(i)` the projection onto the
    /// motion that particle i is allowed; none: all motion.
    pub fn constrain(&mut self, filter: impl Fn(usize) -> Option<DMat3>) {
        for row in 0..self.diagonal.len() {
            let range = self.pattern.row_start[row]..self.pattern.row_start[row + 1];
            let own = filter(row);
            if let Some(c) = own {
                self.diagonal[row] = c * self.diagonal[row] * c + (DMat3::IDENTITY - c);
            }
            for (&column, block) in self.pattern.column[range.clone()].iter().zip(&mut self.upper[range]) {
                if let Some(c) = own {
                    *block = c * *block;
                }
                if let Some(c) = filter(column as usize) {
                    *block *= c;
                }
            }
        }
    }

    /// `result = self · vector`.
    pub fn multiply(&self, vector: &[DVec3], result: &mut [DVec3]) {
        for (i, value) in result.iter_mut().enumerate() {
            *value = self.diagonal[i] * vector[i];
        }
        for i in 0..self.size() {
            let mut sum = DVec3::ZERO;
            for (j, block) in self.row(i) {
                sum += *block * vector[j];
                result[j] += transposed_times(block, vector[i]);
            }
            result[i] += sum;
        }
    }
}

/// Aᵀ v.
#[inline]
pub(super) fn transposed_times(a: &DMat3, v: DVec3) -> DVec3 {
    DVec3::new(a.x_axis.dot(v), a.y_axis.dot(v), a.z_axis.dot(v))
}
