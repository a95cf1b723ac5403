//! The substeps of a cloth, one after the other: kick, sweep, and what contact leaves of it.

use glam::DVec3;

use super::bending::HingeForces;
use super::held::{Held, Span};
use super::intervals::{Intervals, SubstepState};
use super::lanes::coast;
use super::network::{Aims, Network, Pace};
use super::retry::Trial;
use super::soft::Soft;
use crate::contact::Solids;
use crate::drivers::Freedom;
use crate::energy::Account;
use crate::integrate::StepContext;
use crate::model::{Model, World};
use crate::settings::{Certified, Settings};
use crate::simd::{Points, Slots};

/// Substeps in the time √(L/g) that cloth of size L takes to fall by half of it, for each particle along the side of a
/// square sheet, at a limit of 1 %. With half of it sheets gain energy.
const SUBSTEPS_PER_FALL: f64 = 38.0;
/// Strain that those substeps leave in rows, but for impacts. Springs that substeps resolve are therefore limited at
/// the strain limit less this strain, where it is looser, so that cloth stretches below its limit as its fabric does.
const LEFT_BY_SWEEPS: f64 = 0.01;
/// They grow with this power of the limit's tightness, 1 %/α; with less most steps are over the limit at first.
const TIGHTNESS: f64 = 0.7;
/// Strain that one sweep leaves in rows under load, at a limit of 1 %: the slack of tethers. With half of it sheets
/// lose their swing, with twice as much light ones need many repairs.
const ELONGATION: f64 = 0.002;
/// What has fewer particles along its side counts as having so many: few rows are no less stiff. With fewer, coarse
/// nets gain energy, and chains lose their swing.
const LEAST_SIDE: f64 = 18.0;

/// How a step is divided, before any doubling.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepPlan {
    pub(super) substeps: u32,
    /// How often soft forces are evaluated, hinges among them; 0: there are none.
    evaluations: u32,
    /// Intervals for contact.
    pub(super) intervals: u32,
    /// False: all solids are further from all of the cloth than it is expected to go.
    pub(super) near: bool,
}

impl StepPlan {
    /// Substeps of an attempt.
    pub(super) fn substeps(&self, trial: Trial) -> u32 {
        self.substeps << trial.doublings
    }

    /// Gives cloths that are taken through a step together as many substeps, and intervals. Numbers of evaluations
    /// become powers of two, so that each divides them.
    pub(super) fn agree(plans: &mut [Self]) {
        if plans.len() > 1 {
            for plan in &mut *plans {
                plan.evaluations = if plan.evaluations > 0 { plan.evaluations.next_power_of_two() } else { 0 };
            }
            let most = |number: fn(&Self) -> u32| plans.iter().map(number).max().unwrap_or(1);
            let substeps = most(|plan| plan.substeps).next_multiple_of(most(|plan| plan.evaluations.max(1)));
            let intervals = most(|plan| plan.intervals);
            for plan in plans {
                (plan.substeps, plan.intervals) = (substeps, intervals);
            }
        }
    }
}

/// The substeps of a cloth, with their working memory.
#[derive(Debug)]
pub(super) struct Substeps {
    /// Their number in a step, before any doubling.
    usual: u32,
    pub(super) slots: Slots,
    pub(super) x: Points,
    pub(super) q: Points,
    pub(super) u: Points,
    pub(super) network: Network,
    pub(super) intervals: Intervals,
    soft: Soft,
    bending: HingeForces,
    /// What soft forces do from one evaluation to the next.
    held: Held,
    pace: Pace,
    /// What pulls have done in the last substep.
    pulled: Vec<Pulled>,
    /// Work of this attempt [J], and when the interval began.
    work: f64,
    work_before: f64,
}

/// A pull in a substep.
#[derive(Debug, Clone, Copy)]
struct Pulled {
    /// The particle.
    slot: u32,
    /// Its force [N].
    force: DVec3,
    /// The displacement before it acted [m].
    before: DVec3,
}

impl Substeps {
    /// For steps as the settings have them; repairs bring edges back to `strict_aim` times their rest length.
    pub(super) fn new(own: Certified, settings: &Settings, model: &Model, strict_aim: f64) -> Self {
        let tightness = tightness(settings.limiter.stretch) * own.fineness.max(1.0);
        let usual = usual_number(model, settings.step, tightness);
        let soft = 1.0 + (settings.limiter.stretch - LEFT_BY_SWEEPS).max(0.0);
        let aims = Aims { rows: 1.0, soft, strict: strict_aim };
        let points = || Points::new(model.len());
        Self {
            usual,
            slots: Slots::new(model.len()),
            x: points(),
            q: points(),
            u: points(),
            network: Network::new(model, aims, settings.step / f64::from(usual), elongation(model, tightness)),
            intervals: Intervals::new(model),
            soft: Soft::new(model, fall(model)),
            bending: HingeForces::new(model, settings.step, usual),
            held: Held::new(model.len()),
            pace: Pace::NONE,
            pulled: Vec::new(),
            work: 0.0,
            work_before: 0.0,
        }
    }

    /// Begins a step: takes the pins of its particles.
    pub(super) fn begin(&mut self, context: StepContext<'_>, with_tethers: bool) {
        self.network.hold(context, with_tethers);
        self.intervals.begin_step();
    }

    /// How to divide the step that starts with the given velocities [m/s].
    pub(super) fn plan(&self, context: StepContext<'_>, solids: &Solids, velocity: &[DVec3]) -> StepPlan {
        let fastest = velocity.iter().map(|v| v.length_squared()).fold(0.0, f64::max).sqrt();
        let wind = context.wind(context.state.time).length();
        let contact = self.intervals.plan(context, solids, fastest);
        let substeps = self.usual.max(contact.substeps);
        let soft = self.soft.evaluations(context.h, fastest + wind);
        let evaluations = soft.max(self.bending.evaluations(context.h, substeps));
        // They are spaced evenly.
        let substeps = substeps.next_multiple_of(evaluations.max(1));
        StepPlan { substeps, evaluations, intervals: contact.intervals, near: contact.near }
    }

    /// Starts an interval between two fractions of the step.
    pub(super) fn open(&mut self, context: StepContext<'_>, solids: &mut Solids, fractions: [f64; 2]) {
        let moment = SubstepState { x: &mut self.x, u: &mut self.u, h: self.pace.h };
        self.intervals.open(context, solids, &moment, fractions);
        self.held.keep();
        self.work_before = self.work;
    }

    /// Goes back to the start of the interval, which is redone.
    pub(super) fn backtrack(&mut self) {
        let mut moment = SubstepState { x: &mut self.x, u: &mut self.u, h: self.pace.h };
        self.intervals.backtrack(&mut moment);
        self.held.restore();
        self.work = self.work_before;
    }

    /// Length of a substep [s].
    pub(super) fn length(&self) -> f64 {
        self.pace.h
    }

    /// Counts work that was done on the cloth in contact [J].
    pub(super) fn add_work(&mut self, work: f64) {
        self.work += work;
    }

    /// Positions and displacements at the start of an attempt.
    pub(super) fn start(&mut self, context: StepContext<'_>, plan: &StepPlan, velocity: &[DVec3], trial: Trial) {
        self.pace = self.pace_of(context, plan, trial);
        let Pace { h, gravity, .. } = self.pace;
        self.work = 0.0;
        self.pulled.clear();
        self.held.begin();
        self.intervals.begin(trial.firmness());
        for i in 0..context.model.len() {
            self.x.set(self.slots.of(i), context.state.x[i]);
            // Velocities are those of half a substep ago, but for the first ones.
            let lag = if context.state.step == 0 { context.drivers.filter(i, gravity * -0.5) } else { DVec3::ZERO };
            self.u.set(self.slots.of(i), velocity[i] * h + lag);
        }
        self.x.set(self.slots.spare(), DVec3::ZERO);
        self.u.set(self.slots.spare(), DVec3::ZERO);
        self.network.set_pace(context, self.pace, &self.x);
        self.network.choose_tethers(&self.x, &self.u);
    }

    fn pace_of(&self, context: StepContext<'_>, plan: &StepPlan, trial: Trial) -> Pace {
        let count = plan.substeps(trial);
        let h = context.h / f64::from(count);
        let shorter = f64::from(self.usual) / f64::from(count);
        Pace {
            count,
            // As long from one to the next however often substeps are doubled: filtered hinges are as stiff as that is
            // short.
            per_evaluation: count.checked_div(plan.evaluations).unwrap_or(0),
            h,
            shorter2: shorter * shorter,
            divided: trial.doublings > 0,
            gravity: context.model.gravity * (h * h),
        }
    }

    /// Begins the substeps of an interval.
    pub(super) fn begin_interval(&mut self) {
        self.held.count_air_from(&self.x);
    }

    /// Ends the substeps of an interval.
    pub(super) fn end_interval(&mut self) {
        self.work += self.held.work_of_air(&self.x);
    }

    /// One substep, up to contact; `first`: of an interval.
    pub(super) fn advance(&mut self, context: StepContext<'_>, trial: Trial, substep: u32, first: bool) {
        let pace = self.pace;
        if pace.evaluates(substep) {
            self.work += self.held.work_of_air(&self.x);
            self.held.count_air_from(&self.x);
            self.evaluate(context, substep);
        }
        let push = (pace.per_evaluation > 0).then_some(&self.held.push);
        if pace.evaluates(substep) || first {
            set_off(&self.x, &self.u, push, &mut self.q, pace.gravity);
        } else {
            coast(&mut self.x, &mut self.q, push, pace.gravity);
        }
        self.restrain(context, substep);
        if trial.pulls {
            self.pull(context);
        }
        self.work += self.network.sweep(&self.x, &mut self.q);
    }

    /// The rest of a substep, after contact; `last`: of an interval.
    pub(super) fn finish(&mut self, substep: u32, last: bool) {
        self.work += self.work_of_pulls();
        if last || self.pace.evaluates(substep + 1) {
            self.settle();
        }
    }

    /// Lets pulls act on the end of a substep.
    fn pull(&mut self, context: StepContext<'_>) {
        let h = self.pace.h;
        self.pulled.clear();
        for pull in &context.drivers.pulls {
            let slot = self.slots.of(pull.particle);
            let w = self.network.w[slot as usize];
            if w > 0.0 {
                let (x, q) = (self.x.get(slot), self.q.get(slot));
                let moved = context.drivers.filter(pull.particle, pull.displacement(x, q, w, h));
                self.q.set(slot, q + moved);
                self.pulled.push(Pulled { slot, force: moved / (w * h * h), before: q - x });
            }
        }
    }

    /// The work of the pulls in a substep [J]: each force times the mean of the displacements before and after it
    /// acted, as its impulse changes the kinetic energy.
    fn work_of_pulls(&self) -> f64 {
        let moved = |slot: u32| self.q.get(slot) - self.x.get(slot);
        self.pulled.iter().map(|pulled| 0.5 * pulled.force.dot(pulled.before + moved(pulled.slot))).sum()
    }

    /// Work of the attempt, and what elements can give back to the motion at its end.
    pub(super) fn account(&mut self) -> Account {
        Account { work: self.work, springs: self.network.energy(&self.x), bending: self.bending.energy(&self.x) }
    }

    /// Velocities at the end of the attempt [m/s].
    pub(super) fn velocities(&self, velocity: &mut Vec<DVec3>) {
        self.slots.unsort(&self.u, velocity, |u| u / self.pace.h);
    }

    /// One sweep over positions alone that shortens rows over the limit; contact comes after it.
    pub(super) fn repair(&mut self) {
        self.q.copy_from(&self.x);
        self.network.sweep_strictly(&self.x, &mut self.q);
    }

    /// Takes the positions of a repair.
    pub(super) fn take_repair(&mut self) {
        std::mem::swap(&mut self.x, &mut self.q);
    }

    /// True when the repair of positions, which ends at `end` [m], has led through no solid.
    pub(super) fn repaired_safely(&mut self, context: StepContext<'_>, solids: &Solids, end: &[DVec3]) -> bool {
        if self.intervals.is_active() {
            self.intervals.repaired_safely(context.model, solids, end)
        } else {
            solids.is_empty() || !self.intervals.strayed(context, solids, &self.x)
        }
    }

    /// Evaluates soft forces where cloth is expected to be in the middle of the interval until the next time; they are
    /// held for it. Dampers of hinges act at once.
    fn evaluate(&mut self, context: StepContext<'_>, substep: u32) {
        let Pace { count, per_evaluation, h, .. } = self.pace;
        let Self { held, x, u, .. } = self;
        held.expect(x, u, per_evaluation);
        let span = context.h / f64::from(count / per_evaluation);
        let over = Span { time: context.state.time + h * f64::from(substep) + 0.5 * span, length: span, h };
        self.work += self.soft.act(context, over, u, held);
        self.work += self.bending.act(over, &held.middle, u, &mut held.push, &self.network.w);
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

    /// Puts particles that are not free where they may be after a substep.
    pub(super) fn restrain(&mut self, context: StepContext<'_>, substep: u32) {
        let fraction = f64::from(substep + 1) / f64::from(self.pace.count);
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
        let all = q.axes[axis].iter_mut().zip(both);
        // To the same bits as `coast`: how a step is divided into intervals changes nothing.
        if let Some(push) = push {
            for ((q, (x, u)), push) in all.zip(&push.axes[axis]) {
                *q = x + (u + (gravity + push));
            }
        } else {
            for (q, (x, u)) in all {
                *q = x + (u + gravity);
            }
        }
    }
}

/// How many times as many substeps a strain limit α takes as one of 1 %.
fn tightness(stretch: f64) -> f64 {
    libm::pow((LEFT_BY_SWEEPS / stretch).max(1.0), TIGHTNESS)
}

/// Strain that one sweep a substep leaves in rows under load; less where a cloth counts as having more particles.
fn elongation(model: &Model, tightness: f64) -> f64 {
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
fn usual_number(model: &Model, h: f64, tightness: f64) -> u32 {
    let side = (model.len() as f64).sqrt();
    let moving = model.mass.iter().filter(|mass| **mass > 0.0);
    let lightest = moving.clone().copied().fold(f64::INFINITY, f64::min);
    let mean = moving.clone().sum::<f64>() / moving.count().max(1) as f64;
    let unevenness = (mean / (4.0 * lightest)).max(1.0).sqrt();
    let count = SUBSTEPS_PER_FALL * side.max(LEAST_SIDE) * tightness * unevenness * h / fall(model);
    count.ceil().clamp(1.0, 1e6) as u32
}

/// √(L/g), the time in which cloth falls by half of its size L [s]; on the Earth where it is less there, for cloth
/// without weight moves too.
fn fall(model: &Model) -> f64 {
    let side = (model.len() as f64).sqrt();
    let edge = model.edges.iter().map(|edge| edge.rest).sum::<f64>() / model.edges.len() as f64;
    let fall = (side * edge / model.gravity.length().max(World::default().gravity.length())).sqrt();
    // Without edges nothing is limited.
    if fall > 0.0 { fall } else { f64::INFINITY }
}
