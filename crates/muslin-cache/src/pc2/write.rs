//! Writing a PC2 cache frame by frame, and going on with one.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use glam::DVec3;

use super::{COUNT_AT, HEADER_BYTES, MAGIC, Pc2, VERSION, frame_bytes};
use crate::error::{CacheError, CacheProblem};
use crate::stored;

/// A PC2 cache being written: a file, or whatever else `W` writes.
#[derive(Debug)]
pub struct Pc2Writer<W = File> {
    path: PathBuf,
    sink: W,
    points: u64,
    frames: u64,
    /// The bytes of a frame, kept for reuse.
    buffer: Vec<u8>,
}

impl Pc2Writer {
    /// Makes a new cache without frames for a mesh of `points` vertices. The file must not exist.
    pub fn create(path: &Path, points: usize) -> Result<Self, CacheError> {
        let file =
            OpenOptions::new().write(true).create_new(true).open(path).map_err(CacheError::io("create", path))?;
        Self::new(file, path, points)
    }

    /// Goes on with a cache after its first `frames` frames; what lies behind them is cut off.
    pub fn open_at(path: &Path, points: usize, frames: u64) -> Result<Self, CacheError> {
        let wrong = |problem| CacheError::wrong(path, problem);
        let found = Pc2::open(path)?;
        if found.points() != points as u64 {
            return Err(wrong(CacheProblem::Points { found: found.points(), wanted: points as u64 }));
        }
        if found.whole_frames() < frames {
            return Err(wrong(CacheProblem::CutOff { found: found.whole_frames(), wanted: frames }));
        }
        let file = OpenOptions::new().write(true).open(path).map_err(CacheError::io("open", path))?;
        let mut writer = Self { path: path.into(), sink: file, points: points as u64, frames, buffer: Vec::new() };
        // First the count, then the length: a kill in between leaves a cache that is valid but too long.
        writer.write_count()?;
        let length = HEADER_BYTES + frames * frame_bytes(writer.points);
        writer.sink.set_len(length).map_err(CacheError::io("shorten", path))?;
        Ok(writer)
    }
}

impl<W: Write + Seek> Pc2Writer<W> {
    /// Starts a cache without frames for a mesh of `points` vertices. `path` is for messages.
    pub fn new(mut sink: W, path: &Path, points: usize) -> Result<Self, CacheError> {
        let too_large = |_| CacheError::wrong(path, CacheProblem::TooLarge(points as u64));
        let count = i32::try_from(points).map_err(too_large)?;
        let mut header = Vec::with_capacity(HEADER_BYTES as usize);
        header.extend_from_slice(MAGIC);
        header.extend_from_slice(&VERSION.to_le_bytes());
        header.extend_from_slice(&count.to_le_bytes());
        header.extend_from_slice(&0.0_f32.to_le_bytes());
        header.extend_from_slice(&1.0_f32.to_le_bytes());
        header.extend_from_slice(&0_i32.to_le_bytes());
        sink.write_all(&header).map_err(CacheError::io("write", path))?;
        Ok(Self { path: path.into(), sink, points: points as u64, frames: 0, buffer: Vec::new() })
    }

    /// Adds a frame [m].
    pub fn write_frame(&mut self, positions: &[DVec3]) -> Result<(), CacheError> {
        if positions.len() as u64 != self.points {
            let problem = CacheProblem::Points { found: self.points, wanted: positions.len() as u64 };
            return Err(CacheError::wrong(&self.path, problem));
        }
        self.buffer.clear();
        self.buffer.extend(stored(positions).flat_map(f32::to_le_bytes));
        let at = HEADER_BYTES + self.frames * frame_bytes(self.points);
        self.sink.seek(SeekFrom::Start(at)).map_err(CacheError::io("write", &self.path))?;
        self.sink.write_all(&self.buffer).map_err(CacheError::io("write", &self.path))?;
        self.frames += 1;
        self.write_count()
    }

    /// Frames written so far, frame 0 included.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// What it was written to.
    pub fn into_inner(self) -> W {
        self.sink
    }

    fn write_count(&mut self) -> Result<(), CacheError> {
        let too_large = |_| CacheError::wrong(&self.path, CacheProblem::TooLarge(self.frames));
        let count = i32::try_from(self.frames).map_err(too_large)?;
        self.sink.seek(SeekFrom::Start(COUNT_AT)).map_err(CacheError::io("write", &self.path))?;
        self.sink.write_all(&count.to_le_bytes()).map_err(CacheError::io("write", &self.path))
    }
}
