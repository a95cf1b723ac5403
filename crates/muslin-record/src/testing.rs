//! A small run for tests: two strips of cloth, and measures that follow from formulas.

use glam::DVec3;
use muslin::model::{Body, Chain, Cloth, World};
use muslin::report::{FrameReport, StepReport, Work};
use muslin::settings::{Integrator, LimitMethod, Limiter};
use muslin::{Mesh, Model, Settings, State, measure};

use crate::recorder::RunInfo;
use crate::report::Timings;
use crate::tally::Probe;

/// Steps per frame of the test run.
pub(crate) const STEPS: u64 = 4;
/// Length of its steps [s].
pub(crate) const STEP: f64 = 1.0 / 120.0;

/// Cloths that are chains of the given numbers of particles, 1 m apart along x. The only place where tests build a model.
pub(crate) fn model(cloths: &[(&str, u32)]) -> Model {
    let cloths = cloths.iter().map(|&(name, count)| chain(name, count)).collect();
    Model::build(cloths, World::default()).unwrap()
}

fn chain(name: &str, count: u32) -> Cloth {
    let positions: Vec<_> = (0..count).map(|i| DVec3::new(f64::from(i), 0.0, 0.0)).collect();
    let lines = (1..count).map(|i| [i - 1, i]).collect();
    let mass = f64::from(count);
    Cloth {
        name: name.to_owned(),
        start: positions.clone(),
        start_velocity: vec![DVec3::ZERO; positions.len()],
        mesh: Mesh { positions, lines, ..Mesh::default() },
        body: Body::Chain(Chain { mass, bob: 0.0, stiffness: 10.0, rest_length: None, damping: 0.0 }),
        pins: Vec::new(),
    }
}

/// The model of the test run: cloths `sheet` and `rod`.
pub(crate) fn two_cloths() -> Model {
    model(&[("sheet", 4), ("rod", 3)])
}

/// What a run has to tell the recorder.
pub(crate) fn info() -> RunInfo {
    let limiter = Limiter { method: LimitMethod::Bridson, stretch: 0.01, compress: None, max_iterations: 100 };
    RunInfo {
        scene: "strips".to_owned(),
        scene_text: "name = \"strips\" # <two> & more\n".to_owned(),
        inputs: Vec::new(),
        settings: Settings { step: STEP, integrator: Integrator::SymplecticEuler, limiter },
        frames_planned: 6,
        threads: 2,
        seed: 1,
        probes: vec![Probe { name: "bob".to_owned(), particle: 6 }],
        notes: Vec::new(),
        command: "muslin run strips.toml --set 'limiter.stretch=0.01'".to_owned(),
    }
}

/// Moves the state one step along a made-up motion: everything swings up and down, the rod stretches meanwhile.
pub(crate) fn step(model: &Model, state: &mut State) -> StepReport {
    state.step += 1;
    state.time = state.step as f64 * STEP;
    let (sin, cos) = (8.0 * state.time).sin_cos();
    for (x, start) in state.x.iter_mut().zip(&model.start) {
        *x = *start + DVec3::Y * (cos - 1.0);
    }
    state.v.fill(DVec3::new(0.0, -8.0 * sin, 0.0));
    if let Some(last) = state.x.last_mut() {
        last.x += 0.05 * sin.abs();
    }
    let measured = frame(model, state);
    StepReport {
        step: state.step,
        time: state.time,
        worst_strain: measured.strain.worst,
        worst_edge: measured.strain.worst_edge,
        least_strain: -measured.strain.compressed_worst,
        centre: measured.centre,
        work: Work { newton_rounds: 1, cg_iterations: 10, unsolved: false, limiter_rounds: 3 },
    }
}

/// Strain of every edge.
pub(crate) fn strains(model: &Model, state: &State) -> Vec<f64> {
    measure::edge_strains(model, &state.x)
}

/// Measures of a frame.
pub(crate) fn frame(model: &Model, state: &State) -> FrameReport {
    measure::frame(model, state)
}

/// Made-up times: a millisecond a step.
pub(crate) fn timings(steps: u64) -> Timings {
    let wall_s = 0.001 * steps as f64;
    let stages = [("predict".to_owned(), 0.75 * wall_s), ("limit".to_owned(), 0.25 * wall_s)].into();
    Timings { wall_s, cpu_s: wall_s, stages }
}
