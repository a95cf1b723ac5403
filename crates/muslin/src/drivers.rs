//! Who is held during a step, and where the held ones go.

use glam::{DMat3, DVec3};

use crate::forces::outer;
use crate::model::{Hold, Model};

/// What motion a particle is allowed: the filter matrix C of METHODS §2 ([Ye08] eq. 6).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Freedom {
    /// C = I.
    Free,
    /// No motion along the unit vector p: C = I - p pᵀ.
    Plane(DVec3),
    /// Motion along the unit vector n only: C = n nᵀ.
    Line(DVec3),
    /// C = 0: the particle goes where it is told.
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
}

impl Drivers {
    /// A step that ends no later than this after a pin's release still belongs to the pin: times are sums of steps [s].
    pub(crate) const RELEASE_SLACK: f64 = 1e-9;

    /// Sets the drivers for a step from the positions `x` [m] that ends at `end_time` [s]. A pin released at a time
    /// holds through the step that ends there.
    pub fn update(&mut self, model: &Model, x: &[DVec3], end_time: f64) {
        self.freedom.clear();
        self.freedom.resize(model.len(), Freedom::Free);
        self.target.clear();
        self.target.extend_from_slice(x);
        for pin in &model.pins {
            if pin.release.is_some_and(|release| end_time > release + Self::RELEASE_SLACK) {
                continue;
            }
            for &particle in &pin.particles {
                let i = particle as usize;
                match &pin.hold {
                    Hold::Plane(p) => self.freedom[i] = Freedom::Plane(*p),
                    Hold::Line(n) => self.freedom[i] = Freedom::Line(*n),
                    Hold::Fixed(motion) => {
                        self.freedom[i] = Freedom::Fixed;
                        self.target[i] = motion.place(model.start[i], end_time);
                    }
                }
            }
        }
        for follower in &model.followers {
            self.freedom[follower.particle as usize] = Freedom::Fixed;
        }
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
