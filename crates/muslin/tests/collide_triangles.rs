//! Triangles against solids and against triangles: by bounds from both sides, and by brute force.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::Dice;
use glam::DVec3;
use muslin::collide::{Bounds, Bvh, Meeting, Shape, closest_of_triangles, edge_meets_triangle, parted_by_plane};

fn blend(triangle: [DVec3; 3], weights: [f64; 3]) -> DVec3 {
    (0..3).map(|i| triangle[i] * weights[i]).sum()
}

/// Triangles of any size and place; some perpendicular to an axis, some needles.
fn triangle(dice: &mut Dice) -> [DVec3; 3] {
    let (size, centre) = (libm::exp(dice.number(-4.0, 1.0)), dice.vector(1.2));
    let mut corners = [0; 3].map(|_: i32| centre + dice.vector(size));
    match dice.number(0.0, 6.0) as u32 {
        0 => corners.iter_mut().for_each(|corner| corner.y = centre.y),
        1 => corners.iter_mut().for_each(|corner| corner.x = centre.x),
        2 => corners[2] = corners[0].lerp(corners[1], dice.number(0.0, 1.0)) + dice.vector(1e-6),
        3 => corners[2] = corners[1],
        _ => {}
    }
    corners
}

#[test]
fn a_triangle_is_as_far_from_a_solid_as_the_nearest_of_its_samples_and_no_farther_than_any() {
    let mut dice = Dice::new(1);
    let (mut pierced, n) = (0, 24);
    for _ in 0..3000 {
        for shape in dice.shapes() {
            let corners = triangle(&mut dice);
            let (weights, near) = shape.nearest_on_triangle(corners);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12 && weights.iter().all(|&w| w >= -1e-15));
            // Rounding of lengths of some metres, at places that weights give.
            assert!((shape.nearest(blend(corners, weights)).distance - near.distance).abs() < 1e-13);
            let longest = corners[0].distance(corners[1]) + corners[0].distance(corners[2]);
            // A search for a kink ends at 3e-11 of the size; all else is rounding.
            let slack = if near.distance < 0.0 { 1e-10 * longest } else { 0.0 } + 1e-13;
            let fraction = |i: u32| f64::from(i) / f64::from(n);
            let mut sampled = f64::INFINITY;
            for (i, j) in (0..=n).flat_map(|i| (0..=n - i).map(move |j| (i, j))) {
                let place = blend(corners, [1.0 - fraction(i) - fraction(j), fraction(i), fraction(j)]);
                sampled = sampled.min(shape.nearest(place).distance);
            }
            assert!(near.distance <= sampled + slack, "{shape:?} {corners:?}: {near:?}, sampled {sampled}");
            assert!(
                near.distance >= sampled - longest / f64::from(n) - 1e-13,
                "{shape:?}: {near:?}, sampled {sampled}"
            );
            pierced += u32::from(near.distance < 0.0 && weights.iter().all(|&w| w > 1e-9));
        }
    }
    assert!(pierced > 100, "only {pierced} are deepest in their midst");
}

#[test]
fn where_a_triangle_is_outside_of_a_solid_a_plane_proves_that_it_is_no_nearer() {
    let mut dice = Dice::new(2);
    for _ in 0..20_000 {
        for shape in dice.shapes() {
            let corners = triangle(&mut dice);
            let (_, near) = shape.nearest_on_triangle(corners);
            // Nearer than a micrometre the normal is off by rounding over the distance.
            if near.distance > 1e-6 && !matches!(shape, Shape::Plane) {
                let n = near.normal;
                let least = corners.iter().map(|corner| n.dot(*corner)).fold(f64::INFINITY, f64::min) - shape.reach(n);
                assert!(
                    near.distance - least < 1e-13 + 1e-15 / near.distance,
                    "{shape:?} {corners:?}: {near:?} {least}"
                );
            }
        }
    }
}

#[test]
fn a_corner_of_a_box_in_the_midst_of_a_triangle_is_seen_although_all_sides_are_outside() {
    let cube = Shape::Box { half: DVec3::ONE };
    // Perpendicular to the diagonal, cutting off a corner by h: the deepest place is on the diagonal, h/√3 below all
    // faces.
    let h = 0.1;
    let normal = DVec3::ONE.normalize();
    let (across, up) = (normal.any_orthonormal_vector(), normal.cross(normal.any_orthonormal_vector()));
    let place = |x: f64, y: f64| normal * (3.0_f64.sqrt() - h) + across * x + up * y;
    let corners = [place(-5.0, -3.0), place(5.0, -3.0), place(0.0, 6.0)];
    for i in 0..3 {
        assert!(cube.nearest_on_edge(corners[i], corners[(i + 1) % 3]).nearest.distance > 1.0);
    }
    let (_, near) = cube.nearest_on_triangle(corners);
    assert!((near.distance + h / 3.0_f64.sqrt()).abs() < 1e-9, "{near:?}");
}

#[test]
fn no_point_of_a_solid_is_farther_along_a_direction_than_its_support_which_reaches_as_far_as_it_says() {
    let mut dice = Dice::new(3);
    for _ in 0..2000 {
        for shape in dice.shapes() {
            let direction = dice.vector(1.0).normalize_or(DVec3::X);
            if matches!(shape, Shape::Plane) {
                continue;
            }
            let support = shape.support(direction * 3.0);
            assert!(shape.nearest(support).distance.abs() < 1e-14, "{shape:?}: {support} is off the surface");
            assert!((support.dot(direction) - shape.reach(direction)).abs() < 1e-14);
            let other = shape.nearest(dice.vector(2.0)).point;
            assert!(other.dot(direction) <= support.dot(direction) + 1e-14, "{shape:?}: {other} beyond {support}");
        }
    }
    assert_eq!(Shape::Plane.support(DVec3::Y), DVec3::ZERO);
}

#[test]
fn triangles_that_do_not_cross_are_as_far_apart_as_their_nearest_points_which_a_plane_proves() {
    let mut dice = Dice::new(4);
    let mut apart = 0;
    for _ in 0..50_000 {
        let (first, second) = (triangle(&mut dice), triangle(&mut dice));
        let sides = |t: [DVec3; 3]| [0, 1, 2].map(|i| [t[i], t[(i + 1) % 3]]);
        let meets =
            |sides: [[DVec3; 2]; 3], t| sides.iter().any(|&side| edge_meets_triangle(side, t) != Meeting::Apart);
        if meets(sides(first), second) || meets(sides(second), first) {
            continue;
        }
        let near = closest_of_triangles(first, second);
        let gap = near.vector.length();
        let ends = blend(first, near.first) - blend(second, near.second);
        // Of needles only the distance is known to rounding, not the place.
        assert!((ends.length() - gap).abs() < 1e-9, "{near:?}");
        let n = near.vector.normalize_or_zero();
        let least = first.iter().map(|p| n.dot(*p)).fold(f64::INFINITY, f64::min)
            - second.iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
        // The direction is off by rounding over the distance; 1e-12 is what slender pairs are granted.
        assert!(gap - least < 2e-11 + 1e-14 / gap, "{gap} {least} {near:?} of {first:?} {second:?}");
        assert!(parted_by_plane(first, second) <= gap + 1e-13);
        apart += 1;
    }
    assert!(apart > 20_000, "only {apart} are apart");
}

#[test]
fn the_nearest_pair_of_two_trees_is_that_of_brute_force() {
    let mut dice = Dice::new(5);
    for (count, other) in [(1, 1), (3, 40), (57, 200), (300, 9), (0, 5)] {
        for reach in [f64::INFINITY, 0.3, 1e-3] {
            let mut some =
                |n: usize, shift: f64| -> Vec<DVec3> { dice.vectors(n, 1.0).iter().map(|p| *p + shift).collect() };
            let (points, others) = (some(count, 0.0), some(other, 1.0));
            let tree = |points: &[DVec3]| Bvh::new(points.len(), |i| Bounds::of([points[i as usize]]));
            let distance = |i: u32, j: u32| points[i as usize].distance_squared(others[j as usize]);
            let found = tree(&points).nearest_pair(&tree(&others), reach, |i, j, _| distance(i, j));
            let all = (0..count as u32).flat_map(|i| (0..other as u32).map(move |j| (i, j)));
            let least = all.map(|(i, j)| distance(i, j)).fold(f64::INFINITY, f64::min);
            assert_eq!(found.map(|(_, _, squared)| squared), (least < reach * reach).then_some(least));
            assert!(found.is_none_or(|(i, j, squared)| distance(i, j) == squared));
        }
    }
}
