//! What the report says can be recomputed from the caches beside it.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::Path;

use muslin::mesh::ChainSpec;
use muslin::model::{Body, Chain, Cloth, Hold, Motion, Pin, Skin, World};
use muslin::settings::{Contact, Integrator, LimitMethod, Limiter};
use muslin::{DVec3, Model, Settings, State, Stepper, measure};
use muslin_record::{Outcome, Pc2, Recorder, Report, RunFolder, RunInfo, Timings};
use tempfile::tempdir;

const FRAMES: u64 = 30;
const STEPS: u64 = 4;

/// A horizontal rope of springs, pinned at one end, that swings down and stretches.
fn rope() -> Model {
    let mesh = ChainSpec { from: DVec3::new(0.1, 2.0, -0.3), to: DVec3::new(1.1, 2.0, -0.3), particles: 9 };
    let mesh = mesh.build().unwrap();
    let pin = Pin { particles: vec![0], hold: Hold::Fixed(Motion::default()), release: None };
    let cloth = Cloth {
        name: "rope".to_owned(),
        start: mesh.positions.clone(),
        start_velocity: vec![DVec3::ZERO; 9],
        mesh,
        body: Body::Chain(Chain { mass: 0.5, bob: 0.2, stiffness: 20.0, rest_length: None, damping: 0.0 }),
        pins: vec![pin],
        skin: Skin::default(),
    };
    Model::build(vec![cloth], vec![], World::default()).unwrap()
}

fn info() -> RunInfo {
    let limiter = Limiter { method: LimitMethod::None, ..Limiter::default() };
    RunInfo {
        scene: "rope".to_owned(),
        scene_text: "# by hand\n".to_owned(),
        inputs: Vec::new(),
        settings: Settings {
            step: 1.0 / 120.0,
            integrator: Integrator::SymplecticEuler,
            limiter,
            contact: Contact::default(),
        },
        frames_planned: FRAMES,
        mdd_frames_per_second: None,
        threads: 1,
        seed: 0,
        probes: Vec::new(),
        notes: Vec::new(),
        command: "muslin run rope".to_owned(),
        camera: None,
        repair: None,
    }
}

fn run(dir: &Path) -> Report {
    let (model, info) = (rope(), info());
    let mut stepper = Stepper::new(&model, &info.settings);
    let mut state = State::start(&model);
    let folder = RunFolder::create(dir, false).unwrap();
    let strains = measure::edge_strains(&model, &state.x);
    let first = measure::frame(&model, &state);
    let mut recorder = Recorder::start(folder, &model, &state, &first, &strains, info).unwrap();
    for _ in 0..FRAMES {
        for _ in 0..STEPS {
            let report = stepper.step(&model, &mut state, ()).unwrap();
            recorder.step(&model, &report, stepper.energies(), &state);
        }
        let strains = measure::edge_strains(&model, &state.x);
        recorder.frame(&model, &state, &measure::frame(&model, &state), &strains, &Timings::default()).unwrap();
    }
    recorder.finish(&model, &Outcome { completed: true, ..Outcome::default() }).unwrap()
}

/// Vertices and lines of an OBJ file.
fn read_obj(path: &Path) -> (Vec<DVec3>, Vec<[usize; 2]>) {
    let text = fs::read_to_string(path).unwrap();
    let numbers = |line: &str| line.split(' ').map(|word| word.parse::<f64>().unwrap()).collect::<Vec<_>>();
    let of_kind = |kind| text.lines().filter_map(move |line| line.strip_prefix(kind)).map(numbers);
    let vertices = of_kind("v ").map(|v| DVec3::new(v[0], v[1], v[2])).collect();
    (vertices, of_kind("l ").map(|l| [l[0] as usize - 1, l[1] as usize - 1]).collect())
}

#[test]
fn the_worst_strain_of_the_report_is_the_one_in_the_caches() {
    let dir = tempdir().unwrap();
    let report = run(dir.path());
    let (rest, edges) = read_obj(&dir.path().join("rope.obj"));
    let frames = Pc2::read(&dir.path().join("rope.pc2")).unwrap();
    assert_eq!(frames.len() as u64, FRAMES + 1);

    let strain = |frame: &[DVec3], [a, b]: [usize; 2]| frame[a].distance(frame[b]) / rest[a].distance(rest[b]) - 1.0;
    let all = frames
        .iter()
        .enumerate()
        .flat_map(|(number, frame)| edges.iter().map(move |&edge| (strain(frame, edge), number as u64, edge)));
    let (worst, number, [a, b]) = all.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();

    // f32 rounds coordinates below 4 m by at most 2⁻²³ m; both ends, three axes, on edges of 1/8 m.
    let tolerance = 8.0 * 2.0 * 3.0 * 2_f64.powi(-23);
    assert!((worst - report.strain.worst).abs() < tolerance, "{worst} instead of {}", report.strain.worst);
    assert!(worst > 0.01, "the rope should stretch, to be a test at all: {worst}");
    let edge = report.strain.worst_edge.unwrap();
    assert_eq!((report.strain.worst_frame, edge.vertices), (number, [a as u32, b as u32]));
    assert!(!report.strain.kept);
    assert!(report.strain.worst_step >= report.strain.worst);
}
