//! Bending by hinges (`forces::hinge`), four at a time.
//!
//! ```text
//! elastic   p = -τ M(θ) / max(1, k τ² Y / max(1, 4 k τ² Y0))         M = c (sin(θ/2) - sin(θ0/2)) [N·m],   k = c/2,   Y = Σ w |g|²
//! damper    p -= D τ q̇ / (1 + D τ Y)                                   q̇ = Σ g · v,   one hinge after the other, implicit
//! v_i += w_i p g_i                                                     g = ∂θ/∂x [1/m],   τ interval between kicks [s]
//! ```
//!
//! The moments act as impulses at intervals τ that are stable for the finest bending waves of the mesh: τ = 1/ω, half of what
//! is stable, ω² the greatest eigenvalue of M⁻¹K at rest, found by power iteration. In those waves the material's damping may be
//! far above critical (it grows with the square of the frequency), so each damper is one step of backward Euler, which only
//! ever slows its hinge down. The bound of the elastic part is reached by triangles that have lost their area, whose angle has
//! no bound otherwise; Y0 is Y at rest.
//!
//! Where that takes more than one kick in [`OFTEN`] substeps, kicks are [`SELDOM`] substeps apart, and filtered (`filter`):
//! impulses are then p = -τ M(θ)/… - D τ q̇, added up before they act.

use glam::DVec3;

use super::filter::Filter;
use super::points::{Points, Slots};
use crate::forces::{Element, Hinge};
use crate::model::Model;

/// Kicks that would be more frequent than one in so many substeps are filtered; below, they cost less than a filter.
const OFTEN: u32 = 16;
/// Substeps between filtered kicks; with 24, cloth of 5 cm bursts.
const SELDOM: u32 = 18;
/// Rounds of power iteration: after so many the eigenvalue is right to a few percent, from below.
const ROUNDS: u32 = 60;

/// Operations lane by lane.
macro_rules! lanes {
    ($lane:ident => $result:expr) => {{
        let mut out = [0.0; 4];
        for $lane in 0..4 {
            out[$lane] = $result;
        }
        Four(out)
    }};
}

/// One number for each hinge of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Four([f64; 4]);

/// Four vectors.
#[derive(Debug, Clone, Copy)]
struct Vectors([Four; 3]);

/// Four hinges that share no particle; idle ones join the slot that belongs to nobody.
#[derive(Debug, Clone)]
struct Group {
    /// Slots of `[x1, x2, x3, x4]`.
    slots: [[u32; 4]; 4],
    /// c [N·m].
    stiffness: Four,
    rest_sine: Four,
    /// k_d [N·m·s].
    damping: Four,
    /// 4 k Y0 [1/s²].
    growth: Four,
}

/// All hinges of a cloth, ready for kicks.
#[derive(Debug)]
pub(super) struct Bending {
    groups: Vec<Group>,
    /// Longest interval between kicks [s].
    interval: f64,
    /// None where kicks are seldom enough without.
    filter: Option<Filter>,
    /// Impulses for the filter [N s].
    impulses: Points,
}

impl Bending {
    /// For a cloth that takes a step of length `h` [s] in at least so many `substeps`.
    pub(super) fn new(model: &Model, h: f64, substeps: u32) -> Self {
        let interval = 1.0 / fastest_wave(model);
        let often = h / interval > f64::from(substeps / OFTEN).max(1.0);
        Self {
            groups: groups(model, Slots::new(model.len())),
            interval,
            filter: if often && !model.hinges.is_empty() { Filter::new(model) } else { None },
            impulses: Points::new(model.len()),
        }
    }

    /// Kicks in a step of length `h` [s] and at least so many `substeps`; 0 when there are no hinges.
    pub(super) fn kicks(&self, h: f64, substeps: u32) -> u32 {
        match &self.filter {
            _ if self.groups.is_empty() => 0,
            Some(_) => substeps.div_ceil(SELDOM),
            None => (h / self.interval).ceil().clamp(1.0, 1e6) as u32,
        }
    }

    /// Adds the kick of `span` [s] to the displacements `u` [m] in substeps of length `h` [s]; `w` are inverse masses by slot
    /// [1/kg], `interval` is the time from kick to kick [s]. Returns the work of pins [J].
    pub(super) fn kick(&mut self, x: &Points, u: &mut Points, w: &[f64], [span, interval]: [f64; 2], h: f64) -> f64 {
        let moment = Moment { w, span, h };
        let Some(filter) = &mut self.filter else {
            return kick::<false>(&self.groups, x, u, &moment, &mut self.impulses);
        };
        filter.prepare(interval, w);
        let work = kick::<true>(&self.groups, x, u, &moment, &mut self.impulses);
        filter.kick(&mut self.impulses, u, h);
        work
    }
}

/// What a kick depends on.
#[derive(Debug, Clone, Copy)]
struct Moment<'a> {
    /// Inverse masses by slot [1/kg].
    w: &'a [f64],
    /// How long the moments act for [s].
    span: f64,
    /// Length of a substep [s].
    h: f64,
}

/// Kicks all hinges, or, `FILTERED`, adds their impulses up.
fn kick<const FILTERED: bool>(
    groups: &[Group],
    x: &Points,
    u: &mut Points,
    moment: &Moment<'_>,
    impulses: &mut Points,
) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[allow(unsafe_code, reason = "the processor has just been asked whether it can")]
        // SAFETY: the feature that the function needs is there.
        return unsafe { kick_wide::<FILTERED>(groups, x, u, moment, impulses) };
    }
    kick_all::<FILTERED>(groups, x, u, moment, impulses)
}

/// The same operations in the same order with four numbers to a register: the bits are the same.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn kick_wide<const FILTERED: bool>(
    groups: &[Group],
    x: &Points,
    u: &mut Points,
    moment: &Moment<'_>,
    impulses: &mut Points,
) -> f64 {
    kick_all::<FILTERED>(groups, x, u, moment, impulses)
}

// Always: only so is it compiled once for every kind of processor.
#[inline(always)]
#[allow(clippy::inline_always, reason = "see above")]
fn kick_all<const FILTERED: bool>(
    groups: &[Group],
    x: &Points,
    u: &mut Points,
    moment: &Moment<'_>,
    impulses: &mut Points,
) -> f64 {
    let mut work = Four([0.0; 4]);
    for group in groups {
        work = work + group.kick::<FILTERED>(x, u, moment, impulses);
    }
    work.0.iter().sum()
}

impl Group {
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "see `kick_all`")]
    fn kick<const FILTERED: bool>(
        &self,
        x: &Points,
        u: &mut Points,
        moment: &Moment<'_>,
        impulses: &mut Points,
    ) -> Four {
        let Moment { w, span, h } = *moment;
        let [s1, s2, s3, s4] = self.slots;
        let (x1, x2) = (Vectors::gather(x, s1), Vectors::gather(x, s2));
        let (x3, x4) = (Vectors::gather(x, s3), Vectors::gather(x, s4));
        let (edge, r13, r14, r23, r24) = (x4 - x3, x1 - x3, x1 - x4, x2 - x3, x2 - x4);
        let (normal1, normal2) = (r13.cross(r14), r24.cross(r23));
        let (edge2, square1, square2) = (edge.dot(edge), normal1.dot(normal1), normal2.dot(normal2));
        // A hinge with a triangle of no area has no angle, and no force: see `forces::hinge`.
        let least = edge2 * edge2 * Four([1e-20; 4]);
        let sound = square1.above(least) * square2.above(least);
        let (length, per1, per2) = (edge2.sqrt(), square1.per_root(), square2.per_root());
        let (e, n1, n2) = (edge.times(edge2.per_root()), normal1.times(per1), normal2.times(per2));
        let (p1, p2) = (n1.times(per1), n2.times(per2));
        let apart = n1 - n2;
        let sine = (apart.dot(apart).sqrt() * Four([0.5; 4])).min(Four([1.0; 4]));
        let sine = sine.with_sign_of(n1.cross(n2).dot(e));
        // ∂θ/∂x.
        let g = [
            p1.times(-length),
            p2.times(-length),
            p1.times(-r14.dot(e)) - p2.times(r24.dot(e)),
            p1.times(r13.dot(e)) + p2.times(r23.dot(e)),
        ];
        let (mut rate, mut pinned, mut response) = (Four([0.0; 4]), Four([0.0; 4]), Four([0.0; 4]));
        let mut masses = [Four([0.0; 4]); 4];
        for k in 0..4 {
            masses[k] = Four::gather(w, self.slots[k]);
            let along = g[k].dot(Vectors::gather(u, self.slots[k])) * Four([1.0 / h; 4]);
            rate = rate + along;
            pinned = pinned + along * masses[k].is_zero();
            response = response + masses[k] * g[k].dot(g[k]);
        }
        let (one, span) = (Four([1.0; 4]), Four([span; 4]));
        let allowed = (self.growth * span * span).max(one);
        let overshoot = self.stiffness * Four([0.5; 4]) * span * span * response * allowed.recip();
        let elastic = self.stiffness * (sine - self.rest_sine) * span * overshoot.max(one).recip();
        let damper = self.damping * span;
        let implicit = if FILTERED { one } else { (one + damper * response).recip() };
        let damped = damper * rate * implicit;
        let impulse = -(elastic + damped) * sound;
        for k in 0..4 {
            if FILTERED {
                Vectors::add(impulses, self.slots[k], g[k].times(impulse));
            } else {
                Vectors::add(u, self.slots[k], g[k].times(impulse * masses[k] * Four([h; 4])));
            }
        }
        // What pulls at a pin is passed on, times the way that the pin goes.
        -(impulse * pinned)
    }
}

/// Greatest angular frequency of bending waves at rest [1/s], a little more than power iteration finds; at least tiny.
fn fastest_wave(model: &Model) -> f64 {
    let rest = rest(model);
    let at = |hinge: &Hinge| hinge.particles.map(|i| rest[i as usize]);
    let gradients: Vec<[DVec3; 4]> = model.hinges.iter().map(|hinge| hinge.gradient(&at(hinge))).collect();
    // Any start will do that has some of every wave.
    let direction =
        |i: usize| DVec3::new(1.0, -0.6, 0.8) * f64::from((i as u32).wrapping_mul(2_654_435_769) >> 16) / 65536.0;
    let mut wave: Vec<DVec3> = (0..rest.len()).map(|i| direction(i) - DVec3::splat(0.3)).collect();
    let mut force = vec![DVec3::ZERO; rest.len()];
    let mut square = 0.0;
    for _ in 0..ROUNDS {
        force.fill(DVec3::ZERO);
        for (hinge, g) in model.hinges.iter().zip(&gradients) {
            let along: f64 = (0..4).map(|k| g[k].dot(wave[hinge.particles[k] as usize])).sum();
            for k in 0..4 {
                let i = hinge.particles[k] as usize;
                force[i] += g[k] * (0.5 * hinge.stiffness * along / model.mass[i].max(f64::MIN_POSITIVE));
            }
        }
        let size = |vectors: &[DVec3]| vectors.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
        square = size(&force) / size(&wave).max(f64::MIN_POSITIVE);
        let scale = 1.0 / size(&force).max(f64::MIN_POSITIVE);
        wave.iter_mut().zip(&force).for_each(|(wave, force)| *wave = *force * scale);
    }
    (1.1 * square).sqrt().max(f64::MIN_POSITIVE)
}

/// Where particles are at rest [m].
fn rest(model: &Model) -> Vec<DVec3> {
    model.cloths.iter().flat_map(|part| part.mesh.positions.iter().copied()).collect()
}

/// Hinges in groups of four that share no particle.
fn groups(model: &Model, slots: Slots) -> Vec<Group> {
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
    let rest = rest(model);
    full.iter().map(|group| Group::of(group, model, &rest, slots)).collect()
}

impl Group {
    /// Hinges that do nothing.
    fn idle(slots: Slots) -> Self {
        let nil = Four([0.0; 4]);
        Self { slots: [[slots.nobody(); 4]; 4], stiffness: nil, rest_sine: nil, damping: nil, growth: nil }
    }

    fn set(&mut self, lane: usize, hinge: &Hinge, slots: Slots) {
        for k in 0..4 {
            self.slots[k][lane] = slots.of(hinge.particles[k] as usize);
        }
        self.stiffness.0[lane] = hinge.stiffness;
        self.rest_sine.0[lane] = hinge.rest_sine;
        self.damping.0[lane] = hinge.damping;
    }

    fn of(hinges: &[&Hinge], model: &Model, rest: &[DVec3], slots: Slots) -> Self {
        let mut group = Self::idle(slots);
        for (lane, hinge) in hinges.iter().enumerate() {
            group.set(lane, hinge, slots);
            let g = hinge.gradient(&hinge.particles.map(|i| rest[i as usize]));
            let mass = |k: usize| model.mass[hinge.particles[k] as usize].max(f64::MIN_POSITIVE);
            let response: f64 = (0..4).map(|k| g[k].length_squared() / mass(k)).sum();
            group.growth.0[lane] = 2.0 * hinge.stiffness * response;
        }
        group
    }
}

#[allow(clippy::inline_always, reason = "see `kick_all`")]
impl Four {
    #[inline(always)]
    fn gather(numbers: &[f64], slots: [u32; 4]) -> Self {
        lanes!(k => numbers[slots[k] as usize])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        lanes!(k => self.0[k].sqrt())
    }

    #[inline(always)]
    fn recip(self) -> Self {
        lanes!(k => 1.0 / self.0[k])
    }

    /// One over the root, large but finite at 0.
    #[inline(always)]
    fn per_root(self) -> Self {
        self.max(Four([f64::MIN_POSITIVE; 4])).sqrt().recip()
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        lanes!(k => if self.0[k] > other.0[k] { self.0[k] } else { other.0[k] })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        lanes!(k => if self.0[k] < other.0[k] { self.0[k] } else { other.0[k] })
    }

    /// 1 where a number is greater, else 0.
    #[inline(always)]
    fn above(self, other: Self) -> Self {
        lanes!(k => if self.0[k] > other.0[k] { 1.0 } else { 0.0 })
    }

    #[inline(always)]
    fn is_zero(self) -> Self {
        lanes!(k => if self.0[k] == 0.0 { 1.0 } else { 0.0 })
    }

    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        lanes!(k => self.0[k].copysign(other.0[k]))
    }
}

macro_rules! operator {
    ($name:ident, $method:ident, $symbol:tt) => {
        impl std::ops::$name for Four {
            type Output = Self;
            #[inline(always)]
            #[allow(clippy::inline_always, reason = "see `kick_all`")]
            fn $method(self, other: Self) -> Self {
                lanes!(k => self.0[k] $symbol other.0[k])
            }
        }
    };
}

operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);

impl std::ops::Neg for Four {
    type Output = Self;
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "see `kick_all`")]
    fn neg(self) -> Self {
        lanes!(k => -self.0[k])
    }
}

#[allow(clippy::inline_always, reason = "see `kick_all`")]
impl Vectors {
    #[inline(always)]
    fn gather(points: &Points, slots: [u32; 4]) -> Self {
        let [x, y, z] = &points.axes;
        Self([Four::gather(x, slots), Four::gather(y, slots), Four::gather(z, slots)])
    }

    #[inline(always)]
    fn add(points: &mut Points, slots: [u32; 4], by: Self) {
        for (axis, by) in points.axes.iter_mut().zip(by.0) {
            for lane in 0..4 {
                axis[slots[lane] as usize] += by.0[lane];
            }
        }
    }

    #[inline(always)]
    fn dot(self, other: Self) -> Four {
        self.0[0] * other.0[0] + self.0[1] * other.0[1] + self.0[2] * other.0[2]
    }

    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    #[inline(always)]
    fn times(self, by: Four) -> Self {
        let [x, y, z] = self.0;
        Self([x * by, y * by, z * by])
    }
}

impl std::ops::Add for Vectors {
    type Output = Self;
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "see `kick_all`")]
    fn add(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1], self.0[2] + other.0[2]])
    }
}

impl std::ops::Sub for Vectors {
    type Output = Self;
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "see `kick_all`")]
    fn sub(self, other: Self) -> Self {
        Self([self.0[0] - other.0[0], self.0[1] - other.0[1], self.0[2] - other.0[2]])
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn a_kick_is_the_force_of_the_hinges_times_its_interval() {
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
        let group = |hinges: &[&Hinge]| {
            let mut group = Group::idle(slots);
            hinges.iter().enumerate().for_each(|(lane, hinge)| group.set(lane, hinge, slots));
            group
        };
        let groups = [group(&[&hinges[0], &hinges[1]]), group(&[&hinges[2]])];
        let moment = Moment { w: &w, span, h };
        kick::<false>(&groups, &x, &mut u, &moment, &mut Points::new(8));
        let mut force = [DVec3::ZERO; 8];
        for hinge in &hinges {
            let (x, v) =
                (hinge.particles.map(|i| positions[i as usize]), hinge.particles.map(|i| velocities[i as usize]));
            let (elastic, damping) = (hinge.force(&x), hinge.damping_force(&x, &v));
            (0..4).for_each(|k| force[hinge.particles[k] as usize] += elastic[k] + damping[k]);
        }
        for i in 0..8 {
            let kicked = u.get(slots.of(i)) / h - velocities[i];
            // The impulses change velocities by 1e-9 m/s, dampers see that in turn; velocities are right to 1e-16 m/s.
            assert!((kicked - force[i] * span).length() < 1e-14, "{i}: {kicked} m/s, not {}", force[i] * span);
        }
    }
}
