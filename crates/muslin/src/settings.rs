//! How to simulate: methods as closed enums that carry their parameters. Everything in SI units.

mod contact;
mod limiter;

use serde::{Deserialize, Serialize};

pub use contact::{Contact, Yield};
pub use limiter::{
    Certified, Direction, Impulse, ImpulseNewton, Inequality, InequalitySolver, Isotropic, Iterative, Jacobian,
    LimitMethod, Limiter, LinearSolver, Ordering, Preconditioner, Reading, Sle, Solver,
};

/// The whole recipe of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Length of a step [s].
    pub step: f64,
    /// How positions and velocities advance.
    pub integrator: Integrator,
    /// How stretch is limited, and the limits.
    pub limiter: Limiter,
    /// What happens where cloth meets solids.
    pub contact: Contact,
}

/// Why settings make no step.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A number is out of its range.
    #[error("{what} is {value}, but has to be {range}")]
    Range {
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// `certified` and its integrator belong together: with anything else forces would act twice, or not at all.
    #[error("the integrator `substeps` and the limiter `certified` work only with each other")]
    Pair,
}

impl Settings {
    /// An error for settings that make no step.
    pub fn check(&self) -> Result<(), SettingsError> {
        let Self { step, integrator, limiter, .. } = self;
        let within = |what, value: f64, sound: bool, range| {
            if sound { Ok(()) } else { Err(SettingsError::Range { what, value, range }) }
        };
        within("the step", *step, step.is_finite() && *step > 0.0, "finite and more than 0 s")?;
        let certified = matches!(limiter.method, LimitMethod::Certified(_));
        let stretch = limiter.stretch;
        within(
            "the strain limit of `certified`",
            stretch,
            !certified || stretch >= Certified::LEAST_STRETCH,
            "at least 1e-6",
        )?;
        within("the strain limit", stretch, stretch.is_finite() && stretch >= 0.0, "finite and at least 0")?;
        if let Some(compress) = limiter.compress {
            within("the limit of compression", compress, (0.0..1.0).contains(&compress), "from 0 to less than 1")?;
        }
        if certified == (*integrator == Integrator::Substeps) { Ok(()) } else { Err(SettingsError::Pair) }
    }
}

/// Time integration.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case")]
pub enum Integrator {
    /// Positions by the old velocity: first order, unstable for undamped springs.
    ExplicitEuler,
    /// Positions by the new velocity: first order, keeps energy for small steps.
    SymplecticEuler,
    /// Exact when the force is constant over the step [BB08].
    Exact,
    /// Implicit, first order, stable at any step, damps.
    BackwardEuler(Newton),
    /// The Newmark scheme of [JLGF17] §5.2.
    Newmark(Newmark),
    /// Implicit, second order, damps little.
    Bdf2(Newton),
    /// Many short substeps in which springs, limits and tethers act together: the integrator of `certified`, which uses
    /// no other. With any other limiter no force acts at all.
    Substeps,
}

/// Parameters of the Newton iteration inside the implicit integrators.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Newton {
    /// Most Newton rounds per step. 1 is the single linear solve of Baraff and Witkin, without line search.
    pub max_newton: u32,
    /// A step is solved when a Newton round changes no particle's velocity by more than this [m/s].
    pub tolerance: f64,
    /// Most conjugate-gradient iterations per Newton round.
    pub max_cg: u32,
}

impl Default for Newton {
    fn default() -> Self {
        Self { max_newton: 16, tolerance: 0.03, max_cg: 500 }
    }
}

/// Parameters of the Newmark scheme.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Newmark {
    /// Where the last stage starts from.
    pub end_velocity: EndVelocity,
}

/// The last stage of the Newmark scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndVelocity {
    /// Half a step of force from the mid-step velocity: second order, as in Bridson et al. 2003.
    #[default]
    Half,
    /// A whole step of force from the start velocity, as [JLGF17] prints it: first order.
    Printed,
}
