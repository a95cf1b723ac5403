//! A small run for tests: two strips of cloth, and measures that follow from formulas.

use glam::DVec3;
use muslin::mesh::{Direction, Topology};
use muslin::model::{ClothPart, LimitedEdge, World};
use muslin::report::{Energies, FrameReport, Momenta, StepReport, Strain, Work};
use muslin::settings::{Integrator, LimitMethod, Limiter};
use muslin::{Mesh, Model, Settings, State};

use crate::recorder::RunInfo;
use crate::report::Timings;
use crate::tally::Probe;

/// Steps per frame of the test run.
pub(crate) const STEPS: u64 = 4;
/// Length of its steps [s].
pub(crate) const STEP: f64 = 1.0 / 120.0;

/// Cloths that are chains of the given numbers of particles, 1 m apart along x. The only place where tests build a model.
pub(crate) fn model(cloths: &[(&str, u32)]) -> Model {
    let mut parts = Vec::new();
    let (mut start, mut edges) = (Vec::new(), Vec::new());
    for &(name, count) in cloths {
        let first = start.len();
        let positions: Vec<_> = (0..count).map(|i| DVec3::new(f64::from(i), 0.0, 0.0)).collect();
        let lines: Vec<_> = (1..count).map(|i| [i - 1, i]).collect();
        let first_edge = edges.len();
        let edge = |&[a, b]: &[u32; 2]| LimitedEdge {
            a: a + first as u32,
            b: b + first as u32,
            rest: 1.0,
            direction: Direction::Bias,
        };
        edges.extend(lines.iter().map(edge));
        start.extend(&positions);
        parts.push(ClothPart {
            name: name.to_owned(),
            particles: first..start.len(),
            edges: first_edge..edges.len(),
            mesh: Mesh { positions, lines, ..Mesh::default() },
            topology: Topology::default(),
        });
    }
    let count = start.len();
    Model {
        cloths: parts,
        mass: vec![1.0; count],
        start,
        start_velocity: vec![DVec3::ZERO; count],
        edges,
        springs: Vec::new(),
        choi_ko: Vec::new(),
        corners: Vec::new(),
        hinges: Vec::new(),
        triangles: Vec::new(),
        particle_area: vec![0.0; count],
        damping_rate: vec![0.0; count],
        gravity: DVec3::new(0.0, -9.81, 0.0),
        air: World::default().air,
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
    let strain = |edge: &LimitedEdge| state.x[edge.a as usize].distance(state.x[edge.b as usize]) / edge.rest - 1.0;
    model.edges.iter().map(strain).collect()
}

/// Measures of a frame.
pub(crate) fn frame(model: &Model, state: &State) -> FrameReport {
    let strains = strains(model, state);
    let worst = strains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let strain = Strain {
        worst,
        worst_edge: strains.iter().position(|&strain| strain == worst),
        p99: worst,
        mean: strains.iter().sum::<f64>() / strains.len() as f64,
        compressed_worst: 0.0,
        compressed_edge: None,
    };
    let mass = model.total_mass();
    let centre = state.x.iter().zip(&model.mass).map(|(x, m)| *x * *m).sum::<DVec3>() / mass;
    let kinetic = state.v.iter().zip(&model.mass).map(|(v, m)| 0.5 * m * v.length_squared()).sum();
    let energies = Energies { kinetic, gravity: 9.81 * mass * centre.y, ..Energies::default() };
    let linear = state.v.iter().zip(&model.mass).map(|(v, m)| *v * *m).sum();
    let momenta = Momenta { linear, angular: DVec3::ZERO };
    FrameReport { time: state.time, steps: state.step, strain, energies, momenta, centre }
}

/// Made-up times: a millisecond a step.
pub(crate) fn timings(steps: u64) -> Timings {
    let wall_s = 0.001 * steps as f64;
    let stages = [("predict".to_owned(), 0.75 * wall_s), ("limit".to_owned(), 0.25 * wall_s)].into();
    Timings { wall_s, cpu_s: wall_s, stages }
}
