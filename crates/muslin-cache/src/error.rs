//! What can be wrong with point caches.

use std::io;
use std::path::{Path, PathBuf};

/// Why a point cache could not be read or written. Every message names the file.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The system refused.
    #[error("cannot {doing} `{}`: {source}", path.display())]
    Io {
        /// What was tried, e.g. `write`.
        doing: &'static str,
        /// The cache.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The cache is not what it should be.
    #[error("`{}` {problem}", path.display())]
    Wrong {
        /// The cache.
        path: PathBuf,
        /// What is wrong.
        problem: CacheProblem,
    },
}

impl CacheError {
    /// For `map_err`: a [`CacheError::Io`] that knows what was tried and where.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { doing, path, source }
    }

    pub(crate) fn wrong(path: &Path, problem: CacheProblem) -> Self {
        Self::Wrong { path: path.into(), problem }
    }
}

/// What is wrong with a point cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CacheProblem {
    /// It does not start like a PC2 cache.
    #[error("is not a PC2 point cache")]
    NotPc2,
    /// It is of a version of PC2 that is not known.
    #[error("is a PC2 point cache of version {0}; only version 1 is known")]
    Version(i32),
    /// Its length does not fit what an MDD cache starts with.
    #[error("is not an MDD point cache: it has {length} bytes, which fits no count of frames and points")]
    NotMdd {
        /// Its length [bytes].
        length: u64,
    },
    /// It belongs to another mesh.
    #[error("has {found} vertices a frame, but the mesh has {wanted}")]
    Points {
        /// What it has.
        found: u64,
        /// What the mesh has.
        wanted: u64,
    },
    /// It holds less than it should.
    #[error("is cut off: {wanted} frames should be there, {found} are")]
    CutOff {
        /// Whole frames that are there.
        found: u64,
        /// Frames that should be.
        wanted: u64,
    },
    /// It holds less or more than its header says.
    #[error("is not as long as its header says: it holds {frames} whole frames")]
    Length {
        /// Whole frames that are there.
        frames: u64,
    },
    /// A frame it does not have was asked for.
    #[error("has no frame {frame}: its {count} frames are counted from 0")]
    NoFrame {
        /// The frame asked for.
        frame: u64,
        /// How many there are.
        count: u64,
    },
    /// More than the format can count.
    #[error("would have {0} vertices or frames, more than the format can count")]
    TooLarge(u64),
}
