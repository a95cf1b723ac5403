//! The colliders during a step.
//!
//! Shapes and level sets move on screws (`RigidMotion`); the vertices of meshes move straight from where they are at
//! the start of the step to where they are at its end, whether the mesh turns or deforms.

use std::sync::Arc;

use glam::DVec3;

use super::moving_mesh::MovingMesh;
use crate::collide::{Bounds, LevelSet, Nearest, Pose, RigidMotion, Shape};
use crate::inputs::Surroundings;
use crate::model::{Collider, Model, Solid};

/// How a point lies to a collider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Separation {
    /// Signed distance to its surface [m], negative inside; open meshes have no inside.
    pub gap: f64,
    /// Unit direction in which the gap grows.
    pub normal: DVec3,
    /// Velocity of the collider at its surface there [m/s].
    pub velocity: DVec3,
}

/// All colliders during a step, placed after a fraction of it.
#[derive(Debug, Clone)]
pub struct Solids {
    /// Length of the step [s].
    h: f64,
    fraction: f64,
    moving: Vec<MovingCollider>,
}

/// A collider during a step.
#[derive(Debug, Clone)]
pub(crate) enum MovingCollider {
    /// A solid with a formula.
    Shape(Shape, RigidPath),
    /// A grid of distances.
    LevelSet(Arc<LevelSet>, RigidPath),
    /// A mesh, at rest in its shape or not.
    Mesh(Box<MovingMesh>),
}

/// A rigid motion, and where it has come to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RigidPath {
    /// The motion of the step.
    pub(crate) motion: RigidMotion,
    /// The pose after the fraction of the step that was last asked for.
    pub(crate) pose: Pose,
}

impl Solids {
    /// The colliders of a model, at the start of a step at time 0.
    pub fn new(model: &Model) -> Self {
        Self::build(model, false)
    }

    /// No colliders.
    pub fn none() -> Self {
        Self { h: 1.0, fraction: 0.0, moving: Vec::new() }
    }

    /// The same with triangles in place of level sets, which only approximate them.
    pub fn exact(model: &Model) -> Self {
        Self::build(model, true)
    }

    fn build(model: &Model, exact: bool) -> Self {
        let moving = model.colliders.iter().map(|collider| MovingCollider::new(collider, exact)).collect();
        let mut solids = Self { h: 1.0, fraction: 0.0, moving };
        solids.begin(model, [0.0.into(), 1.0.into()], 1.0);
        solids
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.moving.is_empty()
    }

    /// Takes the motion from one moment to another, `h` seconds later, and places all at its start.
    pub fn begin(&mut self, model: &Model, [from, to]: [Surroundings<'_>; 2], h: f64) {
        self.h = h;
        for (number, (moving, collider)) in self.moving.iter_mut().zip(&model.colliders).enumerate() {
            match moving {
                MovingCollider::Shape(_, path) | MovingCollider::LevelSet(_, path) => {
                    // Where both ends are on its keys it moves by them, many turns included.
                    path.motion = if from.is_scripted(number) && to.is_scripted(number) {
                        collider.rigid_motion(from.time, to.time)
                    } else {
                        RigidMotion::between(from.pose(model, number), to.pose(model, number))
                    };
                }
                MovingCollider::Mesh(mesh) => mesh.begin(model, number, from, to),
            }
        }
        self.place(0.0);
    }

    /// Places all after the fraction `s` of the step.
    pub fn place(&mut self, s: f64) {
        self.fraction = s;
        for moving in &mut self.moving {
            match moving {
                MovingCollider::Shape(_, path) | MovingCollider::LevelSet(_, path) => path.pose = path.motion.pose(s),
                MovingCollider::Mesh(mesh) => mesh.place(s),
            }
        }
    }

    /// The fraction of the step after which all are placed.
    pub fn fraction(&self) -> f64 {
        self.fraction
    }

    /// Length of the step [s].
    pub(crate) fn step(&self) -> f64 {
        self.h
    }

    /// The colliders, in the model's order.
    pub(crate) fn moving(&self) -> &[MovingCollider] {
        &self.moving
    }

    /// A box that holds a collider throughout the step.
    pub fn bounds(&self, collider: usize) -> Bounds {
        match &self.moving[collider] {
            MovingCollider::Shape(shape, path) => shape.swept_bounds(&path.motion),
            MovingCollider::LevelSet(grid, path) => {
                Shape::Box { half: grid.half_size() }.swept_bounds(&path.motion.at(grid.centre()))
            }
            MovingCollider::Mesh(mesh) => mesh.swept.bounds(),
        }
    }

    /// Longest path of a collider's surface in this step [m], at most, where it may meet what is within a box.
    pub(crate) fn path_length(&self, collider: usize, around: &Bounds) -> f64 {
        match &self.moving[collider] {
            MovingCollider::Shape(_, path) | MovingCollider::LevelSet(_, path) => {
                let own = self.bounds(collider);
                let (low, high) = (own.min.max(around.min), own.max.min(around.max));
                let arm = (low - path.motion.pivot()).abs().max((high - path.motion.pivot()).abs());
                path.motion.shift().length() + path.motion.spin().length() * arm.length()
            }
            MovingCollider::Mesh(mesh) => mesh.furthest,
        }
    }

    /// Least width of a collider [m]; infinite for a plane.
    pub(crate) fn extent(&self, collider: usize) -> f64 {
        match &self.moving[collider] {
            MovingCollider::Shape(shape, _) => match *shape {
                Shape::Plane => f64::INFINITY,
                Shape::Sphere { radius } | Shape::Capsule { radius, .. } => 2.0 * radius,
                Shape::Box { half } => 2.0 * half.min_element(),
                Shape::Cylinder { radius, half_length } => 2.0 * radius.min(half_length),
            },
            MovingCollider::LevelSet(grid, _) => 2.0 * grid.half_size().min_element(),
            MovingCollider::Mesh(mesh) => {
                let bounds = mesh.surface.bvh().bounds();
                (bounds.max - bounds.min).length()
            }
        }
    }

    /// True when something around these places may come to a collider in this step, thickness included.
    pub(crate) fn may_meet<'a>(&self, model: &Model, places: &(impl Iterator<Item = &'a DVec3> + Clone)) -> bool {
        let around = Bounds::of(places.clone().copied());
        (0..self.moving.len()).any(|collider| self.may_come_to(model, collider, places, &around, 0.0))
    }

    /// True when the box `around` places [m], made larger by `further` [m], meets that of a collider in this step,
    /// thickness included. The box around a plane may be everywhere, so places are asked one by one there, as long as
    /// it rests.
    pub(crate) fn may_come_to<'a>(
        &self,
        model: &Model,
        collider: usize,
        places: &(impl Iterator<Item = &'a DVec3> + Clone),
        around: &Bounds,
        further: f64,
    ) -> bool {
        let reach = further + model.colliders[collider].thickness.iter().copied().fold(0.0, f64::max);
        let may = self.bounds(collider).meets(&around.grown(reach));
        match &self.moving[collider] {
            MovingCollider::Shape(Shape::Plane, path) if may && !path.motion.moves() => {
                let (normal, foot) = (path.pose.rotation * DVec3::Y, path.pose.position);
                places.clone().any(|x| normal.dot(*x - foot) < reach)
            }
            _ => may,
        }
    }

    /// True when a collider moves in this step.
    pub fn moves(&self, collider: usize) -> bool {
        match &self.moving[collider] {
            MovingCollider::Shape(_, path) | MovingCollider::LevelSet(_, path) => path.motion.moves(),
            MovingCollider::Mesh(mesh) => mesh.furthest > 0.0,
        }
    }

    /// How fast something that moves with `velocity` may come towards a collider at a `place`, at most [m/s].
    pub(crate) fn approach(&self, collider: usize, place: DVec3, velocity: DVec3) -> f64 {
        match &self.moving[collider] {
            MovingCollider::Shape(_, path) | MovingCollider::LevelSet(_, path) => {
                (velocity - path.motion.velocity(place, self.fraction, self.h)).length()
            }
            MovingCollider::Mesh(mesh) => velocity.length() + mesh.furthest / self.h,
        }
    }

    /// Velocity of the material of a rigid collider at a place [m/s]; 0 of a mesh.
    pub(crate) fn material_velocity(&self, collider: usize, place: DVec3) -> DVec3 {
        match &self.moving[collider] {
            MovingCollider::Shape(_, path) | MovingCollider::LevelSet(_, path) => {
                path.motion.velocity(place, self.fraction, self.h)
            }
            MovingCollider::Mesh(_) => DVec3::ZERO,
        }
    }

    /// Acceleration of the material of a rigid collider at a place [m/s²]; 0 of a mesh.
    pub(crate) fn material_acceleration(&self, collider: usize, place: DVec3) -> DVec3 {
        match &self.moving[collider] {
            MovingCollider::Shape(_, path) | MovingCollider::LevelSet(_, path) => {
                path.motion.acceleration(place, self.fraction, self.h)
            }
            MovingCollider::Mesh(_) => DVec3::ZERO,
        }
    }

    /// How a point [m] lies to a collider where it is placed; none when it is further outside than `reach` [m].
    pub fn separation(&self, collider: usize, point: DVec3, reach: f64) -> Option<Separation> {
        match &self.moving[collider] {
            MovingCollider::Shape(shape, path) => self.rigid(path, point, reach, |local| shape.nearest(local)),
            MovingCollider::LevelSet(grid, path) => self.rigid(path, point, reach, |local| grid.nearest(local)),
            MovingCollider::Mesh(mesh) => {
                let near = mesh.surface.nearest(point, reach).or_else(|| mesh.surface.nearest_from_inside(point))?;
                let velocity = mesh.velocity(near.triangle, near.place.weights, self.h);
                Some(Separation { gap: near.distance, normal: near.normal, velocity })
            }
        }
    }

    fn rigid(
        &self,
        path: &RigidPath,
        point: DVec3,
        reach: f64,
        nearest: impl Fn(DVec3) -> Nearest,
    ) -> Option<Separation> {
        let near = nearest(path.pose.local(point));
        let velocity = || path.motion.velocity(path.pose.world(near.point), self.fraction, self.h);
        (near.distance < reach).then(|| Separation {
            gap: near.distance,
            normal: path.pose.rotation * near.normal,
            velocity: velocity(),
        })
    }
}

impl MovingCollider {
    fn new(collider: &Collider, exact: bool) -> Self {
        let path = || {
            let pose = collider.pose(0.0);
            RigidPath { motion: RigidMotion::resting(pose), pose }
        };
        match &collider.solid {
            Solid::Shape { shape, .. } => Self::Shape(*shape, path()),
            Solid::LevelSet { grid, .. } if !exact => Self::LevelSet(grid.clone(), path()),
            Solid::Mesh(mesh) | Solid::Deforming { mesh, .. } | Solid::LevelSet { mesh, .. } => {
                Self::Mesh(Box::new(MovingMesh::new(mesh)))
            }
        }
    }
}
