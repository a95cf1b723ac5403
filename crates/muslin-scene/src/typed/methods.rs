//! Integrator and limiter, as typed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How positions and velocities advance, with the parameters of the method chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Integrator {
    /// The method. Default "bdf2".
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
    #[default]
    Bdf2,
}

impl IntegratorMethod {
    /// The name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ExplicitEuler => "explicit-euler",
            Self::SymplecticEuler => "symplectic-euler",
            Self::Exact => "exact",
            Self::BackwardEuler => "backward-euler",
            Self::Newmark => "newmark",
            Self::Bdf2 => "bdf2",
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

/// How far structural edges may stretch, and the method that sees to it.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Limiter {
    /// The method. Default "bridson".
    pub method: LimiterMethod,
    /// Greatest strain of a structural edge [1]: 0.01 is 1 %. At least 0; default 0.01. Every method is judged by it,
    /// "none" too.
    #[schemars(range(min = 0.0))]
    pub stretch: f64,
    /// Greatest compression of a structural edge [1]: 0.02 is 2 %. At least 0, less than 1. Default: edges may shorten
    /// freely.
    #[schemars(range(min = 0.0), extend("exclusiveMaximum" = 1.0), extend("examples" = [0.02]))]
    pub compress: Option<f64>,
    /// How far past its limit a method may leave an edge [1]. None of today's methods reads it.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub tolerance: Option<f64>,
    /// Most rounds per step. At least 1; default 100. More keep the limit better and cost time.
    #[schemars(range(min = 1))]
    pub max_iterations: u32,
}

impl Default for Limiter {
    fn default() -> Self {
        Self { method: LimiterMethod::default(), stretch: 0.01, compress: None, tolerance: None, max_iterations: 100 }
    }
}

/// Strain limiters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LimiterMethod {
    /// Nothing is limited: the springs alone resist.
    None,
    /// Ends of edges that are too long are moved together, in passes.
    Provot,
    /// Impulses along edges that are too long, averaged per particle, in rounds.
    #[default]
    Bridson,
}

impl LimiterMethod {
    /// The name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Provot => "provot",
            Self::Bridson => "bridson",
        }
    }
}
