//! Choosing vertices of a cloth: by corner, index, box, or nearest point.

use glam::{DVec2, DVec3};

use crate::mesh::Mesh;

/// A choice of vertices. Points and boxes are in world coordinates of the start pose.
#[derive(Debug, Clone, PartialEq)]
pub enum Select {
    /// The vertex nearest to a corner of the texture square: (0, 0), (1, 0), (0, 1) or (1, 1).
    Corner(DVec2),
    /// Vertices by number.
    Index(Vec<u32>),
    /// All vertices inside a box.
    Box {
        /// Least coordinates [m].
        min: DVec3,
        /// Greatest coordinates [m].
        max: DVec3,
    },
    /// The vertex nearest to a point [m].
    Nearest(DVec3),
}
