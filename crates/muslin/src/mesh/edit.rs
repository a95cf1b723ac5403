//! Small changes to a mesh, and small questions to it.

use glam::{DVec2, DVec3};

use super::{Diagonals, DisjointSets, Mesh, UvMap};

impl Mesh {
    /// Adds the diagonals of every quad as shear pairs. `One` and `Alternating` both take the one along which the
    /// quad is split, from its first to its third vertex: the maker of the quads chose how these alternate.
    pub fn add_diagonals(&mut self, diagonals: Diagonals) {
        for face in &self.faces {
            let &[a, b, c, d] = face.as_slice() else { continue };
            match diagonals {
                Diagonals::None => {}
                Diagonals::One | Diagonals::Alternating => self.diagonals.push([a, c]),
                Diagonals::Both => self.diagonals.extend([[a, c], [b, d]]),
            }
        }
    }

    /// The mesh turned from a z-up world into muslin's y-up world: (x, y, z) becomes (x, z, -y).
    #[must_use]
    pub fn with_up_axis_z(mut self) -> Self {
        for p in &mut self.positions {
            *p = DVec3::new(p.x, p.z, -p.y);
        }
        self
    }

    /// The mesh with all positions multiplied by `factor`, e.g. 0.01 for one drawn in centimetres.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        for p in &mut self.positions {
            *p *= factor;
        }
        self
    }

    /// For every vertex the one it moves with: the lowest-numbered vertex it is sewn to, directly or through others, or
    /// itself. Welds of vertices that do not exist are passed over.
    pub fn weld_roots(&self) -> Vec<u32> {
        self.weld_sets().into_lowest()
    }

    /// The vertices, those sewn together in one set.
    pub(super) fn weld_sets(&self) -> DisjointSets {
        let mut sets = DisjointSets::new(self.positions.len());
        for &[a, b] in self.welds.iter().filter(|[a, b]| (*a.max(b) as usize) < self.positions.len()) {
            sets.join(a, b);
        }
        sets
    }
}

impl UvMap {
    /// One coordinate per vertex, the same in all faces around it.
    pub(super) fn per_vertex(coords: Vec<DVec2>, faces: &[Vec<u32>]) -> Self {
        Self { coords, corners: faces.to_vec() }
    }
}

/// Least and greatest coordinates of some points; none for no points.
pub(crate) fn bounds(points: &[DVec3]) -> Option<(DVec3, DVec3)> {
    let first = *points.first()?;
    Some(points.iter().fold((first, first), |(min, max), p| (min.min(*p), max.max(*p))))
}
