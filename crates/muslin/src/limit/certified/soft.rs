//! The forces that substeps do not solve implicitly: bending, angular shear, damping, air.
//!
//! They are soft, so they act as impulses f T/m at intervals T of several substeps, T at most half of what is stable for
//! them alone. Kicks at intervals with exact motion between them keep energy as symplectic Euler does.

use glam::DVec3;

use super::points::{Points, Slots};
use crate::forces::total::add_without_springs;
use crate::integrate::{StepContext, step_without_springs};
use crate::model::Model;

/// Working memory of the soft forces.
#[derive(Debug)]
pub(super) struct Soft {
    /// Longest interval between kicks [s].
    interval: f64,
    /// True when there is any soft force at all.
    acts: bool,
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    force: Vec<DVec3>,
    /// Impulses that come from outside, of air and friction, on each cloth since the step began [N s].
    outer: Vec<DVec3>,
}

impl Soft {
    pub(super) fn new(model: &Model) -> Self {
        let elements = model.choi_ko.len() + model.corners.len() + model.hinges.len();
        let air = model.air.particle_drag > 0.0 || (model.air.density > 0.0 && !model.air_triangles.is_empty());
        let loose = model.springs.iter().any(|spring| spring.rest == 0.0);
        let slowed = model.damping_rate.iter().any(|rate| *rate > 0.0);
        Self {
            interval: step_without_springs(model),
            acts: elements > 0 || air || loose || slowed,
            x: Vec::with_capacity(model.len()),
            v: Vec::with_capacity(model.len()),
            force: Vec::with_capacity(model.len()),
            outer: vec![DVec3::ZERO; model.cloths.len()],
        }
    }

    /// Begins a step.
    pub(super) fn begin(&mut self) {
        self.outer.fill(DVec3::ZERO);
    }

    /// Impulses that come from outside, of air and friction, on each cloth since the step began [N s].
    pub(super) fn outer(&self) -> &[DVec3] {
        &self.outer
    }

    /// Kicks in a step of length `h` [s]; 0 when nothing acts.
    pub(super) fn kicks(&self, h: f64) -> u32 {
        if self.acts { (h / self.interval * (1.0 - 1e-9)).ceil().max(1.0) as u32 } else { 0 }
    }

    /// Adds the kick of an interval `span` [s] to the displacements per substep `u` [m] at the positions `x`; substeps
    /// have the length `h` [s].
    pub(super) fn kick(&mut self, context: StepContext<'_>, moment: Moment, x: &Points, u: &mut Points) {
        let StepContext { model, drivers, .. } = context;
        let Moment { time, span, h } = moment;
        let slots = Slots::new(model.len());
        slots.unsort(x, &mut self.x, |x| x);
        slots.unsort(u, &mut self.v, |u| u / h);
        self.force.clear();
        self.force.resize(model.len(), DVec3::ZERO);
        add_without_springs(model, &self.x, &self.v, time, &mut self.force);
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

/// When a kick happens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    /// Time [s].
    pub(super) time: f64,
    /// The interval that the kick stands for [s].
    pub(super) span: f64,
    /// Length of a substep [s].
    pub(super) h: f64,
}
