//! The places of an edge and of a triangle that are nearest to a solid, or deepest in it, and the farthest point of a
//! solid in a direction.
//!
//! ```text
//! edge:      min over t in [0, 1] of φ(a + t (b - a)):  φ is convex, so n(t)·(b - a) never falls with t; its zero is
//!            the place
//! triangle:  min over x in the triangle of φ(x),   φ(x) = max over unit n of  n·x - reach(n)
//!            so  min over k of n·x_k - reach(n)  <=  min φ  <=  φ(x)   for every unit n and every place x of it
//! ```
//!
//! φ signed distance of the solid [m], n = ∇φ, a and b the ends of the edge [m], x_k the corners of the triangle [m],
//! reach(n) the solid's extent along n [m].
//!
//! On an edge the zero is found by bisection to the last bit of t: searching for the least φ itself would stop at half
//! the digits, and a normal that is off by so much would not separate an edge from the sharp edge of a box a micrometre
//! away. Planes, spheres and capsules are distances to something simpler, and need no search.
//!
//! The least place of a triangle is on a side, or inside, where n is perpendicular to the triangle and the solid's
//! nearest point is its farthest one along n, or along the opposite direction. So the places below those points, and
//! the best ones of the sides, are tried; where the two bounds meet, the answer is proved. They do not meet when a box
//! or a cylinder is pierced, because φ has kinks in there: then the least φ is searched for by golden sections, one in
//! the other, which is right for convex functions and ends `SECTIONS` times 0.618 into the triangle's size.

use glam::DVec3;

use super::closest::{along, closest_of_edges, closest_on_segment, closest_on_triangle, on_side};
use super::shape::{Nearest, Shape};

/// Halvings after which an interval of t below 1 has no number left inside.
const HALVINGS: u32 = 60;
/// Sections of the search for the deepest place: 0.618 to this power is 3e-11.
const SECTIONS: u32 = 50;
/// How far the two bounds may be apart and still be the same number, as a fraction of the lengths they are made of.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// (√5 - 1)/2.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The place of an edge that is nearest to, or deepest in, a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestOnEdge {
    /// Where on the edge: 0 at its first end, 1 at its second.
    pub t: f64,
    /// How that place lies to the solid.
    pub nearest: Nearest,
}

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
    NearestOnEdge { t, nearest: shape.nearest(along(a, b, t)) }
}

/// A place of a triangle, by weights of its corners, and how it lies to a solid.
type TrianglePoint = ([f64; 3], Nearest);

impl Shape {
    /// The point of the solid that is farthest along a direction of any length, in the solid's own axes [m].
    ///
    /// Where several are, one is taken, always the same. A plane goes on for ever but upwards: its origin is taken.
    pub fn support(&self, direction: DVec3) -> DVec3 {
        let upwards = |half_length: f64| DVec3::Y * half_length.copysign(direction.y);
        match *self {
            Self::Plane => DVec3::ZERO,
            Self::Sphere { radius } => direction.normalize_or(DVec3::Y) * radius,
            Self::Box { half } => half.copysign(direction),
            Self::Capsule { radius, half_length } => upwards(half_length) + direction.normalize_or(DVec3::Y) * radius,
            Self::Cylinder { radius, half_length } => {
                upwards(half_length) + DVec3::new(direction.x, 0.0, direction.z).normalize_or_zero() * radius
            }
        }
    }

    /// The place of a triangle [m] with the least signed distance, by the weights of its corners (not negative, with
    /// the sum 1), and how it lies to the solid; all in the solid's own axes.
    ///
    /// ```
    /// use muslin::DVec3;
    /// use muslin::collide::Shape;
    ///
    /// // A ball far smaller than the triangle it has gone through by a centimetre.
    /// let triangle = [DVec3::new(-2.0, 0.03, -1.0), DVec3::new(2.0, 0.03, -1.0), DVec3::new(0.0, 0.03, 2.0)];
    /// let (weights, nearest) = Shape::Sphere { radius: 0.04 }.nearest_on_triangle(triangle);
    /// assert!((nearest.distance + 0.01).abs() < 1e-15 && (weights[2] - 1.0 / 3.0).abs() < 1e-15);
    /// ```
    pub fn nearest_on_triangle(&self, triangle: [DVec3; 3]) -> ([f64; 3], Nearest) {
        match *self {
            Self::Plane => nearest_corner(self, triangle),
            Self::Sphere { .. } => below(self, triangle, DVec3::ZERO),
            Self::Capsule { half_length, .. } => nearest_to_core(self, triangle, half_length),
            Self::Box { .. } | Self::Cylinder { .. } => nearest_to_kinked(self, triangle),
        }
    }
}

/// The corner with the least signed distance.
fn nearest_corner(shape: &Shape, triangle: [DVec3; 3]) -> TrianglePoint {
    let corner = |i: usize| (on_side(i, 0.0), shape.nearest(triangle[i]));
    lesser(lesser(corner(0), corner(1)), corner(2))
}

/// The place of a triangle nearest to a point.
fn below(shape: &Shape, triangle: [DVec3; 3], point: DVec3) -> TrianglePoint {
    let place = closest_on_triangle(point, triangle);
    (place.weights, shape.nearest(place.point))
}

/// The place nearest to the middle line of a capsule: at one of its ends, on a side, or where it goes through.
fn nearest_to_core(shape: &Shape, triangle: [DVec3; 3], half_length: f64) -> TrianglePoint {
    let core = [DVec3::NEG_Y * half_length, DVec3::Y * half_length];
    let mut best = lesser(below(shape, triangle, core[0]), below(shape, triangle, core[1]));
    for i in 0..3 {
        let j = (i + 1) % 3;
        let t = closest_of_edges([triangle[i], triangle[j]], core).s;
        best = lesser(best, (on_side(i, t), shape.nearest(along(triangle[i], triangle[j], t))));
    }
    let normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
    // A middle line within the triangle's plane meets it at a side, if at all.
    let height = triangle[0].dot(normal) / normal.y;
    if height.abs() <= half_length {
        best = lesser(best, below(shape, triangle, DVec3::Y * height));
    }
    best
}

/// The place nearest to a solid whose distance has kinks inside.
fn nearest_to_kinked(shape: &Shape, triangle: [DVec3; 3]) -> TrianglePoint {
    let side = |i: usize| {
        let found = shape.nearest_on_edge(triangle[i], triangle[(i + 1) % 3]);
        (on_side(i, found.t), found.nearest)
    };
    let normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
    let under = |direction: DVec3| below(shape, triangle, shape.support(direction));
    let places = [side(0), side(1), side(2), under(normal), under(-normal)];
    // How far the two bounds are apart. Of places that are as near but for rounding, this finds the one whose normal is
    // good to the last digits.
    let slack = |(_, near): &TrianglePoint| near.distance - shape.separation(&triangle, near.normal);
    let best =
        places[1..].iter().fold(places[0], |best, place| if slack(place) < slack(&best) { *place } else { best });
    let rounding = ROUNDING * (shape.size() + triangle.iter().map(|corner| corner.length()).sum::<f64>());
    // Where a plane parts the two, the place is one of these, however far its rounded normal leaves the bounds apart.
    if slack(&best) <= rounding || slack(&best) < best.1.distance {
        return best;
    }
    let best = places[1..].iter().fold(places[0], |best, place| lesser(best, *place));
    let found = deepest(shape, triangle);
    if found.1.distance < best.1.distance - rounding { found } else { best }
}

/// The place with the least signed distance, by search.
fn deepest(shape: &Shape, triangle: [DVec3; 3]) -> TrianglePoint {
    let at = |u: f64, v: f64| {
        let [a, b, c] = triangle;
        ([1.0 - u - v, u, v], shape.nearest(a + ((b - a) * u + (c - a) * v)))
    };
    golden(1.0, |u| golden(1.0 - u, |v| at(u, v)))
}

/// The least place among those of a convex function from 0 to `end`.
fn golden(end: f64, place: impl Fn(f64) -> TrianglePoint) -> TrianglePoint {
    let (mut low, mut high) = (0.0, end);
    let mut left = (high - GOLDEN * high, place(high - GOLDEN * high));
    let mut right = (GOLDEN * high, place(GOLDEN * high));
    for _ in 0..SECTIONS {
        if left.1.1.distance <= right.1.1.distance {
            (high, right) = (right.0, left);
            let t = high - GOLDEN * (high - low);
            left = (t, place(t));
        } else {
            (low, left) = (left.0, right);
            let t = low + GOLDEN * (high - low);
            right = (t, place(t));
        }
    }
    lesser(left.1, right.1)
}

/// The one with the lesser distance; the first when they are alike.
fn lesser(first: TrianglePoint, second: TrianglePoint) -> TrianglePoint {
    if second.1.distance < first.1.distance { second } else { first }
}
