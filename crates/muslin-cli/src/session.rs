//! A scene made ready to step: model, settings, steps per frame.

use muslin::contact::{Repair, repair};
use muslin::integrate::auto_step;
use muslin::{Model, Settings, State};
use muslin_record::Probe;
use muslin_scene::Scene;

use crate::exit::Failure;
use crate::progress::Activity;

/// Everything a run steps with.
pub(crate) struct Session {
    pub(crate) model: Model,
    pub(crate) settings: Settings,
    pub(crate) steps_per_frame: u32,
    pub(crate) probes: Vec<Probe>,
    pub(crate) notes: Vec<String>,
}

impl Session {
    pub(crate) fn new(scene: &Scene, activity: &Activity) -> Result<Self, Failure> {
        activity.now("building the scene");
        let built = scene.build()?;
        let frame = scene.frame_length();
        let steps_per_frame = scene
            .steps_per_frame
            .unwrap_or_else(|| (frame / auto_step(&scene.integrator, &built.model, frame)).round().max(1.0) as u32);
        let probes = built.probes.into_iter().map(|(name, particle)| Probe { name, particle }).collect();
        let settings = scene.settings(steps_per_frame);
        Ok(Self { model: built.model, settings, steps_per_frame, probes, notes: built.notes })
    }

    /// Where a run starts, and what was moved out of solids for that; none where the scene does not want it.
    pub(crate) fn start(&self, activity: &Activity) -> (State, Option<Repair>) {
        activity.now("moving cloth out of solids");
        let mut state = State::start(&self.model);
        let wanted = self.settings.contact.repair;
        let done = wanted.then(|| repair(&self.model, &mut state.x, state.time, self.settings.limiter.stretch));
        (state, done)
    }
}
