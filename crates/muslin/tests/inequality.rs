//! The limiter `inequality` ([JLGF17]): counts of constraints, limits kept, and what it leaves alone.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::*;
use glam::{DVec2, DVec3};
use muslin::mesh::{Diagonals, GridSpec};
use muslin::model::{Chain, Hold, Pin};
use muslin::rows::{Row, cross_rows, edge_rows};
use muslin::settings::{Inequality, InequalitySolver, Integrator, LimitMethod, Newmark};
use muslin::{Mesh, Model, Settings, State, Stepper, measure};

/// A square of triangles, all diagonals alike.
fn triangles(side: u32) -> Mesh {
    GridSpec { size: DVec2::ONE, particles: [side; 2], diagonals: Diagonals::One, triangles: true }.build().unwrap()
}

fn inequality(compress: Option<f64>, step: f64) -> Settings {
    let mut settings = settings(Integrator::Newmark(Newmark::default()), step);
    settings.limiter.method = LimitMethod::Inequality(Inequality::default());
    settings.limiter.compress = compress;
    settings
}

const SOLVERS: [InequalitySolver; 3] =
    [InequalitySolver::ActiveSet, InequalitySolver::Barrier, InequalitySolver::PrimalDual];

fn solved_by(solver: InequalitySolver, step: f64) -> Settings {
    let mut settings = inequality(None, step);
    settings.limiter.method = LimitMethod::Inequality(Inequality { solver, ..Inequality::default() });
    settings
}

/// The Jacobian of distances; pinned particles have no columns.
fn jacobian(rows: &[Row], x: &[DVec3], pinned: &[u32]) -> Vec<Vec<f64>> {
    let free: Vec<u32> = (0..x.len() as u32).filter(|i| !pinned.contains(i)).collect();
    let place = |particle: u32| free.iter().position(|&i| i == particle);
    let line = |row: &Row| {
        let n = (x[row.b as usize] - x[row.a as usize]).normalize();
        let mut line = vec![0.0; 3 * free.len()];
        for (end, sign) in [(row.a, -1.0), (row.b, 1.0)] {
            if let Some(column) = place(end) {
                line[3 * column..3 * column + 3].copy_from_slice(&(sign * n).to_array());
            }
        }
        line
    };
    rows.iter().map(line).collect()
}

/// The grid shaken out of its plane: where flat, no edge sees a motion across the plane.
fn shaken(model: &Model) -> Vec<DVec3> {
    let mut dice = Dice::new(3);
    model.start.iter().map(|x| *x + dice.vector(0.2 / (model.len() as f64).sqrt())).collect()
}

#[test]
fn equality_edges_leave_4n_plus_3_degrees_of_freedom_on_a_diagonal_grid() {
    for cells in 1..=8_u32 {
        let model = build(vec![cloth(triangles(cells + 1), bare(), vec![])]);
        let rows = edge_rows(&model);
        assert_eq!(rows.len() as u32, 2 * cells * (cells + 1) + cells * cells);
        let freedom = 3 * model.len() - rank(jacobian(&rows, &shaken(&model), &[]));
        assert_eq!(freedom as u32, 4 * cells + 3, "{cells} × {cells} cells");
    }
}

#[test]
fn edges_and_cross_edges_of_a_21_by_21_grid_are_redundant() {
    let model = build(vec![cloth(triangles(21), bare(), vec![])]);
    let rows = [edge_rows(&model), cross_rows(&model)].concat();
    assert_eq!(rows.len(), 2400);
    // All that is left as equalities is to move as a rigid body: 3 · 441 - 6.
    assert_eq!(rank(jacobian(&rows, &shaken(&model), &[])), 1317);
}

/// The meshes of the paper's Figure 2, vertices numbered from 0: one square, two that meet at vertex 2, and those with
/// the two triangles between them.
fn figure_2(part: char) -> (Vec<DVec3>, Vec<[u32; 2]>) {
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let mut x = vec![at(0.0, 1.0), at(0.0, 0.0), at(1.0, 1.0), at(1.0, 0.0)];
    let mut edges = vec![[0, 1], [1, 3], [3, 2], [2, 0], [0, 3]];
    if part != 'a' {
        x.extend([at(1.0, 2.0), at(2.0, 2.0), at(2.0, 1.0)]);
        edges.extend([[2, 4], [4, 5], [5, 6], [6, 2], [4, 6]]);
    }
    if part == 'c' {
        x.push(at(2.0, 0.0));
        edges.extend([[2, 7], [3, 7], [6, 7]]);
    }
    (x, edges)
}

fn rows_of(x: &[DVec3], edges: &[[u32; 2]]) -> Vec<Row> {
    edges.iter().map(|&[a, b]| Row { a, b, rest: x[a as usize].distance(x[b as usize]) }).collect()
}

#[test]
fn holding_a_square_against_its_diagonal_takes_a_degree_of_freedom() {
    let (x, edges) = figure_2('a');
    let bent: Vec<DVec3> = x.iter().zip([0.1, 0.0, 0.0, 0.2]).map(|(x, z)| *x + DVec3::Z * z).collect();
    let rows = rows_of(&x, &edges);
    // Along the diagonal the edge between the pinned vertices says nothing.
    assert_eq!(6 - rank(jacobian(&rows, &bent, &[0, 3])), 2);
    assert_eq!(6 - rank(jacobian(&rows, &bent, &[1, 2])), 1);
}

/// Solves a small positive definite system by elimination.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for k in 0..n {
        for i in k + 1..n {
            let factor = matrix[i][k] / matrix[k][k];
            for j in k..n {
                matrix[i][j] -= factor * matrix[k][j];
            }
            right[i] -= factor * right[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| matrix[k][j] * right[j]).sum();
        right[k] = (right[k] - known) / matrix[k][k];
    }
    right
}

/// Brings edges back to their lengths by the least displacements, Newton's steps of at most 5 cm.
fn repaired(mut x: Vec<DVec3>, rows: &[Row], pinned: &[u32]) -> Vec<DVec3> {
    let free: Vec<usize> = (0..x.len()).filter(|&i| !pinned.contains(&(i as u32))).collect();
    for _ in 0..3000 {
        let jacobian = jacobian(rows, &x, pinned);
        let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut matrix: Vec<Vec<f64>> =
            jacobian.iter().map(|a| jacobian.iter().map(|b| inner(a, b)).collect()).collect();
        // At the flat state the rows are dependent.
        for (k, line) in matrix.iter_mut().enumerate() {
            line[k] += 1e-9;
        }
        let errors = rows.iter().map(|row| x[row.a as usize].distance(x[row.b as usize]) - row.rest).collect();
        let multipliers = solved(matrix, errors);
        let displacement = |column: usize| -> f64 {
            jacobian.iter().zip(&multipliers).map(|(line, multiplier)| line[column] * multiplier).sum()
        };
        let displacements: Vec<f64> = (0..3 * free.len()).map(displacement).collect();
        let largest = displacements.iter().fold(0.0_f64, |largest, d| largest.max(d.abs()));
        for (&i, d) in free.iter().zip(displacements.chunks(3)) {
            x[i] -= DVec3::from_slice(d) * (0.05 / largest.max(0.05));
        }
    }
    x
}

/// Angle by which a square's middle has turned about the line between the pinned vertices 1 and 5 [rad].
fn turn(corner: DVec3) -> f64 {
    let along = DVec3::new(1.0, 1.0, 0.0).normalize();
    let across = DVec3::new(1.0, -1.0, 0.0).normalize();
    let arm = corner - along * corner.dot(along);
    libm::atan2(arm.z, arm.dot(across))
}

#[test]
fn two_squares_held_against_their_diagonals_turn_apart_only_without_triangles_between_them() {
    for (part, apart) in [('b', true), ('c', false)] {
        let (flat, edges) = figure_2(part);
        let rows = rows_of(&flat, &edges);
        let counted = 3 * (flat.len() - 2) - rows.len();
        assert_eq!(counted, 5, "counting alone leaves five");
        let (mut moved, mut most, mut turned) = (0.0_f64, 0.0_f64, 0.0_f64);
        for seed in 0..5 {
            let mut dice = Dice::new(seed);
            let shaken = flat.iter().enumerate();
            let shaken =
                shaken.map(|(i, x)| if [1, 5].contains(&i) { *x } else { *x + dice.vector(0.3) }).collect::<Vec<_>>();
            let x = repaired(shaken, &rows, &[1, 5]);
            let worst = rows.iter().map(|row| (x[row.a as usize].distance(x[row.b as usize]) / row.rest - 1.0).abs());
            let worst = worst.fold(0.0, f64::max);
            assert!(worst < 1e-8, "({part}) not repaired: {worst}");
            moved = moved.max(x[2].distance(flat[2]));
            most = most.max((turn(x[3]) - turn(x[6])).abs());
            turned = turned.max(turn(x[3]).abs());
        }
        // The shared vertex is fixed to second order, the squares' common turn to fourth: lengths within 1e-8 leave
        // √1e-8 = 1e-4 and ⁴√1e-8 = 1e-2, times a few.
        assert!(moved < 5e-4, "({part}) the shared vertex moved by {moved}");
        assert!(turned > 0.05, "({part}) nothing turned at all: {turned}");
        let as_derived = if apart { most > 0.2 } else { most < 5e-2 };
        assert!(as_derived, "({part}) squares turn apart by {most}");
    }
}

#[test]
fn limits_are_kept_to_tolerance_in_every_step() {
    let pins = || vec![pin(vec![0])];
    let cloths = [
        cloth(triangles(11), bare(), pins()),
        cloth(irregular(11, 3), bare(), pins()),
        cloth(grid([1.0, 1.0], [11, 11], Diagonals::Both), bare(), pins()),
    ];
    for (case, cloth) in cloths.into_iter().enumerate() {
        let model = build(vec![cloth]);
        for compress in [None, Some(0.02)] {
            let (mut state, mut stepper) =
                (State::start(&model), Stepper::new(&model, &inequality(compress, 1.0 / 120.0)));
            for _ in 0..60 {
                let report = stepper.step(&model, &mut state, ()).unwrap();
                // Aimed inside by the tolerance: 1 % is 1 %.
                assert!(report.worst_strain <= 0.01 + 1e-12, "case {case}: {report:?}");
                let least = compress.map_or(-1.0, |compress| -compress - 1e-12);
                assert!(report.least_strain >= least, "case {case}, {compress:?}: {report:?}");
            }
        }
    }
}

#[test]
fn interior_points_finish_every_step_of_a_taut_sheet_that_falls_and_swings() {
    let model = build(vec![cloth(grid([1.0, 1.0], [15, 15], Diagonals::None), bare(), vec![pin(vec![0, 14])])]);
    for (solver, most) in [(InequalitySolver::PrimalDual, 12), (InequalitySolver::Barrier, 60)] {
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &solved_by(solver, 1.0 / 120.0)));
        for _ in 0..120 {
            let report = stepper.step(&model, &mut state, ()).unwrap();
            assert!(!report.work.limiter.unfinished && report.worst_strain <= 0.01 + 1e-12, "{solver:?}: {report:?}");
            assert!(report.work.limiter.rounds <= most, "{solver:?}: {report:?}");
        }
    }
}

#[test]
fn limits_that_contradict_each_other_end_in_finite_numbers_and_an_honest_report() {
    // Without any room the top row cannot hang between its pins.
    let model = build(vec![cloth(triangles(8), bare(), vec![pin(vec![0, 7])])]);
    for solver in SOLVERS {
        let mut settings = solved_by(solver, 1.0 / 120.0);
        settings.limiter.stretch = 0.0;
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
        for _ in 0..10 {
            let report = stepper.step(&model, &mut state, ()).unwrap();
            assert!(report.work.limiter.unfinished, "{solver:?}: {report:?}");
            assert!(report.worst_strain < 0.1, "{solver:?}: {report:?}");
        }
    }
}

/// The minimiser does not exist; what is left must still hang as cloth does.
#[test]
fn cloth_whose_pins_are_too_far_apart_does_not_collapse() {
    let mut sheet = sheet(9, bare(), vec![pin(vec![0, 8])]);
    sheet.start.iter_mut().for_each(|x| x.x *= 1.02);
    let model = build(vec![sheet]);
    let settings = solved_by(InequalitySolver::PrimalDual, 1.0 / 120.0);
    let state = simulate(&model, &settings, 0.4);
    let lowest = state.x.iter().map(|x| x.y).fold(0.0, f64::min);
    assert!(lowest < -0.5, "it hangs down to {lowest} m only");
}

#[test]
fn cross_edges_are_limited_too_unless_switched_off() {
    let model = build(vec![cloth(triangles(9), bare(), vec![pin(vec![0])])]);
    let cross = cross_rows(&model);
    let longest = |settings: &Settings| {
        let state = simulate(&model, settings, 0.4);
        let strain = |row: &Row| state.x[row.a as usize].distance(state.x[row.b as usize]) / row.rest - 1.0;
        cross.iter().map(strain).fold(-1.0, f64::max)
    };
    let mut settings = inequality(None, 1.0 / 120.0);
    let limited = longest(&settings);
    settings.limiter.method = LimitMethod::Inequality(Inequality { cross_edges: false, ..Inequality::default() });
    let free = longest(&settings);
    assert!(limited <= 0.01 + 1e-12, "a cross edge is stretched by {limited}");
    assert!(free > 0.05, "without limits they are stretched by {free}");
}

/// Two particles, the first pinned, that start at a distance of `start` rest lengths and move apart at `speed`.
fn pair(start: f64, speed: f64) -> Model {
    let rod = Chain { mass: 1.0, bob: 0.0, stiffness: 0.0, rest_length: None, damping: 0.0 };
    let mut pair = chain(DVec3::ZERO, DVec3::X, 2, rod);
    (pair.start[1], pair.start_velocity[1]) = (DVec3::X * start, DVec3::X * speed);
    build_weightless(vec![pair])
}

#[test]
fn a_compressed_edge_feels_no_impulse_unless_a_lower_limit_is_set() {
    let step = 1.0 / 100.0;
    for (start, speed) in [(0.5, 1.0), (0.5, -1.0), (0.9, 5.0)] {
        let model = pair(start, speed);
        let state = simulate(&model, &inequality(None, step), step);
        assert_eq!(state.v[1], DVec3::X * speed, "changed at {start} rest lengths");
        let pushed = simulate(&model, &inequality(Some(0.02), step), step);
        let length = pushed.x[1].x;
        assert!((length - 0.98).abs() < 2e-4, "the lower limit leaves it at {length}");
    }
    // Beyond the upper limit it is pulled back to it, whatever its speed.
    let pulled = simulate(&pair(1.0, 30.0), &inequality(None, step), step);
    assert!((pulled.x[1].x - 1.01).abs() < 2e-4, "left at {}", pulled.x[1].x);
}

#[test]
fn a_free_spinning_sheet_keeps_its_linear_momentum_and_loses_some_spin() {
    for solver in SOLVERS {
        let sheet = cloth(triangles(8), bare(), vec![]);
        let model = spinning(sheet, DVec3::new(0.3, 2.0, 0.1), DVec3::new(0.1, 0.0, -0.2));
        let mut state = State::start(&model);
        let mut stepper = Stepper::new(&model, &solved_by(solver, 1.0 / 300.0));
        let before = measure::momenta(&model, &state);
        for _ in 0..600 {
            let report = stepper.step(&model, &mut state, ()).unwrap();
            assert!(report.worst_strain <= 0.01 + 1e-12, "{solver:?}: {report:?}");
        }
        let after = measure::momenta(&model, &state);
        let off = (after.linear - before.linear).length();
        assert!(off < 1e-12, "{solver:?}: from {} to {}", before.linear, after.linear);
        let lost = (after.angular - before.angular).length() / before.angular.length();
        // Impulses point along the preview or the end, not the start: the loss is of order h, 2 s · ω · 2 h of what
        // changes direction.
        assert!((1e-6..0.1).contains(&lost), "{solver:?}: angular momentum off by {lost}");
    }
}

#[test]
fn the_flat_taut_sheet_gives_finite_numbers_and_an_honest_report() {
    for (side, step) in [(5, 1.0 / 30.0), (10, 1.0 / 30.0), (15, 1.0 / 120.0)] {
        let model = build(vec![cloth(triangles(side), bare(), vec![pin(vec![0, side - 1])])]);
        for compress in [None, Some(0.0)] {
            let mut settings = inequality(compress, step);
            settings.limiter.max_iterations = 40;
            let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
            for _ in 0..20 {
                let report = stepper.step(&model, &mut state, ()).unwrap();
                let kept = report.worst_strain <= 0.01 + 1e-12;
                assert!(kept || report.work.limiter.unfinished, "{side}: a breach goes unsaid: {report:?}");
            }
        }
    }
}

#[test]
fn rails_and_planes_are_respected() {
    let guided = |particle: u32, hold| Pin { particles: vec![particle], hold, release: None };
    let pins = vec![pin(vec![0]), guided(8, Hold::Line(DVec3::X)), guided(80, Hold::Plane(DVec3::Y))];
    let model = build(vec![cloth(triangles(9), bare(), pins)]);
    let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &inequality(None, 1.0 / 120.0)));
    let start = state.x.clone();
    for _ in 0..60 {
        let report = stepper.step(&model, &mut state, ()).unwrap();
        assert!(report.worst_strain <= 0.01 + 1e-12, "{report:?}");
        assert!((state.x[8] - start[8]).cross(DVec3::X).length() < 1e-12, "off its rail: {}", state.x[8]);
        assert!((state.x[80] - start[80]).y.abs() < 1e-12, "off its plane: {}", state.x[80]);
        assert_eq!(state.x[0], start[0]);
    }
    assert!((state.x[8] - start[8]).length() > 1e-3, "the rail's end never moved");
}

mod slow {
    use super::*;

    /// Rounds that end at a fixed distance from the minimiser leave velocities wrong by that over the length of a step:
    /// in steps as short as these the net gained ten times its energy.
    #[test]
    fn steps_as_short_as_stiff_cloth_needs_gain_no_energy() {
        let model = build(vec![sheet(9, bare(), vec![pin(vec![0, 8])])]);
        let settings = solved_by(InequalitySolver::PrimalDual, 1.0 / 15_000.0);
        let mut unfinished = 0;
        let state = observe(&model, &settings, 0.4, |report, _| {
            unfinished += u32::from(report.work.limiter.unfinished);
        });
        // It starts with none, and only the limits act besides gravity.
        let (end, scale) = (measure::energies(&model, &state).total(), model.total_mass() * 9.81);
        assert!(end < 1e-3 * scale && unfinished == 0, "{end} J, {unfinished} steps unfinished");
        assert!(measure::strain(&model, &state.x).worst <= settings.limiter.stretch);
    }
}
