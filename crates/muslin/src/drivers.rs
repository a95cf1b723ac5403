//! Which particles are pinned during a step, and where they go.

use glam::{DMat3, DVec3};

use crate::forces::outer;
use crate::inputs::{Given, Inputs, Pull, Surroundings};
use crate::model::{Hold, Model, PinId};
use crate::state::State;

/// What motion a particle is allowed: the filter matrix C ([Ye08] eq. 6).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Freedom {
    /// C = I.
    Free,
    /// No motion along the unit vector p: C = I - p pᵀ.
    Plane(DVec3),
    /// Motion along the unit vector n only: C = n nᵀ.
    Line(DVec3),
    /// C = 0: the particle goes where its pin takes it.
    Fixed,
}

impl Freedom {
    /// C v: the part of a motion that is allowed.
    pub fn filter(self, v: DVec3) -> DVec3 {
        match self {
            Freedom::Free => v,
            Freedom::Plane(p) => v - p * p.dot(v),
            Freedom::Line(n) => n * n.dot(v),
            Freedom::Fixed => DVec3::ZERO,
        }
    }

    /// C as a matrix.
    pub fn matrix(self) -> DMat3 {
        match self {
            Freedom::Free => DMat3::IDENTITY,
            Freedom::Plane(p) => DMat3::IDENTITY - outer(p, p),
            Freedom::Line(n) => outer(n, n),
            Freedom::Fixed => DMat3::ZERO,
        }
    }
}

/// The freedom of every particle during one step.
#[derive(Debug, Clone, Default)]
pub struct Drivers {
    /// What each particle may do.
    pub freedom: Vec<Freedom>,
    /// Where each fixed particle is at the end of the step [m]; of no meaning for others.
    pub target: Vec<DVec3>,
    /// Where inputs have put things by the end of the step.
    pub given: Given,
    /// What draws particles in the step.
    pub pulls: Vec<Pull>,
}

impl Drivers {
    /// Sets the drivers for a step from a state that ends at `end_time` [s], with inputs that the model can follow.
    pub(crate) fn begin(&mut self, model: &Model, state: &State, inputs: Option<&Inputs>, end_time: f64) {
        self.given.clone_from(&state.given);
        if let Some(inputs) = inputs {
            self.given.take(model, inputs);
        }
        // A particle that follows another is drawn by that one.
        let leader = |i: usize| model.followers.iter().find(|follower| follower.particle as usize == i)?.leader;
        let to_leader =
            |pull: Pull| Pull { particle: leader(pull.particle).map_or(pull.particle, |i| i as usize), ..pull };
        let given = inputs.map_or(&[][..], Inputs::pulls).iter().copied();
        self.pulls.clear();
        self.pulls.extend(model.scripted_pulls(end_time).chain(given).map(to_leader));
        self.update(model, &state.x, end_time);
    }

    /// Sets which particles are pinned, and where, in a step from the positions `x` [m] that ends at `end_time` [s].
    pub fn update(&mut self, model: &Model, x: &[DVec3], end_time: f64) {
        self.freedom.clear();
        self.freedom.resize(model.len(), Freedom::Free);
        self.target.clear();
        self.target.extend_from_slice(x);
        let pins = model.pins.iter().enumerate().filter(|(_, pin)| pin.released_by(end_time).is_none());
        for (number, pin) in pins {
            let given = self.given.pin(PinId(number));
            for (k, i) in pin.particles.iter().map(|&particle| particle as usize).enumerate() {
                match &pin.hold {
                    Hold::Plane(p) => self.freedom[i] = Freedom::Plane(*p),
                    Hold::Line(n) => self.freedom[i] = Freedom::Line(*n),
                    Hold::Fixed(motion) => {
                        self.freedom[i] = Freedom::Fixed;
                        self.target[i] =
                            given.map_or_else(|| motion.place(model.start[i], end_time), |places| places[k]);
                    }
                }
            }
        }
        for follower in &model.followers {
            self.freedom[follower.particle as usize] = Freedom::Fixed;
        }
    }

    /// What surrounds cloth at a time [s] of the step.
    pub fn surroundings(&self, time: f64) -> Surroundings<'_> {
        Surroundings { time, given: &self.given }
    }

    /// C v of a particle.
    pub fn filter(&self, particle: usize, v: DVec3) -> DVec3 {
        self.freedom[particle].filter(v)
    }

    /// C v / m of a particle: how an impulse changes its velocity; zero for fixed particles, which may have no mass.
    pub fn response(&self, model: &Model, particle: usize, impulse: DVec3) -> DVec3 {
        match self.freedom[particle] {
            Freedom::Fixed => DVec3::ZERO,
            freedom => freedom.filter(impulse) / model.mass[particle],
        }
    }
}
