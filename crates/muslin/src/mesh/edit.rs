//! Small changes to a mesh, and small questions to it.

use glam::{DVec2, DVec3};

use super::{Diagonals, Mesh, UvMap};

impl Mesh {
    /// Adds the diagonals of every quad as shear pairs. `One` and `Alternating` both take the one along which the
    /// quad is split, from its first to its third vertex: whoever made the quads chose how these alternate.
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
        let mut roots: Vec<u32> = (0..self.positions.len() as u32).collect();
        for &[a, b] in &self.welds {
            if (a.max(b) as usize) < roots.len() {
                join(&mut roots, a, b);
            }
        }
        for vertex in 0..roots.len() {
            // Roots never exceed their vertex, so those below are final already.
            roots[vertex] = roots[roots[vertex] as usize];
        }
        roots
    }
}

/// Joins the trees of two vertices under the lower of their roots.
pub(super) fn join(roots: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(roots, a), find(roots, b));
    roots[a.max(b) as usize] = a.min(b);
}

/// The root of a vertex; shortens the path to it on the way.
pub(super) fn find(roots: &mut [u32], mut vertex: u32) -> u32 {
    while roots[vertex as usize] != vertex {
        let above = roots[vertex as usize];
        roots[vertex as usize] = roots[above as usize];
        vertex = above;
    }
    vertex
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
