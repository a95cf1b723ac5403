//! Without the feature `limiters` integrators are left alone: nothing is limited, and solids are met after each step.

use glam::DVec3;

use crate::contact::{Contacts, Solids};
use crate::integrate::StepContext;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::settings::Limiter;
use crate::timing::SolverClock;

/// No limiter.
#[derive(Debug)]
pub(super) struct Method;

#[allow(clippy::unused_self, reason = "the same interface as with limiters")]
impl Method {
    pub(super) fn new(_: Limiter, _: &Model) -> Self {
        Self
    }

    pub(super) fn limit(&mut self, _: StepContext<'_>, _: (&mut Contacts, &Solids), _: &mut [DVec3]) -> LimiterWork {
        LimiterWork::default()
    }

    pub(super) fn does_friction(&self) -> bool {
        false
    }

    pub(super) fn finish(
        &mut self,
        _: StepContext<'_>,
        contacts: &mut Contacts,
        (_, v): (&[DVec3], &mut [DVec3]),
        _: &mut LimiterWork,
    ) {
        contacts.settle_velocities(v);
    }

    pub(super) fn multipliers(&self) -> &[f64] {
        &[]
    }

    pub(super) fn clock(&self) -> SolverClock {
        SolverClock::default()
    }
}
