//! Sums over vectors.

use glam::DVec3;
use rayon::prelude::*;

/// Entries summed by one thread at a time. A constant, so that the grouping of a sum, and with it the last bit, does
/// not depend on the number of threads.
pub(crate) const CHUNK: usize = 4096;

/// Chunks whose sums fit on the stack: vectors of four million entries. Longer ones are summed by one thread.
const MOST_CHUNKS: usize = 1024;

/// The dot product of two vectors: partial sums over chunks of fixed size, added in order.
pub fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    let sum = |(a, b): (&[DVec3], &[DVec3])| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
    let chunks = a.len().div_ceil(CHUNK);
    if chunks <= 1 || chunks > MOST_CHUNKS {
        return a.chunks(CHUNK).zip(b.chunks(CHUNK)).map(sum).sum();
    }
    let mut partial = [0.0; MOST_CHUNKS];
    let pairs = a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK));
    partial[..chunks].par_iter_mut().zip(pairs).for_each(|(partial, pair)| *partial = sum(pair));
    partial[..chunks].iter().sum()
}
