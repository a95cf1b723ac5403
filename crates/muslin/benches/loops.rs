//! The limiters that iterate over edges, and `none` for comparison, over the size of the sheet: rounds and time per
//! step, on one thread. A square metre hangs by two corners, falls from flat and swings; steps are 1/120 s, the limit
//! is 1 %. Every case has two seconds: large ones get no further than the first steps of the fall, and say how many.

mod common;

use std::time::{Duration, Instant};

use common::{bare, hanging, square};
use muslin::mesh::{Diagonals, GridSpec};
use muslin::settings::{Contact, Direction, Inequality, Integrator, Iterative, LimitMethod, Limiter, Newmark};
use muslin::{Settings, State, Stepper};

/// Particles along a side of the sheet.
const SIDES: [u32; 7] = [10, 20, 30, 40, 50, 81, 161];
/// Most steps per case.
const STEPS: u32 = 240;
/// Most time per case.
const PATIENCE: Duration = Duration::from_secs(2);

fn main() {
    println!(
        "method               side    rows  steps  rounds/step  velocity  products/step   ms/step  unfinished  \
         worst strain"
    );
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    one.install(|| {
        for (name, method) in methods() {
            for side in SIDES {
                run(name, method, side);
            }
        }
    });
}

fn methods() -> [(&'static str, LimitMethod); 6] {
    let iterative = |direction| LimitMethod::Iterative(Iterative { direction, ..Iterative::default() });
    [
        ("none", LimitMethod::None),
        ("provot", LimitMethod::Provot),
        ("bridson", LimitMethod::Bridson),
        ("iterative, start", iterative(Direction::Start)),
        ("iterative, current", iterative(Direction::Current)),
        ("inequality", LimitMethod::Inequality(Inequality::default())),
    ]
}

fn run(name: &str, method: LimitMethod, side: u32) {
    let triangles = matches!(method, LimitMethod::Inequality(_));
    let model = hanging(&GridSpec { triangles, ..square(side, Diagonals::One) }, bare());
    let integrator = if triangles { Integrator::Newmark(Newmark::default()) } else { Integrator::Exact };
    let limiter = Limiter::new(method);
    let settings = Settings { step: 1.0 / 120.0, integrator, limiter, contact: Contact::default() };
    let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
    let (mut steps, mut rounds, mut velocity, mut products, mut unfinished) = (0, 0, 0, 0, 0);
    let mut worst: f64 = 0.0;
    let start = Instant::now();
    while steps < STEPS && start.elapsed() < PATIENCE {
        let report = stepper.step(&model, &mut state, ()).expect("the values stay finite");
        let work = report.work.limiter;
        steps += 1;
        rounds += work.rounds;
        velocity += work.velocity_rounds;
        products += work.iterations;
        unfinished += u32::from(work.unfinished);
        worst = worst.max(report.worst_strain);
    }
    let per_step = |count: u32| f64::from(count) / f64::from(steps);
    println!(
        "{name:<20} {side:>4}  {:>6}  {steps:>5}  {:>11.1}  {:>8.1}  {:>13.0}  {:>8.2}  {:>9.0}%  {:>11.2}%",
        model.edges.len(),
        per_step(rounds),
        per_step(velocity),
        per_step(products),
        1e3 * start.elapsed().as_secs_f64() / f64::from(steps),
        100.0 * per_step(unfinished),
        100.0 * worst,
    );
}
