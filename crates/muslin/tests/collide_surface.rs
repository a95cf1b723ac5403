//! Distances to triangle meshes, with their sign: against the same box as a formula, and against winding numbers.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::Dice;
use glam::DVec3;
use muslin::collide::{Shape, TriangleSurface};

/// The triangles of a box, seen from outside in the order of their corners.
fn box_mesh(half: DVec3) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 2.0 - 1.0;
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(|i| corner(i) * half).collect(), triangles)
}

#[test]
fn a_box_of_triangles_is_as_far_as_the_box_inside_and_outside_and_turned_inside_out() {
    let mut dice = Dice::new(8);
    for round in 0..200 {
        let half = DVec3::new(dice.number(0.1, 1.0), dice.number(0.1, 1.0), dice.number(0.1, 1.0));
        let (positions, mut triangles) = box_mesh(half);
        if round % 2 == 1 {
            for triangle in &mut triangles {
                triangle.swap(0, 1);
            }
        }
        let surface = TriangleSurface::new(positions, triangles);
        assert!(surface.is_watertight() && surface.edges().len() == 18);
        for _ in 0..100 {
            let p = dice.vector(1.5);
            let (mesh, exact) = (surface.nearest(p, 10.0).unwrap(), Shape::Box { half }.nearest(p));
            assert!((mesh.distance - exact.distance).abs() < 1e-14, "{} and {}", mesh.distance, exact.distance);
            assert!((mesh.place.point + mesh.normal * mesh.distance).distance(p) < 1e-14);
        }
    }
}

#[test]
fn open_meshes_are_alike_from_both_sides_and_moved_meshes_are_where_they_were_moved() {
    let (positions, mut triangles) = box_mesh(DVec3::ONE);
    triangles.truncate(10);
    let mut surface = TriangleSurface::new(positions.clone(), triangles);
    assert!(!surface.is_watertight());
    for p in [DVec3::new(0.9, 0.1, 0.2), DVec3::new(1.1, 0.1, 0.2)] {
        let near = surface.nearest(p, 1.0).unwrap();
        assert!((near.distance - 0.1).abs() < 1e-15 && near.normal.x.signum() == (p.x - 1.0).signum());
    }
    assert_eq!(surface.nearest(DVec3::new(3.0, 0.0, 0.0), 1.9), None);
    let moved: Vec<DVec3> = positions.iter().map(|p| *p + DVec3::X).collect();
    surface.update(&moved);
    assert!((surface.nearest(DVec3::new(3.0, 0.0, 0.0), 1.9).unwrap().distance - 1.0).abs() < 1e-15);
}

/// A closed mesh of spikes and dents: rings of points at random distances from the origin, and two poles.
fn spiky(dice: &mut Dice) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (columns, rings) = (7, 5);
    let mut positions = vec![DVec3::Y * dice.number(0.2, 1.0), DVec3::NEG_Y * dice.number(0.2, 1.0)];
    for (j, i) in (0..rings).flat_map(|j| (0..columns).map(move |i| (j, i))) {
        let (sin, cos) = libm::sincos(std::f64::consts::PI * f64::from(j + 1) / f64::from(rings + 1));
        let (east, north) = libm::sincos(std::f64::consts::TAU * f64::from(i) / f64::from(columns));
        positions.push(DVec3::new(sin * east, cos, sin * north) * dice.number(0.2, 1.0));
    }
    let corner = |j: u32, i: u32| 2 + j * columns + i % columns;
    let mut triangles = Vec::new();
    for i in 0..columns {
        triangles.push([0, corner(0, i), corner(0, i + 1)]);
        triangles.push([1, corner(rings - 1, i + 1), corner(rings - 1, i)]);
        for j in 0..rings - 1 {
            triangles.push([corner(j, i), corner(j + 1, i), corner(j + 1, i + 1)]);
            triangles.push([corner(j, i), corner(j + 1, i + 1), corner(j, i + 1)]);
        }
    }
    (positions, triangles)
}

/// How often a mesh goes round a point: the sum of its triangles' solid angles over 4π.
fn winding(positions: &[DVec3], triangles: &[[u32; 3]], point: DVec3) -> f64 {
    let solid = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|i| positions[i as usize] - point);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        libm::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
    };
    triangles.iter().map(solid).sum::<f64>() / std::f64::consts::TAU
}

#[test]
fn the_sign_of_the_distance_to_a_spiky_mesh_is_that_of_its_winding_number() {
    let mut dice = Dice::new(9);
    for _ in 0..200 {
        let (positions, triangles) = spiky(&mut dice);
        let surface = TriangleSurface::new(positions.clone(), triangles.clone());
        assert!(surface.is_watertight());
        for _ in 0..200 {
            // Many near a corner, where a wrong weight would show.
            let corner = positions[dice.number(0.0, positions.len() as f64) as usize];
            let near = dice.vector(0.1);
            let point = [dice.vector(1.0), corner + near][dice.number(0.0, 2.0) as usize];
            let (found, winding) = (surface.nearest(point, 9.0).unwrap(), winding(&positions, &triangles, point).abs());
            assert_eq!(found.distance < 0.0, winding > 0.5, "{point}: {} from it, wound {winding}", found.distance);
        }
    }
}
