//! Vectors that several threads may write at once, each its own ones.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use glam::DVec3;

/// Vectors whose coordinates are stored bit by bit in atomic numbers. Rows of one group share no particle, so no vector
/// is written by two threads at once, and a relaxed access costs what a plain one costs; the atomics are there because
/// the compiler cannot know the first of these.
#[derive(Debug, Default)]
pub(super) struct SharedVectors(Vec<[AtomicU64; 3]>);

impl SharedVectors {
    pub(super) fn copy_from(&mut self, values: &[DVec3]) {
        self.0.resize_with(values.len(), Default::default);
        for (place, value) in self.0.iter_mut().zip(values) {
            for (place, coordinate) in place.iter_mut().zip(value.to_array()) {
                *place.get_mut() = coordinate.to_bits();
            }
        }
    }

    pub(super) fn copy_to(&self, values: &mut [DVec3]) {
        for (value, place) in values.iter_mut().zip(&self.0) {
            *value = read(place);
        }
    }

    pub(super) fn get(&self, index: u32) -> DVec3 {
        read(&self.0[index as usize])
    }

    pub(super) fn add(&self, index: u32, change: DVec3) {
        let place = &self.0[index as usize];
        let sum = read(place) + change;
        for (place, coordinate) in place.iter().zip(sum.to_array()) {
            place.store(coordinate.to_bits(), Relaxed);
        }
    }
}

fn read(place: &[AtomicU64; 3]) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis: usize| f64::from_bits(place[axis].load(Relaxed))))
}
