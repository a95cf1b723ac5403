//! Impacts with moving and turning solids: nothing is missed, and no step is cut without need.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::Dice;
use glam::{DQuat, DVec3};
use muslin::collide::{
    Impact, Path, Pose, RigidMotion, Shape, edge_shape_impact, particle_shape_impact, triangle_shape_impact,
};

/// Motions of each number of points.
const ROUNDS: u32 = 30_000;

fn shape(dice: &mut Dice) -> Shape {
    let mut size = || libm::exp(dice.number(-4.0, 0.0));
    let (a, b, c) = (size(), size(), size());
    match dice.number(0.0, 6.0) as u32 {
        0 => Shape::Plane,
        1 => Shape::Sphere { radius: a },
        2 => Shape::Box { half: DVec3::new(a, b, c) },
        3 => Shape::Box { half: DVec3::new(a, 1e-3 * b, c) },
        4 => Shape::Capsule { radius: a, half_length: b },
        _ => Shape::Cylinder { radius: a, half_length: b },
    }
}

fn turn(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    let v = axis.normalize_or(DVec3::Y) * sin;
    DQuat::from_xyzw(v.x, v.y, v.z, cos)
}

/// Any motion: at rest, straight, or turning by up to two turns about a pivot that is not the centre.
fn motion(dice: &mut Dice) -> RigidMotion {
    let start = Pose { position: dice.vector(1.0), rotation: turn(dice.vector(1.0), dice.number(0.0, 6.0)) };
    let (shift, axis) = (dice.vector(2.0), dice.vector(1.0).normalize_or(DVec3::X));
    match dice.number(0.0, 4.0) as u32 {
        0 => RigidMotion::resting(start),
        1 => RigidMotion::turning(start, start.position, shift, axis, 0.0),
        2 => RigidMotion::turning(start, start.position + dice.vector(0.5), shift, axis, dice.number(-12.0, 12.0)),
        _ => RigidMotion::turning(start, start.position, shift * 0.1, axis, dice.number(-0.5, 0.5)),
    }
}

/// The least signed distance of the hull of up to three points from the solid [m], by samples of it.
fn distance<const N: usize>(shape: &Shape, motion: &RigidMotion, paths: &[Path; N], s: f64, samples: u32) -> f64 {
    let pose = motion.pose(s);
    let points = paths.map(|path| pose.local(path.at(s)));
    let of_side = |a: DVec3, b: DVec3| shape.nearest_on_edge(a, b).nearest.distance;
    match points[..] {
        [a] => shape.nearest(a).distance,
        [a, b] => of_side(a, b),
        [a, b, c] => {
            let fraction = |i: u32| f64::from(i) / f64::from(samples);
            // A triangle is the edges from a corner to the points of the opposite side.
            (0..=samples).map(|i| of_side(a, b.lerp(c, fraction(i)))).fold(f64::INFINITY, f64::min)
        }
        _ => unreachable!("one to three points"),
    }
}

/// Checks all that an answer promises.
fn check<const N: usize>(
    find: impl Fn(&Shape, &RigidMotion, [Path; N], f64) -> Option<Impact>,
    dice: &mut Dice,
    [times, samples]: [u32; 2],
) {
    let (shape, motion) = (shape(dice), motion(dice));
    let reach = libm::exp(dice.number(-5.0, 1.0));
    // A place of the hull goes where a place of the surface is at some time, or anywhere.
    let meeting = dice.number(0.0, 1.0);
    let meets = dice.number(0.0, 1.0) < 0.7;
    let surface = motion.pose(meeting).world(shape.nearest(dice.vector(1.0)).point);
    let hull = [DVec3::ZERO; N].map(|_| dice.vector(reach));
    let weights = [0.0; N].map(|_: f64| dice.number(0.01, 1.0));
    let inner = (0..N).map(|i| hull[i] * weights[i]).sum::<DVec3>() / weights.iter().sum::<f64>();
    let there = if meets { surface - inner } else { dice.vector(3.0) };
    let speed = libm::exp(dice.number(-8.0, 2.0));
    let paths = hull.map(|point| {
        let velocity = dice.vector(speed);
        Path { start: point + there - velocity * meeting, end: point + there + velocity * (1.0 - meeting) }
    });
    let before = distance(&shape, &motion, &paths, 0.0, samples);
    let floor = [0.0, 0.5 * before.max(0.0), 1e-3][dice.number(0.0, 3.0) as usize];
    let impact = find(&shape, &motion, paths, floor);
    let safe = impact.map_or(1.0, |impact| impact.time);
    let case = || format!("floor {floor}, {before} before: {impact:?} of {shape:?} {motion:?} {paths:?}");
    // Rounding of places some metres from the origin.
    let rounding = 1e-13;
    if safe > 0.0 {
        for s in (0..=times).map(|i| safe * f64::from(i) / f64::from(times)) {
            let apart = distance(&shape, &motion, &paths, s, samples);
            assert!(apart > floor - rounding, "{apart} apart at {s}; {}", case());
        }
        assert!(!meets || safe <= meeting + 1e-13, "they meet at {meeting}; {}", case());
    }
    let Some(impact) = impact else { return };
    let left = distance(&shape, &motion, &paths, impact.time, 300 * u32::from(N == 3));
    // Samples of a triangle are that much farther than its nearest place.
    let places = paths.map(|path| path.at(impact.time));
    let coarse = if N == 3 { places[1].distance(places[N - 1]) / 300.0 } else { 0.0 };
    // Without a floor a pair is judged by a millionth of its size, which is some tens of metres with all turns.
    let scale = if floor > 0.0 { floor } else { 3e-3 };
    let allowed = floor + 0.1 * (before - floor).max(0.0).min(scale) + 1e-10 + coarse;
    assert!(left <= allowed, "{left} left; {}", case());
}

#[test]
fn no_particle_enters_a_moving_solid_and_none_is_stopped_without_need() {
    let mut dice = Dice::new(1);
    (0..ROUNDS).for_each(|_| check(|s, m, [p], f| particle_shape_impact(s, m, p, f), &mut dice, [40, 0]));
}

#[test]
fn no_edge_enters_a_moving_solid_and_none_is_stopped_without_need() {
    let mut dice = Dice::new(2);
    (0..ROUNDS).for_each(|_| check(edge_shape_impact, &mut dice, [20, 0]));
}

#[test]
fn no_triangle_enters_a_moving_solid_and_none_is_stopped_without_need() {
    let mut dice = Dice::new(3);
    (0..ROUNDS / 10).for_each(|_| check(triangle_shape_impact, &mut dice, [10, 12]));
}

fn flight(from: DVec3, to: DVec3) -> RigidMotion {
    RigidMotion::between(Pose::at(from), Pose::at(to))
}

#[test]
fn a_ball_that_flies_a_thousand_times_its_size_in_a_step_is_stopped_by_the_midst_of_a_triangle() {
    let ball = Shape::Sphere { radius: 0.01 };
    let shot = flight(DVec3::new(0.3, 5.0, 0.3), DVec3::new(0.3, -5.0, 0.3));
    let cloth = [DVec3::ZERO, DVec3::X, DVec3::Z].map(Path::resting);
    let impact = triangle_shape_impact(&ball, &shot, cloth, 1e-3).unwrap();
    assert!(impact.time > 0.4988 && impact.time < 0.4989 && impact.normal.distance(DVec3::NEG_Y) < 1e-12, "{impact:?}");
    // Its corners and sides are never near: they alone would let it through.
    assert!(cloth.iter().all(|&corner| particle_shape_impact(&ball, &shot, corner, 1e-3).is_none()));
    assert!(edge_shape_impact(&ball, &shot, [cloth[0], cloth[1]], 1e-3).is_none());
}

#[test]
fn a_thin_blade_is_stopped_by_the_middle_of_an_edge_whose_ends_it_does_not_come_near() {
    let blade = Shape::Box { half: DVec3::new(1e-4, 0.2, 0.3) };
    let edge = [-0.05, 0.05].map(|x| Path::resting(DVec3::new(x, 0.0, 0.0)));
    let cut = flight(DVec3::new(0.0, 0.5, 0.0), DVec3::new(0.0, -0.5, 0.0));
    let impact = edge_shape_impact(&blade, &cut, edge, 1e-4).unwrap();
    assert!(impact.time > 0.2998 && impact.time < 0.3, "{impact:?}");
    assert!(edge.iter().all(|&end| particle_shape_impact(&blade, &cut, end, 1e-4).is_none()));
}

#[test]
fn a_turning_paddle_hits_what_its_poses_at_start_and_end_both_miss() {
    let paddle = Shape::Box { half: DVec3::new(1.0, 0.01, 0.1) };
    let particle = Path::resting(DVec3::new(0.0, 0.9, 0.0));
    let spin = |angle| RigidMotion::turning(Pose::at(DVec3::ZERO), DVec3::ZERO, DVec3::ZERO, DVec3::Z, angle);
    let half_turn = spin(std::f64::consts::PI);
    let impact = particle_shape_impact(&paddle, &half_turn, particle, 0.0).unwrap();
    // Its flat side is there when it has turned by 90° less the angle of half its thickness; a tenth of the gap is
    // kept.
    assert!(impact.time > 0.4 && impact.time < 0.5 - 0.01 / 0.9 / std::f64::consts::PI, "{impact:?}");
    assert_eq!(particle_shape_impact(&paddle, &spin(0.3), particle, 0.0), None);
}

#[test]
fn cloth_may_lie_a_nanometre_above_solids_that_turn_or_slide_under_it() {
    let resting = Path::resting(DVec3::new(0.0, 0.5 + 1e-9, 0.0));
    let spin = RigidMotion::turning(Pose::at(DVec3::ZERO), DVec3::ZERO, DVec3::ZERO, DVec3::X, 0.2);
    let ball = Shape::Sphere { radius: 0.5 };
    assert_eq!(particle_shape_impact(&ball, &spin, resting, 5e-10), None);
    let slab = Shape::Box { half: DVec3::new(2.0, 0.5, 2.0) };
    let slide = flight(DVec3::ZERO, DVec3::new(1.0, 0.0, 0.5));
    assert_eq!(particle_shape_impact(&slab, &slide, resting, 5e-10), None);
    let table = RigidMotion::turning(Pose::at(DVec3::ZERO), DVec3::ZERO, DVec3::ZERO, DVec3::Y, 0.2);
    let drum = Shape::Cylinder { radius: 0.5, half_length: 1.0 };
    let beside = Path::resting(DVec3::new(0.5 + 1e-9, 0.3, 0.0));
    assert_eq!(particle_shape_impact(&drum, &table, beside, 5e-10), None);
    let side = Path::resting(DVec3::new(0.4, 0.5 + 1e-9, 0.3));
    assert_eq!(particle_shape_impact(&slab, &table, side, 5e-10), None);
}

#[test]
fn what_is_inside_at_the_start_or_is_not_a_number_stops_at_once() {
    let ball = Shape::Sphere { radius: 0.5 };
    let rest = RigidMotion::resting(Pose::at(DVec3::ZERO));
    let leaving = Path { start: DVec3::splat(0.1), end: DVec3::splat(3.0) };
    assert_eq!(particle_shape_impact(&ball, &rest, leaving, 0.0).unwrap().time, 0.0);
    for bad in [f64::NAN, f64::INFINITY] {
        let lost = Path { start: DVec3::Y, end: DVec3::new(bad, 1.0, 0.0) };
        assert_eq!(particle_shape_impact(&ball, &rest, lost, 0.0).unwrap().time, 0.0);
        let mad = flight(DVec3::ZERO, DVec3::new(0.0, 0.0, bad));
        assert_eq!(particle_shape_impact(&ball, &mad, Path::resting(DVec3::Y), 0.0).unwrap().time, 0.0);
    }
}

#[test]
fn solids_and_cloth_of_any_size_and_far_away_meet_where_they_do_near_by() {
    for (size, offset) in [(1.0, 1e6), (1e-6, 0.0), (1e6, 0.0), (1e-3, 1e4)] {
        let away = DVec3::new(offset, -offset, offset);
        let drum = Shape::Cylinder { radius: 0.2 * size, half_length: 0.1 * size };
        let start = Pose { position: away + DVec3::Y * size, rotation: turn(DVec3::new(1.0, 0.3, 0.2), 0.7) };
        let fall = RigidMotion::turning(start, start.position, DVec3::Y * (-2.0 * size), DVec3::X, 3.0);
        let cloth = [DVec3::new(-1.0, 0.0, -1.0), DVec3::new(1.0, 0.0, -1.0), DVec3::new(0.0, 0.0, 1.5)]
            .map(|corner| Path::resting(away + corner * size));
        let floor = 1e-2 * size;
        let impact = triangle_shape_impact(&drum, &fall, cloth, floor).unwrap();
        let left = distance(&drum, &fall, &cloth, impact.time, 300);
        // Between the floor and a tenth more, as far as coordinates are known.
        let rounding = 1e-13 * (offset + size);
        assert!(left > floor - rounding && left < 1.2 * floor + 100.0 * rounding, "{left} at {size}, {offset}");
        assert!(impact.time > 0.3 && impact.time < 0.5, "{impact:?}");
    }
}

#[test]
fn a_solid_stays_in_its_box_for_the_whole_step() {
    let mut dice = Dice::new(4);
    for _ in 0..2000 {
        let (shape, motion) = (shape(&mut dice), motion(&mut dice));
        let bounds = shape.swept_bounds(&motion);
        for i in 0..=50 {
            let place = motion.pose(f64::from(i) / 50.0).world(shape.nearest(dice.vector(2.0)).point);
            assert!(bounds.contains(place), "{place} is outside {bounds:?} of {shape:?} {motion:?}");
        }
    }
}

#[test]
fn boxes_of_solids_are_no_wider_than_they_must_be() {
    let half = DVec3::new(0.1, 0.2, 0.3);
    let slide = flight(DVec3::ZERO, DVec3::X);
    let bounds = Shape::Box { half }.swept_bounds(&slide);
    // Rounding of a metre.
    assert!(bounds.min.distance(-half) < 1e-13 && bounds.max.distance(half + DVec3::X) < 1e-13, "{bounds:?}");
    let floor = Shape::Plane.swept_bounds(&flight(DVec3::ZERO, DVec3::Y));
    assert!((floor.max.y - 1.0).abs() < 1e-13 && floor.min.y == f64::NEG_INFINITY, "{floor:?}");
    let spin = RigidMotion::turning(Pose::at(DVec3::ZERO), DVec3::ZERO, DVec3::ZERO, DVec3::Y, 0.1);
    let spun = Shape::Sphere { radius: 1.0 }.swept_bounds(&spin);
    assert!(spun.max.x < 1.0 + 1e-13, "{spun:?}");
    // A box's corner leaves its chord: its own size, the square of a tenth, over eight.
    let spun = Shape::Box { half }.swept_bounds(&spin);
    assert!(spun.max.y < half.y + 0.01 / 8.0 * half.length() + 1e-13, "{spun:?}");
}
