//! `certified` over the size of the sheet, and against plain Gauss–Seidel at the same limit, on one thread. A bare
//! square metre hangs by two corners and falls from flat; steps are 1/120 s, the limit is 1 %. Times are the
//! processor's, per simulated second. Large sheets get no further than a few steps, and say how many; that is the start
//! of the fall, which needs less work than the swing, so growth from there on is from below.

mod common;

use std::time::Duration;

use common::{bare, hanging, square};
use cpu_time::ThreadTime;
use muslin::mesh::Diagonals;
use muslin::model::Material;
use muslin::settings::{Contact, Integrator, Iterative, LimitMethod, Limiter};
use muslin::{Model, Settings, State, Stepper};

/// Particles along a side of the sheet, and the most steps for it.
const SIDES: [(u32, u32); 10] =
    [(10, 240), (20, 240), (30, 240), (40, 240), (50, 240), (81, 120), (161, 60), (251, 20), (351, 10), (501, 6)];
/// Sides of the sheets on which both methods run, and their steps.
const RACES: [(u32, u32); 3] = [(11, 240), (21, 240), (41, 120)];
/// Time after which a case ends with the step it is in.
const PATIENCE: Duration = Duration::from_secs(10);
/// Passes of Gauss–Seidel that end any trial.
const MOST_PASSES: u32 = 1 << 14;
/// Step [s].
const STEP: f64 = 1.0 / 120.0;
/// Limit of strain.
const STRETCH: f64 = 0.01;

fn main() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    one.install(|| {
        grow();
        race();
    });
}

/// The growth of `certified` with the sheet.
fn grow() {
    println!("certified, limit 1 %, steps of 1/120 s");
    println!(" side  vertices  steps  substeps/step  sweeps after/step  CPU s per s  grows as vertices^  worst strain");
    let mut before: Option<(f64, f64)> = None;
    for (side, steps) in SIDES {
        let model = hanging_sheet(side);
        let run = run(&model, &certified(), steps);
        let (vertices, cost) = (f64::from(side * side), run.cpu_per_second());
        let growth = before.map(|(fewer, less)| libm::log(cost / less) / libm::log(vertices / fewer));
        println!(
            "{side:>5}  {:>8}  {:>5}  {:>13.1}  {:>17.1}  {cost:>11.3}  {:>18}  {:>11.4}%",
            side * side,
            run.steps,
            run.per_step(run.rounds),
            run.per_step(run.velocity_rounds),
            growth.map_or_else(|| "-".to_owned(), |growth| format!("{growth:.2}")),
            100.0 * run.worst,
        );
        before = Some((vertices, cost));
    }
}

/// `certified` against sweeps that take one edge after the other, in steps of the same length.
fn race() {
    println!("\nplain Gauss–Seidel at the same limit, steps of 1/120 s; ratio: its CPU time to that of certified");
    println!(
        "method     side  steps  most passes  passes/step  CPU s per s  worst strain  certified: CPU s per s  ratio"
    );
    for (side, steps) in RACES {
        let model = hanging_sheet(side);
        let (passes, provot) = provot_that_holds(&model, steps);
        let rival = iterative();
        let rivals =
            [("provot", passes, provot), ("iterative", rival.limiter.max_iterations, run(&model, &rival, steps))];
        for (name, most, plain) in rivals {
            let certified = run(&model, &certified(), plain.steps).cpu_per_second();
            println!(
                "{name:<9} {side:>5}  {:>5}  {most:>11}  {:>11.1}  {:>11.3}  {:>11.4}%  {certified:>22.3}  {:>4.1}×",
                plain.steps,
                plain.per_step(plain.rounds),
                plain.cpu_per_second(),
                100.0 * plain.worst,
                plain.cpu_per_second() / certified,
            );
        }
    }
}

/// `provot` aims at half the limit, and stops when that is reached or its passes run out; those are
/// doubled until the limit holds after every step.
fn provot_that_holds(model: &Model, steps: u32) -> (u32, Run) {
    let mut passes = 16;
    loop {
        let limiter =
            Limiter { method: LimitMethod::Provot, stretch: 0.5 * STRETCH, compress: None, max_iterations: passes };
        let run = run(
            model,
            &Settings {
                step: STEP,
                integrator: Integrator::SymplecticEuler,
                limiter,
                contact: Contact { own: false, ..Contact::default() },
            },
            steps,
        );
        if run.worst <= STRETCH || passes >= MOST_PASSES {
            return (passes, run);
        }
        passes *= 2;
    }
}

/// [BB08] along the preview's directions, which converge where those of the start do not; stops as soon as every edge
/// is within the limit, and holds edges from below too.
fn iterative() -> Settings {
    let own = Iterative { tolerance: Some(STRETCH), velocity_pass: false, ..Iterative::default() };
    let limiter =
        Limiter { method: LimitMethod::Iterative(own), stretch: STRETCH, compress: None, max_iterations: MOST_PASSES };
    Settings {
        step: STEP,
        integrator: Integrator::Exact,
        limiter,
        contact: Contact { own: false, ..Contact::default() },
    }
}

fn certified() -> Settings {
    let limiter = Limiter { stretch: STRETCH, ..Limiter::default() };
    Settings {
        step: STEP,
        integrator: Integrator::Substeps,
        limiter,
        contact: Contact { own: false, ..Contact::default() },
    }
}

/// What a case took.
struct Run {
    steps: u32,
    rounds: u32,
    velocity_rounds: u32,
    worst: f64,
    cpu: Duration,
}

impl Run {
    fn per_step(&self, count: u32) -> f64 {
        f64::from(count) / f64::from(self.steps)
    }

    fn cpu_per_second(&self) -> f64 {
        self.cpu.as_secs_f64() / (f64::from(self.steps) * STEP)
    }
}

/// Steps a sheet from its start; making the stepper is not counted, the first step, which lists rows and tethers, is.
fn run(model: &Model, settings: &Settings, most: u32) -> Run {
    let (mut state, mut stepper) = (State::start(model), Stepper::new(model, settings));
    let mut run = Run { steps: 0, rounds: 0, velocity_rounds: 0, worst: f64::NEG_INFINITY, cpu: Duration::ZERO };
    let start = ThreadTime::now();
    // The worst strain never comes down again: a case that has broken the limit is of no use.
    while run.steps < most && run.cpu < PATIENCE && run.worst <= STRETCH {
        let report = stepper.step(model, &mut state, ()).expect("the limit can be kept");
        run.steps += 1;
        run.rounds += report.work.limiter.rounds;
        run.velocity_rounds += report.work.limiter.velocity_rounds;
        run.worst = report.worst_strain.max(run.worst);
        run.cpu = start.elapsed();
    }
    run
}

/// The sheet of every case: neither springs nor diagonals.
fn hanging_sheet(side: u32) -> Model {
    hanging(&square(side, Diagonals::None), Material { density: 0.2, ..bare() })
}
