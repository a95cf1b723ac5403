//! Point caches: the motion of one mesh, as other programs read and write it. One reader and one writer for each
//! format.
//!
//! [`Pc2`] and [`Pc2Writer`] grow frame by frame and survive a kill; [`Mdd`] and [`MddWriter`] know their frames from
//! the start, because the format has all times in front.

mod error;
pub mod mdd;
pub mod pc2;

pub use error::{CacheError, CacheProblem};
pub use mdd::{Mdd, MddWriter};
pub use pc2::{Pc2, Pc2Writer};

use glam::DVec3;

/// Bytes of a vertex: three f32.
const VERTEX_BYTES: u64 = 12;

/// The coordinates of vertices as caches store them [m].
fn stored(positions: &[DVec3]) -> impl Iterator<Item = f32> {
    // A run that diverged may be beyond f32; readers take a huge number better than an infinite one.
    positions.iter().flat_map(DVec3::to_array).map(|coordinate| (coordinate as f32).clamp(f32::MIN, f32::MAX))
}

/// Vertices [m] from the bytes of a frame, whose numbers are in the byte order that `value` reads.
fn vertices(bytes: &[u8], value: fn([u8; 4]) -> f32) -> Vec<DVec3> {
    let (numbers, _) = bytes.as_chunks::<4>();
    let (points, _) = numbers.as_chunks::<3>();
    points.iter().map(|point| DVec3::from(point.map(|bytes| f64::from(value(bytes))))).collect()
}
