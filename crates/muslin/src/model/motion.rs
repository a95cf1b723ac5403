//! Scripted motion: keyframes of translation and rotation, with smooth or linear passage between them.

use glam::{DQuat, DVec3};

use crate::collide::{Pose, RigidMotion};

/// A rigid motion over time. No keys: at rest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Motion {
    /// The keys, by rising time.
    pub keys: Vec<Key>,
    /// How it passes from key to key.
    pub ease: Ease,
    /// What it turns about [m].
    pub centre: DVec3,
}

/// A pose at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// When [s].
    pub time: f64,
    /// Displacement from the start [m].
    pub translate: DVec3,
    /// Axis of rotation (unit) about the motion's centre.
    pub axis: DVec3,
    /// Angle about that axis [rad]; may exceed a turn.
    pub angle: f64,
}

/// Passage between two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ease {
    /// Starts and stops gently at every key (3s² - 2s³).
    #[default]
    Smooth,
    /// At constant speed.
    Linear,
}

impl Motion {
    /// Where a point that starts at `anchor` is at `time` [m].
    ///
    /// ```
    /// use muslin::DVec3;
    /// use muslin::model::{Ease, Key, Motion};
    ///
    /// let key = |time, x| Key { time, translate: DVec3::new(x, 0.0, 0.0), axis: DVec3::Y, angle: 0.0 };
    /// let motion = Motion { keys: vec![key(1.0, 0.0), key(3.0, 0.4)], ease: Ease::Smooth, centre: DVec3::ZERO };
    /// assert_eq!(motion.place(DVec3::ZERO, 0.5), DVec3::ZERO);
    /// assert_eq!(motion.place(DVec3::ZERO, 2.0), DVec3::new(0.2, 0.0, 0.0));
    /// assert_eq!(motion.place(DVec3::ZERO, 9.0), DVec3::new(0.4, 0.0, 0.0));
    /// ```
    pub fn place(&self, anchor: DVec3, time: f64) -> DVec3 {
        self.key(time).map_or(anchor, |key| self.apply(&key, anchor))
    }

    /// Where axes that start at a pose are at `time`.
    pub fn pose(&self, start: Pose, time: f64) -> Pose {
        let Some(key) = self.key(time) else { return start };
        let rotation = if key.angle == 0.0 { start.rotation } else { (turn(&key) * start.rotation).normalize() };
        Pose { position: self.apply(&key, start.position), rotation }
    }

    /// How axes move that are at a pose at the time `from`, until the time `to` [s]. Within a passage between two keys
    /// this is exact, many turns included; over a key it is the straight path with the shorter turn.
    pub(crate) fn between(&self, start: Pose, from: f64, to: f64) -> RigidMotion {
        let (Some(first), Some(last)) = (self.key(from), self.key(to)) else { return RigidMotion::resting(start) };
        let pivot = self.centre + first.translate;
        let shift = last.translate - first.translate;
        // Equal angles about different axes are different attitudes, unless there is no turn at all.
        if first.axis == last.axis || (first.angle == 0.0 && last.angle == 0.0) {
            return RigidMotion::turning(start, pivot, shift, last.axis, last.angle - first.angle);
        }
        let turn = turn(&last) * turn(&first).conjugate();
        let rotation = (turn * start.rotation).normalize();
        let position = self.centre + last.translate + turn * (start.position - pivot);
        RigidMotion::between(start, Pose { position, rotation })
    }

    /// The pose at a time, between keys too; none without keys.
    fn key(&self, time: f64) -> Option<Key> {
        let (first, last) = (self.keys.first()?, self.keys.last()?);
        if time <= first.time {
            return Some(*first);
        }
        if time >= last.time {
            return Some(*last);
        }
        let next = self.keys.partition_point(|key| key.time <= time);
        let (from, to) = (&self.keys[next - 1], &self.keys[next]);
        let s = (time - from.time) / (to.time - from.time);
        let s = match self.ease {
            Ease::Linear => s,
            Ease::Smooth => s * s * (3.0 - 2.0 * s),
        };
        // The axis of the later key rules the passage, so that a spin "from 0 to 720° about y" makes two turns.
        Some(Key {
            time,
            translate: from.translate.lerp(to.translate, s),
            axis: to.axis,
            angle: from.angle + s * (to.angle - from.angle),
        })
    }

    fn apply(&self, key: &Key, anchor: DVec3) -> DVec3 {
        if key.angle == 0.0 {
            return anchor + key.translate;
        }
        self.centre + turn(key) * (anchor - self.centre) + key.translate
    }
}

/// The rotation of a key.
fn turn(key: &Key) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * key.angle);
    DQuat::from_xyzw(key.axis.x * sin, key.axis.y * sin, key.axis.z * sin, cos)
}
