//! Reads MDD point caches.
//!
//! The format: frames and points as 32-bit integers, the time of each frame [s] as f32, then x, y, z as f32 for each
//! point of each frame; big endian.

use std::io;
use std::path::{Path, PathBuf};

use glam::DVec3;

use crate::files;

/// How unequal the times between frames may be, relatively: they are written as f32.
const EQUAL_TIMES: f64 = 1e-3;

/// A cache, read.
#[derive(Debug)]
pub(crate) struct Mdd {
    /// Times of the shapes [s].
    times: Vec<f64>,
    /// The shapes, in the file's unit.
    pub(crate) shapes: Vec<Vec<DVec3>>,
}

/// Why a cache could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MddError {
    #[error("cannot read {path}: {source}", path = .path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} is no MDD point cache: it has {length} bytes, which fits no count of frames and points", path = .path.display())]
    Foreign { path: PathBuf, length: usize },
}

pub(crate) fn read(path: &Path) -> Result<Mdd, MddError> {
    let bytes = files::read(path).map_err(|source| MddError::Io { path: path.to_owned(), source })?;
    parse(&bytes).ok_or_else(|| MddError::Foreign { path: path.to_owned(), length: bytes.len() })
}

fn parse(bytes: &[u8]) -> Option<Mdd> {
    let mut words = bytes.chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]]);
    let frames = usize::try_from(i32::from_be_bytes(words.next()?)).ok()?;
    let points = usize::try_from(i32::from_be_bytes(words.next()?)).ok()?;
    // Checked before anything is made as large as the header says.
    let numbers = points.checked_mul(3)?.checked_add(1)?.checked_mul(frames)?;
    if points == 0 || numbers.checked_mul(4)?.checked_add(8)? != bytes.len() {
        return None;
    }
    let mut numbers = words.map(|word| f64::from(f32::from_be_bytes(word)));
    let times = numbers.by_ref().take(frames).collect();
    let coordinates: Vec<f64> = numbers.collect();
    let point = |at: &[f64]| DVec3::new(at[0], at[1], at[2]);
    let shapes = coordinates.chunks_exact(3 * points).map(|shape| shape.chunks_exact(3).map(point).collect());
    Some(Mdd { times, shapes: shapes.collect() })
}

impl Mdd {
    /// Time from shape to shape [s]; none when they are not equally spaced.
    pub(crate) fn interval(&self) -> Option<f64> {
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
