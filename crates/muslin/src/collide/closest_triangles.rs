//! Nearest points of two triangles that do not cross.
//!
//! ```text
//! distance = min over  corner of one – other triangle (6),  side – side (9)
//! ```
//!
//! A convex function has its least value over two triangles at such a pair, unless a side of one passes through the
//! inside of the other; that is asked exactly, by [`edge_meets_triangle`](super::edge_meets_triangle), not here. Lines
//! are triangles whose second and third corner are the same.

use glam::DVec3;

use super::closest::{closest_of_edges, closest_on_triangle};

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
    let mut weights = [0.0; 3];
    weights[i] = 1.0;
    BetweenTriangles { first: weights, second: place.weights, vector: first[i] - place.point }
}

/// Weights at `t` on the side from corner `i`.
fn on_side(i: usize, t: f64) -> [f64; 3] {
    let mut weights = [0.0; 3];
    weights[i] = 1.0 - t;
    weights[(i + 1) % 3] += t;
    weights
}
