//! `muslin check`: is a scene sound, what would it do, and what would it cost.

mod solids;
mod trial;

use muslin_scene::{Ready, Scene};
use serde_json::{Value, json};

use crate::args::CheckOptions;
use crate::console::print;
use crate::exit::{Exit, Failure};
use crate::progress::{Activity, three_digits};
use crate::{interrupt, session};
use trial::Trial;

pub(crate) fn check(options: &CheckOptions) -> Result<Exit, Failure> {
    interrupt::listen();
    // Standard error is for people; programs that want JSON get no stages.
    let activity = Activity::start(options.json);
    let (scene, session) = match prepare(options, &activity) {
        Err(failure) if options.json => {
            print(&format!("{}\n", serde_json::to_string_pretty(&problems(&failure)).unwrap_or_default()))?;
            return Err(failure);
        }
        prepared => prepared?,
    };
    let simulation = session::start(&session, &activity)?;
    activity.now("looking for contact at the start");
    let start = solids::Start::of(&session.model, simulation.repair().cloned());
    activity.now("trying the first steps");
    let trial = Trial::run(&session, simulation.state(), steps(&scene, &session), scene.contact.repair);
    drop(activity);
    let facts = facts(&scene, &session, &trial, &start);
    if options.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&facts).unwrap_or_default()))?;
    } else {
        print(&describe(&scene, &session, &trial, &start, &facts))?;
    }
    // Nothing is wrong with the file, but a run would stop as the trial did.
    Ok(if trial.trouble.is_some() { Exit::Broken } else { Exit::Kept })
}

fn prepare(options: &CheckOptions, activity: &Activity) -> Result<(Scene, Ready), Failure> {
    activity.now("reading the scene");
    let scene = Scene::load(options.scene.name(), &options.scene.set)?;
    let session = session::ready(&scene, activity)?;
    Ok((scene, session))
}

/// What is wrong with a scene, for programs.
fn problems(failure: &Failure) -> Value {
    let problems = failure.problems().iter().map(|problem| {
        json!({ "message": problem.message, "key": problem.key, "value": problem.value, "help": problem.help })
    });
    json!({ "sound": false, "problems": problems.collect::<Vec<_>>() })
}

/// Steps of the whole run.
fn steps(scene: &Scene, session: &Ready) -> u64 {
    u64::from(scene.frames) * u64::from(session.steps_per_frame)
}

fn facts(scene: &Scene, session: &Ready, trial: &Trial, start: &solids::Start) -> Value {
    let model = &session.model;
    let steps = steps(scene, session);
    let cloths = model.cloths.iter().map(|part| {
        json!({
            "name": part.name, "vertices": part.particles.len(), "faces": part.mesh.faces.len(),
            "structural_edges": part.edges.len(), "mass_kg": model.mass[part.particles.clone()].iter().sum::<f64>(),
        })
    });
    let pinned = model.pins.iter().map(|pin| pin.particles.len()).sum::<usize>();
    json!({
        "scene": scene.name, "title": scene.title, "sound": trial.trouble.is_none(),
        "frames": scene.frames, "frames_per_second": scene.frames_per_second,
        "steps_per_frame": session.steps_per_frame, "step_s": session.settings.step, "steps": steps,
        "integrator": session.settings.integrator, "limiter": session.settings.limiter,
        "cloths": cloths.collect::<Vec<_>>(), "pinned_particles": pinned,
        "colliders": solids::facts(model), "start": start.facts(model),
        "elements": {
            "springs": model.springs.len(), "choi_ko": model.choi_ko.len(), "corners": model.corners.len(),
            "hinges": model.hinges.len(), "air_triangles": model.air_triangles.len(),
        },
        "notes": session.notes, "first_steps_failed": trial.trouble,
        "cost": {
            "wall_s": trial.seconds_of(steps), "wall_s_is_at_least": trial.is_at_least(),
            "measured_steps": trial.steps, "substeps_per_step": trial.substeps,
            "kicks_per_step": trial.kicks,
            "disk_bytes": 12 * model.len() as u64 * u64::from(scene.frames + 1),
        },
    })
}

fn describe(scene: &Scene, session: &Ready, trial: &Trial, start: &solids::Start, facts: &Value) -> String {
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
    lines.push(format!("pinned    {} particles by {} pins", facts["pinned_particles"], model.pins.len()));
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
    if let Some(trouble) = &trial.trouble {
        lines.push(format!("trouble   {trouble}"));
    } else {
        let (steps, bytes) = (steps(scene, session), facts["cost"]["disk_bytes"].as_f64().unwrap_or(0.0));
        lines.push(format!("cost      {}, {:.1} MB of caches", trial.cost(steps), bytes / 1e6));
        lines.extend(trial.why(steps, session).map(|why| format!("why       {why}")));
    }
    lines.join("\n") + "\n"
}
