//! The first steps of a run, timed, for at most two seconds: what a run costs is reckoned from them.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use muslin::integrate::step_of_soft_elements;
use muslin::settings::{LimitMethod, Settings};
use muslin::{Interrupt, State, StepError, Stepper};

use muslin_scene::Ready;

use crate::progress::{duration, three_digits};
use crate::trouble;

/// No step is begun after this.
const ENOUGH: Duration = Duration::from_millis(500);
/// A step that takes longer is interrupted.
const LONGEST: Duration = Duration::from_secs(1);
/// Where the first step does not end, a step so many times shorter is tried: its substeps are as long, so its cost is a
/// fair part of the whole.
const PART: f64 = 64.0;
/// Where that does not end either, one with so many impulses of soft forces is.
const KICKS_OF_A_PART: f64 = 32.0;
/// A part of a step that takes longer is interrupted.
const LONGEST_PART: Duration = Duration::from_millis(500);
/// A run that takes longer deserves a reason [s].
const LONG: f64 = 600.0;

/// What the first steps have shown.
pub(super) struct Trial {
    /// Steps that have ended.
    pub(super) steps: u32,
    /// The part of the first step that has ended where that did not: 64 is a 64th of it.
    part: Option<f64>,
    /// Time that a step takes, or has taken when it was interrupted [s].
    seconds: f64,
    /// Substeps of a step, of the limiter that has them.
    pub(super) substeps: Option<f64>,
    /// Impulses of soft forces in a step that their stability asks for, of the same limiter.
    pub(super) kicks: Option<f64>,
    /// Whether starts inside solids are repaired.
    repairs: bool,
    /// Why the first steps failed.
    pub(super) trouble: Option<String>,
}

impl Trial {
    pub(super) fn run(session: &Ready, state: &State, most: u64, repairs: bool) -> Self {
        let is_certified = matches!(session.settings.limiter.method, LimitMethod::Certified(_));
        let kicks = is_certified.then(|| session.settings.step / step_of_soft_elements(&session.model));
        let mut trial = Self { steps: 0, part: None, seconds: 0.0, substeps: None, kicks, repairs, trouble: None };
        trial.try_steps(session, &session.settings, state.clone(), most, LONGEST);
        let smallest = (kicks.unwrap_or(0.0) / KICKS_OF_A_PART).ceil().max(PART * PART);
        for part in [PART, smallest] {
            if trial.trouble.is_some() || trial.steps > 0 || !is_certified {
                break;
            }
            let settings = Settings { step: session.settings.step / part, ..session.settings.clone() };
            trial.try_steps(session, &settings, state.clone(), 1, LONGEST_PART);
            if trial.steps > 0 {
                trial.seconds *= part;
                trial.substeps = trial.substeps.map(|substeps| substeps * part);
                (trial.steps, trial.part) = (0, Some(part));
                break;
            }
        }
        trial
    }

    /// Takes steps until enough time has passed, and notes what one of them takes.
    fn try_steps(&mut self, session: &Ready, settings: &Settings, mut state: State, most: u64, longest: Duration) {
        let mut stepper = Stepper::new(&session.model, settings);
        let _deadline = Deadline::after(longest, stepper.interrupt());
        let (start, mut rounds) = (Instant::now(), 0_u64);
        let mut spent = 0.0;
        while start.elapsed() < ENOUGH && u64::from(self.steps) < most {
            match stepper.step(&session.model, &mut state, ()) {
                Ok(report) => {
                    self.steps += 1;
                    rounds += u64::from(report.work.limiter.rounds);
                    spent = start.elapsed().as_secs_f64();
                }
                Err(StepError::Interrupted { .. }) => break,
                Err(error) => {
                    self.trouble = Some(trouble::describe(&error, &session.model, state.time, self.repairs));
                    return;
                }
            }
        }
        if self.steps == 0 {
            self.seconds = self.seconds.max(start.elapsed().as_secs_f64());
            return;
        }
        self.seconds = spent / f64::from(self.steps);
        self.substeps = self.kicks.map(|_| rounds as f64 / f64::from(self.steps));
    }

    /// Seconds that so many steps would take, or more ([`Self::is_at_least`]).
    pub(super) fn seconds_of(&self, steps: u64) -> f64 {
        self.seconds * steps as f64
    }

    /// True when not even a part of a step has ended.
    pub(super) fn is_at_least(&self) -> bool {
        self.steps == 0 && self.part.is_none()
    }

    /// What so many steps would take, and how that is known.
    pub(super) fn cost(&self, steps: u64) -> String {
        let time = duration(self.seconds_of(steps));
        let substeps = self.substeps.map_or(String::new(), |count| format!(", {} substeps a step", whole(count)));
        match (self.steps, self.part) {
            (0, None) => {
                format!("more than {time} on this machine (the first step takes longer than {:.1} s)", self.seconds)
            }
            (0, Some(part)) => {
                format!("about {time} on this machine (from 1/{} of the first step{substeps})", whole(part))
            }
            (1, _) => format!("about {time} on this machine (from the first step{substeps})"),
            (count, _) => format!("about {time} on this machine (from the first {count} steps{substeps})"),
        }
    }

    /// Why a run of so many steps takes long, where it is for the sake of soft forces.
    pub(super) fn why(&self, steps: u64, session: &Ready) -> Option<String> {
        let kicks = self.kicks?;
        let often = self.substeps.is_none_or(|substeps| kicks > 0.5 * substeps);
        if self.seconds_of(steps) < LONG || !often {
            return None;
        }
        let model = &session.model;
        let moving = model.mass.iter().filter(|mass| **mass > 0.0);
        let mass = moving.clone().sum::<f64>() / moving.count().max(1) as f64;
        let edge = model.edges.iter().map(|edge| edge.rest).sum::<f64>() / model.edges.len().max(1) as f64;
        Some(format!(
            "bending, shear and their damping must act {} times a step to be stable: they are stiff for particles of \
             {} kg at edges of {} m; longer edges (fewer particles, larger cloth), a softer or less damped `material`, \
             or `limiter.method = \"none\"` (implicit, no limit) take less",
            whole(kicks),
            three_digits(mass),
            three_digits(edge)
        ))
    }
}

fn whole(count: f64) -> String {
    if count < 1e6 { format!("{count:.0}") } else { three_digits(count) }
}

/// Interrupts a step when its time is over, unless dropped before.
struct Deadline {
    _end: mpsc::Sender<()>,
}

impl Deadline {
    fn after(time: Duration, step: Interrupt) -> Self {
        let (end, ended) = mpsc::channel::<()>();
        std::thread::spawn(move || {
            if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                step.ask();
            }
        });
        Self { _end: end }
    }
}
