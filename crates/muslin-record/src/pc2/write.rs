//! Writing a point cache frame by frame, and going on with one.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use glam::DVec3;

use super::{COUNT_AT, HEADER_BYTES, MAGIC, Pc2, Pc2Problem, VERSION, frame_bytes};
use crate::error::RecordError;

/// A point cache under way.
#[derive(Debug)]
pub struct Pc2Writer {
    path: PathBuf,
    file: File,
    points: u64,
    frames: u64,
    /// The bytes of a frame, kept for reuse.
    buffer: Vec<u8>,
}

impl Pc2Writer {
    /// Makes a new cache without frames for a mesh of `points` vertices. The file must not exist.
    pub fn create(path: &Path, points: usize) -> Result<Self, RecordError> {
        let count = i32::try_from(points)
            .map_err(|_| RecordError::Pc2 { path: path.into(), problem: Pc2Problem::TooLarge(points as u64) })?;
        let mut file =
            OpenOptions::new().write(true).create_new(true).open(path).map_err(RecordError::io("create", path))?;
        let mut header = Vec::with_capacity(HEADER_BYTES as usize);
        header.extend_from_slice(MAGIC);
        header.extend_from_slice(&VERSION.to_le_bytes());
        header.extend_from_slice(&count.to_le_bytes());
        header.extend_from_slice(&0.0_f32.to_le_bytes());
        header.extend_from_slice(&1.0_f32.to_le_bytes());
        header.extend_from_slice(&0_i32.to_le_bytes());
        file.write_all(&header).map_err(RecordError::io("write", path))?;
        Ok(Self { path: path.into(), file, points: points as u64, frames: 0, buffer: Vec::new() })
    }

    /// Goes on with a cache after its first `frames` frames; what lies behind them is cut off.
    pub fn open_at(path: &Path, points: usize, frames: u64) -> Result<Self, RecordError> {
        let wrong = |problem| RecordError::Pc2 { path: path.into(), problem };
        let found = Pc2::open(path)?;
        if found.points() != points as u64 {
            return Err(wrong(Pc2Problem::Points { found: found.points(), wanted: points as u64 }));
        }
        if found.whole_frames() < frames {
            return Err(wrong(Pc2Problem::CutOff { found: found.whole_frames(), wanted: frames }));
        }
        let file = OpenOptions::new().write(true).open(path).map_err(RecordError::io("open", path))?;
        let mut writer = Self { path: path.into(), file, points: points as u64, frames, buffer: Vec::new() };
        // First the count, then the length: a kill in between leaves a cache that is valid but too long.
        writer.write_count()?;
        let length = HEADER_BYTES + frames * frame_bytes(writer.points);
        writer.file.set_len(length).map_err(RecordError::io("shorten", path))?;
        Ok(writer)
    }

    /// Adds a frame [m].
    pub fn write_frame(&mut self, positions: &[DVec3]) -> Result<(), RecordError> {
        if positions.len() as u64 != self.points {
            return Err(self.wrong(Pc2Problem::Points { found: self.points, wanted: positions.len() as u64 }));
        }
        self.buffer.clear();
        for position in positions {
            for coordinate in position.to_array() {
                // A run that blew up may be beyond f32; readers take a huge number better than an infinite one.
                let stored = (coordinate as f32).clamp(f32::MIN, f32::MAX);
                self.buffer.extend_from_slice(&stored.to_le_bytes());
            }
        }
        let at = HEADER_BYTES + self.frames * frame_bytes(self.points);
        self.file.seek(SeekFrom::Start(at)).map_err(RecordError::io("write", &self.path))?;
        self.file.write_all(&self.buffer).map_err(RecordError::io("write", &self.path))?;
        self.frames += 1;
        self.write_count()
    }

    /// Frames written so far, frame 0 included.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    fn write_count(&mut self) -> Result<(), RecordError> {
        let count = i32::try_from(self.frames).map_err(|_| self.wrong(Pc2Problem::TooLarge(self.frames)))?;
        self.file.seek(SeekFrom::Start(COUNT_AT)).map_err(RecordError::io("write", &self.path))?;
        self.file.write_all(&count.to_le_bytes()).map_err(RecordError::io("write", &self.path))
    }

    fn wrong(&self, problem: Pc2Problem) -> RecordError {
        RecordError::Pc2 { path: self.path.clone(), problem }
    }
}
