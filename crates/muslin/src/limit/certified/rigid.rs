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
    /// Inverse of the moment of inertia about it [1/kg m²]; 0 for particles on a line, which have none about it.
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
        let per_inertia = if inertia.determinant() > 0.0 { inertia.inverse() } else { DMat3::ZERO };
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
