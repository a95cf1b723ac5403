//! Starts that overlap: cloth comes out, no edge gets too long, pinned particles stay, and what fails is named.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::solids::{ball_mesh, block_mesh, meshed, shaped, turned};
use common::{bare, build, pin, sheet};
use glam::DVec3;
use muslin::Model;
use muslin::collide::{Pose, Shape};
use muslin::contact::repair::{Repair, repair};
use muslin::contact::survey::{Part, survey};
use muslin::model::Collider;

/// The strain limit of all tests.
const STRETCH: f64 = 0.01;
/// The distance to keep [m].
const THICKNESS: f64 = 1e-3;

/// A square metre of 21 particles a side in the plane y = `height`, with pins.
fn flat(height: f64, pins: Vec<u32>, collider: Collider) -> Model {
    let mut sheet = sheet(21, bare(), if pins.is_empty() { vec![] } else { vec![pin(pins)] });
    sheet.start.iter_mut().for_each(|x| x.y = height);
    let mut model = build(vec![sheet]);
    model.colliders.push(collider);
    model
}

/// Repairs a model and checks what holds in any case: strain, depth, pins, the counts, and the same result again.
fn repaired(model: &Model) -> (Vec<DVec3>, Repair) {
    let mut x = model.start.clone();
    let done = repair(model, &mut x, 0.0, STRETCH);
    for edge in &model.edges {
        let (a, b) = (edge.a as usize, edge.b as usize);
        let (before, after) = (model.start[a].distance(model.start[b]), x[a].distance(x[b]));
        assert!(after <= before.max((1.0 + STRETCH) * edge.rest), "edge {a}–{b} from {before} to {after}");
    }
    let gap = |x: &[DVec3]| survey(model, x, 0.0).min_gap().unwrap_or(f64::INFINITY);
    let (before, after) = (gap(&model.start), gap(&x));
    assert!(after >= before - 1e-12, "the deepest place was at {before} m and is at {after} m");
    for pinned in model.pins.iter().flat_map(|pin| &pin.particles) {
        assert_eq!(x[*pinned as usize], model.start[*pinned as usize]);
    }
    let distances: Vec<f64> = x.iter().zip(&model.start).map(|(to, from)| to.distance(*from)).collect();
    assert_eq!(done.moved, distances.iter().filter(|distance| **distance > 0.0).count());
    assert_eq!(done.furthest, distances.iter().copied().fold(0.0, f64::max));
    let mut again = model.start.clone();
    assert_eq!((repair(model, &mut again, 0.0, STRETCH), again), (done.clone(), x.clone()));
    (x, done)
}

/// Repairs a model and checks that all came out.
fn freed(model: &Model) -> (Vec<DVec3>, Repair) {
    let (x, done) = repaired(model);
    let after = survey(model, &x, 0.0);
    assert!(done.left == 0 && done.first_left.is_empty(), "{done:?}");
    // Places keep the thickness where they were judged; a survey looks again, with other roundings.
    assert!(after.min_gap().unwrap() >= THICKNESS - 1e-12 && after.crossings == 0, "{after:?} after {done:?}");
    (x, done)
}

#[test]
fn cloth_that_keeps_its_distance_is_not_touched() {
    let model = flat(THICKNESS, vec![], shaped(Shape::Plane, Pose::at(DVec3::ZERO)));
    assert_eq!(repaired(&model), (model.start.clone(), Repair::default()));
    let model = build(vec![sheet(3, bare(), vec![])]);
    assert_eq!(repaired(&model).1, Repair::default());
}

#[test]
fn a_sheet_half_sunk_in_a_tilted_plane_comes_out_and_its_dry_end_stays() {
    let tilt = Pose { position: DVec3::new(0.5, 0.0, 0.5), rotation: turned(DVec3::Z, 0.05) };
    let model = flat(0.0, vec![], shaped(Shape::Plane, tilt));
    let (x, done) = freed(&model);
    // The wet half is up to 25 mm deep. Bent up from the line in the middle it lies on the plane.
    assert!(done.furthest > 0.02 && done.furthest < 0.06, "{done:?}");
    let dry = model.start.iter().zip(&x).filter(|(from, _)| from.x < 0.3);
    assert!(dry.clone().count() > 100 && dry.clone().all(|(from, to)| from.distance(*to) < 5e-3), "{done:?}");
}

#[test]
fn a_sheet_that_a_ball_has_risen_through_lies_on_top_of_it() {
    for collider in [
        shaped(Shape::Sphere { radius: 0.2 }, Pose::at(DVec3::new(0.5, -0.15, 0.5))),
        meshed(ball_mesh(0.2, DVec3::new(0.5, -0.15, 0.5), 24)),
    ] {
        let (_, done) = freed(&flat(0.0, vec![], collider));
        // The ball's top is 5 cm above the sheet.
        assert!(done.furthest > 0.045 && done.furthest < 0.1, "{done:?}");
    }
}

#[test]
fn a_sheet_with_the_edge_of_a_box_through_it_comes_out() {
    let rotation = turned(DVec3::Z, std::f64::consts::FRAC_PI_4);
    let half = DVec3::new(0.1, 0.1, 0.3);
    // An edge of the box is upwards and 3 cm above the sheet.
    let pose = Pose { position: DVec3::new(0.512, 0.03 - 0.1 * 2.0_f64.sqrt(), 0.5), rotation };
    let (positions, triangles) = block_mesh(half, DVec3::ZERO);
    let mesh = meshed((positions.iter().map(|x| pose.world(*x)).collect(), triangles));
    for collider in [shaped(Shape::Box { half }, pose), mesh] {
        let (_, done) = freed(&flat(0.0, vec![], collider));
        assert!(done.furthest > 0.02 && done.furthest < 0.1, "{done:?}");
    }
}

#[test]
fn a_sheet_wholly_inside_a_watertight_mesh_is_carried_out_the_shortest_way() {
    let model = flat(0.0, vec![], meshed(block_mesh(DVec3::new(0.6, 0.3, 0.6), DVec3::new(0.5, 0.05, 0.5))));
    let (x, done) = freed(&model);
    // Down by 25 cm, or up by 35.
    assert!((done.furthest - 0.251).abs() < 0.01 && done.moved == 441, "{done:?}");
    assert!(x.iter().all(|x| x.y < -0.25));
}

#[test]
fn a_sheet_through_the_middle_of_a_ball_or_a_blade_is_carried_out_as_a_whole() {
    let middle = DVec3::new(0.5, 0.0, 0.5);
    for collider in [
        shaped(Shape::Sphere { radius: 0.2 }, Pose::at(middle)),
        shaped(Shape::Box { half: DVec3::new(1e-4, 0.1, 0.4) }, Pose::at(middle + DVec3::X * 0.02)),
        meshed(block_mesh(DVec3::new(1e-4, 0.1, 0.4), middle + DVec3::X * 0.02)),
    ] {
        let (_, done) = freed(&flat(0.0, vec![], collider));
        assert!(done.furthest < 0.25, "{done:?}");
    }
}

#[test]
fn a_vertex_pinned_inside_a_solid_stays_and_all_that_is_not_near_it_is_freed() {
    let ball = shaped(Shape::Sphere { radius: 0.1 }, Pose::at(DVec3::new(0.0, -0.05, 0.0)));
    let (x, done) = repaired(&flat(0.0, vec![0], ball.clone()));
    assert_eq!((x[0], done.left), (DVec3::ZERO, 0), "{done:?}");
    assert!(done.moved > 0, "{done:?}");
    let after = survey(&flat(0.0, vec![0], ball), &x, 0.0);
    assert!(after.is_clear() && after.too_near == 0, "{after:?}");
    // Apart from the rest: the pin, and what is nearer to it than 5 cm and the thickness.
    assert!((after.left_out.nearest.unwrap().gap + 0.05).abs() < 1e-12, "{after:?}");
}

#[test]
fn a_taut_sheet_that_cannot_come_out_is_not_stretched_for_it() {
    // The row between the pins is straight and goes through the ball.
    let centre = DVec3::new(0.5, -0.05, 0.0);
    for ball in [shaped(Shape::Sphere { radius: 0.2 }, Pose::at(centre)), meshed(ball_mesh(0.2, centre, 24))] {
        let (_, done) = repaired(&flat(0.0, vec![0, 20], ball));
        assert!(done.left > 0, "{done:?}");
    }
}

#[test]
fn a_sheet_with_an_open_mesh_through_its_rim_is_freed_and_one_held_on_both_sides_is_named() {
    // A square of two triangles stands on edge and cuts the sheet's rim.
    let square = |z: [f64; 2]| {
        let corner = |y: f64, z: f64| DVec3::new(0.51, y, z);
        (vec![corner(-0.2, z[0]), corner(0.2, z[0]), corner(0.2, z[1]), corner(-0.2, z[1])], vec![[0, 1, 2], [0, 2, 3]])
    };
    let (_, done) = freed(&flat(0.0, vec![], meshed(square([-0.1, 0.03]))));
    assert!(done.furthest < 0.25, "{done:?}");
    let corners = vec![0, 20, 420, 440];
    let model = flat(0.0, corners, meshed(square([0.1, 0.9])));
    let (x, done) = repaired(&model);
    assert!(done.left > 0 && survey(&model, &x, 0.0).crossings > 0, "{done:?}");
    assert!(done.first_left.iter().all(|place| !matches!(place.part, Part::Vertex(0))), "{done:?}");
}

#[test]
fn cloth_that_is_already_too_long_is_freed_and_gets_no_longer() {
    let mut model = flat(-0.01, vec![], shaped(Shape::Plane, Pose::at(DVec3::ZERO)));
    for x in &mut model.start {
        x.x *= 1.05;
    }
    freed(&model);
}
