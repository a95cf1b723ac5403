//! The step of the published methods, in stages: any integrator with any limiter.
//!
//! ```text
//! predict    forces and integration: the motion if nothing were limited
//! limit      strain limits and contact: the mean velocity changes
//! advance    positions move, only here
//! finish     velocities at the end of the step
//! ```

use glam::DVec3;

use crate::contact::Solids;
use crate::drivers::Freedom;
use crate::error::{Stage, StepError, check_finite};
use crate::integrate::{Integration, StepContext, StepVelocities};
use crate::limit::Limiting;
use crate::model::Model;
use crate::report::Work;
use crate::settings::Settings;
use crate::state::{Before, State};
use crate::timing::{SolverClock, StageClock};

/// Integrator, limiter and contact, with their working memory.
#[derive(Debug)]
pub(crate) struct Staged {
    solids: Solids,
    integration: Integration,
    limiting: Limiting,
    motion: StepVelocities,
}

impl Staged {
    pub(crate) fn new(settings: &Settings, model: &Model) -> Self {
        Self {
            solids: Solids::new(model),
            integration: Integration::new(settings.integrator, model),
            limiting: Limiting::new(settings, model),
            motion: StepVelocities::default(),
        }
    }

    /// The solids of the last step.
    pub(crate) fn solids(&self) -> &Solids {
        &self.solids
    }

    /// Seconds spent in each stage of the limiter's linear solver so far.
    pub(crate) fn solver_clock(&self) -> SolverClock {
        self.limiting.clock()
    }

    /// Takes all cloths through a step, to positions and velocities of `next`.
    pub(crate) fn step(
        &mut self,
        context: StepContext<'_>,
        next: &mut State,
        clock: &mut StageClock,
    ) -> Result<Work, StepError> {
        self.solids.begin(context.model, context.surroundings(), context.h);
        let mut work = clock.time(Stage::Predict, || self.predict(context))?;
        clock.time(Stage::Limit, || self.limit(context, &mut work))?;
        clock.time(Stage::Advance, || self.advance(context, &mut next.x));
        clock.time(Stage::Finish, || self.finish(context, next, &mut work));
        Ok(work)
    }

    fn predict(&mut self, context: StepContext<'_>) -> Result<Work, StepError> {
        let work = self.integration.predict(context, &mut self.motion);
        self.check(Stage::Predict, context)?;
        Ok(work)
    }

    fn limit(&mut self, context: StepContext<'_>, work: &mut Work) -> Result<(), StepError> {
        self.limiting.apply(context, &mut self.solids, &mut self.motion, work);
        self.check(Stage::Limit, context)
    }

    fn advance(&self, context: StepContext<'_>, x: &mut [DVec3]) {
        for (i, x) in x.iter_mut().enumerate() {
            *x = match context.drivers.freedom[i] {
                Freedom::Fixed => context.drivers.target[i],
                _ => context.state.x[i] + self.motion.velocity[i] * context.h,
            };
        }
        context.model.followers_to_leaders(x);
    }

    fn finish(&mut self, context: StepContext<'_>, next: &mut State, work: &mut Work) {
        let State { x, v, .. } = next;
        let solved = self.integration.finish(context, &self.motion, x, v);
        work.cg_iterations += solved.cg_iterations;
        work.unsolved |= solved.unsolved;
        self.limiting.finish(context, &self.motion, x, v, work);
    }

    /// Keeps what the next step needs of this one: the limiter's multipliers and, for integrators of two steps, where
    /// it started: `old` holds its positions and velocities.
    pub(crate) fn remember(&self, h: f64, state: &mut State, old: &State) {
        state.multipliers.clear();
        state.multipliers.extend_from_slice(self.limiting.multipliers());
        if self.integration.needs_history() {
            let before = state.before.get_or_insert_with(|| Before { x: Vec::new(), v: Vec::new(), step: h });
            before.x.clone_from(&old.x);
            before.v.clone_from(&old.v);
            before.step = h;
            self.limiting.rewrite_history(h, &state.x, &state.v, before);
        }
    }

    /// Loops of a stage end early when they are interrupted; what they have left is not a step.
    fn check(&self, stage: Stage, context: StepContext<'_>) -> Result<(), StepError> {
        let step = context.state.step + 1;
        context.interrupt.check(step)?;
        check_finite("velocity", stage, step, &self.motion.velocity)?;
        check_finite("velocity", stage, step, &self.motion.end_velocity)
    }
}
