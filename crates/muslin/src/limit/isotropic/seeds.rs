//! Places that stand for the cloth on a coarser mesh: vertices at least a spacing apart, and none of the others farther
//! than that from the nearest of them.
//!
//! The farthest vertex comes next, again and again, pinned ones before all others: a coarser mesh must know of the
//! pins. Distances go along sides of triangles and across pairs of triangles that share one, unfolded.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::surface::RestSurface;

/// The seeds of a level, and which of them each vertex belongs to.
pub(super) struct Seeds {
    /// The vertices that are seeds.
    pub(super) vertices: Vec<u32>,
    /// For each vertex the nearest seed, as a place in `vertices`; none for vertices of no triangle.
    pub(super) nearest: Vec<Option<u32>>,
    /// How far that is [m].
    distance: Vec<f64>,
}

impl Seeds {
    /// Chooses seeds on a surface, `spacing` [m] apart.
    pub(super) fn choose(surface: &RestSurface, pinned: &[bool], spacing: f64) -> Self {
        let count = surface.rest.len();
        let mut seeds = Self { vertices: Vec::new(), nearest: vec![None; count], distance: vec![f64::INFINITY; count] };
        let used = |vertex: &u32| !surface.triangles_at.at(*vertex as usize).is_empty();
        seeds.add_farthest(surface, (0..count as u32).filter(used).filter(|&v| pinned[v as usize]), spacing);
        seeds.add_farthest(surface, (0..count as u32).filter(used), spacing);
        seeds
    }

    /// Adds the farthest of some vertices until none is farther than the spacing from a seed. Of equals the first.
    fn add_farthest(&mut self, surface: &RestSurface, among: impl Iterator<Item = u32>, spacing: f64) {
        // Bits of positive numbers are in the order of the numbers.
        let key = |distance: f64, vertex| (distance.to_bits(), Reverse(vertex));
        let mut farthest: BinaryHeap<_> = among.map(|vertex| key(self.distance[vertex as usize], vertex)).collect();
        while let Some((bits, Reverse(vertex))) = farthest.pop() {
            let distance = self.distance[vertex as usize];
            if distance <= spacing {
                continue;
            }
            // Distances only shrink: what was the farthest when it was noted may not be any more.
            if distance.to_bits() < bits {
                farthest.push(key(distance, vertex));
            } else {
                self.add(surface, vertex);
            }
        }
    }

    /// Adds a seed, and gives it the vertices that are nearer to it than to any other.
    fn add(&mut self, surface: &RestSurface, seed: u32) {
        let number = self.vertices.len() as u32;
        self.vertices.push(seed);
        let mut front = BinaryHeap::from([Reverse((0.0f64.to_bits(), seed))]);
        while let Some(Reverse((bits, vertex))) = front.pop() {
            let distance = f64::from_bits(bits);
            if distance >= self.distance[vertex as usize] {
                continue;
            }
            self.distance[vertex as usize] = distance;
            self.nearest[vertex as usize] = Some(number);
            for &(other, length) in surface.ways.at(vertex as usize) {
                front.push(Reverse(((distance + length).to_bits(), other)));
            }
        }
    }
}
