//! PC2 point caches: the motion of one mesh, as Blender's and Houdini's mesh caches read it.
//!
//! A header of 32 bytes, then for each frame x, y, z of every vertex as little-endian `f32` [m], y up:
//!
//! | bytes | value |
//! |---|---|
//! | 0..12 | `POINTCACHE2` and a zero |
//! | 12..16 | version, 1 (i32) |
//! | 16..20 | vertices (i32) |
//! | 20..24 | first frame, 0 (f32) |
//! | 24..28 | frames per sample, 1 (f32) |
//! | 28..32 | samples (i32) |
//!
//! The number of samples is brought up to date after each frame, so a kill in the middle of one leaves a valid cache of
//! all whole frames (and some bytes behind them that readers ignore).

mod read;
mod write;

pub use read::Pc2;
pub use write::Pc2Writer;

const MAGIC: &[u8; 12] = b"POINTCACHE2\0";
const VERSION: i32 = 1;
const HEADER_BYTES: u64 = 32;
/// Where the header keeps the number of samples.
const COUNT_AT: u64 = 28;

/// Bytes of one frame.
fn frame_bytes(points: u64) -> u64 {
    points * 3 * 4
}

/// What can be wrong with a point cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Pc2Problem {
    /// It does not start like one.
    #[error("is not a PC2 point cache")]
    Foreign,
    /// It is of a version that is not known.
    #[error("is a PC2 point cache of version {0}; only version 1 is known")]
    Version(i32),
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

#[cfg(test)]
mod tests;
