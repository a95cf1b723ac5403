//! Stub.
use glam::DVec3;

use crate::integrate::StepContext;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::settings::{Limiter, Sle};
use crate::timing::SolverClock;

#[derive(Debug)]
pub(super) struct SleSystem {}

impl SleSystem {
    pub(super) fn new(_own: Sle, _model: &Model) -> Self {
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

    pub(super) fn finish(
        &mut self,
        _limiter: &Limiter,
        _context: StepContext<'_>,
        _x: &[DVec3],
        _v: &mut [DVec3],
        _work: &mut LimiterWork,
        _clock: &mut SolverClock,
    ) {
    }
}
