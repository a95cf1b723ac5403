//! HingeForces by hinges (`forces::hinge`), four at a time.
//!
//! ```text
//! elastic   p = -τ M(θ) / max(1, k τ² Y / max(1, 4 k τ² Y0))         M = c (sin(θ/2) - sin(θ0/2)) [N·m],   k = c/2,   Y = Σ w |g|²
//! damper    p -= D τ q̇ / (1 + D τ Y)                                   q̇ = Σ g · v,   one hinge after the other, implicit
//! v_i += w_i p g_i                                                     g = ∂θ/∂x [1/m],   τ time between evaluations [s]
//! ```
//!
//! The moments are held for a time τ (`held`) that is stable for the finest bending waves of the mesh: τ = 1/ω, half of what
//! is stable, ω² the greatest eigenvalue of M⁻¹K at rest, found by power iteration. In those waves the material's damping may be
//! far above critical (it grows with the square of the frequency), so each damper is one step of backward Euler, which only
//! only dissipates energy of its hinge. The bound of the elastic part is reached by triangles that have lost their area, whose angle has
//! no bound otherwise; Y0 is Y at rest. Where that is more often than every [`SELDOM`] substeps, moments are filtered instead
//! (`filter`).

use glam::DVec3;

use super::filter::Filter;
use super::held::Span;
use crate::forces::Hinge;
use crate::model::Model;
use crate::simd::{Four, Kernel, Lanes, Points, Slots, Vectors, widest};

/// Substeps from one evaluation of filtered moments to the next, at most; other soft forces may ask for more. With 24 fine
/// wrinkles grow along the loaded sides of small stiff cloth, where waves are faster; 8 change little and take far longer.
const SELDOM: u32 = 16;

/// Four hinges that share no particle; idle ones use the spare slot.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// Slots of `[x1, x2, x3, x4]`.
    pub(super) slots: [[u32; 4]; 4],
    /// c [N·m].
    pub(super) stiffness: Lanes,
    /// sin(θ0/2).
    pub(super) rest_sine: Lanes,
    /// D [N·m·s].
    pub(super) damping: Lanes,
    /// What each particle adds to the curvature [1/m]: see `filter`.
    pub(super) q: [Lanes; 4],
}

/// All hinges of a cloth.
#[derive(Debug)]
pub(super) struct HingeForces {
    groups: Vec<Group>,
    /// Longest time between evaluations [s].
    interval: f64,
    /// None where evaluations are seldom enough without.
    filter: Option<Filter>,
}

impl HingeForces {
    /// For a cloth that takes a step of length `h` [s] in at least so many `substeps`.
    pub(super) fn new(model: &Model, h: f64, substeps: u32) -> Self {
        let groups = groups(model);
        let interval = 1.0 / fastest_wave(&groups, model);
        let often = h / interval > f64::from(substeps / SELDOM).max(1.0);
        let filter = (often && !groups.is_empty()).then(|| Filter::new(model, &groups));
        Self { groups, interval, filter }
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
            Some(_) => substeps.div_ceil(SELDOM),
            None => (h / self.interval).ceil().clamp(1.0, 1e6) as u32,
        }
    }

    /// Adds what elastic moments at the positions `x` do while they are held to `push`, and what dampers do to the displacements
    /// per substep `u` [m]; `w` are inverse masses by slot [1/kg]. Returns the work of pins [J].
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

/// Two triangles that share an edge, four times.
pub(super) struct HingeFrames<F> {
    /// From each end of the edge to both opposite particles.
    r13: Vectors<F>,
    r14: Vectors<F>,
    r23: Vectors<F>,
    r24: Vectors<F>,
    /// The edge's direction and length.
    e: Vectors<F>,
    length: F,
    /// Unit normals.
    pub(super) n1: Vectors<F>,
    pub(super) n2: Vectors<F>,
    /// One over the lengths of the normals.
    per1: F,
    per2: F,
    /// 1 where both triangles have an area, else 0: such a hinge has no angle, and no force (see `forces::hinge`).
    pub(super) sound: F,
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl<F: Four> HingeFrames<F> {
    #[inline(always)]
    pub(super) fn of(x: &Points, slots: &[[u32; 4]; 4]) -> Self {
        let (x1, x2): (Vectors<F>, Vectors<F>) = (x.gather(slots[0]), x.gather(slots[1]));
        let (x3, x4) = (x.gather(slots[2]), x.gather(slots[3]));
        let (edge, r13, r14, r23, r24) = (x4 - x3, x1 - x3, x1 - x4, x2 - x3, x2 - x4);
        let (normal1, normal2) = (r13.cross(r14), r24.cross(r23));
        let (edge2, square1, square2) = (edge.length_squared(), normal1.length_squared(), normal2.length_squared());
        let least = edge2 * edge2 * F::splat(1e-20);
        let (per1, per2) = (square1.per_root(), square2.per_root());
        Self {
            r13,
            r14,
            r23,
            r24,
            e: edge * edge2.per_root(),
            length: edge2.sqrt(),
            n1: normal1 * per1,
            n2: normal2 * per2,
            per1,
            per2,
            sound: square1.above(least) * square2.above(least),
        }
    }

    /// κ = Σ q x: Σ q = 0, so places relative to the third particle will do.
    #[inline(always)]
    pub(super) fn curvature(&self, q: &[Lanes; 4]) -> Vectors<F> {
        self.r13 * F::load(&q[0]) + self.r23 * F::load(&q[1]) + self.e * (self.length * F::load(&q[3]))
    }

    /// sin(θ/2).
    #[inline(always)]
    fn half_sine(&self) -> F {
        let magnitude = (self.n1 - self.n2).length_squared().sqrt() * F::splat(0.5);
        magnitude.min(F::splat(1.0)).with_sign_of(self.n1.cross(self.n2).dot(self.e))
    }

    /// ∂θ/∂x.
    #[inline(always)]
    fn gradient(&self) -> [Vectors<F>; 4] {
        let Self { r13, r14, r23, r24, e, length, .. } = *self;
        let (p1, p2) = (self.n1 * self.per1, self.n2 * self.per2);
        [p1 * -length, p2 * -length, p1 * -r14.dot(e) - p2 * r24.dot(e), p1 * r13.dot(e) + p2 * r23.dot(e)]
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

/// Hinges in groups of four that share no particle.
fn groups(model: &Model) -> Vec<Group> {
    let mut open: Vec<Vec<&Hinge>> = Vec::new();
    let mut full = Vec::new();
    for hinge in &model.hinges {
        let apart = |other: &&Hinge| other.particles.iter().all(|i| !hinge.particles.contains(i));
        let place = open.iter().position(|group| group.iter().all(apart));
        let place = place.unwrap_or_else(|| {
            open.push(Vec::new());
            open.len() - 1
        });
        open[place].push(hinge);
        if open[place].len() == 4 {
            full.push(open.remove(place));
        }
    }
    full.extend(open);
    let rest: Vec<DVec3> = model.cloths.iter().flat_map(|part| part.mesh.positions.iter().copied()).collect();
    let slots = Slots::new(model.len());
    full.iter().map(|hinges| Group::of(hinges, &rest, slots)).collect()
}

impl Group {
    pub(super) fn of(hinges: &[&Hinge], rest: &[DVec3], slots: Slots) -> Self {
        let nil = [0.0; 4];
        let (slot, q) = ([[slots.spare(); 4]; 4], [nil; 4]);
        let mut group = Self { slots: slot, stiffness: nil, rest_sine: nil, damping: nil, q };
        for (lane, hinge) in hinges.iter().enumerate() {
            let q = stencil(hinge.particles.map(|i| rest[i as usize]));
            for k in 0..4 {
                group.slots[k][lane] = slots.of(hinge.particles[k] as usize);
                group.q[k][lane] = q[k];
            }
            group.stiffness[lane] = hinge.stiffness;
            group.rest_sine[lane] = hinge.rest_sine;
            group.damping[lane] = hinge.damping;
        }
        group
    }
}

/// q of a hinge at rest.
fn stencil([x1, x2, x3, x4]: [DVec3; 4]) -> [f64; 4] {
    let edge = (x4 - x3).normalize_or_zero();
    let per = |normal: DVec3| if normal.length() > 0.0 { 1.0 / normal.length() } else { 0.0 };
    let (per1, per2) = (per((x1 - x3).cross(x1 - x4)), per((x2 - x4).cross(x2 - x3)));
    let length = x3.distance(x4);
    [
        length * per1,
        length * per2,
        (x1 - x4).dot(edge) * per1 + (x2 - x4).dot(edge) * per2,
        -(x1 - x3).dot(edge) * per1 - (x2 - x3).dot(edge) * per2,
    ]
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::forces::Element;

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
