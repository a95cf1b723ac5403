//! A square sparse matrix of 3 × 3 blocks, stored by rows, with a pattern that is made once and kept.

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::vector::CHUNK;

/// Where a block matrix has blocks: the couplings of a model's elements, and the diagonal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    row_start: Vec<usize>,
    column: Vec<u32>,
}

impl Pattern {
    /// The pattern that couples the members of every group with each other.
    pub fn new<'a>(size: usize, groups: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut rows: Vec<Vec<u32>> = (0..size as u32).map(|i| vec![i]).collect();
        for group in groups {
            for &i in group {
                rows[i as usize].extend_from_slice(group);
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

    /// The storage place of block (row, column).
    ///
    /// # Panics
    /// If the pattern has no such block: a mistake in the caller, not in any input.
    pub fn slot(&self, row: u32, column: u32) -> u32 {
        let range = self.row_start[row as usize]..self.row_start[row as usize + 1];
        let place = self.column[range.clone()].binary_search(&column).expect("the pattern holds every coupling");
        (range.start + place) as u32
    }
}

/// A block matrix.
#[derive(Debug, Clone)]
pub struct BlockMatrix {
    pattern: Pattern,
    blocks: Vec<DMat3>,
    diagonal: Vec<u32>,
}

impl BlockMatrix {
    /// The zero matrix of a pattern.
    pub fn zero(pattern: Pattern) -> Self {
        let blocks = vec![DMat3::ZERO; pattern.column.len()];
        let diagonal = (0..pattern.size() as u32).map(|i| pattern.slot(i, i)).collect();
        Self { pattern, blocks, diagonal }
    }

    /// Where it has blocks.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Sets all blocks to those of a matrix of the same pattern.
    pub fn copy_from(&mut self, other: &Self) {
        self.blocks.copy_from_slice(&other.blocks);
    }

    /// Sets all blocks to zero.
    pub fn clear(&mut self) {
        self.blocks.fill(DMat3::ZERO);
    }

    /// Adds to the block at a storage place.
    pub fn add(&mut self, slot: u32, block: DMat3) {
        self.blocks[slot as usize] += block;
    }

    /// Adds to a diagonal block.
    pub fn add_diagonal(&mut self, row: usize, block: DMat3) {
        self.blocks[self.diagonal[row] as usize] += block;
    }

    /// A diagonal block.
    pub fn diagonal(&self, row: usize) -> DMat3 {
        self.blocks[self.diagonal[row] as usize]
    }

    /// Multiplies every block.
    pub fn scale(&mut self, factor: f64) {
        for block in &mut self.blocks {
            *block *= factor;
        }
    }

    /// `result = self · vector`.
    pub fn multiply(&self, vector: &[DVec3], result: &mut [DVec3]) {
        let rows = |first: usize, result: &mut [DVec3]| {
            for (row, value) in (first..).zip(result) {
                let range = self.pattern.row_start[row]..self.pattern.row_start[row + 1];
                let blocks = &self.blocks[range.clone()];
                let columns = &self.pattern.column[range];
                *value = blocks.iter().zip(columns).map(|(block, j)| *block * vector[*j as usize]).sum();
            }
        };
        if result.len() <= CHUNK {
            rows(0, result);
        } else {
            result.par_chunks_mut(CHUNK / 4).enumerate().for_each(|(k, part)| rows(k * (CHUNK / 4), part));
        }
    }
}
