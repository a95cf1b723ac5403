//! Moving cloth as a whole out of what it is in.

use glam::DVec3;

use super::Bench;
use crate::collide::Bounds;
use crate::drivers::Freedom;

/// Places that are tried along a direction.
const PLACES: u32 = 16;
/// Halvings of the last piece of the distance.
const HALVINGS: u32 = 12;

impl Bench<'_> {
    /// Moves an unpinned island by the shortest of several straight motions that free it, up to `at_most` [m];
    /// says whether one did. The planes are those of where it is.
    pub(super) fn shift(&mut self, island: u32, particles: &[usize], at_most: f64, x: &mut [DVec3]) -> bool {
        if particles.iter().any(|i| self.drivers.freedom[*i] != Freedom::Free) {
            return false;
        }
        let start: Vec<DVec3> = particles.iter().map(|i| x[*i]).collect();
        let mut best: Option<DVec3> = None;
        for (direction, far) in self.directions_out(island, particles, x) {
            let far = far.min(best.map_or(at_most, DVec3::length));
            if let Some(distance) = self.shortest(island, direction, far, particles, &start, x) {
                best = Some(direction * distance);
            }
        }
        put(particles, &start, best.unwrap_or_default(), x);
        best.is_some()
    }

    /// Directions out, and how far is surely far enough [m].
    fn directions_out(&self, island: u32, particles: &[usize], x: &[DVec3]) -> Vec<(DVec3, f64)> {
        let own = Bounds::of(particles.iter().map(|i| x[*i]));
        let offenders: Vec<_> = self.offenders().filter(|plane| self.island(plane) == island).collect();
        let thickest = offenders.iter().map(|plane| plane.thickness).fold(0.0, f64::max);
        let solids = offenders.iter().map(|plane| self.planes.bounds(plane.collider as usize));
        let solids = solids.fold(Bounds::EMPTY, Bounds::union).grown(2.0 * thickest);
        let mut candidates = Vec::new();
        for axis in 0..3 {
            candidates.push((DVec3::AXES[axis], solids.max[axis] - own.min[axis]));
            candidates.push((-DVec3::AXES[axis], own.max[axis] - solids.min[axis]));
        }
        let mut deepest: Vec<_> = offenders.iter().map(|plane| (plane.gap, plane.normal)).collect();
        deepest.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let Some(&(gap, normal)) = deepest.first() {
            candidates.push((normal, 2.0 * (thickest - gap)));
        }
        candidates.retain(|(_, far)| far.is_finite());
        candidates.sort_by(|a, b| a.1.total_cmp(&b.1));
        candidates
    }

    /// The shortest distance along a direction, up to `far` [m], that frees the island.
    fn shortest(
        &mut self,
        island: u32,
        direction: DVec3,
        far: f64,
        particles: &[usize],
        start: &[DVec3],
        x: &mut [DVec3],
    ) -> Option<f64> {
        let mut clear = |bench: &mut Self, distance: f64| {
            put(particles, start, direction * distance, x);
            bench.planes.find(bench.model, &bench.pieces, x);
            bench.offenders().all(|plane| bench.island(plane) != island)
        };
        let place = |k: u32| far * f64::from(k) / f64::from(PLACES);
        let k = (1..=PLACES).find(|&k| clear(self, place(k)))?;
        let (mut low, mut high) = (place(k - 1), place(k));
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if clear(self, middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(high)
    }
}

fn put(particles: &[usize], start: &[DVec3], shift: DVec3, x: &mut [DVec3]) {
    for (i, from) in particles.iter().zip(start) {
        x[*i] = *from + shift;
    }
}
