//! One cloth through one step: what an island of cloths asks of each.

use glam::DVec3;

use super::blame;
use super::intervals::{self, Intervals};
use super::network::{Aims, Network};
use super::retry::{Trial, Trouble, Waived};
use super::substeps::Substeps;
use crate::energy::Account;
use crate::error::{Stage, StepError};
use crate::integrate::StepContext;
use crate::measure;
use crate::model::Model;
use crate::settings::{Certified, Limiter, Settings, Yield};

/// The strain that repairs of positions aim at, by the strain limit. Nearer to 1 more of them are needed for the last
/// edge; far below 1 they move cloth that is fine.
const STRICT_AIM: f64 = 0.97;

/// The method for one cloth, with its working memory.
#[derive(Debug)]
pub(super) struct ClothSolver {
    own: Certified,
    limiter: Limiter,
    /// What is given up where strain limit and contact cannot both be kept.
    pub(super) policy: Yield,
    /// Shortest rest length of an edge [m].
    shortest: f64,
    pub(super) substeps: Substeps,
    /// Rows of usual aim, while those in use are loose.
    usual: Option<Network>,
    /// Where the step ends [m].
    pub(super) end: Vec<DVec3>,
    /// Velocities there [m/s].
    pub(super) velocity: Vec<DVec3>,
    /// Work in the step, and energy at its end.
    pub(super) account: Account,
    /// True once a step has started from cloth that was clear of every solid; verified motions keep it so.
    clear: bool,
}

impl ClothSolver {
    pub(super) fn new(own: Certified, settings: &Settings, model: &Model) -> Self {
        let rests = model.edges.iter().map(|edge| edge.rest).filter(|rest| *rest > 0.0);
        Self {
            own,
            limiter: settings.limiter,
            policy: settings.contact.yields,
            shortest: rests.fold(f64::INFINITY, f64::min),
            substeps: Substeps::new(own, settings, model, 1.0 + STRICT_AIM * settings.limiter.stretch),
            usual: None,
            end: model.start.clone(),
            velocity: Vec::with_capacity(model.len()),
            account: Account::default(),
            clear: false,
        }
    }

    /// Forgets that earlier steps ended clear of every solid.
    pub(super) fn forget(&mut self) {
        self.clear = false;
    }

    /// Begins a step. An error when the first one starts with cloth in a solid, or through one, and contact is not
    /// given up.
    pub(super) fn begin(&mut self, context: StepContext<'_>) -> Result<(), StepError> {
        if !self.clear && self.policy != Yield::Contact {
            blame::entangled(context)?;
            self.clear = true;
        }
        self.substeps.begin(context, self.own.tethers);
        Ok(())
    }

    /// Loosens rows for an attempt that gives up the strain limit.
    pub(super) fn loosen(&mut self, context: StepContext<'_>, trial: Trial) {
        let loose = trial.loose_strain(self.strain_at_start(context, trial));
        if loose > 0.0 {
            let mut network = Network::new(context.model, Aims::all(1.0 + loose), context.h, 0.0);
            network.hold(context, self.own.tethers);
            self.usual = Some(std::mem::replace(&mut self.substeps.network, network));
        }
    }

    /// Ends an attempt: takes where the cloth is, as far as it came, and its rows as they usually are.
    pub(super) fn end_attempt(&mut self) {
        self.take_end();
        if let Some(usual) = self.usual.take() {
            self.substeps.network = usual;
        }
    }

    /// The strain that the cloth has at the start of a step, at least the limit; 0 where it is not needed.
    fn strain_at_start(&self, context: StepContext<'_>, trial: Trial) -> f64 {
        if trial.insists() {
            return 0.0;
        }
        let already = measure::extreme_strains(context.model, &context.state.x).map_or(0.0, |(most, _)| most.strain);
        already.max(self.limiter.stretch)
    }

    /// Takes where the cloth is [m].
    pub(super) fn take_end(&mut self) {
        self.substeps.slots.unsort(&self.substeps.x, &mut self.end, |x| x);
    }

    /// Whether every edge is within its limit at the end. An error where it is not finite.
    pub(super) fn is_within(&self, model: &Model, trial: Trial) -> Result<bool, Trouble> {
        if !self.end.iter().all(|x| x.is_finite()) {
            return Err(Trouble::NotFinite);
        }
        let waived = matches!(trial.waived, Waived::Strain { .. });
        Ok(waived || self.worst_strain(model) <= self.limiter.stretch - self.rounding())
    }

    fn worst_strain(&self, model: &Model) -> f64 {
        measure::extreme_strains(model, &self.end).map_or(0.0, |(most, _)| most.strain)
    }

    /// What rounding may add to a strain, by places far from the origin, and where pins go.
    fn rounding(&self) -> f64 {
        let furthest = self.end.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
        1e-12 + 16.0 * f64::EPSILON * furthest / self.shortest
    }

    /// Sweeps over positions alone, at most.
    pub(super) fn most_repairs(&self) -> u32 {
        self.limiter.max_iterations
    }

    /// Takes velocities and energy of an attempt that was accepted.
    pub(super) fn accept(&mut self) {
        self.substeps.velocities(&mut self.velocity);
        self.account = self.substeps.account();
    }

    /// How far the cloth ends inside of what a step keeps off [m], where contact may be given up.
    pub(super) fn breach(&self, context: StepContext<'_>, trial: Trial) -> f64 {
        // Cloth that an earlier step let into a solid is still there, although this motion met nothing.
        if self.policy == Yield::Contact { intervals::breach(context, &self.end, trial.insists()) } else { 0.0 }
    }

    /// Contact with solids.
    pub(super) fn intervals(&mut self) -> &mut Intervals {
        &mut self.substeps.intervals
    }

    /// Whether pins are further apart than cloth can reach.
    pub(super) fn is_torn_apart(&self, context: StepContext<'_>) -> bool {
        blame::furthest_apart(context, self.limiter.stretch).is_some()
    }

    /// Why the step is refused.
    pub(super) fn refuse(&self, context: StepContext<'_>, trouble: Trouble) -> StepError {
        let (step, stretch) = (context.state.step + 1, self.limiter.stretch);
        let not_finite = self.end.iter().position(|x| !x.is_finite());
        let intervals = &self.substeps.intervals;
        match (trouble, not_finite, intervals.hit()) {
            (Trouble::NotFinite, Some(particle), _) => {
                let value = self.end[particle];
                StepError::NotFinite { particle, quantity: "position", value, stage: Stage::Limit, step }
            }
            // Pins that are too far apart are the reason with or without solids.
            (_, _, Some(hit)) if !self.is_torn_apart(context) => blame::blocked(context, &hit, intervals.found()),
            _ => blame::refuse(context, stretch, &self.end, intervals.found()),
        }
    }
}
