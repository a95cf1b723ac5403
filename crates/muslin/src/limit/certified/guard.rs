//! Energy that repairs must not add.
//!
//! Bringing an edge back to its limit lifts the cloth that hangs on it, and nothing pays for that: energy would appear, a
//! few millijoules at a time. Where no pin moves and the air is still, it is taken from the motion of the cloth, by
//! scaling velocities:
//!
//! ```text
//! v = v_rigid + s (v - v_rigid),   s² = 1 - ΔE/E_kin(v - v_rigid)         v_rigid: rigid motion of a free cloth, 0 for a held one
//! ```
//!
//! A free cloth keeps its linear and angular momentum so. When the motion has less than is owed, it stops.

use glam::{DMat3, DVec3};

use crate::drivers::Freedom;
use crate::integrate::StepContext;
use crate::measure::energy_by_cloth;
use crate::model::{ClothPart, Model};

/// Working memory of the guard.
#[derive(Debug)]
pub(super) struct EnergyGuard {
    before: Vec<[f64; 2]>,
    after: Vec<[f64; 2]>,
}

impl EnergyGuard {
    pub(super) fn new(model: &Model) -> Self {
        let cloths = model.cloths.len();
        Self { before: vec![[0.0; 2]; cloths], after: vec![[0.0; 2]; cloths] }
    }

    /// True when nothing but repairs can do work on any cloth in this step.
    pub(super) fn applies(context: StepContext<'_>) -> bool {
        let StepContext { model, state, drivers, .. } = context;
        let still = |i: usize| drivers.freedom[i] != Freedom::Fixed || drivers.target[i] == state.x[i];
        model.air.wind_at(state.time) == DVec3::ZERO && (0..model.len()).all(still)
    }

    /// Notes the energy that each cloth may have at most: that of the positions `x` [m] and velocities `v` [m/s].
    pub(super) fn remember(&mut self, model: &Model, x: &[DVec3], v: &[DVec3]) {
        energy_by_cloth(model, x, v, &mut self.before);
    }

    /// Slows cloths down that have more at the positions `x` [m].
    pub(super) fn take(&mut self, context: StepContext<'_>, x: &[DVec3], v: &mut [DVec3]) {
        let StepContext { model, drivers, .. } = context;
        energy_by_cloth(model, x, v, &mut self.after);
        for (number, part) in model.cloths.iter().enumerate() {
            let gained = self.after[number].iter().sum::<f64>() - self.before[number].iter().sum::<f64>();
            if !(gained > 0.0) {
                continue;
            }
            let free = part.particles.clone().all(|i| drivers.freedom[i] == Freedom::Free);
            let rigid = if free { Rigid::of(model, part, x, v) } else { Rigid::default() };
            let inner = |i: usize| v[i] - rigid.velocity(x[i]);
            let motion: f64 = part.particles.clone().map(|i| 0.5 * model.mass[i] * inner(i).length_squared()).sum();
            let scale = if motion > gained { (1.0 - gained / motion).sqrt() } else { 0.0 };
            for i in part.particles.clone() {
                let along = rigid.velocity(x[i]);
                v[i] = along + (v[i] - along) * scale;
            }
        }
    }
}

/// The rigid motion with the momenta of a cloth.
#[derive(Debug, Default)]
struct Rigid {
    centre: DVec3,
    linear: DVec3,
    angular: DVec3,
}

impl Rigid {
    fn of(model: &Model, part: &ClothPart, x: &[DVec3], v: &[DVec3]) -> Self {
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
        // Particles on a line have no inertia about it.
        let angular = if inertia.determinant() > 0.0 { inertia.inverse() * spin } else { DVec3::ZERO };
        Self { centre, linear, angular }
    }

    fn velocity(&self, x: DVec3) -> DVec3 {
        self.linear + self.angular.cross(x - self.centre)
    }
}
