//! Frames of a run, as pictures need them: which ones, where the cloth is, and what there is to see.

use glam::{DVec3, Vec3};
use muslin_record::{Playback, PlayedCloth};

use crate::film::FilmError;

/// Frames that are looked at to find the extent of a run.
pub(crate) const MOST_LOOKED_AT: usize = 48;
/// Vertices of a frame that are looked at for the same end.
const MOST_VERTICES: usize = 20_000;

/// Points of some frames that have to be in the picture, and triangles that it should show, as vectors of twice their
/// area.
pub(crate) fn looked_at(playback: &mut Playback, frames: &[u64]) -> Result<(Vec<Vec3>, Vec<Vec3>), FilmError> {
    let (mut points, mut areas) = (Vec::new(), Vec::new());
    let every = frames.len().div_ceil(MOST_LOOKED_AT).max(1);
    for &frame in frames.iter().step_by(every).chain(frames.last()) {
        let all = positions(playback, frame)?;
        for (cloth, positions) in playback.cloths.iter().zip(&all) {
            points.extend(positions.iter().step_by(positions.len().div_ceil(MOST_VERTICES).max(1)));
            let every = cloth.triangles.len().div_ceil(MOST_VERTICES).max(1);
            areas.extend(cloth.triangles.iter().step_by(every).map(|corners| {
                let [a, b, c] = corners.map(|corner| positions[corner as usize]);
                (b - a).cross(c - a) * every as f32
            }));
        }
    }
    Ok((points, areas))
}

/// Where the vertices of each cloth are.
pub(crate) fn positions(playback: &mut Playback, frame: u64) -> Result<Vec<Vec<Vec3>>, FilmError> {
    let last = playback.last_frame;
    if frame > last {
        return Err(FilmError::NoSuchFrame { frame, last });
    }
    let read = |cloth: &mut PlayedCloth| {
        let positions: Vec<_> = cloth.positions(frame)?.into_iter().map(DVec3::as_vec3).collect();
        if positions.iter().all(|position| position.is_finite()) {
            Ok(positions)
        } else {
            Err(FilmError::NotFinite { cloth: cloth.name.clone(), frame })
        }
    };
    playback.cloths.iter_mut().map(read).collect()
}

/// Frames from the first to the last, evenly spread, at most so many.
pub fn spread(last: u64, most: usize) -> Vec<u64> {
    let count = (most as u64).min(last + 1).max(1);
    if count == 1 {
        return vec![last];
    }
    (0..count).map(|k| (k * last + (count - 1) / 2) / (count - 1)).collect()
}
