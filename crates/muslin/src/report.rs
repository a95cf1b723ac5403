//! What a step and a frame say of themselves.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// The certificate of one step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StepReport {
    /// The step, counted from 1.
    pub step: u64,
    /// Time at its end [s].
    pub time: f64,
    /// Greatest strain of a structural edge; 0 when there are none.
    pub worst_strain: f64,
    /// The edge that has it.
    pub worst_edge: Option<usize>,
    /// Least strain of a structural edge (negative: compressed).
    pub least_strain: f64,
    /// Centre of mass [m].
    pub centre: DVec3,
    /// What the solvers did.
    pub work: Work,
}

/// Counts of what the solvers did in a step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Work {
    /// Newton rounds of the integrator.
    pub newton_rounds: u32,
    /// Conjugate-gradient iterations.
    pub cg_iterations: u32,
    /// True when the integrator's equations were not solved to tolerance.
    pub unsolved: bool,
    /// What the limiter did.
    pub limiter: LimiterWork,
    /// What contact did.
    pub contact: ContactWork,
    /// Pulls and pushes of the inputs that did not act, because a limit or a solid could not be kept with them: where
    /// one is too much for a cloth, all of that cloth's are left out of the step. 0: all acted. Those on pinned
    /// particles, which never act, do not count.
    pub pulls_dropped: u32,
}

impl Work {
    /// Adds what was done for another cloth.
    pub(crate) fn add(&mut self, other: &Self) {
        self.limiter.rounds = self.limiter.rounds.saturating_add(other.limiter.rounds);
        self.limiter.velocity_rounds += other.limiter.velocity_rounds;
        self.contact.contacts += other.contact.contacts;
        self.contact.truncated |= other.contact.truncated;
        self.contact.impulse += other.contact.impulse;
        self.contact.breach = self.contact.breach.max(other.contact.breach);
        self.contact.divided += other.contact.divided;
        self.contact.layers += other.contact.layers;
        self.contact.layer_gap_sum += other.contact.layer_gap_sum;
        self.pulls_dropped += other.pulls_dropped;
    }
}

/// What contact did in a step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ContactWork {
    /// Contacts that pushed.
    pub contacts: u32,
    /// True when the step had to be cut or repeated because of an impact.
    pub truncated: bool,
    /// Sum of all impulses of solids on cloth, friction included [N s].
    pub impulse: DVec3,
    /// Greatest breach of contact that was let pass [m], where `contact.yield` says so; 0: none.
    pub breach: f64,
    /// Pairs of layers of cloth that blocked a motion, and were kept apart by planes of their own.
    pub divided: u32,
    /// Planes between layers that pushed in the last substep.
    pub layers: u32,
    /// Sum over those of the gap as a multiple of the thickness, where a pair has its full thickness.
    pub layer_gap_sum: f64,
}

/// Counts of what a limiter did in a step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LimiterWork {
    /// Rounds over positions: sweeps, passes, Newton rounds or linear solves, whatever the method iterates.
    pub rounds: u32,
    /// Rounds over velocities, after positions have moved.
    pub velocity_rounds: u32,
    /// Iterations of the limiter's linear solver; 0 for direct ones.
    pub iterations: u32,
    /// Greatest fraction of its diagonal that had to be added to a singular system; 0: none.
    pub regularisation: f64,
    /// True when rounds ran out before the method's own goal was reached.
    pub unfinished: bool,
}

/// Strain of the structural edges at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Strain {
    /// Greatest strain.
    pub worst: f64,
    /// The edge that has it.
    pub worst_edge: Option<usize>,
    /// The strain that 99 % of the edges do not exceed.
    pub p99: f64,
    /// Mean strain.
    pub mean: f64,
    /// Greatest compression, as a positive fraction of the rest length.
    pub compressed_worst: f64,
    /// The edge that has it.
    pub compressed_edge: Option<usize>,
}

/// Energies [J].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Energies {
    /// Of motion.
    pub kinetic: f64,
    /// Of height, measured from the start.
    pub gravity: f64,
    /// Of structural springs.
    pub stretch: f64,
    /// Of diagonals and corners.
    pub shear: f64,
    /// Of bending elements and bending springs.
    pub bending: f64,
}

impl Energies {
    /// All but kinetic [J].
    pub fn potential(&self) -> f64 {
        self.gravity + self.stretch + self.shear + self.bending
    }

    /// The sum [J].
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential()
    }
}

/// Momenta of all particles.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Momenta {
    /// Σ m v [kg m/s].
    pub linear: DVec3,
    /// Σ m x × v about the origin [kg m²/s].
    pub angular: DVec3,
}

/// Everything measured of one frame.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FrameReport {
    /// Time [s].
    pub time: f64,
    /// Steps done so far.
    pub steps: u64,
    /// Strain of the structural edges.
    pub strain: Strain,
    /// Energies [J].
    pub energies: Energies,
    /// Momenta.
    pub momenta: Momenta,
    /// Centre of mass [m].
    pub centre: DVec3,
}
