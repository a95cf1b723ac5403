//! Solids with closed formulas: signed distance, nearest point of the surface, outward normal.
//!
//! ```text
//! φ(x) = distance to the surface, negative inside;   n = ∇φ(x);   nearest point = x - φ n
//! plane: y <= 0     sphere: |x| <= r     box: |x_i| <= b_i
//! capsule: |x - (0, clamp(y, -l, l), 0)| <= r     cylinder: ρ = |(x, z)| <= r and |y| <= l
//! ```
//!
//! All in the solid's own axes [m]: centred at the origin, along y. All are convex, so φ is convex, |∇φ| = 1, and for a
//! unit n all of the solid is in n·x <= reach(n): the facts on which impacts rest.
//!
//! The box of a solid over a whole step:
//!
//! ```text
//! at a pose:  x_i <= position_i + reach(Rᵀ e_i)
//! in between: a point's path x(s) leaves its chord by |x''|/8 at most,  |x''| <= θ² (|lever| + size)
//! ```
//!
//! R attitude, e_i axes of the world, θ angle of the step [rad], lever from pivot to the solid's origin [m], size
//! distance of its farthest point from there [m]. So the boxes at start and end, joined and widened by the chord's
//! bound, hold the solid throughout; where that is more than the ball about the pivot, in which it stays too, the
//! ball's box is taken.

use glam::{DVec2, DVec3};

use super::bounds::Bounds;
use super::motion::{Pose, RigidMotion};

/// Rounding of rotated places, as a fraction of their distance from the origin: as for impacts, where 32 ε are counted.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A solid in its own axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// Everything below y = 0.
    Plane,
    /// A ball.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// A box with sharp edges.
    Box {
        /// Half of each side [m].
        half: DVec3,
    },
    /// All that is within `radius` of a piece of the y axis.
    Capsule {
        /// Radius [m].
        radius: f64,
        /// Half the length of that piece, caps not counted [m].
        half_length: f64,
    },
    /// A cylinder along y with flat ends and sharp rims.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Half its length [m].
        half_length: f64,
    },
}

/// How a point lies to a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Signed distance to the surface [m], negative inside.
    pub distance: f64,
    /// Outward normal (unit).
    pub normal: DVec3,
    /// The nearest point of the surface [m].
    pub point: DVec3,
}

impl Shape {
    /// True when all of its sizes are finite and positive; a capsule may be a ball.
    pub(crate) fn is_sound(&self) -> bool {
        let positive = |size: f64| size.is_finite() && size > 0.0;
        match *self {
            Self::Plane => true,
            Self::Sphere { radius } => positive(radius),
            Self::Box { half } => half.to_array().into_iter().all(positive),
            Self::Capsule { radius, half_length } => positive(radius) && half_length.is_finite() && half_length >= 0.0,
            Self::Cylinder { radius, half_length } => positive(radius) && positive(half_length),
        }
    }

    /// Signed distance, normal and nearest point of the surface, all in the solid's own axes.
    ///
    /// Where several points are nearest (the centre of a sphere) one is taken, always the same.
    pub fn nearest(&self, point: DVec3) -> Nearest {
        match *self {
            Self::Plane => Nearest { distance: point.y, normal: DVec3::Y, point: DVec3::new(point.x, 0.0, point.z) },
            Self::Sphere { radius } => around(point, DVec3::ZERO, radius),
            Self::Box { half } => nearest_of_box(point, half),
            Self::Capsule { radius, half_length } => {
                around(point, DVec3::new(0.0, point.y.clamp(-half_length, half_length), 0.0), radius)
            }
            Self::Cylinder { radius, half_length } => nearest_of_cylinder(point, radius, half_length),
        }
    }

    /// How far the solid goes along a unit direction: the greatest n·x [m]. Infinite for a plane, but upwards.
    pub fn reach(&self, direction: DVec3) -> f64 {
        match *self {
            Self::Plane => {
                if direction == DVec3::Y {
                    0.0
                } else {
                    f64::INFINITY
                }
            }
            Self::Sphere { radius } => radius,
            Self::Box { half } => half.dot(direction.abs()),
            Self::Capsule { radius, half_length } => radius + half_length * direction.y.abs(),
            Self::Cylinder { radius, half_length } => {
                radius * DVec2::new(direction.x, direction.z).length() + half_length * direction.y.abs()
            }
        }
    }

    /// How far points are beyond the solid along a unit direction [m]: a bound from below of the signed distance of
    /// their hull, whatever the direction.
    pub(crate) fn separation(&self, points: &[DVec3], direction: DVec3) -> f64 {
        points.iter().map(|point| direction.dot(*point)).fold(f64::INFINITY, f64::min) - self.reach(direction)
    }

    /// A motion that takes the solid through the same places, without a turn that its symmetry makes invisible.
    pub(super) fn visible_motion(&self, motion: &RigidMotion) -> RigidMotion {
        let (spin, lever) = (motion.spin(), motion.lever());
        let idle = match *self {
            Self::Plane | Self::Box { .. } => false,
            Self::Sphere { .. } => lever == DVec3::ZERO,
            Self::Capsule { .. } | Self::Cylinder { .. } => {
                let axis = motion.start().rotation * DVec3::Y;
                // As parallel as rounding lets them be: what then is left of the turn is below that of impacts and
                // boxes.
                let parallel = |v: DVec3| v.cross(axis).length() <= 4.0 * f64::EPSILON * v.length();
                parallel(spin) && parallel(lever)
            }
        };
        if idle { motion.unturned() } else { *motion }
    }

    /// True when a motion turns the solid, and one can see it.
    pub(crate) fn turns(&self, motion: &RigidMotion) -> bool {
        self.visible_motion(motion).spin() != DVec3::ZERO
    }

    /// Distance of the solid's farthest point from its origin [m]; 0 for a plane, whose formula knows no size.
    pub(super) fn size(&self) -> f64 {
        match *self {
            Self::Plane => 0.0,
            Self::Sphere { radius } => radius,
            Self::Box { half } => half.length(),
            Self::Capsule { radius, half_length } => radius + half_length,
            Self::Cylinder { radius, half_length } => DVec2::new(radius, half_length).length(),
        }
    }

    /// A box in the axes of the world that holds the solid at every moment of a step.
    ///
    /// A plane has no end: its box is infinite, but upwards when it is level and does not turn.
    pub fn swept_bounds(&self, motion: &RigidMotion) -> Bounds {
        let motion = &self.visible_motion(motion);
        let (start, end) = (motion.pose(0.0), motion.pose(1.0));
        let angle = motion.spin().length();
        let farthest = motion.lever().length() + self.size();
        let off_chord = angle * angle * farthest / 8.0;
        let places = motion.pivot().length() + motion.shift().length() + farthest;
        let rounding = ROUNDING * places * (1.0 + angle);
        match self {
            Self::Plane if angle != 0.0 => Bounds { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY },
            _ if off_chord > farthest => {
                Bounds::of([motion.pivot(), motion.pivot() + motion.shift()]).grown(farthest + rounding)
            }
            _ => self.bounds(&start).union(self.bounds(&end)).grown(off_chord + rounding),
        }
    }

    /// Its box at a pose, but for rounding.
    fn bounds(&self, pose: &Pose) -> Bounds {
        let back = pose.rotation.conjugate();
        let reach = |sign: f64| DVec3::from_array(DVec3::AXES.map(|axis| self.reach(back * (axis * sign))));
        Bounds { min: pose.position - reach(-1.0), max: pose.position + reach(1.0) }
    }
}

/// The surface at `radius` around `core`.
fn around(point: DVec3, core: DVec3, radius: f64) -> Nearest {
    let arm = point - core;
    let length = arm.length();
    // On the core itself every direction is as good; x is perpendicular to the axis of a capsule.
    let normal = if length > 0.0 { arm / length } else { DVec3::X };
    Nearest { distance: length - radius, normal, point: core + normal * radius }
}

fn nearest_of_box(point: DVec3, half: DVec3) -> Nearest {
    let over = point.abs() - half;
    let sign = DVec3::ONE.copysign(point);
    let outside = over.max(DVec3::ZERO);
    let distance = outside.length();
    if distance > 0.0 {
        let normal = outside / distance * sign;
        return Nearest { distance, normal, point: point.clamp(-half, half) };
    }
    // Inside, or on the surface: the nearest face.
    let face = if over.x >= over.y && over.x >= over.z {
        DVec3::X
    } else if over.y >= over.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let distance = over.dot(face);
    Nearest { distance, normal: face * sign, point: point - face * sign * distance }
}

fn nearest_of_cylinder(point: DVec3, radius: f64, half_length: f64) -> Nearest {
    let across = DVec3::new(point.x, 0.0, point.z);
    let rho = across.length();
    let outwards = if rho > 0.0 { across / rho } else { DVec3::X };
    let upwards = DVec3::Y * 1.0_f64.copysign(point.y);
    let over = DVec2::new(rho - radius, point.y.abs() - half_length);
    let outside = over.max(DVec2::ZERO);
    let distance = outside.length();
    let (distance, normal) = if distance > 0.0 {
        (distance, outwards * (outside.x / distance) + upwards * (outside.y / distance))
    } else if over.x >= over.y {
        (over.x, outwards)
    } else {
        (over.y, upwards)
    };
    Nearest { distance, normal, point: point - normal * distance }
}
