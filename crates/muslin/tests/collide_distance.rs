//! Distances, nearest points and normals: by what makes a nearest point the nearest, and by brute force.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::Dice;
use glam::DVec3;
use muslin::collide::{Feature, closest_of_edges, closest_on_segment, closest_on_triangle};

/// Points that are hard together: of any size, in a line, on top of each other, nearly so, far from the origin.
fn awkward<const N: usize>(dice: &mut Dice) -> [DVec3; N] {
    let mut points = [DVec3::ZERO; N].map(|_| dice.vector(1.0));
    match dice.number(0.0, 6.0) as u32 {
        0 => points[1] = points[0] + dice.vector(1e-9),
        1 => points[2] = points[0] + (points[1] - points[0]) * dice.number(-1.0, 2.0) + dice.vector(1e-10),
        2 => points[2] = points[0] + (points[1] - points[0]) * dice.number(-1.0, 2.0),
        3 => points[1] = points[0],
        4 => points[N - 1] = points[N - 2] + (points[1] - points[0]) * dice.number(0.2, 2.0) + dice.vector(1e-12),
        _ => {}
    }
    let (size, offset) = (libm::exp(dice.number(-9.0, 3.0)), dice.vector(10.0));
    points.map(|point| (point + offset) * size)
}

/// Lengths by which rounding is judged: the largest coordinate.
fn scale(points: &[DVec3]) -> f64 {
    points.iter().map(|point| point.abs().max_element()).fold(0.0, f64::max)
}

#[test]
fn no_corner_of_a_triangle_lies_beyond_the_plane_through_its_nearest_point() {
    let mut dice = Dice::new(1);
    for _ in 0..100_000 {
        let [a, b, c, p] = awkward(&mut dice);
        let near = closest_on_triangle(p, [a, b, c]);
        let (v, size) = (p - near.point, scale(&[a, b, c, p]));
        // The nearest point of a convex set: all of the set is behind the plane across the vector there.
        for corner in [a, b, c] {
            let beyond = (corner - near.point).dot(v.normalize_or_zero());
            // 1e-12 of the length is what `PARALLEL` grants; the rest is rounding.
            assert!(beyond <= 3e-12 * size, "{beyond} beyond, {near:?} of {a} {b} {c} to {p}");
        }
        assert!((near.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12 && near.weights.iter().all(|&w| w >= 0.0));
        let zeros = near.weights.iter().filter(|&&w| w == 0.0).count();
        match near.feature {
            Feature::Corner(i) => assert_eq!((near.weights[i], near.point), (1.0, [a, b, c][i])),
            Feature::Side(i) => assert!(zeros == 1 && near.weights[(i + 2) % 3] == 0.0),
            Feature::Face => assert!(v.length() <= p.distance(a).min(p.distance(b)).min(p.distance(c)) + 1e-15 * size),
        }
    }
}

#[test]
fn no_ends_of_two_edges_are_nearer_along_the_vector_between_their_nearest_points() {
    let mut dice = Dice::new(2);
    for _ in 0..100_000 {
        let [a, b, c, d] = awkward(&mut dice);
        let near = closest_of_edges([a, b], [c, d]);
        let (n, size) = (near.vector.normalize_or_zero(), scale(&[a, b, c, d]));
        // The vector is off by rounding, so its direction by that over its length.
        let turned = 1e-15 * size / near.vector.length().max(f64::MIN_POSITIVE);
        for (first, second) in [(a, c), (a, d), (b, c), (b, d)] {
            let short = near.vector.length() - (first - second).dot(n);
            // As for triangles.
            assert!(short <= (3e-12 + turned) * size, "short by {short}: {near:?} of {a} {b} and {c} {d}");
        }
    }
}

#[test]
fn points_on_edges_and_triangles_are_no_farther_than_any_sample() {
    let mut dice = Dice::new(3);
    for _ in 0..300 {
        let [a, b, c, p] = awkward(&mut dice);
        let (size, n) = (scale(&[a, b, c, p]), 60);
        let fraction = |i: u32| f64::from(i) / f64::from(n);
        let (mut on_triangle, mut on_edges) = (f64::INFINITY, f64::INFINITY);
        for (i, j) in (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j))) {
            if i + j <= n {
                on_triangle = on_triangle.min((a + (b - a) * fraction(i) + (c - a) * fraction(j)).distance(p));
            }
            on_edges = on_edges.min(a.lerp(b, fraction(i)).distance(c.lerp(p, fraction(j))));
        }
        let spacing = (a.distance(b) + a.distance(c) + c.distance(p)) / f64::from(n);
        for (found, sampled) in [
            (closest_on_triangle(p, [a, b, c]).point.distance(p), on_triangle),
            (closest_of_edges([a, b], [c, p]).vector.length(), on_edges),
        ] {
            // Never farther than a sample but by rounding, never nearer than samples' spacing allows.
            assert!(found <= sampled + 3e-12 * size && found >= sampled - spacing, "{found}, sampled {sampled}");
        }
    }
}

#[test]
fn edges_that_cross_at_any_small_angle_are_as_far_apart_as_they_were_put() {
    let mut dice = Dice::new(4);
    for exponent in 0..170 {
        let angle = libm::pow(10.0, -0.1 * f64::from(exponent));
        for height in [1e-3, 1e-6, 1e-9] {
            let (s, t) = (dice.number(0.1, 0.9), dice.number(0.1, 0.9));
            // The first along x through the origin at s, the second above it, turned, at t.
            let first = [DVec3::new(-s, 0.0, 0.0), DVec3::new(1.0 - s, 0.0, 0.0)];
            let along = DVec3::new(1.0, 0.0, angle);
            let lift = DVec3::new(0.0, height, 0.0);
            let near = closest_of_edges(first, [lift - along * t, lift + along * (1.0 - t)]);
            let wrong = (near.vector.length() - height).abs();
            // A few roundings of lengths of 1; below the angle of 1e-12 the border is taken, which is that much
            // farther.
            assert!(
                wrong <= 2e-15 + height * 1e-7 || wrong <= 1e-12 && angle < 1.1e-12,
                "{wrong} at {angle}, {height}"
            );
        }
    }
}

#[test]
fn segments_without_length_are_points() {
    let (p, a) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.5, 0.5, 0.5));
    assert_eq!(closest_on_segment(p, a, a), 0.0);
    assert_eq!(closest_of_edges([p, p], [a, a]).vector, p - a);
    assert_eq!(closest_on_triangle(p, [a, a, a]).point, a);
    assert_eq!(closest_of_edges([p, p], [p, p]).vector, DVec3::ZERO);
}

#[test]
fn the_nearest_point_of_a_shape_is_on_its_surface_and_as_far_as_the_distance_says() {
    let mut dice = Dice::new(5);
    for _ in 0..2000 {
        for shape in dice.shapes() {
            let p = dice.vector(1.5);
            let near = shape.nearest(p);
            // Roundings of lengths of about 1.
            assert!((near.point.distance(p) - near.distance.abs()).abs() < 1e-14, "{shape:?} {near:?}");
            assert!(shape.nearest(near.point).distance.abs() < 1e-14, "{shape:?} {near:?}");
            assert!(
                (near.normal.length() - 1.0).abs() < 1e-14 && (p - near.point).dot(near.normal) * near.distance >= 0.0
            );
            // The solid is convex: it ends, along the normal of an outside point, at the nearest point.
            if near.distance > 0.0 {
                let end = near.normal.dot(near.point);
                assert!((shape.reach(near.normal) - end).abs() < 1e-13, "{shape:?} reaches {end}");
            }
        }
    }
}

#[test]
fn the_distance_to_a_shape_is_that_to_the_nearest_of_many_points_of_its_surface() {
    let mut dice = Dice::new(6);
    for shape in dice.shapes() {
        let surface: Vec<DVec3> = (0..20_000).map(|_| shape.nearest(dice.vector(2.0)).point).collect();
        for _ in 0..50 {
            let near = shape.nearest(dice.vector(0.8));
            let p = near.point + near.normal * near.distance;
            let sampled = surface.iter().map(|point| point.distance(p)).fold(f64::INFINITY, f64::min);
            // Samples are about 5 cm apart, and near faces of other samples' shadows up to 20 cm.
            assert!(near.distance.abs() <= sampled + 1e-14, "{shape:?}: {sampled} is nearer than {}", near.distance);
            assert!(sampled < near.distance.abs() + 0.25, "{shape:?}: {sampled}, not {}", near.distance);
        }
    }
}

#[test]
fn the_nearest_place_of_an_edge_is_no_farther_than_any_sample_of_it() {
    let mut dice = Dice::new(7);
    for _ in 0..500 {
        for shape in dice.shapes() {
            let (a, b) = (dice.vector(1.5), dice.vector(1.5));
            let near = shape.nearest_on_edge(a, b);
            let sampled = (0..=200)
                .map(|i| shape.nearest(a.lerp(b, f64::from(i) / 200.0)).distance)
                .fold(f64::INFINITY, f64::min);
            let spacing = a.distance(b) / 200.0;
            let found = near.nearest.distance;
            assert!(found <= sampled + 1e-14 && found >= sampled - spacing, "{shape:?}: {found}, sampled {sampled}");
            assert!((shape.nearest(a.lerp(b, near.t)).distance - found).abs() < 1e-14);
        }
    }
}

#[test]
fn directions_across_slender_pairs_are_square_to_them() {
    let mut dice = Dice::new(10);
    for _ in 0..100_000 {
        let along = dice.vector(1.0).normalize_or(DVec3::X);
        let across = along.any_orthonormal_vector();
        let up = along.cross(across);
        let (width, height) = (libm::exp(dice.number(-25.0, -1.0)), libm::exp(dice.number(-14.0, -1.0)));
        let at = |x: f64, z: f64, y: f64| along * x + across * (z * width) + up * y;
        // Above the inside of a needle; and two edges that cross in their midst.
        let triangle = [at(0.0, 0.0, 0.0), at(1.0, -0.5, 0.0), at(dice.number(0.5, 1.0), 0.5, 0.0)];
        let point = at(dice.number(0.4, 0.5), 0.0, height);
        let edges = [[at(-0.5, -1.0, height), at(0.6, 1.0, height)], [at(-0.7, 1.0, 0.0), at(0.5, -1.0, 0.0)]];
        let face = closest_on_triangle(point, triangle);
        let between = closest_of_edges(edges[0], edges[1]);
        // Where on so slender a pair is not known to rounding when the height is far above the width; how far is.
        if height < width {
            let inside = |fraction: f64| fraction > 0.0 && fraction < 1.0;
            assert!(face.feature == Feature::Face && inside(between.s) && inside(between.t), "{face:?} {between:?}");
        }
        for (vector, ends) in [
            (point - face.point, triangle.map(|corner| point - corner).to_vec()),
            (between.vector, edges[0].iter().flat_map(|a| edges[1].map(|b| *a - b)).collect()),
        ] {
            let short = ends.iter().map(|end| vector.length() - end.dot(vector.normalize())).fold(0.0, f64::max);
            // Roundings of lengths of 1; those of a place, over the height, turn the direction to a point.
            assert!(short < 2e-15 + 1e-15 / height, "short by {short} at width {width}, height {height}");
        }
    }
}
