//! One triangle: its stretch against its rest shape, and the smallest motion of its corners that undoes the excess.
//!
//! ```text
//! F = [q2 - q1, q3 - q1] [X2 - X1, X3 - X1]⁻¹ = U Σ Vᵀ          3 × 2; Σ = diag(σ1, σ2), σ1 >= σ2
//! corner i:   R_i = X_i - Σ m X/Σ m,   y_i = Σ Vᵀ R_i,   z_i = Σ* Vᵀ R_i,   q_i += U (T z_i - y_i)
//! T = rotation by φ:   tan φ = Σ m z×y / Σ m z·y
//! ```
//!
//! q preview of the corners [m], X their places at rest in the triangle's own plane [m], m their masses [kg], Σ* the
//! singular values that are allowed, U and V the principal directions.
//!
//! Σ m R = 0, so that the mass centre stays where it is: linear momentum is kept. The moment of the correction about
//! the preview is Σ m y × (T z - y) = Σ m y × T z. Without T it is (σ1 σ2* - σ2 σ1*) Σ m (v1·R)(v2·R): nothing only
//! where both values change by the same factor, or stretch is along the principal axes of inertia of the corners.
//! T is the rotation for which it is nothing for every triangle; the same rotation makes Σ m |T z - y|² least.
//!
//! Corners that are pinned do not move. About one of them the triangle is stretched and turned as about a mass centre;
//! of a triangle with two, the third corner goes where Σ* puts it beside the middle of those two.

use glam::{DMat2, DVec2, DVec3};

use crate::drivers::Freedom;
use crate::limit::shared::SharedVectors;

/// Triangles whose height is less than this fraction of their longest side have no shape to speak of.
const FLAT: f64 = 1e-6;
/// A singular value below this has no direction in space.
const NO_DIRECTION: f64 = 1e-9;

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

/// What a triangle stands for, and so how its singular values are limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// A piece of the cloth: both values stay within the band.
    Own,
    /// Three places of a larger piece, which may be wrinkled: σ2 has no lower limit, and σ1 only the one that keeps all
    /// three sides from being longer than the cloth between their ends can be.
    Coarse,
}

/// A triangle of particles, or of places on a coarser mesh.
#[derive(Debug)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    /// X, the corners at rest in the triangle's plane [m].
    rest: [DVec2; 3],
    /// [X2 - X1, X3 - X1]⁻¹ [1/m].
    inverse: DMat2,
    /// R, the corners at rest as seen from what stays where it is [m].
    offsets: [DVec2; 3],
    /// Masses of the corners [kg]; 0 for those that are pinned.
    mass: [f64; 3],
    /// What the corners may do.
    freedom: [Freedom; 3],
}

impl Triangle {
    /// A triangle whose corners lie at `rest` in a plane; none when they lie on a line.
    pub(super) fn new(corners: [u32; 3], rest: [DVec2; 3]) -> Option<Self> {
        let [one, other] = [rest[1] - rest[0], rest[2] - rest[0]];
        let longest = one.length_squared().max(other.length_squared()).max((other - one).length_squared());
        let inverse = DMat2::from_cols(one, other).inverse();
        (one.perp_dot(other).abs() > FLAT * longest).then_some(Self {
            corners,
            rest,
            inverse,
            offsets: [DVec2::ZERO; 3],
            mass: [0.0; 3],
            freedom: [Freedom::Fixed; 3],
        })
    }

    /// Makes the triangle ready for a step, by the freedom and the mass [kg] of its corners.
    pub(super) fn prepare(&mut self, freedom: impl Fn(u32) -> Freedom, mass: impl Fn(u32) -> f64) {
        self.freedom = self.corners.map(freedom);
        let pinned = self.freedom.map(|freedom| freedom == Freedom::Fixed);
        self.mass = [0, 1, 2].map(|k| if pinned[k] { 0.0 } else { mass(self.corners[k]) });
        let weights = if pinned.contains(&true) { pinned.map(f64::from) } else { self.mass };
        let centre = (0..3).map(|k| self.rest[k] * weights[k]).sum::<DVec2>() / weights.iter().sum::<f64>();
        self.offsets = self.rest.map(|place| place - centre);
    }

    /// Moves the corners so that the singular values are allowed. False when they are already, or nothing can move.
    pub(super) fn limit(&self, q: &SharedVectors, band: Band, scale: Scale) -> bool {
        let corners = self.corners.map(|corner| q.get(corner));
        let strain = Stretch::of(corners, &self.inverse);
        let allowed = match scale {
            Scale::Own => strain.values.map(|value| band.allowed(value)),
            Scale::Coarse => self.allowed_by_sides(&strain, band),
        };
        if allowed == strain.values || self.mass == [0.0; 3] {
            return false;
        }
        let motion = self.motion(&strain, allowed);
        for k in (0..3).filter(|&k| self.mass[k] > 0.0) {
            q.add(self.corners[k], self.freedom[k].filter(motion[k]));
        }
        true
    }

    /// The greatest singular values that are no greater than they are and let no side be longer than the band allows:
    /// for a side whose rest vector has the components (p, r) along the principal directions,
    /// σ1*² p² + σ2*² r² <= L² (p² + r²).
    fn allowed_by_sides(&self, strain: &Stretch, band: Band) -> [f64; 2] {
        let [one, other] = strain.values;
        let sides = [[0, 1], [1, 2], [2, 0]].map(|[a, b]| strain.components(self.rest[b] - self.rest[a]));
        let too_long = |side: &DVec2| (*side * DVec2::from(strain.values)).length() > band.most * side.length();
        if !sides.iter().any(too_long) {
            return strain.values;
        }
        let most = band.most - band.tolerance;
        let least = other.min(most);
        let greatest = sides.iter().filter(|side| side.x != 0.0).fold(one, |greatest, side| {
            let room = most * most * side.length_squared() - (least * side.y).powi(2);
            greatest.min(room.sqrt() / side.x.abs())
        });
        [greatest, least]
    }

    /// How the corners move [m].
    fn motion(&self, strain: &Stretch, allowed: [f64; 2]) -> [DVec3; 3] {
        let seen = self.offsets.map(|offset| strain.components(offset));
        let now = seen.map(|at| at * DVec2::from(strain.values));
        let then = seen.map(|at| at * DVec2::from(allowed));
        let turn = self.turn(&now, &then);
        let moved = |k: usize| turn.rotate(then[k]) - now[k];
        let [u1, u2] = strain.directions;
        [0, 1, 2].map(|k| u1 * moved(k).x + u2 * moved(k).y)
    }

    /// cos φ and sin φ of the rotation that brings the corners `then` nearest to where they are `now`, by mass. None
    /// about two pinned corners.
    fn turn(&self, now: &[DVec2; 3], then: &[DVec2; 3]) -> DVec2 {
        let sum = |part: &dyn Fn(usize) -> f64| (0..3).map(|k| self.mass[k] * part(k)).sum::<f64>();
        let turn = DVec2::new(sum(&|k| then[k].dot(now[k])), sum(&|k| then[k].perp_dot(now[k])));
        let free = self.mass.iter().filter(|mass| **mass > 0.0).count();
        if free > 1 { turn.try_normalize().unwrap_or(DVec2::X) } else { DVec2::X }
    }
}

/// The singular value decomposition of a triangle's deformation.
struct Stretch {
    /// σ1 >= σ2.
    values: [f64; 2],
    /// v1: the direction of σ1 at rest; v2 is perpendicular to it.
    axis: DVec2,
    /// u1 and u2: the same in space.
    directions: [DVec3; 2],
}

impl Stretch {
    /// That of corners [m] against their rest shape: the eigenvalues of FᵀF are the squares of the singular values.
    fn of(corners: [DVec3; 3], inverse: &DMat2) -> Self {
        let sides = [corners[1] - corners[0], corners[2] - corners[0]];
        let gradient = inverse.to_cols_array_2d().map(|column| sides[0] * column[0] + sides[1] * column[1]);
        let [a, b, c] = [gradient[0].dot(gradient[0]), gradient[0].dot(gradient[1]), gradient[1].dot(gradient[1])];
        let half = 0.5 * (a - c);
        let root = DVec2::new(half, b).length();
        // Both columns of FᵀF - σ2² point along v1: the longer one says so better.
        let axis = if half > 0.0 { DVec2::new(half + root, b) } else { DVec2::new(b, root - half) };
        let axis = axis.try_normalize().unwrap_or(DVec2::X);
        let along = |axis: DVec2| gradient[0] * axis.x + gradient[1] * axis.y;
        let (first, second) = (along(axis), along(axis.perp()));
        let values = [first.length(), second.length()];
        let u1 = if values[0] > NO_DIRECTION { first / values[0] } else { DVec3::X };
        let u2 = if values[1] > NO_DIRECTION { second / values[1] } else { u1.any_orthonormal_vector() };
        Self { values, axis, directions: [u1, u2] }
    }

    /// A vector of the rest shape by its components along the principal directions.
    fn components(&self, rest: DVec2) -> DVec2 {
        DVec2::new(self.axis.dot(rest), self.axis.perp_dot(rest))
    }
}
