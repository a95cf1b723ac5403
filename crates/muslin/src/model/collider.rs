//! Colliders: solids that cloth meets and that do not feel it.
//!
//! A collider is a shape with a formula, a triangle mesh, or a level set; it rests, moves rigidly by keys, or deforms by
//! a cache of positions. Its material points move with it, so friction is relative to its own surface.

use std::sync::Arc;

use glam::DVec3;

use super::motion::Motion;
use crate::collide::{LevelSet, Pose, RigidMotion, Shape};

/// A solid that cloth meets.
#[derive(Debug, Clone)]
pub struct Collider {
    /// Its name: also the name of its files.
    pub name: String,
    /// What it is.
    pub solid: Solid,
    /// How it moves rigidly; a deforming mesh moves on top of its cache.
    pub motion: Motion,
    /// The distance ξ that each cloth keeps from it [m], in the order of the model's cloths; positive.
    pub thickness: Vec<f64>,
    /// Coulomb's coefficient with each cloth, static and sliding alike.
    pub friction: Vec<f64>,
}

/// What a collider is, where it starts.
#[derive(Debug, Clone)]
pub enum Solid {
    /// A convex solid with a formula.
    Shape {
        /// The solid in its own axes.
        shape: Shape,
        /// Where it starts.
        pose: Pose,
    },
    /// A mesh that keeps its shape.
    Mesh(SolidMesh),
    /// A mesh that changes its shape.
    Deforming {
        /// Its triangles and where its vertices are at the first moment of the cache.
        mesh: SolidMesh,
        /// Where they are later.
        cache: Arc<ShapeCache>,
    },
    /// A mesh of which only distances on a grid are known.
    LevelSet {
        /// The mesh, which is shown.
        mesh: SolidMesh,
        /// Distances to it, in the axes of the mesh at its start.
        grid: Arc<LevelSet>,
    },
}

/// A triangle mesh where it starts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SolidMesh {
    /// Vertices [m].
    pub positions: Vec<DVec3>,
    /// Corners of each triangle, by vertex.
    pub triangles: Vec<[u32; 3]>,
}

/// Vertices of a mesh at equally spaced times. Between them they move straight, before and after they rest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShapeCache {
    /// Time of the first shape [s].
    pub start: f64,
    /// Time from shape to shape [s]; positive.
    pub interval: f64,
    /// The shapes; at least one, all of the same size.
    pub shapes: Vec<Vec<DVec3>>,
}

impl ShapeCache {
    /// Where vertex `i` is at `time` [m].
    pub fn place(&self, i: usize, time: f64) -> DVec3 {
        let last = self.shapes.len() - 1;
        let at = ((time - self.start) / self.interval).clamp(0.0, last as f64);
        let before = (at.floor() as usize).min(last);
        let after = (before + 1).min(last);
        self.shapes[before][i].lerp(self.shapes[after][i], at - before as f64)
    }
}

impl Collider {
    /// The distance that a cloth of the model keeps [m], and Coulomb's coefficient with it.
    pub fn rules(&self, cloth: usize) -> (f64, f64) {
        (self.thickness[cloth], self.friction[cloth])
    }

    /// The mesh of a collider that has one.
    pub fn mesh(&self) -> Option<&SolidMesh> {
        match &self.solid {
            Solid::Shape { .. } => None,
            Solid::Mesh(mesh) | Solid::Deforming { mesh, .. } | Solid::LevelSet { mesh, .. } => Some(mesh),
        }
    }

    /// Where the collider's own axes are at `time`: those of a shape, or the world's axes, in which a mesh is given, carried along.
    pub fn pose(&self, time: f64) -> Pose {
        let start = match &self.solid {
            Solid::Shape { pose, .. } => *pose,
            _ => Pose::at(DVec3::ZERO),
        };
        self.motion.pose(start, time)
    }

    /// How its axes move from one time to another [s].
    pub fn rigid_motion(&self, from: f64, to: f64) -> RigidMotion {
        self.motion.between(self.pose(from), from, to)
    }

    /// Where the vertices of its mesh are at `time` [m]; none for a shape.
    pub fn positions(&self, time: f64, out: &mut Vec<DVec3>) {
        out.clear();
        let pose = self.pose(time);
        match &self.solid {
            Solid::Shape { .. } => {}
            Solid::Mesh(mesh) | Solid::LevelSet { mesh, .. } => {
                out.extend(mesh.positions.iter().map(|x| pose.world(*x)));
            }
            Solid::Deforming { mesh, cache } => {
                out.extend((0..mesh.positions.len()).map(|i| pose.world(cache.place(i, time))));
            }
        }
    }

    /// True when it never moves.
    pub fn rests(&self) -> bool {
        let deforms = matches!(&self.solid, Solid::Deforming { cache, .. } if cache.shapes.len() > 1);
        !deforms && self.motion.keys.len() < 2
    }
}
