//! The model: everything that never changes during a run. Particles of all cloths are numbered through; elements
//! (springs, corners, hinges) refer to them by index.

mod alone;
mod areas;
mod build;
mod check;
pub mod collider;
mod fabric;
mod fingerprint;
mod lattice;
pub mod material;
pub mod motion;
pub mod pins;
mod pulls;
pub mod select;
mod tessellate;

use std::ops::Range;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::collide::Pose;
use crate::error::OutOfRange;
pub use crate::forces::Air;
use crate::forces::{AirTriangle, ChoiKo, Corner, Hinge, Spring};
use crate::mesh::{Mesh, MeshError, ThreadDirection, Topology};
pub use collider::{Collider, ColliderProblem, ShapeCache, Solid, SolidMesh};
pub use fabric::{Bending, Fold, Shear, Surface};
pub use lattice::{Chain, Lattice};
pub use material::{Damping, Material};
pub use motion::{Ease, Key, Motion};
pub use pins::{Hold, Pin};
pub use pulls::ScriptedPull;
pub use select::{Select, SelectError};
pub use tessellate::band;

/// Everything that never changes during a run.
#[derive(Debug, Clone)]
pub struct Model {
    /// The cloths, in scene order.
    pub cloths: Vec<ClothPart>,
    /// Mass of each particle [kg]; always positive.
    pub mass: Vec<f64>,
    /// Where each particle starts [m].
    pub start: Vec<DVec3>,
    /// How fast each particle starts [m/s].
    pub start_velocity: Vec<DVec3>,
    /// Structural edges: what the strain limit applies to.
    pub edges: Vec<LimitedEdge>,
    /// Linear springs: stretch, shear by diagonals, bending by springs, weak springs.
    pub springs: Vec<Spring>,
    /// Bending connections that buckle at once.
    pub choi_ko: Vec<ChoiKo>,
    /// Angular shear springs.
    pub corners: Vec<Corner>,
    /// Bending elements.
    pub hinges: Vec<Hinge>,
    /// Triangles that feel the air.
    pub air_triangles: Vec<AirTriangle>,
    /// Area that belongs to each particle [m²], for drag per particle.
    pub particle_area: Vec<f64>,
    /// Mass-proportional damping rate of each particle [1/s].
    pub damping_rate: Vec<f64>,
    /// Acceleration of gravity [m/s²].
    pub gravity: DVec3,
    /// The air and its wind.
    pub air: Air,
    /// What holds or guides particles, and until when.
    pub pins: Vec<Pin>,
    /// What draws particles with a force, from when until when.
    pub pulls: Vec<ScriptedPull>,
    /// Particles without a life of their own: each moves with another, or stays where it starts.
    pub followers: Vec<Follower>,
    /// Solids that cloth meets.
    pub colliders: Vec<Collider>,
}

/// A pin of a model, by its place in [`Model::pins`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PinId(pub(crate) usize);

/// A collider of a model, by its place in [`Model::colliders`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ColliderId(pub(crate) usize);

/// A cloth of a model, by its place in [`Model::cloths`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClothId(pub(crate) usize);

/// A particle that is there only so that caches fit its mesh: a sewn duplicate, or a loose vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Follower {
    /// The particle.
    pub particle: u32,
    /// What it follows; none: it stays where it starts.
    pub leader: Option<u32>,
}

/// The part of the model that belongs to a cloth.
#[derive(Debug, Clone)]
pub struct ClothPart {
    /// Its name: also the name of its files.
    pub name: String,
    /// Its particles among all.
    pub particles: Range<usize>,
    /// Its structural edges among all.
    pub edges: Range<usize>,
    /// Its mesh at rest, as its maker described it.
    pub mesh: Mesh,
    /// What was derived from the mesh; indices are the mesh's own.
    pub topology: Topology,
    /// How it meets cloth, itself included.
    pub skin: Skin,
}

/// A structural edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimitedEdge {
    /// First particle.
    pub a: u32,
    /// Second particle.
    pub b: u32,
    /// Rest length l0 [m]; edges of rest length 0 have no strain and are not limited.
    pub rest: f64,
    /// Warp, weft, or neither.
    pub direction: ThreadDirection,
}

/// A cloth as it enters a model.
#[derive(Debug, Clone)]
pub struct Cloth {
    /// Its name.
    pub name: String,
    /// Its mesh at rest.
    pub mesh: Mesh,
    /// Where its vertices start [m].
    pub start: Vec<DVec3>,
    /// How fast they start [m/s].
    pub start_velocity: Vec<DVec3>,
    /// What it is made of.
    pub body: Body,
    /// What holds it; particle indices are the mesh's own.
    pub pins: Vec<Pin>,
    /// How it meets cloth, itself included.
    pub skin: Skin,
}

/// How cloth meets cloth: two cloths at the mean of their thicknesses, with the mean of their coefficients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skin {
    /// The distance ξ that its layers keep from each other [m]; positive.
    pub thickness: f64,
    /// Coulomb's coefficient of its layers against each other, static and sliding alike.
    pub friction: f64,
}

impl Default for Skin {
    fn default() -> Self {
        Self { thickness: Collider::THICKNESS, friction: Collider::FRICTION }
    }
}

impl Cloth {
    /// A fabric in the shape of a mesh, at rest where the mesh is.
    pub fn new(name: impl Into<String>, mesh: Mesh, material: Material) -> Self {
        let surface = Surface {
            material,
            shear: Shear::default(),
            bending: Bending::default(),
            weak_springs: 0.0,
            folds: Vec::new(),
        };
        Self {
            name: name.into(),
            start: mesh.positions.clone(),
            start_velocity: vec![DVec3::ZERO; mesh.positions.len()],
            mesh,
            body: Body::Surface(surface),
            pins: Vec::new(),
            skin: Skin::default(),
        }
    }

    /// The same, starting elsewhere: its rest shape turned and moved by a pose.
    #[must_use]
    pub fn placed(mut self, pose: Pose) -> Self {
        self.start = self.mesh.positions.iter().map(|x| pose.world(*x)).collect();
        self
    }

    /// The same with a pin that holds vertices where they start; see [`Model::pins_of`] for its handle.
    pub fn pinned(mut self, select: &Select) -> Result<Self, SelectError> {
        let particles = select.resolve(&self.mesh, &self.start)?;
        self.pins.push(Pin { particles, hold: Hold::Fixed(Motion::default()), release: None });
        Ok(self)
    }

    /// Takes its threads' own stiffness away, for limiters that stand in for it as their paper has it.
    pub fn leave_stretch_to_the_limiter(&mut self) {
        if let Body::Surface(surface) = &mut self.body {
            (surface.material.stretch_warp, surface.material.stretch_weft) = (0.0, 0.0);
        }
    }
}

/// What a cloth is made of, and by which elements.
#[derive(Debug, Clone)]
pub enum Body {
    /// A sheet of fabric.
    Surface(Surface),
    /// A block of springs in three dimensions.
    Lattice(Lattice),
    /// A thread, a rod, a row of springs.
    Chain(Chain),
}

/// What surrounds the cloths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct World {
    /// Acceleration of gravity [m/s²].
    pub gravity: DVec3,
    /// The air and its wind.
    pub air: Air,
}

impl Default for World {
    fn default() -> Self {
        Self { gravity: DVec3::new(0.0, -9.81, 0.0), air: Air::default() }
    }
}

/// Why a model could not be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A mesh is not usable.
    #[error("cloth `{cloth}`: {source}")]
    Mesh {
        /// The cloth's name.
        cloth: String,
        /// What is wrong with its mesh.
        source: MeshError,
    },
    /// Gravity or air is not finite, or out of its range.
    #[error(transparent)]
    World(#[from] OutOfRange),
    /// A number of a cloth is not finite, or out of its range.
    #[error("cloth `{cloth}`: {problem}")]
    Cloth {
        /// The cloth's name.
        cloth: String,
        /// Which number, and what it may be.
        problem: OutOfRange,
    },
    /// Two cloths or two colliders have one name.
    #[error("two {kind} are called `{name}`: each needs a name of its own")]
    SameName {
        /// `cloths` or `colliders`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// The start pose has another number of vertices than the rest shape.
    #[error("cloth `{cloth}`: the start pose has {start} vertices, the rest shape {rest}")]
    PoseSize {
        /// The cloth's name.
        cloth: String,
        /// Vertices of the start pose.
        start: usize,
        /// Vertices of the rest shape.
        rest: usize,
    },
    /// A particle without mass that is not pinned.
    #[error("cloth `{cloth}`: vertex {vertex} has no mass and is not pinned")]
    NoMass {
        /// The cloth's name.
        cloth: String,
        /// The vertex.
        vertex: usize,
    },
    /// A collider is not usable.
    #[error("collider `{collider}`: {problem}")]
    Collider {
        /// Its name.
        collider: String,
        /// What is wrong with it.
        problem: ColliderProblem,
    },
    /// A pin names a vertex that does not exist.
    #[error("cloth `{cloth}`: pin {pin} names vertex {vertex}, but the mesh has {count}")]
    PinIndex {
        /// The cloth's name.
        cloth: String,
        /// Which of its pins.
        pin: usize,
        /// The vertex named.
        vertex: usize,
        /// How many there are.
        count: usize,
    },
}

impl Model {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.mass.len()
    }

    /// True when there are no particles.
    pub fn is_empty(&self) -> bool {
        self.mass.is_empty()
    }

    /// The cloth of a name.
    pub fn cloth(&self, name: &str) -> Option<ClothId> {
        self.cloths.iter().position(|part| part.name == name).map(ClothId)
    }

    /// The collider of a name.
    pub fn collider(&self, name: &str) -> Option<ColliderId> {
        self.colliders.iter().position(|collider| collider.name == name).map(ColliderId)
    }

    /// The part of a cloth.
    ///
    /// # Panics
    /// When the handle is of another model with more cloths.
    pub(crate) fn part(&self, cloth: ClothId) -> &ClothPart {
        let (number, count) = (cloth.0, self.cloths.len());
        assert!(number < count, "cloth {number} of a model with {count}: the handle is of another model");
        &self.cloths[number]
    }

    /// The pins of a cloth, in the order in which it has them.
    ///
    /// # Panics
    /// When the handle is of another model with more cloths.
    pub fn pins_of(&self, cloth: ClothId) -> impl Iterator<Item = PinId> + '_ {
        let own = self.part(cloth).particles.clone();
        let of = move |pin: &Pin| pin.particles.first().is_some_and(|&first| own.contains(&(first as usize)));
        self.pins.iter().enumerate().filter(move |(_, pin)| of(pin)).map(|(number, _)| PinId(number))
    }

    /// The particle of a cloth's vertex.
    ///
    /// # Panics
    /// When the cloth has no such vertex, or the handle is of another model with more cloths.
    pub fn particle(&self, cloth: ClothId, vertex: usize) -> usize {
        let own = &self.part(cloth).particles;
        assert!(vertex < own.len(), "vertex {vertex} of a cloth with {}", own.len());
        own.start + vertex
    }

    /// Total mass [kg].
    pub fn total_mass(&self) -> f64 {
        self.mass.iter().sum()
    }

    /// True when air may act on anything.
    pub fn has_air(&self) -> bool {
        let Air { density, particle_drag, .. } = self.air;
        particle_drag > 0.0 || (density > 0.0 && !self.air_triangles.is_empty())
    }

    /// Gives every particle that follows another what its leader has.
    pub(crate) fn followers_to_leaders(&self, values: &mut [DVec3]) {
        for follower in &self.followers {
            if let Some(leader) = follower.leader {
                values[follower.particle as usize] = values[leader as usize];
            }
        }
    }

    /// For each particle, the one it is sewn to; itself where it is not.
    pub(crate) fn leaders(&self) -> Vec<u32> {
        let mut leader: Vec<u32> = (0..self.len() as u32).collect();
        for follower in &self.followers {
            if let Some(other) = follower.leader {
                leader[follower.particle as usize] = other;
            }
        }
        leader
    }

    /// The cloth that owns a particle, and the particle's vertex number in that cloth's mesh.
    pub fn owner(&self, particle: usize) -> Option<(&ClothPart, usize)> {
        let part = self.cloths.iter().find(|part| part.particles.contains(&particle))?;
        Some((part, particle - part.particles.start))
    }
}
