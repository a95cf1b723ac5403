//! What can go wrong while stepping.

use glam::DVec3;

/// The stages of a step, in order; errors and timings refer to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Pins and scripted particles take their places.
    Drive,
    /// Forces and time integration.
    Predict,
    /// Strain limits (and contact, when there is any).
    Limit,
    /// Positions move.
    Advance,
    /// End velocities.
    Finish,
    /// The certificate of the step.
    Measure,
}

impl Stage {
    /// All stages, in the order of a step.
    pub const ALL: [Stage; 6] =
        [Stage::Drive, Stage::Predict, Stage::Limit, Stage::Advance, Stage::Finish, Stage::Measure];

    /// The name used in reports and messages.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Drive => "drive",
            Stage::Predict => "predict",
            Stage::Limit => "limit",
            Stage::Advance => "advance",
            Stage::Finish => "finish",
            Stage::Measure => "measure",
        }
    }
}

/// Why a step could not be completed. The state is as it was before the step.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A number stopped being one.
    #[error("particle {particle} has the {quantity} {value} after stage `{stage}` of step {step}", stage = .stage.name())]
    NotFinite {
        /// The first particle concerned.
        particle: usize,
        /// `position` or `velocity`.
        quantity: &'static str,
        /// The value found.
        value: DVec3,
        /// The stage that made it.
        stage: Stage,
        /// The step, counted from 1.
        step: u64,
    },
}
