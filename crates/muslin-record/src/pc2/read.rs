//! Reading a point cache.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use glam::DVec3;

use super::{HEADER_BYTES, MAGIC, Pc2Problem, VERSION, frame_bytes};
use crate::error::RecordError;

/// A point cache, open for reading.
#[derive(Debug)]
pub struct Pc2 {
    path: PathBuf,
    file: File,
    points: u64,
    frames: u64,
    whole_frames: u64,
}

impl Pc2 {
    /// Opens a cache and checks its header. Fails when it holds fewer frames than it says.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let wrong = |problem| RecordError::Pc2 { path: path.into(), problem };
        let mut file = File::open(path).map_err(RecordError::io("open", path))?;
        let mut header = [0; HEADER_BYTES as usize];
        file.read_exact(&mut header).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => wrong(Pc2Problem::Foreign),
            _ => RecordError::io("read", path)(error),
        })?;
        if !header.starts_with(MAGIC) {
            return Err(wrong(Pc2Problem::Foreign));
        }
        let number = |at: usize| i32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        if number(12) != VERSION {
            return Err(wrong(Pc2Problem::Version(number(12))));
        }
        let count = |at: usize| u64::try_from(number(at)).map_err(|_| wrong(Pc2Problem::Foreign));
        let (points, frames) = (count(16)?, count(28)?);
        let length = file.metadata().map_err(RecordError::io("read", path))?.len();
        // A mesh without vertices has frames of no bytes: the header alone says how many.
        let whole_frames = (length - HEADER_BYTES).checked_div(frame_bytes(points)).unwrap_or(frames);
        if whole_frames < frames {
            return Err(wrong(Pc2Problem::CutOff { found: whole_frames, wanted: frames }));
        }
        Ok(Self { path: path.into(), file, points, frames, whole_frames })
    }

    /// All frames of a cache: positions [m].
    pub fn read(path: &Path) -> Result<Vec<Vec<DVec3>>, RecordError> {
        let mut cache = Self::open(path)?;
        (0..cache.frames).map(|frame| cache.frame(frame)).collect()
    }

    /// Vertices a frame.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// Frames, frame 0 included.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Whole frames in the file, which may be one more than it counts when its writer was killed.
    pub(super) fn whole_frames(&self) -> u64 {
        self.whole_frames
    }

    /// The positions [m] of one frame, counted from 0.
    pub fn frame(&mut self, frame: u64) -> Result<Vec<DVec3>, RecordError> {
        if frame >= self.frames {
            let problem = Pc2Problem::NoFrame { frame, count: self.frames };
            return Err(RecordError::Pc2 { path: self.path.clone(), problem });
        }
        let bytes = frame_bytes(self.points);
        let mut buffer = vec![0; bytes as usize];
        let at = SeekFrom::Start(HEADER_BYTES + frame * bytes);
        self.file.seek(at).map_err(RecordError::io("read", &self.path))?;
        self.file.read_exact(&mut buffer).map_err(RecordError::io("read", &self.path))?;
        let (numbers, _) = buffer.as_chunks::<4>();
        let (points, _) = numbers.as_chunks::<3>();
        let value = |bytes: [u8; 4]| f64::from(f32::from_le_bytes(bytes));
        Ok(points.iter().map(|&[x, y, z]| DVec3::new(value(x), value(y), value(z))).collect())
    }
}
