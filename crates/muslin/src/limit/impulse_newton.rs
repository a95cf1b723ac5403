//! Stub.
use glam::DVec3;

use crate::integrate::StepContext;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::settings::{ImpulseNewton, Limiter};
use crate::timing::SolverClock;

#[derive(Debug)]
pub(super) struct NewtonSystem {}

impl NewtonSystem {
    pub(super) fn new(_own: ImpulseNewton, _model: &Model) -> Self {
        Self {}
    }

    pub(super) fn apply(
        &mut self,
        _limiter: &Limiter,
        _context: StepContext<'_>,
        _velocity: &mut [DVec3],
        _clock: &mut SolverClock,
    ) -> LimiterWork {
        LimiterWork::default()
    }
}
