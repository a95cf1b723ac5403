//! One triangle: its stretch against its rest shape, and the impulses that undo the excess.
//!
//! ```text
//! F = [q2 - q1, q3 - q1] [X2 - X1, X3 - X1]⁻¹ = Σ_i q_i b_iᵀ = U diag(σ1, σ2) Vᵀ        3 × 2, σ1 >= σ2
//! ∂σ_k/∂q_i = (v_k·b_i) u_k,   y_k = Σ_i (v_k·b_i)² u_kᵀC_i u_k/m_i
//! q_i -= (σ_k - σ_k*)/y_k (v_k·b_i) C_i u_k/m_i           for k = 1, 2
//! ```
//!
//! q preview of the corners [m], X their places at rest in the triangle's own plane [m], m their masses [kg], C their
//! filter matrices (0: pinned), σ_k* the singular value that is allowed, u_k and v_k its directions in space and at
//! rest.
//!
//! **What it keeps.** Σ_i b_i = 0: linear momentum. Σ_i q_i × (v_k·b_i) u_k = (F v_k) × u_k = σ_k u_k × u_k = 0:
//! angular momentum about the preview. u_1 and u_2 are perpendicular, so that neither correction changes the other
//! value, to first order.
//!
//! **Why rounds do not wander.** σ1 is a norm of F, and F is linear in q: places with σ1 <= 1 + α form a convex set.
//! The correction of σ1 is the projection, by mass, on the half-space of its tangent, which contains that set; so it
//! brings the corners nearer to every place that is allowed, Σ m |q - p|² never grows. Setting F to U diag(σ*) Vᵀ about
//! the mass centre does neither: its moment about the preview is (σ1 σ2* - σ2 σ1*) Σ m (v1·R)(v2·R), with R the corners
//! at rest as seen from their centre, which is nothing only for triangles stretched along their axes of inertia; and it
//! may take corners away from places that are allowed. Tests measure both.

use glam::{DMat2, DVec2, DVec3};

use crate::drivers::Freedom;
use crate::limit::shared::SharedVectors;

/// Triangles whose height is less than this fraction of their longest side have no shape to speak of.
const FLAT: f64 = 1e-6;
/// A singular value below this has no direction in space.
const NO_DIRECTION: f64 = 1e-9;
/// A triangle whose corners respond by less than this fraction of what they would if free is left alone: a corner
/// beside two pinned ones would have to run a hundred times the error.
const LEAST_RESPONSE: f64 = 1e-4;

/// What singular values may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Band {
    /// 1 - compress, or 0.
    pub(super) least: f64,
    /// 1 + stretch.
    pub(super) most: f64,
    /// How far inside the band a value is put that was outside.
    pub(super) tolerance: f64,
}

impl Band {
    /// The value itself, or where it is put when it is outside.
    pub(super) fn allowed(&self, value: f64) -> f64 {
        if value > self.most {
            self.most - self.tolerance
        } else if value < self.least {
            self.least + self.tolerance
        } else {
            value
        }
    }
}

/// A triangle of particles.
#[derive(Debug)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    /// b [1/m].
    gradients: [DVec2; 3],
    /// Inverse masses of the corners [1/kg]; 0 for those that are pinned.
    weights: [f64; 3],
    /// What the corners may do.
    freedom: [Freedom; 3],
    /// What y would be at most if no corner were pinned [1/(kg m²)].
    free_response: f64,
}

impl Triangle {
    /// A triangle whose corners lie at `rest` in a plane [m]; none when they lie on a line.
    pub(super) fn new(corners: [u32; 3], rest: [DVec2; 3]) -> Option<Self> {
        let [one, other] = [rest[1] - rest[0], rest[2] - rest[0]];
        let longest = one.length_squared().max(other.length_squared()).max((other - one).length_squared());
        if one.perp_dot(other).abs() <= FLAT * longest {
            return None;
        }
        let inverse = DMat2::from_cols(one, other).inverse();
        let [second, third] = [inverse.row(0), inverse.row(1)];
        let gradients = [-second - third, second, third];
        let (weights, freedom) = ([0.0; 3], [Freedom::Fixed; 3]);
        Some(Self { corners, gradients, weights, freedom, free_response: 0.0 })
    }

    /// Makes the triangle ready for a step, by the freedom and the mass [kg] of its corners.
    pub(super) fn prepare(&mut self, freedom: impl Fn(u32) -> Freedom, mass: impl Fn(u32) -> f64) {
        self.freedom = self.corners.map(freedom);
        let inverse = self.corners.map(|corner| 1.0 / mass(corner));
        self.weights = [0, 1, 2].map(|k| if self.freedom[k] == Freedom::Fixed { 0.0 } else { inverse[k] });
        self.free_response = (0..3).map(|k| inverse[k] * self.gradients[k].length_squared()).sum();
    }

    /// Moves the corners so that the singular values are allowed, to first order. False when they are already, or no
    /// corner can do anything about it.
    pub(super) fn limit(&self, q: &SharedVectors, band: Band) -> bool {
        let stretch = self.stretch(self.corners.map(|corner| q.get(corner)));
        let mut moved = false;
        for (value, v, u) in stretch {
            let excess = value - band.allowed(value);
            moved |= excess != 0.0 && self.pull(q, v, u, excess);
        }
        moved
    }

    /// Changes the stretch along v, which is along u in space, by `-excess`.
    fn pull(&self, q: &SharedVectors, v: DVec2, u: DVec3, excess: f64) -> bool {
        let motion = [0, 1, 2].map(|k| self.freedom[k].filter(u) * (self.weights[k] * v.dot(self.gradients[k])));
        let response: f64 = (0..3).map(|k| v.dot(self.gradients[k]) * u.dot(motion[k])).sum();
        if response <= LEAST_RESPONSE * self.free_response {
            return false;
        }
        for (corner, motion) in self.corners.into_iter().zip(motion) {
            q.add(corner, motion * (-excess / response));
        }
        true
    }

    /// The singular values of F for corners at some places [m], the greater one first, with their directions at rest
    /// and in space. Their squares are the eigenvalues of FᵀF.
    fn stretch(&self, corners: [DVec3; 3]) -> [(f64, DVec2, DVec3); 2] {
        let [_, second, third] = self.gradients;
        let sides = [corners[1] - corners[0], corners[2] - corners[0]];
        let columns = [sides[0] * second.x + sides[1] * third.x, sides[0] * second.y + sides[1] * third.y];
        let (half, mixed) =
            (0.5 * (columns[0].length_squared() - columns[1].length_squared()), columns[0].dot(columns[1]));
        let root = DVec2::new(half, mixed).length();
        // Both columns of FᵀF - σ2² point along v1: the longer one says so better.
        let v1 = if half > 0.0 { DVec2::new(half + root, mixed) } else { DVec2::new(mixed, root - half) };
        let v1 = v1.try_normalize().unwrap_or(DVec2::X);
        let along = |v: DVec2| columns[0] * v.x + columns[1] * v.y;
        let (first, second) = (along(v1), along(v1.perp()));
        let [first_value, second_value] = [first.length(), second.length()];
        let u1 = if first_value > NO_DIRECTION { first / first_value } else { DVec3::X };
        let u2 = if second_value > NO_DIRECTION { second / second_value } else { u1.any_orthonormal_vector() };
        [(first_value, v1, u1), (second_value, v1.perp(), u2)]
    }
}
