//! The matrix of impulses and its solvers: what the matrix means, and that every way to solve it gives the same.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::*;
use glam::DVec3;
use muslin::Model;
use muslin::drivers::Drivers;
use muslin::linalg::{Ldlt, Lu, RowMethod, RowOutcome, RowPattern, RowSolver, RowSystem};
use muslin::mesh::Diagonals;
use muslin::model::{Hold, Pin};
use muslin::rows::edge_rows;
use muslin::settings::{LinearSolver, Ordering, Preconditioner, Solver};
use muslin::timing::{SolverClock, SolverStage};

/// A model in a pose, with the system of its edges.
struct Case {
    model: Model,
    drivers: Drivers,
    x: Vec<DVec3>,
    centres: Vec<DVec3>,
    system: RowSystem,
}

impl Case {
    /// Impulses along the edges of a pose that is `crumpled` [m] away from the start.
    fn new(model: Model, crumpled: f64) -> Self {
        let mut dice = Dice::new(5);
        let x: Vec<DVec3> = model.start.iter().map(|x| *x + dice.vector(1.0) * crumpled).collect();
        let mut drivers = Drivers::default();
        drivers.update(&model, &x, 0.0);
        let rows = edge_rows(&model);
        let centres = rows.iter().map(|row| model.start[row.a as usize].midpoint(model.start[row.b as usize]));
        let pattern = RowPattern::new(rows.iter().map(|row| [row.a, row.b]).collect(), model.len());
        let mut case = Self { centres: centres.collect(), system: RowSystem::zero(pattern), model, drivers, x };
        let n = case.directions(&case.x);
        case.system.fill(&n, |i, n| case.drivers.response(&case.model, i, n));
        case
    }

    fn directions(&self, x: &[DVec3]) -> Vec<DVec3> {
        let rows = edge_rows(&self.model);
        rows.iter().map(|row| (x[row.b as usize] - x[row.a as usize]).normalize()).collect()
    }

    fn right(&self) -> Vec<f64> {
        let mut dice = Dice::new(9);
        (0..self.system.size()).map(|_| dice.number(-1.0, 1.0)).collect()
    }

    fn solve(&self, method: RowMethod) -> (Vec<f64>, RowOutcome) {
        let mut clock = SolverClock::default();
        let mut solver = RowSolver::new(method);
        solver.analyse(&self.system, &self.centres, &mut clock);
        let mut solution = vec![0.0; self.system.size()];
        let outcome = solver.solve(&self.system, &self.right(), &mut solution, &mut clock);
        (solution, outcome)
    }

    /// |b - A s| / |b|, in the greatest norm.
    fn residual(&self, solution: &[f64]) -> f64 {
        let right = self.right();
        let mut product = vec![0.0; right.len()];
        self.system.multiply(solution, 0.0, &mut product);
        let errors = right.iter().zip(&product).map(|(b, product)| (b - product).abs());
        errors.fold(0.0, f64::max) / right.iter().fold(0.0, |most: f64, b| most.max(b.abs()))
    }

    /// The matrix, written out.
    fn dense(&self) -> Vec<Vec<f64>> {
        let size = self.system.size();
        let mut columns = Vec::new();
        for q in 0..size {
            let mut unit = vec![0.0; size];
            unit[q] = 1.0;
            let mut column = vec![0.0; size];
            self.system.multiply(&unit, 0.0, &mut column);
            columns.push(column);
        }
        (0..size).map(|p| columns.iter().map(|column| column[p]).collect()).collect()
    }
}

fn hold(particles: Vec<u32>, hold: Hold) -> Pin {
    Pin { particles, hold, release: None }
}

/// A grid with a rail, a plane and a moving corner, and an irregular mesh pinned at one vertex.
fn cases(crumpled: f64) -> Vec<Case> {
    let pins = vec![
        pin(vec![0]),
        hold(vec![5, 11], Hold::Line(DVec3::new(0.6, 0.0, 0.8))),
        hold(vec![20, 21], Hold::Plane(DVec3::Y)),
    ];
    let sheet = cloth(grid([1.0, 0.7], [9, 7], Diagonals::Both), surface(elastic()), pins);
    // An irregular triangulation has more edges than degrees of freedom once crumpled flat; held loosely it has fewer.
    let other = cloth(irregular(6, 2), surface(elastic()), vec![pin(vec![3])]);
    vec![Case::new(build(vec![sheet]), crumpled), Case::new(build(vec![other]), crumpled)]
}

#[test]
fn the_matrix_measures_the_energy_of_its_impulses() {
    for (number, case) in cases(0.05).iter().enumerate() {
        let s = case.right();
        let mut change = vec![DVec3::ZERO; case.model.len()];
        case.system.add_impulses(&s, &mut change);
        let energy: f64 = change.iter().zip(&case.model.mass).map(|(dv, m)| m * dv.length_squared()).sum();
        let mut product = vec![0.0; s.len()];
        case.system.multiply(&s, 0.0, &mut product);
        let measured: f64 = s.iter().zip(&product).map(|(s, product)| s * product).sum();
        assert!(energy > 1.0, "case {number}: nothing moves");
        // Sums of a few hundred terms in double precision.
        assert!((measured / energy - 1.0).abs() < 1e-13, "case {number}: {measured} against {energy}");
    }
}

#[test]
fn impulses_respect_rails_and_planes() {
    let case = &cases(0.05)[0];
    let mut change = vec![DVec3::ZERO; case.model.len()];
    case.system.add_impulses(&case.right(), &mut change);
    assert_eq!(change[0], DVec3::ZERO);
    let across = change[5].cross(DVec3::new(0.6, 0.0, 0.8));
    assert!(change[5].length() > 1.0 && across.length() < 1e-13 * change[5].length(), "off the rail by {across}");
    assert!(change[20].length() > 1.0 && change[20].y.abs() < 1e-13 * change[20].length(), "off the plane");
}

#[test]
fn the_entries_are_those_of_the_papers() {
    // Two edges 0-1 and 1-2 in a line: a_pq = -n_p·n_q/m_1, since particle 1 is second in one and first in the other.
    let body = muslin::model::Chain { mass: 6.0, bob: 0.0, stiffness: 1.0, rest_length: None, damping: 0.0 };
    let mut thread = chain(DVec3::ZERO, DVec3::X * 2.0, 3, body);
    thread.pins.clear();
    let case = Case::new(build(vec![thread]), 0.0);
    let [m0, m1, m2] = [0, 1, 2].map(|i| case.model.mass[i]);
    let dense = case.dense();
    assert!((dense[0][0] - (1.0 / m0 + 1.0 / m1)).abs() < 1e-15);
    assert!((dense[1][1] - (1.0 / m1 + 1.0 / m2)).abs() < 1e-15);
    assert!((dense[0][1] + 1.0 / m1).abs() < 1e-15 && dense[0][1] == dense[1][0], "{dense:?}");
}

#[test]
fn every_solver_gives_the_same_and_the_direct_ones_to_the_last_digits() {
    for (number, case) in cases(0.05).iter().enumerate() {
        let direct = |ordering| RowMethod::Symmetric(LinearSolver { ordering, ..LinearSolver::default() });
        let (reference, outcome) = case.solve(direct(Ordering::Amd));
        assert!(outcome.solved && outcome.regularisation == 0.0, "case {number}: {outcome:?}");
        assert!(case.residual(&reference) < 1e-12, "case {number}: residual {}", case.residual(&reference));
        let scale = reference.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
        let iterated = |preconditioner| {
            RowMethod::Symmetric(LinearSolver { solver: Solver::Pcg, preconditioner, ..LinearSolver::default() })
        };
        // The direct solvers differ by rounding times the condition number (some 1e4), the iteration stops at 1e-10.
        let others = [
            (direct(Ordering::NestedDissection), 1e-10),
            (RowMethod::General(Ordering::Amd), 1e-10),
            (RowMethod::General(Ordering::NestedDissection), 1e-10),
            (iterated(Preconditioner::Jacobi), 1e-6),
            (iterated(Preconditioner::IncompleteCholesky), 1e-6),
        ];
        for (method, tolerance) in others {
            let (solution, outcome) = case.solve(method);
            assert!(outcome.solved && outcome.regularisation == 0.0, "case {number}, {method:?}: {outcome:?}");
            let errors = solution.iter().zip(&reference).map(|(s, reference)| (s - reference).abs());
            let worst = errors.fold(0.0, f64::max) / scale;
            assert!(worst < tolerance, "case {number}, {method:?}: off by {worst}");
        }
    }
}

#[test]
fn lu_solves_what_is_not_symmetric() {
    let mut case = cases(0.05).swap_remove(0);
    let mut dice = Dice::new(77);
    let turned: Vec<DVec3> = case.x.iter().map(|x| *x + dice.vector(0.02)).collect();
    let (n, g) = (case.directions(&case.x), case.directions(&turned));
    case.system.fill_measured(&n, &g, |i, n| case.drivers.response(&case.model, i, n));
    let dense = case.dense();
    let skew = (0..dense.len()).flat_map(|p| (0..p).map(move |q| (p, q)));
    let skew = skew.map(|(p, q)| (dense[p][q] - dense[q][p]).abs()).fold(0.0, f64::max);
    assert!(skew > 1.0, "the matrix is as good as symmetric: {skew}");
    for ordering in [Ordering::Amd, Ordering::NestedDissection] {
        let (solution, outcome) = case.solve(RowMethod::General(ordering));
        assert!(outcome.solved && outcome.regularisation == 0.0, "{outcome:?}");
        assert!(case.residual(&solution) < 1e-12, "residual {}", case.residual(&solution));
    }
}

#[test]
fn large_systems_are_factored_by_blocks_and_agree() {
    let side = 70;
    let sheet = cloth(grid([1.0, 1.0], [side, side], Diagonals::None), surface(elastic()), vec![pin(vec![0])]);
    let case = Case::new(build(vec![sheet]), 0.2 / f64::from(side));
    let mut clock = SolverClock::default();
    let small = &cases(0.05)[0];
    let blocks = |case: &Case, ordering, clock: &mut SolverClock| {
        Ldlt::analyse(case.system.pattern(), &case.centres, ordering, clock).unwrap().by_blocks()
    };
    assert!(!blocks(small, Ordering::Amd, &mut clock));
    for ordering in [Ordering::Amd, Ordering::NestedDissection] {
        assert!(blocks(&case, ordering, &mut clock), "{ordering:?} goes entry by entry");
        let (solution, outcome) =
            case.solve(RowMethod::Symmetric(LinearSolver { ordering, ..LinearSolver::default() }));
        assert!(outcome.solved && outcome.regularisation == 0.0, "{outcome:?}");
        assert!(case.residual(&solution) < 1e-12, "{ordering:?}: residual {}", case.residual(&solution));
    }
    for stage in [SolverStage::Order, SolverStage::Permute, SolverStage::Symbolic] {
        assert!(clock.seconds(stage) > 0.0 && clock.runs(stage) >= 3, "{} is not timed", stage.name());
    }
}

#[test]
fn both_orderings_leave_factors_of_about_the_same_size_far_from_full() {
    let sheet = cloth(grid([1.0, 1.0], [40, 40], Diagonals::None), surface(elastic()), vec![]);
    let case = Case::new(build(vec![sheet]), 0.0);
    let mut clock = SolverClock::default();
    let size = |ordering, clock: &mut SolverClock| {
        let ldlt = Ldlt::analyse(case.system.pattern(), &case.centres, ordering, clock).unwrap();
        assert!(!ldlt.by_blocks(), "blocks hold zeros, and sizes say little");
        ldlt.factor_size()
    };
    let dissected = size(Ordering::NestedDissection, &mut clock);
    let degree = size(Ordering::Amd, &mut clock);
    assert!(dissected < degree + degree / 10, "{dissected} against {degree}");
    // A full triangle of the 3,120 rows has 4.9 million entries.
    assert!(degree < 60_000, "{degree}");
}

#[test]
fn a_free_sheet_of_nine_particles_keeps_fifteen_degrees_of_freedom() {
    let sheet = || cloth(grid([1.0, 1.0], [3, 3], Diagonals::None), surface(elastic()), vec![]);
    for crumpled in [0.0, 0.1] {
        let case = Case::new(build(vec![sheet()]), crumpled);
        assert_eq!(case.system.size(), 12);
        assert_eq!(rank(case.dense()), 12, "crumpled by {crumpled}");
        assert_eq!(3 * case.model.len() - rank(case.dense()), 15);
    }
    // A quad folded to a line: its four constraints are three.
    let mut folded = sheet();
    for x in &mut folded.start {
        x.z = if x.z > 0.25 && x.z < 0.75 { 0.5 } else { 0.0 };
        x.x = if x.x > 0.25 && x.x < 0.75 { 0.5 } else { 0.0 };
    }
    for x in &mut folded.start {
        *x = DVec3::new(x.x + x.z, 0.0, 0.0);
    }
    let case = Case::new(build(vec![folded]), 0.0);
    assert!(rank(case.dense()) < 12, "rank {}", rank(case.dense()));
}

#[test]
fn a_singular_system_is_met_by_the_smallest_fraction_of_the_diagonal_that_works() {
    // A straight row between two pins: one redundant constraint, and a right side that contradicts it.
    let sheet = cloth(grid([1.0, 1.0], [8, 8], Diagonals::None), surface(elastic()), vec![pin(vec![0, 7])]);
    let case = Case::new(build(vec![sheet]), 0.0);
    assert_eq!(rank(case.dense()), case.system.size() - 1);
    for ordering in [Ordering::Amd, Ordering::NestedDissection] {
        let linear = LinearSolver { ordering, ..LinearSolver::default() };
        for method in [RowMethod::Symmetric(linear), RowMethod::General(ordering)] {
            let (solution, outcome) = case.solve(method);
            assert!(outcome.solved, "{method:?}");
            assert!(outcome.regularisation > 0.0 && outcome.regularisation <= 1e-5, "{method:?}: {outcome:?}");
            let mut change = vec![DVec3::ZERO; case.model.len()];
            case.system.add_impulses(&solution, &mut change);
            let fastest = change.iter().map(|v| v.length()).fold(0.0, f64::max);
            // What the redundant direction pushes moves nothing: velocities stay of the order of the right side times
            // √n.
            assert!(fastest < 30.0, "{method:?}: {fastest} m/s");
        }
    }
}

#[test]
fn lu_without_rows_and_with_one_row_works() {
    let pattern = RowPattern::new(vec![[0, 1]], 2);
    let mut clock = SolverClock::default();
    let mut lu = Lu::analyse(&pattern, &[DVec3::ZERO], Ordering::Amd, &mut clock).unwrap();
    let mut system = RowSystem::zero(pattern);
    system.fill(&[DVec3::X], |_, n| n);
    assert!(lu.factor(&system, 0.0, &mut clock));
    let mut vector = vec![3.0];
    lu.solve(&mut vector, &mut clock);
    assert_eq!(vector, [1.5]);
    let empty = RowSystem::zero(RowPattern::new(vec![], 0));
    let mut solver = RowSolver::new(RowMethod::Symmetric(LinearSolver::default()));
    solver.analyse(&empty, &[], &mut clock);
    assert!(solver.solve(&empty, &[], &mut [], &mut clock).solved);
}
