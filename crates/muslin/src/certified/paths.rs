//! Paths along the edges of a cloth: how far particles are from each other at most.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::rows::Row;

/// The nearest source of a particle and the length of the path to it [m]; none where no path leads.
pub(super) type NearestSource = Option<(u32, f64)>;

/// The mesh as a graph: who is joined to whom, and how far apart.
pub(super) struct Graph {
    starts: Vec<u32>,
    ends: Vec<(u32, f64)>,
}

impl Graph {
    pub(super) fn of(rows: &[Row], particles: usize) -> Self {
        let mut starts = vec![0_u32; particles + 1];
        for row in rows {
            starts[row.a as usize + 1] += 1;
            starts[row.b as usize + 1] += 1;
        }
        for i in 0..particles {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut ends = vec![(0, 0.0); 2 * rows.len()];
        for row in rows {
            for (from, to) in [(row.a, row.b), (row.b, row.a)] {
                ends[next[from as usize] as usize] = (to, row.rest);
                next[from as usize] += 1;
            }
        }
        Self { starts, ends }
    }

    pub(super) fn neighbours(&self, particle: usize) -> &[(u32, f64)] {
        &self.ends[self.starts[particle] as usize..self.starts[particle + 1] as usize]
    }

    /// For each particle, the nearest source and the length of the path to it [m]; none where no path leads.
    pub(super) fn nearest(&self, sources: &[u32]) -> Vec<NearestSource> {
        let mut nearest: Vec<NearestSource> = vec![None; self.starts.len() - 1];
        let mut queue = BinaryHeap::new();
        for &source in sources {
            nearest[source as usize] = Some((source, 0.0));
            queue.push(Reverse((0_u64, source)));
        }
        // Non-negative floats sort like their bits.
        while let Some(Reverse((bits, particle))) = queue.pop() {
            let Some((source, distance)) = nearest[particle as usize] else { continue };
            if distance.to_bits() != bits {
                continue;
            }
            for &(next, length) in self.neighbours(particle as usize) {
                let longer = distance + length;
                if nearest[next as usize].is_none_or(|(_, known)| longer < known) {
                    nearest[next as usize] = Some((source, longer));
                    queue.push(Reverse((longer.to_bits(), next)));
                }
            }
        }
        nearest
    }

    /// The fixed particles, those joined by edges together.
    pub(super) fn groups(&self, fixed: &[bool]) -> Vec<Vec<u32>> {
        let mut seen = vec![false; fixed.len()];
        let mut groups = Vec::new();
        for first in 0..fixed.len() {
            // A pinned particle without edges constrains nothing.
            if !fixed[first] || seen[first] || self.neighbours(first).is_empty() {
                continue;
            }
            let mut group = vec![first as u32];
            seen[first] = true;
            let mut done = 0;
            while done < group.len() {
                for &(next, _) in self.neighbours(group[done] as usize) {
                    if fixed[next as usize] && !seen[next as usize] {
                        seen[next as usize] = true;
                        group.push(next);
                    }
                }
                done += 1;
            }
            groups.push(group);
        }
        groups
    }
}
