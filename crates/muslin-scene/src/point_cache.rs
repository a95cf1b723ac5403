//! PC2 caches of scenes, which may be inside muslin; and what an earlier run's cache says of velocities.

use std::ops::Range;
use std::path::Path;

use glam::DVec3;
use muslin_cache::{CacheError, Pc2};

use crate::files::{self, Readable};

/// A cache on disk or inside muslin.
pub(crate) type PointCache = Pc2<Box<dyn Readable>>;

/// Opens a cache; only whole frames count, because a run under way, or one that was killed, may hold less than its
/// header says.
pub(crate) fn open(path: &Path) -> Result<PointCache, CacheError> {
    let opened = files::open(path);
    let source = opened.map_err(|source| CacheError::Io { doing: "read", path: path.to_owned(), source })?;
    Pc2::from_source(source, path)
}

/// The frames around one that its velocities depend on, in a cache of so many frames.
pub(crate) fn neighbourhood(frame: u64, frames: u64) -> Range<u64> {
    frame.saturating_sub(2)..frames.min(frame + 2)
}

/// Velocities at a frame [m/s], by differences of second order where there are frames enough: central, else backward.
pub(crate) fn velocities(cache: &mut PointCache, frame: u64, rate: f64) -> Result<Vec<DVec3>, CacheError> {
    let here = cache.frame(frame)?;
    let weighted: &[(u64, f64)] = match (frame, cache.frames() > frame + 1) {
        (0, false) => &[],
        (0, true) | (1, false) => &[(0, -1.0), (1, 1.0)],
        (_, true) => &[(frame - 1, -0.5), (frame + 1, 0.5)],
        (_, false) => &[(frame - 2, 0.5), (frame - 1, -2.0), (frame, 1.5)],
    };
    let mut velocities = vec![DVec3::ZERO; here.len()];
    for &(number, weight) in weighted {
        let positions = cache.frame(number)?;
        for (velocity, position) in velocities.iter_mut().zip(positions) {
            *velocity += weight * rate * position;
        }
    }
    Ok(velocities)
}
