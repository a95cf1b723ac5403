//! Stub.
use glam::DVec3;

use crate::error::StepError;
use crate::integrate::StepContext;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::settings::{Certified, Limiter, Settings};

#[derive(Debug)]
pub(super) struct Certifier {}

impl Certifier {
    pub(super) fn new(_own: Certified, _settings: &Settings, _model: &Model) -> Self {
        Self {}
    }

    pub(super) fn apply(
        &mut self,
        _limiter: &Limiter,
        _context: StepContext<'_>,
        _velocity: &mut [DVec3],
    ) -> Result<LimiterWork, StepError> {
        Ok(LimiterWork::default())
    }
}
