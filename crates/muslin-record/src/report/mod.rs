//! `report.json`: the certificate of a run. SI units; names ending in `_s`, `_j`, `_m` say which; strain is a fraction.

mod build;
mod contact;
pub(crate) mod json;

use std::collections::BTreeMap;

use glam::DVec3;
use muslin::report::{Energies, Strain};
use muslin::settings::{Integrator, LimitMethod, Limiter};
use serde::{Deserialize, Serialize};

use crate::tally::{Histogram, WorkTally};
pub(crate) use build::Builder;
pub use contact::{ContactReport, LayerPlace, PairPlace};

/// The certificate of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of muslin.
    pub muslin: String,
    /// Name of the scene.
    pub scene: String,
    /// In what everything below is measured.
    pub units: String,
    /// True when the run came to its end.
    pub completed: bool,
    /// Why it stopped before, in words; null while it is under way and when it came to its end.
    pub stopped: Option<String>,
    /// The last frame written. Frame 0, the start, is stored too: caches hold one frame more.
    pub frames: u64,
    /// Frames that the scene asks for.
    pub frames_planned: u64,
    /// Steps up to the last frame.
    pub steps: u64,
    /// Length of a step [s].
    pub step_s: f64,
    /// Time simulated up to the last frame [s].
    pub simulated_s: f64,
    /// Time on the clock spent stepping [s].
    pub wall_s: f64,
    /// Processor time spent stepping [s], of all threads.
    pub cpu_s: f64,
    /// Time on the clock that the run took up to its last step [s]: besides stepping, the scene read and built, starts
    /// repaired, frames measured and written. The last frame and `report.html` are written after that.
    #[serde(default)]
    pub process_wall_s: f64,
    /// Processor time of the same [s].
    #[serde(default)]
    pub process_cpu_s: f64,
    /// Threads that stepping could use: with `certified` one for each cloth, at most those of the command; with other
    /// limiters those of the command, of which only large cloth makes use.
    pub threads: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// Size of what was simulated.
    pub size: Size,
    /// Time integration and its parameters.
    pub integrator: Integrator,
    /// Strain limiter and its parameters.
    pub limiter: Limiter,
    /// Strain, and whether it stayed within its limit.
    pub strain: StrainReport,
    /// Contact, and whether anything passed through anything.
    pub contact: ContactReport,
    /// How it moved.
    pub motion: MotionReport,
    /// Energies.
    pub energy: EnergyReport,
    /// Cloth that stood still although forces were not in balance, the first if there are several; null when there was
    /// none.
    #[serde(default)]
    pub stuck: Option<StuckReport>,
    /// What the solvers did, over all steps.
    pub work: WorkTally,
    /// The probes by name.
    pub probes: BTreeMap<String, ProbeReport>,
    /// What the scene says must hold, and whether it does.
    pub expectations: Vec<Expectation>,
    /// What else the user should know, such as repairs of meshes.
    pub notes: Vec<String>,
    /// Time on the clock per stage of the step [s], together `wall_s` or less. Stages of a limiter's linear solver
    /// (`order`, `permute`, `symbolic`, `numeric`, `solve`) are parts of `limit` and `finish`.
    pub stages: BTreeMap<String, f64>,
    /// Fingerprint of the state at the last frame, 16 hexadecimal digits: equal for equal runs.
    pub state_hash: String,
    /// The files of the run folder that belong to the run.
    pub files: Vec<String>,
}

/// Fraction of steps that an integrator may leave unsolved before a run is not to be trusted.
pub const MOST_UNSOLVED: f64 = 0.01;

impl Report {
    /// False when so many steps were not solved to the integrator's tolerance that the run is not to be trusted.
    pub fn is_solved(&self) -> bool {
        self.work.unsolved_steps as f64 <= MOST_UNSOLVED * self.steps as f64
    }

    /// True when the limiter promises a right motion: `certified` does. Of the published methods energy and balance
    /// are reported alike, but they promise nothing about them, so they break no promise.
    pub fn promises_motion(&self) -> bool {
        matches!(self.limiter.method, LimitMethod::Certified(_))
    }

    /// True when energy was kept and nothing was stuck, as far as that is promised.
    pub fn motion_kept(&self) -> bool {
        !self.promises_motion() || (self.energy.kept != Some(false) && self.stuck.is_none())
    }
}

/// Size of what was simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Cloths.
    pub cloths: usize,
    /// Particles of all cloths.
    pub particles: usize,
    /// Structural edges of all cloths.
    pub edges: usize,
}

/// Strain of the structural edges. Every figure is the greatest over the frames written, unless it says otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StrainReport {
    /// The limit that `kept` is judged by.
    pub limit: f64,
    /// True when `worst_step` is not over the limit, but for rounding: an edge may be longer than the limit allows by a
    /// billionth of its length ([`crate::tally::LENGTH_SLACK`]).
    pub kept: bool,
    /// Where the worst strain was, in words.
    #[serde(rename = "where")]
    pub place: String,
    /// Greatest strain of an edge in a frame written, frame 0 included.
    pub worst: f64,
    /// Greatest strain of an edge in any accepted step; the start is none.
    pub worst_step: f64,
    /// The frame of `worst`.
    pub worst_frame: u64,
    /// The edge of `worst`.
    pub worst_edge: Option<EdgePlace>,
    /// The step of `worst_step`.
    pub worst_step_number: u64,
    /// The edge of `worst_step`.
    pub worst_step_edge: Option<EdgePlace>,
    /// The strain that 99 % of the edges did not exceed: greatest over the frames; `last.p99` is the last frame's.
    pub p99: f64,
    /// Mean strain of the edges.
    pub mean: f64,
    /// Greatest compression of an edge, as a positive fraction of its rest length.
    pub compressed_worst: f64,
    /// The same over all steps.
    pub compressed_worst_step: f64,
    /// The last frame; its edges are numbered through all cloths.
    pub last: Strain,
    /// How strain was spread over the edges.
    pub histogram: Histograms,
}

/// How strain was spread over the edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Histograms {
    /// In the last frame.
    pub last: Histogram,
    /// In the frame with the greatest strain.
    pub worst: Histogram,
}

/// An edge, in terms of the user's mesh.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EdgePlace {
    /// The cloth.
    pub cloth: String,
    /// The edge among those of the cloth, from 0.
    pub edge: usize,
    /// Its ends, as vertices of the cloth's mesh, from 0.
    pub vertices: [u32; 2],
    /// Its middle at that time [m].
    pub position: DVec3,
}

/// How the cloths moved, all together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MotionReport {
    /// Time for the centre of mass to drop 0.25 m [s].
    pub fall_s: Option<f64>,
    /// Rise of the centre of mass after its lowest point of the first 0.9 s, as a fraction of the fall to it.
    pub rebound: Option<f64>,
    /// Kinetic energy at the last frame [J].
    pub kinetic_j: f64,
    /// All other energy at the last frame [J]; that of height is measured from the start.
    pub potential_j: f64,
    /// Σ m v at the last frame [kg m/s].
    pub linear_momentum: DVec3,
    /// Σ m x × v about the origin at the last frame [kg m²/s].
    pub angular_momentum: DVec3,
    /// Centre of mass at the last frame [m].
    pub centre_m: DVec3,
}

/// Energies at the start and the end, and whether any came from nowhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EnergyReport {
    /// At frame 0.
    pub start: EnergyParts,
    /// At the last frame.
    pub end: EnergyParts,
    /// Greatest rise of the total from one frame to the next [J]; 0 when it never rose. Wind and moving pins do work.
    pub greatest_rise_j: f64,
    /// The frame at the end of that rise.
    pub greatest_rise_frame: Option<u64>,
    /// True when in every step that could be judged the energy of each cloth, less the work done on it, was no further
    /// above its highest of the half second before, and of the half second five seconds earlier, than is allowed. Null
    /// when no step could be judged, because pins or solids moved or the method does not account for their work.
    #[serde(default)]
    pub kept: Option<bool>,
    /// The rise that was greatest against what is allowed; null when there was none.
    #[serde(default)]
    pub worst: Option<EnergyRise>,
    /// The same for each cloth.
    #[serde(default)]
    pub cloths: Vec<ClothEnergyReport>,
}

/// A rise of a cloth's energy, less the work done on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EnergyRise {
    /// The cloth.
    pub cloth: String,
    /// By how much it rose [J].
    pub rise_j: f64,
    /// By how much it may [J]: the greater of 1 % of the greatest kinetic energy of the last five seconds and
    /// 1e-4 × weight × size; twice that over five seconds.
    pub allowed_j: f64,
    /// In what time it rose [s]: 0.5 or 5.
    pub within_s: f64,
    /// The step after which it had risen.
    pub step: u64,
    /// The first frame that shows it.
    pub frame: u64,
    /// When [s].
    pub time_s: f64,
}

/// Whether energy came from nowhere, for one cloth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClothEnergyReport {
    /// The cloth.
    pub cloth: String,
    /// As of all cloths.
    pub kept: Option<bool>,
    /// Steps that were judged.
    pub judged_steps: u64,
    /// Steps in which the work done on the cloth is not known.
    pub unjudged_steps: u64,
    /// Greatest kinetic energy after any step [J].
    pub greatest_kinetic_j: f64,
    /// As of all cloths.
    pub worst: Option<EnergyRise>,
}

/// Cloth that stood still for half a second although forces were not in balance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StuckReport {
    /// The cloth.
    pub cloth: String,
    /// Since when [s].
    pub since_s: f64,
    /// The frame of that time.
    pub frame: u64,
    /// Root mean square of the accelerations that nothing held back, as a fraction of gravity; at rest they are 0.
    pub imbalance: f64,
    /// The vertex of the cloth's mesh with the greatest of them.
    pub vertex: usize,
    /// Where it is [m].
    pub position: DVec3,
}

/// Energies by part [J].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EnergyParts {
    /// Of motion.
    pub kinetic_j: f64,
    /// Of height, measured from the start.
    pub gravity_j: f64,
    /// Of structural springs.
    pub stretch_j: f64,
    /// Of diagonals and corners.
    pub shear_j: f64,
    /// Of bending.
    pub bending_j: f64,
    /// The sum.
    pub total_j: f64,
}

impl From<&Energies> for EnergyParts {
    fn from(energies: &Energies) -> Self {
        Self {
            kinetic_j: energies.kinetic,
            gravity_j: energies.gravity,
            stretch_j: energies.stretch,
            shear_j: energies.shear,
            bending_j: energies.bending,
            total_j: energies.total(),
        }
    }
}

/// What a probe has seen, step by step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProbeReport {
    /// The cloth it is on.
    pub cloth: String,
    /// Its vertex of the cloth's mesh.
    pub vertex: usize,
    /// Where it is [m].
    pub last: DVec3,
    /// Least of each coordinate [m].
    pub min: DVec3,
    /// Greatest of each coordinate [m].
    pub max: DVec3,
    /// Mean time between upward passages of each coordinate through the middle of its range [s]; null with fewer than
    /// two.
    pub period_s: PerAxis<Option<f64>>,
    /// Those passages, for each coordinate.
    pub passages: PerAxis<u32>,
    /// Distance to each of the other probes, by name [m].
    #[serde(default)]
    pub distance_m: BTreeMap<String, f64>,
}

/// A value per axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerAxis<T> {
    /// Along x.
    pub x: T,
    /// Along y, which is up.
    pub y: T,
    /// Along z.
    pub z: T,
}

impl<T> From<[T; 3]> for PerAxis<T> {
    fn from([x, y, z]: [T; 3]) -> Self {
        Self { x, y, z }
    }
}

/// Something that the scene says must hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// What is judged, in words or as a path into the report.
    pub what: String,
    /// True when it holds.
    pub held: bool,
    /// What was measured.
    pub measured: serde_json::Value,
    /// What was wanted, in words.
    pub wanted: String,
}

/// Time that a run took.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Timings {
    /// Spent stepping, on the clock [s].
    pub wall_s: f64,
    /// Spent stepping, of processors [s].
    pub cpu_s: f64,
    /// In all, on the clock [s].
    pub process_wall_s: f64,
    /// In all, of processors [s].
    pub process_cpu_s: f64,
    /// By stage of the step, on the clock [s].
    pub stages: BTreeMap<String, f64>,
}

impl Timings {
    /// The sum of this and what came after it.
    #[must_use]
    pub fn plus(&self, later: &Timings) -> Timings {
        let mut stages = self.stages.clone();
        for (stage, seconds) in &later.stages {
            *stages.entry(stage.clone()).or_default() += seconds;
        }
        Timings {
            wall_s: self.wall_s + later.wall_s,
            cpu_s: self.cpu_s + later.cpu_s,
            process_wall_s: self.process_wall_s + later.process_wall_s,
            process_cpu_s: self.process_cpu_s + later.process_cpu_s,
            stages,
        }
    }
}
