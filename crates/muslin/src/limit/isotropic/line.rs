//! One edge that no triangle has: a thread of a chain, or inside a lattice. The stretch of one dimension has one
//! singular value, the length as a fraction of that at rest.

use super::triangle::Band;
use crate::drivers::Freedom;
use crate::limit::shared::SharedVectors;
use crate::rows::Row;

/// A pair of particles and what divides a correction among them.
#[derive(Debug)]
pub(super) struct Line {
    row: Row,
    freedom: [Freedom; 2],
    /// Fractions of a correction that the ends take; 0 for those that are pinned.
    fractions: [f64; 2],
}

impl Line {
    pub(super) fn new(row: Row) -> Self {
        Self { row, freedom: [Freedom::Fixed; 2], fractions: [0.0; 2] }
    }

    pub(super) fn ends(&self) -> [u32; 2] {
        [self.row.a, self.row.b]
    }

    /// Makes the line ready for a step, by the freedom and the mass [kg] of its ends.
    pub(super) fn prepare(&mut self, freedom: impl Fn(u32) -> Freedom, mass: impl Fn(u32) -> f64) {
        self.freedom = self.ends().map(freedom);
        let weights = [0, 1].map(|k: usize| match self.freedom[k] {
            Freedom::Fixed => 0.0,
            _ => 1.0 / mass(self.ends()[k]),
        });
        let sum = weights[0] + weights[1];
        self.fractions = weights.map(|weight| if sum > 0.0 { weight / sum } else { 0.0 });
    }

    /// Moves the ends so that the length is allowed. False when it is already, or nothing can move.
    pub(super) fn limit(&self, q: &SharedVectors, band: Band) -> bool {
        let [a, b] = self.ends();
        let span = q.get(b) - q.get(a);
        let value = span.length() / self.row.rest;
        let allowed = band.allowed(value);
        if allowed == value || self.fractions == [0.0; 2] {
            return false;
        }
        let correction = span.normalize_or_zero() * ((value - allowed) * self.row.rest);
        q.add(a, self.freedom[0].filter(correction * self.fractions[0]));
        q.add(b, self.freedom[1].filter(correction * -self.fractions[1]));
        true
    }
}
