//! Sparse LDLᵀ of a symmetric positive matrix of 3 × 3 blocks over particles, for matrices that couple coordinates.
//!
//! P A Pᵀ = L D Lᵀ, P geometric nested dissection of the rest shape. Order and pattern of the factor are found once;
//! numbers are made by dense blocks, on one thread.

use glam::{DMat3, DVec3};
use muslin_factor::{Factor, Kernel, Triangle};

use super::ordering::{Neighbours, nested_dissection};

/// Where a block below the diagonal is stored: its first entry, and the lengths of the three columns it is part of.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// The block's entry in the first row of each of its columns.
    first: [u32; 3],
    /// True when the pair's second particle has the row.
    second_is_row: bool,
}

/// A matrix, its factor, and the memory to make and use it.
#[derive(Debug)]
pub(crate) struct ParticleSystem {
    /// Where each particle comes in the order of elimination.
    place: Vec<u32>,
    /// The lower triangle of P A Pᵀ by columns, the rows of a column in order.
    col_start: Vec<u32>,
    row: Vec<u32>,
    values: Vec<f64>,
    /// By pair.
    slots: Vec<Slot>,
    factor: Factor,
    /// Right sides, then solutions, in the order of elimination.
    right: Vec<f64>,
}

impl ParticleSystem {
    /// Finds the pattern of the factor for a matrix that has blocks on its diagonal and between the particles of each
    /// of the `pairs`; `centres` are places of the particles at rest [m]. None when memory runs out.
    pub(crate) fn new(pairs: &[[u32; 2]], centres: &[DVec3]) -> Option<Self> {
        let size = centres.len();
        let order = nested_dissection(Neighbours::of(size, pairs.iter().copied()), centres);
        let mut place = vec![0; size];
        (0..).zip(&order).for_each(|(new, old)| place[*old as usize] = new);
        let ends = |[a, b]: [u32; 2]| {
            let (a, b) = (place[a as usize], place[b as usize]);
            [a.min(b), a.max(b)]
        };
        let mut blocks: Vec<[u32; 2]> =
            (0..size as u32).map(|i| [i, i]).chain(pairs.iter().map(|p| ends(*p))).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let (col_start, row) = columns(&blocks, size, false);
        let first_block: Vec<usize> =
            (0..size).map(|j| blocks.partition_point(|[column, _]| (*column as usize) < j)).collect();
        let slots = pairs.iter().map(|pair| {
            let [column, row] = ends(*pair);
            let within = blocks[first_block[column as usize]..].partition_point(|block| *block < [column, row]) as u32;
            // The diagonal block has only its lower half: a column starts with 3, 2 or 1 of its entries.
            let first = std::array::from_fn(|k| col_start[3 * column as usize + k] + 3 * within - k as u32);
            Slot { first, second_is_row: place[pair[1] as usize] == row }
        });
        let slots = slots.collect();
        // The pattern of the factor is found from the other triangle.
        let mut mirrored: Vec<[u32; 2]> = blocks.iter().map(|[column, row]| [*row, *column]).collect();
        mirrored.sort_unstable();
        let (upper_start, upper_row) = columns(&mirrored, size, true);
        let upper = Triangle { col_start: &upper_start, row: &upper_row };
        let factor = Factor::analyse(upper, Some(Kernel::Blocks))?;
        let (values, right) = (vec![0.0; row.len()], vec![0.0; 3 * size]);
        Some(Self { place, col_start, row, values, slots, factor, right })
    }

    /// Makes all entries 0.
    pub(crate) fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds a symmetric block on the diagonal.
    pub(crate) fn add_diagonal(&mut self, particle: usize, block: DMat3) {
        let column = 3 * self.place[particle] as usize;
        for (k, values) in block.to_cols_array_2d().iter().enumerate() {
            let start = self.col_start[column + k] as usize;
            for (entry, value) in self.values[start..].iter_mut().zip(&values[k..]) {
                *entry += value;
            }
        }
    }

    /// Adds the block that pair number `pair` has in the rows of its first and the columns of its second particle, and
    /// its mirror image.
    pub(crate) fn add_pair(&mut self, pair: usize, block: DMat3) {
        let Slot { first, second_is_row } = self.slots[pair];
        let block = if second_is_row { block.transpose() } else { block };
        for (first, values) in first.iter().zip(block.to_cols_array_2d()) {
            let first = *first as usize;
            for (entry, value) in self.values[first..first + 3].iter_mut().zip(values) {
                *entry += value;
            }
        }
    }

    /// Makes the factor; false when a pivot vanishes or is no number.
    pub(crate) fn factor(&mut self) -> bool {
        self.factor.factor(Triangle { col_start: &self.col_start, row: &self.row }, &self.values)
    }

    /// Replaces a vector by the solution with it on the right side.
    pub(crate) fn solve(&mut self, vector: &mut [DVec3]) {
        for (value, place) in vector.iter().zip(&self.place) {
            value.write_to_slice(&mut self.right[3 * *place as usize..]);
        }
        self.factor.solve(&mut self.right);
        for (value, place) in vector.iter_mut().zip(&self.place) {
            *value = DVec3::from_slice(&self.right[3 * *place as usize..]);
        }
    }
}

/// Columns of the entries that blocks have, `[column, row]` in order: those of one triangle.
fn columns(blocks: &[[u32; 2]], size: usize, upper: bool) -> (Vec<u32>, Vec<u32>) {
    let (mut start, mut row) = (Vec::with_capacity(3 * size + 1), Vec::with_capacity(9 * blocks.len()));
    for block_column in blocks.chunk_by(|p, q| p[0] == q[0]) {
        for column in 3 * block_column[0][0]..3 * block_column[0][0] + 3 {
            start.push(row.len() as u32);
            let rows = block_column.iter().flat_map(|[_, block]| 3 * block..3 * block + 3);
            row.extend(rows.filter(|row| if upper { *row <= column } else { *row >= column }));
        }
    }
    start.push(row.len() as u32);
    (start, row)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::forces::outer;

    #[test]
    fn solutions_satisfy_random_positive_systems() {
        let mut dice = rand_pcg::Pcg64::seed_from_u64(11);
        for side in [1_u32, 2, 3, 8] {
            let at = |i: u32, j: u32| i * side + j;
            let centres: Vec<DVec3> =
                (0..side * side).map(|p| DVec3::new(f64::from(p / side), 0.0, f64::from(p % side))).collect();
            let cells = (1..side).flat_map(|i| (1..side).map(move |j| (i, j)));
            let pairs: Vec<[u32; 2]> = cells
                .flat_map(|(i, j)| [[at(i, j), at(i - 1, j)], [at(i, j - 1), at(i, j)], [at(i - 1, j), at(i, j - 1)]])
                .collect();
            let mut system = ParticleSystem::new(&pairs, &centres).expect("memory");
            let mut random = || DVec3::from_array(std::array::from_fn(|_| dice.random_range(-1.0..1.0)));
            // Twice: the second factor is made in the memory of the one before.
            for _ in 0..2 {
                let terms: Vec<_> = pairs.iter().map(|pair| (*pair, random(), random())).collect();
                system.clear();
                for i in 0..centres.len() {
                    system.add_diagonal(i, DMat3::IDENTITY * 0.3);
                }
                // (u, v)(u, v)ᵀ is positive.
                for (number, ([a, b], u, v)) in terms.iter().enumerate() {
                    system.add_diagonal(*a as usize, outer(*u, *u));
                    system.add_diagonal(*b as usize, outer(*v, *v));
                    system.add_pair(number, outer(*u, *v));
                }
                let right: Vec<DVec3> = centres.iter().map(|_| random()).collect();
                let mut x = right.clone();
                assert!(system.factor());
                system.solve(&mut x);
                let mut product: Vec<DVec3> = x.iter().map(|x| *x * 0.3).collect();
                for ([a, b], u, v) in &terms {
                    let along = u.dot(x[*a as usize]) + v.dot(x[*b as usize]);
                    product[*a as usize] += *u * along;
                    product[*b as usize] += *v * along;
                }
                for (product, right) in product.iter().zip(&right) {
                    assert!((*product - *right).length() < 1e-11, "{side}: off by {}", *product - *right);
                }
            }
        }
    }
}
