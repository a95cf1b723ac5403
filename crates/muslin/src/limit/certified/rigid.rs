//! The motion of a cloth as if it were rigid.

use glam::{DMat3, DVec3};

use crate::model::{ClothPart, Model};

/// The rigid motion with the momenta of a cloth.
#[derive(Debug)]
pub(super) struct Rigid {
    /// Centre of mass [m].
    pub(super) centre: DVec3,
    /// Its velocity [m/s].
    pub(super) linear: DVec3,
    /// Angular momentum about it [kg m²/s].
    pub(super) spin: DVec3,
    /// Inverse of the moment of inertia about it [1/kg m²]; without what concerns the line that all particles lie on, if any.
    pub(super) per_inertia: DMat3,
}

impl Rigid {
    pub(super) fn of(model: &Model, part: &ClothPart, x: &[DVec3], v: &[DVec3]) -> Self {
        let (mut mass, mut first, mut momentum) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for i in part.particles.clone() {
            mass += model.mass[i];
            first += model.mass[i] * x[i];
            momentum += model.mass[i] * v[i];
        }
        let (centre, linear) = (first / mass, momentum / mass);
        let (mut spin, mut inertia) = (DVec3::ZERO, DMat3::ZERO);
        for i in part.particles.clone() {
            let r = x[i] - centre;
            spin += model.mass[i] * r.cross(v[i] - linear);
            let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
            inertia += (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * model.mass[i];
        }
        let offsets = part.particles.clone().filter(|&i| model.mass[i] > 0.0).map(|i| x[i] - centre);
        let per_inertia = inverse(inertia, offsets);
        Self { centre, linear, spin, per_inertia }
    }

    /// Angular velocity [1/s].
    pub(super) fn angular(&self) -> DVec3 {
        self.per_inertia * self.spin
    }

    pub(super) fn velocity(&self, x: DVec3) -> DVec3 {
        self.linear + self.angular().cross(x - self.centre)
    }
}

/// Least determinant of a moment of inertia against that of a ball of the same trace: below, particles lie on a line.
const THINNEST: f64 = 1e-9;

/// The inverse of a moment of inertia, given the particles' places about their centre [m].
fn inverse(inertia: DMat3, offsets: impl Iterator<Item = DVec3>) -> DMat3 {
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    let ball = trace / 3.0;
    if inertia.determinant() > THINNEST * (ball * ball * ball) {
        return inertia.inverse();
    }
    let furthest = offsets.fold(DVec3::ZERO, |one, other| if other.length() > one.length() { other } else { one });
    if !(trace > 0.0) || furthest == DVec3::ZERO {
        return DMat3::ZERO;
    }
    // A rod: two equal moments across it, none about it.
    let n = furthest.normalize();
    let along = DMat3::from_cols(n * n.x, n * n.y, n * n.z);
    (DMat3::IDENTITY - along) * (2.0 / trace)
}
