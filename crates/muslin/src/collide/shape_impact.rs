//! How much of a step is safe: a particle, an edge or a triangle against a moving and turning solid.
//!
//! ```text
//! seen from the solid's pivot:  r(s) = r(0) + s w;   in its axes:  z(s) = R(s)ᵀ r(s)
//! z' = Rᵀ (w - ω × r),   z'' = Rᵀ (ω × (ω × r) - 2 ω × w):   |z'| <= V and |z''| <= A, the greater of both ends
//! gap(s + τ)  >=  min over points of  n·z(s) - reach(n) + max(-V τ, n·z'(s) τ - σ A τ²/2),   for every unit n
//! ```
//!
//! w displacement of a point less that of the pivot [m], ω rotation vector of the step [rad], R turn since the start, n
//! a direction in the solid's axes, σ sine of its angle with ω (z'' is perpendicular to ω), reach(n) the solid's own
//! extent along n [m]. V and A are exact: their vectors are linear in s, so their lengths are greatest at an end. All
//! solids are convex; so the plane across n separates the points' hull from the solid when it separates the points, and
//! any n gives a bound.
//!
//! The advance is that of `impact.rs`, with n the normal at the place nearest to the solid: conservative advancement
//! [Mir96] with a speed bound that includes rotation, and a second-order one that does not creep when cloth lies on a
//! surface that turns under it. A solid that does not turn has A = 0, and the bound is the straight one; a sphere that
//! turns about its centre and a cylinder or capsule that turns about its axis count as such. A triangle's nearest place
//! is on a side, or inside, where n is perpendicular to it: the best of these five directions is the one.

use glam::DVec3;

use super::impact::{Goal, Impact, Path};
use super::motion::RigidMotion;
use super::shape::Shape;

/// Rounding of a gap, as a fraction of the lengths it is made of, in units of ε/2: the pose's place 20 (a rotation 12,
/// sums); its quaternion, by product and normalisation, turns by 16; the point's place and difference 5; its rotation
/// 12; a dot product 3; the reach 5; a direction that is a unit to 3. That is 32 ε; twice as much is taken. The angle
/// is off by its own part, which the factor 1 + angle pays for.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Advances, at most; what is left of the step is then not safe. A turn of the whole circle takes some dozens.
const ADVANCES: u32 = 1000;

/// How far a particle and a solid may go so that they never come as near as `floor` [m]; none: all the way.
///
/// The normal of an impact is outward from the solid, in the axes of the world.
pub fn particle_shape_impact(shape: &Shape, motion: &RigidMotion, particle: Path, floor: f64) -> Option<Impact> {
    View::new(shape, motion, [particle]).advance(floor, |[point]| shape.nearest(*point).normal)
}

/// How far an edge and a solid may go so that they never come as near as `floor` [m]; none: all the way.
///
/// The normal of an impact is outward from the solid, in the axes of the world.
pub fn edge_shape_impact(shape: &Shape, motion: &RigidMotion, edge: [Path; 2], floor: f64) -> Option<Impact> {
    View::new(shape, motion, edge).advance(floor, |[a, b]| shape.nearest_on_edge(*a, *b).nearest.normal)
}

/// How far a triangle and a solid may go so that they never come as near as `floor` [m]; none: all the way.
///
/// This is what finds a solid smaller than a triangle, or the corner of a box, in the midst of one. The normal of an
/// impact is outward from the solid, in the axes of the world.
pub fn triangle_shape_impact(shape: &Shape, motion: &RigidMotion, triangle: [Path; 3], floor: f64) -> Option<Impact> {
    View::new(shape, motion, triangle).advance(floor, |corners| separating(shape, corners))
}

/// The direction in which a triangle and a solid are farthest apart, or least deep.
fn separating(shape: &Shape, corners: &[DVec3; 3]) -> DVec3 {
    let [a, b, c] = *corners;
    let face = (b - a).cross(c - a).normalize_or_zero();
    let side = |a, b| shape.nearest_on_edge(a, b).nearest.normal;
    let mut best = side(a, b);
    for other in [side(b, c), side(c, a), face, -face] {
        if other != DVec3::ZERO && shape.separation(corners, other) > shape.separation(corners, best) {
            best = other;
        }
    }
    best
}

/// Points and a solid, with what does not change in a step.
struct View<'a, const N: usize> {
    shape: &'a Shape,
    motion: RigidMotion,
    points: [Path; N],
    /// What a gap may be off by rounding [m]; not finite when a number is not.
    rounding: f64,
}

impl<'a, const N: usize> View<'a, N> {
    fn new(shape: &'a Shape, motion: &RigidMotion, points: [Path; N]) -> Self {
        let motion = shape.visible_motion(motion);
        // Sums, because a maximum passes over what is not a number.
        let places: f64 = points.iter().map(|point| point.start.length() + point.end.length()).sum();
        let solid = motion.pivot().length() + motion.shift().length() + motion.lever().length() + shape.size();
        let rounding = ROUNDING * (places + solid) * (1.0 + motion.spin().length());
        Self { shape, motion, points, rounding }
    }

    /// Advances until the points are near the solid; `normal_at` picks the direction to look along.
    fn advance(&self, floor: f64, normal_at: impl Fn(&[DVec3; N]) -> DVec3) -> Option<Impact> {
        let (mut s, mut goal, mut last) = (0.0, None, None);
        for _ in 0..ADVANCES {
            let pose = self.motion.pose(s);
            let places = self.points.map(|point| pose.local(point.at(s)));
            let normal = normal_at(&places);
            let gap = self.shape.separation(&places, normal) - self.rounding;
            let outward = pose.rotation * normal;
            let here = Some(Impact { time: s, gap, normal: outward });
            goal = goal.or_else(|| Goal::new(gap, floor, self.rounding / ROUNDING, self.rounding));
            let Some(Goal { stop, least }) = goal else { return here };
            if !(gap > stop) {
                return here;
            }
            let reach = self.shape.reach(normal) + self.rounding;
            let safe = (0..N).map(|i| self.safe(i, s, normal.dot(places[i]) - reach - least, outward));
            let next = s + safe.fold(f64::INFINITY, f64::min);
            if next >= 1.0 {
                return None;
            }
            if !(next > s) {
                return here;
            }
            (s, last) = (next, here);
        }
        last
    }

    /// For how much of the step, from `s` on, a point surely uses up no more than `spare` [m] along `normal` (world).
    fn safe(&self, i: usize, s: f64, spare: f64, normal: DVec3) -> f64 {
        let (spin, shift) = (self.motion.spin(), self.motion.shift());
        let point = &self.points[i];
        let w = (point.end - point.start) - shift;
        let slant = normal.reject_from_normalized(spin.normalize_or_zero()).length() + f64::EPSILON;
        let r = |s: f64| point.at(s) - self.motion.pivot() - shift * s;
        let velocity = |s: f64| w - spin.cross(r(s));
        let bend = |s: f64| spin.cross(spin.cross(r(s)) - w * 2.0).length() * slant;
        let speed = velocity(s).length().max(velocity(1.0).length());
        let straight = if speed > 0.0 { spare / speed } else { f64::INFINITY };
        straight.max(time_to_use_up(spare, velocity(s).dot(normal), bend(s).max(bend(1.0))))
    }
}

/// The positive τ with spare + rate τ - bend τ²/2 = 0; infinite when there is none.
fn time_to_use_up(spare: f64, rate: f64, bend: f64) -> f64 {
    if bend == 0.0 {
        return if rate < 0.0 { -spare / rate } else { f64::INFINITY };
    }
    let root = (rate * rate + 2.0 * bend * spare).sqrt();
    if rate < 0.0 { 2.0 * spare / (root - rate) } else { (rate + root) / bend }
}
