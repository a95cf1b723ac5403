//! Paths along the edges of a cloth: how far particles are from each other at most.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::mesh::Incidence;
use crate::rows::Row;

/// The nearest source of a particle and the length of the path to it [m]; none where no path leads.
pub(super) type NearestSource = Option<(u32, f64)>;

/// The mesh as a graph: which particles are joined, and how far apart they are.
pub(super) struct Graph(Incidence<(u32, f64)>);

impl Graph {
    pub(super) fn of(rows: &[Row], particles: usize) -> Self {
        let both_ways = |row: &Row| [(row.a, (row.b, row.rest)), (row.b, (row.a, row.rest))];
        Self(Incidence::of(particles, rows.iter().flat_map(both_ways)))
    }

    pub(super) fn neighbours(&self, particle: usize) -> &[(u32, f64)] {
        self.0.at(particle)
    }

    /// For each particle, the nearest source and the length of the path to it [m]; none where no path leads.
    pub(super) fn nearest(&self, sources: &[u32]) -> Vec<NearestSource> {
        let mut nearest: Vec<NearestSource> = vec![None; self.0.vertices()];
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
