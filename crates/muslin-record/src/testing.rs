//! A small run for tests: two strips of cloth, and measures that follow from formulas.

use std::path::Path;
use std::sync::Arc;

use glam::DVec3;
use muslin::collide::{Pose, Shape};
use muslin::model::{Body, Chain, Cloth, Collider, Ease, Key, Motion, ShapeCache, Skin, Solid, SolidMesh, World};
use muslin::report::{FrameReport, StepReport};
use muslin::settings::{Contact, Integrator, LimitMethod, Limiter};
use muslin::{Mesh, Model, Settings, State, energy, measure};

use crate::folder::RunFolder;
use crate::recorder::{Outcome, Recorder, RunInfo};
use crate::report::Timings;
use crate::tally::Probe;

/// Steps per frame of the test run.
pub(crate) const STEPS: u64 = 4;
/// Length of its steps [s].
pub(crate) const STEP: f64 = 1.0 / 120.0;

/// Cloths that are chains of the given numbers of particles, 1 m apart along x.
pub(crate) fn model(cloths: &[(&str, u32)]) -> Model {
    let chain = |count: u32| Mesh {
        positions: (0..count).map(|i| DVec3::new(f64::from(i), 0.0, 0.0)).collect(),
        lines: (1..count).map(|i| [i - 1, i]).collect(),
        ..Mesh::default()
    };
    meshes(cloths.iter().map(|&(name, count)| (name, chain(count))).collect())
}

/// Cloths with these meshes, of 1 kg a particle. Springs along the edges are enough: the motion is made up anyway.
pub(crate) fn meshes(cloths: Vec<(&str, Mesh)>) -> Model {
    let cloth = |(name, mesh): (&str, Mesh)| {
        let count = mesh.positions.len();
        let chain = Chain { mass: count as f64, bob: 0.0, stiffness: 10.0, rest_length: None, damping: 0.0 };
        Cloth {
            name: name.to_owned(),
            start: mesh.positions.clone(),
            start_velocity: vec![DVec3::ZERO; count],
            mesh,
            body: Body::Chain(chain),
            pins: Vec::new(),
            skin: Skin::default(),
        }
    };
    Model::build(cloths.into_iter().map(cloth).collect(), vec![], World::default()).unwrap()
}

/// Records a run of the made-up motion to its end; gives back the state of every frame.
pub(crate) fn record(dir: &Path, model: &Model, frames: u64) -> Vec<State> {
    record_with(dir, model, frames, RunInfo { probes: Vec::new(), frames_planned: frames, ..info() })
}

/// The same with all that is passed to the recorder.
pub(crate) fn record_with(dir: &Path, model: &Model, frames: u64, info: RunInfo) -> Vec<State> {
    let mut state = State::start(model);
    let folder = RunFolder::create(dir, false).unwrap();
    let first = frame(model, &state);
    let mut recorder = Recorder::start(folder, model, &state, &first, &strains(model, &state), info).unwrap();
    let mut states = vec![state.clone()];
    for _ in 0..frames {
        for _ in 0..STEPS {
            let report = step(model, &mut state);
            recorder.step(model, &report, &energy::at(model, &state), &state);
        }
        let measured = frame(model, &state);
        recorder.frame(model, &state, &measured, &strains(model, &state), &timings(state.step)).unwrap();
        states.push(state.clone());
    }
    recorder.finish(model, &Outcome { completed: true, ..Outcome::default() }).unwrap();
    states
}

/// The model of the test run: cloths `sheet` and `rod`.
pub(crate) fn two_cloths() -> Model {
    model(&[("sheet", 4), ("rod", 3)])
}

/// The same with solids: a level plane `floor` 3 m below, a `ball` of 0.5 m that moves 2 m along z in the first second,
/// a tetrahedron `jelly` that grows to twice its height in that time, and a `crate` at rest.
pub(crate) fn with_solids(mut model: Model) -> Model {
    let shape = |shape: Shape, at: DVec3| Solid::Shape { shape, pose: Pose::at(at) };
    let key = |time: f64, z: f64| Key { time, translate: DVec3::Z * z, axis: DVec3::Y, angle: 0.0 };
    let ride = Motion { keys: vec![key(0.0, 0.0), key(1.0, 2.0)], ease: Ease::Linear, centre: DVec3::ZERO };
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Z, DVec3::Y].map(|corner| corner + DVec3::new(5.0, -2.0, 0.0));
    let mesh = SolidMesh { positions: corners.into(), triangles: vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]] };
    let mut grown = mesh.positions.clone();
    grown[3] += DVec3::Y;
    let cache = ShapeCache { start: 0.0, interval: 1.0, shapes: vec![mesh.positions.clone(), grown] };
    let solids = [
        ("floor", shape(Shape::Plane, DVec3::Y * -3.0), Motion::default()),
        ("ball", shape(Shape::Sphere { radius: 0.5 }, DVec3::Y * -2.0), ride),
        ("jelly", Solid::Deforming { mesh, cache: Arc::new(cache) }, Motion::default()),
        ("crate", shape(Shape::Box { half: DVec3::splat(0.25) }, DVec3::X * -3.0), Motion::default()),
    ];
    let cloths = model.cloths.len();
    model.colliders.extend(solids.map(|(name, solid, motion)| Collider {
        name: name.to_owned(),
        solid,
        motion,
        thickness: vec![0.001; cloths],
        friction: vec![0.3; cloths],
    }));
    model
}

/// What a run passes to the recorder.
pub(crate) fn info() -> RunInfo {
    let limiter = Limiter::new(LimitMethod::Bridson);
    RunInfo {
        scene: "strips".to_owned(),
        scene_text: "name = \"strips\" # <two> & more\n".to_owned(),
        inputs: Vec::new(),
        settings: Settings {
            step: STEP,
            integrator: Integrator::SymplecticEuler,
            limiter,
            contact: Contact::default(),
        },
        frames_planned: 6,
        mdd_frames_per_second: None,
        threads: 2,
        seed: 1,
        probes: vec![Probe { name: "bob".to_owned(), particle: 6 }],
        notes: Vec::new(),
        command: "muslin run strips.toml --set 'limiter.stretch=0.01'".to_owned(),
        camera: None,
        repair: None,
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
    let mut report = StepReport::default();
    (report.step, report.time, report.centre) = (state.step, state.time, measured.centre);
    (report.worst_strain, report.worst_edge) = (measured.strain.worst, measured.strain.worst_edge);
    report.least_strain = -measured.strain.compressed_worst;
    (report.work.newton_rounds, report.work.cg_iterations, report.work.limiter.rounds) = (1, 10, 3);
    report
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
    Timings { wall_s, cpu_s: wall_s, process_wall_s: 2.0 * wall_s, process_cpu_s: 3.0 * wall_s, stages }
}
