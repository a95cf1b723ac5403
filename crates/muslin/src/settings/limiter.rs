//! What edges may do, and which method enforces it.

use serde::{Deserialize, Serialize};

/// What edges may do, and which method enforces it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Limiter {
    /// The method, with the parameters of its own.
    #[serde(flatten)]
    pub method: LimitMethod,
    /// Greatest strain of a structural edge, e.g. 0.01 for 1 %. The certificate judges every method by it.
    pub stretch: f64,
    /// Greatest compression, e.g. 0.02 for 2 %; none: edges may shorten freely.
    pub compress: Option<f64>,
    /// Most rounds per step.
    pub max_iterations: u32,
}

impl Limiter {
    /// A method with the defaults that scenes have: a limit of 1 %, edges that may shorten freely, the method's own
    /// rounds.
    pub fn new(method: LimitMethod) -> Self {
        Self { method, stretch: 0.01, compress: None, max_iterations: method.max_iterations() }
    }
}

impl Default for Limiter {
    fn default() -> Self {
        Self::new(LimitMethod::default())
    }
}

/// The strain limiters. Those of the literature need the feature `limiters`, which is on by default.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case")]
pub enum LimitMethod {
    /// Nothing is limited: the springs alone resist.
    None,
    /// Ends of too long edges are moved together, in passes.
    #[cfg(feature = "limiters")]
    Provot,
    /// Impulses along too long edges, averaged per particle, in Jacobi rounds.
    #[cfg(feature = "limiters")]
    Bridson,
    /// All impulses at once from a linear system [Ye08].
    #[cfg(feature = "limiters")]
    Impulse(Impulse),
    /// All impulses at once from the non-linear equations, by Newton's method [YWG05].
    #[cfg(feature = "limiters")]
    ImpulseNewton(ImpulseNewton),
    /// Impulse by impulse, from a preview of each edge's length, until all are within a tolerance [BB08].
    #[cfg(feature = "limiters")]
    Iterative(Iterative),
    /// The same equations solved as one linear system [BB08].
    #[cfg(feature = "limiters")]
    Sle(Sle),
    /// One-sided limits by active sets with targets that tighten [JLGF17].
    #[cfg(feature = "limiters")]
    Inequality(Inequality),
    /// Stretch of triangles in all directions alike, on a hierarchy of coarser meshes [WOR10].
    #[cfg(feature = "limiters")]
    Isotropic(Isotropic),
    /// Limits that hold after every step, checked.
    Certified(Certified),
}

impl Default for LimitMethod {
    fn default() -> Self {
        Self::Certified(Certified::default())
    }
}

impl LimitMethod {
    /// True when the method's constraints stand in for the structural springs, as its paper has it: cloth limited by
    /// it has no membrane stiffness of its own.
    pub fn replaces_springs(&self) -> bool {
        match self {
            #[cfg(feature = "limiters")]
            Self::Iterative(_) | Self::Sle(_) | Self::Inequality(_) => true,
            _ => false,
        }
    }

    /// The reading of its document that a method follows; none for methods that have no document with two.
    pub fn reading(&self) -> Option<Reading> {
        match self {
            #[cfg(feature = "limiters")]
            Self::Impulse(Impulse { reading, .. })
            | Self::ImpulseNewton(ImpulseNewton { reading, .. })
            | Self::Iterative(Iterative { reading, .. })
            | Self::Sle(Sle { reading, .. })
            | Self::Inequality(Inequality { reading, .. }) => Some(*reading),
            _ => None,
        }
    }

    /// The method with the defaults of a reading, where it has more than one.
    #[cfg(feature = "limiters")]
    #[must_use]
    pub fn read(self, reading: Reading) -> Self {
        match self {
            Self::Impulse(_) => Self::Impulse(Impulse { reading, ..Impulse::default() }),
            Self::ImpulseNewton(_) => Self::ImpulseNewton(ImpulseNewton { reading, ..ImpulseNewton::default() }),
            Self::Iterative(_) => Self::Iterative(Iterative::of(reading)),
            Self::Sle(_) => Self::Sle(Sle::of(reading)),
            Self::Inequality(_) => Self::Inequality(Inequality::of(reading)),
            other => other,
        }
    }

    /// Most rounds per step, unless a limiter says otherwise.
    fn max_iterations(&self) -> u32 {
        match self {
            #[cfg(feature = "limiters")]
            Self::ImpulseNewton(ImpulseNewton { reading: Reading::Printed, .. })
            | Self::Sle(Sle { reading: Reading::Printed, .. }) => 1,
            #[cfg(feature = "limiters")]
            Self::ImpulseNewton(_) | Self::Sle(_) => 20,
            #[cfg(feature = "limiters")]
            Self::Iterative(_) => 1000,
            Self::Certified(_) => 600,
            _ => 100,
        }
    }
}

/// How a method's document is read. `docs/methods` says of every method what the readings have different, why, and what
/// it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// With the smallest departures from the text by which what it says of the method comes out.
    #[default]
    Intended,
    /// To the letter.
    Printed,
}

/// The direction in which an edge's impulse acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// The edge's direction at the start of the step: angular momentum is kept.
    #[default]
    Start,
    /// The edge's direction in the preview, as it changes: converges more easily, loses angular momentum.
    Current,
}

impl Direction {
    /// That of the methods of [BB08] in a reading.
    fn of_bb08(reading: Reading) -> Self {
        match reading {
            Reading::Intended => Self::Current,
            Reading::Printed => Self::Start,
        }
    }
}

/// How a linear system of impulses is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LinearSolver {
    /// Directly or by iteration.
    pub solver: Solver,
    /// What speeds the iteration up; of no meaning to the direct solver.
    pub preconditioner: Preconditioner,
    /// In which order unknowns are eliminated; of no meaning to the iteration.
    pub ordering: Ordering,
}

/// Kinds of linear solvers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// Sparse LDLᵀ factorisation.
    #[default]
    Ldlt,
    /// Preconditioned conjugate gradients.
    Pcg,
}

/// Preconditioners of the conjugate gradients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preconditioner {
    /// The diagonal.
    #[default]
    Jacobi,
    /// An incomplete Cholesky factor without fill-in.
    IncompleteCholesky,
}

/// Orders of elimination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ordering {
    /// Approximate minimum degree.
    #[default]
    Amd,
    /// Geometric nested dissection of the rest shape.
    NestedDissection,
}

/// Parameters of [Ye08].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Impulse {
    /// How the document is read.
    pub reading: Reading,
    /// Where impulses point.
    pub direction: Direction,
    /// How the system is solved.
    #[serde(flatten)]
    pub linear: LinearSolver,
}

/// Parameters of [YWG05].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ImpulseNewton {
    /// How the document is read.
    pub reading: Reading,
    /// Where impulses point.
    pub direction: Direction,
    /// The matrix of the rounds.
    pub jacobian: Jacobian,
    /// Solved when no edge is off its wanted length by more than this fraction of its rest length.
    pub tolerance: f64,
    /// In which order unknowns are eliminated.
    pub ordering: Ordering,
}

impl Default for ImpulseNewton {
    fn default() -> Self {
        Self {
            reading: Reading::default(),
            direction: Direction::default(),
            jacobian: Jacobian::default(),
            tolerance: 1e-6,
            ordering: Ordering::default(),
        }
    }
}

/// The matrix of a Newton round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Jacobian {
    /// The derivative itself: not symmetric when impulses point along the start directions.
    #[default]
    Exact,
    /// The symmetric matrix of the start directions, factored once: more rounds, each cheaper.
    Frozen,
}

/// Parameters of the iterative method of [BB08].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Iterative {
    /// How the document is read.
    pub reading: Reading,
    /// Where impulses point.
    pub direction: Direction,
    /// Greatest error of an edge's length, as a fraction of its rest length; none: the stretch limit.
    pub tolerance: Option<f64>,
    /// True: after positions have moved, velocities along edges are removed too.
    pub velocity_pass: bool,
}

impl Iterative {
    /// With the defaults of a reading.
    pub fn of(reading: Reading) -> Self {
        Self { reading, direction: Direction::of_bb08(reading), tolerance: None, velocity_pass: true }
    }
}

impl Default for Iterative {
    fn default() -> Self {
        Self::of(Reading::default())
    }
}

/// Parameters of the SLE method of [BB08].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sle {
    /// How the document is read.
    pub reading: Reading,
    /// Where impulses point.
    pub direction: Direction,
    /// Greatest error of an edge's length, as a fraction of its rest length; none: the stretch limit.
    pub tolerance: Option<f64>,
    /// True: after positions have moved, velocities along edges are removed too.
    pub velocity_pass: bool,
    /// How the system is solved.
    #[serde(flatten)]
    pub linear: LinearSolver,
}

impl Sle {
    /// With the defaults of a reading.
    pub fn of(reading: Reading) -> Self {
        Self {
            reading,
            direction: Direction::of_bb08(reading),
            tolerance: None,
            velocity_pass: true,
            linear: LinearSolver::default(),
        }
    }
}

impl Default for Sle {
    fn default() -> Self {
        Self::of(Reading::default())
    }
}

/// Parameters of [JLGF17].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Inequality {
    /// How the document is read; with other solvers than the active set both readings are one.
    pub reading: Reading,
    /// How the step's problem is solved; with `compress` by active sets whatever this says.
    pub solver: InequalitySolver,
    /// Weight of the barrier that is left standing, in units of mean particle mass times mean rest length squared; 0:
    /// it is lowered until it makes no difference. Of no meaning to other solvers.
    pub barrier: f64,
    /// Length of the sequence of targets c(k). Of no meaning to other solvers than the active set.
    pub sequence: u32,
    /// True: the two vertices opposite an edge are limited too, which resists shear.
    pub cross_edges: bool,
    /// How far over its limit an edge may be left, as a fraction of the limit length.
    pub tolerance: f64,
}

impl Inequality {
    /// With the defaults of a reading.
    pub fn of(reading: Reading) -> Self {
        let solver = match reading {
            Reading::Intended => InequalitySolver::PrimalDual,
            Reading::Printed => InequalitySolver::ActiveSet,
        };
        Self { reading, solver, barrier: 0.0, sequence: 10, cross_edges: true, tolerance: 1e-4 }
    }
}

impl Default for Inequality {
    fn default() -> Self {
        Self::of(Reading::default())
    }
}

/// Solvers of one-sided limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InequalitySolver {
    /// Targets that tighten, with the limits that are over them active: the paper's own.
    ActiveSet,
    /// Newton's method with a logarithmic barrier whose weight falls.
    Barrier,
    /// Interior points and multipliers together.
    #[default]
    PrimalDual,
}

/// Parameters of [WOR10].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Isotropic {
    /// Meshes that are limited, from the coarsest to the cloth's own; 1: its own alone.
    pub levels: u32,
    /// How far inside its limit a triangle is put that was beyond it, as a fraction of its size.
    pub tolerance: f64,
}

impl Default for Isotropic {
    fn default() -> Self {
        Self { levels: 4, tolerance: 1e-4 }
    }
}

/// Parameters of `certified`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Certified {
    /// True: distances to pins are limited too, by the shortest path along edges. `docs/methods/certified.md` says what
    /// changes without.
    pub tethers: bool,
    /// Times the substeps that the method takes by itself, at least 1: what its motion is compared with. For references
    /// only, which is why scene files have no key for it.
    pub fineness: f64,
}

impl Certified {
    /// The least limit that it takes [1]: with less room to stretch rounding alone would exceed it.
    pub const LEAST_STRETCH: f64 = 1e-6;
}

impl Default for Certified {
    fn default() -> Self {
        Self { tethers: true, fineness: 1.0 }
    }
}
