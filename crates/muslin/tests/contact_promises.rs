//! Strain limit and contact at once under `certified`, and which is given up where they contradict each other.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::sync::Arc;

use common::certify::{certified, refused, watch};
use common::solids::{THICKNESS, along, box_mesh, ground, resting, shape};
use common::{bare, build, build_weightless, pin, sheet};
use glam::DVec3;
use muslin::collide::{LevelSet, Shape, TriangleSurface};
use muslin::contact::survey;
use muslin::model::{Cloth, ShapeCache, Solid};
use muslin::settings::Yield;
use muslin::{Model, Settings, State, StepError, Stepper};

const FRAME: f64 = 1.0 / 60.0;

fn centred(side: u32, height: f64) -> Cloth {
    let mut cloth = sheet(side, bare(), vec![]);
    cloth.start.iter_mut().for_each(|x| *x += DVec3::new(-0.5, height, -0.5));
    cloth
}

/// A sheet pinned all round its rim, and a ball that pushes into its middle further than it can stretch.
fn stretched_over_a_ball() -> Model {
    let mut cloth = centred(9, 0.0);
    let rim = (0..81).filter(|i| i % 9 == 0 || i % 9 == 8 || *i < 9 || *i >= 72).collect();
    cloth.pins = vec![pin(rim)];
    let mut model = build_weightless(vec![cloth]);
    let mut ball = resting(&model, shape(Shape::Sphere { radius: 0.2 }, DVec3::new(0.0, -0.25, 0.0)), 0.3);
    ball.motion = along(&[(0.0, DVec3::ZERO), (1.0, DVec3::Y * 0.5)]);
    model.colliders.push(ball);
    model
}

fn with_yield(yields: Yield) -> Settings {
    let mut settings = certified(0.01, FRAME);
    settings.contact.yields = yields;
    settings
}

/// Worst strain, least gap and greatest breach of a run.
fn run(model: &Model, settings: &Settings, duration: f64) -> (f64, f64, f64) {
    let (mut state, mut stepper) = (State::start(model), Stepper::new(model, settings));
    let (mut worst, mut least, mut breach) = (0.0_f64, f64::INFINITY, 0.0_f64);
    for _ in 0..(duration / settings.step).round() as u32 {
        let report = stepper.step(model, &mut state, ()).unwrap();
        worst = worst.max(report.worst_strain);
        breach = breach.max(report.work.contact.breach);
        least = least.min(survey(model, &state.x, state.time).min_gap().unwrap_or(f64::INFINITY));
    }
    (worst, least, breach)
}

#[test]
fn where_limit_and_contact_contradict_each_other_the_run_stops_or_the_one_named_is_given_up() {
    let model = stretched_over_a_ball();
    let (state, _) = refused(&model, &with_yield(Yield::Stop), 0.5);
    // A chord of 0.5 m with 1 % more length is 7 cm higher in the middle, over a round top a little less.
    assert!(state.time > 0.1 && state.time < 0.4, "refused at {} s", state.time);
    let (worst, least, breach) = run(&model, &with_yield(Yield::Strain), 0.4);
    assert!(worst > 0.01 && least > 0.0 && breach == 0.0, "the limit is given up: {worst}, {least} m, {breach} m");
    let (worst, least, breach) = run(&model, &with_yield(Yield::Contact), 0.4);
    assert!(worst <= 0.01 && least < 0.0, "contact is given up: {worst}, {least} m");
    assert!(breach >= -least, "a breach of {breach} m, a gap of {least} m");
}

#[test]
fn a_sheet_between_closing_boxes_is_refused_with_both_of_them_to_blame() {
    let mut model = build_weightless(vec![centred(7, 0.0)]);
    for side in [1.0, -1.0] {
        let slab = Shape::Box { half: DVec3::new(0.6, 0.05, 0.6) };
        let mut collider = resting(&model, shape(slab, DVec3::Y * (0.1 * side)), 0.3);
        collider.motion = along(&[(0.0, DVec3::ZERO), (1.0, DVec3::Y * (-0.06 * side))]);
        model.colliders.push(collider);
    }
    let (state, error) = refused(&model, &with_yield(Yield::Stop), 1.0);
    let StepError::Blocked { cloth, colliders, .. } = error else { panic!("{error}") };
    assert_eq!((cloth.as_str(), colliders.len()), ("sheet", 2), "{colliders:?}");
    // They leave 2 ξ at 49/60 s, and no room at all at 50/60 s.
    assert!((state.time - 49.5 / 60.0).abs() < 0.02, "{} s", state.time);
}

#[test]
fn a_mesh_that_deforms_lifts_the_sheet_that_lies_on_it() {
    let low = box_mesh(DVec3::new(0.7, 0.1, 0.7), DVec3::NEG_Y * 0.1);
    let mut high = low.positions.clone();
    high.iter_mut().filter(|x| x.y > -0.1).for_each(|x| x.y += 0.2 + 0.1 * x.x);
    let mut model = build(vec![centred(9, THICKNESS)]);
    let cache = ShapeCache { start: 0.1, interval: 0.5, shapes: vec![low.positions.clone(), high] };
    model.colliders.push(resting(&model, Solid::Deforming { mesh: low, cache: Arc::new(cache) }, 0.8));
    let run = watch("a rising floor", &model, &certified(0.01, FRAME), 1.0);
    for x in &run.state.x {
        let floor = 0.2 + 0.1 * x.x;
        assert!(x.y > floor && x.y < floor + 0.01, "at {x} over a floor at {floor} m");
    }
}

#[test]
fn a_level_set_is_no_excuse_the_triangles_it_was_made_of_are_kept_out_of() {
    let block = box_mesh(DVec3::new(0.2, 0.1, 0.2), DVec3::ZERO);
    let surface = TriangleSurface::new(block.positions.clone(), block.triangles.clone());
    let grid = Arc::new(LevelSet::of(&surface, 0.05).unwrap());
    let mut model = build(vec![centred(15, 0.12)]);
    model.colliders.push(resting(&model, Solid::LevelSet { mesh: block, grid }, 0.5));
    let run = watch("a level set", &model, &certified(0.01, FRAME), 0.5);
    let survey = survey(&model, &run.state.x, run.state.time);
    assert!(survey.min_gap().is_some_and(|gap| gap > 0.0), "{:?}", survey.min_gap());
}

#[test]
fn contact_gives_the_same_bits_for_one_and_two_threads_and_after_a_new_start() {
    // Two cloths, one above the other: threads are for several.
    let mut model = build(vec![centred(21, 0.35), centred(15, 0.45)]);
    let block = box_mesh(DVec3::new(0.2, 0.1, 0.15), DVec3::Y * 0.1);
    let mut collider = resting(&model, Solid::Mesh(block), 0.4);
    collider.motion = along(&[(0.0, DVec3::ZERO), (1.0, DVec3::new(0.3, 0.1, 0.0))]);
    model.colliders.push(collider);
    model.colliders.push(resting(&model, ground(0.0), 0.4));
    let settings = certified(0.01, FRAME);
    let hash = |threads: usize, again: bool| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
            for step in 0..40 {
                if again && step == 23 {
                    stepper = Stepper::new(&model, &settings);
                }
                stepper.step(&model, &mut state, ()).unwrap();
            }
            state.hash()
        })
    };
    let one = hash(1, false);
    assert_eq!(one, hash(2, false), "two threads");
    assert_eq!(one, hash(1, true), "a new stepper");
}
