//! Loop subdivision, for display only: what is simulated and judged is the mesh itself.
//!
//! Loop (1987), with the original weights: a new point on an inner edge is 3/8 of each end and 1/8 of each opposite
//! vertex; an old inner vertex of valence n keeps 1 - n β and takes β of each neighbour, with β = (5/8 - (3/8 +
//! cos(2π/n)/4)²) / n. The border is a cubic B-spline: midpoints, and 1/8, 3/4, 1/8. Corners of the rest shape stay,
//! so that a rectangular sheet stays rectangular. Edges of three or more triangles are borders of all of them, and
//! vertices at which more than one fan of triangles meet stay.

mod levels;
mod stencil;
mod topology;

#[cfg(test)]
mod tests;

use glam::Vec3;
use thiserror::Error;

use levels::Level;
use topology::{Edges, VertexRule, vertex_rules};

/// Most triangles that a subdivision may have.
pub const MOST_TRIANGLES: u64 = 4_000_000;

/// Why a mesh is not subdivided.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SubdivisionError {
    /// Each level has four times the triangles of the one before.
    #[error(
        "{levels} levels of subdivision would make {wanted} triangles, more than {MOST_TRIANGLES}: use {most} at most"
    )]
    TooManyTriangles {
        /// Levels asked for.
        levels: u32,
        /// Triangles they would make.
        wanted: u64,
        /// Levels that would do.
        most: u32,
    },
    /// The mesh is larger than any subdivision may be.
    #[error("the mesh has {triangles} triangles, more than {MOST_TRIANGLES}")]
    MeshTooLarge {
        /// Triangles of the mesh.
        triangles: u64,
    },
    /// A triangle has a corner that is no vertex.
    #[error("triangle {triangle} has vertex {vertex}, but there are {vertices} vertices")]
    NoSuchVertex {
        /// Number of the triangle, from 0.
        triangle: usize,
        /// The vertex it asks for, from 0.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
}

/// The subdivision of one mesh: what depends on its triangles only, worked out once for all frames.
#[derive(Debug, Clone)]
pub struct Subdivision {
    levels: Vec<Level>,
    triangles: Vec<[u32; 3]>,
    vertices: usize,
}

impl Subdivision {
    /// Prepares `levels` levels for a mesh with the rest positions `rest` \[m\], from which only the corners of its
    /// outline are found. Level 0 is the mesh as it is.
    pub fn new(rest: &[Vec3], triangles: &[[u32; 3]], levels: u32) -> Result<Self, SubdivisionError> {
        check_vertices(rest.len(), triangles)?;
        check_size(triangles.len() as u64, levels)?;
        let mut subdivision = Self { levels: Vec::new(), triangles: triangles.to_vec(), vertices: rest.len() };
        if levels == 0 || triangles.is_empty() {
            return Ok(subdivision);
        }
        let mut edges = Edges::new(triangles);
        let mut rules = vertex_rules(rest, triangles, &edges);
        for level in 0..levels {
            if level > 0 {
                edges = Edges::new(&subdivision.triangles);
            }
            subdivision.refine(&edges, &mut rules);
        }
        Ok(subdivision)
    }

    /// One level more.
    fn refine(&mut self, edges: &Edges, rules: &mut Vec<VertexRule>) {
        let level = Level::new(edges, rules);
        self.triangles = edges.split(&self.triangles, self.vertices);
        self.vertices = level.vertices();
        self.levels.push(level);
        // A new point lies inside a surface or on a smooth border; only old vertices can be corners.
        rules.extend(edges.all().iter().map(|edge| match edge.opposite {
            Some(_) => VertexRule::Inner,
            None => VertexRule::Border,
        }));
    }

    /// Triangles of the last level; those that came from triangle t of the mesh are the 4^levels from t · 4^levels on.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Number of vertices of the last level. The mesh's own come first, in their order.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Positions of the last level's vertices \[m\], from those of the mesh.
    ///
    /// # Panics
    /// If there are not as many as the mesh has vertices.
    pub fn positions(&self, positions: &[Vec3]) -> Vec<Vec3> {
        self.assert_length(positions.len());
        self.levels.iter().fold(positions.to_vec(), |coarse, level| level.smoothed(&coarse))
    }

    /// Values at the last level's vertices, linear between those of the mesh, so that none is greater than the
    /// greatest.
    ///
    /// # Panics
    /// If there are not as many as the mesh has vertices.
    pub fn scalars(&self, scalars: &[f32]) -> Vec<f32> {
        self.assert_length(scalars.len());
        self.levels.iter().fold(scalars.to_vec(), |coarse, level| level.interpolated(coarse))
    }

    fn assert_length(&self, length: usize) {
        let expected = self.levels.first().map_or(self.vertices, Level::coarse_vertices);
        assert_eq!(length, expected, "as many values as the mesh has vertices");
    }
}

/// The four triangles of one: at each corner, then the middle. All turn the way of the first.
fn quartered<T: Copy>([a, b, c]: [T; 3], ab: T, bc: T, ca: T) -> [[T; 3]; 4] {
    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
}

fn check_vertices(vertices: usize, triangles: &[[u32; 3]]) -> Result<(), SubdivisionError> {
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= vertices) {
            return Err(SubdivisionError::NoSuchVertex { triangle, vertex, vertices });
        }
    }
    Ok(())
}

fn check_size(triangles: u64, levels: u32) -> Result<(), SubdivisionError> {
    let after = |levels: u32| triangles.saturating_mul(4_u64.saturating_pow(levels));
    if triangles > MOST_TRIANGLES {
        return Err(SubdivisionError::MeshTooLarge { triangles });
    }
    if after(levels) <= MOST_TRIANGLES {
        return Ok(());
    }
    let most = (0..levels).take_while(|&fewer| after(fewer) <= MOST_TRIANGLES).last().unwrap_or(0);
    Err(SubdivisionError::TooManyTriangles { levels, wanted: after(levels), most })
}
