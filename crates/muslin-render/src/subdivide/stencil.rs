//! Weighted sums of points, as rows of a sparse matrix.

use glam::Vec3;
use rayon::prelude::*;

/// Rows of weights; a row is one new point.
#[derive(Debug, Clone)]
pub(super) struct Stencils {
    /// Where each row begins, and where the last ends.
    starts: Vec<u32>,
    terms: Vec<(u32, f32)>,
}

impl Stencils {
    pub(super) fn new() -> Self {
        Self { starts: vec![0], terms: Vec::new() }
    }

    pub(super) fn push(&mut self, terms: impl IntoIterator<Item = (u32, f32)>) {
        self.terms.extend(terms);
        self.starts.push(self.terms.len() as u32);
    }

    pub(super) fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The new points. Each is summed in the order of its row, whatever the number of threads.
    pub(super) fn apply(&self, points: &[Vec3]) -> Vec<Vec3> {
        let row = |range: &[u32]| {
            let terms = &self.terms[range[0] as usize..range[1] as usize];
            terms.iter().fold(Vec3::ZERO, |sum, &(point, weight)| sum + points[point as usize] * weight)
        };
        self.starts.par_windows(2).map(row).collect()
    }
}
