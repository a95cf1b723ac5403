//! One cloth through one step: plan, attempt, judge; then accept, or try again.

use glam::DVec3;

use super::bending::Bending;
use super::held::Held;
use super::intervals::{self, Intervals};
use super::network::Network;
use super::soft::Soft;
use super::substeps::{Plan, elongation, fall, substeps, tightness};
use super::{blame, intervals::Moment};
use crate::contact::Solids;
use crate::energy::Account;
use crate::error::StepError;
use crate::integrate::StepContext;
use crate::measure;
use crate::model::Model;
use crate::report::{ContactWork, LimiterWork, Work};
use crate::settings::{Certified, Limiter, Settings, Yield};
use crate::simd::{Points, Slots};

/// The strain that repairs of positions aim at, by the strain limit. Nearer to 1 more of them are needed for the last edge;
/// far below 1 they move cloth that is fine.
const STRICT_AIM: f64 = 0.97;
/// Times that the number of substeps is doubled before a step is refused; half of it where something may give way instead. With
/// 5 large sheets under a spinning box are refused.
pub(super) const MOST_DOUBLINGS: u32 = 8;

/// The method for one cloth, with its working memory.
#[derive(Debug)]
pub(super) struct ClothSolver {
    pub(super) own: Certified,
    pub(super) limiter: Limiter,
    pub(super) yields: Yield,
    /// Shortest rest length of an edge [m].
    shortest: f64,
    pub(super) soft: Soft,
    pub(super) bending: Bending,
    pub(super) network: Network,
    pub(super) intervals: Intervals,
    /// Substeps of a step before any doubling.
    pub(super) substeps: u32,
    pub(super) slots: Slots,
    pub(super) x: Points,
    pub(super) q: Points,
    pub(super) u: Points,
    /// Where the step ends [m].
    pub(super) end: Vec<DVec3>,
    /// Velocities there [m/s].
    pub(super) velocity: Vec<DVec3>,
    /// What soft forces do from one evaluation to the next.
    pub(super) held: Held,
    /// Work of this attempt, and energy at its end.
    pub(super) account: Account,
    /// Substeps of the last attempt.
    pub(super) taken: u32,
    /// True once a step has started from cloth that was clear of every solid; verified motions keep it so.
    clear: bool,
}

/// Why an attempt at a step came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// An edge is over its limit, and repairs do not bring it back.
    Overstretched,
    /// A solid is in the way of every motion that was tried.
    Blocked,
    /// The user has asked to stop.
    Interrupted,
}

/// What is tried next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The step again, in twice as many substeps.
    Double,
    /// One of the promises gives way, or the step is refused.
    Yield,
    /// Nothing.
    Stop,
}

impl ClothSolver {
    pub(super) fn new(own: Certified, settings: &Settings, model: &Model) -> Self {
        let stretch = settings.limiter.stretch;
        let tightness = tightness(stretch) * own.fineness.max(1.0);
        let count = substeps(model, settings.step, tightness);
        let rests = model.edges.iter().map(|edge| edge.rest).filter(|rest| *rest > 0.0);
        Self {
            own,
            limiter: settings.limiter,
            yields: settings.contact.yields,
            shortest: rests.fold(f64::INFINITY, f64::min),
            soft: Soft::new(model, fall(model)),
            bending: Bending::new(model, settings.step, count),
            network: Network::new(model, [1.0, 1.0 + STRICT_AIM * stretch], elongation(model, tightness)),
            intervals: Intervals::new(model),
            substeps: count,
            slots: Slots::new(model.len()),
            x: Points::new(model.len()),
            q: Points::new(model.len()),
            u: Points::new(model.len()),
            end: model.start.clone(),
            velocity: Vec::with_capacity(model.len()),
            held: Held::new(model.len()),
            account: Account::default(),
            taken: 0,
            clear: false,
        }
    }

    /// Takes the cloth through a step that starts with the given velocities [m/s]; `doublings` is how often the number of
    /// substeps has been doubled so far in the run, and grows when that is not enough.
    pub(super) fn step(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        velocity: &[DVec3],
        doublings: &mut u32,
    ) -> Result<Work, StepError> {
        if !self.clear && self.yields != Yield::Contact {
            blame::entangled(context)?;
            self.clear = true;
        }
        self.network.hold(context, self.own.tethers);
        self.intervals.begin_step();
        let plan = self.plan(context, solids, velocity);
        let (first, mut done) = (*doublings, LimiterWork::default());
        loop {
            let Err(trouble) = self.attempt(context, solids, velocity, &plan, *doublings, &mut done) else {
                self.count_energy(context);
                let contact = self.contact_work(context, &plan, *doublings);
                if *doublings == first {
                    *doublings = doublings.saturating_sub(1);
                }
                return Ok(Work { limiter: done, contact, ..Work::default() });
            };
            match self.next(context, trouble, *doublings, first) {
                Next::Double => *doublings += 1,
                Next::Stop => return Err(self.refuse(context)),
                Next::Yield => {
                    // Don't carry the extra doublings over; later steps may succeed without them.
                    *doublings = first;
                    let contact = self.give_way(context, solids, velocity, &plan, &mut done)?;
                    self.count_energy(context);
                    return Ok(Work { limiter: done, contact, ..Work::default() });
                }
            }
        }
    }

    /// What to try next for which trouble.
    fn next(&self, context: StepContext<'_>, trouble: Trouble, doublings: u32, first: u32) -> Next {
        let most = if self.yields == Yield::Stop { MOST_DOUBLINGS } else { MOST_DOUBLINGS / 2 };
        // Pins that are further apart than cloth can reach: no substep is short enough.
        let hopeless = || doublings == first + 1 && blame::furthest_apart(context, self.limiter.stretch).is_some();
        match trouble {
            Trouble::Interrupted => Next::Stop,
            Trouble::Overstretched | Trouble::Blocked if doublings == first + most || hopeless() => Next::Yield,
            Trouble::Overstretched | Trouble::Blocked => Next::Double,
        }
    }

    /// One attempt: substeps with contact, then every edge is measured.
    pub(super) fn attempt(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        velocity: &[DVec3],
        plan: &Plan,
        doublings: u32,
        done: &mut LimiterWork,
    ) -> Result<(), Trouble> {
        done.rounds = done.rounds.saturating_add(plan.substeps(doublings));
        self.advance(context, solids, velocity, plan, doublings)?;
        self.judge(context, solids, done)
    }

    /// Accepts the end of the substeps when every edge is within its limit; edges over it are brought back by sweeps over
    /// positions alone.
    fn judge(&mut self, context: StepContext<'_>, solids: &mut Solids, done: &mut LimiterWork) -> Result<(), Trouble> {
        for sweep in 0..=self.limiter.max_iterations {
            self.slots.unsort(&self.x, &mut self.end, |x| x);
            if !self.end.iter().all(|x| x.is_finite()) {
                return Err(Trouble::Overstretched);
            }
            if self.worst_strain(context.model) <= self.limiter.stretch - self.rounding() {
                let safe = sweep == 0 || self.repaired_safely(context, solids);
                return if safe { Ok(()) } else { Err(Trouble::Blocked) };
            }
            if sweep == 0 && self.intervals.is_active() {
                let moment = Moment { x: &mut self.x, u: &mut self.u, w: &self.network.w, h: context.h };
                self.intervals.open_repair(context, solids, &moment);
            }
            self.q.copy_from(&self.x);
            self.network.sweep_strictly(&self.x, &mut self.q);
            self.intervals.planes.hold_off(&mut self.q);
            std::mem::swap(&mut self.x, &mut self.q);
            done.velocity_rounds += 1;
        }
        Err(Trouble::Overstretched)
    }

    fn worst_strain(&self, model: &Model) -> f64 {
        measure::extreme_strains(model, &self.end).map_or(0.0, |(most, _)| most.strain)
    }

    /// What rounding may add to a strain on the way through velocities.
    fn rounding(&self) -> f64 {
        let furthest = self.end.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
        1e-12 + 16.0 * f64::EPSILON * furthest / self.shortest
    }

    /// True when bringing edges back has led through no solid.
    fn repaired_safely(&mut self, context: StepContext<'_>, solids: &Solids) -> bool {
        if self.intervals.is_active() {
            self.intervals.repaired_safely(context.model, solids, &self.end)
        } else {
            solids.is_empty() || !self.intervals.strayed(context, solids, &self.x)
        }
    }

    fn contact_work(&self, context: StepContext<'_>, plan: &Plan, doublings: u32) -> ContactWork {
        let h = context.h / f64::from(plan.substeps(doublings));
        // Cloth that an earlier step let in is not out again because nothing was in its way.
        let breach = if self.yields == Yield::Contact { intervals::breach(context, &self.end, true) } else { 0.0 };
        ContactWork {
            contacts: self.intervals.planes.contacts(),
            truncated: self.intervals.redone() > 0,
            impulse: self.intervals.planes.impulse(h),
            breach,
        }
    }

    /// Why there is no way on.
    pub(super) fn refuse(&self, context: StepContext<'_>) -> StepError {
        if context.interrupt.asked() {
            return StepError::Interrupted { step: context.state.step + 1 };
        }
        let stretch = self.limiter.stretch;
        match self.intervals.hit() {
            // Pins that are too far apart leave no way with or without solids.
            Some(hit) if blame::furthest_apart(context, stretch).is_none() => {
                blame::blocked(context, &hit, self.intervals.found())
            }
            _ => blame::refuse(context, stretch, &self.end, self.intervals.found()),
        }
    }
}
