//! Meshes: the geometry of a cloth at rest, as its maker described it, and what is derived from it once.
//!
//! A [`Mesh`] is only vertices, faces and lines. [`Topology::of`] derives everything the physics needs from it.
//! Generators ([`GridSpec`], [`DiscSpec`], …) and mesh files both end in a [`Mesh`], so nothing downstream knows where
//! one came from.

mod block;
mod chain;
mod connect;
mod diagnose;
mod disc;
pub(crate) mod edit;
mod grid;
mod irregular;
mod parameter;
mod texture;
mod topology;
mod tube;

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

pub use block::BlockSpec;
pub use chain::ChainSpec;
pub(crate) use connect::unordered;
pub use connect::{DisjointSets, Incidence, Side, SortedSides};
pub use diagnose::{Diagnosis, Finding, FindingKind, MeshPlace};
pub use disc::DiscSpec;
pub use grid::GridSpec;
pub use irregular::IrregularSpec;
pub use texture::texture_scale;
pub use topology::{BendingPlace, Edge, ThreadDirection, Topology};
pub use tube::TubeSpec;

/// The geometry of a cloth at rest. Vertex order is the maker's and never changes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Mesh {
    /// Rest positions [m].
    pub positions: Vec<DVec3>,
    /// Polygons as vertex indices, counter-clockwise seen from the front. A quad is split along its first and third
    /// vertex where triangles are needed, so the maker of a quad chooses the split by where it starts.
    pub faces: Vec<Vec<u32>>,
    /// Structural edges that belong to no face: chains, and the inner edges of a lattice.
    pub lines: Vec<[u32; 2]>,
    /// Pairs across a cell that resist shear; never structural. A grid's `diagonals` end up here.
    pub diagonals: Vec<[u32; 2]>,
    /// Vertices sewn to another: `[vertex, the lower-numbered vertex it moves with]`.
    pub welds: Vec<[u32; 2]>,
    /// Texture coordinates, if the maker gave any. They also distinguish warp (along v) from weft (along u).
    pub uvs: Option<UvMap>,
}

/// Texture coordinates per face corner, so that seams survive.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UvMap {
    /// The distinct coordinates.
    pub coords: Vec<DVec2>,
    /// For each face, for each of its corners, an index into `coords`.
    pub corners: Vec<Vec<u32>>,
}

/// Which diagonals the cells of a grid carry as shear springs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Diagonals {
    /// None: nothing resists shear.
    None,
    /// The same one in every cell: resists shear, with a bias.
    One,
    /// Both.
    #[default]
    Both,
    /// One per cell, alternating like a chessboard.
    Alternating,
}

/// Why a mesh could not be made or used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A count or size that makes no mesh.
    #[error("{what} must be {must}, but is {value}")]
    Parameter {
        /// The parameter, as the scene file spells it, e.g. `grid.particles`.
        what: &'static str,
        /// What it must be, e.g. `at least 2`.
        must: &'static str,
        /// What it is.
        value: String,
    },
    /// The mesh has a defect that cannot be repaired safely.
    #[error("{0}")]
    Defect(String),
}
