//! MDD point caches, as Houdini and Blender read them.
//!
//! All numbers are big-endian: frames and points as `i32`, the time of each frame [s] as `f32`, then for each frame x,
//! y, z of every vertex as `f32`.
//!
//! All times stand in front, so the place of the first vertex depends on the number of frames, and a cache cannot grow
//! frame by frame and be valid in between: [`MddWriter`] has to know all frames when it starts.

#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::{Path, PathBuf};

use glam::DVec3;

use crate::error::{CacheError, CacheProblem};
use crate::{VERTEX_BYTES, stored, vertices};

/// Bytes before the times: frames and points.
const COUNTS_BYTES: usize = 8;

/// How unequal the times between frames may be, relatively: they are written as f32.
const EQUAL_TIMES: f64 = 1e-3;

/// An MDD cache, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Mdd {
    /// Times of the frames [s].
    pub times: Vec<f64>,
    /// The vertices of each frame, in the file's unit.
    pub frames: Vec<Vec<DVec3>>,
}

impl Mdd {
    /// Reads a cache.
    pub fn read(path: &Path) -> Result<Self, CacheError> {
        let bytes = std::fs::read(path).map_err(CacheError::io("read", path))?;
        Self::from_bytes(&bytes, path)
    }

    /// Reads a cache from its bytes. `path` is for messages.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, CacheError> {
        let problem = CacheProblem::NotMdd { length: bytes.len() as u64 };
        parse(bytes).ok_or_else(|| CacheError::wrong(path, problem))
    }

    /// Time from frame to frame [s]; none when they are not equally spaced.
    pub fn interval(&self) -> Option<f64> {
        let (first, last) = (self.times.first()?, self.times.last()?);
        let mean = (last - first) / (self.times.len().max(2) - 1) as f64;
        let equal = |pair: &[f64]| ((pair[1] - pair[0]) - mean).abs() <= EQUAL_TIMES * mean;
        if self.times.len() == 1 {
            // A single shape rests, whatever the interval.
            return Some(1.0);
        }
        (mean > 0.0 && mean.is_finite() && self.times.windows(2).all(equal)).then_some(mean)
    }
}

fn parse(bytes: &[u8]) -> Option<Mdd> {
    let (counts, rest) = bytes.split_at_checked(COUNTS_BYTES)?;
    let (counts, _) = counts.as_chunks::<4>();
    let count = |at: usize| usize::try_from(i32::from_be_bytes(counts[at])).ok();
    let (frames, points) = (count(0)?, count(1)?);
    // Checked before anything is made as large as the header says.
    let frame_bytes = points.checked_mul(VERTEX_BYTES as usize)?;
    if points == 0 || frame_bytes.checked_add(4)?.checked_mul(frames)? != rest.len() {
        return None;
    }
    let (times, coordinates) = rest.split_at(4 * frames);
    let (times, _) = times.as_chunks::<4>();
    Some(Mdd {
        times: times.iter().map(|time| f64::from(f32::from_be_bytes(*time))).collect(),
        frames: coordinates.chunks_exact(frame_bytes).map(|frame| vertices(frame, f32::from_be_bytes)).collect(),
    })
}

/// An MDD cache being written.
#[derive(Debug)]
pub struct MddWriter<W> {
    path: PathBuf,
    sink: W,
    points: usize,
    planned: u64,
    frames: u64,
    /// The bytes of a frame, kept for reuse.
    buffer: Vec<u8>,
}

impl<W: Write> MddWriter<W> {
    /// Starts a cache of frames at these times [s], for a mesh of `points` vertices. `path` is for messages.
    pub fn new(
        mut sink: W,
        path: &Path,
        times: impl ExactSizeIterator<Item = f64>,
        points: usize,
    ) -> Result<Self, CacheError> {
        let planned = times.len();
        let too_large = |count: usize| CacheError::wrong(path, CacheProblem::TooLarge(count as u64));
        let count = |count: usize| i32::try_from(count).map_err(|_| too_large(count));
        let mut header = Vec::with_capacity(COUNTS_BYTES + 4 * planned);
        header.extend(count(planned)?.to_be_bytes());
        header.extend(count(points)?.to_be_bytes());
        header.extend(times.flat_map(|time| (time as f32).to_be_bytes()));
        sink.write_all(&header).map_err(CacheError::io("write", path))?;
        Ok(Self { path: path.into(), sink, points, planned: planned as u64, frames: 0, buffer: Vec::new() })
    }

    /// Adds the next frame [m].
    pub fn write_frame(&mut self, positions: &[DVec3]) -> Result<(), CacheError> {
        if positions.len() != self.points {
            let problem = CacheProblem::Points { found: self.points as u64, wanted: positions.len() as u64 };
            return Err(CacheError::wrong(&self.path, problem));
        }
        if self.frames == self.planned {
            let problem = CacheProblem::NoFrame { frame: self.frames, count: self.planned };
            return Err(CacheError::wrong(&self.path, problem));
        }
        self.buffer.clear();
        self.buffer.extend(stored(positions).flat_map(f32::to_be_bytes));
        self.sink.write_all(&self.buffer).map_err(CacheError::io("write", &self.path))?;
        self.frames += 1;
        Ok(())
    }

    /// Ends the cache. Fails when frames are missing: then it is not valid.
    pub fn finish(mut self) -> Result<W, CacheError> {
        let Self { frames: found, planned: wanted, .. } = self;
        if found < wanted {
            return Err(CacheError::wrong(&self.path, CacheProblem::CutOff { found, wanted }));
        }
        self.sink.flush().map_err(CacheError::io("write", &self.path))?;
        Ok(self.sink)
    }
}
