//! Stub.
use glam::DVec3;

use crate::integrate::StepContext;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::settings::{Iterative, Limiter};

#[derive(Debug)]
pub(super) struct Loop {}

impl Loop {
    pub(super) fn new(_own: Iterative, _model: &Model) -> Self {
        Self {}
    }

    pub(super) fn apply(
        &mut self,
        _limiter: &Limiter,
        _context: StepContext<'_>,
        _velocity: &mut [DVec3],
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
    ) {
    }
}
