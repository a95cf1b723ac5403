//! Time integration (`docs/methods/integrators.md`). Every method does two things: [`Integration::predict`] finds the
//! mean velocity that would carry the positions over the step, [`Integration::finish`] finds the velocity at its end,
//! after limiters have changed the mean and positions have moved.

mod auto_step;
mod backward_euler;
mod bdf2;
mod explicit;
mod implicit;
mod newmark;

use glam::DVec3;

use crate::drivers::{Drivers, Freedom};
use crate::inputs::{Pull, Surroundings};
use crate::interrupt::Interrupt;
use crate::model::Model;
use crate::report::Work;
use crate::settings::Integrator;
use crate::state::State;

pub use auto_step::{auto_step, step_of_soft_elements};
use explicit::Explicit;
use implicit::ImplicitSolver;

/// How the particles would move during a step.
#[derive(Debug, Clone, Default)]
pub struct StepVelocities {
    /// Mean velocity over the step [m/s]: positions move by h times it. Limiters change this, and only this.
    pub velocity: Vec<DVec3>,
    /// Velocity at the end of the step [m/s]; every change of the mean is a change of this too.
    pub end_velocity: Vec<DVec3>,
}

/// What a step knows when it starts.
#[derive(Debug, Clone, Copy)]
pub struct StepContext<'a> {
    /// The model.
    pub model: &'a Model,
    /// The state at the start of the step.
    pub state: &'a State,
    /// Which particles are pinned, and where they go.
    pub drivers: &'a Drivers,
    /// Length of the step h [s].
    pub h: f64,
    /// What stops a step that is under way.
    pub interrupt: &'a Interrupt,
}

impl StepContext<'_> {
    /// Time at the end of the step [s].
    pub fn end_time(&self) -> f64 {
        self.state.time + self.h
    }

    /// The wind at a time [m/s].
    pub(crate) fn wind(&self, time: f64) -> DVec3 {
        self.drivers.given.wind(&self.model.air, time)
    }

    /// What surrounds cloth at the start of the step, and at its end.
    pub(crate) fn surroundings(&self) -> [Surroundings<'_>; 2] {
        [self.state.into(), self.drivers.surroundings(self.end_time())]
    }

    /// What draws particles that are not pinned.
    pub(crate) fn pulls(&self) -> impl Iterator<Item = &Pull> {
        self.drivers.pulls.iter().filter(|pull| self.drivers.freedom[pull.particle] != Freedom::Fixed)
    }

    /// The force of a pull on a particle that other forces act on as well [N].
    fn force_of(&self, pull: &Pull, other: DVec3) -> DVec3 {
        let (i, h, w) = (pull.particle, self.h, 1.0 / self.model.mass[pull.particle]);
        let (x, v) = (self.state.x[i], self.state.v[i]);
        pull.displacement(x, x + (v + other * (w * h)) * h, w, h) / (h * h * w)
    }

    /// The velocity that takes a fixed particle to its target [m/s].
    fn driven_velocity(&self, particle: usize) -> DVec3 {
        (self.drivers.target[particle] - self.state.x[particle]) / self.h
    }

    /// A velocity filtered by the particle's C.
    pub(crate) fn constrained(&self, particle: usize, velocity: DVec3) -> DVec3 {
        match self.drivers.freedom[particle] {
            Freedom::Fixed => self.driven_velocity(particle),
            freedom => freedom.filter(velocity),
        }
    }
}

/// An integrator and its working memory.
#[derive(Debug)]
pub struct Integration {
    method: Integrator,
    explicit: Explicit,
    implicit: Option<ImplicitSolver>,
}

impl Integration {
    /// Prepares a method for a model.
    pub fn new(method: Integrator, model: &Model) -> Self {
        let implicit = match method {
            Integrator::BackwardEuler(_) | Integrator::Bdf2(_) | Integrator::Newmark(_) => {
                Some(ImplicitSolver::new(model))
            }
            Integrator::ExplicitEuler | Integrator::SymplecticEuler | Integrator::Exact | Integrator::Substeps => None,
        };
        Self { method, explicit: Explicit::default(), implicit }
    }

    /// The motion of the step if nothing were limited.
    pub fn predict(&mut self, context: StepContext<'_>, motion: &mut StepVelocities) -> Work {
        motion.velocity.resize(context.model.len(), DVec3::ZERO);
        motion.end_velocity.resize(context.model.len(), DVec3::ZERO);
        match (self.method, &mut self.implicit) {
            (Integrator::BackwardEuler(newton), Some(solver)) => {
                backward_euler::predict(solver, &newton, context, motion)
            }
            (Integrator::Bdf2(newton), Some(solver)) => bdf2::predict(solver, &newton, context, motion),
            (Integrator::Newmark(_), Some(solver)) => newmark::predict(solver, context, motion),
            (Integrator::Substeps, _) => {
                // The limiter does it all; so far nothing has acted.
                for i in 0..context.model.len() {
                    motion.velocity[i] = context.constrained(i, context.state.v[i]);
                    motion.end_velocity[i] = motion.velocity[i];
                }
                Work::default()
            }
            (method, _) => {
                self.explicit.predict(method, context, motion);
                Work::default()
            }
        }
    }

    /// The velocities at the end of the step, given the positions `x` [m] it reached.
    pub fn finish(
        &mut self,
        context: StepContext<'_>,
        motion: &StepVelocities,
        x: &[DVec3],
        v: &mut Vec<DVec3>,
    ) -> Work {
        v.clear();
        match (self.method, &mut self.implicit) {
            (Integrator::Bdf2(_), _) => bdf2::finish(context, motion, x, v),
            (Integrator::Newmark(newmark), Some(solver)) => {
                return newmark::finish(solver, newmark, context, motion, x, v);
            }
            _ => v.extend_from_slice(&motion.end_velocity),
        }
        Work::default()
    }

    /// True when the method needs the step before.
    pub fn needs_history(&self) -> bool {
        matches!(self.method, Integrator::Bdf2(_))
    }
}
