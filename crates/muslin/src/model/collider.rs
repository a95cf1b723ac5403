//! Colliders: solids that cloth meets and that do not feel it.
//!
//! A collider is a shape with a formula, a triangle mesh, or a level set; it rests, moves rigidly by keys, or deforms
//! by a cache of positions. Its material points move with it, so friction is relative to its own surface.

use std::sync::Arc;

use glam::DVec3;

use super::motion::Motion;
use crate::collide::{LevelSet, Pose, RigidMotion, Shape};
use crate::error::{OutOfRange, is_amount};

/// A solid that cloth meets.
#[derive(Debug, Clone)]
pub struct Collider {
    /// Its name: also the name of its files.
    pub name: String,
    /// What it is.
    pub solid: Solid,
    /// How it moves rigidly; a deforming mesh moves on top of its cache.
    pub motion: Motion,
    /// The distance ξ that each cloth keeps from it [m], in the order of the model's cloths; positive. Empty when a
    /// model is built: [`Collider::THICKNESS`] from all.
    pub thickness: Vec<f64>,
    /// Coulomb's coefficient with each cloth, static and sliding alike. Empty when a model is built:
    /// [`Collider::FRICTION`].
    pub friction: Vec<f64>,
}

/// Why a collider is not usable.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ColliderProblem {
    /// A number is not finite, or not positive where it has to be.
    #[error(transparent)]
    Number(#[from] OutOfRange),
    /// It does not say what it is to each cloth.
    #[error("it has {given} values of {what}, but there are {cloths} cloths")]
    Cloths {
        /// `thickness` or `friction`.
        what: &'static str,
        /// How many values it has.
        given: usize,
        /// How many cloths there are.
        cloths: usize,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but the mesh has {count}")]
    Vertex {
        /// The triangle.
        triangle: usize,
        /// The vertex named.
        vertex: u32,
        /// How many there are.
        count: usize,
    },
    /// Its mesh has no triangle.
    #[error("its mesh has no triangles")]
    Empty,
    /// A shape of its cache has another number of vertices than its mesh.
    #[error("shape {shape} of its cache has {found} vertices, its mesh {count}")]
    Cache {
        /// The shape.
        shape: usize,
        /// How many vertices it has.
        found: usize,
        /// How many the mesh has.
        count: usize,
    },
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

impl SolidMesh {
    fn check(&self) -> Result<(), ColliderProblem> {
        let count = self.positions.len();
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|vertex| **vertex as usize >= count) {
                return Err(ColliderProblem::Vertex { triangle, vertex, count });
            }
        }
        if self.triangles.is_empty() { Err(ColliderProblem::Empty) } else { Ok(()) }
    }
}

impl ShapeCache {
    fn check(&self, count: usize) -> Result<(), ColliderProblem> {
        if !(self.start.is_finite() && self.interval.is_finite() && self.interval > 0.0 && !self.shapes.is_empty()) {
            let (what, range) =
                ("its cache", "of one shape at least, with a finite start and an interval of more than 0 s");
            let shapes = self.shapes.len();
            let value = format_args!("{shapes} shapes from {} s on, every {} s", self.start, self.interval);
            OutOfRange::unless(false, what, value, range)?;
        }
        match self.shapes.iter().position(|shape| shape.len() != count) {
            Some(shape) => Err(ColliderProblem::Cache { shape, found: self.shapes[shape].len(), count }),
            None => Ok(()),
        }
    }

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
    /// The distance that cloth keeps where nothing else is said [m].
    pub const THICKNESS: f64 = 0.001;
    /// The least distance to a solid that `certified` keeps [m].
    pub const LEAST_CERTIFIED: f64 = 1e-5;
    /// Coulomb's coefficient where nothing else is said.
    pub const FRICTION: f64 = 0.3;

    /// A collider at rest, with the usual thickness and friction.
    pub fn new(name: impl Into<String>, solid: Solid) -> Self {
        let (thickness, friction) = (Vec::new(), Vec::new());
        Self { name: name.into(), solid, motion: Motion::default(), thickness, friction }
    }

    /// A shape at a place, at rest.
    pub fn shape(name: impl Into<String>, shape: Shape, position: DVec3) -> Self {
        Self::new(name, Solid::Shape { shape, pose: Pose::at(position) })
    }

    /// Gives it the usual thickness and friction with all cloths, where it has none.
    pub(super) fn fill(&mut self, cloths: usize) {
        let fill = |values: &mut Vec<f64>, usual: f64| {
            if values.is_empty() {
                values.resize(cloths, usual);
            }
        };
        fill(&mut self.thickness, Self::THICKNESS);
        fill(&mut self.friction, Self::FRICTION);
    }

    /// What makes it useless among so many cloths.
    pub(super) fn check(&self, cloths: usize) -> Result<(), ColliderProblem> {
        for (what, values) in [("thickness", &self.thickness), ("friction", &self.friction)] {
            if values.len() != cloths {
                return Err(ColliderProblem::Cloths { what, given: values.len(), cloths });
            }
        }
        for (xi, mu) in self.thickness.iter().zip(&self.friction) {
            let thick = xi.is_finite() && *xi > 0.0;
            OutOfRange::unless(thick, "its thickness", format_args!("{xi} m"), "finite and more than 0")?;
            OutOfRange::unless(is_amount(*mu), "its friction", mu, "finite and at least 0")?;
        }
        if let Solid::Shape { shape, pose } = &self.solid {
            OutOfRange::unless(
                shape.is_sound(),
                "its shape",
                format_args!("{shape:?} [m]"),
                "of finite, positive sizes",
            )?;
            pose.check("its pose")?;
        }
        if let Some(mesh) = self.mesh() {
            for (vertex, x) in mesh.positions.iter().enumerate() {
                let what = format_args!("vertex {vertex} of its mesh");
                OutOfRange::unless(x.is_finite(), what, format_args!("{x} m"), "finite")?;
            }
            mesh.check()?;
        }
        match &self.solid {
            Solid::Deforming { mesh, cache } => cache.check(mesh.positions.len()),
            Solid::Shape { .. } | Solid::Mesh(_) | Solid::LevelSet { .. } => Ok(()),
        }
    }

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

    /// Where the collider's own axes are at `time`: those of a shape, or the world's axes, in which a mesh is given,
    /// carried along.
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
        self.positions_at(self.pose(time), time, out);
    }

    /// The same with its axes at a pose of their own; a deforming mesh has its shape of that time.
    pub(crate) fn positions_at(&self, pose: Pose, time: f64, out: &mut Vec<DVec3>) {
        out.clear();
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
