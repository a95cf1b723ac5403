//! The cloths of a model as contact sees them: triangles, edges and vertices, sewn and loose ones resolved.

use super::patch::Patch;
use crate::collide::{Bounds, Bvh};
use crate::model::Model;

/// All that can be in contact.
#[derive(Debug, Clone)]
pub(crate) struct ClothSurface {
    /// Triangles over particles; what is sewn to another is that other.
    pub(crate) patch: Patch,
    /// The cloth of each triangle.
    pub(super) cloth: Vec<u32>,
    /// The tree over the triangles; refitted before each query.
    pub(super) bvh: Bvh,
    /// Longest edge at rest [m].
    pub(super) longest: f64,
}

impl ClothSurface {
    pub(crate) fn new(model: &Model) -> Self {
        let leader = model.leaders();
        let (mut triangles, mut cloth, mut longest) = (Vec::new(), Vec::new(), 0.0_f64);
        for (number, part) in (0..).zip(&model.cloths) {
            let particle = |vertex: u32| leader[part.particles.start + vertex as usize];
            let lines = part.mesh.lines.iter().map(|&[a, b]| [a, b, b]);
            triangles.extend(part.topology.triangles.iter().copied().chain(lines).map(|t| t.map(particle)));
            cloth.resize(triangles.len(), number);
            for [a, b, c] in &part.topology.triangles {
                let at = |vertex: &u32| part.mesh.positions[*vertex as usize];
                longest = longest.max(at(a).distance(at(b))).max(at(b).distance(at(c))).max(at(c).distance(at(a)));
            }
            for [a, b] in &part.mesh.lines {
                longest = longest.max(part.mesh.positions[*a as usize].distance(part.mesh.positions[*b as usize]));
            }
        }
        let patch = Patch::new(triangles, model.len());
        let bvh = Bvh::new(patch.triangles.len(), |t| {
            Bounds::of(patch.triangles[t as usize].map(|i| model.start[i as usize]))
        });
        Self { patch, cloth, bvh, longest }
    }

    /// Longest edge at rest [m].
    pub(crate) fn longest_edge(&self) -> f64 {
        self.longest
    }

    /// Takes new boxes for the triangles.
    pub(super) fn refit(&mut self, mut bounds: impl FnMut([u32; 3]) -> Bounds) {
        let triangles = &self.patch.triangles;
        self.bvh.refit(|t| bounds(triangles[t as usize]));
    }
}
