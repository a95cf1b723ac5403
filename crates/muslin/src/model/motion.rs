//! Scripted motion: keyframes of translation and rotation, with smooth or linear passage between them.

use glam::{DQuat, DVec3};

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
        let (Some(first), Some(last)) = (self.keys.first(), self.keys.last()) else { return anchor };
        if time <= first.time {
            return self.apply(first, anchor);
        }
        if time >= last.time {
            return self.apply(last, anchor);
        }
        let next = self.keys.partition_point(|key| key.time <= time);
        let (from, to) = (&self.keys[next - 1], &self.keys[next]);
        let s = (time - from.time) / (to.time - from.time);
        let s = match self.ease {
            Ease::Linear => s,
            Ease::Smooth => s * s * (3.0 - 2.0 * s),
        };
        // The axis of the later key rules the passage, so that a spin "from 0 to 720° about y" makes two turns.
        let between = Key {
            time,
            translate: from.translate.lerp(to.translate, s),
            axis: to.axis,
            angle: from.angle + s * (to.angle - from.angle),
        };
        self.apply(&between, anchor)
    }

    fn apply(&self, key: &Key, anchor: DVec3) -> DVec3 {
        if key.angle == 0.0 {
            return anchor + key.translate;
        }
        let (sin, cos) = libm::sincos(0.5 * key.angle);
        let turn = DQuat::from_xyzw(key.axis.x * sin, key.axis.y * sin, key.axis.z * sin, cos);
        self.centre + turn * (anchor - self.centre) + key.translate
    }
}
