//! Strain limiters (METHODS §3, §6), one file each. A limiter changes velocities only: the mean velocity of the step, and so
//! the preview q = x + h v of where the particles will be, and the velocity at its end.

mod bridson;
mod certified;
mod impulse;
mod impulse_newton;
mod inequality;
mod iterative;
mod provot;
pub mod rows;
mod sle;

use glam::DVec3;

use crate::contact::Solids;
use crate::error::StepError;
use crate::integrate::{Motion, StepContext};
use crate::model::{LimitedEdge, Model};
use crate::report::{LimiterWork, Work};
use crate::settings::{LimitMethod, Limiter, Settings};
use crate::timing::SolverClock;

/// A limiter and its working memory.
#[derive(Debug)]
pub struct Limiting {
    settings: Limiter,
    method: Method,
    /// The mean velocity before the limiter changed it [m/s].
    unlimited: Vec<DVec3>,
    clock: SolverClock,
}

/// A method with its working memory.
#[derive(Debug)]
enum Method {
    None,
    Provot(provot::Passes),
    Bridson(bridson::Rounds),
    Impulse(impulse::ImpulseSystem),
    ImpulseNewton(impulse_newton::NewtonSystem),
    Iterative(iterative::Loop),
    Sle(sle::SleSystem),
    Inequality(Box<inequality::ActiveSets>),
    Certified(Box<certified::Certifier>),
}

impl Limiting {
    /// Prepares a limiter for a model.
    pub fn new(settings: &Settings, model: &Model) -> Self {
        let limiter = settings.limiter;
        let method = match limiter.method {
            LimitMethod::None => Method::None,
            LimitMethod::Provot => Method::Provot(provot::Passes::new(model)),
            LimitMethod::Bridson => Method::Bridson(bridson::Rounds::new(model)),
            LimitMethod::Impulse(own) => Method::Impulse(impulse::ImpulseSystem::new(own, model)),
            LimitMethod::ImpulseNewton(own) => Method::ImpulseNewton(impulse_newton::NewtonSystem::new(own, model)),
            LimitMethod::Iterative(own) => Method::Iterative(iterative::Loop::new(own, model)),
            LimitMethod::Sle(own) => Method::Sle(sle::SleSystem::new(own, model)),
            LimitMethod::Inequality(own) => {
                Method::Inequality(Box::new(inequality::ActiveSets::new(own, &limiter, model)))
            }
            LimitMethod::Certified(own) => Method::Certified(Box::new(certified::Certifier::new(own, settings, model))),
        };
        Self { settings: limiter, method, unlimited: Vec::new(), clock: SolverClock::default() }
    }

    /// Changes the motion of the step so that edges respect their limits, as far as the method can. What the mean
    /// velocity changes by, the end velocity changes by too. `doublings` is [`State::doublings`](crate::State) of the
    /// state under construction; what was done is written to
    /// `work`.
    pub fn apply(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        motion: &mut Motion,
        doublings: &mut u32,
        work: &mut Work,
    ) -> Result<(), StepError> {
        if let Method::Certified(certifier) = &mut self.method {
            return certifier.apply(&self.settings, context, solids, motion, doublings, work);
        }
        solids.place(1.0);
        self.unlimited.clone_from(&motion.velocity);
        let (limiter, clock, velocity) = (&self.settings, &mut self.clock, &mut motion.velocity);
        work.limiter = match &mut self.method {
            Method::None | Method::Certified(_) => LimiterWork::default(),
            Method::Provot(passes) => passes.apply(limiter, context, velocity),
            Method::Bridson(rounds) => rounds.apply(limiter, context, velocity),
            Method::Impulse(system) => system.apply(limiter, context, velocity, clock),
            Method::ImpulseNewton(system) => system.apply(limiter, context, velocity, clock),
            Method::Iterative(rounds) => rounds.apply(limiter, context, velocity),
            Method::Sle(system) => system.apply(limiter, context, velocity, clock),
            Method::Inequality(sets) => sets.apply(limiter, context, velocity),
        };
        for (i, end) in motion.end_velocity.iter_mut().enumerate() {
            *end += motion.velocity[i] - self.unlimited[i];
        }
        Ok(())
    }

    /// Changes the velocities `v` [m/s] at the end of the step, where the positions are `x` [m], for methods that limit
    /// velocities too; adds what it did to `work`.
    pub fn finish(&mut self, context: StepContext<'_>, x: &[DVec3], v: &mut [DVec3], work: &mut LimiterWork) {
        match &mut self.method {
            Method::Iterative(rounds) => rounds.finish(&self.settings, context, x, v, work),
            Method::Sle(system) => system.finish(&self.settings, context, x, v, work, &mut self.clock),
            _ => {}
        }
    }

    /// Seconds spent in each stage of the linear solver so far.
    pub fn clock(&self) -> &SolverClock {
        &self.clock
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
