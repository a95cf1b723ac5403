//! The checked scene's parts: what a file says, with every contradiction that needs no mesh ruled out.

use std::path::PathBuf;

use glam::{DQuat, DVec3};
use muslin::collide::Shape;
use muslin::mesh::{BlockSpec, ChainSpec, Diagonals, DiscSpec, GridSpec, IrregularSpec, TubeSpec};
use muslin::model::{Body, Hold, Motion, Select, Skin};

use crate::generate::TorusKnotSpec;

/// A cloth, ready to be built.
#[derive(Debug, Clone)]
pub struct ClothPlan {
    /// Its name.
    pub name: String,
    /// Where its mesh comes from.
    pub source: MeshSource,
    /// A file with its rest shape, if that differs from the mesh.
    pub rest: Option<PathBuf>,
    /// Size and place.
    pub placement: Placement,
    /// How its start differs from its rest shape.
    pub start: StartPlan,
    /// What it is made of.
    pub body: Body,
    /// What holds it.
    pub pins: Vec<PinPlan>,
    /// How it meets cloth.
    pub skin: Skin,
}

/// Where a mesh comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum MeshSource {
    /// A rectangular grid.
    Grid(GridSpec),
    /// A disc.
    Disc(DiscSpec),
    /// A tube.
    Tube(TubeSpec),
    /// An irregular triangulation.
    Irregular(IrregularSpec),
    /// A block lattice.
    Block(BlockSpec),
    /// A chain.
    Chain(ChainSpec),
    /// A mesh file.
    File(FileSource),
}

/// A mesh file and how to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct FileSource {
    /// The file.
    pub path: PathBuf,
    /// Metres per unit of the file.
    pub scale: f64,
    /// True when z points up in the file.
    pub z_up: bool,
    /// Which diagonals of its quads resist shear.
    pub diagonals: Diagonals,
}

/// Size and place: `translate + rotate * (scale * p)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Scales rest shape and start pose alike.
    pub scale: f64,
    /// Turns the start pose about the origin.
    pub rotate: DQuat,
    /// Moves the start pose [m].
    pub translate: DVec3,
}

/// How a start differs from the rest shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StartPlan {
    /// Stretches the pose along the axes of the mesh.
    pub scale: DVec3,
    /// Velocity of the whole cloth [m/s].
    pub velocity: DVec3,
    /// Angular velocity [rad/s].
    pub spin: DVec3,
    /// What it spins about [m]; none: the mean of its vertices.
    pub spin_centre: Option<DVec3>,
    /// Greatest random displacement per coordinate [m].
    pub noise: f64,
    /// Greatest random velocity along each axis [m/s].
    pub velocity_noise: f64,
}

/// A pin whose vertices are not yet known.
#[derive(Debug, Clone, PartialEq)]
pub struct PinPlan {
    /// Which vertices.
    pub select: Select,
    /// Which freedom it takes.
    pub hold: Hold,
    /// When it lets go [s].
    pub release: Option<f64>,
}

/// A pull whose vertices are not yet known.
#[derive(Debug, Clone, PartialEq)]
pub struct PullPlan {
    /// Number of its cloth in the scene.
    pub cloth: usize,
    /// Which vertices.
    pub select: Select,
    /// Where to.
    pub motion: Motion,
    /// k [N/m].
    pub stiffness: f64,
    /// c [N s/m].
    pub damping: f64,
    /// Greatest force on each vertex [N].
    pub cap: f64,
    /// When it begins [s].
    pub from: f64,
    /// When it ends [s].
    pub until: Option<f64>,
}

/// A collider, ready to be built.
#[derive(Debug, Clone)]
pub struct ColliderPlan {
    /// Its name.
    pub name: String,
    /// What it is.
    pub source: SolidSource,
    /// Size and place; the sizes of shapes are scaled already.
    pub placement: Placement,
    /// How it moves rigidly.
    pub motion: Motion,
    /// How its mesh changes its shape.
    pub deform: Option<DeformPlan>,
    /// Distance from node to node of its grid of distances [m]; none: its triangles are met.
    pub level_set: Option<f64>,
    /// The distance that each cloth keeps from it [m].
    pub thickness: Vec<f64>,
    /// Coulomb's coefficient with each cloth [1].
    pub friction: Vec<f64>,
}

/// What a collider is.
#[derive(Debug, Clone, PartialEq)]
pub enum SolidSource {
    /// A solid with a formula.
    Shape(Shape),
    /// A rope tied into a knot.
    TorusKnot(TorusKnotSpec),
    /// A mesh file.
    File(SolidFile),
}

/// The mesh file of a solid and how to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidFile {
    /// The file.
    pub path: PathBuf,
    /// Metres per unit of the file.
    pub scale: f64,
    /// True when z points up in the file.
    pub z_up: bool,
}

/// The shapes of a mesh over time.
#[derive(Debug, Clone, PartialEq)]
pub struct DeformPlan {
    /// Where they are.
    pub files: CacheFiles,
    /// Shapes per second [1/s]; none: as the cache says.
    pub frames_per_second: Option<f64>,
    /// Time of the first shape [s].
    pub start: f64,
}

/// Where the shapes of a mesh are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CacheFiles {
    /// A PC2 cache.
    Pc2(PathBuf),
    /// An MDD cache.
    Mdd(PathBuf),
    /// A mesh file a shape.
    Sequence(Vec<PathBuf>),
}

/// A vertex to be watched.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbePlan {
    /// Its name.
    pub name: String,
    /// Number of its cloth in the scene.
    pub cloth: usize,
    /// Which vertex.
    pub select: Select,
}

/// The frame of an earlier run to start from.
#[derive(Debug, Clone, PartialEq)]
pub struct StartFromPlan {
    /// The run's folder.
    pub folder: PathBuf,
    /// The frame.
    pub frame: u32,
    /// True: start at rest.
    pub at_rest: bool,
    /// Frames per second of that run [1/s].
    pub frames_per_second: f64,
}

/// From where pictures are taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraPlan {
    /// Where the camera is [m].
    pub eye: DVec3,
    /// What is in the middle of the picture [m]; at some distance from the eye.
    pub target: DVec3,
    /// Vertical field of view [degrees], 1 to 120.
    pub field_of_view: f64,
}
