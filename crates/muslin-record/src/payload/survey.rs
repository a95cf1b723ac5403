//! A first look at all frames: how much room everything takes.

use glam::DVec3;

use crate::error::RecordError;
use crate::playback::{Ground, Playback};

/// The floor lies this far below the lowest point, as a fraction of the greatest extent of all that is shown. Solids
/// stand on it.
const FLOOR_GAP: f64 = 0.06;

/// Where cloths and solids are, over all frames.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Survey {
    /// Of each cloth.
    pub(super) boxes: Vec<Bounds>,
    /// Of each solid.
    pub(super) solid_boxes: Vec<Bounds>,
    /// Height of a floor [m]; none when there is nothing to stand on it, or a plane that is not level.
    pub(super) ground_y: Option<f64>,
    /// The solid that is that floor.
    pub(super) floor: Option<usize>,
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
        let solid_boxes = solid_boxes(playback)?;
        let cloths = playback.cloths.iter().zip(&boxes).filter(|(cloth, _)| !cloth.rest.is_empty());
        let cloths = around_all(cloths.map(|(_, bounds)| bounds));
        // The square that stands for a plane says nothing of the room that things take.
        let solids = playback.solids.iter().zip(&solid_boxes).filter(|(solid, _)| !solid.is_plane);
        let solids = around_all(solids.map(|(_, bounds)| bounds));
        let all = around_all([&cloths, &solids].into_iter().filter(|bounds| bounds.min.is_finite()));
        let gap = if solids.min.y < cloths.min.y { 0.0 } else { FLOOR_GAP * all.size().max_element() };
        let below = all.min.is_finite().then_some(all.min.y - gap);
        let (ground_y, floor) = match playback.ground() {
            Ground::Plane { solid, height } => (Some(height), Some(solid)),
            Ground::Sloped => (None, None),
            Ground::Open => (below, None),
        };
        Ok(Self { boxes, solid_boxes, ground_y, floor })
    }
}

/// The box around some boxes.
fn around_all<'a>(boxes: impl Iterator<Item = &'a Bounds>) -> Bounds {
    boxes.fold(Bounds::NOTHING, |all, bounds| all.around(bounds.min).around(bounds.max))
}

fn solid_boxes(playback: &mut Playback) -> Result<Vec<Bounds>, RecordError> {
    let last = playback.last_frame;
    let around = |bounds: Bounds, positions: &[DVec3]| positions.iter().copied().fold(bounds, Bounds::around);
    let mut boxes = Vec::with_capacity(playback.solids.len());
    for solid in &mut playback.solids {
        let mut bounds = around(Bounds::NOTHING, solid.start());
        for frame in 0..=if solid.moves { last } else { 0 } {
            bounds = around(bounds, &solid.positions(frame)?);
        }
        boxes.push(if bounds.min.is_finite() { bounds } else { Bounds { min: DVec3::ZERO, max: DVec3::ZERO } });
    }
    Ok(boxes)
}
