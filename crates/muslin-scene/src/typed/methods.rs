//! Integrator and limiter, as typed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How positions and velocities advance, with the parameters of the method chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Integrator {
    /// The method. Default "auto".
    pub method: IntegratorMethod,
    /// Most Newton rounds per step (backward-euler, bdf2). At least 1, which is a single linear solve; default 16.
    #[schemars(range(min = 1))]
    pub max_newton: Option<u32>,
    /// A step is solved when a Newton round changes no particle's velocity by more than this [m/s] (backward-euler,
    /// bdf2). More than 0, at most 1; default 0.03.
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1.0))]
    pub tolerance: Option<f64>,
    /// Most conjugate-gradient iterations per Newton round (backward-euler, bdf2). At least 1; default 500.
    #[schemars(range(min = 1))]
    pub max_cg: Option<u32>,
    /// How the last stage of Newmark's scheme makes end velocities (newmark). Default "half".
    pub end_velocity: Option<EndVelocity>,
}

/// Time integration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IntegratorMethod {
    /// The one that the limiter's document uses: backward-euler for impulse and impulse-newton, exact for iterative and
    /// sle, newmark for inequality, substeps for certified, bdf2 for the others.
    #[default]
    Auto,
    /// Positions by the old velocity: first order, unstable for undamped springs.
    ExplicitEuler,
    /// Positions by the new velocity: first order, keeps energy when steps are small.
    SymplecticEuler,
    /// Exact when the force is constant over a step.
    Exact,
    /// Implicit, first order: stable at any step, damps.
    BackwardEuler,
    /// The Newmark scheme of inequality cloth.
    Newmark,
    /// Implicit, second order: damps little.
    Bdf2,
    /// Many short substeps in which springs and limits act together. Only with the limiter "certified", which has no other.
    Substeps,
}

impl IntegratorMethod {
    /// The name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::ExplicitEuler => "explicit-euler",
            Self::SymplecticEuler => "symplectic-euler",
            Self::Exact => "exact",
            Self::BackwardEuler => "backward-euler",
            Self::Newmark => "newmark",
            Self::Bdf2 => "bdf2",
            Self::Substeps => "substeps",
        }
    }
}

/// End velocities of the Newmark scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EndVelocity {
    /// Half a step of force from the mid-step velocity: second order.
    Half,
    /// A whole step of force from the start velocity, as the paper prints it: first order.
    Printed,
}
