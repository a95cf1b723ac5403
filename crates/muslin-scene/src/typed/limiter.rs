//! The limiter, as typed.

use muslin::settings::{Direction, Jacobian, Ordering, Preconditioner, Solver};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far structural edges may stretch, and the method that sees to it, with the parameters of the method chosen.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Limiter {
    /// The method. Default "certified".
    pub method: LimiterMethod,
    /// Greatest strain of a structural edge [1]: 0.01 is 1 %. At least 0; default 0.01. Every method is judged by it,
    /// "none" too.
    #[schemars(range(min = 0.0))]
    pub stretch: f64,
    /// Greatest compression of a structural edge [1]: 0.02 is 2 %. At least 0, less than 1. Default: edges may shorten
    /// freely.
    #[schemars(range(min = 0.0), extend("exclusiveMaximum" = 1.0), extend("examples" = [0.02]))]
    pub compress: Option<f64>,
    /// How near to its goal a method goes before it stops, as a share of the edge's length [1] (impulse-newton: default
    /// 1e-6; iterative, sle: default `stretch`; inequality: default 1e-4). More than 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub tolerance: Option<f64>,
    /// Most rounds per step (all methods but none and impulse). At least 1. More keep the limit better and cost time.
    /// Default 100; impulse-newton 20, iterative 1000, sle 1, certified 600.
    #[schemars(range(min = 1))]
    pub max_iterations: Option<u32>,
    /// Where impulses point (impulse, impulse-newton, iterative, sle). Default "start".
    #[schemars(with = "Option<DirectionNames>")]
    pub direction: Option<Direction>,
    /// How the system of impulses is solved (impulse, sle). Default "ldlt".
    #[schemars(with = "Option<SolverNames>")]
    pub solver: Option<Solver>,
    /// What speeds up the solver "pcg" (impulse, sle). Default "jacobi".
    #[schemars(with = "Option<PreconditionerNames>")]
    pub preconditioner: Option<Preconditioner>,
    /// In which order the solver "ldlt" eliminates (impulse, impulse-newton, sle). Default "amd".
    #[schemars(with = "Option<OrderingNames>")]
    pub ordering: Option<Ordering>,
    /// The matrix of a Newton round (impulse-newton). Default "exact".
    #[schemars(with = "Option<JacobianNames>")]
    pub jacobian: Option<Jacobian>,
    /// Whether velocities along edges are removed too, after positions have moved (iterative, sle). Default true.
    pub velocity_pass: Option<bool>,
    /// Length of the sequence of targets, from the worst violation down to none (inequality). At least 1; default 10.
    #[schemars(range(min = 1))]
    pub sequence: Option<u32>,
    /// Whether the two vertices opposite an edge are limited too, which resists shear (inequality). Default true.
    pub cross_edges: Option<bool>,
    /// Whether distances to pins are limited too, by the shortest way along edges (certified). The limit of the edges is
    /// the same without, but work and motion are not: `bench-hang` then takes nine times the CPU time, and gains energy.
    /// Default true.
    pub tethers: Option<bool>,
}

impl Default for Limiter {
    fn default() -> Self {
        Self {
            method: LimiterMethod::default(),
            stretch: 0.01,
            compress: None,
            tolerance: None,
            max_iterations: None,
            direction: None,
            solver: None,
            preconditioner: None,
            ordering: None,
            jacobian: None,
            velocity_pass: None,
            sequence: None,
            cross_edges: None,
            tethers: None,
        }
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
    Bridson,
    /// All impulses at once, from a linear system.
    Impulse,
    /// All impulses at once, from the non-linear equations by Newton's method.
    ImpulseNewton,
    /// Impulse by impulse, from a preview of each edge's length. Takes the place of structural springs.
    Iterative,
    /// The same by a system of linear equations. Takes the place of structural springs.
    Sle,
    /// One-sided limits by active sets whose targets tighten. Takes the place of structural springs.
    Inequality,
    /// Limits that hold after every step, checked.
    #[default]
    Certified,
}

impl LimiterMethod {
    /// All methods, in the order of lists.
    pub const ALL: [Self; 9] = [
        Self::None,
        Self::Provot,
        Self::Bridson,
        Self::Impulse,
        Self::ImpulseNewton,
        Self::Iterative,
        Self::Sle,
        Self::Inequality,
        Self::Certified,
    ];

    /// The name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Provot => "provot",
            Self::Bridson => "bridson",
            Self::Impulse => "impulse",
            Self::ImpulseNewton => "impulse-newton",
            Self::Iterative => "iterative",
            Self::Sle => "sle",
            Self::Inequality => "inequality",
            Self::Certified => "certified",
        }
    }
}

/// The core's names, for the schema.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its schema is used; a test compares it with the core's names")]
enum DirectionNames {
    /// The edge's direction at the start of the step: angular momentum is kept.
    Start,
    /// The edge's direction in the preview: converges more easily, loses angular momentum.
    Current,
}

/// The core's names, for the schema.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its schema is used; a test compares it with the core's names")]
enum SolverNames {
    /// Sparse factorisation.
    Ldlt,
    /// Preconditioned conjugate gradients.
    Pcg,
}

/// The core's names, for the schema.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its schema is used; a test compares it with the core's names")]
enum PreconditionerNames {
    /// The diagonal.
    Jacobi,
    /// An incomplete Cholesky factor.
    IncompleteCholesky,
}

/// The core's names, for the schema.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its schema is used; a test compares it with the core's names")]
enum OrderingNames {
    /// Approximate minimum degree.
    Amd,
    /// Geometric nested dissection of the rest shape.
    NestedDissection,
}

/// The core's names, for the schema.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its schema is used; a test compares it with the core's names")]
enum JacobianNames {
    /// The derivative itself.
    Exact,
    /// The symmetric matrix of the start directions, factored once.
    Frozen,
}
