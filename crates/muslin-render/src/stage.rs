//! What a picture shows: surfaces, a floor, a camera.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::camera::Camera;

/// Everything in one picture.
#[derive(Debug, Clone)]
pub struct Stage {
    /// What is there.
    pub surfaces: Vec<Surface>,
    /// Height of a floor that catches shadows [m].
    pub floor: Option<f32>,
    /// Where one looks from.
    pub camera: Camera,
}

/// Triangles that look alike.
#[derive(Debug, Clone)]
pub struct Surface {
    /// Vertices [m].
    pub positions: Vec<Vec3>,
    /// Triangles by vertex, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// What it is made of.
    pub look: Look,
    /// For each corner of each triangle, its place in the cloth at rest [m]: what a pattern is printed by.
    pub coords: Option<Vec<[Vec2; 3]>>,
    /// Colours by a number at each vertex, in place of those of the material.
    pub paint: Option<Paint>,
}

/// What a surface is made of. Colours are linear: 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Look {
    /// Woven cloth: two sides, sheen, some light comes through, a pattern of lines along the threads.
    Fabric {
        /// Colour of the side that triangles turn to the front.
        front: Vec3,
        /// Colour of the other side.
        back: Vec3,
        /// Distance of the pattern's lines [m].
        spacing: f32,
    },
    /// A smooth, dull solid.
    Solid {
        /// Its colour.
        colour: Vec3,
    },
}

/// A number at each vertex, shown by a table of colours.
#[derive(Debug, Clone)]
pub struct Paint {
    /// Place in the table, one for each vertex: 0 to 255.
    pub codes: Vec<f32>,
    /// Linear colours.
    pub table: Arc<[Vec3; 256]>,
}

/// The surfaces of a stage in common arrays, with normals.
pub(crate) struct Flat<'a> {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) normals: Vec<Vec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) surfaces: &'a [Surface],
    /// For each surface: where its triangles and its vertices start.
    starts: Vec<(u32, u32)>,
}

/// A triangle found among all: its surface, and its numbers there.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    pub(crate) surface: &'a Surface,
    /// Its number in the surface.
    pub(crate) triangle: usize,
    /// Its corners, among all vertices.
    pub(crate) corners: [usize; 3],
    /// What is to be taken off a corner to have a vertex of the surface.
    pub(crate) first_vertex: usize,
}

impl<'a> Flat<'a> {
    pub(crate) fn of(surfaces: &'a [Surface]) -> Self {
        let (mut positions, mut triangles, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for surface in surfaces {
            let first = positions.len() as u32;
            starts.push((triangles.len() as u32, first));
            positions.extend_from_slice(&surface.positions);
            triangles.extend(surface.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
        }
        let normals = smooth_normals(&positions, &triangles);
        Self { positions, normals, triangles, surfaces, starts }
    }

    pub(crate) fn find(&self, triangle: u32) -> Found<'_> {
        let surface = self.starts.partition_point(|&(first, _)| first <= triangle) - 1;
        let (first_triangle, first_vertex) = self.starts[surface];
        Found {
            surface: &self.surfaces[surface],
            triangle: (triangle - first_triangle) as usize,
            corners: self.triangles[triangle as usize].map(|corner| corner as usize),
            first_vertex: first_vertex as usize,
        }
    }
}

/// Normals at the vertices: of the triangles around them, weighted by area.
fn smooth_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| positions[corner as usize]);
        let area = (b - a).cross(c - a);
        for &corner in corners {
            normals[corner as usize] += area;
        }
    }
    normals.iter().map(|normal| normal.normalize_or_zero()).collect()
}
