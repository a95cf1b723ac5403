//! Strain limiters of the documents, one file each. A limiter changes velocities only: the mean velocity of the step, and so
//! the preview q = x + h v of where the particles will be, and the velocity at its end.

mod bridson;
mod impulse;
mod impulse_newton;
mod inequality;
mod iterative;
mod provot;
pub mod rows;
mod sle;
mod touching;

use glam::DVec3;

use self::touching::Touching;
use crate::contact::{Contacts, Solids};
use crate::integrate::{Motion, StepContext};
use crate::model::{LimitedEdge, Model};
use crate::report::{LimiterWork, Work};
use crate::settings::{LimitMethod, Limiter, Settings};
use crate::state::Before;
use crate::timing::SolverClock;

/// A limiter and its working memory.
#[derive(Debug)]
pub struct Limiting {
    settings: Limiter,
    method: Method,
    contacts: Contacts,
    touching: Touching,
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
}

impl Limiting {
    /// Prepares a limiter for a model.
    pub fn new(settings: &Settings, model: &Model) -> Self {
        let limiter = settings.limiter;
        let method = match limiter.method {
            // A step of its own: see `certified`.
            LimitMethod::None | LimitMethod::Certified(_) => Method::None,
            LimitMethod::Provot => Method::Provot(provot::Passes::new(model)),
            LimitMethod::Bridson => Method::Bridson(bridson::Rounds::new(model)),
            LimitMethod::Impulse(own) => Method::Impulse(impulse::ImpulseSystem::new(own, model)),
            LimitMethod::ImpulseNewton(own) => Method::ImpulseNewton(impulse_newton::NewtonSystem::new(own, model)),
            LimitMethod::Iterative(own) => Method::Iterative(iterative::Loop::new(own, model)),
            LimitMethod::Sle(own) => Method::Sle(sle::SleSystem::new(own, model)),
            LimitMethod::Inequality(own) => {
                Method::Inequality(Box::new(inequality::ActiveSets::new(own, &limiter, model)))
            }
        };
        Self {
            settings: limiter,
            method,
            contacts: Contacts::new(settings, model),
            touching: Touching::default(),
            unlimited: Vec::new(),
            clock: SolverClock::default(),
        }
    }

    /// Changes the motion of the step so that edges respect their limits and vertices stay out of solids, as far as the
    /// method can. What the mean velocity changes by, the end velocity changes by too; what was done is written to `work`.
    pub fn apply(&mut self, context: StepContext<'_>, solids: &mut Solids, motion: &mut Motion, work: &mut Work) {
        self.contacts.begin(context, solids);
        self.unlimited.clone_from(&motion.velocity);
        work.limiter = self.limit(context, solids, &mut motion.velocity);
        // What the method has not seen to itself: all of contact for the baselines and `sle`, stage (7) for `inequality`,
        // whoever the last round brought near for `iterative`. Where C holds who touches, friction is done.
        let friction = !matches!(self.method, Method::Impulse(_) | Method::ImpulseNewton(_));
        self.contacts.settle(context, solids, friction, &mut motion.velocity);
        for (i, end) in motion.end_velocity.iter_mut().enumerate() {
            *end += motion.velocity[i] - self.unlimited[i];
        }
        self.contacts.conclude(context, motion, &mut work.contact);
    }

    /// The method itself, with contact where its document has it inside.
    fn limit(&mut self, context: StepContext<'_>, solids: &Solids, velocity: &mut [DVec3]) -> LimiterWork {
        let Self { settings: limiter, method, contacts, touching, clock, .. } = self;
        match method {
            Method::None => LimiterWork::default(),
            Method::Provot(passes) => passes.apply(limiter, context, velocity),
            Method::Bridson(rounds) => rounds.apply(limiter, context, velocity),
            Method::Impulse(system) => touching.solve(context, (contacts, solids), velocity, |context, v, pulls| {
                system.apply(limiter, context, v, pulls, clock)
            }),
            Method::ImpulseNewton(system) => {
                touching.solve(context, (contacts, solids), velocity, |context, v, pulls| {
                    system.apply(limiter, context, v, pulls, clock)
                })
            }
            Method::Iterative(rounds) => rounds.apply(limiter, context, (contacts, solids), velocity),
            Method::Sle(system) => system.apply(limiter, context, velocity, clock),
            Method::Inequality(sets) => {
                contacts.settle(context, solids, true, velocity);
                sets.apply(limiter, context, (contacts, solids), velocity)
            }
        }
    }

    /// Changes the velocities `v` [m/s] at the end of the step, where the positions are `x` [m], for methods that limit
    /// velocities too, and where vertices touch solids; adds what it did to `work`.
    pub fn finish(&mut self, context: StepContext<'_>, motion: &Motion, x: &[DVec3], v: &mut [DVec3], work: &mut Work) {
        let Self { settings: limiter, method, contacts, clock, .. } = self;
        contacts.begin_finish(context, motion, v);
        match method {
            Method::Iterative(rounds) => rounds.finish(limiter, context, contacts, (x, v), &mut work.limiter),
            Method::Sle(system) => {
                system.finish(limiter, context, x, v, &mut work.limiter, clock);
                contacts.settle_velocities(v);
            }
            _ => contacts.settle_velocities(v),
        }
        contacts.conclude_finish(&mut work.contact);
    }

    /// Changes what integrators of two steps remember, after a step of length `h` [s] that ended at `x` [m] with `v` [m/s], of
    /// vertices that struck a solid in it.
    pub fn rewrite_history(&self, h: f64, x: &[DVec3], v: &[DVec3], before: &mut Before) {
        self.contacts.rewrite_history(h, x, v, before);
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
