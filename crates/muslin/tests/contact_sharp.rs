//! Tips, rims and corners of meshes under `certified`: the parts of a solid that faces say nothing of.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::certify::{certified, passes};
use common::solids::{ground, resting};
use common::{bare, build, cloth, elastic, grid, sheet, surface};
use glam::DVec3;
use muslin::mesh::Diagonals;
use muslin::model::{Cloth, Solid, SolidMesh};

const FRAME: f64 = 1.0 / 60.0;

fn above(mut cloth: Cloth, height: f64) -> Cloth {
    let centre = cloth.start.iter().sum::<DVec3>() / cloth.start.len() as f64;
    cloth.start.iter_mut().for_each(|x| *x += DVec3::Y * height - centre);
    cloth
}

/// A cone that stands on the ground, watertight.
fn cone(radius: f64, height: f64, round: u32) -> SolidMesh {
    let rim = |i: u32| {
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(i) / f64::from(round));
        DVec3::new(radius * cos, 0.0, radius * sin)
    };
    let positions = [DVec3::Y * height, DVec3::ZERO].into_iter().chain((0..round).map(rim)).collect();
    let sides = (0..round).map(|i| [i + 2, (i + 1) % round + 2]);
    SolidMesh { positions, triangles: sides.flat_map(|[a, b]| [[0, b, a], [1, a, b]]).collect() }
}

/// A sheet that comes down on the tip of a cone: at a vertex, and at a place inside an edge.
#[track_caller]
fn comes_down_on(radius: f64, friction: f64) {
    for off in [DVec3::ZERO, DVec3::new(0.0131, 0.0, 0.0)] {
        let size = [0.8, 0.8];
        let fabric = cloth(grid(size, [25, 25], Diagonals::Both), surface(elastic()), vec![]);
        let mut sheet = above(fabric, 0.35);
        sheet.start.iter_mut().for_each(|x| *x += off);
        let mut model = build(vec![sheet]);
        model.colliders.push(resting(&model, Solid::Mesh(cone(radius, 0.3, 24)), friction));
        model.colliders.push(resting(&model, ground(0.0), friction));
        passes(&format!("a cone of {radius} m, μ {friction}, {off}"), &model, &certified(0.01, FRAME), 1.0);
    }
}

#[test]
fn folds_slide_over_the_tip_of_a_cone_with_and_without_friction() {
    // Cloth comes to lie along its sides, so that the tip is nearest to an edge that is folded inwards.
    for friction in [0.0, 0.3] {
        comes_down_on(0.2, friction);
    }
}

#[test]
fn a_needle_holds_a_sheet_or_lets_it_slide_off_but_does_not_go_through() {
    for friction in [0.0, 0.3] {
        comes_down_on(0.01, friction);
    }
}

#[test]
fn an_open_plate_on_edge_is_met_at_its_corners_too() {
    let corners = [[-0.4, -0.5], [-0.4, 0.0], [0.4, 0.0], [0.4, -0.5]];
    let positions = corners.map(|[z, y]| DVec3::new(0.03, y, z)).to_vec();
    let plate = SolidMesh { positions, triangles: vec![[0, 1, 2], [0, 2, 3]] };
    for speed in [0.0, 10.0] {
        let mut sheet = above(sheet(8, bare(), vec![]), 0.1);
        sheet.start_velocity.fill(DVec3::NEG_Y * speed);
        let mut model = build(vec![sheet]);
        model.colliders.push(resting(&model, Solid::Mesh(plate.clone()), 0.5));
        passes(&format!("a plate at {speed} m/s"), &model, &certified(0.01, FRAME), 0.5);
    }
}
