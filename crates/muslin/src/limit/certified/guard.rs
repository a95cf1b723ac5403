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
//! A free cloth keeps its linear and angular momentum so; the spin that repairs of positions take or add, by moving mass to
//! where other velocities are, is given back as a rotation of the whole. When even a held cloth at rest would have gained energy, it does
//! not go all the way: lengths are convex in positions, so every point between the step's start and its end is within the
//! limits too, and the start has no more energy than there was.
//!
//! ```text
//! x = x_start + t (x_end - x_start),   t the greatest in [0, 1] found by bisection with E(x, v = 0) <= E_start
//! ```

use glam::{DMat3, DVec3};

use crate::drivers::Freedom;
use crate::integrate::StepContext;
use crate::measure::{energy_by_cloth, extreme_strains};
use crate::model::{ClothPart, Model};

/// Working memory of the guard.
#[derive(Debug)]
pub(super) struct EnergyGuard {
    before: Vec<[f64; 2]>,
    after: Vec<[f64; 2]>,
    tried: Vec<[f64; 2]>,
    /// c [m/s].
    calm: Vec<DVec3>,
    neighbours: Vec<u32>,
    /// Angular momentum of each cloth that nothing holds, before repairs [kg m²/s]; none when there were none.
    spin: Vec<Option<DVec3>>,
    /// Positions that are tried [m].
    trial: Vec<DVec3>,
    /// The strain limit.
    stretch: f64,
}

/// Halvings when a step goes back: a millionth of its way.
const HALVINGS: u32 = 20;

impl EnergyGuard {
    pub(super) fn new(model: &Model, stretch: f64) -> Self {
        let cloths = model.cloths.len();
        let mut neighbours = vec![0; model.len()];
        for edge in &model.edges {
            neighbours[edge.a as usize] += 1;
            neighbours[edge.b as usize] += 1;
        }
        Self {
            before: vec![[0.0; 2]; cloths],
            after: vec![[0.0; 2]; cloths],
            tried: vec![[0.0; 2]; cloths],
            calm: vec![DVec3::ZERO; model.len()],
            neighbours,
            spin: vec![None; cloths],
            trial: vec![DVec3::ZERO; model.len()],
            stretch,
        }
    }

    /// True when nothing but repairs can do work on any cloth in this step.
    pub(super) fn applies(context: StepContext<'_>) -> bool {
        let StepContext { model, state, drivers, .. } = context;
        let still = |i: usize| drivers.freedom[i] != Freedom::Fixed || drivers.target[i] == state.x[i];
        model.air.wind_at(state.time) == DVec3::ZERO && (0..model.len()).all(still)
    }

    /// Notes the energy that each cloth may have at most, that at the start of the step.
    pub(super) fn begin(&mut self, context: StepContext<'_>) {
        energy_by_cloth(context.model, &context.state.x, &context.state.v, &mut self.before);
        self.spin.fill(None);
    }

    /// Notes the spin of free cloths at the positions `x` [m] and velocities `v` [m/s], before repairs.
    pub(super) fn note_spin(&mut self, context: StepContext<'_>, x: &[DVec3], v: &[DVec3]) {
        for (spin, part) in self.spin.iter_mut().zip(&context.model.cloths) {
            *spin = is_free(context, part).then(|| Rigid::of(context.model, part, x, v).spin);
        }
    }

    /// Slows cloths down that have more at the positions `x` [m], and takes them back where that is not enough.
    pub(super) fn take(&mut self, context: StepContext<'_>, x: &mut [DVec3], v: &mut [DVec3]) {
        let model = context.model;
        self.give_spin_back(model, x, v);
        energy_by_cloth(model, x, v, &mut self.after);
        self.mean_of_neighbours(model, v);
        for (number, part) in model.cloths.iter().enumerate() {
            let gained = self.after[number].iter().sum::<f64>() - self.before[number].iter().sum::<f64>();
            if !(gained > 0.0) {
                continue;
            }
            if is_free(context, part) {
                let rigid = Rigid::of(model, part, x, v);
                part.particles.clone().for_each(|i| self.calm[i] = rigid.velocity(x[i]));
                slow_down(model, part, &self.calm, gained, v);
            } else {
                let left = slow_down(model, part, &self.calm, gained, v);
                self.calm[part.particles.clone()].fill(DVec3::ZERO);
                if slow_down(model, part, &self.calm, left, v) > 0.0 {
                    self.go_back(context, number, x, v);
                }
            }
        }
    }

    fn give_spin_back(&self, model: &Model, x: &[DVec3], v: &mut [DVec3]) {
        for (part, spin) in model.cloths.iter().zip(&self.spin) {
            let Some(spin) = spin else { continue };
            let now = Rigid::of(model, part, x, v);
            let rotation = now.per_inertia * (*spin - now.spin);
            part.particles.clone().for_each(|i| v[i] += rotation.cross(x[i] - now.centre));
        }
    }

    /// Takes a cloth back towards where it was, as little as possible, until it has no more energy than then.
    fn go_back(&mut self, context: StepContext<'_>, cloth: usize, x: &mut [DVec3], v: &[DVec3]) {
        let StepContext { model, state, .. } = context;
        let start_is_within = extreme_strains(model, &state.x).is_none_or(|(most, _)| most.strain <= self.stretch);
        if !start_is_within {
            return;
        }
        let particles = model.cloths[cloth].particles.clone();
        let at_most: f64 = self.before[cloth].iter().sum();
        let (mut within, mut beyond) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let t = 0.5 * (within + beyond);
            particles.clone().for_each(|i| self.trial[i] = state.x[i].lerp(x[i], t));
            energy_by_cloth(model, &self.trial, v, &mut self.tried);
            let enough = self.tried[cloth].iter().sum::<f64>() <= at_most;
            *(if enough { &mut within } else { &mut beyond }) = t;
        }
        particles.for_each(|i| x[i] = state.x[i].lerp(x[i], within));
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

/// True when nothing holds a cloth.
fn is_free(context: StepContext<'_>, part: &ClothPart) -> bool {
    part.particles.clone().all(|i| context.drivers.freedom[i] == Freedom::Free)
}

/// The rigid motion with the momenta of a cloth.
#[derive(Debug)]
struct Rigid {
    /// Centre of mass [m].
    centre: DVec3,
    /// Its velocity [m/s].
    linear: DVec3,
    /// Angular momentum about it [kg m²/s].
    spin: DVec3,
    /// Inverse of the moment of inertia about it [1/kg m²]; 0 for particles on a line, which have none about it.
    per_inertia: DMat3,
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
        let per_inertia = if inertia.determinant() > 0.0 { inertia.inverse() } else { DMat3::ZERO };
        Self { centre, linear, spin, per_inertia }
    }

    fn velocity(&self, x: DVec3) -> DVec3 {
        self.linear + (self.per_inertia * self.spin).cross(x - self.centre)
    }
}
