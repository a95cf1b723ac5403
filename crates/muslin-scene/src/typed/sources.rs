//! Where a cloth's mesh comes from: generators and files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rectangular grid in the x–z plane: corner (0, 0) at the origin, weft along x, warp along z.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Grid {
    /// Extent along x and z [m]. More than 0; default [1, 1].
    #[schemars(extend("items" = { "type": "number", "exclusiveMinimum": 0.0 }))]
    pub size: [f64; 2],
    /// Particles along x and z. At least 2 each; default [41, 41].
    #[schemars(inner(range(min = 2)))]
    pub particles: [u32; 2],
    /// Which diagonals of its cells resist shear. Default "both".
    pub diagonals: Diagonals,
    /// True: triangles instead of quads, so that diagonals are structural edges (needs "one" or "alternating").
    /// Default false.
    pub triangles: bool,
}

impl Default for Grid {
    fn default() -> Self {
        Self { size: [1.0; 2], particles: [41; 2], diagonals: Diagonals::Both, triangles: false }
    }
}

/// Which diagonals the cells of a mesh carry as shear springs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Diagonals {
    /// None: nothing resists shear.
    None,
    /// The same one in every cell: resists shear, with a bias.
    One,
    /// Both.
    #[default]
    Both,
    /// One per cell, alternating like a chessboard.
    Alternating,
}

/// A disc of triangles in the x–z plane, centred at the origin.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Disc {
    /// Radius [m]. More than 0; default 0.5.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub radius: f64,
    /// Rings of triangles from the centre to the border. At least 1; default 20.
    #[schemars(range(min = 1))]
    pub rings: u32,
}

impl Default for Disc {
    fn default() -> Self {
        Self { radius: 0.5, rings: 20 }
    }
}

/// A tube about the y axis, open at its ends.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Tube {
    /// Radius [m]. More than 0; default 0.15.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub radius: f64,
    /// Length along y [m]. More than 0; default 0.6.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub length: f64,
    /// Particles around and along. At least 3 and 2; default [48, 31].
    #[schemars(inner(range(min = 2)))]
    pub particles: [u32; 2],
    /// Which diagonals of its cells resist shear. Default "both".
    pub diagonals: Diagonals,
}

impl Default for Tube {
    fn default() -> Self {
        Self { radius: 0.15, length: 0.6, particles: [48, 31], diagonals: Diagonals::Both }
    }
}

/// A rectangle in the x–z plane with irregular triangles; the scene's seed chooses them.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Irregular {
    /// Extent along x and z [m]. More than 0; default [1, 1].
    #[schemars(extend("items" = { "type": "number", "exclusiveMinimum": 0.0 }))]
    pub size: [f64; 2],
    /// Particles along x and z before they are shaken. At least 2 each; default [41, 41].
    #[schemars(inner(range(min = 2)))]
    pub particles: [u32; 2],
    /// How far inner particles are shaken, as a fraction of their spacing. 0 to 1; default 0.4.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub jitter: f64,
}

impl Default for Irregular {
    fn default() -> Self {
        Self { size: [1.0; 2], particles: [41; 2], jitter: 0.4 }
    }
}

/// A block of elastic material as a lattice of springs; its least corner is at the origin.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Block {
    /// Extent along x, y and z [m]. More than 0; default [0.2, 0.2, 0.2].
    #[schemars(extend("items" = { "type": "number", "exclusiveMinimum": 0.0 }))]
    pub size: [f64; 3],
    /// Particles along x, y and z. At least 2 each; default [6, 6, 6].
    #[schemars(inner(range(min = 2)))]
    pub particles: [u32; 3],
    /// Mass per volume [kg/m³]. More than 0; default 100, a foam.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub density: f64,
    /// Young's modulus [N/m²]. More than 0; default 2e4, a soft foam.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub stiffness: f64,
    /// Damping ratio at 10 Hz [1]. At least 0; default 0.02.
    #[schemars(range(min = 0.0))]
    pub damping: f64,
}

impl Default for Block {
    fn default() -> Self {
        Self { size: [0.2; 3], particles: [6; 3], density: 100.0, stiffness: 2e4, damping: 0.02 }
    }
}

/// A thread, a rod, or a row of springs.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// Where it begins [m].
    #[schemars(extend("examples" = [[0.0, 0.0, 0.0]]))]
    pub from: [f64; 3],
    /// Where it ends [m]; the bob hangs here.
    #[schemars(extend("examples" = [[1.0, 0.0, 0.0]]))]
    pub to: [f64; 3],
    /// Particles, both ends included. At least 2; default 2.
    #[serde(default = "two")]
    #[schemars(range(min = 2))]
    pub particles: u32,
    /// Mass of the whole chain without the bob [kg]. At least 0 (0: every particle but the bob must be pinned);
    /// default 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub mass: f64,
    /// Extra mass at its last particle [kg]. At least 0; default 0.
    #[serde(default)]
    #[schemars(range(min = 0.0), extend("examples" = [1.0]))]
    pub bob: f64,
    /// Stiffness of the whole chain, end to end [N/m]. More than 0.
    #[schemars(extend("exclusiveMinimum" = 0.0), extend("examples" = [50000.0]))]
    pub stiffness: f64,
    /// Length of the whole chain at rest [m]. At least 0 (0: a spring that pulls to a point). Default: from end to end.
    #[schemars(range(min = 0.0))]
    pub rest_length: Option<f64>,
    /// Damping ratio at 10 Hz [1]. At least 0; default 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub damping: f64,
}

fn two() -> u32 {
    2
}

/// A mesh file: its name, or a table that also says how to read it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MeshFile {
    /// OBJ or PLY, relative to the scene file, in metres, y up.
    Name(#[schemars(extend("examples" = ["shirt.obj"]))] String),
    /// With scale and up-axis.
    Table(MeshTable),
}

/// A mesh file and how to read it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshTable {
    /// OBJ or PLY, relative to the scene file.
    #[schemars(extend("examples" = ["shirt.obj"]))]
    pub file: String,
    /// Metres per unit of the file: 0.01 for centimetres. More than 0; default 1.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub scale: f64,
    /// The file's up-axis. Default "y".
    #[serde(default)]
    pub up: UpAxis,
    /// Which diagonals of its quads resist shear. Default "both".
    #[serde(default)]
    pub diagonals: Diagonals,
}

fn one() -> f64 {
    1.0
}

/// Which axis of a file points up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UpAxis {
    /// y, as in muslin, Houdini, Maya and glTF.
    #[default]
    Y,
    /// z, as in Blender and CAD.
    Z,
}
