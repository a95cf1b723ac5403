//! Contact within substeps: planes that cloth does not pass, with Coulomb friction.
//!
//! ```text
//! gap(x, s) = Σ w_k n·x_k - n·(p + s d)      n, p, d of the interval: direction, point and shift of the surface
//! a = min(ξ, gap(x, s) + r) - max(gap(x, s), gap(q, s')),   if positive:   x_k, q_k += a n w_k m_k⁻¹/Y
//! c = min(ξ, gap(x, s)) - gap(q, s'),                       if positive:   q_k += c n w_k m_k⁻¹/Y,   Y = Σ w_k² m_k⁻¹
//! y = (s' - s) d + ½ (s'² - s²) b            b: acceleration of the material along the surface, times h²
//! t_k = part of q_k - x_k - y perpendicular to n:   q_k -= min(1, μ c_k/|t_k|) t_k,   c_k = c w_k m_k⁻¹/Y
//! work of the solid = Σ (push + friction)/(Y h²) · (y + a n)
//! ```
//!
//! x and q positions at the start and end of a substep [m], s and s' the fractions of the step, ξ thickness [m], r what
//! a substep recovers of a gap below ξ [m], μ coefficient of friction, m masses [kg], h length of a substep [s].
//!
//! Cloth that comes is stopped where the distance is ξ, and keeps no speed towards the solid: contact without bounce.
//! What it recovers of a lost distance moves start and end alike, and gives it no speed either: cloth that hops is not
//! held by friction while it is in the air, and creeps. Friction takes what slides relative to the surface, at most μ
//! times the push: sticking and sliding are one formula. It acts on each particle of a place, with the part of the push
//! that the particle got; on the place alone, its particles turn about it, and cloth creeps too. Pushes are kept in
//! kg m, so that their sum over the length of a substep is the impulse of the solids on the cloth.

use glam::DVec3;

use crate::contact::Near;
use crate::simd::{Points, Slots};

/// A moment of the substeps: positions, displacements, and how long a substep is.
#[derive(Debug)]
pub(super) struct SubstepState<'a> {
    pub(super) x: &'a mut Points,
    pub(super) u: &'a mut Points,
    /// Inverse masses by slot [1/kg].
    pub(super) w: &'a [f64],
    /// Length of a substep [s].
    pub(super) h: f64,
}

/// A contact plane with the particles it acts on.
#[derive(Debug, Clone, Copy)]
struct ContactPlane {
    slots: [u32; 3],
    /// w_k.
    weights: [f64; 3],
    /// w_k m_k⁻¹/Y, what each particle moves by when the place moves by 1.
    moves: [f64; 3],
    normal: DVec3,
    /// n·p at the start of the interval [m].
    height: f64,
    /// Distance there [m].
    gap: f64,
    /// Shift of the surface in the whole step [m].
    shift: DVec3,
    /// Its acceleration along itself, times the square of the length of the step [m].
    bend: DVec3,
    thickness: f64,
    friction: f64,
    /// 1/Y [kg].
    mass: f64,
    /// What it has pushed the place by in this substep [m].
    push: f64,
    /// What the place has recovered of its distance without velocity [m].
    recovered: f64,
}

/// The contact planes of an interval.
#[derive(Debug, Default)]
pub(super) struct ContactPlanes {
    planes: Vec<ContactPlane>,
    /// The fraction of the step at the start of the interval.
    start: f64,
    /// What solids have pushed in this step, friction included [kg m].
    pushed: DVec3,
    /// The same times the path of the solids, summed [kg m²]: over h², their work.
    work: f64,
    /// Both when the interval began.
    before: (DVec3, f64),
    /// Planes that pushed in the last substep.
    contacts: u32,
}

impl ContactPlanes {
    /// Forgets planes, and what was pushed.
    pub(super) fn begin(&mut self) {
        self.planes.clear();
        (self.pushed, self.work, self.contacts) = (DVec3::ZERO, 0.0, 0);
    }

    /// Takes what is near at the fraction `start` of a step of `h` seconds.
    pub(super) fn take<'a>(
        &mut self,
        near: impl Iterator<Item = &'a Near>,
        moment: &SubstepState<'_>,
        slots: Slots,
        start: f64,
        h: f64,
    ) {
        let SubstepState { x, w, .. } = moment;
        (self.start, self.before) = (start, (self.pushed, self.work));
        self.planes.clear();
        for place in near {
            let at = place.particles.map(|particle| slots.of(particle as usize));
            let response: f64 = (0..3).map(|k| place.weights[k] * place.weights[k] * w[at[k] as usize]).sum();
            // All particles are pinned; skip.
            if !(response > 0.0) {
                continue;
            }
            let reached: f64 = (0..3).map(|k| place.weights[k] * place.normal.dot(x.get(at[k]))).sum();
            self.planes.push(ContactPlane {
                slots: at,
                weights: place.weights,
                moves: [0, 1, 2].map(|k| place.weights[k] * w[at[k] as usize] / response),
                normal: place.normal,
                height: reached - place.gap,
                gap: place.gap,
                shift: place.velocity * h,
                bend: (place.acceleration - place.normal * place.normal.dot(place.acceleration)) * (h * h),
                thickness: place.thickness,
                friction: place.friction,
                mass: 1.0 / response,
                push: 0.0,
                recovered: 0.0,
            });
        }
    }

    /// Forgets what was pushed in this interval, which is redone.
    pub(super) fn take_back(&mut self) {
        (self.pushed, self.work) = self.before;
    }

    /// True when nothing is near.
    pub(super) fn is_empty(&self) -> bool {
        self.planes.is_empty()
    }

    /// Planes that pushed in the last substep.
    pub(super) fn contacts(&self) -> u32 {
        self.contacts
    }

    /// Impulse of the solids in this step, friction included [N s], in substeps of length `h` [s].
    pub(super) fn impulse(&self, h: f64) -> DVec3 {
        self.pushed / h
    }

    /// Work of the solids in this step [J], likewise.
    pub(super) fn work(&self, h: f64) -> f64 {
        self.work / (h * h)
    }

    /// Keeps the end `q` of a substep, between the given fractions of the step, away from the planes. Then friction
    /// acts. Gaps below the thickness recover by `recover` [m]: start and end of the substep alike, so that no velocity
    /// comes of it.
    ///
    /// Planes that push against each other, as those on both sides of a blade do, are swept until none is worse by more
    /// than a small part of its gap, or as often as there are planes.
    pub(super) fn push(&mut self, x: &mut Points, q: &mut Points, fractions: [f64; 2], recover: f64) {
        let [from, to] = fractions.map(|fraction| fraction - self.start);
        for plane in &mut self.planes {
            let before = plane.gap(x, from);
            (plane.push, plane.recovered) = (0.0, 0.0);
            if before < plane.thickness {
                let lost = plane.thickness.min(before + recover) - before.max(plane.gap(q, to));
                plane.recovered = lost.max(0.0);
                plane.bring(x, plane.normal * plane.recovered);
                plane.bring(q, plane.normal * plane.recovered);
            }
        }
        for _ in 0..self.planes.len() {
            let mut settled = true;
            for plane in &mut self.planes {
                let after = plane.gap(q, to);
                if after >= plane.thickness {
                    continue;
                }
                let before = plane.gap(x, from);
                let push = plane.thickness.min(before) - after;
                if push > 0.0 {
                    settled &= push <= SETTLED * before;
                    plane.push += push;
                    plane.bring(q, plane.normal * push);
                }
            }
            if settled {
                break;
            }
        }
        self.contacts = 0;
        for plane in self.planes.iter().filter(|plane| plane.push > 0.0) {
            let push = plane.push * plane.mass;
            let passed = plane.shift * (to - from) + plane.bend * (0.5 * (to * to - from * from));
            let impulse = plane.normal * push + plane.rub(x, q, passed);
            self.contacts += 1;
            self.pushed += impulse;
            self.work += impulse.dot(passed) + push * plane.recovered;
        }
    }

    /// Keeps positions that are being repaired from coming nearer than most of what they were, or of the thickness.
    pub(super) fn hold_off(&self, q: &mut Points) {
        for plane in &self.planes {
            let reached: f64 = (0..3).map(|k| plane.weights[k] * plane.normal.dot(q.get(plane.slots[k]))).sum();
            let push = KEPT * plane.gap.min(plane.thickness) - (reached - plane.height);
            if push > 0.0 {
                plane.bring(q, plane.normal * push);
            }
        }
    }
}

impl ContactPlane {
    /// Distance of the place, where its particles are `at`, from the surface after a fraction `since` the interval
    /// began [m].
    #[inline]
    fn gap(&self, at: &Points, since: f64) -> f64 {
        let mut gap = -self.height - self.normal.dot(self.shift) * since;
        for k in 0..3 {
            if self.weights[k] != 0.0 {
                gap += self.weights[k] * self.normal.dot(at.get(self.slots[k]));
            }
        }
        gap
    }

    /// Friction on each particle of the place, while the surface goes on by `passed` [m]; returns its impulse on all of
    /// them [kg m].
    fn rub(&self, x: &Points, q: &mut Points, passed: DVec3) -> DVec3 {
        let mut impulse = DVec3::ZERO;
        for k in 0..3 {
            if self.moves[k] > 0.0 {
                let slot = self.slots[k];
                let slid = q.get(slot) - x.get(slot) - passed;
                let slid = slid - self.normal * self.normal.dot(slid);
                let (slides, most) = (slid.length(), self.friction * self.push * self.moves[k]);
                if slides > 0.0 {
                    let back = slid * -(most / slides).min(1.0);
                    q.add(slot, back);
                    impulse += back * (self.mass * self.weights[k] / self.moves[k]);
                }
            }
        }
        impulse
    }

    /// Moves the place [m].
    #[inline]
    fn bring(&self, q: &mut Points, moved: DVec3) {
        for k in 0..3 {
            if self.moves[k] > 0.0 {
                q.add(self.slots[k], moved * self.moves[k]);
            }
        }
    }
}

/// A plane is settled when it pushes by no more than this fraction of its gap; less costs passes, more lets pairs
/// creep.
const SETTLED: f64 = 1e-3;
/// What must be left of a gap, or of the thickness, when positions are repaired; at 1 edges over their limit cannot be
/// repaired.
const KEPT: f64 = 0.75;
