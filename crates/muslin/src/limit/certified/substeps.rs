//! The substeps of a step, and intervals of them in which contact is verified.

use glam::DVec3;

use super::cloth::{ClothSolver, Trouble};
use super::held::Hold;
use super::intervals::{Moment, Passage, RECOVERY};
use super::lanes::coast;
use crate::contact::Solids;
use crate::drivers::Freedom;
use crate::energy::Account;
use crate::integrate::StepContext;
use crate::model::Model;
use crate::simd::Points;

/// β: how much of a length already over what is aimed at is recovered in a substep of the usual length. With 1 sheets shiver, with
/// less than a half they need far more repairs.
const RECOVERED: f64 = 0.7;
/// Tethers take part in a step when they are nearer to being tight than this times the furthest that a particle moves; with
/// 0 those that become tight on the way are missed, with 1 most of them idle.
const TETHER_REACH: f64 = 0.2;
/// Substeps in the time √(L/g) that cloth of size L takes to fall by half of it, for each particle along the side of a
/// square sheet, at a limit of 1 %. With half of it sheets gain energy.
const SUBSTEPS_PER_FALL: f64 = 38.0;
/// They grow with this power of the limit's tightness, 1 %/α; with less most steps are over the limit at first.
const TIGHTNESS: f64 = 0.7;
/// Strain that one sweep leaves in rows under load, at a limit of 1 %: the slack of tethers. With half of it sheets lose their
/// swing, with twice as much light ones need many repairs.
const ELONGATION: f64 = 0.002;
/// What has fewer particles along its side counts as having so many: few rows are no less stiff. With fewer, coarse nets gain
/// energy, and chains lose their swing.
const LEAST_SIDE: f64 = 18.0;
/// Acceleration by which the fall is judged, at least [m/s²]: cloth without weight moves too.
const LEAST_GRAVITY: f64 = 9.81;

/// How a step is divided, before any doubling.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// Greatest speed of a particle at its start [m/s].
    fastest: f64,
    substeps: u32,
    /// How often soft forces are evaluated, hinges among them; 0: there are none.
    evaluations: u32,
    /// Intervals for contact.
    intervals: u32,
    /// False: all solids are further from all of the cloth than it is expected to go.
    near: bool,
}

impl Plan {
    /// Substeps of an attempt.
    pub(super) fn substeps(&self, doublings: u32) -> u32 {
        self.substeps << doublings
    }
}

/// The substeps of one attempt.
#[derive(Debug, Clone, Copy)]
struct Substeps {
    count: u32,
    /// From one evaluation of soft forces to the next; 0: there are none.
    per_evaluation: u32,
    /// Length of one [s].
    h: f64,
    /// What gravity adds to a displacement in one [m].
    gravity: DVec3,
}

impl Substeps {
    /// True: soft forces are evaluated before this substep.
    fn evaluates(&self, substep: u32) -> bool {
        self.per_evaluation > 0 && substep.is_multiple_of(self.per_evaluation)
    }
}

impl ClothSolver {
    /// How to divide the step that starts with the given velocities [m/s].
    pub(super) fn plan(&self, context: StepContext<'_>, solids: &Solids, velocity: &[DVec3]) -> Plan {
        let fastest = velocity.iter().map(|v| v.length_squared()).fold(0.0, f64::max).sqrt();
        let wind = context.model.air.wind_at(context.state.time).length();
        let contact = self.intervals.plan(context, solids, fastest);
        let substeps = self.substeps.max(contact.substeps);
        let soft = self.soft.evaluations(context.h, fastest + wind);
        let evaluations = soft.max(self.bending.evaluations(context.h, substeps));
        // They are spaced evenly.
        let substeps = substeps.next_multiple_of(evaluations.max(1));
        Plan { fastest, substeps, evaluations, intervals: contact.intervals, near: contact.near }
    }

    /// Goes through the substeps, past verified solids.
    ///
    /// Where no solid is expected to be near none is searched. The box that all of the cloth has stayed in then shows that
    /// the straight motion was safe; or it does not, and the substeps are redone.
    pub(super) fn advance(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        velocity: &[DVec3],
        plan: &Plan,
        doublings: u32,
    ) -> Result<(), Trouble> {
        let active = self.intervals.activate(plan.near);
        let passed = self.pass_intervals(context, solids, velocity, plan, doublings);
        if active || solids.is_empty() || !self.intervals.strayed(context, solids, &self.x) {
            return passed;
        }
        self.intervals.activate(true);
        self.pass_intervals(context, solids, velocity, plan, doublings)
    }

    fn pass_intervals(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        velocity: &[DVec3],
        plan: &Plan,
        doublings: u32,
    ) -> Result<(), Trouble> {
        let active = self.intervals.is_active();
        let count = plan.substeps(doublings);
        let h = context.h / f64::from(count);
        // As long from one to the next however often substeps are doubled: filtered hinges are as stiff as that is short.
        let per_evaluation = count.checked_div(plan.evaluations).unwrap_or(0);
        let substeps = Substeps { count, per_evaluation, h, gravity: context.model.gravity * (h * h) };
        self.start(context, velocity, plan.fastest, &substeps);
        let (mut done, mut length) = (0, count.div_ceil(plan.intervals));
        while done < count {
            let until = (done + length).min(count);
            let fractions = [done, until].map(|substep| f64::from(substep) / f64::from(count));
            let work = self.account.work;
            if active {
                let moment = Moment { x: &mut self.x, u: &mut self.u, w: &self.network.w, h };
                self.intervals.open(context, solids, &moment, fractions);
                self.held.keep();
            }
            self.pass(context, &substeps, [done, until])?;
            let mut moment = Moment { x: &mut self.x, u: &mut self.u, w: &self.network.w, h };
            let passage = self.intervals.close(context.model, solids, &mut moment, fractions);
            if passage != Passage::Safe {
                if passage == Passage::Blocked && until - done == 1 {
                    return Err(Trouble::Blocked);
                }
                self.account.work = work;
                self.held.restore();
                length = ((until - done) / 2).max(1);
                continue;
            }
            done = until;
        }
        self.account.work += self.intervals.planes.work(h);
        self.slots.unsort(&self.u, &mut self.velocity, |u| u / h);
        Ok(())
    }

    /// Positions and displacements at the start of a step.
    fn start(&mut self, context: StepContext<'_>, velocity: &[DVec3], fastest: f64, substeps: &Substeps) {
        let Substeps { count, h, gravity, .. } = *substeps;
        self.account = Account::default();
        self.held.begin();
        self.taken = count;
        self.intervals.begin();
        for i in 0..context.model.len() {
            self.x.set(self.slots.of(i), context.state.x[i]);
            // Velocities are those of half a substep ago, but for the first ones.
            let lag = if context.state.step == 0 { context.drivers.filter(i, gravity * -0.5) } else { DVec3::ZERO };
            self.u.set(self.slots.of(i), velocity[i] * h + lag);
        }
        self.x.set(self.slots.nobody(), DVec3::ZERO);
        self.u.set(self.slots.nobody(), DVec3::ZERO);
        self.network.set_substep(context, count, h);
        let faster = fastest + context.model.gravity.length() * context.h;
        self.network.choose_tethers(&self.x, TETHER_REACH * faster * context.h);
    }

    /// Goes through the substeps of an interval.
    fn pass(&mut self, context: StepContext<'_>, substeps: &Substeps, [first, end]: [u32; 2]) -> Result<(), Trouble> {
        let Substeps { count, h, gravity, .. } = *substeps;
        let keep = 1.0 - self.recovered(count);
        self.held.count_air_from(&self.x);
        for substep in first..end {
            if context.interrupt.asked() {
                return Err(Trouble::Interrupted);
            }
            if substeps.evaluates(substep) {
                self.account.work += self.held.work_of_air(&self.x);
                self.held.count_air_from(&self.x);
                self.evaluate(context, substeps, substep);
            }
            let push = (substeps.per_evaluation > 0).then_some(&self.held.push);
            if substeps.evaluates(substep) || substep == first {
                set_off(&self.x, &self.u, push, &mut self.q, gravity);
            } else {
                coast(&mut self.x, &mut self.q, push, gravity);
            }
            let fractions = [substep, substep + 1].map(|substep| f64::from(substep) / f64::from(count));
            self.restrain(context, fractions[1]);
            self.account.work += self.network.sweep(&self.x, &mut self.q, keep, h);
            if !self.intervals.planes.is_empty() {
                self.intervals.planes.push(&self.x, &mut self.q, fractions, RECOVERY * h);
                self.restrain(context, fractions[1]);
            }
            if substep + 1 == end || substeps.evaluates(substep + 1) {
                self.settle();
            }
        }
        self.account.work += self.held.work_of_air(&self.x);
        Ok(())
    }

    /// β in so many substeps: at one speed, however short they are. With the same share of each a sheet under load is flung when they
    /// are doubled; with the square rows are as stiff as before, and what doubling is to bring back stays too long.
    fn recovered(&self, count: u32) -> f64 {
        RECOVERED * f64::from(self.substeps) / f64::from(count)
    }

    /// Counts what elements can give back to the motion at the end of a step.
    pub(super) fn count_energy(&mut self, context: StepContext<'_>) {
        let h = context.h / f64::from(self.taken);
        self.account.springs = self.network.energy(&self.x, self.recovered(self.taken), h);
        self.account.bending = self.bending.energy(&self.x);
    }

    /// Evaluates soft forces where cloth is expected to be in the middle of the interval until the next time; they are held for it.
    /// Dampers of hinges act at once.
    fn evaluate(&mut self, context: StepContext<'_>, substeps: &Substeps, substep: u32) {
        let Substeps { count, per_evaluation, h, .. } = *substeps;
        let Self { held, x, u, .. } = self;
        held.expect(x, u, per_evaluation);
        let span = context.h / f64::from(count / per_evaluation);
        let hold = Hold { time: context.state.time + h * f64::from(substep) + 0.5 * span, span, h };
        self.account.work += self.soft.act(context, hold, u, held);
        self.account.work += self.bending.act(hold, &held.middle, u, &mut held.push, &self.network.w);
        held.divide(per_evaluation);
    }

    /// Ends a substep in positions and displacements.
    fn settle(&mut self) {
        for ((q, x), u) in self.q.axes.iter().zip(&mut self.x.axes).zip(&mut self.u.axes) {
            for ((q, x), u) in q.iter().zip(x).zip(u) {
                *u = q - *x;
                *x = *q;
            }
        }
    }

    /// Puts particles that are not free where they may be after a `fraction` of the step.
    fn restrain(&mut self, context: StepContext<'_>, fraction: f64) {
        for &i in self.network.restrained() {
            let (i, slot) = (i as usize, self.slots.of(i as usize));
            let (x, q) = (self.x.get(slot), self.q.get(slot));
            let place = match context.drivers.freedom[i] {
                Freedom::Fixed => {
                    let (from, to) = (context.state.x[i], context.drivers.target[i]);
                    from + (to - from) * fraction
                }
                freedom => x + freedom.filter(q - x),
            };
            self.q.set(slot, place);
        }
    }
}

/// Starts a substep from positions and displacements.
fn set_off(x: &Points, u: &Points, push: Option<&Points>, q: &mut Points, gravity: DVec3) {
    for (axis, gravity) in gravity.to_array().into_iter().enumerate() {
        let both = x.axes[axis].iter().zip(&u.axes[axis]);
        for (q, (x, u)) in q.axes[axis].iter_mut().zip(both) {
            *q = x + (u + gravity);
        }
        if let Some(push) = push {
            q.axes[axis].iter_mut().zip(&push.axes[axis]).for_each(|(q, push)| *q += push);
        }
    }
}

/// How many times as many substeps a strain limit α takes as one of 1 %.
pub(super) fn tightness(stretch: f64) -> f64 {
    libm::pow((0.01 / stretch).max(1.0), TIGHTNESS)
}

/// Strain that one sweep a substep leaves in rows under load; less where a cloth counts as having more particles.
pub(super) fn elongation(model: &Model, tightness: f64) -> f64 {
    let side = (model.len() as f64).sqrt();
    ELONGATION * (side / LEAST_SIDE).min(1.0) / (tightness * tightness)
}

/// Substeps that a step of length `h` [s] starts with.
///
/// ```text
/// n = C h √(g/L) N (1 %/α)^p      one sweep acts like a spring of m/(h/n)², so a hanging sheet stretches by about
///                                 N² g (h/n)²/L: the strain is the same at all sizes L and numbers N² of particles
/// ```
///
/// More where light particles hang on heavy ones.
pub(super) fn substeps(model: &Model, h: f64, tightness: f64) -> u32 {
    let side = (model.len() as f64).sqrt();
    let moving = model.mass.iter().filter(|mass| **mass > 0.0);
    let lightest = moving.clone().copied().fold(f64::INFINITY, f64::min);
    let mean = moving.clone().sum::<f64>() / moving.count().max(1) as f64;
    let unevenness = (mean / (4.0 * lightest)).max(1.0).sqrt();
    let count = SUBSTEPS_PER_FALL * side.max(LEAST_SIDE) * tightness * unevenness * h / fall(model);
    count.ceil().clamp(1.0, 1e6) as u32
}

/// √(L/g), the time in which cloth falls by half of its size L [s].
pub(super) fn fall(model: &Model) -> f64 {
    let side = (model.len() as f64).sqrt();
    let edge = model.edges.iter().map(|edge| edge.rest).sum::<f64>() / model.edges.len() as f64;
    let fall = (side * edge / model.gravity.length().max(LEAST_GRAVITY)).sqrt();
    // Without edges nothing is limited.
    if fall > 0.0 { fall } else { f64::INFINITY }
}
