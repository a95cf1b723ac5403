//! The tally: what a run adds up, step by step and frame by frame, for its report.
//!
//! It is part of the checkpoint, so that a resumed run reports the same as one that was never interrupted.

mod balance;
mod contact;
mod energy;
mod finite;
mod histogram;
mod layers;
mod motion;
mod probe;
mod strain;
#[cfg(test)]
mod tests;

use muslin::report::{FrameReport, StepReport, Work};
use muslin::{ClothEnergy, DVec3, Model, State};
use serde::{Deserialize, Serialize};

pub use balance::{MOST_IMBALANCE, STILL, STUCK_AFTER, StillTally, Stuck};
pub use contact::{ClothPlace, ContactTally, CrossingPeak, FrameContact, GapPeak, Pair, Pinned, Repair};
pub use energy::{ClothTally, EnergyTally, KINETIC_FRACTION, LONG_SPAN, Moment, Rise, SHORT_SPAN, WEIGHT_FRACTION};
pub use histogram::Histogram;
pub use layers::{LayerGapPeak, LayersTally};
pub use motion::{FALL_HEIGHT, MotionTally, REBOUND_INTERVAL};
pub use probe::{Probe, ProbeTally, Swing};
pub use strain::{EdgePeak, LENGTH_SLACK, StrainTally, within_limit};

/// Everything a run has added up so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Strain over frames and steps.
    pub strain: StrainTally,
    /// Contact over frames and steps.
    pub contact: ContactTally,
    /// Fall and rebound of the centre of mass.
    pub motion: MotionTally,
    /// Energies over the frames and steps.
    pub energy: EnergyTally,
    /// What the solvers did, in total.
    pub work: WorkTally,
    /// The probes, in the order they were given.
    pub probes: Vec<ProbeTally>,
    /// The last frame, as it was measured.
    pub last: FrameReport,
    /// Its number.
    frame: u64,
}

/// What the solvers did over all steps.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct WorkTally {
    /// Newton rounds of the integrator.
    pub newton_rounds: u64,
    /// Conjugate-gradient iterations.
    pub cg_iterations: u64,
    /// Steps in which the integrator's equations were not solved to tolerance.
    pub unsolved_steps: u64,
    /// Rounds of the limiter over positions.
    pub limiter_rounds: u64,
    /// Most of them in one step.
    pub most_limiter_rounds: u32,
    /// Rounds of the limiter over velocities.
    pub limiter_velocity_rounds: u64,
    /// Iterations of the limiter's linear solver; 0 for direct ones.
    pub limiter_iterations: u64,
    /// Steps in which the limiter ran out of rounds before it reached its goal.
    pub limiter_unfinished_steps: u64,
    /// Greatest fraction of its diagonal that the limiter had to add to a singular system; 0: none.
    pub limiter_regularisation: f64,
}

impl Tally {
    /// Starts with frame 0: `first` and `edge_strains` are measured at `state`. `limit` is the greatest strain allowed.
    ///
    /// Every probe must name a particle of the model.
    pub fn new(
        model: &Model,
        state: &State,
        limit: f64,
        probes: Vec<Probe>,
        first: &FrameReport,
        edge_strains: &[f64],
    ) -> Self {
        let first = finite::frame(first);
        Self {
            strain: StrainTally::new(model, state, limit, &first, edge_strains),
            contact: ContactTally::default(),
            motion: MotionTally::new(first.time, first.centre.y),
            energy: EnergyTally::new(model, state, first.energies),
            work: WorkTally::default(),
            probes: probes.into_iter().map(|probe| ProbeTally::new(probe, state)).collect(),
            last: first,
            frame: 0,
        }
    }

    /// The same, with the contact of the start.
    #[must_use]
    pub fn with_contact(self, contact: ContactTally) -> Self {
        Self { contact, ..self }
    }

    /// Adds a step; `energies` are those of each cloth, `state` is the state at its end. Allocates nothing.
    pub fn step(&mut self, model: &Model, report: &StepReport, energies: &[ClothEnergy], state: &State) {
        let report = finite::step(report);
        self.energy.step(Moment { frame: self.frame + 1, step: report.step, time: report.time }, energies);
        self.energy.layered = report.work.contact.layers + report.work.contact.divided > 0;
        self.strain.step(model, state, &report);
        self.motion.step(report.time, report.centre.y);
        self.work.step(&report.work);
        self.contact.step(report.step, &report.work.contact);
        for probe in &mut self.probes {
            probe.step(report.time, state);
        }
    }

    /// Adds a frame; `edge_strains` are the strains of the model's edges at `state`, in their order.
    pub fn frame(&mut self, frame: u64, model: &Model, state: &State, report: &FrameReport, edge_strains: &[f64]) {
        let report = finite::frame(report);
        self.strain.frame(frame, model, state, &report, edge_strains);
        let rise = report.energies.total() - self.last.energies.total();
        if rise > self.energy.greatest_rise {
            self.energy.greatest_rise = rise;
            self.energy.greatest_rise_frame = Some(frame);
        }
        self.last = report;
        self.frame = frame;
    }

    /// Where the probes are now [m].
    pub fn probe_positions(&self) -> Vec<DVec3> {
        self.probes.iter().map(|probe| probe.last).collect()
    }
}

impl WorkTally {
    fn step(&mut self, work: &Work) {
        self.newton_rounds += u64::from(work.newton_rounds);
        self.cg_iterations += u64::from(work.cg_iterations);
        self.unsolved_steps += u64::from(work.unsolved);
        let limiter = &work.limiter;
        self.limiter_rounds += u64::from(limiter.rounds);
        self.most_limiter_rounds = self.most_limiter_rounds.max(limiter.rounds);
        self.limiter_velocity_rounds += u64::from(limiter.velocity_rounds);
        self.limiter_iterations += u64::from(limiter.iterations);
        self.limiter_unfinished_steps += u64::from(limiter.unfinished);
        self.limiter_regularisation = self.limiter_regularisation.max(limiter.regularisation);
    }
}
