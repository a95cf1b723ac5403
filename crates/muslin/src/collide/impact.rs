//! How much of a step is safe: vertex against triangle, edge against edge.
//!
//! ```text
//! D_k(s) = (1 - s) D_k(0) + s D_k(1):  vertex minus corner (three), end minus end (four);   C(s) = hull of the D_k(s)
//! distance(s) = |nearest point of C(s) to 0|  >=  min over k of n·D_k(s),   for every unit n, equal for the best one
//! ```
//!
//! From s, with n the direction of the nearest point there, the right side is a bound that is linear in s for each k:
//! the step is safe as far as every one of them stays above `least`. There n is computed again. It ends when the gap is
//! at `stop` or below: an impact; or when 1 is reached: none.
//!
//! ```text
//! stop = floor + 0.1 k,   least = floor + 0.05 k,   k = min(gap(0) - floor, floor; a millionth of |D| when floor is 0)
//! ```
//!
//! n direction (unit), D [m], floor the distance that must be kept [m]. Up to the time returned the distance is above
//! floor, for the exact straight paths between the numbers given: the bound holds for any n, so neither parallel edges
//! nor triangles without area can make it wrong, they can only end the advance early. What dot products round is taken
//! off.
//!
//! Source: additive CCD, [LKJ21]. Departure: it advances by distance over the greatest relative speed. That is the same
//! bound with |velocity| in place of n·velocity, so these advances are never shorter; in motion along a surface, where
//! those creep, one is enough.

use glam::DVec3;

use super::closest::{closest_of_edges, closest_on_triangle};

/// The straight path of a point in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Path {
    /// Where it is at the start [m].
    pub start: DVec3,
    /// Where it is at the end [m].
    pub end: DVec3,
}

impl Path {
    /// A point that stays where it is [m].
    pub fn resting(place: DVec3) -> Self {
        Self { start: place, end: place }
    }

    /// Where it is after the fraction `s` of the step [m].
    pub fn at(&self, s: f64) -> DVec3 {
        self.start * (1.0 - s) + self.end * s
    }

    /// Where it is as seen from another.
    fn seen_from(&self, other: &Self) -> Self {
        Self { start: self.start - other.start, end: self.end - other.end }
    }
}

/// Where a step has to end for a pair's sake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// The fraction of the step, from 0 to 1, up to which the pair keeps its distance.
    pub time: f64,
    /// The distance that is left there [m], rounding taken off.
    pub gap: f64,
    /// Unit direction of that distance, towards the first of the pair; zero if the two touch.
    pub normal: DVec3,
}

/// Rounding of a bound, as a fraction of the sum of the lengths it is made of, in units of ε/2: a difference 1, a dot
/// product 3, a direction that is a unit to 3, an interpolation 3, the quotient for the end of an advance 3. That is
/// 6.5 ε.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// Advances, at most; what is left of the step is then not safe. A few are the rule. Only pairs that turn as they pass,
/// by far more than their gap, take hundreds.
const ADVANCES: u32 = 2000;

/// Where an advance ends, above the floor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    /// A gap that counts as an impact [m].
    pub(super) stop: f64,
    /// What a bound may fall to within an advance [m].
    pub(super) least: f64,
}

impl Goal {
    /// The goal for a pair that starts with `gap` [m], with numbers of the given `size` and `rounding` [m]; none when
    /// the gap is not clear of the floor and of rounding, or not a number.
    pub(super) fn new(gap: f64, floor: f64, size: f64, rounding: f64) -> Option<Self> {
        let spare = gap - floor;
        if !(spare > 100.0 * rounding) {
            return None;
        }
        let scale = if floor > 0.0 { floor } else { 1e-6 * size };
        let kept = spare.min(scale.max(100.0 * rounding));
        Some(Self { stop: floor + 0.1 * kept, least: floor + 0.05 * kept })
    }
}

/// How far a vertex and a triangle may go so that they never come as near as `floor` [m]; none: all the way.
pub fn vertex_triangle_impact(vertex: Path, triangle: [Path; 3], floor: f64) -> Option<Impact> {
    let apart = triangle.map(|corner| vertex.seen_from(&corner));
    advance(&apart, floor, |d| closest_on_triangle(DVec3::ZERO, *d).point)
}

/// How far two edges may go so that they never come as near as `floor` [m]; none: all the way.
pub fn edge_edge_impact(first: [Path; 2], second: [Path; 2], floor: f64) -> Option<Impact> {
    let [[aa, ab], [ba, bb]] = first.map(|end| second.map(|other| end.seen_from(&other)));
    advance(&[aa, ab, ba, bb], floor, |&[aa, ab, ba, bb]| {
        // As seen from the second edge's first end. The second edge is the same difference at either end of the first
        // one; the mean of both is the better number.
        let along = ((aa - ab) + (ba - bb)) * 0.5;
        closest_of_edges([aa, ba], [DVec3::ZERO, along]).vector
    })
}

/// Advances until the hull of the points is near the origin.
fn advance<const N: usize>(paths: &[Path; N], floor: f64, nearest: impl Fn(&[DVec3; N]) -> DVec3) -> Option<Impact> {
    // A sum, because a maximum passes over what is not a number.
    let size: f64 = paths.iter().map(|path| path.start.length() + path.end.length()).sum();
    let rounding = ROUNDING * size;
    let (mut s, mut goal, mut last) = (0.0, None, None);
    for _ in 0..ADVANCES {
        let normal = nearest(&paths.map(|path| path.at(s))).normalize_or_zero();
        let bounds = paths.map(|path| [normal.dot(path.start) - rounding, normal.dot(path.end) - rounding]);
        let gap = bounds.iter().map(|[from, to]| from * (1.0 - s) + to * s).fold(f64::INFINITY, f64::min);
        let here = Some(Impact { time: s, gap, normal });
        goal = goal.or_else(|| Goal::new(gap, floor, size, rounding));
        let Some(Goal { stop, least }) = goal else { return here };
        if !(gap > stop) {
            return here;
        }
        let ends = bounds.iter().filter(|[_, to]| *to < least).map(|[from, to]| (from - least) / (from - to));
        let safe = ends.fold(1.0, f64::min);
        if safe >= 1.0 {
            return None;
        }
        if !(safe > s) {
            return here;
        }
        (s, last) = (safe, here);
    }
    last
}
