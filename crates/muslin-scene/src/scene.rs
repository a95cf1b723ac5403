//! The checked scene.

use std::path::PathBuf;

use muslin::model::World;
use muslin::settings::{Contact, Integrator, Limiter, Settings};

use crate::expect::Expectation;
use crate::plan::{CameraPlan, ClothPlan, ColliderPlan, ProbePlan, PullPlan, StartFromPlan};

/// A scene without contradictions, as far as that can be checked without its meshes.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Name of its run: the file's stem, or the built-in scene's name.
    pub name: String,
    /// What messages call its text: the path as given, or the built-in scene's name.
    pub origin: String,
    /// A line that says what it is.
    pub title: String,
    /// What happens in it; may be empty.
    pub description: String,
    /// Seed of everything random.
    pub seed: u64,
    /// The text that was checked, `--set` options included.
    pub text: String,
    /// The folder that paths in the text are relative to.
    pub base_dir: PathBuf,
    /// Frames to write after frame 0; at least 1.
    pub frames: u32,
    /// Frames per second of simulated time [1/s].
    pub frames_per_second: f64,
    /// The solver's step.
    pub step: StepChoice,
    /// Steps per frame; none when muslin chooses.
    pub steps_per_frame: Option<u32>,
    /// Gravity and air.
    pub world: World,
    /// The integrator with its parameters.
    pub integrator: Integrator,
    /// The limiter with its parameters.
    pub limiter: Limiter,
    /// What happens where cloth meets solids.
    pub contact: Contact,
    /// The cloths.
    pub cloths: Vec<ClothPlan>,
    /// Solids that the cloths meet.
    pub colliders: Vec<ColliderPlan>,
    /// Vertices to watch.
    pub probes: Vec<ProbePlan>,
    /// What draws its cloths.
    pub pulls: Vec<PullPlan>,
    /// What must hold at the end.
    pub expectations: Vec<Expectation>,
    /// The frame of an earlier run to start from.
    pub start_from: Option<StartFromPlan>,
    /// Whether MDD caches are written beside the PC2 caches.
    pub mdd: bool,
    /// From where pictures are taken; none: from where the whole motion is in sight.
    pub camera: Option<CameraPlan>,
}

/// The solver's step, as the scene asks for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StepChoice {
    /// Chosen by muslin, from method and stiffness.
    Auto,
    /// Seconds: a frame's length divided by a whole number.
    Seconds(f64),
}

impl Scene {
    /// Length of a frame [s].
    pub fn frame_length(&self) -> f64 {
        1.0 / self.frames_per_second
    }

    /// The length of a step when a frame has so many [s].
    pub fn step_length(&self, steps_per_frame: u32) -> f64 {
        1.0 / (self.frames_per_second * f64::from(steps_per_frame))
    }

    /// The core's settings when a frame has so many steps.
    pub fn settings(&self, steps_per_frame: u32) -> Settings {
        Settings {
            step: self.step_length(steps_per_frame),
            integrator: self.integrator,
            limiter: self.limiter,
            contact: self.contact,
        }
    }
}
