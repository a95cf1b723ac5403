//! Positions or displacements of all particles, coordinate by coordinate, in an order made for sweeps.
//!
//! Four rows are swept at once. Where their first particles lie side by side in memory, and their second ones too, a
//! register is filled by one load. On a grid numbered row by row, edges that share no particle join every second
//! particle to its neighbour; so particles with even numbers come first, then those with odd ones, and most such edges
//! lie side by side. A place in this order is called a slot. One more slot, after the last, is spare: it belongs to no
//! particle and fills up groups.

use glam::DVec3;

use super::{Four, Vectors};

/// Vectors of all particles [m], by slot.
#[derive(Debug, Clone)]
pub(crate) struct Points {
    /// The x, y and z coordinates.
    pub(crate) axes: [Vec<f64>; 3],
}

impl Points {
    /// Zeros for so many particles and the spare slot.
    pub(crate) fn new(particles: usize) -> Self {
        Self { axes: [(); 3].map(|()| vec![0.0; particles + 1]) }
    }

    #[inline]
    pub(crate) fn get(&self, slot: u32) -> DVec3 {
        let [x, y, z] = &self.axes;
        DVec3::new(x[slot as usize], y[slot as usize], z[slot as usize])
    }

    #[inline]
    pub(crate) fn set(&mut self, slot: u32, value: DVec3) {
        let [x, y, z] = &mut self.axes;
        (x[slot as usize], y[slot as usize], z[slot as usize]) = (value.x, value.y, value.z);
    }

    #[inline]
    pub(crate) fn add(&mut self, slot: u32, value: DVec3) {
        self.set(slot, self.get(slot) + value);
    }

    /// The vectors in four slots.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "see `Kernel`")]
    pub(crate) fn gather<F: Four>(&self, slots: [u32; 4]) -> Vectors<F> {
        let [x, y, z] = &self.axes;
        Vectors([F::gather(x, slots), F::gather(y, slots), F::gather(z, slots)])
    }

    /// Adds to the vectors in four slots.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "see `Kernel`")]
    pub(crate) fn scatter_add<F: Four>(&mut self, slots: [u32; 4], by: Vectors<F>) {
        for (axis, by) in self.axes.iter_mut().zip(by.0) {
            for (slot, by) in slots.into_iter().zip(by.store()) {
                axis[slot as usize] += by;
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        self.axes.iter_mut().for_each(|axis| axis.fill(0.0));
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        for (to, from) in self.axes.iter_mut().zip(&other.axes) {
            to.copy_from_slice(from);
        }
    }
}

/// Which particle has which slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slots {
    particles: u32,
}

impl Slots {
    pub(crate) fn new(particles: usize) -> Self {
        Self { particles: particles as u32 }
    }

    /// The slot of a particle.
    #[inline]
    pub(crate) fn of(self, particle: usize) -> u32 {
        let particle = particle as u32;
        if particle.is_multiple_of(2) { particle / 2 } else { self.particles.div_ceil(2) + particle / 2 }
    }

    /// The particle in a slot.
    pub(crate) fn particle(self, slot: u32) -> usize {
        let even = self.particles.div_ceil(2);
        (if slot < even { 2 * slot } else { 2 * (slot - even) + 1 }) as usize
    }

    /// The spare slot, which belongs to no particle.
    pub(crate) fn spare(self) -> u32 {
        self.particles
    }

    /// Fills `out` with vectors in the order of particles, each changed by `change`.
    pub(crate) fn unsort(self, points: &Points, out: &mut Vec<DVec3>, change: impl Fn(DVec3) -> DVec3) {
        out.clear();
        out.extend((0..self.particles as usize).map(|particle| change(points.get(self.of(particle)))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_particle_has_a_slot_of_its_own() {
        for particles in [1, 2, 7, 12] {
            let slots = Slots::new(particles);
            let mut taken: Vec<u32> = (0..particles).map(|particle| slots.of(particle)).collect();
            taken.sort_unstable();
            assert_eq!(taken, (0..slots.spare()).collect::<Vec<_>>());
        }
    }
}
