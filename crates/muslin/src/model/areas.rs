//! Rest areas: what each particle, each edge and each cell stands for.

use std::collections::HashMap;

use glam::DVec3;

use crate::mesh::Mesh;

/// Rest areas of a surface [m²]. The maps are only looked up, never walked, so their order cannot matter.
pub(super) struct Areas {
    /// Of each particle: an equal part of each face around it.
    pub(super) particle: Vec<f64>,
    edge: HashMap<[u32; 2], f64>,
    cell: HashMap<[u32; 2], (f64, u32)>,
}

impl Areas {
    /// `leader` maps each vertex to the one that stands for it.
    pub(super) fn of(mesh: &Mesh, leader: &[u32]) -> Self {
        let mut areas = Self { particle: vec![0.0; mesh.positions.len()], edge: HashMap::new(), cell: HashMap::new() };
        let mut diagonals: HashMap<[u32; 2], u32> = HashMap::new();
        for &[a, b] in &mesh.diagonals {
            *diagonals.entry(ordered(leader[a as usize], leader[b as usize])).or_default() += 1;
        }
        for face in &mesh.faces {
            let corners: Vec<u32> = face.iter().map(|&i| leader[i as usize]).collect();
            areas.add_face(&corners, polygon_area(mesh, face), &diagonals);
        }
        areas
    }

    fn add_face(&mut self, corners: &[u32], area: f64, diagonals: &HashMap<[u32; 2], u32>) {
        let n = corners.len();
        // A triangle lends its whole area to each side (Van Gelder 1998), a quad half of it: two sides run each way.
        let side_fraction = if n == 3 { 1.0 } else { 2.0 / n as f64 };
        for k in 0..n {
            self.particle[corners[k] as usize] += area / n as f64;
            *self.edge.entry(ordered(corners[k], corners[(k + 1) % n])).or_default() += area * side_fraction;
        }
        if let &[a, b, c, d] = corners {
            let pairs = [ordered(a, c), ordered(b, d)];
            let count = pairs.iter().filter(|pair| diagonals.contains_key(*pair)).count() as u32;
            for pair in pairs {
                self.cell.insert(pair, (area, count));
            }
        }
    }

    /// Area that an edge stands for [m²].
    pub(super) fn edge(&self, a: u32, b: u32) -> f64 {
        self.edge.get(&ordered(a, b)).copied().unwrap_or(0.0)
    }

    /// Area of the quad a diagonal crosses [m²], and how many diagonals that quad carries.
    pub(super) fn cell(&self, a: u32, b: u32) -> Option<(f64, u32)> {
        self.cell.get(&ordered(a, b)).copied()
    }
}

fn ordered(a: u32, b: u32) -> [u32; 2] {
    if a < b { [a, b] } else { [b, a] }
}

/// Area of a polygon split from its first vertex [m²].
fn polygon_area(mesh: &Mesh, face: &[u32]) -> f64 {
    let at = |k: usize| mesh.positions[face[k] as usize];
    (2..face.len()).map(|k| triangle_area(at(0), at(k - 1), at(k))).sum()
}

/// Area of a triangle [m²].
pub(super) fn triangle_area(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}
