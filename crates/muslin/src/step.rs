//! One step, read from top to bottom.

use glam::DVec3;

use crate::certified::Certifier;
use crate::drivers::{Drivers, Freedom};
use crate::energy::{ClothEnergy, EnergyMeter, WorkAccount};
use crate::error::{Stage, StepError, check_finite};
use crate::inputs::{AsInputs, Inputs};
use crate::integrate::StepContext;
use crate::interrupt::Interrupt;
use crate::measure;
use crate::model::Model;
use crate::report::{StepReport, Work};
use crate::settings::{LimitMethod, Settings};
use crate::staged::Staged;
use crate::state::State;
use crate::timing::{SolverClock, StageClock};

/// The settings made runnable, plus working memory. A new one at any step gives the same results.
#[derive(Debug)]
pub struct Stepper {
    h: f64,
    interrupt: Interrupt,
    drivers: Drivers,
    method: StepMethod,
    /// The state under construction; the caller's is replaced only when the whole step has succeeded.
    next: State,
    energy: EnergyMeter,
    clock: StageClock,
}

/// The method of a step, with its working memory.
#[derive(Debug)]
enum StepMethod {
    /// Substeps with limits and contact, verified: one method. It brings its own integrator, whatever the settings say.
    Certified(Box<Certifier>),
    /// The published methods: an integrator, then a limiter.
    Staged(Box<Staged>),
}

impl Stepper {
    /// A stepper for a model. `certified` brings its own integrator, whatever the settings say: its substeps have the
    /// forces in them, and those of another one would act twice.
    pub fn new(model: &Model, settings: &Settings) -> Self {
        Self {
            h: settings.step,
            interrupt: Interrupt::default(),
            drivers: Drivers::default(),
            method: if let LimitMethod::Certified(own) = settings.limiter.method {
                StepMethod::Certified(Box::new(Certifier::new(own, settings, model)))
            } else {
                StepMethod::Staged(Box::new(Staged::new(settings, model)))
            },
            next: State::start(model),
            energy: EnergyMeter::new(model),
            clock: StageClock::default(),
        }
    }

    /// Forgets that earlier steps ended clear of every solid: the next one starts from a state that they did not make.
    pub fn forget(&mut self) {
        if let StepMethod::Certified(certifier) = &mut self.method {
            certifier.forget();
        }
    }

    /// Takes one step, with [`Inputs`] or `()` for none. On an error the state is as it was before, and the next step
    /// may be taken from there.
    ///
    /// ```
    /// use muslin::model::{Body, Chain, Cloth, Skin, World};
    /// use muslin::settings::{Contact, Integrator, LimitMethod, Limiter};
    /// use muslin::{DVec3, Model, Settings, State, Stepper, mesh::ChainSpec};
    ///
    /// // One kilogram on a spring, let go: after a tenth of a second it falls at nearly g t.
    /// let mesh = ChainSpec { from: DVec3::ZERO, to: DVec3::NEG_Y, particles: 2 }.build()?;
    /// let body = Body::Chain(Chain { mass: 1.0, bob: 0.0, stiffness: 10.0, rest_length: None, damping: 0.0 });
    /// let (start, start_velocity) = (mesh.positions.clone(), vec![DVec3::ZERO; 2]);
    /// let name = "spring".into();
    /// let cloth = Cloth { name, mesh, start, start_velocity, body, pins: vec![], skin: Skin::default() };
    /// let model = Model::build(vec![cloth], vec![], World::default())?;
    /// let limiter = Limiter { method: LimitMethod::None, ..Limiter::default() };
    /// let contact = muslin::settings::Contact::default();
    /// let settings = Settings { step: 0.01, integrator: Integrator::Exact, limiter, contact };
    /// let mut stepper = Stepper::new(&model, &settings);
    /// let mut state = State::start(&model);
    /// for _ in 0..10 {
    ///     stepper.step(&model, &mut state, ())?;
    /// }
    /// assert!((state.v[0].y + 0.981).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&mut self, model: &Model, state: &mut State, inputs: impl AsInputs) -> Result<StepReport, StepError> {
        let outcome = self.try_step(model, state, inputs.as_inputs());
        // Not before: stages, and cloths on other threads, see it for as long as the step is under way.
        if matches!(outcome, Err(StepError::Interrupted { .. })) {
            self.interrupt.clear();
        }
        outcome
    }

    fn try_step(&mut self, model: &Model, state: &mut State, inputs: Option<&Inputs>) -> Result<StepReport, StepError> {
        self.drive(model, state, inputs)?; // which particles are pinned, where pins and solids go
        let work = self.advance(model, state)?; //     the method: forces, limits, contact
        self.settle(model, state)?; //                 pinned particles, followers; all that is left are numbers
        let report = self.measure(model, state, work); // what the step says of itself
        self.commit(state);
        Ok(report)
    }

    /// Energies at the end of the last accepted step, and the work done in it, one per cloth.
    pub fn energies(&self) -> &[ClothEnergy] {
        self.energy.cloths()
    }

    /// What stops a step that is under way, or the next one: once.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Seconds spent in each stage so far; `certified` as a whole counts as [`Stage::Limit`].
    pub fn clock(&self) -> &StageClock {
        &self.clock
    }

    /// Seconds spent in each stage of the limiter's linear solver so far.
    pub fn solver_clock(&self) -> SolverClock {
        match &self.method {
            StepMethod::Certified(_) => SolverClock::default(),
            StepMethod::Staged(staged) => staged.solver_clock(),
        }
    }

    fn drive(&mut self, model: &Model, state: &State, inputs: Option<&Inputs>) -> Result<(), StepError> {
        let Self { drivers, clock, h, .. } = self;
        let end_time = state.time + *h;
        inputs.map_or(Ok(()), |inputs| inputs.check(model, end_time))?;
        clock.time(Stage::Drive, || drivers.begin(model, state, inputs, end_time));
        check_finite("velocity", Stage::Drive, state.step + 1, &state.v)
    }

    fn advance(&mut self, model: &Model, state: &State) -> Result<Work, StepError> {
        let Self { h, interrupt, drivers, method, next, clock, .. } = self;
        let context = StepContext { model, state, drivers, h: *h, interrupt };
        (next.step, next.time) = (state.step + 1, next_time(state.time, *h));
        match method {
            StepMethod::Certified(certifier) => clock.time(Stage::Limit, || certifier.step(context, next)),
            StepMethod::Staged(staged) => staged.step(context, next, clock),
        }
    }

    fn settle(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        let Self { drivers, next, .. } = self;
        let State { x, v, .. } = next;
        for i in 0..model.len() {
            if drivers.freedom[i] == Freedom::Fixed {
                x[i] = drivers.target[i];
            }
        }
        for follower in &model.followers {
            v[follower.particle as usize] = DVec3::ZERO;
        }
        model.followers_to_leaders(x);
        model.followers_to_leaders(v);
        self.interrupt.check(state.step + 1)?;
        check_finite("position", Stage::Advance, self.next.step, &self.next.x)?;
        check_finite("velocity", Stage::Finish, self.next.step, &self.next.v)
    }

    fn measure(&mut self, model: &Model, state: &State, work: Work) -> StepReport {
        let Self { h, interrupt, drivers, method, next, energy, clock, .. } = self;
        let context = StepContext { model, state, drivers, h: *h, interrupt };
        clock.time(Stage::Measure, || {
            let account = match method {
                StepMethod::Certified(certifier) => WorkAccount::Own(certifier.accounts()),
                StepMethod::Staged(staged) => WorkAccount::Estimate(staged.solids()),
            };
            energy.measure(context, next, account);
            let extremes = measure::extreme_strains(model, &next.x);
            StepReport {
                step: next.step,
                time: next.time,
                worst_strain: extremes.map_or(0.0, |(most, _)| most.strain),
                worst_edge: extremes.map(|(most, _)| most.edge),
                least_strain: extremes.map_or(0.0, |(_, least)| least.strain),
                centre: measure::centre_of_mass(model, &next.x),
                work,
            }
        })
    }

    /// Hands the new state over and keeps the old one where the integrator needs it.
    fn commit(&mut self, state: &mut State) {
        std::mem::swap(&mut state.x, &mut self.next.x);
        std::mem::swap(&mut state.v, &mut self.next.v);
        std::mem::swap(&mut state.given, &mut self.drivers.given);
        (state.time, state.step) = (self.next.time, self.next.step);
        match &self.method {
            StepMethod::Certified(_) => std::mem::swap(&mut state.doublings, &mut self.next.doublings),
            StepMethod::Staged(staged) => staged.remember(self.h, state, &self.next),
        }
    }
}

/// The end of a step of length `h` that starts at `time` [s]. Equal steps from 0 are counted, not added up, so that
/// their rounding does not grow and a frame ends where it should.
fn next_time(time: f64, h: f64) -> f64 {
    let steps = (time / h).round();
    if (time - steps * h).abs() < 1e-6 * h { (steps + 1.0) * h } else { time + h }
}
