//! What the physics needs to know of a mesh, derived from it once.

use serde::{Deserialize, Serialize};

/// Everything derived from a mesh. Indices are the mesh's own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Topology {
    /// Structural edges: every side of every face and every line, once.
    pub edges: Vec<Edge>,
    /// Shear pairs, as in the mesh.
    pub diagonals: Vec<[u32; 2]>,
    /// Second neighbours along a thread: `[end, middle, end]`.
    pub bend_pairs: Vec<[u32; 3]>,
    /// The corners of quads, `[x1, x2, x3]` with the corner at `x3`.
    pub corners: Vec<[u32; 3]>,
    /// Pairs of triangles `(x1, x3, x4)` and `(x2, x4, x3)` that share the edge x3–x4.
    pub hinges: Vec<[u32; 4]>,
    /// The faces, split into triangles, with the face each came from.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle, the face it came from.
    pub triangle_face: Vec<u32>,
}

/// A structural edge of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// First vertex, the smaller number.
    pub a: u32,
    /// Second vertex.
    pub b: u32,
    /// Along which threads it runs.
    pub direction: Direction,
}

/// Along which threads an edge runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Along the warp (texture direction v).
    Warp,
    /// Along the weft (texture direction u).
    Weft,
    /// Along neither, or the mesh does not know.
    #[default]
    Bias,
}
