//! What a renderer needs of a cloth.

use glam::{DVec2, DVec3};

use super::Simulation;
use crate::model::ClothId;

impl Simulation {
    /// The triangles of a cloth, as indices into [`Simulation::positions`], counter-clockwise seen from the front. They never
    /// change. A quad is two triangles; vertices that are sewn together count as the first of them.
    ///
    /// # Panics
    /// When the handle is of another model with more cloths.
    pub fn triangles(&self, cloth: ClothId) -> &[[u32; 3]] {
        &self.model.part(cloth).topology.triangles
    }

    /// Where the vertices of a cloth are at rest [m].
    ///
    /// # Panics
    /// When the handle is of another model with more cloths.
    pub fn rest_positions(&self, cloth: ClothId) -> &[DVec3] {
        &self.model.part(cloth).mesh.positions
    }

    /// Texture coordinates at the corners of each of a cloth's [triangles](Simulation::triangles), so that a vertex on a seam may
    /// have several; none where its mesh has none. They never change.
    ///
    /// # Panics
    /// When the handle is of another model with more cloths.
    pub fn texture(&self, cloth: ClothId) -> Option<Vec<[DVec2; 3]>> {
        let part = self.model.part(cloth);
        let (mesh, topology) = (&part.mesh, &part.topology);
        let (uvs, roots) = (mesh.uvs.as_ref()?, mesh.weld_roots());
        let coordinate = |face: usize, vertex: u32| {
            let corner = mesh.faces[face].iter().position(|&corner| roots[corner as usize] == vertex);
            // A triangle has its corners from its face.
            corner.map_or(DVec2::ZERO, |corner| uvs.coords[uvs.corners[face][corner] as usize])
        };
        let triangles = topology.triangles.iter().zip(&topology.triangle_face);
        Some(triangles.map(|(triangle, &face)| triangle.map(|vertex| coordinate(face as usize, vertex))).collect())
    }

    /// Writes the unit normals of a cloth's vertices where they are now, one for each: the mean over the triangles around it, by
    /// their area. Zero for vertices without triangles.
    ///
    /// # Panics
    /// When the handle is of another model with more cloths.
    pub fn normals(&self, cloth: ClothId, normals: &mut Vec<DVec3>) {
        let (x, own) = (self.positions(cloth), self.model.part(cloth).particles.clone());
        normals.clear();
        normals.resize(x.len(), DVec3::ZERO);
        for corners in self.triangles(cloth).iter().map(|triangle| triangle.map(|vertex| vertex as usize)) {
            let [a, b, c] = corners.map(|vertex| x[vertex]);
            // As long as twice the area.
            let normal = (b - a).cross(c - a);
            for vertex in corners {
                normals[vertex] += normal;
            }
        }
        // Those that are sewn to another have no triangles of their own.
        for follower in &self.model.followers {
            let (vertex, leader) = (follower.particle as usize, follower.leader);
            if let (true, Some(leader)) = (own.contains(&vertex), leader) {
                normals[vertex - own.start] = normals[leader as usize - own.start];
            }
        }
        for normal in normals {
            *normal = normal.normalize_or_zero();
        }
    }
}
