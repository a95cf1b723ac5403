//! The colliders during a step.
//!
//! Shapes and level sets move on screws (`RigidMotion`); the vertices of meshes move straight from where they are at the
//! start of the step to where they are at its end, whether the mesh turns or deforms.

use std::sync::Arc;

use glam::DVec3;

use crate::collide::{LevelSet, Nearest, RigidMotion, Shape, TriangleSurface};
use crate::model::{Collider, Model, Solid};

/// How a point lies to a collider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Signed distance to its surface [m], negative inside; open meshes have no inside.
    pub gap: f64,
    /// Unit direction in which the gap grows.
    pub normal: DVec3,
    /// Velocity of the collider at its surface there [m/s].
    pub velocity: DVec3,
}

/// All colliders during a step, placed after a share of it.
#[derive(Debug, Clone)]
pub struct Solids {
    /// Length of the step [s].
    h: f64,
    share: f64,
    moving: Vec<Moving>,
}

/// A collider during a step.
#[derive(Debug, Clone)]
pub enum Moving {
    /// A solid with a formula.
    Shape(Shape, RigidMotion),
    /// A grid of distances.
    LevelSet(Arc<LevelSet>, RigidMotion),
    /// A mesh, at rest in its shape or not.
    Mesh(Box<MovingMesh>),
}

/// A mesh during a step.
#[derive(Debug, Clone)]
pub struct MovingMesh {
    /// The surface, placed after the share of the step that was last asked for.
    pub surface: TriangleSurface,
    /// Where its vertices start the step [m].
    pub start: Vec<DVec3>,
    /// Where they end it [m].
    pub end: Vec<DVec3>,
    placed: Vec<DVec3>,
}

impl Solids {
    /// The colliders of a model, at the start of a step at time 0.
    pub fn new(model: &Model) -> Self {
        let moving = model.colliders.iter().map(Moving::new).collect();
        let mut solids = Self { h: 1.0, share: 0.0, moving };
        solids.begin(model, 0.0, 1.0);
        solids
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.moving.is_empty()
    }

    /// Takes the motion from `time` to `time` + `h` [s], and places all at its start.
    pub fn begin(&mut self, model: &Model, time: f64, h: f64) {
        self.h = h;
        for (moving, collider) in self.moving.iter_mut().zip(&model.colliders) {
            match moving {
                Moving::Shape(_, motion) | Moving::LevelSet(_, motion) => {
                    *motion = collider.rigid_motion(time, time + h);
                }
                Moving::Mesh(mesh) => {
                    collider.positions(time, &mut mesh.start);
                    collider.positions(time + h, &mut mesh.end);
                }
            }
        }
        self.place(0.0);
    }

    /// Places all after the share `s` of the step.
    pub fn place(&mut self, s: f64) {
        self.share = s;
        for moving in &mut self.moving {
            if let Moving::Mesh(mesh) = moving {
                mesh.place(s);
            }
        }
    }

    /// The share of the step after which all are placed.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// The colliders, in the model's order.
    pub fn moving(&self) -> &[Moving] {
        &self.moving
    }

    /// How a point [m] lies to a collider where it is placed; none when it is further than `reach` [m].
    pub fn touch(&self, collider: usize, point: DVec3, reach: f64) -> Option<Touch> {
        match &self.moving[collider] {
            Moving::Shape(shape, motion) => self.rigid(motion, point, reach, |local| shape.nearest(local)),
            Moving::LevelSet(grid, motion) => self.rigid(motion, point, reach, |local| grid.nearest(local)),
            Moving::Mesh(mesh) => {
                let near = mesh.surface.nearest(point, reach)?;
                let corners = mesh.surface.triangles()[near.triangle as usize].map(|i| i as usize);
                let shift = |i: usize| mesh.end[i] - mesh.start[i];
                let velocity = (0..3).map(|k| shift(corners[k]) * near.place.weights[k]).sum::<DVec3>() / self.h;
                Some(Touch { gap: near.distance, normal: near.normal, velocity })
            }
        }
    }

    fn rigid(
        &self,
        motion: &RigidMotion,
        point: DVec3,
        reach: f64,
        nearest: impl Fn(DVec3) -> Nearest,
    ) -> Option<Touch> {
        let pose = motion.pose(self.share);
        let near = nearest(pose.local(point));
        let velocity = || motion.velocity(pose.world(near.point), self.share, self.h);
        (near.distance < reach).then(|| Touch {
            gap: near.distance,
            normal: pose.rotation * near.normal,
            velocity: velocity(),
        })
    }
}

impl Moving {
    fn new(collider: &Collider) -> Self {
        let at_rest = RigidMotion::resting(collider.pose(0.0));
        match &collider.solid {
            Solid::Shape { shape, .. } => Self::Shape(*shape, at_rest),
            Solid::LevelSet { grid, .. } => Self::LevelSet(grid.clone(), at_rest),
            Solid::Mesh(mesh) | Solid::Deforming { mesh, .. } => Self::Mesh(Box::new(MovingMesh {
                surface: TriangleSurface::new(mesh.positions.clone(), mesh.triangles.clone()),
                start: mesh.positions.clone(),
                end: mesh.positions.clone(),
                placed: mesh.positions.clone(),
            })),
        }
    }
}

impl MovingMesh {
    /// Where a vertex is after the share `s` of the step [m].
    pub fn at(&self, vertex: usize, s: f64) -> DVec3 {
        self.start[vertex] * (1.0 - s) + self.end[vertex] * s
    }

    fn place(&mut self, s: f64) {
        let mut moved = false;
        for i in 0..self.placed.len() {
            let place = self.at(i, s);
            moved |= place != self.placed[i];
            self.placed[i] = place;
        }
        if moved || self.placed != self.surface.positions() {
            self.surface.update(&self.placed);
        }
    }
}
