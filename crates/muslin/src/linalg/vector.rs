//! Sums over vectors.

use glam::DVec3;
use rayon::prelude::*;

/// Entries summed by one thread at a time. A constant, so that the grouping of a sum, and with it the last bit, does not
/// depend on the number of threads.
pub(crate) const CHUNK: usize = 4096;

/// The dot product of two vectors: partial sums over chunks of fixed size, added in order.
pub fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    let chunk = |(a, b): (&[DVec3], &[DVec3])| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
    if a.len() <= CHUNK {
        return chunk((a, b));
    }
    let partial: Vec<f64> = a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).map(chunk).collect();
    partial.iter().sum()
}
