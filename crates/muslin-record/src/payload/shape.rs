//! What of a cloth does not move: its triangles or lines, and where each point lies in the cloth.

use std::collections::HashMap;

use glam::DVec2;

use crate::playback::PlayedCloth;

/// A cloth as graphics hardware takes it: one texture coordinate per vertex. Vertices on a seam are there once for each
/// of their coordinates; the copies follow after all vertices, so without seams nothing is renumbered.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    /// Triangles of display vertices.
    pub(super) triangles: Vec<[u32; 3]>,
    /// Lines between vertices.
    pub(super) lines: Vec<[u32; 2]>,
    /// Vertices of the mesh.
    pub(super) vertices: usize,
    /// The vertex that each display vertex after those of the mesh is a copy of.
    copies: Vec<u32>,
    /// For each display vertex, where it lies in the cloth at rest [m]; of no meaning for those in no triangle.
    coords: Option<Vec<[f32; 2]>>,
}

impl Shape {
    pub(super) fn of(cloth: &PlayedCloth) -> Self {
        let (vertices, lines) = (cloth.rest.len(), cloth.lines.clone());
        let Some(corners) = &cloth.coords else {
            return Self { triangles: cloth.triangles.clone(), lines, vertices, copies: Vec::new(), coords: None };
        };
        let mut display = Display::new(vertices);
        let triangles = cloth.triangles.iter().zip(corners).map(|(triangle, coords)| {
            let corner = |corner: usize| display.vertex(triangle[corner], coords[corner]);
            [0, 1, 2].map(corner)
        });
        let triangles = triangles.collect();
        Self { triangles, lines, vertices, copies: display.copies, coords: Some(display.coords) }
    }

    /// Vertices and their copies.
    pub(super) fn display_vertices(&self) -> usize {
        self.vertices + self.copies.len()
    }

    /// True when points have coordinates in the cloth.
    pub(super) fn has_coords(&self) -> bool {
        self.coords.is_some()
    }

    /// Number of its bytes.
    pub(super) fn len(&self) -> usize {
        let seams = if self.copies.is_empty() { 0 } else { self.display_vertices() };
        let coords = self.coords.as_ref().map_or(0, Vec::len);
        4 * (3 * self.triangles.len() + 2 * self.lines.len() + seams + 2 * coords)
    }

    /// Triangles, lines, origins of display vertices where there are copies, coordinates.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len());
        bytes.extend(index_bytes(self.triangles.as_flattened()));
        bytes.extend(index_bytes(self.lines.as_flattened()));
        if !self.copies.is_empty() {
            let origins = (0..self.vertices as u32).chain(self.copies.iter().copied());
            bytes.extend(origins.flat_map(u32::to_le_bytes));
        }
        let coords = self.coords.iter().flatten().flatten();
        bytes.extend(coords.flat_map(|coordinate| coordinate.to_le_bytes()));
        bytes
    }
}

/// Numbers of vertices as bytes.
pub(super) fn index_bytes(indices: &[u32]) -> Vec<u8> {
    indices.iter().flat_map(|index| index.to_le_bytes()).collect()
}

/// Display vertices as they are found.
struct Display {
    coords: Vec<[f32; 2]>,
    copies: Vec<u32>,
    /// By vertex and the bits of its coordinates.
    known: HashMap<(u32, [u32; 2]), u32>,
    /// Vertices of the mesh that have their coordinates.
    seen: Vec<bool>,
}

impl Display {
    fn new(vertices: usize) -> Self {
        let coords = vec![[0.0; 2]; vertices];
        Self { coords, copies: Vec::new(), known: HashMap::new(), seen: vec![false; vertices] }
    }

    /// The display vertex of a vertex with these coordinates; a new one when there is none yet.
    fn vertex(&mut self, vertex: u32, coords: DVec2) -> u32 {
        // Adding 0 makes −0 and 0 the same.
        let coords = [coords.x as f32 + 0.0, coords.y as f32 + 0.0];
        let key = (vertex, coords.map(f32::to_bits));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let found = if self.seen[vertex as usize] {
            self.copies.push(vertex);
            self.coords.push(coords);
            self.coords.len() as u32 - 1
        } else {
            self.seen[vertex as usize] = true;
            self.coords[vertex as usize] = coords;
            vertex
        };
        self.known.insert(key, found);
        found
    }
}
