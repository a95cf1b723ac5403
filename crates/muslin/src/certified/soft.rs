//! The forces that substeps do not solve implicitly, but for bending by hinges: angular shear, damping, air.
//!
//! They are soft, so they are held for several substeps (`held`), at most half of what is stable for them alone, and
//! for a small part of a swing.

use glam::DVec3;

use super::held::{Held, Span};
use crate::drivers::Freedom;
use crate::forces::total::{Kinematics, add_air, add_inner};
use crate::integrate::{StepContext, step_of_soft_elements};
use crate::model::Model;
use crate::simd::{Points, Slots};

/// Evaluations in the time that cloth takes to fall by half its size. With a fifth of it, at 24 steps a second, light
/// cloth swings half as far as it should: air that acts late brakes too much.
const EVALUATIONS_PER_FALL: f64 = 80.0;

/// Working memory of the soft forces.
#[derive(Debug)]
pub(super) struct Soft {
    /// Longest time between evaluations [s].
    interval: f64,
    /// Greatest rate at which air brakes a particle, per speed [1/m].
    drag_per_speed: f64,
    /// True when there is any soft force at all.
    acts: bool,
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    /// Forces between particles, and those of the air [N].
    inner: Vec<DVec3>,
    air: Vec<DVec3>,
    /// Inverse masses [1/kg].
    w: Vec<f64>,
}

impl Soft {
    /// For a cloth that falls by half its size in `fall` [s].
    pub(super) fn new(model: &Model, fall: f64) -> Self {
        let elements = model.choi_ko.len() + model.corners.len();
        let loose = model.springs.iter().any(|spring| spring.rest == 0.0);
        let damped = model.damping_rate.iter().any(|rate| *rate > 0.0);
        Self {
            interval: step_of_soft_elements(model).min(fall / EVALUATIONS_PER_FALL),
            drag_per_speed: drag_per_speed(model),
            acts: elements > 0 || model.has_air() || loose || damped,
            x: Vec::with_capacity(model.len()),
            v: Vec::with_capacity(model.len()),
            inner: Vec::with_capacity(model.len()),
            air: Vec::with_capacity(model.len()),
            w: model.mass.iter().map(|mass| if *mass > 0.0 { 1.0 / mass } else { 0.0 }).collect(),
        }
    }

    /// Evaluations in a step of length `h` [s] in which nothing is faster through the air than `speed` [m/s]; 0 when
    /// nothing acts.
    pub(super) fn evaluations(&self, h: f64, speed: f64) -> u32 {
        if !self.acts {
            return 0;
        }
        // Stable up to 2 for a rate; half of that is taken here too.
        let rate = (1.0 / self.interval).max(self.drag_per_speed * speed);
        (h * rate * (1.0 - 1e-9)).ceil().clamp(1.0, 1e6) as u32
    }

    /// Adds what the forces do while they are held, on cloth with the displacements per substep `u` [m]. Returns the
    /// work of pins [J].
    pub(super) fn act(&mut self, context: StepContext<'_>, over: Span, u: &Points, held: &mut Held) -> f64 {
        if !self.acts {
            return 0.0;
        }
        let StepContext { model, drivers, .. } = context;
        let Span { time, length: span, h } = over;
        let slots = Slots::new(model.len());
        slots.unsort(&held.middle, &mut self.x, |x| x);
        slots.unsort(u, &mut self.v, |u| u / h);
        for force in [&mut self.inner, &mut self.air] {
            force.clear();
            force.resize(model.len(), DVec3::ZERO);
        }
        add_inner(model, &Kinematics { x: &self.x, v: &self.v, w: &self.w, span }, &mut self.inner);
        if model.has_air() {
            add_air(model, &self.x, &self.v, context.wind(time), &mut self.air);
        }
        let mut work = 0.0;
        for i in 0..model.len() {
            let (inner, air) = (self.inner[i] * span, self.air[i] * span);
            if drivers.freedom[i] == Freedom::Fixed {
                // What pulls at a pin is passed on, times the path of the pin.
                work -= inner.dot(drivers.target[i] - context.state.x[i]) / context.h;
                held.air.set(slots.of(i), DVec3::ZERO);
                continue;
            }
            held.air.set(slots.of(i), self.air[i]);
            held.push.add(slots.of(i), drivers.response(model, i, inner + air) * h);
        }
        work
    }
}

/// Greatest rate at which the air brakes a particle, per speed: of f = -½ ρ A C |v| v, a third to each corner, the
/// derivative by v is at most ρ A C |v| [1/m].
fn drag_per_speed(model: &Model) -> f64 {
    let mut drag = vec![0.0; model.len()];
    for triangle in &model.air_triangles {
        let [a, b, c] = triangle.particles.map(|i| model.start[i as usize]);
        let area = 0.5 * (b - a).cross(c - a).length();
        let third = model.air.density * area * triangle.drag.max(triangle.skin_drag) / 3.0;
        triangle.particles.iter().for_each(|&i| drag[i as usize] += third);
    }
    let moving = drag.iter().zip(&model.mass).filter(|(_, mass)| **mass > 0.0);
    moving.map(|(drag, mass)| drag / mass).fold(0.0, f64::max)
}
