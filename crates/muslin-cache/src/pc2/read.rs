//! Reading a PC2 cache.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use glam::DVec3;

use super::{COUNT_AT, HEADER_BYTES, MAGIC, VERSION, frame_bytes};
use crate::error::{CacheError, CacheProblem};
use crate::vertices;

/// A PC2 cache, open for reading: a file, or whatever else `R` reads.
#[derive(Debug)]
pub struct Pc2<R = File> {
    path: PathBuf,
    source: R,
    header: [u8; HEADER_BYTES as usize],
    points: u64,
    /// Frames that the header counts.
    stated: u64,
    /// Whole frames behind the header, which may be one more than it counts when its writer was killed.
    whole: u64,
    /// True when the file ends where the header says.
    ends_as_stated: bool,
}

impl Pc2 {
    /// Opens a cache and checks its header. Fails when it holds fewer frames than it says.
    pub fn open(path: &Path) -> Result<Self, CacheError> {
        Self::from_source(File::open(path).map_err(CacheError::io("open", path))?, path)?.complete()
    }

    /// All frames of a cache: positions [m].
    pub fn read(path: &Path) -> Result<Vec<Vec<DVec3>>, CacheError> {
        Self::open(path)?.read_all()
    }
}

impl<R: Read + Seek> Pc2<R> {
    /// A cache that may be under way still, or that was cut off: only whole frames count. `path` is for messages.
    pub fn from_source(mut source: R, path: &Path) -> Result<Self, CacheError> {
        let wrong = |problem| CacheError::wrong(path, problem);
        let mut header = [0; HEADER_BYTES as usize];
        source.rewind().map_err(CacheError::io("read", path))?;
        source.read_exact(&mut header).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => wrong(CacheProblem::NotPc2),
            _ => CacheError::io("read", path)(error),
        })?;
        if !header.starts_with(MAGIC) {
            return Err(wrong(CacheProblem::NotPc2));
        }
        let number = |at: usize| i32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        if number(12) != VERSION {
            return Err(wrong(CacheProblem::Version(number(12))));
        }
        let count = |at: usize| u64::try_from(number(at)).map_err(|_| wrong(CacheProblem::NotPc2));
        let (points, stated) = (count(16)?, count(COUNT_AT as usize)?);
        let length = source.seek(SeekFrom::End(0)).map_err(CacheError::io("read", path))?;
        let (body, frame) = (length - HEADER_BYTES, frame_bytes(points));
        // A mesh without vertices has frames of no bytes: the header alone says how many.
        let whole = body.checked_div(frame).unwrap_or(stated);
        let ends_as_stated = stated.checked_mul(frame) == Some(body);
        Ok(Self { path: path.into(), source, header, points, stated, whole, ends_as_stated })
    }

    /// The same, or an error when fewer frames are there than the header counts.
    pub fn complete(self) -> Result<Self, CacheError> {
        let Self { whole, stated, .. } = self;
        if whole < stated {
            return Err(CacheError::wrong(&self.path, CacheProblem::CutOff { found: whole, wanted: stated }));
        }
        Ok(self)
    }

    /// The same, or an error when the file is longer or shorter than its header says: for caches of other programs.
    pub fn exact(self) -> Result<Self, CacheError> {
        if self.ends_as_stated {
            Ok(self)
        } else {
            Err(CacheError::wrong(&self.path, CacheProblem::Length { frames: self.frames() }))
        }
    }

    /// Vertices a frame.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// Frames that the header counts and that are there, frame 0 included.
    pub fn frames(&self) -> u64 {
        self.stated.min(self.whole)
    }

    /// Whole frames in the file, counted or not.
    pub(super) fn whole_frames(&self) -> u64 {
        self.whole
    }

    /// The positions [m] of one frame, counted from 0.
    pub fn frame(&mut self, frame: u64) -> Result<Vec<DVec3>, CacheError> {
        Ok(vertices(&self.bytes(frame..frame + 1)?, f32::from_le_bytes))
    }

    /// All frames: positions [m].
    pub fn read_all(&mut self) -> Result<Vec<Vec<DVec3>>, CacheError> {
        (0..self.frames()).map(|frame| self.frame(frame)).collect()
    }

    /// A cache of some of the frames only, as bytes.
    pub fn cut(&mut self, frames: Range<u64>) -> Result<Vec<u8>, CacheError> {
        // No more frames than are there, and those are counted by an i32.
        let count = (frames.end - frames.start) as i32;
        let mut bytes = self.header.to_vec();
        bytes[COUNT_AT as usize..].copy_from_slice(&count.to_le_bytes());
        bytes.extend(self.bytes(frames)?);
        Ok(bytes)
    }

    fn bytes(&mut self, frames: Range<u64>) -> Result<Vec<u8>, CacheError> {
        let count = self.frames();
        if frames.end > count {
            return Err(CacheError::wrong(&self.path, CacheProblem::NoFrame { frame: frames.end - 1, count }));
        }
        let frame = frame_bytes(self.points);
        let mut bytes = vec![0; (frame * (frames.end - frames.start)) as usize];
        let at = SeekFrom::Start(HEADER_BYTES + frames.start * frame);
        self.source.seek(at).map_err(CacheError::io("read", &self.path))?;
        self.source.read_exact(&mut bytes).map_err(CacheError::io("read", &self.path))?;
        Ok(bytes)
    }
}
