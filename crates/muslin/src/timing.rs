//! Time per stage, taken from outside the stages.

use std::time::Instant;

use crate::error::Stage;

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

    /// Adds the time since `start` to a stage.
    pub(crate) fn add(&mut self, stage: Stage, start: Instant) {
        self.seconds[stage as usize] += start.elapsed().as_secs_f64();
    }
}
