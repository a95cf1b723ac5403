//! One cloth through one step: plan, attempt, judge; then accept, or try again (`retry`).

use glam::DVec3;

use super::intervals;
use super::network::{Aims, Network};
use super::retry::{Case, Trial, Trouble, Waived};
use super::substeps::{StepPlan, Substeps};
use super::{blame, intervals::Intervals};
use crate::contact::Solids;
use crate::energy::Account;
use crate::error::{Stage, StepError};
use crate::integrate::StepContext;
use crate::measure;
use crate::model::Model;
use crate::report::{ContactWork, LimiterWork, Work};
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
    policy: Yield,
    /// Shortest rest length of an edge [m].
    shortest: f64,
    substeps: Substeps,
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
            end: model.start.clone(),
            velocity: Vec::with_capacity(model.len()),
            account: Account::default(),
            clear: false,
        }
    }

    /// Takes the cloth through a step that starts with the given velocities [m/s]; `doublings` is how often the number
    /// of substeps was doubled in the step before, and then how often the next one starts with.
    pub(super) fn step(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        velocity: &[DVec3],
        doublings: &mut u32,
    ) -> Result<Work, StepError> {
        self.check_start(context)?;
        self.substeps.begin(context, self.own.tethers);
        let plan = self.substeps.plan(context, solids, velocity);
        let case = Case { first: *doublings, policy: self.policy, pulls: !context.drivers.pulls.is_empty() };
        let (mut trial, mut done, mut refusal) = (Trial::first(case.first), LimiterWork::default(), None);
        while let Err(trouble) = self.attempt(context, solids, &plan, trial, &mut done) {
            let apart = || blame::furthest_apart(context, self.limiter.stretch).is_some();
            let next = trial.next(trouble, case, apart);
            // Blame what blocked it as long as both limit and contact were insisted on; an interrupt at any time.
            if trouble == Trouble::Interrupted {
                return Err(StepError::Interrupted { step: context.state.step + 1 });
            }
            if trial.insists() && !next.is_some_and(Trial::insists) {
                refusal = Some(self.refuse(context, trouble));
            }
            match next {
                Some(next) => trial = next,
                None => return Err(refusal.unwrap_or_else(|| self.refuse(context, trouble))),
            }
        }
        *doublings = trial.carried_over(case.first);
        self.substeps.velocities(&mut self.velocity);
        self.account = self.substeps.account();
        let pulls_dropped = if trial.pulls { 0 } else { context.pulls().count() as u32 };
        Ok(Work { limiter: done, contact: self.contact_work(context, &plan, trial), pulls_dropped, ..Work::default() })
    }

    /// Forgets that earlier steps ended clear of every solid.
    pub(super) fn forget(&mut self) {
        self.clear = false;
    }

    /// An error when the first step starts with cloth in a solid, or through one, and contact is not given up.
    fn check_start(&mut self, context: StepContext<'_>) -> Result<(), StepError> {
        if !self.clear && self.policy != Yield::Contact {
            blame::entangled(context)?;
            self.clear = true;
        }
        Ok(())
    }

    /// One attempt: substeps with contact, then every edge is measured.
    fn attempt(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        plan: &StepPlan<'_>,
        trial: Trial,
        done: &mut LimiterWork,
    ) -> Result<(), Trouble> {
        done.rounds = done.rounds.saturating_add(plan.substeps(trial));
        let loose = trial.loose_strain(self.strain_at_start(context, trial));
        let advanced = if loose == 0.0 {
            self.substeps.advance(context, solids, plan, trial)
        } else {
            let mut network = Network::new(context.model, Aims::all(1.0 + loose), context.h, 0.0);
            network.hold(context, self.own.tethers);
            std::mem::swap(&mut self.substeps.network, &mut network);
            let advanced = self.substeps.advance(context, solids, plan, trial);
            std::mem::swap(&mut self.substeps.network, &mut network);
            advanced
        };
        // In any case: a refusal describes this attempt.
        self.substeps.slots.unsort(&self.substeps.x, &mut self.end, |x| x);
        advanced?;
        self.judge(context, solids, trial, done)
    }

    /// The strain that the cloth has at the start of a step, at least the limit; 0 where it is not needed.
    fn strain_at_start(&self, context: StepContext<'_>, trial: Trial) -> f64 {
        if trial.insists() {
            return 0.0;
        }
        let already = measure::extreme_strains(context.model, &context.state.x).map_or(0.0, |(most, _)| most.strain);
        already.max(self.limiter.stretch)
    }

    /// Accepts the end of the substeps when every edge is within its limit; edges over it are brought back by sweeps
    /// over positions alone.
    fn judge(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        trial: Trial,
        done: &mut LimiterWork,
    ) -> Result<(), Trouble> {
        for sweep in 0..=self.limiter.max_iterations {
            self.substeps.slots.unsort(&self.substeps.x, &mut self.end, |x| x);
            if !self.end.iter().all(|x| x.is_finite()) {
                return Err(Trouble::NotFinite);
            }
            let waived = matches!(trial.waived, Waived::Strain { .. });
            if waived || self.worst_strain(context.model) <= self.limiter.stretch - self.rounding() {
                let safe = sweep == 0 || self.substeps.repaired_safely(context, solids, &self.end);
                return if safe { Ok(()) } else { Err(Trouble::Blocked) };
            }
            if sweep == self.limiter.max_iterations {
                break;
            }
            if sweep == 0 {
                self.substeps.begin_repair(context, solids);
            }
            self.substeps.repair();
            done.velocity_rounds += 1;
        }
        Err(Trouble::Overstretched)
    }

    fn worst_strain(&self, model: &Model) -> f64 {
        measure::extreme_strains(model, &self.end).map_or(0.0, |(most, _)| most.strain)
    }

    /// What rounding may add to a strain, by places far from the origin, and where pins go.
    fn rounding(&self) -> f64 {
        let furthest = self.end.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
        1e-12 + 16.0 * f64::EPSILON * furthest / self.shortest
    }

    fn contact_work(&self, context: StepContext<'_>, plan: &StepPlan<'_>, trial: Trial) -> ContactWork {
        let h = context.h / f64::from(plan.substeps(trial));
        let (intervals, verified) = (self.intervals(), trial.insists());
        ContactWork {
            contacts: intervals.planes.contacts(),
            truncated: !verified || intervals.redone() > 0,
            impulse: intervals.planes.impulse(h),
            // Cloth that an earlier step let into a solid is still there, although this motion met nothing.
            breach: if self.policy == Yield::Contact { intervals::breach(context, &self.end, verified) } else { 0.0 },
        }
    }

    fn intervals(&self) -> &Intervals {
        &self.substeps.intervals
    }

    /// Why the step is refused.
    fn refuse(&self, context: StepContext<'_>, trouble: Trouble) -> StepError {
        let (step, stretch) = (context.state.step + 1, self.limiter.stretch);
        let not_finite = self.end.iter().position(|x| !x.is_finite());
        match (trouble, not_finite, self.intervals().hit()) {
            (Trouble::NotFinite, Some(particle), _) => {
                let value = self.end[particle];
                StepError::NotFinite { particle, quantity: "position", value, stage: Stage::Limit, step }
            }
            // Pins that are too far apart are the reason with or without solids.
            (_, _, Some(hit)) if blame::furthest_apart(context, stretch).is_none() => {
                blame::blocked(context, &hit, self.intervals().found())
            }
            _ => blame::refuse(context, stretch, &self.end, self.intervals().found()),
        }
    }
}
