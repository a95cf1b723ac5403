//! Surveys frames for contact with solids.

use muslin::settings::Contact;
use muslin::{Model, State};

use crate::tally::FrameSurvey;

/// What surveys frames, with its working memory.
#[derive(Debug)]
pub(super) struct Inspector {}

impl Inspector {
    pub(super) fn new(model: &Model, settings: &Contact) -> Option<Self> {
        (settings.verify && !model.colliders.is_empty()).then_some(Self {})
    }

    pub(super) fn survey(&mut self, _model: &Model, _state: &State) -> FrameSurvey {
        FrameSurvey::default()
    }
}
