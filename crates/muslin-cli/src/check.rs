//! `muslin check`: is a scene sound, what would it do, and what would it cost.

mod solids;

use std::time::{Duration, Instant};

use muslin::{State, StepError, Stepper};
use muslin_scene::Scene;
use serde_json::{Value, json};

use crate::args::CheckOptions;
use crate::console::print;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::progress::{duration, three_digits};
use crate::session::Session;

/// Longest trial of the stepper; the cost of a run is reckoned from it.
const TRIAL: Duration = Duration::from_millis(500);

pub(crate) fn check(options: &CheckOptions) -> Result<Exit, Failure> {
    interrupt::listen();
    let (scene, session) = match prepare(options) {
        Err(failure) if options.json => {
            print(&format!("{}\n", serde_json::to_string_pretty(&problems(&failure)).unwrap_or_default()))?;
            return Err(failure);
        }
        prepared => prepared?,
    };
    let (state, repair) = session.start();
    let start = solids::Start::of(&session.model, repair);
    let trial = Trial::run(&session, state, steps(&scene, &session));
    let facts = facts(&scene, &session, &trial, &start);
    if options.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&facts).unwrap_or_default()))?;
    } else {
        print(&describe(&scene, &session, &trial, &start, &facts))?;
    }
    // Nothing is wrong with the file, but a run would stop as the trial did.
    Ok(if trial.trouble.is_some() { Exit::Broken } else { Exit::Kept })
}

fn prepare(options: &CheckOptions) -> Result<(Scene, Session), Failure> {
    let scene = Scene::load(options.scene.name(), &options.scene.set)?;
    let session = Session::new(&scene)?;
    Ok((scene, session))
}

/// What is wrong with a scene, for programs.
fn problems(failure: &Failure) -> Value {
    let problems = failure.problems().iter().map(|problem| {
        json!({ "message": problem.message, "key": problem.key, "value": problem.value, "help": problem.help })
    });
    json!({ "sound": false, "problems": problems.collect::<Vec<_>>() })
}

/// The first steps of a run, timed.
struct Trial {
    steps: u32,
    seconds: f64,
    trouble: Option<String>,
}

impl Trial {
    fn run(session: &Session, mut state: State, most: u64) -> Self {
        let mut stepper = Stepper::new(&session.model, &session.settings);
        let start = Instant::now();
        let mut trial = Self { steps: 0, seconds: 0.0, trouble: None };
        while start.elapsed() < TRIAL && u64::from(trial.steps) < most {
            if let Err(error) = stepper.step(&session.model, &mut state) {
                trial.trouble = Some(match error {
                    // What stands against each other does so in short steps too.
                    StepError::Blocked { .. } | StepError::Unkept { .. } | StepError::Interrupted { .. } => {
                        error.to_string()
                    }
                    StepError::NotFinite { .. } => format!("{error}; a shorter `time.step`, or \"auto\", may help"),
                });
                break;
            }
            trial.steps += 1;
        }
        trial.seconds = start.elapsed().as_secs_f64();
        trial
    }

    /// Seconds that so many steps would take.
    fn extrapolate(&self, steps: u64) -> f64 {
        self.seconds / f64::from(self.steps.max(1)) * steps as f64
    }
}

/// Steps of the whole run.
fn steps(scene: &Scene, session: &Session) -> u64 {
    u64::from(scene.frames) * u64::from(session.steps_per_frame)
}

fn facts(scene: &Scene, session: &Session, trial: &Trial, start: &solids::Start) -> Value {
    let model = &session.model;
    let steps = steps(scene, session);
    let cloths = model.cloths.iter().map(|part| {
        json!({
            "name": part.name, "vertices": part.particles.len(), "faces": part.mesh.faces.len(),
            "structural_edges": part.edges.len(), "mass_kg": model.mass[part.particles.clone()].iter().sum::<f64>(),
        })
    });
    let held = model.pins.iter().map(|pin| pin.particles.len()).sum::<usize>();
    json!({
        "scene": scene.name, "title": scene.title, "sound": trial.trouble.is_none(),
        "frames": scene.frames, "frames_per_second": scene.frames_per_second,
        "steps_per_frame": session.steps_per_frame, "step_s": session.settings.step, "steps": steps,
        "integrator": session.settings.integrator, "limiter": session.settings.limiter,
        "cloths": cloths.collect::<Vec<_>>(), "held_particles": held,
        "colliders": solids::facts(model), "start": start.facts(model),
        "elements": {
            "springs": model.springs.len(), "choi_ko": model.choi_ko.len(), "corners": model.corners.len(),
            "hinges": model.hinges.len(), "air_triangles": model.air_triangles.len(),
        },
        "notes": session.notes, "first_steps_failed": trial.trouble,
        "cost": {
            "wall_s": trial.extrapolate(steps), "measured_steps": trial.steps,
            "disk_bytes": 12 * model.len() as u64 * u64::from(scene.frames + 1),
        },
    })
}

fn describe(scene: &Scene, session: &Session, trial: &Trial, start: &solids::Start, facts: &Value) -> String {
    let model = &session.model;
    let verdict = if trial.trouble.is_some() { "its first steps FAIL" } else { "sound" };
    let mut lines = vec![format!("{}: {verdict}. {}", scene.name, scene.title)];
    for part in &model.cloths {
        let mass: f64 = model.mass[part.particles.clone()].iter().sum();
        lines.push(format!(
            "cloth     `{}`: {} vertices, {} faces, {} structural edges, {mass:.4} kg",
            part.name,
            part.particles.len(),
            part.mesh.faces.len(),
            part.edges.len()
        ));
    }
    lines.extend(solids::describe(model));
    lines.extend(start.describe(model));
    lines.push(format!("held      {} particles by {} pins", facts["held_particles"], model.pins.len()));
    let elements = &facts["elements"];
    lines.push(format!(
        "elements  {} springs, {} corners, {} hinges, {} Choi–Ko connections",
        elements["springs"], elements["corners"], elements["hinges"], elements["choi_ko"]
    ));
    lines.push(format!(
        "steps     {} frames at {} a second, {} steps a frame of {} s, {} in all",
        scene.frames,
        scene.frames_per_second,
        session.steps_per_frame,
        three_digits(session.settings.step),
        facts["steps"]
    ));
    let name = |value: &Value| value["method"].as_str().unwrap_or_default().to_owned();
    let (integrator, limiter) = (name(&facts["integrator"]), name(&facts["limiter"]));
    lines.push(format!(
        "methods   integrator `{integrator}`, limiter `{limiter}`, stretch limit {}",
        scene.limiter.stretch
    ));
    lines.extend(session.notes.iter().map(|note| format!("note      {note}")));
    lines.push(match &trial.trouble {
        Some(trouble) => format!("trouble   {trouble}"),
        None => format!(
            "cost      about {} on this machine (from the first {} steps), {:.1} MB of caches",
            duration(facts["cost"]["wall_s"].as_f64().unwrap_or(0.0)),
            trial.steps,
            facts["cost"]["disk_bytes"].as_f64().unwrap_or(0.0) / 1e6
        ),
    });
    lines.join("\n") + "\n"
}
