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
    /// Where particles are at rest, and where they start [m].
    pub(super) rest: Vec<DVec3>,
    pub(super) start: Vec<DVec3>,
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
        Self { patch, rest, start: model.start.clone(), tree, skin: part.skin, edge, longest }
    }

    /// Its number of particles.
    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    /// Longest edge at rest [m].
    pub(crate) fn longest_edge(&self) -> f64 {
        self.longest
    }

    /// The distance its layers keep from each other [m].
    pub(crate) fn thickness(&self) -> f64 {
        self.skin.thickness
    }

    /// Takes new boxes of the triangles.
    pub(crate) fn refit(&mut self, mut bounds: impl FnMut([u32; 3]) -> Bounds) {
        let triangles = &self.patch.triangles;
        self.tree.refit(|t| bounds(triangles[t as usize]));
    }

    /// Whether any boxes of two cloths meet.
    pub(crate) fn may_meet([one, other]: [&Self; 2]) -> bool {
        let mut any = false;
        one.tree.pairs(&other.tree, |_, _| any = true);
        any
    }
}
