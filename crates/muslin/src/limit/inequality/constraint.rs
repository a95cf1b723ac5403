//! One limit of one distance: its value and its slope.

use glam::DVec3;

use crate::drivers::Freedom;
use crate::integrate::StepContext;
use crate::rows::Row;

/// A constraint whose ends respond by less than this fraction of what they would if free is left alone: ends on rails
/// or planes nearly across it would have to run a hundred times its error.
const LEAST_RESPONSE: f64 = 1e-4;

/// c(x) <= 0: a distance that may not be longer, or not shorter, than a length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Constraint {
    a: u32,
    b: u32,
    /// The limit length L [m].
    limit: f64,
    /// 1 for a greatest, -1 for a least length.
    sense: f64,
}

impl Constraint {
    /// |d| <= fraction · rest.
    pub(super) fn at_most(row: Row, fraction: f64) -> Self {
        Self { a: row.a, b: row.b, limit: fraction * row.rest, sense: 1.0 }
    }

    /// |d| >= fraction · rest.
    pub(super) fn at_least(row: Row, fraction: f64) -> Self {
        Self { a: row.a, b: row.b, limit: fraction * row.rest, sense: -1.0 }
    }

    pub(super) fn ends(&self) -> [u32; 2] {
        [self.a, self.b]
    }

    /// L [m].
    pub(super) fn limit(&self) -> f64 {
        self.limit
    }

    /// c: how far beyond its limit the distance is, as a fraction of the limit.
    pub(super) fn value(&self, x: &[DVec3]) -> f64 {
        self.sense * (x[self.a as usize].distance(x[self.b as usize]) / self.limit - 1.0)
    }

    /// g = ∂c/∂x_b = -∂c/∂x_a [1/m], and gᵀC_a g/m_a + gᵀC_b g/m_b [1/(kg m²)]; none when the ends cannot move.
    /// Ends that coincide, which matter only to a lower limit, part along x.
    pub(super) fn slope(&self, context: StepContext<'_>, x: &[DVec3]) -> Option<(DVec3, f64)> {
        let ends = [self.a as usize, self.b as usize];
        let n = (x[ends[1]] - x[ends[0]]).normalize_or(DVec3::X);
        let free: f64 = ends.iter().map(|&end| inverse_mass(context, end)).sum();
        let response: f64 = ends.iter().map(|&end| context.drivers.response(context.model, end, n).dot(n)).sum();
        let has_response = free > 0.0 && response > LEAST_RESPONSE * free;
        has_response.then(|| (n * (self.sense / self.limit), response / (self.limit * self.limit)))
    }
}

/// 1/m of a particle [1/kg]; 0 when it is fixed.
fn inverse_mass(context: StepContext<'_>, particle: usize) -> f64 {
    match context.drivers.freedom[particle] {
        Freedom::Fixed => 0.0,
        _ => 1.0 / context.model.mass[particle],
    }
}
