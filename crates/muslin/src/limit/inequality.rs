//! Stub.
use glam::DVec3;

use crate::integrate::StepContext;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::settings::{Inequality, Limiter};

#[derive(Debug)]
pub(super) struct ActiveSets {}

impl ActiveSets {
    pub(super) fn new(_own: Inequality, _model: &Model) -> Self {
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
}
