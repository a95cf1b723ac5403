//! One step, read from top to bottom.

use std::time::Instant;

use glam::DVec3;

use crate::contact::Solids;
use crate::drivers::{Drivers, Freedom};
use crate::energy::{ClothEnergy, EnergyMeter};
use crate::error::{Stage, StepError};
use crate::integrate::{Integration, Motion, StepContext};
use crate::interrupt::Interrupt;
use crate::limit::Limiting;
use crate::measure;
use crate::model::Model;
use crate::report::{StepReport, Work};
use crate::settings::{Integrator, LimitMethod, Settings};
use crate::state::{Before, State};
use crate::timing::{SolverClock, StageClock};

/// The settings made runnable, plus working memory. A new one at any step gives the same results.
#[derive(Debug)]
pub struct Stepper {
    h: f64,
    interrupt: Interrupt,
    drivers: Drivers,
    solids: Solids,
    integration: Integration,
    limiting: Limiting,
    motion: Motion,
    /// The state under construction; the caller's is replaced only when the whole step has succeeded.
    next: State,
    energy: EnergyMeter,
    work: Work,
    clock: StageClock,
}

impl Stepper {
    /// A stepper for a model. `certified` brings its own integrator, [`Integrator::Substeps`], whatever the settings say:
    /// its substeps have the forces in them, and those of another one would act twice.
    pub fn new(model: &Model, settings: &Settings) -> Self {
        let integrator = match settings.limiter.method {
            LimitMethod::Certified(_) => Integrator::Substeps,
            _ => settings.integrator,
        };
        Self {
            h: settings.step,
            interrupt: Interrupt::default(),
            drivers: Drivers::default(),
            // `certified` has its own, for each cloth.
            solids: match settings.limiter.method {
                LimitMethod::Certified(_) => Solids::none(),
                _ => Solids::new(model),
            },
            integration: Integration::new(integrator, model),
            limiting: Limiting::new(settings, model),
            motion: Motion::default(),
            next: State::start(model),
            energy: EnergyMeter::new(model),
            work: Work::default(),
            clock: StageClock::default(),
        }
    }

    /// Takes one step. On an error the state is as it was before.
    ///
    /// ```
    /// use muslin::model::{Body, Chain, Cloth, World};
    /// use muslin::settings::{Contact, Integrator, LimitMethod, Limiter};
    /// use muslin::{DVec3, Model, Settings, State, Stepper, mesh::ChainSpec};
    ///
    /// // One kilogram on a spring, let go: after a tenth of a second it falls at nearly g t.
    /// let mesh = ChainSpec { from: DVec3::ZERO, to: DVec3::NEG_Y, particles: 2 }.build()?;
    /// let body = Body::Chain(Chain { mass: 1.0, bob: 0.0, stiffness: 10.0, rest_length: None, damping: 0.0 });
    /// let (start, start_velocity) = (mesh.positions.clone(), vec![DVec3::ZERO; 2]);
    /// let cloth = Cloth { name: "spring".into(), mesh, start, start_velocity, body, pins: vec![] };
    /// let model = Model::build(vec![cloth], World::default())?;
    /// let limiter = Limiter { method: LimitMethod::None, ..Limiter::default() };
    /// let mut stepper = Stepper::new(&model, &Settings { step: 0.01, integrator: Integrator::Exact, limiter, contact: muslin::settings::Contact::default() });
    /// let mut state = State::start(&model);
    /// for _ in 0..10 {
    ///     stepper.step(&model, &mut state)?;
    /// }
    /// assert!((state.v[0].y + 0.981).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&mut self, model: &Model, state: &mut State) -> Result<StepReport, StepError> {
        self.drive(model, state); //           1 pins and solids: who is held, and where they go
        self.predict(model, state)?; //        2 forces and integration: the motion if nothing were limited
        self.limit(model, state)?; //          3 strain limits and contact: the mean velocity changes
        self.advance(model, state)?; //        4 positions move, only here
        self.finish(model, state)?; //         5 velocities at the end of the step
        let report = self.measure(model, state); // 6 what the step says of itself
        self.commit(state);
        Ok(report)
    }

    /// Energies at the end of the last accepted step, and the work done in it, one per cloth.
    pub fn energies(&self) -> &[ClothEnergy] {
        self.energy.cloths()
    }

    /// What stops a step that is under way.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Seconds spent in each stage so far.
    pub fn clock(&self) -> &StageClock {
        &self.clock
    }

    /// Seconds spent in each stage of the limiter's linear solver so far.
    pub fn solver_clock(&self) -> &SolverClock {
        self.limiting.clock()
    }

    fn drive(&mut self, model: &Model, state: &State) {
        let start = Instant::now();
        self.work = Work::default();
        self.drivers.update(model, &state.x, state.time + self.h);
        self.solids.begin(model, state.time, self.h);
        self.clock.add(Stage::Drive, start);
    }

    fn predict(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        let start = Instant::now();
        let context = StepContext { model, state, drivers: &self.drivers, h: self.h, interrupt: &self.interrupt };
        self.work = self.integration.predict(context, &mut self.motion);
        self.clock.add(Stage::Predict, start);
        self.check_motion(Stage::Predict, state)
    }

    fn limit(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        let start = Instant::now();
        let context = StepContext { model, state, drivers: &self.drivers, h: self.h, interrupt: &self.interrupt };
        self.next.doublings.clone_from(&state.doublings);
        let Self { solids, motion, next, work, .. } = self;
        self.limiting.apply(context, solids, motion, &mut next.doublings, work)?;
        self.clock.add(Stage::Limit, start);
        self.check_motion(Stage::Limit, state)
    }

    fn advance(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        let start = Instant::now();
        self.next.step = state.step + 1;
        self.next.time = next_time(state.time, self.h);
        for (i, x) in self.next.x.iter_mut().enumerate() {
            *x = match self.drivers.freedom[i] {
                Freedom::Fixed => self.drivers.target[i],
                _ => state.x[i] + self.motion.velocity[i] * self.h,
            };
        }
        for follower in &model.followers {
            if let Some(leader) = follower.leader {
                self.next.x[follower.particle as usize] = self.next.x[leader as usize];
            }
        }
        self.clock.add(Stage::Advance, start);
        check_finite("position", Stage::Advance, self.next.step, &self.next.x)
    }

    fn finish(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        let start = Instant::now();
        let context = StepContext { model, state, drivers: &self.drivers, h: self.h, interrupt: &self.interrupt };
        let State { x, v, .. } = &mut self.next;
        let work = self.integration.finish(context, &self.motion, x, v);
        self.work.cg_iterations += work.cg_iterations;
        self.work.unsolved |= work.unsolved;
        self.limiting.finish(context, &self.motion, x, v, &mut self.work);
        for follower in &model.followers {
            let leader = follower.leader.map_or(DVec3::ZERO, |leader| self.next.v[leader as usize]);
            self.next.v[follower.particle as usize] = leader;
        }
        self.clock.add(Stage::Finish, start);
        self.check_interrupt(state)?;
        check_finite("velocity", Stage::Finish, self.next.step, &self.next.v)
    }

    fn measure(&mut self, model: &Model, state: &State) -> StepReport {
        let start = Instant::now();
        let context = StepContext { model, state, drivers: &self.drivers, h: self.h, interrupt: &self.interrupt };
        self.energy.measure(context, &self.solids, &self.next, self.limiting.work_account());
        let extremes = measure::extreme_strains(model, &self.next.x);
        let report = StepReport {
            step: self.next.step,
            time: self.next.time,
            worst_strain: extremes.map_or(0.0, |(most, _)| most.strain),
            worst_edge: extremes.map(|(most, _)| most.edge),
            least_strain: extremes.map_or(0.0, |(_, least)| least.strain),
            centre: measure::centre_of_mass(model, &self.next.x),
            work: self.work,
        };
        self.clock.add(Stage::Measure, start);
        report
    }

    /// Hands the new state over and keeps the old one where the integrator needs it.
    fn commit(&mut self, state: &mut State) {
        std::mem::swap(&mut state.x, &mut self.next.x);
        std::mem::swap(&mut state.v, &mut self.next.v);
        std::mem::swap(&mut state.doublings, &mut self.next.doublings);
        (state.time, state.step) = (self.next.time, self.next.step);
        if self.integration.needs_history() {
            let before = state.before.get_or_insert_with(|| Before { x: Vec::new(), v: Vec::new(), step: self.h });
            before.x.clone_from(&self.next.x);
            before.v.clone_from(&self.next.v);
            before.step = self.h;
            self.limiting.rewrite_history(self.h, &state.x, &state.v, before);
        }
    }

    fn check_motion(&self, stage: Stage, state: &State) -> Result<(), StepError> {
        self.check_interrupt(state)?;
        check_finite("velocity", stage, state.step + 1, &self.motion.velocity)?;
        check_finite("velocity", stage, state.step + 1, &self.motion.end_velocity)
    }

    /// Loops of a stage end early when they are interrupted; what they have left is not a step.
    fn check_interrupt(&self, state: &State) -> Result<(), StepError> {
        if self.interrupt.asked() { Err(StepError::Interrupted { step: state.step + 1 }) } else { Ok(()) }
    }
}

/// The end of a step of length `h` that starts at `time` [s]. Equal steps from 0 are counted, not added up, so that their
/// rounding does not grow and a frame ends where it should.
fn next_time(time: f64, h: f64) -> f64 {
    let steps = (time / h).round();
    if (time - steps * h).abs() < 1e-6 * h { (steps + 1.0) * h } else { time + h }
}

fn check_finite(quantity: &'static str, stage: Stage, step: u64, values: &[DVec3]) -> Result<(), StepError> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(particle) => Err(StepError::NotFinite { particle, quantity, value: values[particle], stage, step }),
    }
}
