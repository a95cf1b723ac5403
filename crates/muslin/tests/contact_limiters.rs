//! Contact with solids in every limiter but `certified`: floors, slopes, spheres, and what loses contact.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::certify::carried;
use common::limited::*;
use common::*;
use glam::{DQuat, DVec3};
use muslin::collide::{Pose, Shape};
use muslin::settings::{Integrator, Isotropic, LimitMethod, Newmark};
use muslin::{Model, Settings, State, Stepper, measure};

/// A plane that falls by 1 in 2 along x, 26.57°: sin and cos of its angle are 1/√5 and 2/√5.
fn slope() -> DQuat {
    DQuat::from_rotation_z(-libm::atan(0.5))
}

fn lowest(state: &State, up: DVec3) -> f64 {
    state.x.iter().map(|x| x.dot(up)).fold(f64::INFINITY, f64::min)
}

/// How far the centre of mass goes in a time, which is a whole number of steps.
fn path(model: &Model, settings: &Settings, duration: f64) -> DVec3 {
    let end = simulate(model, settings, duration);
    measure::centre_of_mass(model, &end.x) - measure::centre_of_mass(model, &model.start)
}

#[test]
fn a_sheet_that_falls_on_a_floor_comes_to_rest_and_presses_with_its_weight() {
    let (step, duration) = (1.0 / 240.0, 2.0);
    for pair in all_methods() {
        // Tilted, so that one side lands first and the rest slaps down.
        let turn = DQuat::from_rotation_x(0.17);
        let model = among(moved(patch(pair.0, 9), turn, DVec3::Y * 0.08), vec![floor(0.3)]);
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &limited(pair, step)));
        let (mut pressed, mut contacts) = (DVec3::ZERO, 0);
        while state.time < duration - 0.5 * step {
            let report = stepper.step(&model, &mut state, ()).unwrap();
            // Planes are met exactly, but for rounding.
            let low = lowest(&state, DVec3::Y);
            assert!(low > XI - 1e-9, "{:?}: {low} at {} s", pair.0, state.time);
            if state.time > duration - 0.5 {
                pressed += report.work.contact.impulse;
                contacts = report.work.contact.contacts;
            }
        }
        let speed = state.v.iter().map(|v| v.length()).fold(0.0, f64::max);
        assert!(speed < 1e-6, "{:?} still moves at {speed} m/s", pair.0);
        let fraction = pressed / (0.5 * model.total_mass() * 9.81);
        // 120 steps: half a second by rounding; what still moved in the first of them is below 1e-4.
        assert!((fraction - DVec3::Y).length() < 1e-4, "{:?} presses with {fraction} of its weight", pair.0);
        assert_eq!(contacts, 81, "{:?}: every vertex is pushed", pair.0);
    }
}

#[test]
fn on_a_slope_of_one_in_two_a_sheet_stays_for_friction_above_a_half_and_slides_as_it_should_below() {
    let (step, duration) = (1.0 / 240.0, 0.5);
    for pair in all_methods() {
        let plane = |friction| resting(Shape::Plane, Pose { position: DVec3::ZERO, rotation: slope() }, friction);
        let lying = || moved(patch(pair.0, 9), slope(), slope() * DVec3::Y * XI);
        let downhill = |friction| {
            let model = among(lying(), vec![plane(friction)]);
            path(&model, &limited(pair, step), duration).dot(slope() * DVec3::X)
        };
        let stays = downhill(0.6);
        assert!(stays.abs() < 1e-9, "{:?} creeps by {stays} m", pair.0);
        let slides = downhill(0.4);
        let expected = 0.5 * 9.81 * (1.0 - 0.4 * 2.0) / 5.0_f64.sqrt() * duration * duration;
        // Backward Euler moves by the velocity at the end of a step: h/t too far, 0.8 %.
        assert!((slides / expected - 1.0).abs() < 0.01, "{:?} slides {slides} m, not {expected}", pair.0);
    }
}

#[test]
fn a_sliding_sheet_stops_after_its_speed_squared_over_twice_friction_and_gravity() {
    for pair in all_methods() {
        let mut sliding = moved(patch(pair.0, 9), DQuat::IDENTITY, DVec3::Y * XI);
        sliding.start_velocity.fill(DVec3::X);
        let model = among(sliding, vec![floor(0.5)]);
        let path = path(&model, &limited(pair, 1.0 / 480.0), 0.3125);
        let expected = 1.0 / (2.0 * 0.5 * 9.81);
        // Half a step at the first speed is missing where velocities of the end move: 1 %.
        assert!((path.x / expected - 1.0).abs() < 0.015, "{:?} stops after {} m, not {expected}", pair.0, path.x);
        // The implicit integrators solve to a tolerance: 6e-9 m.
        assert!(path.z.abs() + path.y.abs() < 1e-7, "{:?}: {path}", pair.0);
    }
}

#[test]
fn no_vertex_ends_a_step_inside_a_sphere_and_the_sheet_stays_on_it() {
    let step = 1.0 / 480.0;
    for pair in all_methods() {
        let sphere = resting(Shape::Sphere { radius: 0.15 }, Pose::at(DVec3::ZERO), 0.3);
        let model = among(moved(patch(pair.0, 13), DQuat::IDENTITY, DVec3::Y * 0.17), vec![sphere]);
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &limited(pair, step)));
        let mut most = 0;
        while state.time < 0.6 {
            let report = stepper.step(&model, &mut state, ()).unwrap();
            most = most.max(report.work.contact.contacts);
            let gap = state.x.iter().map(|x| x.length() - 0.15).fold(f64::INFINITY, f64::min);
            // The last push of a step is exact along its normal; what it leaves is a millionth of ξ.
            assert!(gap > XI * (1.0 - 2e-6), "{:?}: {gap} at {} s", pair.0, state.time);
        }
        assert!(most > 20, "{:?}: only {most} contacts", pair.0);
        let centre = measure::centre_of_mass(&model, &state.x);
        assert!(centre.y > 0.0 && DVec3::new(centre.x, 0.0, centre.z).length() < 0.03, "{:?}: {centre}", pair.0);
    }
}

#[test]
fn a_taut_sheet_between_pins_with_a_ball_under_it_gives_no_nan() {
    for pair in all_methods() {
        for steps in [60.0, 240.0] {
            let mut sheet = patch(pair.0, 9);
            sheet.pins = vec![pin(vec![0, 8, 72, 80])];
            let ball = resting(Shape::Sphere { radius: 0.1 }, Pose::at(DVec3::NEG_Y * (0.1 + XI)), 0.4);
            let model = among(sheet, vec![ball]);
            let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &limited(pair, 1.0 / steps)));
            for _ in 0..60 {
                stepper.step(&model, &mut state, ()).unwrap();
                assert!(state.x.iter().chain(&state.v).all(|x| x.is_finite()), "{:?} at {steps} steps/s", pair.0);
            }
        }
    }
}

#[test]
fn a_particle_in_contact_gets_its_direction_back_when_its_edges_lift_it() {
    for pair in all_methods() {
        // No springs anywhere: only the limiter can lift what lies on the floor.
        let mut lying = moved(patch(LimitMethod::default(), 9), DQuat::IDENTITY, DVec3::Y * XI);
        lying.body = muslin::model::Body::Surface(bare());
        lying.pins = vec![carried(vec![0], &[(0.0, DVec3::ZERO), (1.0, DVec3::Y * 0.3)])];
        let model = among(lying, vec![floor(0.3)]);
        let settings = limited(pair, 1.0 / 240.0);
        let mut state = State::start(&model);
        let mut stepper = Stepper::new(&model, &settings);
        while state.time < 0.999 {
            stepper.step(&model, &mut state, ()).unwrap();
            assert!(lowest(&state, DVec3::Y) > XI - 1e-9, "{:?} at {} s", pair.0, state.time);
        }
        // The corner is 30 cm up; the sheet's diagonal has 71 cm.
        let (near, far) = (state.x[10].y, state.x[80].y);
        if pair.0 == LimitMethod::None {
            assert!(near < XI + 1e-9, "nothing lifts it, but it is at {near} m");
        } else {
            assert!(near > 0.15, "{:?}: the particle next to the corner is at {near} m", pair.0);
        }
        assert!((far - XI).abs() < 1e-6, "{:?}: the far corner is at {far} m", pair.0);
    }
}

#[test]
fn what_a_step_reports_as_impulse_is_what_the_sheets_momentum_changes_by() {
    let implicit = Integrator::BackwardEuler(accurate());
    let mut cases = vec![(LimitMethod::None, implicit), (LimitMethod::Bridson, Integrator::SymplecticEuler)];
    cases.push((LimitMethod::Isotropic(Isotropic::default()), Integrator::SymplecticEuler));
    cases.extend(&all_methods()[3..8]);
    for (_, integrator) in &mut cases[3..5] {
        *integrator = implicit;
    }
    cases.push((LimitMethod::None, Integrator::Newmark(Newmark::default())));
    cases.push((LimitMethod::None, Integrator::ExplicitEuler));
    for pair in cases {
        let sphere = resting(Shape::Sphere { radius: 0.15 }, Pose::at(DVec3::ZERO), 0.3);
        // Too near at the start: coming back must not count.
        let mut sheet = moved(patch(pair.0, 9), DQuat::IDENTITY, DVec3::Y * (0.15 + 0.5 * XI));
        if matches!(pair.1, Integrator::ExplicitEuler | Integrator::SymplecticEuler | Integrator::Newmark(_)) {
            sheet.body = muslin::model::Body::Surface(bare());
        }
        let model = among(sheet, vec![sphere]);
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &limited(pair, 1.0 / 240.0)));
        let (mut before, mut contacts) = (DVec3::ZERO, 0);
        for _ in 0..48 {
            let report = stepper.step(&model, &mut state, ()).unwrap();
            let after = measure::momenta(&model, &state).linear;
            let fallen = model.gravity * (model.total_mass() / 240.0);
            let off = after - before - fallen - report.work.contact.impulse;
            // Sums of thousands of impulses that cancel, and Newton rounds that end at 1e-10 m/s.
            assert!(off.length() < 1e-6 * fallen.length(), "{pair:?}: off by {off} N s, step {}", report.step);
            before = after;
            contacts += report.work.contact.contacts;
        }
        assert!(contacts > 150, "{pair:?}: only {contacts} contacts");
    }
}

/// The greatest strain of a step of a fine sheet that falls on a sphere, and where its middle is after a second [m].
fn fall_on_sphere(pair: (LimitMethod, Integrator), friction: f64, steps: f64) -> (f64, DVec3) {
    let sphere = resting(Shape::Sphere { radius: 0.15 }, Pose::at(DVec3::ZERO), friction);
    let model = among(moved(patch(pair.0, 17), DQuat::IDENTITY, DVec3::Y * 0.17), vec![sphere]);
    let mut worst = 0.0;
    let settings = limited(pair, 1.0 / steps);
    let state = observe(&model, &settings, 1.0, |report, _| worst = f64::max(worst, report.worst_strain));
    (worst, measure::centre_of_mass(&model, &state.x))
}

#[test]
fn friction_after_its_limits_takes_inequality_over_them_and_only_friction_does() {
    let inequality = all_methods()[7];
    let (without, _) = fall_on_sphere(inequality, 0.0, 120.0);
    assert!(without < 0.0101, "without friction {without}");
    // A vertex that friction stops undoes at most what gravity moves in a step, 2 % of an edge.
    let (with, _) = fall_on_sphere(inequality, 0.3, 120.0);
    assert!(with > 0.011 && with < 0.03, "with friction {with}");
}

#[test]
fn springs_that_know_nothing_of_the_sphere_need_short_steps_to_stay_on_it() {
    let springs = all_methods()[0];
    let (coarse, slid) = fall_on_sphere(springs, 0.3, 120.0);
    let (fine, stayed) = fall_on_sphere(springs, 0.3, 480.0);
    assert!(slid.y < 0.0 && stayed.y > 0.0, "at {slid} and {stayed}");
    // So that nobody relies on it: where it strikes, long steps stretch it much more.
    assert!(coarse > 2.0 * fine, "stretched by {coarse} and {fine}");
}

#[test]
fn a_new_stepper_at_any_step_gives_the_same_bits() {
    for pair in all_methods() {
        let sphere = resting(Shape::Sphere { radius: 0.15 }, Pose::at(DVec3::ZERO), 0.3);
        let model = among(moved(patch(pair.0, 9), DQuat::IDENTITY, DVec3::Y * 0.153), vec![sphere]);
        let settings = limited(pair, 1.0 / 600.0);
        let (mut state, mut renewed) = (State::start(&model), State::start(&model));
        let (mut stepper, mut contacts) = (Stepper::new(&model, &settings), 0);
        for _ in 0..60 {
            contacts += stepper.step(&model, &mut state, ()).unwrap().work.contact.contacts;
            Stepper::new(&model, &settings).step(&model, &mut renewed, ()).unwrap();
        }
        assert!(contacts > 0, "{:?}: the sheet does not lie on the sphere", pair.0);
        assert!(state == renewed, "{:?}: they part", pair.0);
    }
}
