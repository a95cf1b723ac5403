//! The implicit integrators on a hanging sheet: one step in full motion, and the matrix product inside.

mod common;

use common::{hanging, square, woven};
use divan::{Bencher, black_box};
use glam::{DMat3, DVec3};
use muslin::linalg::{BlockMatrix, Pattern};
use muslin::mesh::Diagonals;
use muslin::settings::{Contact, Integrator, LimitMethod, Limiter, Newton};
use muslin::{Settings, State, Stepper};

fn main() {
    divan::main();
}

/// Particles along a side of the sheet.
const SIDES: [u32; 2] = [41, 81];
/// Stiffness of its threads [N/m].
const MEMBRANE: f64 = 2000.0;
/// The sheet swings through here, with every element at work [s].
const WARM_UP: f64 = 0.3;

/// Measures the step after the warm-up, again and again.
fn bench_step(bencher: Bencher<'_, '_>, side: u32, integrator: Integrator, step: f64) {
    let model = hanging(&square(side, Diagonals::Both), woven(MEMBRANE));
    let settings = Settings {
        step,
        integrator,
        limiter: Limiter { method: LimitMethod::None, ..Limiter::default() },
        contact: Contact::default(),
    };
    let mut stepper = Stepper::new(&model, &settings);
    let mut swinging = State::start(&model);
    while swinging.time < WARM_UP {
        stepper.step(&model, &mut swinging, ()).expect("the values stay finite");
    }
    bencher.with_inputs(|| swinging.clone()).bench_local_values(|mut state| {
        stepper.step(&model, &mut state, ()).expect("the values stay finite");
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
    let model = hanging(&square(side, Diagonals::Both), woven(MEMBRANE));
    let mut matrix =
        BlockMatrix::zero(Pattern::new(model.len(), model.hinges.iter().map(|hinge| &hinge.particles[..])));
    for i in 0..model.len() {
        matrix.add_diagonal(i, DMat3::IDENTITY);
    }
    let mut product = vec![DVec3::ZERO; model.len()];
    bencher.bench_local(|| matrix.multiply(black_box(&model.start), &mut product));
}
