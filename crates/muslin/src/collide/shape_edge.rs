//! The place of an edge that is nearest to a solid.
//!
//! ```text
//! min over t in [0, 1] of φ(a + t (b - a)):  φ is convex, so n(t)·(b - a) never falls with t; its zero is the place
//! ```
//!
//! φ signed distance of the solid [m], n = ∇φ, a and b the ends [m]. The zero is found by bisection to the last bit of
//! t: searching for the least φ itself would stop at half the digits, and a normal that is off by so much would not
//! separate an edge from the sharp edge of a box a micrometre away. Planes, spheres and capsules are distances to something
//! simpler, and need no search.

use glam::DVec3;

use super::closest::{closest_of_edges, closest_on_segment};
use super::shape::{Nearest, Shape};

/// The place of an edge that is nearest to, or deepest in, a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestOnEdge {
    /// Where on the edge: 0 at its first end, 1 at its second.
    pub t: f64,
    /// How that place lies to the solid.
    pub nearest: Nearest,
}

/// Halvings after which an interval of t below 1 has no number left inside.
const HALVINGS: u32 = 60;

impl Shape {
    /// The place of the edge from `a` to `b` [m] with the least signed distance, in the solid's own axes.
    pub fn nearest_on_edge(&self, a: DVec3, b: DVec3) -> NearestOnEdge {
        let along = b - a;
        match *self {
            // These are distances to a plane, a point and a segment.
            Self::Plane => return on_edge(self, a, b, if b.y < a.y { 1.0 } else { 0.0 }),
            Self::Sphere { .. } => return on_edge(self, a, b, closest_on_segment(DVec3::ZERO, a, b)),
            Self::Capsule { half_length, .. } => {
                let core = [DVec3::NEG_Y * half_length, DVec3::Y * half_length];
                return on_edge(self, a, b, closest_of_edges([a, b], core).s);
            }
            Self::Box { .. } | Self::Cylinder { .. } => {}
        }
        let at = |t: f64| NearestOnEdge { t, nearest: self.nearest(a + along * t) };
        let slope = |place: &NearestOnEdge| place.nearest.normal.dot(along);
        let first = at(0.0);
        if slope(&first) >= 0.0 {
            return first;
        }
        let last = NearestOnEdge { t: 1.0, nearest: self.nearest(b) };
        if slope(&last) <= 0.0 {
            return last;
        }
        let (mut falling, mut rising) = (first, last);
        for _ in 0..HALVINGS {
            let middle = at(0.5 * (falling.t + rising.t));
            if middle.t <= falling.t || middle.t >= rising.t {
                break;
            }
            if slope(&middle) < 0.0 {
                falling = middle;
            } else {
                rising = middle;
            }
        }
        if falling.nearest.distance < rising.nearest.distance { falling } else { rising }
    }
}

/// The place of an edge at `t`.
fn on_edge(shape: &Shape, a: DVec3, b: DVec3, t: f64) -> NearestOnEdge {
    let place = if t == 1.0 { b } else { a + (b - a) * t };
    NearestOnEdge { t, nearest: shape.nearest(place) }
}
