//! A simulation made without any file.

use glam::DVec3;

use super::{BuildError, Simulation};
use crate::forces::Air;
use crate::integrate::auto_step;
use crate::model::{Cloth, ClothId, Collider, ColliderId, Model, World};
use crate::settings::{Contact, Integrator, LimitMethod, Limiter, Settings};

/// Makes a [`Simulation`] without any file.
#[derive(Debug, Clone, Default)]
pub struct Builder {
    cloths: Vec<Cloth>,
    colliders: Vec<Collider>,
    world: World,
    limiter: Limiter,
    stretch: Option<f64>,
    integrator: Option<Integrator>,
    contact: Contact,
    step: Option<f64>,
}

impl Builder {
    /// Adds a cloth.
    pub fn cloth(&mut self, cloth: Cloth) -> ClothId {
        self.cloths.push(cloth);
        ClothId(self.cloths.len() - 1)
    }

    /// Adds a collider.
    pub fn collider(&mut self, collider: Collider) -> ColliderId {
        self.colliders.push(collider);
        ColliderId(self.colliders.len() - 1)
    }

    /// Acceleration of gravity [m/s²]; 9.81 downwards where nothing is said.
    pub fn gravity(&mut self, gravity: DVec3) -> &mut Self {
        self.world.gravity = gravity;
        self
    }

    /// The air and its wind.
    pub fn air(&mut self, air: Air) -> &mut Self {
        self.world.air = air;
        self
    }

    /// Greatest strain of an edge: 0.01, 1 %, where nothing is said.
    pub fn limit(&mut self, stretch: f64) -> &mut Self {
        self.stretch = Some(stretch);
        self
    }

    /// The limiter with all of its parameters; `certified` where nothing is said. [`Builder::limit`] overrides its
    /// limit.
    pub fn limiter(&mut self, limiter: Limiter) -> &mut Self {
        self.limiter = limiter;
        self
    }

    /// The integrator; that of the limiter's paper where nothing is said.
    pub fn integrator(&mut self, integrator: Integrator) -> &mut Self {
        self.integrator = Some(integrator);
        self
    }

    /// What happens where cloth meets solids.
    pub fn contact(&mut self, contact: Contact) -> &mut Self {
        self.contact = contact;
        self
    }

    /// Length of a step [s]; the longest that suits the method, a whole part of a sixtieth of a second, where nothing
    /// is said.
    pub fn step(&mut self, seconds: f64) -> &mut Self {
        self.step = Some(seconds);
        self
    }

    /// The simulation, at its start. The builder can go on to make others.
    pub fn build(&self) -> Result<Simulation, BuildError> {
        let mut cloths = self.cloths.clone();
        if self.limiter.method.replaces_springs() {
            cloths.iter_mut().for_each(Cloth::leave_stretch_to_the_limiter);
        }
        let model = Model::build(cloths, self.colliders.clone(), self.world)?;
        let integrator = self.integrator.unwrap_or_else(|| Integrator::partner_of(&self.limiter.method));
        let step = self.step.unwrap_or_else(|| auto_step(&integrator, &model, 1.0 / 60.0));
        let (mut limiter, contact) = (self.limiter, self.contact);
        limiter.stretch = self.stretch.unwrap_or(limiter.stretch);
        Simulation::new(model, Settings { step, integrator, limiter, contact })
    }
}

impl Integrator {
    /// The integrator that a limiter's paper uses it with.
    pub fn partner_of(limiter: &LimitMethod) -> Self {
        match limiter {
            LimitMethod::None => Self::Bdf2(crate::settings::Newton::default()),
            #[cfg(feature = "limiters")]
            LimitMethod::Provot | LimitMethod::Bridson | LimitMethod::Isotropic(_) => {
                Self::Bdf2(crate::settings::Newton::default())
            }
            #[cfg(feature = "limiters")]
            LimitMethod::Impulse(_) | LimitMethod::ImpulseNewton(_) => {
                Self::BackwardEuler(crate::settings::Newton::default())
            }
            #[cfg(feature = "limiters")]
            LimitMethod::Iterative(_) | LimitMethod::Sle(_) => Self::Exact,
            #[cfg(feature = "limiters")]
            LimitMethod::Inequality(_) => Self::Newmark(crate::settings::Newmark::default()),
            LimitMethod::Certified(_) => Self::Substeps,
        }
    }
}
