//! Sparse LDLᵀ of a symmetric positive matrix over particles, for three coordinates at once.
//!
//! ```text
//! P A Pᵀ = L D Lᵀ,   row by row:   L_k. solves L_<k D_<k L_k.ᵀ = A_<k,k,     D_k = A_kk - Σ_j L_kj² D_j
//! ```
//!
//! L has a unit diagonal, D is diagonal. The entries of a row of L are found by walking from those of A up the tree of
//! elimination: parent(j) = the first row below j in which column j of L has an entry. Source: Davis, *Direct Methods
//! for Sparse Linear Systems*, 2006, chapter 4. P is geometric nested dissection. No pivoting: A is positive.
//!
//! The limiters of the literature have matrices of their own, which need more (`ldlt`), and a library that a game need
//! not compile.

use glam::DVec3;

use super::ordering::{Neighbours, nested_dissection};

/// No parent: the root of a tree.
const ROOT: u32 = u32::MAX;

/// A matrix, its factor, and the memory to make and use it.
#[derive(Debug)]
pub(crate) struct Cholesky {
    /// Where each row comes in the order of elimination: `place[particle]`.
    place: Vec<u32>,
    /// The upper triangle of P A Pᵀ by columns, the rows of a column in order, the diagonal last.
    col_start: Vec<u32>,
    row: Vec<u32>,
    values: Vec<f64>,
    /// The parent of each column in the tree of elimination.
    parent: Vec<u32>,
    /// L below its diagonal by columns.
    l_start: Vec<u32>,
    l_row: Vec<u32>,
    l: Vec<f64>,
    pivot: Vec<f64>,
    /// Of the row under way: its values, the columns it has been to, and those with an entry, last ones first.
    work: Vec<f64>,
    visited: Vec<u32>,
    path: Vec<u32>,
    filled: Vec<u32>,
    /// Right sides, then solutions, in the order of elimination.
    solution: Vec<DVec3>,
}

impl Cholesky {
    /// Finds the pattern of the factor for a matrix that has entries between all particles that are in one of the
    /// `cliques`; `centres` are places of the particles at rest [m].
    pub(crate) fn new<const N: usize>(cliques: impl Iterator<Item = [u32; N]> + Clone, centres: &[DVec3]) -> Self {
        let size = centres.len();
        let pairs = cliques.flat_map(|clique| (0..N).flat_map(move |k| (0..k).map(move |l| [clique[k], clique[l]])));
        let mut place = vec![0; size];
        let order = nested_dissection(Neighbours::of(size, pairs.clone()), centres);
        (0..).zip(&order).for_each(|(new, old)| place[*old as usize] = new);
        let mut entries: Vec<[u32; 2]> = (0..size as u32).map(|i| [i, i]).collect();
        entries.extend(pairs.filter(|[i, j]| i != j).map(|pair| in_upper(&place, pair)));
        entries.sort_unstable();
        entries.dedup();
        let col_start = starts(size, entries.iter().map(|[col, _]| *col));
        let row: Vec<u32> = entries.into_iter().map(|[_, row]| row).collect();
        let (parent, counts) = eliminate(&col_start, &row);
        let l_start =
            starts(size, (0..).zip(&counts).flat_map(|(col, count)| std::iter::repeat_n(col, *count as usize)));
        let fill = l_start[size] as usize;
        Self {
            place,
            values: vec![0.0; row.len()],
            col_start,
            row,
            parent,
            l_start,
            l_row: vec![0; fill],
            l: vec![0.0; fill],
            pivot: vec![0.0; size],
            work: vec![0.0; size],
            visited: vec![ROOT; size],
            path: Vec::with_capacity(size),
            filled: vec![0; size],
            solution: vec![DVec3::ZERO; size],
        }
    }

    /// Makes all entries 0.
    pub(crate) fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds to the entry of two particles, which a clique has, and to its mirror image.
    pub(crate) fn add(&mut self, pair: [u32; 2], value: f64) {
        let [col, row] = in_upper(&self.place, pair);
        let column = self.col_start[col as usize] as usize..self.col_start[col as usize + 1] as usize;
        let within = self.row[column.clone()].partition_point(|&other| other < row);
        self.values[column.start + within] += value;
    }

    /// Makes the factor.
    pub(crate) fn factor(&mut self) {
        let size = self.place.len();
        self.visited.fill(ROOT);
        // Ends of the columns of L as far as they are filled.
        self.filled.copy_from_slice(&self.l_start[..size]);
        for k in 0..size {
            self.scatter(k);
            let mut pivot = std::mem::take(&mut self.work[k]);
            while let Some(j) = self.path.pop() {
                let (j, start) = (j as usize, self.l_start[j as usize] as usize);
                let end = self.filled[j] as usize;
                let y = std::mem::take(&mut self.work[j]);
                for (row, l) in self.l_row[start..end].iter().zip(&self.l[start..end]) {
                    self.work[*row as usize] -= l * y;
                }
                let l = y / self.pivot[j];
                pivot -= l * y;
                (self.l_row[end], self.l[end]) = (k as u32, l);
                self.filled[j] += 1;
            }
            debug_assert!(pivot > 0.0, "pivot {k} is {pivot}: the matrix is not positive");
            self.pivot[k] = pivot;
        }
    }

    /// Writes column `k` of the upper triangle to `work`, and the columns that row `k` of L has entries in to `path`,
    /// so that each is popped before its parent.
    fn scatter(&mut self, k: usize) {
        self.visited[k] = k as u32;
        let entries = self.col_start[k] as usize..self.col_start[k + 1] as usize;
        for entry in entries {
            let mut j = self.row[entry];
            self.work[j as usize] += self.values[entry];
            let from = self.path.len();
            while self.visited[j as usize] != k as u32 {
                self.visited[j as usize] = k as u32;
                self.path.push(j);
                j = self.parent[j as usize];
            }
            // This branch must come before what it leads to, which is there already: to the end, its root first.
            self.path[from..].reverse();
        }
    }

    /// Solves for right sides by particle.
    pub(crate) fn solve(&mut self, right: impl Fn(u32) -> DVec3) {
        let b = &mut self.solution;
        (0..).zip(&self.place).for_each(|(particle, place)| b[*place as usize] = right(particle));
        let column = |j: usize| self.l_start[j] as usize..self.l_start[j + 1] as usize;
        for j in 0..b.len() {
            let known = b[j];
            for (row, l) in self.l_row[column(j)].iter().zip(&self.l[column(j)]) {
                b[*row as usize] -= known * *l;
            }
        }
        for j in (0..b.len()).rev() {
            let mut sum = b[j] / self.pivot[j];
            for (row, l) in self.l_row[column(j)].iter().zip(&self.l[column(j)]) {
                sum -= b[*row as usize] * *l;
            }
            b[j] = sum;
        }
    }

    /// What was solved for, of a particle.
    pub(crate) fn solution(&self, particle: u32) -> DVec3 {
        self.solution[self.place[particle as usize] as usize]
    }
}

/// `[column, row]` of an entry in the upper triangle, in the order of elimination.
fn in_upper(place: &[u32], pair: [u32; 2]) -> [u32; 2] {
    let [i, j] = pair.map(|particle| place[particle as usize]);
    [i.max(j), i.min(j)]
}

/// Where each column starts, and where the last one ends, of entries that are sorted by columns.
fn starts(size: usize, columns: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut start = vec![0; size + 1];
    columns.for_each(|col| start[col as usize + 1] += 1);
    for col in 0..size {
        start[col + 1] += start[col];
    }
    start
}

/// The tree of elimination, and how many entries the columns of L have below the diagonal.
fn eliminate(col_start: &[u32], row: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let size = col_start.len() - 1;
    let (mut parent, mut counts, mut visited) = (vec![ROOT; size], vec![0; size], vec![ROOT; size]);
    for k in 0..size {
        visited[k] = k as u32;
        for &entry in &row[col_start[k] as usize..col_start[k + 1] as usize] {
            let mut j = entry as usize;
            while visited[j] != k as u32 {
                visited[j] = k as u32;
                counts[j] += 1;
                if parent[j] == ROOT {
                    parent[j] = k as u32;
                }
                j = parent[j] as usize;
            }
        }
    }
    (parent, counts)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// Cells of a grid, and the places of its points.
    fn grid(side: u32) -> (Vec<[u32; 4]>, Vec<DVec3>) {
        let at = |i, j| i * side + j;
        let cells =
            (1..side).flat_map(|i| (1..side).map(move |j| [at(i, j), at(i - 1, j), at(i, j - 1), at(i - 1, j - 1)]));
        let places = (0..side * side).map(|p| DVec3::new(f64::from(p / side), f64::from(p % side), 0.0));
        (cells.collect(), places.collect())
    }

    #[test]
    fn solutions_satisfy_random_positive_systems() {
        let mut dice = rand_pcg::Pcg64::seed_from_u64(5);
        for side in [1, 2, 3, 9, 20] {
            let (cells, places) = grid(side);
            let mut cholesky = Cholesky::new(cells.iter().copied(), &places);
            let size = places.len();
            // Twice: the second factor is made in the memory of the one before.
            for _ in 0..2 {
                let mut dense = vec![vec![0.0; size]; size];
                cholesky.clear();
                for i in 0..size {
                    dense[i][i] += 0.1;
                    cholesky.add([i as u32; 2], 0.1);
                }
                for cell in &cells {
                    // v vᵀ is positive.
                    let v: [f64; 4] = std::array::from_fn(|_| dice.random_range(-1.0..1.0));
                    for k in 0..4 {
                        for l in 0..4 {
                            dense[cell[k] as usize][cell[l] as usize] += v[k] * v[l];
                            if l <= k {
                                cholesky.add([cell[k], cell[l]], v[k] * v[l]);
                            }
                        }
                    }
                }
                cholesky.factor();
                let right: Vec<DVec3> =
                    (0..size).map(|_| DVec3::from_array(std::array::from_fn(|_| dice.random()))).collect();
                cholesky.solve(|particle| right[particle as usize]);
                for i in 0..size {
                    let product: DVec3 = (0..size).map(|j| cholesky.solution(j as u32) * dense[i][j]).sum();
                    assert!((product - right[i]).length() < 1e-11, "{side}: row {i} is off by {}", product - right[i]);
                }
            }
        }
    }

    #[test]
    fn the_factor_of_a_sheet_stays_sparse() {
        let (cells, places) = grid(65);
        let cholesky = Cholesky::new(cells.iter().copied(), &places);
        // By rows of the grid L would have 65 entries a column.
        let per_column = cholesky.l.len() as f64 / places.len() as f64;
        assert!(per_column < 25.0, "{per_column} entries a column");
    }
}
