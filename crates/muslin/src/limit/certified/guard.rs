//! Energy that a step must not gain.
//!
//! Rows let edges grow a little over what they aim at and take it back later, and edges over their limit are brought back.
//! Both lift the cloth that hangs on them, and nothing pays for that: energy would appear, a few millijoules at a time.
//! Where no pin moves and no wind blows, nothing can do work on the cloth, so a step may not end with more energy than it
//! began with. The same holds when all pins of a cloth move alike, as they do when it is carried or shaken: seen by
//! somebody who moves with them they rest, and do no work; there the air blows, and may do the work -V · ∫F dt of its force F.
//! What is over is taken from the motion of particles against their neighbours, and only when there is not enough of that
//! from the motion of the whole:
//!
//! ```text
//! v = c + s (v - c),   s such that the kinetic energy shrinks by ΔE;   c: mean velocity of the neighbours, or
//!                                                                  the rigid motion of a cloth that nothing holds
//! ```
//!
//! A free cloth keeps its linear and angular momentum so; the spin that repairs of positions take or add, by moving mass to
//! where other velocities are, is given back as a rotation of the whole. Where there is not
//! enough motion, `retreat` has the last word.

use glam::DVec3;

use super::retreat::Retreat;
use super::rigid::Rigid;
use super::slow::slow_down;
use super::windows::Nearness;
use crate::drivers::Freedom;
use crate::integrate::StepContext;
use crate::measure::energy_by_cloth;
use crate::model::{ClothPart, Model};

/// Working memory of the guard.
#[derive(Debug)]
pub(super) struct EnergyGuard {
    /// Velocity of the frame in which each cloth's pins rest [m/s]; none where something else may do work.
    frames: Vec<Option<DVec3>>,
    before: Vec<[f64; 2]>,
    /// The energy that each cloth may end with at most [J].
    allowed: Vec<f64>,
    after: Vec<[f64; 2]>,
    /// c [m/s].
    calm: Vec<DVec3>,
    /// Edges at each particle; 0 for those that follow others or hang on nothing.
    neighbours: Vec<u32>,
    /// Angular momentum of each cloth that nothing holds, before repairs [kg m²/s]; none when there were none.
    spin: Vec<Option<DVec3>>,
    /// Velocities at the start, seen from the frames [m/s].
    start_velocity: Vec<DVec3>,
    retreat: Retreat,
}

/// Where a step ends.
#[derive(Debug)]
pub(super) struct End<'a> {
    /// Positions [m].
    pub(super) x: &'a mut [DVec3],
    /// Velocities [m/s].
    pub(super) v: &'a mut [DVec3],
}

/// What to do with a cloth that has gained more energy than there is motion to take it from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remedy {
    /// If it moves, go through the step again in shorter substeps.
    Refine,
    /// The same, if it strikes a solid.
    RefineImpact,
    /// Bring it back as far as need be: what has been repaired has lifted it, and would again.
    GoBack,
    /// Nothing. Without repairs it is stiff springs, each solved once in a substep, that hold a little energy more or less;
    /// to go back would stop the cloth before it has come to rest.
    Bear,
}

/// A cloth moves when its kinetic energy is more than this share of what it has gained: springs that were not solved to the
/// end hold some energy even in cloth at rest.
const MOVING: f64 = 0.01;
/// Cloth strikes a solid when it is faster than it gets by falling for so many steps.
const IMPACT: f64 = 4.0;

impl EnergyGuard {
    pub(super) fn new(model: &Model, stretch: f64) -> Self {
        let cloths = model.cloths.len();
        let mut neighbours = vec![0; model.len()];
        for edge in &model.edges {
            neighbours[edge.a as usize] += 1;
            neighbours[edge.b as usize] += 1;
        }
        Self {
            frames: vec![None; cloths],
            before: vec![[0.0; 2]; cloths],
            allowed: vec![0.0; cloths],
            after: vec![[0.0; 2]; cloths],
            calm: vec![DVec3::ZERO; model.len()],
            neighbours,
            spin: vec![None; cloths],
            start_velocity: vec![DVec3::ZERO; model.len()],
            retreat: Retreat::new(model, stretch),
        }
    }

    /// Notes the energy that each cloth may have at most, that at the start of the step.
    pub(super) fn begin(&mut self, context: StepContext<'_>) {
        let StepContext { model, state, .. } = context;
        for (number, part) in model.cloths.iter().enumerate() {
            self.frames[number] = self.frame_of(context, part);
            let velocity = self.frames[number].unwrap_or(DVec3::ZERO);
            part.particles.clone().for_each(|i| self.start_velocity[i] = relative(context, i, state.v[i], velocity));
        }
        energy_by_cloth(model, &state.x, &self.start_velocity, &mut self.before);
    }

    /// Begins a new attempt at the step.
    pub(super) fn forget_spin(&mut self) {
        self.spin.fill(None);
    }

    /// Notes the spin of free cloths at the positions `x` [m] and velocities `v` [m/s], before repairs.
    pub(super) fn note_spin(&mut self, context: StepContext<'_>, x: &[DVec3], v: &[DVec3], near: &[Nearness]) {
        for (number, part) in context.model.cloths.iter().enumerate() {
            let free = near[number] == Nearness::Alone && self.is_free(context, part);
            self.spin[number] = free.then(|| Rigid::of(context.model, part, x, v).spin);
        }
    }

    /// Slows cloths down that have more at the `end`, and where that is not enough does what `remedy` says. `outer` are the
    /// impulses of air and friction on each cloth in this step [N s]; cloth `near` a solid that moves is let alone.
    ///
    /// False, with nothing of use in `end`: the step is to be refined.
    pub(super) fn take(
        &mut self,
        context: StepContext<'_>,
        outer: &[DVec3],
        near: &[Nearness],
        end: End<'_>,
        remedy: Remedy,
    ) -> bool {
        let (model, End { x, v }) = (context.model, end);
        for (frame, near) in self.frames.iter_mut().zip(near) {
            let pushed = *near == Nearness::Moved || (*near == Nearness::AtRest && *frame != Some(DVec3::ZERO));
            *frame = frame.filter(|_| !pushed);
        }
        self.give_spin_back(model, x, v);
        for (number, allowed) in self.allowed.iter_mut().enumerate() {
            let work = self.frames[number].map_or(0.0, |frame| -frame.dot(outer[number]));
            *allowed = self.before[number].iter().sum::<f64>() + work.max(0.0);
        }
        for (part, frame) in guarded(model, &self.frames) {
            for i in part.particles.clone() {
                x[i] -= frame * context.h;
                v[i] = relative(context, i, v[i], frame);
            }
        }
        if !self.take_at_rest(context, near, x, v, remedy) {
            return false;
        }
        for (part, frame) in guarded(model, &self.frames) {
            for i in part.particles.clone() {
                x[i] = if self.is_held(context, i) { context.drivers.target[i] } else { x[i] + frame * context.h };
                v[i] += frame;
            }
        }
        true
    }

    /// The same where pins rest.
    fn take_at_rest(
        &mut self,
        context: StepContext<'_>,
        near: &[Nearness],
        x: &mut [DVec3],
        v: &mut [DVec3],
        remedy: Remedy,
    ) -> bool {
        let model = context.model;
        energy_by_cloth(model, x, v, &mut self.after);
        self.mean_of_neighbours(context, v);
        for (number, part) in model.cloths.iter().enumerate() {
            let ([kinetic, potential], allowed) = (self.after[number], self.allowed[number]);
            // A hair more, for what rounding adds when energies are summed up anew.
            let hair = 32.0 * f64::EPSILON * (kinetic.abs() + potential.abs() + allowed.abs());
            let gained = kinetic + potential - allowed + hair;
            if self.frames[number].is_none() || !(gained > 0.0) {
                continue;
            }
            let free = near[number] == Nearness::Alone && self.is_free(context, part);
            let mut left = gained;
            if free {
                let rigid = Rigid::of(model, part, x, v);
                part.particles.clone().for_each(|i| self.calm[i] = rigid.velocity(x[i]));
            } else {
                left = self.slow_down(model, part, left, v);
                self.calm[part.particles.clone()].fill(DVec3::ZERO);
            }
            if self.slow_down(model, part, left, v) > 0.0 {
                match remedy {
                    Remedy::Refine if kinetic > MOVING * gained => return false,
                    Remedy::Refine | Remedy::RefineImpact if self.strikes(context, near, number, gained) => {
                        return false;
                    }
                    Remedy::GoBack => {
                        self.retreat.go_back(context, number, free, self.allowed[number], &mut End { x, v });
                    }
                    Remedy::Refine | Remedy::RefineImpact | Remedy::Bear => {}
                }
            }
        }
        true
    }

    /// True when a cloth that has gained energy [J] has come with so much motion that it strikes a solid. Where it only settles,
    /// springs under load hold more or less energy with every change of substeps, and shorter ones are no remedy.
    fn strikes(&self, context: StepContext<'_>, near: &[Nearness], number: usize, gained: f64) -> bool {
        let mass: f64 = context.model.mass[context.model.cloths[number].particles.clone()].iter().sum();
        let fall = context.model.gravity * (IMPACT * context.h);
        near[number] != Nearness::Alone
            && self.before[number][0] > (0.5 * mass * fall.length_squared()).max(MOVING * gained)
    }

    fn give_spin_back(&self, model: &Model, x: &[DVec3], v: &mut [DVec3]) {
        for (part, spin) in model.cloths.iter().zip(&self.spin) {
            let Some(spin) = spin else { continue };
            let now = Rigid::of(model, part, x, v);
            let rotation = now.per_inertia * (*spin - now.spin);
            part.particles.clone().for_each(|i| v[i] += rotation.cross(x[i] - now.centre));
        }
    }

    /// Slows a cloth down towards `calm`; returns what is still owed [J].
    fn slow_down(&self, model: &Model, part: &ClothPart, energy: f64, v: &mut [DVec3]) -> f64 {
        let range = part.particles.clone();
        slow_down(&model.mass[range.clone()], &self.calm[range.clone()], energy, &mut v[range])
    }

    fn mean_of_neighbours(&mut self, context: StepContext<'_>, v: &[DVec3]) {
        self.calm.fill(DVec3::ZERO);
        for edge in &context.model.edges {
            let (a, b) = (edge.a as usize, edge.b as usize);
            self.calm[a] += v[b];
            self.calm[b] += v[a];
        }
        for (i, (calm, count)) in self.calm.iter_mut().zip(&self.neighbours).enumerate() {
            // What is held or guided cannot move as its neighbours do.
            *calm = context.drivers.freedom[i].filter(*calm / f64::from((*count).max(1)));
        }
    }
}

/// The cloths that are watched, with the velocities of their frames [m/s].
fn guarded<'a>(model: &'a Model, frames: &'a [Option<DVec3>]) -> impl Iterator<Item = (&'a ClothPart, DVec3)> {
    model.cloths.iter().zip(frames).filter_map(|(part, frame)| frame.map(|frame| (part, frame)))
}

/// A velocity seen from a frame [m/s]: what is held rests there, what is guided goes along its guide.
fn relative(context: StepContext<'_>, particle: usize, velocity: DVec3, frame: DVec3) -> DVec3 {
    context.drivers.freedom[particle].filter(velocity - frame)
}

impl EnergyGuard {
    /// The velocity at which all pins of a cloth move in this step [m/s]; none when they move apart, or when wind or guides
    /// may do work on it.
    fn frame_of(&self, context: StepContext<'_>, part: &ClothPart) -> Option<DVec3> {
        let StepContext { model, state, drivers, h } = context;
        let mut held = part.particles.clone().filter(|&i| self.is_held(context, i));
        let moved = |i: usize| drivers.target[i] - state.x[i];
        let first = held.next();
        let together = first.map_or(DVec3::ZERO, moved);
        // Targets are sums of a place and a motion, right to rounding.
        let rounding = |i: usize| 8.0 * f64::EPSILON * state.x[i].abs().max(drivers.target[i].abs()).max_element();
        let alike = held.all(|i| (moved(i) - together).length() <= rounding(i));
        let guided = |i: usize| !matches!(drivers.freedom[i], Freedom::Free | Freedom::Fixed);
        let unguided = together == DVec3::ZERO || !part.particles.clone().any(guided);
        let workless = unguided && model.air.wind_at(state.time) == DVec3::ZERO;
        (alike && workless).then(|| together / h)
    }

    /// True for pins; particles that only follow others are fixed too, but hold nothing.
    fn is_held(&self, context: StepContext<'_>, particle: usize) -> bool {
        context.drivers.freedom[particle] == Freedom::Fixed && self.neighbours[particle] > 0
    }

    /// True when nothing holds a cloth.
    fn is_free(&self, context: StepContext<'_>, part: &ClothPart) -> bool {
        let free = |i: usize| context.drivers.freedom[i] == Freedom::Free || self.neighbours[i] == 0;
        part.particles.clone().all(free)
    }
}
