//! The motion of a cloth or a solid: positions in 16 bits, strains of cloth in 8, each as the change since the frame
//! stored before.
//!
//! Bytes of equal rank stand together: most changes are small, so the upper bytes are nearly all alike and pack well.

use glam::DVec3;

use super::survey::Bounds;
use crate::playback::strain_code;

/// Steps that a box is divided into along each axis.
const STEPS: f64 = u16::MAX as f64;

/// Bytes of a frame of a cloth, before compression.
pub(super) fn frame_bytes(vertices: usize) -> usize {
    place_bytes(vertices) + vertices
}

/// Bytes of its positions alone: a solid has nothing else.
pub(super) fn place_bytes(vertices: usize) -> usize {
    6 * vertices
}

/// A cloth or a solid in the frame stored last.
#[derive(Debug)]
pub(super) struct Motion {
    bounds: Bounds,
    places: [Vec<u16>; 3],
    strains: Vec<u8>,
    /// The bytes of a frame, kept for reuse.
    bytes: Vec<u8>,
}

impl Motion {
    /// One that stays within a box. Before the first frame all codes are 0.
    pub(super) fn new(bounds: Bounds) -> Self {
        Self { bounds, places: [const { Vec::new() }; 3], strains: Vec::new(), bytes: Vec::new() }
    }

    /// The bytes of the next frame: for each axis the lower, then the upper bytes of the places' changes, then the
    /// changes of the strains, of which a solid has none.
    pub(super) fn advance(&mut self, positions: &[DVec3], strains: &[f64], limit: f64) -> &[u8] {
        self.bytes.clear();
        self.bytes.reserve(frame_bytes(positions.len()));
        for axis in 0..3 {
            self.add_places(axis, positions);
        }
        self.add_strains(strains, limit);
        &self.bytes
    }

    fn add_places(&mut self, axis: usize, positions: &[DVec3]) {
        let (count, start) = (positions.len(), self.bytes.len());
        let (min, size) = (self.bounds.min[axis], self.bounds.size()[axis]);
        let places = &mut self.places[axis];
        places.resize(count, 0);
        self.bytes.resize(start + 2 * count, 0);
        let (low, high) = self.bytes[start..].split_at_mut(count);
        for (i, (place, position)) in places.iter_mut().zip(positions).enumerate() {
            let now = place_code(position[axis], min, size);
            [low[i], high[i]] = now.wrapping_sub(*place).to_le_bytes();
            *place = now;
        }
    }

    fn add_strains(&mut self, strains: &[f64], limit: f64) {
        self.strains.resize(strains.len(), 0);
        for (code, strain) in self.strains.iter_mut().zip(strains) {
            let now = strain_code(*strain, limit);
            self.bytes.push(now.wrapping_sub(*code));
            *code = now;
        }
    }
}

/// Where a coordinate lies between the ends of a box; 0 in a box without extent.
fn place_code(value: f64, min: f64, size: f64) -> u16 {
    // Without extent this is 0 / 0, which a cast makes 0.
    (STEPS * ((value - min) / size)).round() as u16
}
