//! A first look at all frames: how much room everything takes.

use glam::DVec3;

use crate::error::RecordError;
use crate::playback::Playback;

/// The floor lies this far below the lowest point, as a share of the greatest extent of all that is shown.
const FLOOR_GAP: f64 = 0.06;

/// Where the cloths are, over all frames.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Survey {
    /// Of each cloth.
    pub(super) boxes: Vec<Bounds>,
    /// Height of a floor [m]; none when there is nothing to stand on it.
    pub(super) ground_y: Option<f64>,
}

/// A box along the axes [m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub(super) min: DVec3,
    pub(super) max: DVec3,
}

impl Bounds {
    const NOTHING: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    fn around(self, point: DVec3) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// Extent along each axis [m].
    pub(super) fn size(&self) -> DVec3 {
        self.max - self.min
    }
}

impl Survey {
    /// Reads every frame once.
    pub(super) fn of(playback: &mut Playback) -> Result<Self, RecordError> {
        let mut boxes = vec![Bounds::NOTHING; playback.cloths.len()];
        for (cloth, bounds) in playback.cloths.iter_mut().zip(&mut boxes) {
            for frame in 0..=playback.last_frame {
                *bounds = cloth.positions(frame)?.into_iter().fold(*bounds, Bounds::around);
            }
            if cloth.rest.is_empty() {
                *bounds = Bounds { min: DVec3::ZERO, max: DVec3::ZERO };
            }
        }
        let seen = playback.cloths.iter().zip(&boxes).filter(|(cloth, _)| !cloth.rest.is_empty());
        let all = seen.fold(Bounds::NOTHING, |all, (_, bounds)| all.around(bounds.min).around(bounds.max));
        let ground_y = all.min.is_finite().then(|| all.min.y - FLOOR_GAP * all.size().max_element());
        Ok(Self { boxes, ground_y })
    }
}
