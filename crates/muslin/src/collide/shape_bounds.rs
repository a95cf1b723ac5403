//! The box of a solid over a whole step.
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

use glam::DVec3;

use super::bounds::Bounds;
use super::motion::{Pose, RigidMotion};
use super::shape::Shape;

/// Rounding of rotated places, as a fraction of their distance from the origin: as for impacts, where 32 ε are counted.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

impl Shape {
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
