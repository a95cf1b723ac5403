//! How strain is spread over the edges.

use serde::{Deserialize, Serialize};

use super::strain::within_limit;

/// Bins between 0 and the limit, as long as the strains stay near it.
const BINS_TO_LIMIT: f64 = 8.0;
/// Most bins; when the strains reach further, bins double in width.
const MOST_BINS: f64 = 64.0;
/// Stands in for a limit of 0 or one that says nothing.
const USUAL_LIMIT: f64 = 0.01;

/// Counts of edges by strain. Bin `i` holds strains from `from + i · width` up to but without the next bin's start.
///
/// Bins are an eighth of the limit wide, or that times the least power of two that makes them few enough; 0 is always
/// between two bins. So runs with the same limit can be compared bin by bin, and no edge falls outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// The frame it was taken at.
    pub frame: u64,
    /// Strain at the start of the first bin.
    pub from: f64,
    /// Width of a bin, in strain.
    pub width: f64,
    /// Edges in each bin.
    pub counts: Vec<u64>,
    /// Edges over the limit.
    pub over_limit: u64,
}

impl Histogram {
    pub(super) fn of(strains: &[f64], limit: f64, frame: u64) -> Self {
        let finite = || strains.iter().copied().filter(|strain| strain.is_finite());
        let least = finite().fold(0.0, f64::min);
        let greatest = finite().fold(limit, f64::max);
        let width = width_for(least, greatest, limit);
        let first = (least / width).floor();
        let bins = (greatest / width).floor() - first + 1.0;
        let mut counts = vec![0; bins as usize];
        for strain in finite() {
            // The subtraction rounds, so the last bin's end is guarded.
            let bin = ((strain / width).floor() - first) as usize;
            counts[bin.min(bins as usize - 1)] += 1;
        }
        let over_limit = strains.iter().filter(|&&strain| !within_limit(strain, limit)).count() as u64;
        Self { frame, from: first * width, width, counts, over_limit }
    }

    /// All edges counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

fn width_for(least: f64, greatest: f64, limit: f64) -> f64 {
    let usable = if limit.is_finite() && limit > 1e-9 { limit } else { USUAL_LIMIT };
    let mut width = usable / BINS_TO_LIMIT;
    while (greatest / width).floor() - (least / width).floor() + 1.0 > MOST_BINS {
        width *= 2.0;
    }
    width
}
