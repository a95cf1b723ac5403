//! A cloth as other cloth meets it.

use glam::DVec3;

use crate::collide::{Bounds, Bvh};
use crate::contact::ClothSurface;
use crate::contact::patch::Patch;
use crate::model::{Model, Skin};

/// One cloth: its triangles, lines, edges and vertices at rest, with a tree.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(super) patch: Patch,
    /// Where particles are at rest [m].
    pub(super) rest: Vec<DVec3>,
    /// Of the triangles. It is made at rest, where cloth is next to what it is joined to, and refitted.
    pub(super) tree: Bvh,
    pub(super) skin: Skin,
    /// Mean length of an edge [m].
    pub(super) edge: f64,
    /// Longest edge at rest [m].
    pub(super) longest: f64,
}

impl Sheet {
    /// The only cloth of a model.
    pub(crate) fn new(model: &Model) -> Self {
        let ClothSurface { patch, longest, .. } = ClothSurface::new(model);
        let part = &model.cloths[0];
        let rest = part.mesh.positions.clone();
        let lengths = patch.edges.iter().map(|&[a, b]| rest[a as usize].distance(rest[b as usize]));
        let edge = lengths.sum::<f64>() / patch.edges.len().max(1) as f64;
        let tree =
            Bvh::new(patch.triangles.len(), |t| Bounds::of(patch.triangles[t as usize].map(|i| rest[i as usize])));
        Self { patch, rest, tree, skin: part.skin, edge, longest }
    }

    /// Its number of particles.
    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    /// Longest edge at rest [m].
    pub(crate) fn longest_edge(&self) -> f64 {
        self.longest
    }

    /// Whether a path of at most `reach` [m] along edges at rest leads from a vertex to one of some others.
    pub(super) fn is_near(&self, vertex: u32, others: &[u32], reach: f64, known: &mut Vec<(u32, f64)>) -> bool {
        known.clear();
        known.push((vertex, 0.0));
        let mut done = 0;
        while done < known.len() {
            let (at, path) = known[done];
            done += 1;
            if others.contains(&at) {
                return true;
            }
            for &next in self.patch.neighbours(at) {
                let longer = path + self.rest[at as usize].distance(self.rest[next as usize]);
                if longer <= reach && known.iter().all(|(known, path)| *known != next || *path > longer) {
                    known.push((next, longer));
                }
            }
        }
        false
    }
}
