//! Runs under `certified`, watched step by step.

use std::collections::VecDeque;

use glam::DVec3;
use muslin::contact::survey;
use muslin::model::{Chain, Cloth, Ease, Hold, Key, Motion, Pin};
use muslin::settings::{Contact, Integrator, Limiter};
use muslin::{ClothEnergy, Model, Settings, State, StepError, Stepper, measure};

use super::chain;

/// `certified` with its own integrator and the rounds that scenes give it.
pub fn certified(stretch: f64, step: f64) -> Settings {
    let limiter = Limiter { stretch, ..Limiter::default() };
    Settings { step, integrator: Integrator::Substeps, limiter, contact: Contact::default() }
}

/// The same for cloth that passes through itself and other cloth.
pub fn certified_alone(stretch: f64, step: f64) -> Settings {
    let settings = certified(stretch, step);
    Settings { contact: Contact { own: false, ..settings.contact }, ..settings }
}

/// A rope without stiffness that starts horizontally, its first particle pinned.
pub fn rope(particles: u32) -> Cloth {
    let own = Chain { mass: 0.1, bob: 0.05, stiffness: 0.0, rest_length: None, damping: 0.0 };
    chain(DVec3::ZERO, DVec3::X, particles, own)
}

/// Particles carried along straight lines between places, each given with its time [s] and displacement [m].
pub fn carried(particles: Vec<u32>, places: &[(f64, DVec3)]) -> Pin {
    let key = |&(time, translate): &(f64, DVec3)| Key { time, translate, axis: DVec3::Y, angle: 0.0 };
    let motion = Motion { keys: places.iter().map(key).collect(), ease: Ease::Linear, centre: DVec3::ZERO };
    Pin { particles, hold: Hold::Fixed(motion), release: None }
}

/// Places to and fro about the start at 2 m/s, for a second.
pub fn shaken(direction: DVec3) -> Vec<(f64, DVec3)> {
    (0..=20).map(|turn| (0.05 * f64::from(turn), direction * (0.1 * f64::from(turn % 2)))).collect()
}

/// What a watched run was like.
#[derive(Debug)]
pub struct Watched {
    pub state: State,
    /// Greatest strain after any step.
    pub worst: f64,
    /// Rounds over all rows, of all steps.
    pub rounds: u64,
    /// Greatest kinetic energy [J].
    pub moved: f64,
    /// How far energy, less the work done from outside, was above its highest of the half second before, at most [J].
    pub excess: f64,
    /// The same at the start less that at the end: what the cloth has dissipated [J].
    pub dissipated: f64,
}

impl Watched {
    /// Fails when energy came from nowhere: more than a hundredth of the greatest kinetic energy, or than a
    /// ten-thousandth of `scale` [J], weight times size. A good method's energy oscillates, so no single step is judged
    /// by the one before.
    #[track_caller]
    pub fn gains_nothing(&self, what: &str, scale: f64) {
        let allowed = (0.01 * self.moved).max(1e-4 * scale);
        assert!(self.excess <= allowed, "{what}: {} J from nowhere, {allowed} J are allowed", self.excess);
    }
}

/// Energy less work of all cloths over the last half second.
#[derive(Debug, Default)]
struct Ledger {
    recent: VecDeque<f64>,
    work: f64,
    moved: f64,
    excess: f64,
}

impl Ledger {
    fn add(&mut self, cloths: &[ClothEnergy], steps: usize) -> f64 {
        let kinetic: f64 = cloths.iter().map(|cloth| cloth.kinetic).sum();
        self.work += cloths.iter().map(|cloth| cloth.work.expect("certified accounts for work")).sum::<f64>();
        let now = cloths.iter().map(ClothEnergy::total).sum::<f64>() - self.work;
        let highest = self.recent.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if highest > f64::NEG_INFINITY {
            self.excess = self.excess.max(now - highest);
        }
        self.moved = self.moved.max(kinetic);
        self.recent.push_back(now);
        if self.recent.len() > steps {
            self.recent.pop_front();
        }
        now
    }
}

/// Steps a model from its start; fails as soon as an edge is over its limit, by however little.
#[track_caller]
pub fn watch(what: &str, model: &Model, settings: &Settings, duration: f64) -> Watched {
    let (mut state, mut stepper) = (State::start(model), Stepper::new(model, settings));
    let start = measure::energies(model, &state).total();
    let (limit, half_second) = (settings.limiter.stretch, (0.5 / settings.step).round() as usize);
    let mut ledger = Ledger { recent: VecDeque::from([start]), ..Ledger::default() };
    let (mut worst, mut rounds, mut end) = (f64::NEG_INFINITY, 0, start);
    for _ in 0..(duration / settings.step).round() as u64 {
        let report = match stepper.step(model, &mut state, ()) {
            Ok(report) => report,
            Err(error) => panic!("{what}: refused at {} s: {error}", state.time),
        };
        // The report's figure, and the same from the state that was handed over.
        let held = report.worst_strain <= limit && measure::strain(model, &state.x).worst <= limit;
        assert!(held, "{what}: strain {} at {} s, {limit} is allowed", report.worst_strain, report.time);
        worst = report.worst_strain.max(worst);
        rounds += u64::from(report.work.limiter.rounds + report.work.limiter.velocity_rounds);
        end = ledger.add(stepper.energies(), half_second);
    }
    Watched { state, worst, rounds, moved: ledger.moved, excess: ledger.excess, dissipated: start - end }
}

/// Steps until a step is refused; the state before it and the error.
#[track_caller]
pub fn refused(model: &Model, settings: &Settings, within: f64) -> (State, StepError) {
    let (mut state, mut stepper) = (State::start(model), Stepper::new(model, settings));
    while state.time < within {
        let before = state.clone();
        if let Err(error) = stepper.step(model, &mut state, ()) {
            assert!(state == before, "a refused step has left its traces");
            return (state, error);
        }
    }
    panic!("nothing was refused in {within} s");
}

/// Steps until the end or an error; fails when a step that was accepted has broken a promise.
#[track_caller]
pub fn probe(what: &str, model: &Model, settings: &Settings, duration: f64) -> (State, Result<(), StepError>) {
    let (mut state, mut stepper) = (State::start(model), Stepper::new(model, settings));
    for _ in 0..(duration / settings.step).round() as u32 {
        if let Err(error) = stepper.step(model, &mut state, ()) {
            return (state, Err(error));
        }
        let seen = survey(model, &state.x, state.time);
        let (gap, at) = (seen.min_gap(), state.time);
        assert!(seen.is_clear(), "{what}: gap {gap:?}, {} crossings at {at} s", seen.crossings);
        let strain = measure::strain(model, &state.x).worst;
        assert!(strain <= settings.limiter.stretch, "{what}: strain {strain} at {at} s");
    }
    (state, Ok(()))
}

/// The same for a run that is never refused, whatever it meets.
#[track_caller]
pub fn passes(what: &str, model: &Model, settings: &Settings, duration: f64) -> State {
    let (state, outcome) = probe(what, model, settings, duration);
    if let Err(error) = outcome {
        panic!("{what}: {error}");
    }
    state
}
