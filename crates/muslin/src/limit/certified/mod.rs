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
mod soft;
mod tethers;

use glam::DVec3;

use crate::contact::Solids;
use crate::drivers::Freedom;
use crate::error::StepError;
use crate::integrate::{Motion, StepContext};
use crate::measure;
use crate::model::Model;
use crate::report::{LimiterWork, Work};
use crate::settings::{Certified, Integrator, Limiter, Settings};
use guard::{End, EnergyGuard, Remedy};
use hot::HotSet;
use lanes::coast;
use network::Network;
use points::{Points, Slots};
use soft::{Kicks, Moment, Soft};

/// The strain that rows aim at, as a share of the strain limit.
const AIM: f64 = 0.3;
/// The same when a step is judged.
const STRICT_AIM: f64 = 0.97;
/// Rows are loaded when their strain is over this share of the strain limit.
const LOADED: f64 = 0.25;
/// The same for sweeps over positions alone.
const NEARLY_OVER: f64 = 0.9;
/// Most rows that are solved directly, for each particle along the side of a square sheet.
const HOT_ROWS: f64 = 2.5;
/// 1 - β: the share of a length already over what is aimed at that a substep leaves to the next ones.
const KEEP: f64 = 0.3;
/// Sweeps over positions alone that are no reason to keep substeps short.
const FEW_REPAIRS: u32 = 10;
/// Tethers take part in a step when they are nearer to being tight than this times the furthest that a particle moves.
const TETHER_REACH: f64 = 0.2;
/// Times that the number of substeps is doubled before a step is refused.
const MOST_DOUBLINGS: u32 = 8;
/// The same for energy that would appear in shorter substeps no more.
const MOST_REFINED: u32 = 3;
/// Substeps per second, for each particle along the side of a square sheet, at a limit of 1 %.
const SUBSTEPS_PER_SECOND: f64 = 120.0;
/// They grow with this power of the limit's tightness, 1 %/α.
const TIGHTNESS: f64 = 0.6;
/// What is smaller than a square with so many particles along its side counts as one: a pendulum's rod must not give.
const LEAST_SIDE: f64 = 4.0;

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
            end: Vec::with_capacity(model.len()),
            velocity: Vec::with_capacity(model.len()),
            guard: EnergyGuard::new(model, stretch),
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
        self.network.hold(context.model, context.drivers, self.own.tethers);
        if self.soft.is_some() {
            self.guard.begin(context);
        }
        let most = *doublings + MOST_DOUBLINGS;
        let fastest = motion.velocity.iter().map(|v| v.length_squared()).fold(0.0, f64::max).sqrt();
        let wind = context.model.air.wind_at(context.state.time).length();
        let kicks = self.soft.as_ref().map_or(0, |soft| soft.kicks(context.h, fastest + wind));
        loop {
            let substeps = self.substeps.max(kicks) << *doublings;
            self.travel(context, &motion.velocity, fastest, Kicks::of(kicks << *doublings, substeps));
            work.limiter.rounds += substeps;
            let came_from = work.limiter.velocity_rounds;
            if self.arrive(limiter, context, &mut work.limiter) {
                let (repairs, anew) = (work.limiter.velocity_rounds - came_from, work.limiter.rounds > substeps);
                let remedy = if repairs > 0 || !self.network.has_springs() {
                    Remedy::GoBack
                } else if *doublings < MOST_REFINED {
                    Remedy::Refine
                } else {
                    Remedy::Bear
                };
                if self.balance(context, remedy) {
                    if !anew && repairs <= FEW_REPAIRS {
                        *doublings = doublings.saturating_sub(1);
                    }
                    self.hand_over(context, motion);
                    return Ok(());
                }
            }
            if *doublings == most || substeps > u32::MAX / 4 {
                return Err(blame::refuse(context, self.stretch, &self.end));
            }
            *doublings += 1;
        }
    }

    /// Goes through the step in substeps with kicks among them; at its start no particle is faster than `fastest` [m/s].
    fn travel(&mut self, context: StepContext<'_>, velocity: &[DVec3], fastest: f64, kicks: Kicks) {
        let substeps = kicks.substeps();
        let h = context.h / f64::from(substeps);
        let gravity = if self.soft.is_some() { context.model.gravity * (h * h) } else { DVec3::ZERO };
        if let Some(soft) = &mut self.soft {
            soft.begin();
        }
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
        for substep in 0..substeps {
            let kicked = kicks.before(substep);
            if kicked > 0.0 {
                self.kick(context, substep, kicked, h);
            }
            if kicked > 0.0 || substep == 0 {
                self.set_off(gravity);
            } else {
                coast(&mut self.x, &mut self.q, gravity);
            }
            self.restrain(context, f64::from(substep + 1) / f64::from(substeps));
            self.network.sweep(&self.x, &mut self.q, KEEP, h);
            self.hot.solve(&self.network.w, &self.x, &mut self.q, KEEP);
            if substep + 1 == substeps || kicks.before(substep + 1) > 0.0 {
                self.come_to_rest();
            }
        }
        if kicks.before(substeps) > 0.0 {
            self.kick(context, substeps, kicks.before(substeps), h);
        }
        self.slots.unsort(&self.u, &mut self.velocity, |u| u / h);
    }

    /// The impulse of soft forces before a substep of length `h` [s], for so many substeps.
    fn kick(&mut self, context: StepContext<'_>, substep: u32, substeps: f64, h: f64) {
        if let Some(soft) = &mut self.soft {
            let moment = Moment { time: context.state.time + h * f64::from(substep), span: substeps * h, h };
            soft.kick(context, moment, &self.x, &mut self.u);
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

    /// True when every edge is within its limit; edges over it are brought back by sweeps over positions alone.
    fn arrive(&mut self, limiter: &Limiter, context: StepContext<'_>, work: &mut LimiterWork) -> bool {
        self.guard.forget_spin();
        for sweep in 0..=limiter.max_iterations {
            self.slots.unsort(&self.x, &mut self.end, |x| x);
            let worst = measure::extreme_strains(context.model, &self.end).map_or(0.0, |(most, _)| most.strain);
            let furthest = self.end.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
            // A hair inside, for what rounding adds on the way through velocities and frames.
            let hair = 1e-12 + 16.0 * f64::EPSILON * furthest / self.shortest;
            let finite = self.end.iter().all(|x| x.is_finite());
            if finite && worst <= self.stretch - hair {
                return true;
            }
            if sweep == limiter.max_iterations || !finite {
                return false;
            }
            if sweep == 0 {
                self.guard.note_spin(context, &self.end, &self.velocity);
            }
            self.q.copy_from(&self.x);
            self.network.sweep_strictly(&self.x, &mut self.q);
            self.hot.choose(&self.network, &self.x, NEARLY_OVER * self.stretch, self.most_hot, true);
            self.hot.solve(&self.network.w, &self.x, &mut self.q, 0.0);
            std::mem::swap(&mut self.x, &mut self.q);
            work.velocity_rounds += 1;
        }
        false
    }

    /// Takes back what the step has gained in energy. False: it is to be refined.
    fn balance(&mut self, context: StepContext<'_>, remedy: Remedy) -> bool {
        let end = End { x: &mut self.end, v: &mut self.velocity };
        self.soft.as_ref().is_none_or(|soft| self.guard.take(context, soft.outer(), end, remedy))
    }

    fn hand_over(&self, context: StepContext<'_>, motion: &mut Motion) {
        for i in 0..context.model.len() {
            let before = motion.velocity[i];
            motion.velocity[i] = (self.end[i] - context.state.x[i]) / context.h;
            motion.end_velocity[i] += self.velocity[i] - before;
        }
    }
}

/// Substeps that a step of length `h` [s] starts with: in proportion to the number of rows that a load passes, more for
/// tighter limits, and more where light particles hang on heavy ones.
fn substeps(model: &Model, h: f64, stretch: f64) -> u32 {
    let side = (model.len() as f64).sqrt().max(LEAST_SIDE);
    let tightness = libm::pow((0.01 / stretch).max(1.0), TIGHTNESS);
    let moving = model.mass.iter().filter(|mass| **mass > 0.0);
    let lightest = moving.clone().copied().fold(f64::INFINITY, f64::min);
    let mean = moving.clone().sum::<f64>() / moving.count().max(1) as f64;
    let unevenness = (mean / (4.0 * lightest)).max(1.0).sqrt();
    (SUBSTEPS_PER_SECOND * side * tightness * unevenness * h).ceil().clamp(1.0, 1e6) as u32
}
