//! The limiter `isotropic` ([WOR10]): what it keeps, whatever the mesh's directions, and what its levels bring.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::*;
use glam::{DMat2, DVec2, DVec3};
use muslin::mesh::{Diagonals, DiscSpec, TubeSpec};
use muslin::model::{Chain, Material};
use muslin::settings::{Integrator, Isotropic, LimitMethod, Limiter, Newton};
use muslin::{Mesh, Model, Settings, State, Stepper, measure};

fn isotropic(levels: u32, stretch: f64, step: f64) -> Settings {
    let mut settings = settings(Integrator::SymplecticEuler, step);
    let own = Isotropic { levels, ..Isotropic::default() };
    settings.limiter = Limiter { stretch, ..Limiter::new(LimitMethod::Isotropic(own)) };
    settings
}

/// The greatest stretch of any triangle in any direction, by trying directions: another way than singular values.
fn greatest_stretch(model: &Model, x: &[DVec3]) -> f64 {
    let mut greatest: f64 = 0.0;
    for part in &model.cloths {
        let at = |vertex: u32| x[part.particles.start + vertex as usize];
        for &[a, b, c] in &part.topology.triangles {
            let [p, q, r] = [a, b, c].map(|vertex| part.mesh.positions[vertex as usize]);
            let along = (q - p).normalize();
            let flat = |v: DVec3| DVec2::new(v.dot(along), v.reject_from(along).length());
            let inverse = DMat2::from_cols(flat(q - p), flat(r - p)).inverse();
            for k in 0..180 {
                let v = inverse * DVec2::from_angle(f64::from(k).to_radians());
                greatest = greatest.max(((at(b) - at(a)) * v.x + (at(c) - at(a)) * v.y).length());
            }
        }
    }
    greatest
}

/// A cloth of a mesh that nothing holds, every particle with a velocity of its own.
fn shaken(mesh: Mesh, speed: f64) -> Model {
    let mut dice = Dice::new(11);
    let mut cloth = cloth(mesh, bare(), vec![]);
    cloth.start_velocity.iter_mut().for_each(|v| *v = dice.vector(speed));
    build_weightless(vec![cloth])
}

fn meshes() -> Vec<(&'static str, Mesh)> {
    vec![
        ("quads", grid([1.0, 1.0], [13, 13], Diagonals::Both)),
        ("irregular", irregular(13, 5)),
        ("disc", DiscSpec { radius: 0.5, rings: 6 }.build().unwrap()),
        (
            "tube",
            TubeSpec { radius: 0.2, length: 1.0, particles: [16, 13], diagonals: Diagonals::One }.build().unwrap(),
        ),
    ]
}

#[test]
fn triangles_within_their_limit_have_edges_within_it() {
    for (name, mesh) in meshes() {
        let model = shaken(mesh, 2.0);
        for levels in [1, 3] {
            let mut settings = isotropic(levels, 0.01, 0.01);
            settings.limiter.max_iterations = 3000;
            let unlimited = Settings { limiter: Limiter::new(LimitMethod::None), ..settings.clone() };
            let free = simulate(&model, &unlimited, 0.01);
            let mut done = true;
            let limited = observe(&model, &settings, 0.01, |report, _| done = !report.work.limiter.unfinished);
            let [before, after] = [&free, &limited].map(|state| greatest_stretch(&model, &state.x) - 1.0);
            assert!(done && before > 0.1, "{name}: before {before}, done: {done}");
            assert!(after <= 0.01 + 1e-9, "{name}, {levels} levels: triangles stretched by {after}");
            let edges = measure::strain(&model, &limited.x).worst;
            assert!(edges <= after + 1e-12, "{name}: edges {edges}, triangles {after}");
        }
    }
}

#[test]
fn compression_is_limited_where_that_is_asked_for() {
    // Closer together by a fifth in every direction, so that only the limit on compression acts.
    let model = {
        let mut cloth = cloth(irregular(9, 5), bare(), vec![]);
        cloth.start_velocity = cloth.start.iter().map(|x| *x * -20.0).collect();
        build_weightless(vec![cloth])
    };
    let mut settings = isotropic(3, 0.01, 0.01);
    settings.limiter.max_iterations = 3000;
    let free = simulate(&model, &settings, 0.01);
    assert!((measure::strain(&model, &free.x).compressed_worst - 0.2).abs() < 1e-9, "it may shrink freely");
    settings.limiter.compress = Some(0.05);
    let kept = simulate(&model, &settings, 0.01);
    let squeezed = measure::strain(&model, &kept.x).compressed_worst;
    assert!(squeezed <= 0.05 + 1e-9, "compressed by {squeezed}");
}

/// How far a sheet is left stretched along its length that is drawn out evenly by a fifth, along a direction that is
/// turned against its threads [1].
fn drawn(method: LimitMethod, degrees: f64) -> f64 {
    let mut cloth = cloth(grid([1.0, 1.0], [12, 12], Diagonals::Both), bare(), vec![]);
    let (sin, cos) = libm::sincos(degrees.to_radians());
    let along = DVec3::new(cos, 0.0, sin);
    cloth.start_velocity = cloth.start.iter().map(|x| along * (20.0 * along.dot(*x))).collect();
    let model = build_weightless(vec![cloth]);
    let mut settings = isotropic(1, 0.01, 0.01);
    settings.limiter = Limiter { max_iterations: 3000, ..Limiter::new(method) };
    let state = simulate(&model, &settings, 0.01);
    // The least-squares stretch of the whole: Σ (x·a)(X·a)/Σ (X·a)², from the middle.
    let middle = |x: &[DVec3]| x.iter().sum::<DVec3>() / x.len() as f64;
    let (now, rest) = (middle(&state.x), middle(&model.start));
    let parts = state.x.iter().zip(&model.start).map(|(x, at)| ((*x - now).dot(along), (*at - rest).dot(along)));
    let (sum, square) = parts.fold((0.0, 0.0), |(sum, square), (x, at)| (sum + x * at, square + at * at));
    sum / square - 1.0
}

#[test]
fn cloth_keeps_its_limit_in_every_direction_where_edges_alone_do_not() {
    let stretched = |method| [0.0, 20.0, 45.0].map(|degrees| drawn(method, degrees));
    let alike = stretched(LimitMethod::Isotropic(Isotropic::default()));
    // Rounds end somewhere within the limit: corrections of one triangle shorten its neighbours, too.
    for stretch in alike {
        assert!((0.0..=0.01).contains(&stretch), "stretched by {alike:?}");
    }
    // Threads of the same sheet hold it only along themselves.
    let by_edges = stretched(LimitMethod::Provot);
    assert!(by_edges[0] < 0.0101 && by_edges[2] > 0.05, "by its edges: {by_edges:?}");
}

/// Angular momentum lost by a sheet that spins freely for half a second, and the change of the linear one [kg m/s].
fn lost_momenta(levels: u32, step: f64) -> (f64, f64) {
    let sheet = cloth(grid([1.0, 1.0], [12, 12], Diagonals::Both), bare(), vec![]);
    let model = spinning(sheet, DVec3::new(0.3, 2.0, 0.1), DVec3::new(0.1, 0.0, -0.2));
    let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &isotropic(levels, 1e-4, step)));
    let before = measure::momenta(&model, &state);
    let mut rounds = 0;
    for _ in 0..(0.5 / step).round() as u32 {
        rounds += stepper.step(&model, &mut state, ()).unwrap().work.limiter.rounds;
    }
    assert!(rounds > 50, "nothing to do: {rounds} rounds");
    let after = measure::momenta(&model, &state);
    let lost = (after.angular - before.angular).length() / before.angular.length();
    (lost, (after.linear - before.linear).length())
}

#[test]
fn linear_momentum_is_kept_on_all_levels_and_angular_the_better_the_shorter_the_step() {
    for levels in [1, 3] {
        let [coarse, fine] = [1.0 / 100.0, 1.0 / 800.0].map(|step| lost_momenta(levels, step));
        // Rounding of 1e-16 m over h.
        assert!(coarse.1 < 1e-12 && fine.1 < 1e-12, "{levels} levels: linear momentum off by {coarse:?}, {fine:?}");
        assert!(fine.0 < 0.3 * coarse.0, "{levels} levels: angular momentum off by {} and {}", coarse.0, fine.0);
    }
}

#[test]
fn chains_and_other_edges_without_triangles_are_limited_too() {
    let thread = Chain { mass: 0.1, bob: 0.02, stiffness: 10.0, rest_length: None, damping: 0.0 };
    let model = build(vec![chain(DVec3::ZERO, DVec3::X, 9, thread)]);
    let mut settings = isotropic(3, 0.01, 1.0 / 300.0);
    settings.limiter.max_iterations = 3000;
    let mut rounds = 0;
    observe(&model, &settings, 1.0, |report, _| {
        assert!(report.worst_strain <= 0.01 + 1e-12 && !report.work.limiter.unfinished, "{report:?}");
        rounds += report.work.limiter.rounds;
    });
    assert!(rounds > 300, "nothing to do");
}

/// How far over its limit of 1 % a sheet is stretched that falls between two pins, with fifty rounds a step.
fn excess(levels: u32) -> f64 {
    let fabric = surface(Material { stretch_warp: 100.0, stretch_weft: 100.0, ..damped() });
    let model = build(vec![sheet(31, fabric, vec![pin(vec![0, 30])])]);
    let mut settings = isotropic(levels, 0.01, 1.0 / 120.0);
    settings.integrator = Integrator::Bdf2(Newton::default());
    settings.limiter.max_iterations = 50;
    let mut worst: f64 = 0.0;
    observe(&model, &settings, 0.4, |report, _| worst = worst.max(report.worst_strain));
    worst - 0.01
}

#[test]
fn the_same_rounds_on_coarser_meshes_too_keep_the_limit_better() {
    let [one, four] = [1, 4].map(excess);
    assert!(four < 0.5 * one, "over the limit by {one} on one level, by {four} on four");
}

#[test]
fn the_flat_taut_sheet_gives_finite_numbers_and_an_honest_report() {
    for (side, levels) in [(5, 1), (5, 3), (41, 1), (41, 4)] {
        let model = build(vec![sheet(side, bare(), vec![pin(vec![0, side - 1])])]);
        let settings = isotropic(levels, 1e-3, 1.0 / 30.0);
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
        for _ in 0..60 {
            let report = stepper.step(&model, &mut state, ()).unwrap();
            let kept = report.worst_strain <= 1e-3 + 1e-12;
            assert!(
                kept || report.work.limiter.unfinished,
                "{side}, {levels} levels: a breach goes unsaid: {report:?}"
            );
        }
    }
}

/// Particles in one point, on a line, and scattered: triangles without area, which have no directions.
#[test]
fn collapsed_starts_give_finite_numbers() {
    for way in 0..3 {
        let mut sheet = sheet(12, bare(), vec![pin(vec![0])]);
        let mut dice = Dice::new(7);
        for (i, place) in sheet.start.iter_mut().enumerate().skip(1) {
            *place = match way {
                0 => DVec3::ZERO,
                1 => DVec3::X * (i as f64 * 0.01),
                _ => dice.vector(0.5),
            };
        }
        let model = build(vec![sheet]);
        let mut settings = isotropic(3, 0.01, 1.0 / 120.0);
        settings.limiter.compress = Some(0.1);
        let state = simulate(&model, &settings, 0.5);
        assert!(state.x.iter().chain(&state.v).all(|vector| vector.is_finite()), "way {way}");
    }
}

/// A sheet of 51,000 triangles in fast motion: groups are large enough for several threads.
fn swing_of_a_large_sheet(threads: usize) -> u64 {
    let model = build(vec![sheet(161, bare(), vec![pin(vec![0])])]);
    let mut settings = isotropic(3, 1e-3, 1.0 / 300.0);
    settings.limiter.max_iterations = 20;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| simulate(&model, &settings, 0.03).hash())
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
    let mut settings = isotropic(2, 0.01, 1.0 / 300.0);
    settings.limiter.max_iterations = 3000;
    let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
    let (rail, plane) = (state.x[10], state.x[120].y);
    for _ in 0..150 {
        let report = stepper.step(&model, &mut state, ()).unwrap();
        assert!(!report.work.limiter.unfinished && report.worst_strain < 0.01 + 1e-12, "{report:?}");
        let off_rail = (state.x[10] - rail) * DVec3::new(0.0, 1.0, 1.0);
        assert!(off_rail.length() < 1e-12 && (state.x[120].y - plane).abs() < 1e-12, "off its rail or plane");
    }
    assert!((state.x[0].y - 0.3).abs() < 1e-12, "the moving pin is at {}", state.x[0]);
}
