//! Scene files as typed: what serde reads and the schema states, before anything is checked. The doc comments are the
//! reference: each says unit, default, range and effect. For limiters and integrators [`crate::parameters`] does.

pub mod camera;
pub mod cloth;
pub mod collider;
pub mod contact;
pub mod methods;
pub mod outcome;
pub mod output;
pub mod pins;
pub mod pull;
pub mod sources;
pub mod world;

use schemars::JsonSchema;
use serde::Deserialize;

pub use camera::Camera;
pub use cloth::{Cloth, DampingRatios, Fold, Material, MaterialTable, Spin, Start, Transform};
pub use collider::{
    Capsule, Collider, Cuboid, Cylinder, Deform, LevelSet, Plane, SolidFile, SolidTable, Sphere, TorusKnot,
};
pub use contact::Contact;
pub use methods::{Chosen, Integrator, IntegratorMethod, Limiter, LimiterMethod};
pub use outcome::{Expect, Probe, Scalar};
pub use output::{CacheFormat, Output};
pub use pins::{Ease, Indices, Key, Motion, Pin, Range, Turning};
pub use pull::Pull;
pub use sources::{Block, Chain, Diagonals, Disc, Grid, Irregular, MeshFile, MeshTable, Tube, UpAxis};
pub use world::{Air, StartFrom, Step, Time, World};

/// A scene of muslin: cloths, what holds them, what surrounds them, and how to simulate. SI units, y up.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(title = "muslin scene")]
pub struct File {
    /// A line that says what the scene is; shown in lists and reports.
    pub title: Option<String>,
    /// What happens in it and why it is worth running.
    pub description: Option<String>,
    /// Seed of everything random in the scene: irregular meshes, start noise, gusts. Default 0.
    pub seed: u64,
    /// How long, and in which steps.
    pub time: Time,
    /// Gravity.
    pub world: World,
    /// The air and its wind.
    pub air: Air,
    /// How positions and velocities advance.
    pub integrator: Integrator,
    /// How far edges may stretch, and which method limits it.
    pub limiter: Limiter,
    /// What happens where cloth meets solids.
    pub contact: Contact,
    /// Start from a frame of an earlier run instead of the poses that the cloths describe.
    pub start_from: Option<StartFrom>,
    /// The cloths, one `[[cloth]]` each; at least one.
    pub cloth: Vec<Cloth>,
    /// Solids that cloth meets, one `[[collider]]` each.
    pub collider: Vec<Collider>,
    /// Forces with a cap that draw vertices somewhere, one `[[pull]]` each.
    pub pull: Vec<Pull>,
    /// Vertices whose motion is recorded, one `[[probe]]` each.
    pub probe: Vec<Probe>,
    /// What must hold at the end of the run, one `[[expect]]` each.
    pub expect: Vec<Expect>,
    /// What a run writes.
    pub output: Output,
    /// From where pictures are taken. Without it, from where the whole motion is in sight. It changes no result.
    pub camera: Option<Camera>,
}

/// A rotation about an axis through the origin, or through the centre that the surrounding table names.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rotate {
    /// Direction of the axis, of any length but zero; y is up.
    #[schemars(extend("examples" = [[0.0, 1.0, 0.0]]))]
    pub axis: [f64; 3],
    /// Angle [degrees], by the right-hand rule; may exceed a turn.
    #[schemars(extend("examples" = [90.0]))]
    pub degrees: f64,
}
