//! A collider, as typed.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Motion, Transform, UpAxis};

/// A solid that cloth meets and that does not feel it: exactly one of `plane`, `sphere`, `box`, `capsule`, `cylinder`,
/// `mesh` and `torus_knot` says what it is.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Collider {
    /// Its name, also of its files: letters, digits, `-` and `_`; unique among colliders and cloths. Default
    /// "collider", "collider-2", …
    #[schemars(extend("examples" = ["table"]), regex(pattern = "^[A-Za-z0-9_-]+$"))]
    pub name: Option<String>,
    /// A half space: everything below y = 0 of its own axes; `plane = {}` is a floor.
    pub plane: Option<Plane>,
    /// A ball.
    pub sphere: Option<Sphere>,
    /// A box with sharp edges.
    #[serde(rename = "box")]
    pub cuboid: Option<Cuboid>,
    /// A cylinder along y with round ends.
    pub capsule: Option<Capsule>,
    /// A cylinder along y with flat ends and sharp rims.
    pub cylinder: Option<Cylinder>,
    /// A mesh from a file (OBJ, PLY). Watertight meshes have an inside; open ones are met alike from both sides.
    pub mesh: Option<SolidFile>,
    /// A rope of triangles tied into a torus knot, watertight.
    pub torus_knot: Option<TorusKnot>,
    /// Size and place: scale and rotation about the origin, then translation.
    pub transform: Transform,
    /// Moves it by keyframes, on top of `transform`. Rotations turn about its own origin unless `centre` says
    /// otherwise.
    pub motion: Option<Motion>,
    /// Changes the shape of a `mesh`, by a cache of its vertices. With `motion` too, the changed shape is moved.
    pub deform: Option<Deform>,
    /// Keep only distances on a grid instead of the triangles (watertight meshes that keep their shape).
    pub level_set: Option<LevelSet>,
    /// Distance that cloth keeps from its surface, on top of the cloth's own thickness [m]. At least 0; default 0.
    #[schemars(range(min = 0.0))]
    pub thickness: f64,
    /// Coulomb's coefficient of friction with every cloth [1]. At least 0; default `contact.friction`.
    #[schemars(range(min = 0.0), extend("examples" = [0.5]))]
    pub friction: Option<f64>,
    /// Coefficients with single cloths, by name: `{ "sheet" = 0.5 }` [1]. At least 0. They go before `friction`.
    #[schemars(extend("additionalProperties" = {
        "description": "Coulomb's coefficient with the cloth of that name [1].", "type": "number", "minimum": 0.0
    }))]
    pub friction_with: BTreeMap<String, f64>,
}

/// A half space: everything below y = 0, which `transform` turns and moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plane {}

/// A ball about its origin.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    /// Radius [m]. More than 0.
    #[schemars(extend("exclusiveMinimum" = 0.0), extend("examples" = [0.25]))]
    pub radius: f64,
}

/// A box about its origin.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cuboid {
    /// Its sides along x, y and z [m]. More than 0.
    #[schemars(extend("items" = { "type": "number", "exclusiveMinimum": 0.0 }), extend("examples" = [[1.0, 0.1, 0.6]]))]
    pub size: [f64; 3],
}

/// A cylinder along y with round ends, about its origin.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Capsule {
    /// Radius [m]. More than 0.
    #[schemars(extend("exclusiveMinimum" = 0.0), extend("examples" = [0.1]))]
    pub radius: f64,
    /// Length of the straight part, round ends not counted [m]. At least 0.
    #[schemars(range(min = 0.0), extend("examples" = [0.5]))]
    pub length: f64,
}

/// A cylinder along y with flat ends, about its origin.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cylinder {
    /// Radius [m]. More than 0.
    #[schemars(extend("exclusiveMinimum" = 0.0), extend("examples" = [0.5]))]
    pub radius: f64,
    /// Length along y [m]. More than 0.
    #[schemars(extend("exclusiveMinimum" = 0.0), extend("examples" = [0.05]))]
    pub length: f64,
}

/// The mesh file of a solid: its name, or a table that also says how to read it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SolidFile {
    /// OBJ or PLY, relative to the scene file, in metres, y up.
    Name(#[schemars(extend("examples" = ["body.obj"]))] String),
    /// With scale and up-axis.
    Table(SolidTable),
}

/// The mesh file of a solid and how to read it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolidTable {
    /// OBJ or PLY, relative to the scene file; `muslin:NAME` is a file inside muslin.
    #[schemars(extend("examples" = ["body.obj"]))]
    pub file: String,
    /// Metres per unit of the file: 0.01 for centimetres. More than 0; default 1.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub scale: f64,
    /// The file's up-axis. Default "y".
    #[serde(default)]
    pub up: UpAxis,
}

fn one() -> f64 {
    1.0
}

/// A rope about a curve that winds `turns[0]` times around the y axis and `turns[1]` times around the ring that the
/// axis goes through, centred at the origin.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TorusKnot {
    /// Turns about the axis and about the ring, without a common divisor. 1 to 32; default [2, 3], a trefoil.
    #[schemars(extend("items" = { "type": "integer", "format": "uint32", "minimum": 1, "maximum": 32 }))]
    pub turns: [u32; 2],
    /// Radius of the ring [m]. More than 0; default 0.2.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub radius: f64,
    /// Radius of the curve's turns about the ring [m]. More than 0, less than `radius`; default 0.09.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub winding: f64,
    /// Radius of the rope [m]. More than 0; thin enough that the rope does not meet itself; default 0.045.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub rope: f64,
    /// Vertices along the rope and around it. At least 8 and 3; default [160, 20], 6400 triangles.
    #[schemars(inner(range(min = 3, max = 10000)))]
    pub segments: [u32; 2],
}

impl Default for TorusKnot {
    fn default() -> Self {
        Self { turns: [2, 3], radius: 0.2, winding: 0.09, rope: 0.045, segments: [160, 20] }
    }
}

/// A cache of a mesh's vertices over time. Between its shapes vertices move straight; before the first and after the
/// last they rest.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deform {
    /// A PC2 or MDD cache, or a sequence of OBJ or PLY files whose name has `####` for the number; relative to the
    /// scene file. Vertices in the mesh's number and order, in its scale and up-axis.
    #[schemars(extend("examples" = ["walk.pc2", "walk.mdd", "walk_####.obj"]))]
    pub file: String,
    /// Shapes per second [1/s]. More than 0; default: what an MDD file says, else `time.frames_per_second`.
    #[schemars(extend("exclusiveMinimum" = 0.0), extend("examples" = [30.0]))]
    pub frames_per_second: Option<f64>,
    /// Time of the first shape [s]; may be before the start. Default 0.
    #[serde(default)]
    pub start: f64,
}

/// A grid of distances.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LevelSet {
    /// Distance from node to node [m]. More than 0. Details smaller than it are lost.
    #[schemars(extend("exclusiveMinimum" = 0.0), extend("examples" = [0.01]))]
    pub cell: f64,
}
