//! The limiters of the literature, each with its working memory.

use glam::DVec3;

use super::contact::ContactFilter;
use super::{bridson, impulse, impulse_newton, inequality, iterative, provot, sle};
use crate::contact::{Contacts, Solids};
use crate::integrate::StepContext;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::settings::{LimitMethod, Limiter};
use crate::timing::SolverClock;

/// A limiter and its working memory.
#[derive(Debug)]
pub(super) struct Method {
    settings: Limiter,
    kind: Kind,
    contact_filter: ContactFilter,
    clock: SolverClock,
}

#[derive(Debug)]
enum Kind {
    None,
    Provot(provot::Passes),
    Bridson(bridson::Rounds),
    Impulse(impulse::ImpulseSystem),
    ImpulseNewton(impulse_newton::NewtonSystem),
    Iterative(iterative::Loop),
    Sle(sle::SleSystem),
    Inequality(inequality::OneSided),
}

impl Method {
    pub(super) fn new(limiter: Limiter, model: &Model) -> Self {
        let kind = match limiter.method {
            // A step of its own: see `certified`.
            LimitMethod::None | LimitMethod::Certified(_) => Kind::None,
            LimitMethod::Provot => Kind::Provot(provot::Passes::new(model)),
            LimitMethod::Bridson => Kind::Bridson(bridson::Rounds::new(model)),
            LimitMethod::Impulse(own) => Kind::Impulse(impulse::ImpulseSystem::new(own, model)),
            LimitMethod::ImpulseNewton(own) => Kind::ImpulseNewton(impulse_newton::NewtonSystem::new(own, model)),
            LimitMethod::Iterative(own) => Kind::Iterative(iterative::Loop::new(own, model)),
            LimitMethod::Sle(own) => Kind::Sle(sle::SleSystem::new(own, model)),
            LimitMethod::Inequality(own) => Kind::Inequality(inequality::OneSided::new(own, &limiter, model)),
        };
        Self { settings: limiter, kind, contact_filter: ContactFilter::default(), clock: SolverClock::default() }
    }

    /// The method itself, with contact where its paper has it inside.
    pub(super) fn limit(
        &mut self,
        context: StepContext<'_>,
        (contacts, solids): (&mut Contacts, &Solids),
        velocity: &mut [DVec3],
    ) -> LimiterWork {
        let Self { settings: limiter, kind, contact_filter, clock } = self;
        match kind {
            Kind::None => LimiterWork::default(),
            Kind::Provot(passes) => passes.apply(limiter, context, velocity),
            Kind::Bridson(rounds) => rounds.apply(limiter, context, velocity),
            Kind::Impulse(system) => {
                contact_filter.solve(context, (contacts, solids), velocity, |context, v, pulls| {
                    system.apply(limiter, context, v, pulls, clock)
                })
            }
            Kind::ImpulseNewton(system) => {
                contact_filter.solve(context, (contacts, solids), velocity, |context, v, pulls| {
                    system.apply(limiter, context, v, pulls, clock)
                })
            }
            Kind::Iterative(rounds) => rounds.apply(limiter, context, (contacts, solids), velocity),
            Kind::Sle(system) => system.apply(limiter, context, velocity, clock),
            Kind::Inequality(one_sided) => {
                contacts.settle(context, solids, true, velocity);
                one_sided.apply(limiter, context, (contacts, solids), velocity)
            }
        }
    }

    /// True when friction is part of the method.
    pub(super) fn does_friction(&self) -> bool {
        matches!(self.kind, Kind::Impulse(_) | Kind::ImpulseNewton(_))
    }

    /// The velocity pass, with positions and velocities at the end of the step.
    pub(super) fn finish(
        &mut self,
        context: StepContext<'_>,
        contacts: &mut Contacts,
        (x, v): (&[DVec3], &mut [DVec3]),
        work: &mut LimiterWork,
    ) {
        let Self { settings: limiter, kind, clock, .. } = self;
        match kind {
            Kind::Iterative(rounds) => rounds.finish(limiter, context, contacts, (x, v), work),
            Kind::Sle(system) => {
                system.finish(limiter, context, x, v, work, clock);
                contacts.settle_velocities(v);
            }
            _ => contacts.settle_velocities(v),
        }
    }

    /// Multipliers that the next step starts from [kg m²].
    pub(super) fn multipliers(&self) -> &[f64] {
        match &self.kind {
            Kind::Inequality(one_sided) => one_sided.multipliers(),
            _ => &[],
        }
    }

    /// Seconds spent in each stage of the linear solver so far.
    pub(super) fn clock(&self) -> SolverClock {
        self.clock
    }
}
