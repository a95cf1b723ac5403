//! Runs that go through made-up shapes, recorded.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::Path;

use glam::{DVec2, DVec3};
use muslin::mesh::{Diagonals, GridSpec};
use muslin::model::{Body, Chain, Cloth, Pin, Skin, World};
use muslin::report::StepReport;
use muslin::settings::{Contact, Integrator, LimitMethod, Limiter};
use muslin::{Mesh, Model, Settings, State, measure};
use muslin_record::{Outcome, Playback, Recorder, RunFolder, RunInfo, Timings};
use muslin_render::{Film, FilmOptions};

pub(crate) const LIMIT: f64 = 0.01;
/// One step a frame [s].
pub(crate) const FRAME: f64 = 0.1;

/// A square metre, level, of 6 × 6 particles.
pub(crate) fn sheet() -> Mesh {
    GridSpec { size: DVec2::ONE, particles: [6, 6], diagonals: Diagonals::Both, triangles: false }.build().unwrap()
}

/// A chain of five particles along x, a metre long.
pub(crate) fn chain() -> Mesh {
    Mesh {
        positions: (0..5).map(|k| DVec3::X * (0.25 * f64::from(k))).collect(),
        lines: (1..5).map(|k| [k - 1, k]).collect(),
        ..Mesh::default()
    }
}

/// Cloth of springs: the motion is made up anyway.
pub(crate) fn model(mesh: Mesh, pins: Vec<Pin>) -> Model {
    let count = mesh.positions.len();
    let springs = Chain { mass: 1.0, bob: 0.0, stiffness: 10.0, rest_length: None, damping: 0.0 };
    let cloth = Cloth {
        name: "cloth".to_owned(),
        start: mesh.positions.clone(),
        start_velocity: vec![DVec3::ZERO; count],
        mesh,
        body: Body::Chain(springs),
        pins,
        skin: Skin::default(),
    };
    Model::build(vec![cloth], vec![], World::default()).unwrap()
}

/// Records a run that goes through some shapes, given by what becomes of each particle of the start.
fn record(folder: &Path, model: &Model, frames: u64, place: &dyn Fn(u64, DVec3) -> DVec3) {
    let mut state = State::start(model);
    let start = state.x.clone();
    let limiter = Limiter { stretch: LIMIT, ..Limiter::new(LimitMethod::Bridson) };
    let info = RunInfo {
        scene: "made up".to_owned(),
        scene_text: "# made up\n".to_owned(),
        inputs: Vec::new(),
        settings: Settings {
            step: FRAME,
            integrator: Integrator::SymplecticEuler,
            limiter,
            contact: Contact::default(),
        },
        frames_planned: frames,
        mdd_frames_per_second: None,
        threads: 1,
        seed: 0,
        probes: Vec::new(),
        notes: Vec::new(),
        command: "muslin run".to_owned(),
        camera: None,
        repair: None,
    };
    let move_to = |state: &mut State, frame: u64| {
        state.x.iter_mut().zip(&start).for_each(|(x, start)| *x = place(frame, *start));
        (state.step, state.time) = (frame, frame as f64 * FRAME);
    };
    move_to(&mut state, 0);
    let strains = |state: &State| measure::edge_strains(model, &state.x);
    let first = measure::frame(model, &state);
    let run = RunFolder::create(folder, false).unwrap();
    let mut recorder = Recorder::start(run, model, &state, &first, &strains(&state), info).unwrap();
    for frame in 1..=frames {
        move_to(&mut state, frame);
        let measured = measure::frame(model, &state);
        let mut report = StepReport::default();
        (report.step, report.time, report.centre) = (frame, state.time, measured.centre);
        (report.worst_strain, report.worst_edge) = (measured.strain.worst, measured.strain.worst_edge);
        report.least_strain = -measured.strain.compressed_worst;
        (report.work.newton_rounds, report.work.cg_iterations) = (1, 1);
        recorder.step(model, &report, &[], &state);
        recorder.frame(model, &state, &measured, &strains(&state), &Timings::default()).unwrap();
    }
    recorder.finish(model, &Outcome { completed: true, ..Outcome::default() }).unwrap();
}

/// A film of a run that goes through some shapes.
pub(crate) fn film(model: &Model, frames: u64, options: FilmOptions, place: &dyn Fn(u64, DVec3) -> DVec3) -> Film {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), model, frames, place);
    let run = RunFolder::open_recorded(folder.path()).unwrap();
    let playback = Playback::open(&run, model, &run.report().unwrap()).unwrap();
    Film::new(playback, options).unwrap()
}
