//! Cloths that may touch, or one alone, through one step: plan, attempt, judge; then accept, or try again (`retry`).
//!
//! ```text
//! interval:  what is near, of solids and between layers, gets contact planes;  substeps of all cloths, in step with
//!            each other;  the motion from its start to its end is verified against solids and between layers
//! not safe:  back to its start, with planes for all that blocked it;  after two times with half as many substeps
//! ```
//!
//! All cloths of an island take the same substeps, and planes between them act on both sides. Cloths that are far from
//! each other are islands of their own, and move as they do alone.

use std::ops::Range;

use glam::DVec3;

use super::Alone;
use super::cloth::ClothSolver;
use super::intervals::{Firmness, Passage, RECOVERY};
use super::planes::{Census, ContactPlanes};
use super::retry::{Case, Trial, Trouble};
use super::substeps::{StepPlan, Substeps};
use crate::contact::{BetweenLayers, Interval, Layers, Segment};
use crate::error::{Bond, StepError};
use crate::integrate::StepContext;
use crate::report::{ContactWork, LimiterWork, Work};

/// Substeps of an interval in which layers are near, at most: planes between them are those of its start. With far
/// more, layers that slide leave the places where their planes are.
const LONGEST_INTERVAL: u32 = 16;
/// How far layers move past each other in an interval, at most, by the longest edge: as for solids.
const FURTHEST: f64 = 0.25;
/// How often an interval is redone with planes for what blocked it before it is halved.
const REDONE: u32 = 2;
/// How often an interval of one substep is redone while other pairs block it each time.
const MOST_REDONE: u32 = 24;

/// Working memory of an island.
#[derive(Debug, Default)]
pub(super) struct IslandMemory {
    /// Numbers of its cloths, when it was last used.
    cloths: Vec<usize>,
    census: Census,
    planes: ContactPlanes,
    layers: Layers,
    plans: Vec<StepPlan>,
    /// Where particles were when the step began, when the interval began, and are when it ends [m].
    start: Vec<DVec3>,
    begun: Vec<DVec3>,
    reached: Vec<DVec3>,
    /// Velocities when the interval began [m/s].
    speed: Vec<DVec3>,
    /// What blocked this interval, between layers.
    obstacles: Vec<BetweenLayers>,
    /// What blocked it last.
    blocked: Option<BetweenLayers>,
    /// True when layers are near in this step.
    active: bool,
    /// Into how many intervals it is divided then.
    intervals_of_layers: u32,
    /// Intervals of this step that were redone.
    redone: u32,
    /// Pairs of layers that blocked an interval of this attempt, and were kept apart in the end.
    divided: u32,
}

/// Cloths that may touch, with what the outside wants of the step.
pub(super) struct Island<'a, 'b, 'c> {
    pub(super) cloths: &'b mut [&'a mut Alone],
    pub(super) memory: &'b mut IslandMemory,
    /// The step of all cloths.
    pub(super) whole: StepContext<'c>,
    /// Whether cloth meets cloth.
    pub(super) own: bool,
}

impl Island<'_, '_, '_> {
    /// Takes its cloths through a step.
    pub(super) fn step(&mut self) -> Result<Work, StepError> {
        self.begin()?;
        let case = Case {
            first: self.cloths.iter().map(|alone| alone.doublings).max().unwrap_or(0),
            policy: self.cloths[0].solver.policy,
            pulls: self.cloths.iter().any(|alone| !alone.drivers.pulls.is_empty()),
        };
        let (mut trial, mut done, mut refusal) = (Trial::first(case.first), LimiterWork::default(), None);
        while let Err((number, trouble)) = self.attempt(trial, &mut done) {
            let whole = self.whole;
            let apart = || self.cloths[number].with(whole, |solver, context, _| solver.is_torn_apart(context));
            let next = trial.next(trouble, case, apart);
            // Blame what blocked it as long as both limit and contact were insisted on; an interrupt at any time.
            if trouble == Trouble::Interrupted {
                return Err(StepError::Interrupted { step: whole.state.step + 1 });
            }
            if trial.insists() && !next.is_some_and(Trial::insists) {
                refusal = Some(self.refuse(number, trouble));
            }
            match next {
                Some(next) => trial = next,
                None => return Err(refusal.unwrap_or_else(|| self.refuse(number, trouble))),
            }
        }
        Ok(self.accept(trial, case, done))
    }

    fn begin(&mut self) -> Result<(), StepError> {
        let whole = self.whole;
        for alone in self.cloths.iter_mut() {
            alone.with(whole, |solver, context, _| solver.begin(context))?;
        }
        self.take_census();
        let memory = &mut *self.memory;
        (memory.redone, memory.blocked) = (0, None);
        memory.plans.clear();
        memory.plans.extend(self.cloths.iter_mut().map(|alone| alone.plan(whole)));
        StepPlan::agree(&mut memory.plans);
        if self.own {
            self.plan_layers();
        }
        Ok(())
    }

    /// Counts particles through the island.
    fn take_census(&mut self) {
        let IslandMemory { cloths, census, layers, start, .. } = &mut *self.memory;
        let numbers = self.cloths.iter().map(|alone| alone.number);
        if !cloths.iter().copied().eq(numbers.clone()) {
            cloths.clear();
            cloths.extend(numbers);
            layers.forget();
        }
        census.ranges.clear();
        census.w.clear();
        start.clear();
        for alone in self.cloths.iter() {
            let (slots, network) = (alone.solver.substeps.slots, &alone.solver.substeps.network);
            let first = census.w.len();
            census.w.extend((0..alone.model.len()).map(|i| network.w[slots.of(i) as usize]));
            census.ranges.push(first..census.w.len());
            start.extend_from_slice(&alone.state.x);
        }
    }

    /// Says whether layers are near where the step starts. Where they are not, they are met only if the step's whole
    /// motion turns out not to be safe.
    fn plan_layers(&mut self) {
        let intervals = self.intervals_of_layers();
        let interval = self.interval([0.0, 1.0 / f64::from(intervals)]);
        let IslandMemory { layers, start, speed, active, .. } = &mut *self.memory;
        layers.look(self.cloths, start, speed, interval);
        *active = !layers.near().is_empty();
        self.memory.intervals_of_layers = intervals;
    }

    /// Intervals of a step in which layers are near.
    fn intervals_of_layers(&mut self) -> u32 {
        let speed = &mut self.memory.speed;
        speed.clear();
        self.cloths.iter().for_each(|alone| speed.extend_from_slice(&alone.velocity));
        let mean = speed.iter().sum::<DVec3>() / speed.len() as f64;
        let fastest = speed.iter().map(|v| v.distance_squared(mean)).fold(0.0, f64::max).sqrt();
        let edge = self.cloths.iter().map(|alone| alone.sheet.longest_edge()).fold(f64::MIN_POSITIVE, f64::max);
        let StepContext { model, h, .. } = self.whole;
        let passes = (fastest + model.gravity.length() * h) * h / (FURTHEST * edge);
        let plan = &self.memory.plans[0];
        let intervals = (passes.ceil().clamp(1.0, 1e6) as u32).max(plan.substeps.div_ceil(LONGEST_INTERVAL));
        intervals.max(plan.intervals)
    }

    /// The interval between two fractions of the step.
    fn interval(&self, [from, to]: [f64; 2]) -> Interval {
        let StepContext { model, state, h, .. } = self.whole;
        Interval { time: state.time + from * h, span: (to - from) * h, gravity: model.gravity.length() }
    }

    /// One attempt: substeps with contact, then every edge is measured.
    fn attempt(&mut self, trial: Trial, done: &mut LimiterWork) -> Result<(), (usize, Trouble)> {
        let whole = self.whole;
        let substeps: u32 = self.memory.plans.iter().map(|plan| plan.substeps(trial)).sum();
        done.rounds = done.rounds.saturating_add(substeps);
        for alone in self.cloths.iter_mut() {
            alone.with(whole, |solver, context, _| solver.loosen(context, trial));
        }
        let advanced = self.advance(trial);
        // In any case: a refusal describes this attempt.
        self.cloths.iter_mut().for_each(|alone| alone.solver.end_attempt());
        advanced?;
        self.judge(trial, done)
    }

    /// Goes through the substeps, past verified solids and layers.
    ///
    /// Where no solid is expected to be near none is searched. The box that all of the cloth has stayed in then shows
    /// that the straight motion was safe; or it does not, and the substeps are redone.
    fn advance(&mut self, trial: Trial) -> Result<(), (usize, Trouble)> {
        for (alone, plan) in self.cloths.iter_mut().zip(&self.memory.plans) {
            alone.solver.intervals().activate(plan.near);
        }
        loop {
            let passed = self.pass_intervals(trial);
            if !self.has_strayed() {
                return passed;
            }
        }
    }

    /// True when a cloth for which no solid was searched may have met one: it is searched from now on.
    fn has_strayed(&mut self) -> bool {
        let mut strayed = false;
        for alone in self.cloths.iter_mut() {
            strayed |= alone.with(self.whole, |solver, context, solids| {
                let substeps = &mut solver.substeps;
                let unwatched = !substeps.intervals.is_active() && !solids.is_empty();
                let met = unwatched && substeps.intervals.strayed(context, solids, &substeps.x);
                met && substeps.intervals.activate(true)
            });
        }
        strayed
    }

    fn pass_intervals(&mut self, trial: Trial) -> Result<(), (usize, Trouble)> {
        let count = self.memory.plans[0].substeps(trial);
        for (alone, plan) in self.cloths.iter_mut().zip(&self.memory.plans) {
            alone.start(self.whole, plan, trial);
        }
        self.memory.planes.begin(self.cloths.len());
        self.memory.obstacles.clear();
        self.memory.divided = 0;
        let usual = count.div_ceil(self.memory.plans[0].intervals);
        let of_layers = count.div_ceil(self.memory.intervals_of_layers.max(1));
        let (mut done, mut length, mut redone) = (0, usual, 0);
        while done < count {
            let most = if self.memory.active { of_layers } else { usual };
            let until = (done + length.min(most)).min(count);
            let fractions = [done, until].map(|substep| f64::from(substep) / f64::from(count));
            self.open(trial, fractions);
            self.pass(trial, done..until, redone)?;
            let (passage, number) = self.close(trial, fractions);
            if passage == Passage::Safe {
                (done, redone) = (until, 0);
                length = (2 * length).min(usual);
                continue;
            }
            redone += 1;
            if until - done == 1 && (passage == Passage::Blocked || redone > MOST_REDONE) {
                return Err((number, Trouble::Blocked));
            }
            self.backtrack();
            if passage != Passage::Again || redone > REDONE {
                length = ((until - done) / 2).max(1);
            }
        }
        for (number, alone) in self.cloths.iter_mut().enumerate() {
            let substeps = &mut alone.solver.substeps;
            substeps.add_work(self.memory.planes.work(number, substeps.length()));
        }
        Ok(())
    }

    /// Goes back to the start of an interval.
    fn backtrack(&mut self) {
        self.memory.redone += 1;
        self.memory.planes.take_back();
        self.cloths.iter_mut().for_each(|alone| alone.solver.substeps.backtrack());
    }

    /// True when intervals have to be verified.
    fn is_watched(&self) -> bool {
        self.own || self.cloths.iter().any(|alone| alone.solver.substeps.intervals.is_active())
    }

    /// Starts an interval: searches what is near, for contact planes.
    fn open(&mut self, trial: Trial, fractions: [f64; 2]) {
        if !self.is_watched() {
            return;
        }
        let whole = self.whole;
        for alone in self.cloths.iter_mut() {
            alone.with(whole, |solver, context, solids| solver.substeps.open(context, solids, fractions));
        }
        self.take_beginning();
        self.memory.planes.open(fractions[0]);
        self.take_near(whole.h);
        if self.own && self.memory.active && trial.firmness() != Firmness::None {
            self.look_between(self.interval(fractions));
            let IslandMemory { planes, layers, obstacles, census, begun, .. } = &mut *self.memory;
            for place in layers.near().iter().chain(obstacles.iter()) {
                planes.take_between(place, census, begun);
            }
        }
        self.memory.planes.seal(&self.memory.census);
    }

    /// Takes where the interval begins, or a repair.
    fn take_beginning(&mut self) {
        let IslandMemory { begun, speed, .. } = &mut *self.memory;
        begun.clear();
        speed.clear();
        for alone in self.cloths.iter() {
            let (x, v) = alone.solver.substeps.intervals.beginning();
            begun.extend_from_slice(x);
            speed.extend_from_slice(v);
        }
    }

    /// Makes planes of what is near solids, in a step of `h` seconds.
    fn take_near(&mut self, h: f64) {
        let IslandMemory { planes, census, begun, .. } = &mut *self.memory;
        for (number, alone) in self.cloths.iter().enumerate() {
            for place in alone.solver.substeps.intervals.near() {
                planes.take_near(place, number, census, begun, h);
            }
        }
    }

    /// Looks for what is near between layers where the interval begins.
    fn look_between(&mut self, interval: Interval) {
        let IslandMemory { layers, begun, speed, .. } = &mut *self.memory;
        layers.look(self.cloths, begun, speed, interval);
    }

    /// Goes through the substeps of an interval; `redone`: how often it was redone.
    fn pass(&mut self, trial: Trial, range: Range<u32>, redone: u32) -> Result<(), (usize, Trouble)> {
        let (whole, planes) = (self.whole, &mut self.memory.planes);
        let count = f64::from(self.memory.plans[0].substeps(trial));
        self.cloths.iter_mut().for_each(|alone| alone.solver.substeps.begin_interval());
        for substep in range.clone() {
            if whole.interrupt.asked() {
                return Err((0, Trouble::Interrupted));
            }
            let first = substep == range.start;
            for alone in self.cloths.iter_mut() {
                alone.with(whole, |solver, context, _| solver.substeps.advance(context, trial, substep, first));
            }
            if !planes.is_empty() {
                for (number, alone) in self.cloths.iter().enumerate() {
                    let Substeps { x, q, u, .. } = &alone.solver.substeps;
                    planes.gather(number, x, q, first.then_some(u));
                }
                let fractions = [substep, substep + 1].map(|substep| f64::from(substep) / count);
                planes.push(fractions, RECOVERY * whole.h / count, redone);
                for (number, alone) in self.cloths.iter_mut().enumerate() {
                    let Alone { solver: ClothSolver { substeps, .. }, drivers, .. } = &mut **alone;
                    planes.scatter(number, &mut substeps.x, &mut substeps.q, |i, shift| drivers.filter(i, shift));
                    alone.with(whole, |solver, context, _| solver.substeps.restrain(context, substep));
                }
            }
            let last = substep + 1 == range.end;
            self.cloths.iter_mut().for_each(|alone| alone.solver.substeps.finish(substep, last));
        }
        self.cloths.iter_mut().for_each(|alone| alone.solver.substeps.end_interval());
        Ok(())
    }

    /// Ends an interval: whether it was safe, and which cloth was blocked. What blocked it gets a plane.
    fn close(&mut self, trial: Trial, fractions: [f64; 2]) -> (Passage, usize) {
        if !self.is_watched() {
            return (Passage::Safe, 0);
        }
        self.memory.reached.clear();
        let mut ended = (Passage::Safe, 0);
        for (number, alone) in self.cloths.iter_mut().enumerate() {
            let Alone { solver, model, solids, .. } = &mut **alone;
            let substeps = &mut solver.substeps;
            self.memory.reached.extend_from_slice(substeps.intervals.reach(&substeps.x));
            let passage = substeps.intervals.close(model, solids, fractions);
            if ended.0 == Passage::Safe {
                ended = (passage, number);
            }
        }
        if self.own && trial.firmness() == Firmness::Verified {
            let between = self.close_layers(fractions);
            if ended.0 == Passage::Safe {
                ended = between;
            }
        }
        if ended.0 == Passage::Safe {
            self.cloths.iter_mut().for_each(|alone| alone.solver.intervals().pass());
            self.memory.divided += self.memory.obstacles.len() as u32;
            self.memory.obstacles.clear();
        }
        ended
    }

    /// Whether layers were safe in an interval, and which cloth was blocked.
    fn close_layers(&mut self, fractions: [f64; 2]) -> (Passage, usize) {
        let interval = self.interval(fractions);
        let IslandMemory { layers, begun, reached, start, obstacles, blocked, active, census, .. } = &mut *self.memory;
        let segment = Segment { from: begun, to: reached, fractions };
        let hits = layers.hits(self.cloths, segment, start, interval);
        let Some(first) = hits.first() else { return (Passage::Safe, 0) };
        let new = hits.iter().any(|hit| obstacles.iter().all(|known| known.parts != hit.parts));
        obstacles.extend_from_slice(hits);
        (*blocked, *active) = (Some(*first), true);
        (if new { Passage::Again } else { Passage::Blocked }, census.cloth(first.parts.particles[0]))
    }

    /// Accepts the end of the substeps when every edge is within its limit; edges over it are brought back by sweeps
    /// over positions alone.
    fn judge(&mut self, trial: Trial, done: &mut LimiterWork) -> Result<(), (usize, Trouble)> {
        let most = self.cloths[0].solver.most_repairs();
        let mut over = 0;
        for sweep in 0..=most {
            let mut within = true;
            for (number, alone) in self.cloths.iter_mut().enumerate() {
                alone.solver.take_end();
                let own = alone.solver.is_within(&alone.model, trial).map_err(|trouble| (number, trouble))?;
                if within && !own {
                    (within, over) = (false, number);
                }
            }
            if within {
                let safe = if sweep == 0 { Ok(()) } else { self.repaired_safely(trial) };
                return safe.map_err(|number| (number, Trouble::Blocked));
            }
            if sweep == most {
                break;
            }
            if sweep == 0 {
                self.open_repair(trial);
            }
            self.repair();
            done.velocity_rounds += 1;
        }
        Err((over, Trouble::Overstretched))
    }

    /// Searches what is near where the step ends, before positions are repaired.
    fn open_repair(&mut self, trial: Trial) {
        let whole = self.whole;
        if !self.is_watched() {
            return;
        }
        for alone in self.cloths.iter_mut() {
            alone.with(whole, |solver, context, solids| {
                solver.substeps.intervals.open_repair(context, solids, &solver.substeps.x);
            });
        }
        self.take_beginning();
        self.memory.planes.open(1.0);
        {
            let IslandMemory { planes, census, begun, .. } = &mut *self.memory;
            for (number, alone) in self.cloths.iter().enumerate() {
                for place in alone.solver.substeps.intervals.near_repair() {
                    planes.take_near(place, number, census, begun, whole.h);
                }
            }
        }
        if self.own && trial.firmness() == Firmness::Verified {
            self.look_between(self.repair_interval());
            let IslandMemory { planes, layers, census, begun, .. } = &mut *self.memory;
            layers.near().iter().for_each(|place| planes.take_between(place, census, begun));
        }
        self.memory.planes.seal(&self.memory.census);
    }

    /// The time that a repair counts as: it takes none, but lists of layers are made for some.
    fn repair_interval(&self) -> Interval {
        Interval { span: self.cloths[0].solver.substeps.length(), ..self.interval([1.0, 1.0]) }
    }

    /// One sweep over positions alone that shortens rows over the limit, and keeps off solids and layers.
    fn repair(&mut self) {
        let planes = &mut self.memory.planes;
        self.cloths.iter_mut().for_each(|alone| alone.solver.substeps.repair());
        if !planes.is_empty() {
            for (number, alone) in self.cloths.iter().enumerate() {
                planes.gather(number, &alone.solver.substeps.x, &alone.solver.substeps.q, None);
            }
            planes.hold_off();
            for (number, alone) in self.cloths.iter_mut().enumerate() {
                let substeps = &mut alone.solver.substeps;
                planes.scatter(number, &mut substeps.x, &mut substeps.q, |_, shift| shift);
            }
        }
        self.cloths.iter_mut().for_each(|alone| alone.solver.substeps.take_repair());
    }

    /// An error with the cloth whose repair has led through a solid, or through cloth.
    fn repaired_safely(&mut self, trial: Trial) -> Result<(), usize> {
        for (number, alone) in self.cloths.iter_mut().enumerate() {
            let safe = alone.with(self.whole, |solver, context, solids| {
                let ClothSolver { substeps, end, .. } = solver;
                substeps.repaired_safely(context, solids, end)
            });
            if !safe {
                return Err(number);
            }
        }
        if self.own && trial.firmness() == Firmness::Verified {
            let interval = self.repair_interval();
            let IslandMemory { layers, begun, reached, start, blocked, census, .. } = &mut *self.memory;
            reached.clear();
            self.cloths.iter().for_each(|alone| reached.extend_from_slice(&alone.solver.end));
            let segment = Segment { from: begun, to: reached, fractions: [1.0, 1.0] };
            if let Some(first) = layers.hits(self.cloths, segment, start, interval).first() {
                *blocked = Some(*first);
                return Err(census.cloth(first.parts.particles[0]));
            }
        }
        Ok(())
    }

    /// Takes what an attempt has reached.
    fn accept(&mut self, trial: Trial, case: Case, limiter: LimiterWork) -> Work {
        let whole = self.whole;
        let mut work = Work { limiter, ..Work::default() };
        for alone in self.cloths.iter_mut() {
            alone.doublings = trial.carried_over(case.first);
            alone.solver.accept();
            alone.with(whole, |solver, context, _| {
                work.contact.breach = work.contact.breach.max(solver.breach(context, trial));
                work.pulls_dropped += if trial.pulls { 0 } else { context.pulls().count() as u32 };
            });
        }
        let (h, planes) = (self.cloths[0].solver.substeps.length(), &self.memory.planes);
        let (layers, layer_gap_sum) = planes.layers();
        work.contact = ContactWork {
            contacts: planes.contacts(),
            truncated: !trial.insists() || self.memory.redone > 0,
            impulse: planes.impulse(h),
            layers,
            layer_gap_sum,
            divided: self.memory.divided,
            ..work.contact
        };
        work
    }

    /// Why the step is refused: for the sake of a cloth.
    fn refuse(&mut self, number: usize, trouble: Trouble) -> StepError {
        let whole = self.whole;
        let alone = &mut *self.cloths[number];
        let refused = alone.with(whole, |solver, context, _| {
            let torn = solver.is_torn_apart(context);
            (torn, solver.substeps.intervals.hit().is_some(), solver.refuse(context, trouble))
        });
        let refused = match (refused, self.memory.blocked) {
            ((false, false, _), Some(blocked)) if trouble == Trouble::Blocked => return self.blocked_by(&blocked),
            ((_, _, error), _) => error,
        };
        alone.among_all(refused)
    }

    /// The error for cloth that is trapped by cloth.
    fn blocked_by(&self, between: &BetweenLayers) -> StepError {
        let parts = between.parts;
        let place = |particle: u32| {
            let number = self.memory.census.cloth(particle);
            (&self.cloths[number], particle as usize - self.memory.census.ranges[number].start)
        };
        let is_pinned = |particle: &u32| self.memory.census.w[*particle as usize] == 0.0;
        let pinned = parts.particles.iter().copied().find(is_pinned);
        let particle = pinned.unwrap_or(parts.particles[0]);
        let (alone, vertex) = place(particle);
        // The cloth of the other side.
        let of_first = parts.particles[..parts.first()].contains(&particle);
        let (other, _) = place(parts.particles[if of_first { 3 } else { 0 }]);
        StepError::Blocked {
            step: self.whole.state.step + 1,
            cloth: alone.model.cloths[0].name.clone(),
            vertex,
            bond: if pinned.is_some() { Bond::Pinned } else { Bond::Free },
            place: alone.state.x[vertex],
            colliders: vec![other.model.cloths[0].name.clone()],
        }
    }
}
