//! Rigid motion of a solid within a step.
//!
//! ```text
//! x(s) = c + s d + R(s) (x(0) - c),   R(s) = turn by s θ about the unit axis e,   s in [0, 1]
//! velocity of the solid at a place x:   (d + θ e × (x - c - s d)) / h
//! ```
//!
//! c pivot at the start [m], d its shift in the step [m], θ angle [rad] (more than a turn is allowed), h length of the
//! step [s]. The path is a screw about a pivot that moves straight: exactly what keyframes with constant speed give.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::error::OutOfRange;

/// A place and an attitude.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Where the solid's own origin is [m].
    pub position: DVec3,
    /// How its axes are turned (unit quaternion).
    pub rotation: DQuat,
}

impl Pose {
    /// Unturned, with its origin at `position` [m].
    pub fn at(position: DVec3) -> Self {
        Self { position, rotation: DQuat::IDENTITY }
    }

    /// An error for a pose that is none.
    pub(crate) fn check(&self, what: impl std::fmt::Display) -> Result<(), OutOfRange> {
        let Self { position, rotation } = self;
        let turned = rotation.is_finite() && (rotation.length() - 1.0).abs() < 1e-6;
        let sound = position.is_finite() && turned;
        let value = format_args!("at {position} m, turned by {rotation}");
        OutOfRange::unless(sound, what, value, "finite, with a rotation of length 1")
    }

    /// A place of the world in the solid's own axes [m].
    pub fn local(&self, world: DVec3) -> DVec3 {
        self.rotation.conjugate() * (world - self.position)
    }

    /// A place of the solid's own axes in the world [m].
    pub fn world(&self, local: DVec3) -> DVec3 {
        self.position + self.rotation * local
    }
}

/// How a solid moves during a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidMotion {
    start: Pose,
    pivot: DVec3,
    shift: DVec3,
    axis: DVec3,
    angle: f64,
}

impl RigidMotion {
    /// At rest.
    pub fn resting(pose: Pose) -> Self {
        Self::turning(pose, pose.position, DVec3::ZERO, DVec3::Y, 0.0)
    }

    /// From pose to pose: the origin goes straight, the solid turns about it the shorter way, at most half a turn.
    pub fn between(start: Pose, end: Pose) -> Self {
        let turn = end.rotation * start.rotation.conjugate();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let part = DVec3::new(turn.x, turn.y, turn.z);
        let sine = part.length();
        let axis = if sine > 0.0 { part / sine } else { DVec3::Y };
        let angle = 2.0 * libm::atan2(sine, turn.w);
        Self::turning(start, start.position, end.position - start.position, axis, angle)
    }

    /// Turns by `angle` [rad] about the unit `axis` through `pivot` [m], which moves by `shift` [m] meanwhile.
    pub fn turning(start: Pose, pivot: DVec3, shift: DVec3, axis: DVec3, angle: f64) -> Self {
        Self { start, pivot, shift, axis, angle }
    }

    /// The pose after the fraction `s` of the step.
    pub fn pose(&self, s: f64) -> Pose {
        let turn = self.turn(s);
        Pose {
            position: self.pivot + self.shift * s + turn * (self.start.position - self.pivot),
            rotation: (turn * self.start.rotation).normalize(),
        }
    }

    /// Velocity of the solid at a place of the world [m], after the fraction `s` of a step of `h` seconds [m/s].
    pub fn velocity(&self, place: DVec3, s: f64, h: f64) -> DVec3 {
        (self.shift + self.spin().cross(place - self.pivot - self.shift * s)) / h
    }

    /// Acceleration of the solid's material at a place of the world [m], likewise [m/s²]: ω × (ω × r).
    pub fn acceleration(&self, place: DVec3, s: f64, h: f64) -> DVec3 {
        self.spin().cross(self.spin().cross(place - self.pivot - self.shift * s)) / (h * h)
    }

    /// The part of the motion between two fractions of the step, as a motion of its own.
    #[must_use]
    pub fn part(&self, from: f64, to: f64) -> Self {
        let fraction = to - from;
        Self {
            start: self.pose(from),
            pivot: self.pivot + self.shift * from,
            shift: self.shift * fraction,
            axis: self.axis,
            angle: self.angle * fraction,
        }
    }

    /// The same motion of other axes, whose origin is at a place of the solid's own [m].
    #[must_use]
    pub fn at(&self, local: DVec3) -> Self {
        Self { start: Pose { position: self.start.world(local), ..self.start }, ..*self }
    }

    /// False when it rests.
    pub fn moves(&self) -> bool {
        self.shift != DVec3::ZERO || self.angle != 0.0
    }

    /// The turn since the start.
    fn turn(&self, s: f64) -> DQuat {
        let (sin, cos) = libm::sincos(0.5 * self.angle * s);
        DQuat::from_xyzw(self.axis.x * sin, self.axis.y * sin, self.axis.z * sin, cos)
    }

    /// Rotation vector of the whole step [rad].
    pub(crate) fn spin(&self) -> DVec3 {
        self.axis * self.angle
    }

    /// The same without the turn.
    pub(super) fn unturned(&self) -> Self {
        Self { angle: 0.0, ..*self }
    }

    /// The pose at the start.
    pub(super) fn start(&self) -> &Pose {
        &self.start
    }

    /// The pivot at the start [m].
    pub(crate) fn pivot(&self) -> DVec3 {
        self.pivot
    }

    /// How far the pivot moves [m].
    pub(crate) fn shift(&self) -> DVec3 {
        self.shift
    }

    /// The lever from pivot to origin [m], which never changes its length.
    pub(super) fn lever(&self) -> DVec3 {
        self.start.position - self.pivot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tilted(position: DVec3, axis: DVec3, angle: f64) -> Pose {
        let (sin, cos) = libm::sincos(0.5 * angle);
        let v = axis.normalize() * sin;
        Pose { position, rotation: DQuat::from_xyzw(v.x, v.y, v.z, cos) }
    }

    #[test]
    fn a_motion_between_two_poses_starts_and_ends_there() {
        let start = tilted(DVec3::new(1.0, 2.0, 3.0), DVec3::new(1.0, 1.0, 0.0), 0.4);
        let end = tilted(DVec3::new(-1.0, 2.5, 0.0), DVec3::new(0.0, -1.0, 2.0), 2.5);
        let motion = RigidMotion::between(start, end);
        for (s, pose) in [(0.0, start), (1.0, end)] {
            for local in [DVec3::X, DVec3::Y, DVec3::Z] {
                let apart = motion.pose(s).world(local).distance(pose.world(local));
                // A dozen roundings of numbers below 4.
                assert!(apart < 1e-14, "{apart} at {s}");
            }
        }
    }

    #[test]
    fn the_velocity_is_the_derivative_of_the_path_of_a_material_point() {
        let start = tilted(DVec3::new(0.3, -0.2, 0.5), DVec3::new(1.0, -1.0, 3.0), 1.1);
        let axis = DVec3::new(2.0, 1.0, -1.0).normalize();
        let motion = RigidMotion::turning(start, DVec3::new(1.0, 0.0, -1.0), DVec3::new(0.2, 0.4, -0.1), axis, 9.0);
        let (h, s, step) = (0.02, 0.37, 1e-5);
        let local = DVec3::new(0.7, -0.4, 0.2);
        let path = |s: f64| motion.pose(s).world(local);
        let expected = (path(s + step) - path(s - step)) / (2.0 * step * h);
        let apart = motion.velocity(path(s), s, h).distance(expected);
        // Central differences: θ³ step²/6 of a lever of 2 m, over h.
        assert!(apart < 2.0 * 729.0 * step * step / 6.0 / h * 2.0, "{apart} m/s");
    }

    #[test]
    fn local_and_world_undo_each_other() {
        let pose = tilted(DVec3::new(5.0, -1.0, 2.0), DVec3::new(1.0, 2.0, 3.0), 2.0);
        let place = DVec3::new(0.1, 0.2, 0.3);
        assert!(pose.local(pose.world(place)).distance(place) < 1e-14);
    }
}
