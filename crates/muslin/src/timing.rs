//! Time per stage, taken from outside the stages.

use crate::error::Stage;

/// A moment from which time is measured. Where there is no clock, as on `wasm32-unknown-unknown`, no time passes.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    start: std::time::Instant,
}

impl Watch {
    /// This moment.
    pub fn start() -> Self {
        Self {
            #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
            start: std::time::Instant::now(),
        }
    }

    /// Seconds since then.
    pub fn seconds(self) -> f64 {
        #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
        return self.start.elapsed().as_secs_f64();
        #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
        0.0
    }
}

/// Seconds spent in each stage.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StageClock {
    seconds: [f64; Stage::ALL.len()],
}

impl StageClock {
    /// Seconds spent in a stage so far.
    pub fn seconds(&self, stage: Stage) -> f64 {
        self.seconds[stage as usize]
    }

    /// Adds the time that something takes to a stage.
    pub(crate) fn time<T>(&mut self, stage: Stage, run: impl FnOnce() -> T) -> T {
        let watch = Watch::start();
        let result = run();
        self.seconds[stage as usize] += watch.seconds();
        result
    }
}

/// The stages of a direct solver, in order ([Ye08] Table 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolverStage {
    /// A good order of elimination is found.
    Order,
    /// The matrix is brought into that order.
    Permute,
    /// The pattern of the factor is found.
    Symbolic,
    /// The factor's numbers are found.
    Numeric,
    /// Forward and backward substitution.
    Solve,
}

impl SolverStage {
    /// All stages, in order.
    pub const ALL: [SolverStage; 5] = [Self::Order, Self::Permute, Self::Symbolic, Self::Numeric, Self::Solve];

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Permute => "permute",
            Self::Symbolic => "symbolic",
            Self::Numeric => "numeric",
            Self::Solve => "solve",
        }
    }
}

/// Seconds spent in each stage of a limiter's linear solver, and how often each ran. They are part of [`Stage::Limit`]
/// and [`Stage::Finish`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SolverClock {
    seconds: [f64; SolverStage::ALL.len()],
    runs: [u64; SolverStage::ALL.len()],
}

impl SolverClock {
    /// Seconds spent in a stage so far.
    pub fn seconds(&self, stage: SolverStage) -> f64 {
        self.seconds[stage as usize]
    }

    /// How often a stage has run so far.
    pub fn runs(&self, stage: SolverStage) -> u64 {
        self.runs[stage as usize]
    }

    /// Adds the time since `start` to a stage.
    pub fn add(&mut self, stage: SolverStage, start: Watch) {
        self.seconds[stage as usize] += start.seconds();
        self.runs[stage as usize] += 1;
    }
}
