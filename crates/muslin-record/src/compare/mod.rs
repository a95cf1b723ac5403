//! `compare.json`: one scene by several limiters. SI units; names ending in `_s`, `_j` or `_m`, or with `_ms`, say
//! which; strains, rebounds and drifts are fractions.

mod folder;
mod row;
mod spin;
#[cfg(test)]
mod tests;
mod verdict;

use serde::{Deserialize, Serialize};

use crate::frames::FrameRow;
use crate::report::Report;
pub use folder::CompareFolder;
pub use row::MethodRow;
pub use spin::least_spin;
pub use verdict::Verdict;

/// What is known of a comparison besides its runs.
#[derive(Debug, Clone)]
pub struct CompareInfo {
    /// Name of the scene.
    pub scene: String,
    /// The command that makes the comparison again, as one would type it.
    pub command: String,
    /// Frames that every run is to have, without frame 0.
    pub frames_planned: u64,
    /// Threads the runs use.
    pub threads: usize,
    /// Greatest strain that is allowed.
    pub limit: f64,
    /// The least spin that a drift can be measured against [kg m²/s] ([`least_spin`]).
    pub least_spin: Option<f64>,
}

/// A method of a comparison, and what is known of it.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The limiter's name.
    pub method: String,
    /// What was changed in the scene for it, in words.
    pub notes: Vec<String>,
    /// The result.
    pub result: TrialResult,
    /// The strip of pictures, a PNG file.
    pub strip: Option<Vec<u8>>,
}

/// The result of a method.
#[derive(Debug, Clone)]
pub enum TrialResult {
    /// Its turn has not come.
    NotRun,
    /// It could not start, for this reason.
    Failed(String),
    /// It ran, to its end or not.
    Ran(Box<RanTrial>),
}

/// A run that was made for a comparison.
#[derive(Debug, Clone)]
pub struct RanTrial {
    /// Its certificate.
    pub report: Report,
    /// Its frames.
    pub rows: Vec<FrameRow>,
}

impl Trial {
    /// A method whose turn has not come.
    pub fn new(method: impl Into<String>, notes: Vec<String>) -> Self {
        Self { method: method.into(), notes, result: TrialResult::NotRun, strip: None }
    }

    /// Its run, if there is one.
    pub fn ran(&self) -> Option<&RanTrial> {
        match &self.result {
            TrialResult::Ran(ran) => Some(ran),
            TrialResult::NotRun | TrialResult::Failed(_) => None,
        }
    }

    /// The name of its strip of pictures in the folder.
    pub(crate) fn strip_name(&self) -> Option<String> {
        self.strip.as_ref().map(|_| format!("{}.png", self.method))
    }
}

/// `compare.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Version of muslin.
    pub muslin: String,
    /// Name of the scene.
    pub scene: String,
    /// In what everything below is measured.
    pub units: String,
    /// The command that makes the comparison again.
    pub command: String,
    /// True when every method has been run, to its end or not.
    pub completed: bool,
    /// Frames that every run was to have, without frame 0.
    pub frames_planned: u64,
    /// Threads the runs used.
    pub threads: usize,
    /// Greatest strain that was allowed.
    pub limit: f64,
    /// A row for each method, in the order they were run.
    pub methods: Vec<MethodRow>,
    /// The files that belong to the comparison, besides the folders of its runs.
    pub files: Vec<String>,
}

impl Comparison {
    /// The figures of all methods.
    pub fn of(info: &CompareInfo, trials: &[Trial]) -> Self {
        let energy_scale = row::energy_scale(trials);
        let row = |trial: &Trial| MethodRow::of(trial, info.least_spin, energy_scale);
        let strips = trials.iter().filter_map(Trial::strip_name);
        Self {
            muslin: env!("CARGO_PKG_VERSION").to_owned(),
            scene: info.scene.clone(),
            units: "SI: metres, seconds, joules; `cpu_ms` and `wall_ms` in milliseconds; strain, rebound, drift and \
                    `energy_ratio` are fractions"
                .to_owned(),
            command: info.command.clone(),
            completed: trials.iter().all(|trial| !matches!(trial.result, TrialResult::NotRun)),
            frames_planned: info.frames_planned,
            threads: info.threads,
            limit: info.limit,
            methods: trials.iter().map(row).collect(),
            files: folder::FILES.into_iter().map(str::to_owned).chain(strips).collect(),
        }
    }
}
