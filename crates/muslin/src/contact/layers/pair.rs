//! Two parts of cloth that share no particle: a vertex and a triangle, or two edges.
//!
//! ```text
//! gap(x) = |Σ w_k x_k|,   w_k: vertex 1 and corners -u_k;   edges 1 - s, s and -(1 - t), -t    u, s, t nearest places
//! ```
//!
//! The weights of one side have the sum 1, those of the other -1.

use glam::DVec3;

use crate::collide::{
    Bounds, Feature, Impact, Path, closest_of_edges, closest_on_triangle, edge_edge_impact, vertex_triangle_impact,
};
use crate::contact::Segment;

/// Two parts of cloth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Parts {
    /// False: the first particle is a vertex, the others are the corners of a triangle. True: two and two are the ends
    /// of edges.
    pub(crate) edges: bool,
    /// Particles, counted through an island.
    pub(crate) particles: [u32; 4],
}

/// Where two parts are nearest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Between {
    /// Of the particles; positive on the first side, negative on the second.
    pub(crate) weights: [f64; 4],
    /// From the second side to the first [m].
    pub(crate) vector: DVec3,
    /// True when neither place is on the border of its part.
    pub(crate) inside: bool,
}

impl Parts {
    /// How many of the particles are on the first side.
    pub(crate) fn first(self) -> usize {
        if self.edges { 2 } else { 1 }
    }

    /// What its particles have in a list.
    #[inline]
    pub(crate) fn of<T: Copy>(self, list: &[T]) -> [T; 4] {
        let [a, b, c, d] = self.particles;
        [list[a as usize], list[b as usize], list[c as usize], list[d as usize]]
    }

    /// Where they are nearest at `x` [m].
    pub(crate) fn between(self, x: [DVec3; 4]) -> Between {
        let [a, b, c, d] = x;
        if self.edges {
            let near = closest_of_edges([a, b], [c, d]);
            let (s, t) = (near.s, near.t);
            let within = |t: f64| t > 0.0 && t < 1.0;
            let weights = [1.0 - s, s, t - 1.0, -t];
            Between { weights, vector: near.vector, inside: within(s) && within(t) }
        } else {
            let near = closest_on_triangle(a, [b, c, d]);
            let [u, v, w] = near.weights;
            Between { weights: [1.0, -u, -v, -w], vector: a - near.point, inside: near.feature == Feature::Face }
        }
    }

    /// A distance that they are apart at least at `x` [m]; quick.
    #[inline]
    pub(super) fn least(self, x: [DVec3; 4]) -> f64 {
        let [a, b, c, d] = x;
        let (one, other) = if self.edges {
            (Bounds { min: a.min(b), max: a.max(b) }, Bounds { min: c.min(d), max: c.max(d) })
        } else {
            (Bounds { min: a, max: a }, Bounds { min: b.min(c).min(d), max: b.max(c).max(d) })
        };
        (other.min - one.max).max(one.min - other.max).max_element()
    }

    /// The greatest length among the differences of vectors between the two sides.
    #[inline]
    pub(super) fn greatest_difference(self, [a, b, c, d]: [DVec3; 4]) -> f64 {
        let most = if self.edges {
            a.distance_squared(c).max(a.distance_squared(d)).max(b.distance_squared(c)).max(b.distance_squared(d))
        } else {
            a.distance_squared(b).max(a.distance_squared(c)).max(a.distance_squared(d))
        };
        most.sqrt()
    }

    /// When they would come as near as `floor` [m] in a motion; none: they do not.
    pub(super) fn impact(self, segment: Segment<'_>, floor: f64) -> Option<Impact> {
        let [a, b, c, d] = self.particles.map(|i| segment.path(i));
        if self.edges { edge_edge_impact([a, b], [c, d], floor) } else { vertex_triangle_impact(a, [b, c, d], floor) }
    }

    /// Where its particles are after a fraction of a motion [m].
    pub(super) fn at(self, segment: Segment<'_>, time: f64) -> [DVec3; 4] {
        self.particles.map(|i| Path::at(&segment.path(i), time))
    }
}
