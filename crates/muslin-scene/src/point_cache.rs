//! Reads single frames of a PC2 point cache, and cuts a few out of a long one.
//!
//! The format: 32 bytes of header (`POINTCACHE2\0`, version 1, points, start frame, sample rate, samples), then x, y, z
//! as f32 for each point of each frame; little endian.

use std::io::{self, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use glam::DVec3;

use crate::files::{self, Readable};

const HEADER: usize = 32;
const MAGIC: &[u8; 12] = b"POINTCACHE2\0";
const POINT: usize = 12;

/// An open point cache.
#[derive(Debug)]
pub(crate) struct PointCache {
    file: Box<dyn Readable>,
    path: PathBuf,
    header: [u8; HEADER],
    points: u32,
    frames: u32,
    /// False: the file is not as long as its header says.
    whole: bool,
}

/// Why a point cache could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PointCacheError {
    #[error("cannot read {path}: {source}", path = .path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} is no PC2 point cache", path = .0.display())]
    Foreign(PathBuf),
    #[error("{path} is not as long as its header says: it holds {frames} whole frames", path = .path.display())]
    Partial { path: PathBuf, frames: u64 },
}

impl PointCache {
    pub(crate) fn open(path: &Path) -> Result<Self, PointCacheError> {
        let failed = |source| PointCacheError::Io { path: path.to_owned(), source };
        let (mut file, length) = files::open(path).map_err(failed)?;
        let mut header = [0; HEADER];
        file.read_exact(&mut header).map_err(|_| PointCacheError::Foreign(path.to_owned()))?;
        let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let (points, stated) = (word(16), word(28));
        if &header[..12] != MAGIC || points == 0 {
            return Err(PointCacheError::Foreign(path.to_owned()));
        }
        // A run under way, or one that was killed, may hold less than its header says.
        let (body, size) = (length.saturating_sub(HEADER as u64), u64::from(points) * POINT as u64);
        let frames = u32::try_from(body / size).unwrap_or(u32::MAX).min(stated);
        let whole = u64::from(stated).checked_mul(size) == Some(body);
        Ok(Self { file, path: path.to_owned(), header, points, frames, whole })
    }

    /// The same for a cache that nobody is writing any more: it must be as long as its header says.
    pub(crate) fn open_whole(path: &Path) -> Result<Self, PointCacheError> {
        let cache = Self::open(path)?;
        let frames = u64::from(cache.frames);
        if cache.whole { Ok(cache) } else { Err(PointCacheError::Partial { path: path.to_owned(), frames }) }
    }

    pub(crate) fn frames(&self) -> u32 {
        self.frames
    }

    pub(crate) fn points(&self) -> usize {
        self.points as usize
    }

    /// Positions of one frame [m].
    pub(crate) fn frame(&mut self, frame: u32) -> Result<Vec<DVec3>, PointCacheError> {
        let bytes = self.bytes(frame..frame + 1)?;
        let coordinate = |at: &[u8]| f64::from(f32::from_le_bytes([at[0], at[1], at[2], at[3]]));
        let point = |at: &[u8]| DVec3::new(coordinate(at), coordinate(&at[4..]), coordinate(&at[8..]));
        Ok(bytes.chunks_exact(POINT).map(point).collect())
    }

    /// A cache of some of the frames only.
    pub(crate) fn cut(&mut self, frames: Range<u32>) -> Result<Vec<u8>, PointCacheError> {
        let mut bytes = self.header.to_vec();
        bytes[28..32].copy_from_slice(&(frames.end - frames.start).to_le_bytes());
        bytes.extend(self.bytes(frames)?);
        Ok(bytes)
    }

    fn bytes(&mut self, frames: Range<u32>) -> Result<Vec<u8>, PointCacheError> {
        let failed = |source| PointCacheError::Io { path: self.path.clone(), source };
        let size = self.points as usize * POINT;
        let mut bytes = vec![0; size * (frames.end - frames.start) as usize];
        let start = HEADER as u64 + u64::from(frames.start) * size as u64;
        self.file.seek(SeekFrom::Start(start)).map_err(failed)?;
        self.file.read_exact(&mut bytes).map_err(failed)?;
        Ok(bytes)
    }
}

/// The frames around one that its velocities depend on, in a cache of so many frames.
pub(crate) fn neighbourhood(frame: u32, frames: u32) -> Range<u32> {
    frame.saturating_sub(2)..frames.min(frame + 2)
}

/// Velocities at a frame [m/s], by differences of second order where there are frames enough: central, else backward.
pub(crate) fn velocities(cache: &mut PointCache, frame: u32, rate: f64) -> Result<Vec<DVec3>, PointCacheError> {
    let here = cache.frame(frame)?;
    let weighted: &[(u32, f64)] = match (frame, cache.frames() > frame + 1) {
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
