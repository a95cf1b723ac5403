//! Strain limiters (METHODS §3), one file each. A limiter changes one thing only: the mean velocity of the step, and so
//! the preview q = x + h v of where the particles will be.

mod bridson;
mod provot;

use glam::DVec3;

use crate::integrate::StepContext;
use crate::model::{LimitedEdge, Model};
use crate::settings::{LimitMethod, Limiter};

/// A limiter and its working memory.
#[derive(Debug)]
pub struct Limiting {
    settings: Limiter,
    /// Preview positions [m].
    preview: Vec<DVec3>,
    rounds: bridson::Rounds,
}

impl Limiting {
    /// Prepares a limiter for a model.
    pub fn new(settings: Limiter, model: &Model) -> Self {
        Self { settings, preview: vec![DVec3::ZERO; model.len()], rounds: bridson::Rounds::new(model) }
    }

    /// Changes the mean velocity of the step so that edges respect their limits, as far as the method can; returns the
    /// number of rounds it took.
    pub fn apply(&mut self, context: StepContext<'_>, velocity: &mut [DVec3]) -> u32 {
        match self.settings.method {
            LimitMethod::None => 0,
            LimitMethod::Provot => provot::apply(&self.settings, context, &mut self.preview, velocity),
            LimitMethod::Bridson => bridson::apply(&self.settings, context, &mut self.rounds, velocity),
        }
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
