//! Distances to triangle meshes, with their sign: against the same box as a formula, and against winding numbers.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::Dice;
use common::solids::{MeshParts, ball_mesh, block_mesh, globe};
use glam::DVec3;
use muslin::collide::{Shape, TriangleSurface};

#[test]
fn a_box_of_triangles_is_as_far_as_the_box_inside_and_outside_and_turned_inside_out() {
    let mut dice = Dice::new(8);
    for round in 0..200 {
        let half = DVec3::new(dice.number(0.1, 1.0), dice.number(0.1, 1.0), dice.number(0.1, 1.0));
        let (positions, mut triangles) = block_mesh(half, DVec3::ZERO);
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
    let (positions, mut triangles) = block_mesh(DVec3::ONE, DVec3::ZERO);
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
fn spiky(dice: &mut Dice) -> MeshParts {
    let (mut positions, triangles) = globe(7, 5);
    for p in &mut positions {
        *p *= dice.number(0.2, 1.0);
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

/// Two meshes as one; the second inside out if asked for.
fn joined(first: MeshParts, second: MeshParts, inside_out: bool) -> TriangleSurface {
    let (mut positions, mut triangles) = first;
    let offset = positions.len() as u32;
    positions.extend(second.0);
    triangles
        .extend(second.1.iter().map(|&[a, b, c]| if inside_out { [b, a, c] } else { [a, b, c] }.map(|i| i + offset)));
    TriangleSurface::new(positions, triangles)
}

#[test]
fn pieces_that_disagree_about_which_way_is_out_make_a_mesh_open_unless_one_is_the_wall_of_a_hollow() {
    let ball = |radius: f64, x: f64| ball_mesh(radius, DVec3::X * x, 16);
    assert!(joined(ball(1.0, 0.0), ball(0.5, 3.0), false).is_watertight());
    assert!(!joined(ball(1.0, 0.0), ball(0.5, 3.0), true).is_watertight());
    assert!(!joined(ball(0.5, 3.0), ball(1.0, 0.0), true).is_watertight());
    let hollow = joined(ball(1.0, 0.0), ball(0.5, 0.0), true);
    assert!(hollow.is_watertight());
    for (x, inside) in [(0.0, false), (0.4, false), (0.6, true), (0.9, true), (1.1, false)] {
        let near = hollow.nearest(DVec3::new(0.0, x, 0.02), 9.0).unwrap();
        assert_eq!(near.distance < 0.0, inside, "{near:?} at {x}");
    }
}

#[test]
fn triangles_without_area_do_not_hide_which_side_is_in() {
    // A wedge, sharp at x = 0, whose sharp edge is split by a corner that only one of its two sides knows: a triangle
    // without area fills the gap, and its neighbours each know but one side of the wedge.
    let p = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let positions = vec![
        p(0.0, 0.0, 0.0),
        p(0.0, 0.0, 1.0),
        p(0.0, 0.0, 0.5), // the sharp edge and its middle
        p(1.0, 0.1, 0.0),
        p(1.0, 0.1, 1.0),
        p(1.0, -0.1, 0.0),
        p(1.0, -0.1, 1.0),
    ];
    let triangles = vec![
        [0, 2, 4],
        [0, 4, 3],
        [2, 1, 4], // above, split in the middle
        [0, 5, 6],
        [0, 6, 1], // below
        [0, 1, 2], // without area
        [3, 4, 6],
        [3, 6, 5], // the back
        [0, 3, 5],
        [1, 6, 4],
    ];
    let surface = TriangleSurface::new(positions.clone(), triangles.clone());
    assert!(surface.is_watertight());
    let mut dice = Dice::new(11);
    for _ in 0..20_000 {
        let point = DVec3::new(dice.number(-0.3, 0.3), dice.number(-0.2, 0.2), dice.number(-0.1, 1.1));
        let found = surface.nearest(point, 9.0).unwrap();
        let inside = winding(&positions, &triangles, point).abs() > 0.5;
        assert_eq!(found.distance < 0.0, inside, "{point}: {found:?}");
    }
}

#[test]
fn on_the_surface_the_normal_is_that_of_the_surface() {
    let far = DVec3::new(100.0, 37.0, -12.0);
    let (positions, triangles) = ball_mesh(1.0, far, 24);
    let surface = TriangleSurface::new(positions.clone(), triangles.clone());
    for triangle in &triangles {
        let [a, b, c] = triangle.map(|i| positions[i as usize]);
        for point in [a, (a + b) * 0.5, (a + b + c) / 3.0] {
            let near = surface.nearest(point, 1.0).unwrap();
            // A direction that came of rounding would be any; the ball's is known to the size of its triangles.
            assert!(near.distance.abs() < 1e-13 && near.normal.dot((point - far).normalize()) > 0.9, "{near:?}");
        }
    }
}

#[test]
fn far_from_the_origin_distances_and_signs_are_right_to_the_rounding_of_coordinates() {
    let mut dice = Dice::new(12);
    for offset in [1e3, 1e6, 1e9] {
        let centre = DVec3::new(offset, -offset, 0.5 * offset);
        let half = DVec3::new(0.5, 0.25, 1.0);
        let (positions, triangles) = block_mesh(half, centre);
        let surface = TriangleSurface::new(positions, triangles);
        assert!(surface.is_watertight());
        for _ in 0..2000 {
            let point = centre + dice.vector(1.5);
            let (found, exact) =
                (surface.nearest(point, 9.0).unwrap().distance, Shape::Box { half }.nearest(point - centre));
            // Coordinates are known to a few 1e-16 of the offset.
            let rounding = 1e-15 * offset + 1e-14;
            assert!((found - exact.distance).abs() < rounding, "{found} and {} at {offset}", exact.distance);
        }
    }
}

#[test]
#[should_panic(expected = "not among the 8 positions")]
fn corners_that_do_not_exist_are_refused_by_name() {
    let (positions, mut triangles) = block_mesh(DVec3::ONE, DVec3::ZERO);
    triangles[3][1] = 8;
    let _ = TriangleSurface::new(positions, triangles);
}
