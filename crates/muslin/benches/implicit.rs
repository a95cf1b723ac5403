//! The implicit integrators on a hanging sheet: one step in full motion, and the matrix product inside.

use divan::{Bencher, black_box};
use glam::{DMat3, DVec2, DVec3};
use muslin::linalg::{BlockMatrix, Pattern};
use muslin::mesh::{Diagonals, GridSpec};
use muslin::model::{Bending, Body, Cloth, Damping, Hold, Material, Motion, Pin, Shear, Surface, World};
use muslin::settings::{Integrator, LimitMethod, Limiter, Newton};
use muslin::{Model, Settings, State, Stepper};

fn main() {
    divan::main();
}

/// Particles along a side of the sheet.
const SIDES: [u32; 2] = [41, 81];
/// The sheet swings through here, with every element at work [s].
const WARM_UP: f64 = 0.3;

/// 1 m × 1 m, held at two corners of one side.
fn hanging_sheet(side: u32) -> Model {
    let material = Material {
        density: 0.15,
        stretch_warp: 2000.0,
        stretch_weft: 2000.0,
        shear: 40.0,
        bending: 1e-5,
        damping: Damping { stretch: 0.02, shear: 0.02, bending: 0.02, mass: 0.0 },
        drag: 0.0,
        skin_drag: 0.0,
    };
    let spec = GridSpec { size: DVec2::ONE, particles: [side, side], diagonals: Diagonals::Both, triangles: false };
    let mesh = spec.build().expect("the grid is sound");
    let surface =
        Surface { material, shear: Shear::Diagonals, bending: Bending::Hinges, weak_springs: 0.0, folds: Vec::new() };
    let cloth = Cloth {
        name: "sheet".into(),
        start: mesh.positions.clone(),
        start_velocity: vec![DVec3::ZERO; mesh.positions.len()],
        mesh,
        body: Body::Surface(surface),
        pins: vec![Pin { particles: vec![0, side - 1], hold: Hold::Fixed(Motion::default()), release: None }],
    };
    Model::build(vec![cloth], World::default()).expect("the sheet is sound")
}

/// Measures the step after the warm-up, again and again.
fn bench_step(bencher: Bencher<'_, '_>, side: u32, integrator: Integrator, step: f64) {
    let model = hanging_sheet(side);
    let settings = Settings { step, integrator, limiter: Limiter { method: LimitMethod::None, ..Limiter::default() } };
    let mut stepper = Stepper::new(&model, &settings);
    let mut swinging = State::start(&model);
    while swinging.time < WARM_UP {
        stepper.step(&model, &mut swinging).expect("the values stay finite");
    }
    bencher.with_inputs(|| swinging.clone()).bench_local_values(|mut state| {
        stepper.step(&model, &mut state).expect("the values stay finite");
        state
    });
}

#[divan::bench(args = SIDES, max_time = 5)]
fn bdf2_step(bencher: Bencher<'_, '_>, side: u32) {
    bench_step(bencher, side, Integrator::Bdf2(Newton::default()), 1.0 / 120.0);
}

#[divan::bench(args = SIDES, max_time = 5)]
fn backward_euler_step(bencher: Bencher<'_, '_>, side: u32) {
    bench_step(bencher, side, Integrator::BackwardEuler(Newton::default()), 1.0 / 30.0);
}

/// A product with the couplings of the sheet's hinges.
#[divan::bench(args = SIDES)]
fn matrix_product(bencher: Bencher<'_, '_>, side: u32) {
    let model = hanging_sheet(side);
    let mut matrix =
        BlockMatrix::zero(Pattern::new(model.len(), model.hinges.iter().map(|hinge| &hinge.particles[..])));
    for i in 0..model.len() {
        matrix.add_diagonal(i, DMat3::IDENTITY);
    }
    let mut product = vec![DVec3::ZERO; model.len()];
    bencher.bench_local(|| matrix.multiply(black_box(&model.start), &mut product));
}
