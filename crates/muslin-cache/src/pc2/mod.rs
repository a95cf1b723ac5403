//! PC2 point caches, as Blender's and 3ds Max's mesh caches read them.
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

use crate::VERTEX_BYTES;

const MAGIC: &[u8; 12] = b"POINTCACHE2\0";
const VERSION: i32 = 1;
const HEADER_BYTES: u64 = 32;
/// Where the header keeps the number of samples.
const COUNT_AT: u64 = 28;

/// Bytes of one frame.
fn frame_bytes(points: u64) -> u64 {
    points * VERTEX_BYTES
}

#[cfg(test)]
mod tests;
