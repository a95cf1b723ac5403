//! What can go wrong while stepping.

use std::fmt::Display;

use glam::DVec3;

use crate::inputs::InputError;
use crate::measure::EdgeStrain;

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
#[non_exhaustive]
pub enum StepError {
    /// The inputs cannot be followed.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A number stopped being one.
    #[error(
        "particle {particle} has the {quantity} [{:.3e}, {:.3e}, {:.3e}] after stage `{stage}` of step {step}",
        value.x, value.y, value.z, stage = .stage.name()
    )]
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
    /// The edges could not be kept within their limits.
    #[error("step {step} cannot keep every edge within {limit}: {}", describe(edges, *apart, pressing))]
    Unkept {
        /// The step, counted from 1.
        step: u64,
        /// The strain limit.
        limit: f64,
        /// The edges furthest over it, worst first.
        edges: Vec<EdgeStrain>,
        /// Two pinned particles that the cloth between them cannot reach, if that is why.
        apart: Option<Apart>,
        /// The names of the solids that the cloth lies against, if it is not pins that are apart.
        pressing: Vec<String>,
    },
    /// It was asked to stop.
    #[error("step {step} was interrupted")]
    Interrupted {
        /// The step, counted from 1.
        step: u64,
    },
    /// Cloth is blocked by a solid, or trapped between several.
    #[error(
        "step {step}: cloth `{cloth}` is {} at vertex {vertex}{}, near {place:.4} m",
        blocked_by(colliders),
        bond.describe()
    )]
    Blocked {
        /// The step, counted from 1.
        step: u64,
        /// The cloth.
        cloth: String,
        /// A vertex of the place that is blocked.
        vertex: usize,
        /// What keeps it from moving aside.
        bond: Bond,
        /// Where that vertex was before the step [m].
        place: DVec3,
        /// The names of the solids there.
        colliders: Vec<String>,
    },
}

/// What keeps cloth from moving aside for a solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bond {
    /// Nothing but the cloth around it, and other solids.
    Free,
    /// A pin.
    Pinned,
    /// The step begins with it inside the solid, or through it.
    Entangled,
}

impl Bond {
    /// A clause for messages, behind the name of a vertex.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Free => "",
            Self::Pinned => ", which is pinned",
            Self::Entangled => ", which starts the step inside the solid or passing through it",
        }
    }
}

/// Two pinned particles, further apart than the cloth between them can reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Apart {
    /// One particle.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// How far apart they are pinned [m].
    pub distance: f64,
    /// How far the shortest path along edges can reach within the limit [m].
    pub reach: f64,
}

/// A number that is not finite, or out of its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} is {value}, but has to be {range}")]
#[non_exhaustive]
pub struct OutOfRange {
    /// Which number.
    pub what: String,
    /// What it is, with its unit.
    pub value: String,
    /// What it may be.
    pub range: &'static str,
}

impl OutOfRange {
    /// An error unless it is `sound`. Nothing is put into words before.
    pub(crate) fn unless(
        sound: bool,
        what: impl Display,
        value: impl Display,
        range: &'static str,
    ) -> Result<(), Self> {
        if sound { Ok(()) } else { Err(Self { what: what.to_string(), value: value.to_string(), range }) }
    }
}

/// True for a number that is finite and not negative.
pub(crate) fn is_amount(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

/// How solids stop a cloth, for messages: "blocked by `box`", "trapped between `lower` and `upper`".
pub fn blocked_by(colliders: &[String]) -> String {
    let names: Vec<String> = colliders.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [one] => format!("blocked by {one}"),
        _ => format!("trapped between {}", names.join(" and ")),
    }
}

fn describe(edges: &[EdgeStrain], apart: Option<Apart>, pressing: &[String]) -> String {
    let edges = edges.iter().map(|one| format!("edge {} at {:.4}", one.edge, one.strain));
    let apart = apart.map(|Apart { first, second, distance, reach }| {
        format!(
            "particles {first} and {second} are pinned {distance:.6} m apart, but the cloth between them reaches \
             only {reach:.6} m"
        )
    });
    let pressing = pressing.iter().map(|name| format!("`{name}` presses against the cloth"));
    apart.into_iter().chain(edges).chain(pressing).collect::<Vec<_>>().join("; ")
}

/// An error for the first of these values that is no number.
pub(crate) fn check_finite(quantity: &'static str, stage: Stage, step: u64, values: &[DVec3]) -> Result<(), StepError> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(particle) => Err(StepError::NotFinite { particle, quantity, value: values[particle], stage, step }),
    }
}
