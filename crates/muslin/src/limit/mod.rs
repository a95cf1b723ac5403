//! Strain limiters of the literature, one file each. A limiter changes velocities only: the mean velocity of the step,
//! and so the preview q = x + h v of where the particles will be, and the velocity at its end.

#[cfg(feature = "limiters")]
mod bridson;
#[cfg(feature = "limiters")]
mod contact;
#[cfg(feature = "limiters")]
mod impulse;
#[cfg(feature = "limiters")]
mod impulse_newton;
#[cfg(feature = "limiters")]
mod inequality;
#[cfg(feature = "limiters")]
mod isotropic;
#[cfg(feature = "limiters")]
mod iterative;
#[cfg(feature = "limiters")]
mod provot;
#[cfg(feature = "limiters")]
mod shared;
#[cfg(feature = "limiters")]
mod sle;
#[cfg(feature = "limiters")]
mod sweep;

#[cfg(feature = "limiters")]
mod methods;
#[cfg(not(feature = "limiters"))]
#[path = "no_methods.rs"]
mod methods;

use glam::DVec3;

use self::methods::Method;
use crate::contact::{Contacts, Solids};
use crate::integrate::{StepContext, StepVelocities};
use crate::model::{LimitedEdge, Model};
use crate::report::Work;
use crate::settings::{Limiter, Settings};
use crate::state::Before;
use crate::timing::SolverClock;

/// A limiter and its working memory.
#[derive(Debug)]
pub struct Limiting {
    method: Method,
    contacts: Contacts,
    /// The mean velocity before the limiter changed it [m/s].
    unlimited: Vec<DVec3>,
}

impl Limiting {
    /// Prepares a limiter for a model.
    pub fn new(settings: &Settings, model: &Model) -> Self {
        Self {
            method: Method::new(settings.limiter, model),
            contacts: Contacts::new(settings, model),
            unlimited: Vec::new(),
        }
    }

    /// Changes the motion of the step so that edges respect their limits and vertices stay out of solids, as far as the
    /// method can. What the mean velocity changes by, the end velocity changes by too; what was done is written to
    /// `work`.
    pub fn apply(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        motion: &mut StepVelocities,
        work: &mut Work,
    ) {
        self.contacts.begin(context, solids);
        self.unlimited.clone_from(&motion.velocity);
        work.limiter = self.method.limit(context, (&mut self.contacts, solids), &mut motion.velocity);
        // What the method has not seen to itself: all of contact for the baselines and `sle`, stage (7) for
        // `inequality`, the vertices that the last round brought near for `iterative`. Where C constrains vertices in
        // contact, friction is done.
        self.contacts.settle(context, solids, !self.method.does_friction(), &mut motion.velocity);
        for (i, end) in motion.end_velocity.iter_mut().enumerate() {
            *end += motion.velocity[i] - self.unlimited[i];
        }
        self.contacts.conclude(context, motion, &mut work.contact);
    }

    /// Changes the velocities `v` [m/s] at the end of the step, where the positions are `x` [m], for methods that limit
    /// velocities too, and where vertices are in contact; adds what it did to `work`.
    pub fn finish(
        &mut self,
        context: StepContext<'_>,
        motion: &StepVelocities,
        x: &[DVec3],
        v: &mut [DVec3],
        work: &mut Work,
    ) {
        self.contacts.begin_finish(context, motion, v);
        self.method.finish(context, &mut self.contacts, (x, v), &mut work.limiter);
        self.contacts.conclude_finish(&mut work.contact);
    }

    /// Changes what integrators of two steps remember, after a step of length `h` [s] that ended at `x` [m] with
    /// `v` [m/s], of vertices that struck a solid in it.
    pub fn rewrite_history(&self, h: f64, x: &[DVec3], v: &[DVec3], before: &mut Before) {
        self.contacts.rewrite_history(h, x, v, before);
    }

    /// Multipliers that the next step starts from [kg m²]; none for limiters that start from nothing.
    pub fn multipliers(&self) -> &[f64] {
        self.method.multipliers()
    }

    /// Seconds spent in each stage of the linear solver so far.
    pub fn clock(&self) -> SolverClock {
        self.method.clock()
    }
}

impl Limiter {
    /// The length an edge of the given length must have: itself, or the limit it is beyond [m]. None for edges without
    /// rest length, which have no strain.
    pub fn allowed_length(&self, edge: &LimitedEdge, length: f64) -> Option<f64> {
        let longest = edge.rest * (1.0 + self.stretch);
        let shortest = self.compress.map_or(0.0, |compress| edge.rest * (1.0 - compress));
        (edge.rest > 0.0).then(|| length.clamp(shortest, longest))
    }
}
