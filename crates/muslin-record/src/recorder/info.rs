//! What is passed to the recorder: what a run is, and how it ended.

use muslin::Settings;

use crate::folder::InputFile;
use crate::payload::CameraView;
use crate::report::Expectation;
use crate::tally::{Probe, Repair};

/// What the recorder has to know of a run besides its model.
#[derive(Debug, Clone)]
pub struct RunInfo {
    /// Name of the scene.
    pub scene: String,
    /// Everything needed to run it again, stored as `scene.toml`.
    pub scene_text: String,
    /// The files the scene reads.
    pub inputs: Vec<InputFile>,
    /// How it is simulated.
    pub settings: Settings,
    /// Frames that the scene asks for, without frame 0.
    pub frames_planned: u64,
    /// Frames per second of simulated time [1/s], when MDD caches are to be written; none: only PC2 caches are.
    pub mdd_frames_per_second: Option<f64>,
    /// Threads that stepping can use.
    pub threads: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// The particles to follow.
    pub probes: Vec<Probe>,
    /// What else the user should know, such as repairs of meshes.
    pub notes: Vec<String>,
    /// The command that runs it again, as one would type it.
    pub command: String,
    /// Where the scene looks from; none: each viewer chooses its own view.
    pub camera: Option<CameraView>,
    /// What was moved before the first step, because it started inside a solid or too near to one.
    pub repair: Option<Repair>,
}

/// How a run ended. The default is a run under way.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// True when it came to its end.
    pub completed: bool,
    /// Why it stopped before, in words.
    pub stopped: Option<String>,
    /// What the scene says must hold, judged.
    pub expectations: Vec<Expectation>,
}
