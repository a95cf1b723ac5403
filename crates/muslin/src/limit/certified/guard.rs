//! Energy that a step must not gain.
//!
//! Rows let edges grow a little over what they aim at and take it back later, and edges over their limit are brought back.
//! Both lift the cloth that hangs on them, and nothing pays for that: energy would appear, a few millijoules at a time.
//! Where no pin moves and the air is still, nothing can do work on the cloth, so a step may not end with more energy than it
//! began with. What is over is taken from the motion of particles against their neighbours, and only when there is not
//! enough of that from the motion of the whole:
//!
//! ```text
//! v = c + s (v - c),   s such that the kinetic energy shrinks by ΔE;   c: mean velocity of the neighbours, or
//!                                                                  the rigid motion of a cloth that nothing holds
//! ```
//!
//! A free cloth keeps its linear and angular momentum so.

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
    /// c [m/s].
    calm: Vec<DVec3>,
    neighbours: Vec<u32>,
}

impl EnergyGuard {
    pub(super) fn new(model: &Model) -> Self {
        let cloths = model.cloths.len();
        let mut neighbours = vec![0; model.len()];
        for edge in &model.edges {
            neighbours[edge.a as usize] += 1;
            neighbours[edge.b as usize] += 1;
        }
        Self {
            before: vec![[0.0; 2]; cloths],
            after: vec![[0.0; 2]; cloths],
            calm: vec![DVec3::ZERO; model.len()],
            neighbours,
        }
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
        self.mean_of_neighbours(model, v);
        for (number, part) in model.cloths.iter().enumerate() {
            let gained = self.after[number].iter().sum::<f64>() - self.before[number].iter().sum::<f64>();
            if !(gained > 0.0) {
                continue;
            }
            if part.particles.clone().all(|i| drivers.freedom[i] == Freedom::Free) {
                let rigid = Rigid::of(model, part, x, v);
                part.particles.clone().for_each(|i| self.calm[i] = rigid.velocity(x[i]));
                slow_down(model, part, &self.calm, gained, v);
            } else {
                let left = slow_down(model, part, &self.calm, gained, v);
                self.calm[part.particles.clone()].fill(DVec3::ZERO);
                slow_down(model, part, &self.calm, left, v);
            }
        }
    }

    fn mean_of_neighbours(&mut self, model: &Model, v: &[DVec3]) {
        self.calm.fill(DVec3::ZERO);
        for edge in &model.edges {
            let (a, b) = (edge.a as usize, edge.b as usize);
            self.calm[a] += v[b];
            self.calm[b] += v[a];
        }
        for (calm, count) in self.calm.iter_mut().zip(&self.neighbours) {
            *calm /= f64::from((*count).max(1));
        }
    }
}

/// Scales what velocities differ from `calm` by, so that the kinetic energy shrinks by `energy` [J]; returns what is still
/// owed when even no difference is too much [J].
///
/// ```text
/// E(s) = ½ Σ m |c + s (v - c)|² = A s² + B s + C,   E(1) - E(s) = energy,   A = ½ Σ m |v - c|²,   B = Σ m c · (v - c)
/// ```
fn slow_down(model: &Model, part: &ClothPart, calm: &[DVec3], energy: f64, v: &mut [DVec3]) -> f64 {
    let (mut a, mut b) = (0.0, 0.0);
    for i in part.particles.clone() {
        let inner = v[i] - calm[i];
        a += 0.5 * model.mass[i] * inner.length_squared();
        b += model.mass[i] * calm[i].dot(inner);
    }
    let at_most = a + b;
    let (scale, owed) = if !(energy > 0.0) || !(a > 0.0) {
        (1.0, energy.max(0.0))
    } else if at_most <= energy || b < 0.0 {
        // Slowing down the difference brings too little: all of it goes, where that brings anything at all.
        if at_most > 0.0 { (0.0, energy - at_most) } else { (1.0, energy) }
    } else {
        // The root of A s² + B s = A + B - energy between 0 and 1.
        let rest = at_most - energy;
        (2.0 * rest / (b + (b * b + 4.0 * a * rest).sqrt()), 0.0)
    };
    if scale < 1.0 {
        for i in part.particles.clone() {
            v[i] = calm[i] + (v[i] - calm[i]) * scale;
        }
    }
    owed.max(0.0)
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
