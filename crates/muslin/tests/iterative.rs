//! The limiter `iterative` ([BB08]): what it keeps, what it repairs, where it ends.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::*;
use glam::DVec3;
use muslin::mesh::Diagonals;
use muslin::model::{Bending, Damping, Material, Surface};
use muslin::rows::{Colouring, edge_rows};
use muslin::settings::{Direction, Integrator, Iterative, LimitMethod, Limiter};
use muslin::{Model, Settings, State, Stepper, measure};

fn iterative(direction: Direction, tolerance: f64, step: f64) -> Settings {
    let mut settings = settings(Integrator::Exact, step);
    let own = Iterative { direction, tolerance: Some(tolerance), ..Iterative::default() };
    settings.limiter = Limiter::new(LimitMethod::Iterative(own));
    settings
}

#[test]
fn a_pendulum_keeps_its_period_at_thirty_steps_a_second() {
    // The error that is left at 0.01 % is the step's, -0.156 %, and of second order: 100 times less at a tenth of the
    // step.
    for (tolerance, step, most) in [(1e-4, 1.0 / 30.0, 2e-3), (1e-6, 1.0 / 30.0, 2e-3), (1e-6, 1.0 / 300.0, 2e-5)] {
        let error = period_error(&iterative(Direction::Start, tolerance, step));
        assert!(error.abs() < most, "tolerance {tolerance}, step {step}: period off by {error}");
    }
    // Two claims that do not hold, so that nobody relies on them: 1 % is too coarse, and so is the preview's direction.
    let coarse = period_error(&iterative(Direction::Start, 1e-2, 1.0 / 30.0));
    assert!(coarse.abs() > 2e-3, "a tolerance of 1 % is good enough: {coarse}");
    let braked = period_error(&iterative(Direction::Current, 1e-6, 1.0 / 30.0));
    assert!(braked < -0.1, "the preview's direction no longer brakes: {braked}");
}

/// Angular momentum lost by a sheet that spins freely for two seconds, as a fraction; and rounds per step.
fn lost_spin(direction: Direction, integrator: Integrator, fabric: Surface) -> (f64, f64) {
    let sheet = cloth(grid([1.0, 1.0], [9, 9], Diagonals::Both), fabric, vec![]);
    let model = spinning(sheet, DVec3::new(0.3, 2.0, 0.1), DVec3::ZERO);
    let settings = Settings { integrator, ..iterative(direction, 1e-4, 1.0 / 300.0) };
    let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
    let before = measure::momenta(&model, &state).angular;
    let mut rounds = 0;
    for _ in 0..600 {
        let report = stepper.step(&model, &mut state, ()).unwrap();
        assert!(!report.work.limiter.unfinished && report.worst_strain <= 1e-4 + 1e-12, "{report:?}");
        rounds += report.work.limiter.rounds;
    }
    let after = measure::momenta(&model, &state).angular;
    ((after - before).length() / before.length(), f64::from(rounds) / 600.0)
}

#[test]
fn a_free_spinning_sheet_keeps_its_angular_momentum_when_impulses_point_along_the_start() {
    let springs =
        Surface { bending: Bending::Springs, ..surface(Material { shear: 0.1, bending: 1e-6, ..bare().material }) };
    // The exact step with springs has an error of its own in x × v, of order h²; without springs, and with symplectic
    // Euler, nothing but rounding is left: some 1e4 impulses a step, 600 steps.
    for (integrator, fabric) in [(Integrator::Exact, bare()), (Integrator::SymplecticEuler, springs)] {
        let (lost, rounds) = lost_spin(Direction::Start, integrator, fabric);
        assert!(rounds > 1.0, "nothing to do: {rounds} rounds a step");
        assert!(lost < 1e-12, "{integrator:?}: angular momentum off by {lost}");
    }
    let (lost, _) = lost_spin(Direction::Current, Integrator::Exact, bare());
    assert!(lost > 1e-3, "the preview's direction is said to cost angular momentum: {lost}");
}

/// Ways to wreck a sheet: scattered, in a single point, every third particle in one point.
fn wrecked(way: usize) -> Model {
    let mut sheet = sheet(20, bare(), vec![pin(vec![0])]);
    let mut dice = Dice::new(7);
    let middle = DVec3::new(0.5, 0.0, 0.5);
    for (i, place) in sheet.start.iter_mut().enumerate().skip(1) {
        *place = match way {
            0 => middle + dice.vector(0.5),
            1 => middle,
            _ if i % 3 == 0 => middle,
            _ => dice.vector(0.5),
        };
    }
    build(vec![sheet])
}

#[test]
fn a_wrecked_sheet_comes_back() {
    for way in 0..3 {
        let model = wrecked(way);
        // Three steps along the preview's direction bring every edge within the 1 % asked for; along the start's, which
        // in a wreck means little, ten steps bring them near it.
        for (direction, steps, within) in [(Direction::Current, 3, 0.01), (Direction::Start, 10, 0.25)] {
            let (mut state, mut stepper) =
                (State::start(&model), Stepper::new(&model, &iterative(direction, 0.01, 1.0 / 30.0)));
            let wreck = measure::strain(&model, &state.x);
            assert!(wreck.worst > 10.0, "no wreck: {wreck:?}");
            for _ in 0..steps {
                stepper.step(&model, &mut state, ()).unwrap();
            }
            let strain = measure::strain(&model, &state.x);
            let off = strain.worst.max(strain.compressed_worst);
            assert!(off <= within, "way {way}, {direction:?}: still off by {off}");
        }
    }
}

#[test]
fn a_regular_cloth_has_the_papers_counts_of_constraints_and_springs() {
    let fabric = Surface {
        bending: Bending::Springs,
        ..surface(Material { stretch_warp: 0.0, stretch_weft: 0.0, ..elastic() })
    };
    for (side, constraints, springs) in [(10, 180, 241), (50, 4900, 7201)] {
        let model = build(vec![cloth(grid([1.0, 1.0], [side, side], Diagonals::One), fabric.clone(), vec![])]);
        assert_eq!((edge_rows(&model).len(), model.springs.len()), (constraints, springs), "{side} × {side}");
    }
}

#[test]
fn no_two_rows_of_a_group_share_a_particle() {
    let model = build(vec![cloth(irregular(12, 5), bare(), vec![]), sheet(9, bare(), vec![])]);
    let rows = edge_rows(&model);
    let colouring = Colouring::of(&rows, model.len());
    assert_eq!(colouring.order.len(), rows.len());
    for group in colouring.groups() {
        let mut ends: Vec<u32> = group.iter().flat_map(|&row| [rows[row as usize].a, rows[row as usize].b]).collect();
        ends.sort_unstable();
        assert!(ends.windows(2).all(|pair| pair[0] != pair[1]), "a particle twice in a group");
    }
}

#[test]
fn the_flat_taut_sheet_gives_finite_numbers_and_an_honest_report() {
    for side in [5, 41] {
        let model = build(vec![sheet(side, bare(), vec![pin(vec![0, side - 1])])]);
        for direction in [Direction::Start, Direction::Current] {
            let mut settings = iterative(direction, 1e-3, 1.0 / 30.0);
            settings.limiter.max_iterations = 100;
            let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
            for _ in 0..60 {
                let report = stepper.step(&model, &mut state, ()).unwrap();
                let kept = report.worst_strain <= 1e-3 + 1e-12 && report.least_strain >= -1e-3 - 1e-12;
                assert!(
                    kept || report.work.limiter.unfinished,
                    "{side}, {direction:?}: a breach goes unsaid: {report:?}"
                );
            }
        }
    }
}

#[test]
fn the_cut_off_ends_the_rounds_and_says_so() {
    let model = build(vec![sheet(20, bare(), vec![pin(vec![0])])]);
    let mut settings = iterative(Direction::Start, 1e-4, 1.0 / 120.0);
    for most in [1, 5] {
        settings.limiter.max_iterations = most;
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
        let mut cut = 0;
        for _ in 0..60 {
            let work = stepper.step(&model, &mut state, ()).unwrap().work.limiter;
            assert!(work.rounds <= most && work.velocity_rounds <= most, "{work:?}");
            cut += u32::from(work.unfinished);
        }
        assert!(cut > 30, "{most} rounds were enough in all but {cut} of 60 steps");
    }
}

/// A sheet of 20,000 rows, in fast motion: groups are large enough for several threads.
fn swing_of_a_large_sheet(threads: usize) -> u64 {
    let model = build(vec![sheet(101, bare(), vec![pin(vec![0])])]);
    let mut settings = iterative(Direction::Start, 1e-3, 1.0 / 300.0);
    settings.limiter.max_iterations = 20;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| simulate(&model, &settings, 0.1).hash())
}

#[test]
fn one_thread_and_several_give_the_same_bits() {
    let one = swing_of_a_large_sheet(1);
    assert_eq!(one, swing_of_a_large_sheet(2));
    assert_eq!(one, swing_of_a_large_sheet(3));
}

#[test]
fn rails_planes_and_moving_pins_are_respected() {
    let model = guided_sheet();
    let settings = iterative(Direction::Current, 1e-3, 1.0 / 300.0);
    let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
    let (rail, plane) = (state.x[10], state.x[120].y);
    for _ in 0..150 {
        let report = stepper.step(&model, &mut state, ()).unwrap();
        assert!(!report.work.limiter.unfinished && report.worst_strain < 1e-3 + 1e-12, "{report:?}");
        let off_rail = (state.x[10] - rail) * DVec3::new(0.0, 1.0, 1.0);
        assert!(
            off_rail.length() < 1e-12 && (state.x[120].y - plane).abs() < 1e-12,
            "left its guide at {} s",
            state.time
        );
    }
    assert!((state.x[0].y - 0.3).abs() < 1e-12, "the moving pin is at {}", state.x[0]);
    assert!((state.x[10] - rail).length() > 0.01, "the rail's end never moved");
}

#[test]
fn the_velocity_pass_leaves_no_velocity_along_edges() {
    let step = 1.0 / 300.0;
    let model = build(vec![sheet(12, bare(), vec![pin(vec![0])])]);
    for tolerance in [1e-2, 1e-6] {
        let state = simulate(&model, &iterative(Direction::Start, tolerance, step), 0.3);
        let rate = |edge: &muslin::model::LimitedEdge| {
            let (a, b) = (edge.a as usize, edge.b as usize);
            (state.v[b] - state.v[a]).dot((state.x[b] - state.x[a]).normalize()).abs() * step / edge.rest
        };
        let worst = model.edges.iter().map(rate).fold(0.0, f64::max);
        assert!(worst <= tolerance + 1e-12, "an edge would stretch by {worst} in a step, {tolerance} is allowed");
    }
}

#[test]
fn cloth_of_very_unequal_masses_keeps_its_limit() {
    let light = sheet(8, bare(), vec![pin(vec![0])]);
    let mut model = build(vec![light]);
    for (i, mass) in model.mass.iter_mut().enumerate() {
        *mass *= if i % 2 == 0 { 1.0 } else { 1000.0 };
    }
    let mut settings = iterative(Direction::Start, 1e-2, 1.0 / 600.0);
    settings.limiter.max_iterations = 100_000;
    let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
    for _ in 0..60 {
        let report = stepper.step(&model, &mut state, ()).unwrap();
        assert!(!report.work.limiter.unfinished && report.worst_strain <= 1e-2 + 1e-12, "{report:?}");
    }
}

#[test]
fn damped_springs_bring_the_sheet_to_rest_below_its_pin() {
    let damping = Damping { mass: 4.0, ..Damping::default() };
    let fabric = surface(Material { damping, ..bare().material });
    let model = build(vec![cloth(grid([1.0, 1.0], [8, 8], Diagonals::One), fabric, vec![pin(vec![0])])]);
    let state = simulate(&model, &iterative(Direction::Start, 1e-3, 1.0 / 240.0), 6.0);
    // Nothing resists shear: rows and columns hang straight down from the corner, the far corner two sides below.
    let lowest = state.x[63].y;
    assert!((lowest + 2.0).abs() < 0.02, "the far corner hangs at {lowest} m");
}
