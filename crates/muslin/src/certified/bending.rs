//! Bending by hinges (`forces::hinge`), four at a time.
//!
//! ```text
//! elastic   p = -τ M(θ) / max(1, k τ² Y / max(1, 4 k τ² Y0))    M = c (sin(θ/2) - sin(θ0/2)) [N·m],   k = c/2
//! damper    p -= D τ q̇ / (1 + D τ Y)                              q̇ = Σ g · v,   one hinge after the other, implicit
//! v_i += w_i p g_i                                                g = ∂θ/∂x [1/m],   Y = Σ w |g|²
//! τ: time between evaluations [s]
//! ```
//!
//! The moments are held for a time τ (`held`) that is stable for the finest bending waves of the mesh: τ = 1/ω, half of
//! what is stable, ω² the greatest eigenvalue of M⁻¹K at rest, found by power iteration. In those waves the material's
//! damping may be far above critical (it grows with the square of the frequency), so each damper is one step of
//! backward Euler, which only dissipates energy of its hinge. The bound of the elastic part is reached by triangles
//! that have lost their area, whose angle has no bound otherwise; Y0 is Y at rest. Where that is more often than every
//! [`SELDOM`] substeps, moments are filtered instead (`filter`).

use super::filter::Filter;
use super::held::Span;
use super::hinges::{Group, HingeFrames, groups};
use crate::model::Model;
use crate::simd::{Four, Kernel, Points, Slots, widest};

/// Substeps from one evaluation of filtered moments to the next, at most; other soft forces may ask for more. With 24
/// fine wrinkles grow along the loaded sides of small stiff cloth, where waves are faster; 8 change little and take far
/// longer.
const SELDOM: u32 = 16;

/// Half of an angle below which a hinge rests flat, as its sine. What a filter makes of moments is the gradient of an
/// energy only where they vanish in flat cloth: filtered as much, tubes of a centimetre gained energy until they
/// hopped.
const FLAT: f64 = 1e-3;

/// All hinges of a cloth.
#[derive(Debug)]
pub(super) struct HingeForces {
    groups: Vec<Group>,
    /// Longest time between evaluations [s].
    interval: f64,
    /// None where evaluations are seldom enough without.
    filter: Option<Filter>,
    /// Substeps from one evaluation to the next where there is one, at most.
    seldom: u32,
}

impl HingeForces {
    /// For a cloth that takes a step of length `h` [s] in at least so many `substeps`.
    pub(super) fn new(model: &Model, h: f64, substeps: u32) -> Self {
        let groups = groups(model);
        let interval = 1.0 / fastest_wave(&groups, model);
        let flat = model.hinges.iter().all(|hinge| hinge.rest_sine.abs() < FLAT);
        let seldom = if flat { SELDOM } else { 1 };
        let often = h / interval > f64::from(substeps / seldom).max(1.0);
        let filter = (often && !groups.is_empty()).then(|| Filter::new(model, &groups));
        Self { groups, interval, filter, seldom }
    }

    /// The energy of hinges at positions `x` as it counts where they are filtered [J].
    pub(super) fn energy(&mut self, x: &Points) -> Option<f64> {
        let Self { groups, filter, .. } = self;
        filter.as_mut().map(|filter| filter.energy(groups, x))
    }

    /// Evaluations in a step of length `h` [s] and at least so many `substeps`; 0 when there are no hinges.
    pub(super) fn evaluations(&self, h: f64, substeps: u32) -> u32 {
        match &self.filter {
            _ if self.groups.is_empty() => 0,
            Some(_) => substeps.div_ceil(self.seldom),
            None => (h / self.interval).ceil().clamp(1.0, 1e6) as u32,
        }
    }

    /// Adds what elastic moments at the positions `x` do while they are held to `push`, and what dampers do to the
    /// displacements per substep `u` [m]; `w` are inverse masses by slot [1/kg]. Returns the work of pins [J].
    pub(super) fn act(&mut self, over: Span, x: &Points, u: &mut Points, push: &mut Points, w: &[f64]) -> f64 {
        match &mut self.filter {
            Some(filter) => filter.act(over, &self.groups, x, u, push, w),
            None => widest(Act { over, groups: &self.groups, x, u, push, w }),
        }
    }
}

/// What all hinges do, one after the other.
struct Act<'a> {
    over: Span,
    groups: &'a [Group],
    x: &'a Points,
    u: &'a mut Points,
    push: &'a mut Points,
    w: &'a [f64],
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl Kernel for Act<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<F: Four>(mut self) -> f64 {
        let mut work = F::splat(0.0);
        for group in self.groups {
            work = work + self.act::<F>(group);
        }
        work.store().iter().sum()
    }
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl Act<'_> {
    /// Four hinges. Returns the work of pins [J].
    #[inline(always)]
    fn act<F: Four>(&mut self, group: &Group) -> F {
        let frame = HingeFrames::<F>::of(self.x, &group.slots);
        let g = frame.gradient();
        let (mut rate, mut pinned) = (F::splat(0.0), F::splat(0.0));
        let (mut response, mut response_at_rest) = (F::splat(0.0), F::splat(0.0));
        let mut masses = [F::splat(0.0); 4];
        for k in 0..4 {
            let q = F::load(&group.q[k]);
            masses[k] = F::gather(self.w, group.slots[k]);
            let along = g[k].dot(self.u.gather(group.slots[k])) * F::splat(1.0 / self.over.h);
            rate = rate + along;
            pinned = pinned + along * is_pinned(masses[k]);
            response = response + masses[k] * g[k].length_squared();
            response_at_rest = response_at_rest + masses[k] * q * q;
        }
        let (one, span) = (F::splat(1.0), F::splat(self.over.length));
        let (stiffness, rest_sine) = (F::load(&group.stiffness), F::load(&group.rest_sine));
        let growth = stiffness * F::splat(0.5) * span * span;
        let allowed = (growth * response_at_rest * F::splat(4.0)).max(one);
        let overshoot = growth * response * allowed.recip();
        let elastic = stiffness * (frame.half_sine() - rest_sine) * span * overshoot.max(one).recip();
        let damper = F::load(&group.damping) * span;
        let damped = damper * rate * (one + damper * response).recip();
        let (elastic, damped) = (-elastic * frame.sound, -damped * frame.sound);
        for k in 0..4 {
            let moved = masses[k] * F::splat(self.over.h);
            self.push.scatter_add(group.slots[k], g[k] * (elastic * moved));
            self.u.scatter_add(group.slots[k], g[k] * (damped * moved));
        }
        // What pulls at a pin is passed on, times the displacement of the pin.
        -((elastic + damped) * pinned)
    }
}

/// 1 where an inverse mass is that of a pinned particle, else 0.
#[inline(always)]
#[allow(clippy::inline_always, reason = "see `Kernel`")]
fn is_pinned<F: Four>(w: F) -> F {
    F::splat(1.0) - w.above(F::splat(0.0))
}

/// Greatest angular frequency of bending waves at rest [1/s], a little more than power iteration finds; at least tiny.
fn fastest_wave(groups: &[Group], model: &Model) -> f64 {
    let slots = Slots::new(model.len());
    let size = |numbers: &[f64]| numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
    // Any start will do that has some of every wave.
    let start = |i: u32| f64::from(i.wrapping_mul(2_654_435_769) >> 16) / 65536.0 - 0.3;
    let mut wave: Vec<f64> = (0..slots.spare()).map(start).chain([0.0]).collect();
    let (mut square, mut before) = (1.0, 0.0);
    while square > before * 1.0001 {
        before = square;
        let mut force = vec![0.0; wave.len()];
        for group in groups {
            for lane in 0..4 {
                let along: f64 = (0..4).map(|k| group.q[k][lane] * wave[group.slots[k][lane] as usize]).sum();
                let moment = 0.5 * group.stiffness[lane] * along;
                (0..4).for_each(|k| force[group.slots[k][lane] as usize] += group.q[k][lane] * moment);
            }
        }
        for (i, mass) in model.mass.iter().enumerate() {
            force[slots.of(i) as usize] /= mass.max(f64::MIN_POSITIVE);
        }
        square = size(&force) / size(&wave).max(f64::MIN_POSITIVE);
        let scale = 1.0 / size(&force).max(f64::MIN_POSITIVE);
        wave.iter_mut().zip(&force).for_each(|(wave, force)| *wave = force * scale);
    }
    (1.1 * square).sqrt().max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::forces::{Element, Hinge};

    #[test]
    fn hinges_do_what_their_force_does_in_that_time() {
        let mut dice = rand_pcg::Pcg64::seed_from_u64(11);
        let hinge = |first: u32, rest_sine: f64| Hinge {
            particles: [first, first + 1, first + 2, first + 3],
            stiffness: 2e-5,
            rest_sine,
            damping: 1e-9,
        };
        let hinges = [hinge(0, 0.0), hinge(4, 0.2), hinge(2, -0.1)];
        let slots = Slots::new(8);
        let (mut x, mut u) = (Points::new(8), Points::new(8));
        let (mut positions, mut velocities, mut w) = (Vec::new(), Vec::new(), [0.0; 9]);
        let (span, h) = (1e-4, 1e-4);
        for i in 0..8 {
            let mut vector = || DVec3::from_array([(); 3].map(|()| dice.random_range(-1.0..1.0)));
            positions.push(vector());
            velocities.push(vector());
            x.set(slots.of(i), positions[i]);
            u.set(slots.of(i), velocities[i] * h);
            w[slots.of(i) as usize] = 1.0;
        }
        let group = |hinges: &[&Hinge]| Group::of(hinges, &positions, slots);
        let groups = [group(&[&hinges[0], &hinges[1]]), group(&[&hinges[2]])];
        let (over, mut push) = (Span { time: 0.0, length: span, h }, Points::new(8));
        widest(Act { over, groups: &groups, x: &x, u: &mut u, push: &mut push, w: &w });
        let mut force = [DVec3::ZERO; 8];
        for hinge in &hinges {
            let (x, v) =
                (hinge.particles.map(|i| positions[i as usize]), hinge.particles.map(|i| velocities[i as usize]));
            let (elastic, damping) = (hinge.force(&x), hinge.damping_force(&x, &v));
            (0..4).for_each(|k| force[hinge.particles[k] as usize] += elastic[k] + damping[k]);
        }
        for i in 0..8 {
            let faster = (u.get(slots.of(i)) + push.get(slots.of(i))) / h - velocities[i];
            // The impulses change velocities by 1e-9 m/s, dampers see that in turn; velocities are right to 1e-16 m/s.
            assert!((faster - force[i] * span).length() < 1e-14, "{i}: {faster} m/s, not {}", force[i] * span);
        }
    }
}
