//! A cloth, as typed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Block, Chain, Disc, Grid, Irregular, MeshFile, Pin, Rotate, Tube};

/// A cloth: exactly one of `grid`, `disc`, `tube`, `irregular`, `block`, `chain` and `mesh` says what it is.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Cloth {
    /// Its name, also of its files: letters, digits, `-` and `_`; unique. Default "cloth", "cloth-2", …
    #[schemars(extend("examples" = ["sheet"]), regex(pattern = "^[A-Za-z0-9_-]+$"))]
    pub name: Option<String>,
    /// A rectangular grid.
    pub grid: Option<Grid>,
    /// A disc of triangles.
    pub disc: Option<Disc>,
    /// A tube.
    pub tube: Option<Tube>,
    /// A rectangle of irregular triangles.
    pub irregular: Option<Irregular>,
    /// A block of springs in three dimensions.
    pub block: Option<Block>,
    /// A thread, rod or row of springs.
    pub chain: Option<Chain>,
    /// A mesh from a file (OBJ, PLY).
    pub mesh: Option<MeshFile>,
    /// Rest shape from a file with the same vertices in the same order; the mesh is then the start pose. Scale and
    /// up-axis are those of `mesh`.
    #[schemars(extend("examples" = ["rest.obj"]))]
    pub rest: Option<String>,
    /// Size and place: scale and rotation about the origin, then translation.
    pub transform: Transform,
    /// How the start differs from the rest shape.
    pub start: Start,
    /// The fabric: a preset's name (`muslin materials` lists them) or a table of changes to one. Default "cotton".
    pub material: Option<Material>,
    /// Elements that resist shear. Default "diagonals".
    pub shear: Option<Shear>,
    /// Elements that resist bending. Default "hinges".
    pub bending: Option<Bending>,
    /// Stiffness of weak springs on every edge and cross edge [N/m]. At least 0; default 0: none.
    #[schemars(range(min = 0.0))]
    pub weak_springs: Option<f64>,
    /// Distance it keeps from the surface of solids and between its own layers [m]; two cloths meet at the mean of
    /// theirs. More than 0; default `contact.thickness`.
    #[schemars(extend("exclusiveMinimum" = 0.0), extend("examples" = [0.001]))]
    pub thickness: Option<f64>,
    /// Coulomb's coefficient of friction of its layers against each other [1]; two cloths have the mean of theirs. At
    /// least 0; default `contact.friction`.
    #[schemars(range(min = 0.0))]
    pub friction: Option<f64>,
    /// Folds sculpted into the rest shape.
    pub folds: Vec<Fold>,
    /// What holds it.
    pub pins: Vec<Pin>,
}

/// Size and place.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Transform {
    /// Displacement [m], after rotation. Default none.
    pub translate: [f64; 3],
    /// Rotation about the origin. Default none.
    pub rotate: Option<Rotate>,
    /// Size [1]; of a cloth, rest shape and start pose alike. More than 0; default 1.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub scale: f64,
}

impl Default for Transform {
    fn default() -> Self {
        Self { translate: [0.0; 3], rotate: None, scale: 1.0 }
    }
}

/// How the start differs from the rest shape.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Start {
    /// Stretches the start pose along the axes of the mesh, before its transform [1]. More than 0; default [1, 1, 1].
    #[schemars(extend("items" = { "type": "number", "exclusiveMinimum": 0.0 }))]
    pub scale: [f64; 3],
    /// Velocity of the whole cloth [m/s]. Default at rest.
    pub velocity: [f64; 3],
    /// Rotation of the whole cloth. Default none.
    pub spin: Option<Spin>,
    /// Greatest random displacement of each coordinate [m], from the scene's seed. At least 0; default 0.
    #[schemars(range(min = 0.0))]
    pub noise: f64,
    /// Greatest random velocity of each vertex along each axis [m/s], from the scene's seed, on top of the others. At
    /// least 0; default 0.
    #[schemars(range(min = 0.0))]
    pub velocity_noise: f64,
}

impl Default for Start {
    fn default() -> Self {
        Self { scale: [1.0; 3], velocity: [0.0; 3], spin: None, noise: 0.0, velocity_noise: 0.0 }
    }
}

/// A rotation that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spin {
    /// Direction of the axis, of any length but zero.
    #[schemars(extend("examples" = [[0.0, 1.0, 0.0]]))]
    pub axis: [f64; 3],
    /// Speed [degrees/s], by the right-hand rule. Up to 1e6 either way.
    #[schemars(range(min = -1e6, max = 1e6), extend("examples" = [360.0]))]
    pub degrees_per_second: f64,
    /// A point of the axis [m]. Default: the mean of the start pose's vertices.
    pub centre: Option<[f64; 3]>,
}

/// A fabric: a preset, or changes to one.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Material {
    /// The name of a preset.
    Name(#[schemars(extend("examples" = ["cotton"]))] String),
    /// Changes to a preset.
    Table(MaterialTable),
}

/// Changes to a preset; what is left out stays as in the preset.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MaterialTable {
    /// The preset to start from. Default "cotton".
    #[schemars(extend("examples" = ["cotton"]))]
    pub base: Option<String>,
    /// Mass per area [kg/m²]. More than 0.
    #[schemars(extend("exclusiveMinimum" = 0.0), extend("examples" = [0.15]))]
    pub density: Option<f64>,
    /// Membrane stiffness along the warp [N/m]: force per width and strain. At least 0.
    #[schemars(range(min = 0.0), extend("examples" = [3000.0]))]
    pub stretch_warp: Option<f64>,
    /// Membrane stiffness along the weft [N/m]. At least 0.
    #[schemars(range(min = 0.0), extend("examples" = [2000.0]))]
    pub stretch_weft: Option<f64>,
    /// Shear stiffness [N/m]: force per width and radian. At least 0.
    #[schemars(range(min = 0.0), extend("examples" = [40.0]))]
    pub shear: Option<f64>,
    /// Bending rigidity [N·m]: moment per width and curvature. At least 0.
    #[schemars(range(min = 0.0), extend("examples" = [1e-5]))]
    pub bending: Option<f64>,
    /// Damping of each kind of deformation.
    pub damping: DampingRatios,
    /// Pressure drag coefficient across the cloth [1]. At least 0.
    #[schemars(range(min = 0.0), extend("examples" = [1.0]))]
    pub drag: Option<f64>,
    /// Skin friction coefficient along the cloth, both sides together [1]. At least 0.
    #[schemars(range(min = 0.0), extend("examples" = [0.01]))]
    pub skin_drag: Option<f64>,
}

/// Damping, as ratios of critical damping at 10 Hz, but for `mass`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DampingRatios {
    /// Of stretch [1]. At least 0.
    #[schemars(range(min = 0.0), extend("examples" = [0.02]))]
    pub stretch: Option<f64>,
    /// Of shear [1]. At least 0.
    #[schemars(range(min = 0.0), extend("examples" = [0.02]))]
    pub shear: Option<f64>,
    /// Of bending [1]. At least 0.
    #[schemars(range(min = 0.0), extend("examples" = [0.02]))]
    pub bending: Option<f64>,
    /// Mass-proportional rate [1/s]: slows all motion, rigid motion too. At least 0.
    #[schemars(range(min = 0.0), extend("examples" = [0.1]))]
    pub mass: Option<f64>,
}

/// Elements that resist shear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shear {
    /// Linear springs on the mesh's diagonals.
    Diagonals,
    /// Angular springs at the corners of quads.
    Corners,
}

/// Elements that resist bending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Bending {
    /// Dihedral elements on pairs of triangles.
    Hinges,
    /// Linear springs to the second neighbour.
    Springs,
    /// Connections to the second neighbour that buckle at once.
    ChoiKo,
}

/// A fold along a straight line of the rest shape.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fold {
    /// A point of the line, in texture coordinates (u along the weft, v along the warp).
    #[schemars(extend("examples" = [[0.5, 0.0]]))]
    pub point: [f64; 2],
    /// The line's direction, in texture coordinates; of any length but zero.
    #[schemars(extend("examples" = [[0.0, 1.0]]))]
    pub direction: [f64; 2],
    /// Rest angle between the faces' normals [degrees]; 0 is flat. -179 to 179.
    #[schemars(range(min = -179.0, max = 179.0), extend("examples" = [60.0]))]
    pub degrees: f64,
}
