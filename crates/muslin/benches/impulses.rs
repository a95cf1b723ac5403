//! The linear systems of the limiters: direct against iterative, what keeping the symbolic stages saves, and where the
//! time goes ([Ye08] §7 and Table 1). Times of solves are CPU time of one thread, those of stages and steps wall time
//! by the stepper's own clocks; figures of one line come from one run, and ratios are what counts.

mod common;

use common::{hanging, square, woven};
use cpu_time::ProcessTime;
use glam::DVec3;
use muslin::drivers::Drivers;
use muslin::linalg::{Ldlt, Pcg, RowPattern, RowSystem};
use muslin::mesh::Diagonals;
use muslin::rows::edge_rows;
use muslin::settings::{
    Contact, Impulse, ImpulseNewton, Integrator, LimitMethod, Limiter, Newton, Ordering, Preconditioner, Sle,
};
use muslin::timing::{SolverClock, SolverStage};
use muslin::{Settings, Stage, State, Stepper};

/// Particles along a side; 41 is the paper's sheet of 1,681 nodes.
const SIDES: [u32; 8] = [10, 20, 30, 40, 41, 50, 81, 161];
/// Each measurement is the best of several, which together last about this long [s].
const PATIENCE: f64 = 0.3;

fn main() {
    for crumpled in [true, false] {
        let state = if crumpled { "crumpled" } else { "hanging" };
        solvers(state, crumpled);
        reuse(state, crumpled);
    }
    stages();
    methods();
}

/// A system of [Ye08] with a right side.
struct System {
    matrix: RowSystem,
    centres: Vec<DVec3>,
    right: Vec<f64>,
}

impl System {
    /// Of a sheet that is crumpled (every particle 0.3 edge lengths away from where it was), or hangs in a smooth
    /// arc.
    fn new(side: u32, crumpled: bool) -> Self {
        let model = hanging(&square(side, Diagonals::Both), woven(1000.0));
        let edge = 1.0 / f64::from(side - 1);
        let x: Vec<DVec3> =
            model.start.iter().enumerate().map(|(i, x)| *x + displaced(i, *x, edge, crumpled)).collect();
        let mut drivers = Drivers::default();
        drivers.update(&model, &x, 0.0);
        let rows = edge_rows(&model);
        let ends = |row: &muslin::rows::Row| [row.a, row.b];
        let n: Vec<DVec3> = rows.iter().map(|row| (x[row.b as usize] - x[row.a as usize]).normalize()).collect();
        let centres = rows.iter().map(|row| model.start[row.a as usize].midpoint(model.start[row.b as usize]));
        let mut matrix = RowSystem::zero(RowPattern::new(rows.iter().map(ends).collect(), model.len()));
        matrix.fill(&n, |i, n| drivers.response(&model, i, n));
        // Falling apart: what gravity does to the velocities along edges, and something of every wave length.
        let right = (0..n.len()).map(|p| n[p].y + noise(p) - 0.5).collect();
        Self { matrix, centres: centres.collect(), right }
    }

    fn residual(&self, solution: &[f64]) -> f64 {
        let mut product = vec![0.0; solution.len()];
        self.matrix.multiply(solution, 0.0, &mut product);
        let squares = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>();
        let error = squares(&mut self.right.iter().zip(&product).map(|(b, product)| b - product));
        (error / squares(&mut self.right.iter().copied())).sqrt()
    }
}

fn displaced(particle: usize, x: DVec3, edge: f64, crumpled: bool) -> DVec3 {
    if crumpled {
        let one = |axis: usize| noise(3 * particle + axis) - 0.5;
        return DVec3::new(one(0), one(1), one(2)) * (0.6 * edge);
    }
    DVec3::new(0.0, -0.4 * (x.z * 1.5 + x.x * (1.0 - x.x)), 0.0)
}

/// A number in 0..1 that looks random.
fn noise(seed: usize) -> f64 {
    let mixed = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ (mixed >> 32)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// CPU milliseconds of one call: the best of several.
fn milliseconds(mut call: impl FnMut()) -> f64 {
    let (mut best, mut spent) = (f64::INFINITY, 0.0);
    while spent < PATIENCE {
        let start = ProcessTime::now();
        call();
        let took = start.elapsed().as_secs_f64();
        best = best.min(took);
        spent += took.max(1e-6);
    }
    best * 1000.0
}

fn direct(system: &System, ordering: Ordering, clock: &mut SolverClock) -> Ldlt {
    Ldlt::analyse(system.matrix.pattern(), &system.centres, ordering, clock).expect("there is memory")
}

/// Direct solve with the pattern known against conjugate gradients at two accuracies.
fn solvers(state: &str, crumpled: bool) {
    println!(
        "\n[Ye08]'s system, {state}: CPU ms per solve, all but the symbolic stages; ratio = Jacobi-CG / LDLt (AMD)"
    );
    println!("(the paper: direct at least 1.3 times faster than CG, at N = 41)");
    println!(
        "   N   rows   AMD     ND      residual  Jacobi 1e-6 (it.)  IC(0) 1e-6 (it.)  Jacobi 1e-10  ratio 1e-6  1e-10"
    );
    for side in SIDES {
        let system = System::new(side, crumpled);
        let mut clock = SolverClock::default();
        let mut solution = vec![0.0; system.right.len()];
        let mut timed = |ordering| {
            let mut ldlt = direct(&system, ordering, &mut clock);
            milliseconds(|| {
                ldlt.factor(&system.matrix, 0.0, &mut clock);
                solution.copy_from_slice(&system.right);
                ldlt.solve(&mut solution, &mut clock);
            })
        };
        let [dissected, amd] = [timed(Ordering::NestedDissection), timed(Ordering::Amd)];
        let residual = system.residual(&solution);
        let (jacobi, rough) = iterated(&system, Preconditioner::Jacobi, 1e-6);
        let (cholesky, fewer) = iterated(&system, Preconditioner::IncompleteCholesky, 1e-6);
        let (exact, _) = iterated(&system, Preconditioner::Jacobi, 1e-10);
        println!(
            "{side:4} {:6} {amd:7.3} {dissected:7.3}  {residual:8.1e} {jacobi:9.3} ({rough:5}) \
             {cholesky:9.3} ({fewer:5}) \
             {exact:11.3} {:10.2} {:8.2}",
            system.right.len(),
            jacobi / amd,
            exact / amd,
        );
    }
}

/// Milliseconds and iterations of conjugate gradients; NaN when they do not converge.
fn iterated(system: &System, preconditioner: Preconditioner, tolerance: f64) -> (f64, u32) {
    let mut clock = SolverClock::default();
    let mut pcg = Pcg::new(system.matrix.pattern(), preconditioner);
    let mut solution = vec![0.0; system.right.len()];
    let most = 10 * system.right.len() as u32;
    let (mut iterations, mut converged) = (0, true);
    let took = milliseconds(|| {
        pcg.prepare(&system.matrix, 0.0, &mut clock);
        let outcome = pcg.solve(&system.matrix, &system.right, tolerance, most, &mut solution, &mut clock);
        (iterations, converged) = (outcome.iterations, outcome.converged);
    });
    (if converged { took } else { f64::NAN }, iterations)
}

/// What skipping the first three stages saves.
fn reuse(state: &str, crumpled: bool) {
    println!("\nSymbolic stages kept against repeated, {state} (the paper: 36 % less time at N = 41)");
    println!("   N  ordering             again ms   kept ms   saved   factor   kernel");
    for side in SIDES {
        let system = System::new(side, crumpled);
        for ordering in [Ordering::Amd, Ordering::NestedDissection] {
            let mut clock = SolverClock::default();
            let mut solution = system.right.clone();
            let mut solve = |ldlt: &mut Ldlt, clock: &mut SolverClock| {
                ldlt.factor(&system.matrix, 0.0, clock);
                solution.copy_from_slice(&system.right);
                ldlt.solve(&mut solution, clock);
            };
            let again = milliseconds(|| solve(&mut direct(&system, ordering, &mut clock), &mut clock));
            let mut ldlt = direct(&system, ordering, &mut clock);
            let kept = milliseconds(|| solve(&mut ldlt, &mut clock));
            let kernel = if ldlt.by_blocks() { "blocks" } else { "entries" };
            let name = format!("{ordering:?}");
            let saved = 100.0 * (1.0 - kept / again);
            println!("{side:4}  {name:18} {again:9.3} {kept:9.3} {saved:5.0} % {:9}  {kernel}", ldlt.factor_size());
        }
    }
}

/// Fractions of the five stages, all done for every solve, as in the paper's Table 1.
fn stages() {
    println!("\nFraction of each stage in percent, all five done for every solve, AMD; first line: [Ye08] Table 1");
    println!("   N   order  permute  symbolic  numeric  solve   ms");
    println!("paper   18.6     14.5       3.0     49.4   14.5   12.89");
    for side in SIDES {
        let system = System::new(side, true);
        let mut clock = SolverClock::default();
        let mut solution = system.right.clone();
        let mut solves = 0;
        let total = |clock: &SolverClock| SolverStage::ALL.iter().map(|stage| clock.seconds(*stage)).sum::<f64>();
        while total(&clock) < PATIENCE {
            let mut ldlt = direct(&system, Ordering::Amd, &mut clock);
            ldlt.factor(&system.matrix, 0.0, &mut clock);
            solution.copy_from_slice(&system.right);
            ldlt.solve(&mut solution, &mut clock);
            solves += 1;
        }
        let fraction = |stage| 100.0 * clock.seconds(stage) / total(&clock);
        println!(
            "{side:4}   {:5.1} {:8.1} {:9.1} {:8.1} {:6.1} {:7.2}",
            fraction(SolverStage::Order),
            fraction(SolverStage::Permute),
            fraction(SolverStage::Symbolic),
            fraction(SolverStage::Numeric),
            fraction(SolverStage::Solve),
            1000.0 * total(&clock) / f64::from(solves),
        );
    }
}

/// Whole steps of the three limiters on a sheet that falls, pinned at one corner.
fn methods() {
    println!(
        "\nA step of each limiter, pinned at one corner: wall ms in it, its rounds a step, worst strain of 60 steps; \
         backward Euler, h = 1/300 s"
    );
    println!("   N  method            ms/step   rounds   unfinished   worst strain   (limit 1 %)");
    let methods = [
        ("impulse", LimitMethod::Impulse(Impulse::default())),
        ("impulse-newton", LimitMethod::ImpulseNewton(ImpulseNewton::default())),
        ("sle", LimitMethod::Sle(Sle::default())),
    ];
    for side in SIDES.into_iter().filter(|side| *side <= 81) {
        for (name, method) in methods {
            let membrane = if method.replaces_springs() { 0.0 } else { 1000.0 };
            let mut model = hanging(&square(side, Diagonals::Both), woven(membrane));
            model.pins[0].particles.truncate(1);
            let limiter = Limiter { method, stretch: 0.01, compress: None, max_iterations: 20 };
            let integrator = Integrator::BackwardEuler(Newton::default());
            let mut stepper =
                Stepper::new(&model, &Settings { step: 1.0 / 300.0, integrator, limiter, contact: Contact::default() });
            let mut state = State::start(&model);
            let (mut rounds, mut unfinished, mut worst) = (0, 0, 0.0);
            for _ in 0..60 {
                let report = stepper.step(&model, &mut state, ()).expect("the values stay finite");
                rounds += report.work.limiter.rounds;
                unfinished += u32::from(report.work.limiter.unfinished);
                worst = f64::max(worst, report.worst_strain);
            }
            let spent = stepper.clock().seconds(Stage::Limit) + stepper.clock().seconds(Stage::Finish);
            let per_step = |count: u32| f64::from(count) / 60.0;
            println!(
                "{side:4}  {name:15} {:9.3} {:8.2} {unfinished:9} / 60 {:13.3} %",
                spent * 1000.0 / 60.0,
                per_step(rounds),
                worst * 100.0
            );
        }
    }
}
