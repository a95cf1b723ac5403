//! Limits that hold after every step, checked.
//!
//! ```text
//! a step h is n substeps of h/n, each:   u = last displacement + (h/n)² g;   q = x + u
//!     one sweep over tethers and rows, one direct solve for the most loaded rows, all along the directions at x
//!     u = q - x;   x = q                                              (held particles move on straight lines to their targets)
//! accept when |x_b - x_a| <= (1 + α) l0 for EVERY edge; else sweep positions alone, velocities unchanged; else n := 2n, anew
//! where nothing else does work on the cloth, what the step has gained in energy is taken from its motion
//! ```
//!
//! muslin's own (METHODS §6). Rows aim inside the limit, at [`AIM`] α, since one sweep leaves a rest of what a substep adds. Springs
//! are part of the rows (`lanes`), softer forces act as kicks (`soft`), both with the integrator `substeps`; with any
//! other integrator the particles move with the mean velocity that it predicts, and only limits act on the way.
//! Directions at the start of a substep keep linear and angular momentum; velocities come from displacements of substeps
//! so short that they damp little. When doubling runs out the step is refused, with the edges and pins that stand
//! against each other.

mod blame;
mod guard;
mod hot;
mod lanes;
mod links;
mod network;
mod points;
mod quads;
mod retreat;
mod rigid;
mod slow;
mod soft;
mod tethers;
mod touches;
mod travel;
mod windows;
mod yields;

use glam::DVec3;

use crate::contact::Solids;
use crate::error::StepError;
use crate::integrate::{Motion, StepContext};
use crate::measure;
use crate::model::Model;
use crate::report::{ContactWork, LimiterWork, Work};
use crate::settings::{Certified, Integrator, Limiter, Settings, Yield};
use crate::state::Before;
use guard::{End, EnergyGuard, Remedy};
use hot::HotSet;
use network::Network;
use points::{Points, Slots};
use soft::Soft;
use travel::substeps;
use windows::Windows;

/// The strain that rows aim at, as a share of the strain limit.
const AIM: f64 = 0.3;
/// The same when a step is judged.
const STRICT_AIM: f64 = 0.97;
/// The same for sweeps over positions alone.
const NEARLY_OVER: f64 = 0.9;
/// Most rows that are solved directly, for each particle along the side of a square sheet.
const HOT_ROWS: f64 = 2.5;
/// Sweeps over positions alone that are no reason to keep substeps short.
const FEW_REPAIRS: u32 = 10;
/// Times that the number of substeps is doubled before a step is refused.
const MOST_DOUBLINGS: u32 = 8;
/// The same where something may give way instead.
const MOST_PATIENCE: u32 = 4;
/// The same before pins are asked whether they are further apart than cloth can reach, for which no substep is short enough.
const DOUBTFUL: u32 = 3;
/// The same for energy that would appear in shorter substeps no more.
const MOST_REFINED: u32 = 3;
/// The same where cloth strikes a solid.
const MOST_REFINED_IMPACT: u32 = 5;

/// The method with its working memory.
#[derive(Debug)]
pub(super) struct Certifier {
    own: Certified,
    stretch: f64,
    /// Shortest rest length of an edge [m].
    shortest: f64,
    /// None: another integrator has the forces.
    soft: Option<Soft>,
    network: Network,
    hot: HotSet,
    most_hot: usize,
    /// Substeps of a step before any doubling.
    substeps: u32,
    slots: Slots,
    x: Points,
    q: Points,
    u: Points,
    /// Where the step ends [m].
    end: Vec<DVec3>,
    /// Velocities there [m/s].
    velocity: Vec<DVec3>,
    guard: EnergyGuard,
    windows: Windows,
    yields: Yield,
    /// True once a step has started from cloth that was clear of every solid; verified motions keep it so.
    clear: bool,
}

impl Certifier {
    pub(super) fn new(own: Certified, settings: &Settings, model: &Model) -> Self {
        let Limiter { stretch, .. } = settings.limiter;
        let by_substeps = settings.integrator == Integrator::Substeps;
        let side = (model.len() as f64).sqrt();
        let network = Network::new(model, [1.0 + AIM * stretch, 1.0 + STRICT_AIM * stretch], by_substeps);
        let most_hot = ((HOT_ROWS * side).ceil() as usize).min(network.links.len());
        Self {
            own,
            stretch,
            shortest: model.edges.iter().map(|edge| edge.rest).filter(|rest| *rest > 0.0).fold(f64::INFINITY, f64::min),
            soft: by_substeps.then(|| Soft::new(model)),
            hot: HotSet::new(&network, model.len() + 1, most_hot),
            network,
            most_hot,
            substeps: substeps(model, settings.step, stretch),
            slots: Slots::new(model.len()),
            x: Points::new(model.len()),
            q: Points::new(model.len()),
            u: Points::new(model.len()),
            end: model.start.clone(),
            velocity: Vec::with_capacity(model.len()),
            guard: EnergyGuard::new(model, stretch),
            windows: Windows::new(model),
            yields: settings.contact.yields,
            clear: false,
        }
    }

    /// Replaces the motion of the step by one that ends within the limits; `doublings` is how often the number of substeps has
    /// been doubled so far in the run, and grows when that is not enough.
    pub(super) fn apply(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        solids: &mut Solids,
        motion: &mut Motion,
        doublings: &mut u32,
        work: &mut Work,
    ) -> Result<(), StepError> {
        if !self.clear && self.yields != Yield::Contact {
            blame::entangled(context)?;
            self.clear = true;
        }
        self.network.hold(context.model, context.drivers, self.own.tethers);
        if self.soft.is_some() {
            self.guard.begin(context);
        }
        self.windows.begin_step();
        let first = *doublings;
        let most = first + if self.yields == Yield::Stop { MOST_DOUBLINGS } else { MOST_PATIENCE };
        let pace = self.pace(context, solids, &motion.velocity);
        loop {
            let substeps = pace.substeps << *doublings;
            work.limiter.rounds += substeps;
            let came_from = work.limiter.velocity_rounds;
            let arrived = self.travel(context, solids, &motion.velocity, &pace, *doublings)
                && self.arrive(limiter, context, solids, &mut work.limiter);
            if arrived {
                let (repairs, anew) = (work.limiter.velocity_rounds - came_from, work.limiter.rounds > substeps);
                let remedy = self.remedy(context, solids, repairs, *doublings);
                if self.balance(context, remedy) {
                    if !anew && repairs <= FEW_REPAIRS {
                        *doublings = doublings.saturating_sub(1);
                    }
                    self.hand_over(context, motion);
                    work.contact = self.contact_work(context.h / f64::from(substeps), anew);
                    if self.yields == Yield::Contact {
                        // Cloth that an earlier step let in is not out again because nothing stood in its way.
                        work.contact.breach = windows::breach(context, &self.end, true);
                    }
                    return Ok(());
                }
            }
            let hopeless = *doublings == DOUBTFUL.max(first) && blame::furthest_apart(context, self.stretch).is_some();
            if hopeless || *doublings == most || substeps > u32::MAX / 4 {
                self.give_way(limiter, context, solids, motion, &pace, work)?;
                // Not a word to the steps to come: they may find a way again.
                *doublings = first;
                return Ok(());
            }
            *doublings += 1;
        }
    }

    /// What to do about energy that a step has gained.
    fn remedy(&self, context: StepContext<'_>, solids: &Solids, repairs: u32, doublings: u32) -> Remedy {
        let near = self.windows.minds() && solids.may_meet(context.model, &context.state.x.iter().chain(&self.end));
        // To go back on a way that was not verified could lead into a solid.
        if !near && (repairs > 0 || !self.network.has_springs()) {
            Remedy::GoBack
        } else if !near && doublings < MOST_REFINED {
            Remedy::Refine
        } else if doublings < MOST_REFINED_IMPACT {
            Remedy::RefineImpact
        } else {
            Remedy::Bear
        }
    }

    fn contact_work(&self, substep: f64, anew: bool) -> ContactWork {
        ContactWork {
            contacts: self.windows.touches.contacts(),
            truncated: self.windows.redone() > 0 || (anew && self.windows.hit().is_some()),
            impulse: self.windows.touches.pushed() / substep,
            breach: 0.0,
        }
    }

    /// Changes the velocities `v` [m/s] at the end of the step, where another integrator has them from positions of two steps: of
    /// what solids have stopped, they would be those of a rebound.
    pub(super) fn finish(&self, motion: &Motion, v: &mut [DVec3]) {
        if self.soft.is_none() {
            self.windows.minded().for_each(|i| v[i] = motion.end_velocity[i]);
        }
    }

    /// Changes what integrators of two steps remember of particles near solids: they start anew.
    pub(super) fn rewrite_history(&self, h: f64, x: &[DVec3], v: &[DVec3], before: &mut Before) {
        self.windows.minded().for_each(|i| before.restart(i, h, x, v));
    }

    /// Why there is no way on.
    fn refuse(&self, context: StepContext<'_>) -> StepError {
        match self.windows.hit() {
            // Pins that are too far apart leave no way with or without solids.
            Some(hit) if blame::furthest_apart(context, self.stretch).is_none() => {
                blame::blocked(context, &hit, self.windows.found())
            }
            _ => blame::refuse(context, self.stretch, &self.end, self.windows.found()),
        }
    }

    /// True when every edge is within its limit; edges over it are brought back by sweeps over positions alone.
    fn arrive(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        solids: &mut Solids,
        work: &mut LimiterWork,
    ) -> bool {
        self.guard.forget_spin();
        for sweep in 0..=limiter.max_iterations {
            self.slots.unsort(&self.x, &mut self.end, |x| x);
            let worst = measure::extreme_strains(context.model, &self.end).map_or(0.0, |(most, _)| most.strain);
            let furthest = self.end.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
            // A hair inside, for what rounding adds on the way through velocities and frames.
            let hair = 1e-12 + 16.0 * f64::EPSILON * furthest / self.shortest;
            let finite = self.end.iter().all(|x| x.is_finite());
            if finite && worst <= self.stretch - hair {
                return sweep == 0 || self.repaired_safely(context, solids);
            }
            if sweep == limiter.max_iterations || !finite {
                return false;
            }
            if sweep == 0 {
                self.guard.note_spin(context, &self.end, &self.velocity, self.windows.near());
                if self.windows.minds() {
                    let moment = windows::Moment { x: &mut self.x, u: &mut self.u, w: &self.network.w, h: context.h };
                    self.windows.mind_end(context, solids, &moment);
                }
            }
            self.q.copy_from(&self.x);
            self.network.sweep_strictly(&self.x, &mut self.q);
            self.hot.choose(&self.network, &self.x, NEARLY_OVER * self.stretch, self.most_hot, true);
            self.hot.solve(&self.network.w, &self.x, &mut self.q, 0.0);
            self.windows.touches.hold_off(&mut self.q);
            std::mem::swap(&mut self.x, &mut self.q);
            work.velocity_rounds += 1;
        }
        false
    }

    /// True when bringing edges back has led through no solid.
    fn repaired_safely(&mut self, context: StepContext<'_>, solids: &Solids) -> bool {
        if self.windows.minds() {
            self.windows.repaired_safely(context.model, solids, &self.end)
        } else {
            solids.is_empty() || !self.windows.strayed(context, solids, &self.x)
        }
    }

    /// Takes back what the step has gained in energy. False: it is to be refined.
    fn balance(&mut self, context: StepContext<'_>, remedy: Remedy) -> bool {
        let end = End { x: &mut self.end, v: &mut self.velocity };
        let near = self.windows.near();
        self.soft.as_ref().is_none_or(|soft| self.guard.take(context, soft.outer(), near, end, remedy))
    }

    fn hand_over(&self, context: StepContext<'_>, motion: &mut Motion) {
        for i in 0..context.model.len() {
            let before = motion.velocity[i];
            motion.velocity[i] = (self.end[i] - context.state.x[i]) / context.h;
            motion.end_velocity[i] += self.velocity[i] - before;
        }
    }
}
