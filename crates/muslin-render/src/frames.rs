//! Frames of a run, as pictures need them: which ones, where the cloth is, and what there is to see.

use glam::{DVec3, Vec3};
use muslin_record::{Playback, PlayedCloth, PlayedSolid};

use crate::film::FilmError;

/// Frames that are looked at to find the extent of a run.
pub(crate) const MOST_LOOKED_AT: usize = 48;
/// Vertices of a frame that are looked at for the same end.
const MOST_VERTICES: usize = 20_000;

/// A solid larger than this many times the cloths, over its path through all frames, is scenery (a floor, a wall, what
/// comes flying from afar): pictures need not hold all of it.
const SCENERY: f32 = 2.5;

/// Points of cloths in some frames that have to be in the picture, and triangles that it should show, as vectors of
/// twice their area.
pub(crate) fn looked_at(playback: &mut Playback, frames: &[u64]) -> Result<(Vec<Vec3>, Vec<Vec3>), FilmError> {
    let (mut points, mut areas) = (Vec::new(), Vec::new());
    for frame in some_of(frames) {
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

/// Of many frames some, the last one always.
fn some_of(frames: &[u64]) -> impl Iterator<Item = u64> {
    let every = frames.len().div_ceil(MOST_LOOKED_AT).max(1);
    frames.iter().step_by(every).chain(frames.last()).copied()
}

/// Points of solids in some frames that have to be in the picture too; `framed` says of which.
pub(crate) fn solids_looked_at(
    playback: &mut Playback,
    framed: &[bool],
    frames: &[u64],
) -> Result<Vec<Vec3>, FilmError> {
    let mut points = Vec::new();
    for (solid, _) in playback.solids.iter_mut().zip(framed).filter(|(_, framed)| **framed) {
        for frame in some_of(if solid.moves { frames } else { &[0] }) {
            let positions = solid_positions(solid, frame)?;
            points.extend(positions.iter().step_by(positions.len().div_ceil(MOST_VERTICES).max(1)));
        }
    }
    Ok(points)
}

/// For each solid, whether pictures have to hold it: no plane, and no scenery beside cloths that take up `cloths`.
pub(crate) fn framed_solids(playback: &mut Playback, cloths: [Vec3; 2]) -> Result<Vec<bool>, FilmError> {
    let frames = spread(playback.last_frame, MOST_LOOKED_AT);
    let most = SCENERY * cloths[0].distance(cloths[1]);
    let mut framed = Vec::with_capacity(playback.solids.len());
    for index in 0..playback.solids.len() {
        let only: Vec<bool> = (0..=index).map(|other| other == index).collect();
        let [low, high] = extent(&solids_looked_at(playback, &only, &frames)?);
        framed.push(!playback.solids[index].is_plane && low.distance(high) <= most);
    }
    Ok(framed)
}

/// The corners of the box around some points.
pub(crate) fn extent(points: &[Vec3]) -> [Vec3; 2] {
    points.iter().fold([Vec3::MAX, Vec3::MIN], |[low, high], &point| [low.min(point), high.max(point)])
}

/// Where the vertices of a solid are.
pub(crate) fn solid_positions(solid: &mut PlayedSolid, frame: u64) -> Result<Vec<Vec3>, FilmError> {
    let positions: Vec<_> = solid.positions(frame)?.into_iter().map(DVec3::as_vec3).collect();
    if positions.iter().all(|position| position.is_finite()) {
        Ok(positions)
    } else {
        Err(FilmError::NotFinite { what: format!("collider `{}`", solid.name), frame })
    }
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
            Err(FilmError::NotFinite { what: format!("cloth `{}`", cloth.name), frame })
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
