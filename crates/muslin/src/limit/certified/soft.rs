//! The forces that substeps do not solve implicitly: bending, angular shear, damping, air.
//!
//! They are soft, so they act as impulses f T/m at intervals T of several substeps, T at most half of what is stable for
//! them alone. The first and the last kick of a step are half ones, so that positions and velocities at its end belong to
//! the same time (as in Verlet's method): energy then comes out right to second order in T.

use glam::DVec3;

use super::points::{Points, Slots};
use crate::forces::total::{Motion, add_without_springs};
use crate::integrate::{StepContext, step_without_springs};
use crate::model::Model;

/// Working memory of the soft forces.
#[derive(Debug)]
pub(super) struct Soft {
    /// Longest interval between kicks [s].
    interval: f64,
    /// Greatest rate at which air slows a particle down, per speed [1/m].
    drag_per_speed: f64,
    /// True when there is any soft force at all.
    acts: bool,
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    force: Vec<DVec3>,
    /// Inverse masses [1/kg].
    w: Vec<f64>,
    /// Impulses that come from outside, of air and friction, on each cloth since the step began [N s].
    outer: Vec<DVec3>,
    /// The same when the window began.
    outer_before: Vec<DVec3>,
}

impl Soft {
    pub(super) fn new(model: &Model) -> Self {
        let elements = model.choi_ko.len() + model.corners.len() + model.hinges.len();
        let air = model.air.particle_drag > 0.0 || (model.air.density > 0.0 && !model.air_triangles.is_empty());
        let loose = model.springs.iter().any(|spring| spring.rest == 0.0);
        let slowed = model.damping_rate.iter().any(|rate| *rate > 0.0);
        Self {
            interval: step_without_springs(model),
            drag_per_speed: drag_per_speed(model),
            acts: elements > 0 || air || loose || slowed,
            x: Vec::with_capacity(model.len()),
            v: Vec::with_capacity(model.len()),
            force: Vec::with_capacity(model.len()),
            w: model.mass.iter().map(|mass| if *mass > 0.0 { 1.0 / mass } else { 0.0 }).collect(),
            outer: vec![DVec3::ZERO; model.cloths.len()],
            outer_before: vec![DVec3::ZERO; model.cloths.len()],
        }
    }

    /// Begins a step.
    pub(super) fn begin(&mut self) {
        self.outer.fill(DVec3::ZERO);
    }

    /// Begins a window of the step.
    pub(super) fn begin_window(&mut self) {
        self.outer_before.copy_from_slice(&self.outer);
    }

    /// Forgets the impulses of this window, which is gone through anew.
    pub(super) fn take_back(&mut self) {
        self.outer.copy_from_slice(&self.outer_before);
    }

    /// Impulses that come from outside, of air and friction, on each cloth since the step began [N s].
    pub(super) fn outer(&self) -> &[DVec3] {
        &self.outer
    }

    /// Kicks in a step of length `h` [s] in which nothing is faster through the air than `speed` [m/s]; 0 when nothing acts.
    pub(super) fn kicks(&self, h: f64, speed: f64) -> u32 {
        if !self.acts {
            return 0;
        }
        // Stable up to 2 for a rate; half of that is taken here too.
        let rate = (1.0 / self.interval).max(self.drag_per_speed * speed);
        (h * rate * (1.0 - 1e-9)).ceil().clamp(1.0, 1e6) as u32
    }

    /// Adds the kick of an interval `span` [s] to the displacements per substep `u` [m] at the positions `x`; substeps
    /// have the length `h` [s].
    pub(super) fn kick(&mut self, context: StepContext<'_>, moment: Moment, x: &Points, u: &mut Points) {
        let StepContext { model, drivers, .. } = context;
        let Moment { time, span, interval, h } = moment;
        let slots = Slots::new(model.len());
        slots.unsort(x, &mut self.x, |x| x);
        slots.unsort(u, &mut self.v, |u| u / h);
        self.force.clear();
        self.force.resize(model.len(), DVec3::ZERO);
        let motion = Motion { x: &self.x, v: &self.v, w: &self.w, span: interval };
        add_without_springs(model, &motion, time, &mut self.force);
        for (outer, part) in self.outer.iter_mut().zip(&model.cloths) {
            // Forces between particles cancel in the sum.
            *outer += self.force[part.particles.clone()].iter().sum::<DVec3>() * span;
        }
        for (i, force) in self.force.iter().enumerate() {
            let kick = drivers.response(model, i, *force * (span * h));
            u.add(slots.of(i), kick);
        }
    }
}

/// Greatest rate at which the air slows a particle down, per speed: of f = -½ ρ A C |v| v, a third to each corner, the
/// derivative by v is at most ρ A C |v| [1/m].
fn drag_per_speed(model: &Model) -> f64 {
    let mut drag = vec![0.0; model.len()];
    for triangle in &model.air_triangles {
        let [a, b, c] = triangle.particles.map(|i| model.start[i as usize]);
        let area = 0.5 * (b - a).cross(c - a).length();
        let share = model.air.density * area * triangle.drag.max(triangle.skin_drag) / 3.0;
        triangle.particles.iter().for_each(|&i| drag[i as usize] += share);
    }
    let moving = drag.iter().zip(&model.mass).filter(|(_, mass)| **mass > 0.0);
    moving.map(|(drag, mass)| drag / mass).fold(0.0, f64::max)
}

/// When a kick happens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    /// Time [s].
    pub(super) time: f64,
    /// The interval that the kick stands for [s].
    pub(super) span: f64,
    /// The longest interval between kicks [s].
    pub(super) interval: f64,
    /// Length of a substep [s].
    pub(super) h: f64,
}

/// The kicks of a step, spread over its substeps as evenly as can be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kicks {
    intervals: u64,
    substeps: u64,
}

impl Kicks {
    /// So many intervals, but no more than there are substeps.
    pub(super) fn of(intervals: u32, substeps: u32) -> Self {
        Self { intervals: u64::from(intervals.min(substeps)), substeps: u64::from(substeps) }
    }

    /// Most substeps between two kicks.
    pub(super) fn longest(self) -> f64 {
        self.substeps.div_ceil(self.intervals.max(1)) as f64
    }

    /// Substeps of the step.
    pub(super) fn substeps(self) -> u32 {
        self.substeps as u32
    }

    /// How many substeps the kick before a substep stands for, half of the interval before it and half of the one after
    /// it; 0: there is none. The kick after the last substep is that before the one that would follow.
    pub(super) fn before(self, substep: u32) -> f64 {
        let (n, k, at) = (self.substeps, self.intervals, u64::from(substep));
        if k == 0 {
            return 0.0;
        }
        // Interval j starts at substep ⌊j n/k⌋; numbers up to 2³² times another stay within 64 bits.
        let start = |j: u64| j * n / k;
        let j = (at * k).div_ceil(n);
        if start(j) != at {
            return 0.0;
        }
        let earlier = if j > 0 { at - start(j - 1) } else { 0 };
        let later = if j < k { start(j + 1) - at } else { 0 };
        0.5 * (earlier + later) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kicks_stand_for_the_whole_step_with_half_ones_at_its_ends() {
        for (intervals, substeps) in [(1, 1), (1, 7), (3, 7), (7, 7), (9, 7), (4, 164)] {
            let kicks = Kicks::of(intervals, substeps);
            let spans: Vec<f64> =
                (0..=substeps).map(|substep| kicks.before(substep)).filter(|span| *span > 0.0).collect();
            assert_eq!(spans.len() as u32, intervals.min(substeps) + 1);
            assert_eq!(spans.iter().sum::<f64>(), f64::from(substeps));
            assert!(spans[0] <= 0.5 * f64::from(substeps.div_ceil(intervals.min(substeps))), "{spans:?}");
        }
        assert_eq!(Kicks::of(0, 5).before(0), 0.0);
    }
}
