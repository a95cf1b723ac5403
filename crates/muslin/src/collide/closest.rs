//! Nearest points of point and segment, point and triangle, edge and edge, and of two triangles.
//!
//! ```text
//! triangle:  n = (b - a) × (c - a);  u_a = ((c - b) × (p - b))·n / |n|², and so on round;  inside when all u >= 0
//! edges:     n = d × e;  s = -((r × e)·n) / |n|²;  t by projection;   inside when s and t are in [0, 1]
//! both:      vector to the point = n (n·r) / |n|²,  r from any point of one part to any point of the other
//! ```
//!
//! p point, a b c corners, d and e the edges' vectors, r from the second edge's start to the first's [m]. Where the
//! nearest place is not inside it is on the border, so the border's parts (three segments; four ends against the other
//! edge) complete the answer: distance to a convex set is convex. See [Eri05] ch. 5.
//!
//! Departure: products of vectors in place of determinants of dot products. For an angle θ between edges those lose
//! ε/θ², these ε/θ. Below `SLENDER` that is mended: n is made perpendicular to the longest edge, so that its error
//! turns it only about that edge, where width is little; and r starts from the border. Distances are then off by a few
//! ε times the length. Where on the edges the places are gets lost when they are much farther apart than the width, but
//! then it hardly counts. Below `PARALLEL` (parallel edges, triangles without area, edges without length) n is mostly
//! rounding, and the border is the answer: inside it is nearer by 1e-12 of the length at most.
//!
//! ```text
//! triangles: distance = min over  corner of one – other triangle (6),  side – side (9)
//! ```
//!
//! A convex function has its least value over two triangles at such a pair, unless a side of one passes through the
//! inside of the other; that is asked exactly, by [`edge_meets_triangle`](super::edge_meets_triangle), not here. Lines
//! are triangles whose second and third corner are the same.

use glam::DVec3;

/// Squared sine below which triangles and pairs of edges are looked at with care.
const SLENDER: f64 = 1e-4;
/// Squared sine below which they have no inside.
const PARALLEL: f64 = 1e-24;

/// The part of a triangle that a point lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// The corner of that number, 0 to 2.
    Corner(usize),
    /// The side from the corner of that number to the next one.
    Side(usize),
    /// The inside.
    Face,
}

/// A point of a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnTriangle {
    /// Where it is [m].
    pub point: DVec3,
    /// Its weights at the three corners: not negative, with the sum 1.
    pub weights: [f64; 3],
    /// What it lies on.
    pub feature: Feature,
}

/// The nearest points of two edges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BetweenEdges {
    /// Where on the first edge: 0 at its first end, 1 at its second.
    pub s: f64,
    /// Where on the second edge.
    pub t: f64,
    /// From the second edge's point to the first's [m]; its length is the distance.
    pub vector: DVec3,
}

/// The nearest points of two triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BetweenTriangles {
    /// Weights of the first triangle's corners at its point: not negative, with the sum 1.
    pub first: [f64; 3],
    /// Weights of the second triangle's corners at its point.
    pub second: [f64; 3],
    /// From the second triangle's point to the first's [m]; its length is the distance.
    pub vector: DVec3,
}

/// Where on the segment from `a` to `b` [m] the place nearest to `point` is: 0 at `a`, 1 at `b`.
pub fn closest_on_segment(point: DVec3, a: DVec3, b: DVec3) -> f64 {
    let along = b - a;
    let squared = along.length_squared();
    if squared > 0.0 { ((point - a).dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 }
}

/// The place of a triangle nearest to `point` [m].
pub fn closest_on_triangle(point: DVec3, triangle: [DVec3; 3]) -> OnTriangle {
    let sides = [0, 1, 2].map(|i| triangle[(i + 1) % 3] - triangle[i]);
    let longest = sides.iter().fold(DVec3::ZERO, |a, &b| if b.length_squared() > a.length_squared() { b } else { a });
    let scale = longest.length_squared() * longest.length_squared();
    let n = sides[0].cross(-sides[2]);
    let slender = n.length_squared() <= SLENDER * scale;
    let n = if slender { square_to(n, longest) } else { n };
    let squared = n.length_squared();
    // The weight of a corner is the area over the side that it does not touch.
    let areas = [1, 2, 0].map(|i| sides[i].cross(point - triangle[i]).dot(n));
    if !(squared > PARALLEL * scale && areas.iter().all(|&area| area >= 0.0)) {
        return closest_on_border(point, triangle);
    }
    let sum: f64 = areas.iter().sum();
    let weights = areas.map(|area| area / sum);
    let from = if slender { closest_on_border(point, triangle).point } else { blend(triangle, weights) };
    let vector = n * ((point - from).dot(n) / squared);
    OnTriangle { point: point - vector, weights, feature: Feature::Face }
}

/// The place of a triangle's three sides nearest to `point` [m].
fn closest_on_border(point: DVec3, triangle: [DVec3; 3]) -> OnTriangle {
    let mut best =
        (f64::INFINITY, OnTriangle { point: triangle[0], weights: [1.0, 0.0, 0.0], feature: Feature::Corner(0) });
    for i in 0..3 {
        let j = (i + 1) % 3;
        let t = closest_on_segment(point, triangle[i], triangle[j]);
        let place = along(triangle[i], triangle[j], t);
        let squared = place.distance_squared(point);
        if squared < best.0 {
            let feature = match t {
                0.0 => Feature::Corner(i),
                1.0 => Feature::Corner(j),
                _ => Feature::Side(i),
            };
            best = (squared, OnTriangle { point: place, weights: on_side(i, t), feature });
        }
    }
    best.1
}

/// The nearest points of two edges, given by their ends [m].
pub fn closest_of_edges([a, b]: [DVec3; 2], [c, f]: [DVec3; 2]) -> BetweenEdges {
    let (d, e, r) = (b - a, f - c, a - c);
    let scale = d.length_squared() * e.length_squared();
    let n = d.cross(e);
    let slender = n.length_squared() <= SLENDER * scale;
    let n = if slender { square_to(n, if d.length_squared() > e.length_squared() { d } else { e }) } else { n };
    let squared = n.length_squared();
    let s = -r.cross(e).dot(n) / squared;
    let t = (r + d * s).dot(e) / e.length_squared();
    if !(squared > PARALLEL * scale && (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)) {
        return closest_of_ends([a, b], [c, f]);
    }
    let between = if slender { closest_of_ends([a, b], [c, f]).vector } else { r + d * s - e * t };
    BetweenEdges { s, t, vector: n * (between.dot(n) / squared) }
}

/// The nearest points of two edges, one of them an end.
fn closest_of_ends([a, b]: [DVec3; 2], [c, f]: [DVec3; 2]) -> BetweenEdges {
    let first = |s: f64| {
        let place = along(a, b, s);
        let t = closest_on_segment(place, c, f);
        BetweenEdges { s, t, vector: place - along(c, f, t) }
    };
    let second = |t: f64| {
        let place = along(c, f, t);
        let s = closest_on_segment(place, a, b);
        BetweenEdges { s, t, vector: along(a, b, s) - place }
    };
    let mut best = first(0.0);
    for other in [first(1.0), second(0.0), second(1.0)] {
        if other.vector.length_squared() < best.vector.length_squared() {
            best = other;
        }
    }
    best
}

/// The nearest points of two triangles [m] that do not cross; of those that do, the nearest ones of corners and sides.
pub fn closest_of_triangles(first: [DVec3; 3], second: [DVec3; 3]) -> BetweenTriangles {
    let mut best = corner_of_first(first, second, 0);
    let mut offer = |other: BetweenTriangles| {
        if other.vector.length_squared() < best.vector.length_squared() {
            best = other;
        }
    };
    for i in 0..3 {
        offer(corner_of_first(first, second, i));
        let swapped = corner_of_first(second, first, i);
        offer(BetweenTriangles { first: swapped.second, second: swapped.first, vector: -swapped.vector });
        for j in 0..3 {
            let near = closest_of_edges([first[i], first[(i + 1) % 3]], [second[j], second[(j + 1) % 3]]);
            offer(BetweenTriangles { first: on_side(i, near.s), second: on_side(j, near.t), vector: near.vector });
        }
    }
    best
}

/// A distance [m] that two triangles are apart at least: that of one to the other's plane. Quick, and often all that is
/// needed; 0 when neither plane parts them.
pub fn parted_by_plane(first: [DVec3; 3], second: [DVec3; 3]) -> f64 {
    let beyond = |plane: [DVec3; 3], other: [DVec3; 3]| {
        let normal = (plane[1] - plane[0]).cross(plane[2] - plane[0]).normalize_or_zero();
        let [a, b, c] = other.map(|corner| normal.dot(corner - plane[0]));
        a.min(b).min(c).max(-a.max(b).max(c))
    };
    beyond(first, second).max(beyond(second, first)).max(0.0)
}

fn corner_of_first(first: [DVec3; 3], second: [DVec3; 3], i: usize) -> BetweenTriangles {
    let place = closest_on_triangle(first[i], second);
    BetweenTriangles { first: on_side(i, 0.0), second: place.weights, vector: first[i] - place.point }
}

/// Weights at `t` on the side from corner `i`.
pub(super) fn on_side(i: usize, t: f64) -> [f64; 3] {
    let mut weights = [0.0; 3];
    weights[i] = 1.0 - t;
    weights[(i + 1) % 3] = t;
    weights
}

/// A vector without its part along an edge.
fn square_to(n: DVec3, edge: DVec3) -> DVec3 {
    let squared = edge.length_squared();
    if squared > 0.0 { n - edge * (n.dot(edge) / squared) } else { n }
}

/// The point at `t` between two, exact at both ends.
pub(super) fn along(a: DVec3, b: DVec3, t: f64) -> DVec3 {
    if t == 1.0 { b } else { a + (b - a) * t }
}

/// The point with these weights; rounding is that of the triangle's size, however far it is from the origin.
fn blend([a, b, c]: [DVec3; 3], weights: [f64; 3]) -> DVec3 {
    a + ((b - a) * weights[1] + (c - a) * weights[2])
}
