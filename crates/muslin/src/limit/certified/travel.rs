//! The way through a step: substeps, kicks among them, and windows in which contact is minded.

use glam::DVec3;

use super::Certifier;
use super::lanes::coast;
use super::soft::{Kicks, Moment as KickMoment, Soft};
use super::windows::{Moment, recovery};
use crate::contact::Solids;
use crate::drivers::Freedom;
use crate::integrate::StepContext;
use crate::model::Model;

/// Rows are loaded when their strain is over this share of the strain limit.
const LOADED: f64 = 0.25;
/// 1 - β: the share of a length already over what is aimed at that a substep leaves to the next ones.
const KEEP: f64 = 0.3;
/// Tethers take part in a step when they are nearer to being tight than this times the furthest that a particle moves.
const TETHER_REACH: f64 = 0.2;
/// Substeps per second, for each particle along the side of a square sheet, at a limit of 1 %.
const SUBSTEPS_PER_SECOND: f64 = 120.0;
/// They grow with this power of the limit's tightness, 1 %/α.
const TIGHTNESS: f64 = 0.6;
/// What is smaller than a square with so many particles along its side counts as one: a pendulum's rod must not give.
const LEAST_SIDE: f64 = 4.0;

/// How a step is to be gone through, before any doubling.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// Greatest speed of a particle at its start [m/s].
    fastest: f64,
    kicks: u32,
    pub(super) substeps: u32,
    /// Windows for contact.
    windows: u32,
    /// False: all solids are further from all of the cloth than it is expected to go.
    near: bool,
}

/// Substeps of one attempt.
#[derive(Debug, Clone, Copy)]
struct Substeps {
    kicks: Kicks,
    /// Length of one [s].
    h: f64,
    /// What gravity adds to a displacement in one [m].
    gravity: DVec3,
}

impl Certifier {
    /// How the step is to be gone through that starts with the given velocities [m/s].
    pub(super) fn pace(&self, context: StepContext<'_>, solids: &Solids, velocity: &[DVec3]) -> Pace {
        let fastest = velocity.iter().map(|v| v.length_squared()).fold(0.0, f64::max).sqrt();
        let wind = context.model.air.wind_at(context.state.time).length();
        let kicks = self.soft.as_ref().map_or(0, |soft| soft.kicks(context.h, fastest + wind));
        let plan = self.windows.plan(context, solids, fastest);
        let substeps = self.substeps.max(kicks).max(plan.substeps);
        Pace { fastest, kicks, substeps, windows: plan.windows, near: plan.near }
    }

    /// Goes through the step in substeps with kicks among them. False: solids left no way.
    ///
    /// Where no solid is expected to be near none is minded. The box that all of the cloth has stayed in then shows that the
    /// straight motion was safe; or it does not, and the step is gone through anew.
    pub(super) fn travel(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        velocity: &[DVec3],
        pace: &Pace,
        doublings: u32,
    ) -> bool {
        let minds = self.windows.mind(pace.near);
        let passed = self.travel_once(context, solids, velocity, pace, doublings);
        if minds || solids.is_empty() || !self.windows.strayed(context, solids, &self.x) {
            return passed;
        }
        self.windows.mind(true);
        self.travel_once(context, solids, velocity, pace, doublings)
    }

    fn travel_once(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        velocity: &[DVec3],
        pace: &Pace,
        doublings: u32,
    ) -> bool {
        let minds = self.windows.minds();
        let count = pace.substeps << doublings;
        let h = context.h / f64::from(count);
        let gravity = if self.soft.is_some() { context.model.gravity * (h * h) } else { DVec3::ZERO };
        let substeps = Substeps { kicks: Kicks::of(pace.kicks << doublings, count), h, gravity };
        self.start(context, velocity, pace.fastest, h);
        let (mut done, mut window) = (0, count.div_ceil(pace.windows));
        while done < count {
            let until = (done + window).min(count);
            let shares = [done, until].map(|substep| f64::from(substep) / f64::from(count));
            if minds {
                self.soft.iter_mut().for_each(Soft::begin_window);
                let moment = Moment { x: &mut self.x, u: &mut self.u, w: &self.network.w, h };
                self.windows.open(context, solids, &moment, shares);
            }
            self.pass(context, &substeps, [done, until]);
            let mut moment = Moment { x: &mut self.x, u: &mut self.u, w: &self.network.w, h };
            if minds && !self.windows.close(context.model, solids, &mut moment, shares) {
                if until - done == 1 {
                    return false;
                }
                self.soft.iter_mut().for_each(Soft::take_back);
                window = (until - done) / 2;
                continue;
            }
            done = until;
        }
        if substeps.kicks.before(count) > 0.0 {
            self.kick(context, &substeps, count);
        }
        self.slots.unsort(&self.u, &mut self.velocity, |u| u / h);
        true
    }

    /// Positions and displacements at the start of a step.
    fn start(&mut self, context: StepContext<'_>, velocity: &[DVec3], fastest: f64, h: f64) {
        if let Some(soft) = &mut self.soft {
            soft.begin();
        }
        self.windows.begin();
        for i in 0..context.model.len() {
            self.x.set(self.slots.of(i), context.state.x[i]);
            self.u.set(self.slots.of(i), velocity[i] * h);
        }
        self.x.set(self.slots.nobody(), DVec3::ZERO);
        self.u.set(self.slots.nobody(), DVec3::ZERO);
        self.network.set_substep(h);
        let faster = fastest + context.model.gravity.length() * context.h;
        self.network.choose_tethers(&self.x, TETHER_REACH * faster * context.h);
        self.hot.choose(&self.network, &self.x, LOADED * self.stretch, self.most_hot, false);
    }

    /// Goes through the substeps of a window.
    fn pass(&mut self, context: StepContext<'_>, substeps: &Substeps, [first, end]: [u32; 2]) {
        let Substeps { kicks, h, gravity } = *substeps;
        let count = kicks.substeps();
        for substep in first..end {
            let kicked = kicks.before(substep) > 0.0;
            if kicked {
                self.kick(context, substeps, substep);
            }
            if kicked || substep == first {
                self.set_off(gravity);
            } else {
                coast(&mut self.x, &mut self.q, gravity);
            }
            let shares = [substep, substep + 1].map(|substep| f64::from(substep) / f64::from(count));
            self.restrain(context, shares[1]);
            self.network.sweep(&self.x, &mut self.q, KEEP, h);
            self.hot.solve(&self.network.w, &self.x, &mut self.q, KEEP);
            if !self.windows.touches.is_empty() {
                self.windows.touches.push(&self.x, &mut self.q, shares, recovery(count));
                self.restrain(context, shares[1]);
            }
            if substep + 1 == end || kicks.before(substep + 1) > 0.0 {
                self.come_to_rest();
            }
        }
    }

    /// The impulse of soft forces before a substep.
    fn kick(&mut self, context: StepContext<'_>, substeps: &Substeps, substep: u32) {
        let Substeps { kicks, h, .. } = *substeps;
        if let Some(soft) = &mut self.soft {
            let time = context.state.time + h * f64::from(substep);
            let (span, interval) = (kicks.before(substep) * h, kicks.longest() * h);
            soft.kick(context, KickMoment { time, span, interval, h }, &self.x, &mut self.u);
        }
    }

    /// Starts a substep from positions and displacements.
    fn set_off(&mut self, gravity: DVec3) {
        let axes = self.q.axes.iter_mut().zip(&self.x.axes).zip(&self.u.axes).zip(gravity.to_array());
        for (((q, x), u), gravity) in axes {
            for ((q, x), u) in q.iter_mut().zip(x).zip(u) {
                *q = x + (u + gravity);
            }
        }
    }

    /// Ends a substep in positions and displacements.
    fn come_to_rest(&mut self) {
        for ((q, x), u) in self.q.axes.iter().zip(&mut self.x.axes).zip(&mut self.u.axes) {
            for ((q, x), u) in q.iter().zip(x).zip(u) {
                *u = q - *x;
                *x = *q;
            }
        }
    }

    /// Puts particles that are not free where they may be when `share` of the step is over.
    fn restrain(&mut self, context: StepContext<'_>, share: f64) {
        for &i in self.network.restrained() {
            let (i, slot) = (i as usize, self.slots.of(i as usize));
            let (x, q) = (self.x.get(slot), self.q.get(slot));
            let place = match context.drivers.freedom[i] {
                Freedom::Fixed => {
                    let (from, to) = (context.state.x[i], context.drivers.target[i]);
                    from + (to - from) * share
                }
                freedom => x + freedom.filter(q - x),
            };
            self.q.set(slot, place);
        }
    }
}

/// Substeps that a step of length `h` [s] starts with: in proportion to the number of rows that a load passes, more for
/// tighter limits, and more where light particles hang on heavy ones.
pub(super) fn substeps(model: &Model, h: f64, stretch: f64) -> u32 {
    let side = (model.len() as f64).sqrt().max(LEAST_SIDE);
    let tightness = libm::pow((0.01 / stretch).max(1.0), TIGHTNESS);
    let moving = model.mass.iter().filter(|mass| **mass > 0.0);
    let lightest = moving.clone().copied().fold(f64::INFINITY, f64::min);
    let mean = moving.clone().sum::<f64>() / moving.count().max(1) as f64;
    let unevenness = (mean / (4.0 * lightest)).max(1.0).sqrt();
    (SUBSTEPS_PER_SECOND * side * tightness * unevenness * h).ceil().clamp(1.0, 1e6) as u32
}
