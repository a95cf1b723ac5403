//! Contact within substeps: planes that cloth does not pass, with Coulomb friction.
//!
//! ```text
//! gap(x, s) = Σ w_k n·x_k - n·(p + s d)              n, p, d of the window: direction, point and shift of the surface
//! c = min(ξ, gap(x, s) + r) - gap(q, s'),   if positive:   q_k += c n w_k m_k⁻¹/Y,   Y = Σ w_k² m_k⁻¹
//! t = part of Σ w_k (q_k - x_k) - (s' - s) d square to n:   q_k -= min(1, μ c/|t|) t w_k m_k⁻¹/Y
//! ```
//!
//! x and q positions at the start and end of a substep [m], s and s' the shares of the step, ξ thickness [m], r what a
//! substep recovers of a gap below ξ [m], μ coefficient of friction, m masses [kg].
//!
//! Cloth that comes is stopped where the distance is ξ, and keeps no speed towards the solid: contact without bounce. Friction takes
//! what slides relative to the surface, at most μ times the push: sticking and sliding are one formula. Pushes are kept in kg m,
//! so that their sum over the length of a substep is the impulse of the solids on the cloth.

use glam::DVec3;

use super::points::{Points, Slots};
use super::windows::Moment;
use crate::contact::Near;


/// A plane with the particles that mind it.
#[derive(Debug, Clone, Copy)]
struct Plane {
    slots: [u32; 3],
    /// w_k.
    weights: [f64; 3],
    /// w_k m_k⁻¹/Y, what each particle moves by when the place moves by 1.
    moves: [f64; 3],
    normal: DVec3,
    /// n·p at the start of the window [m].
    height: f64,
    /// Distance there [m].
    gap: f64,
    /// Shift of the surface in the whole step [m].
    shift: DVec3,
    thickness: f64,
    friction: f64,
    /// 1/Y [kg].
    mass: f64,
}

/// The planes of a window.
#[derive(Debug, Default)]
pub(super) struct Touches {
    planes: Vec<Plane>,
    /// The share of the step at the start of the window.
    start: f64,
    /// What solids have pushed in this step, friction included [kg m].
    pushed: DVec3,
    /// Planes that pushed in the last substep.
    contacts: u32,
}

impl Touches {
    /// Forgets what was pushed.
    pub(super) fn begin(&mut self) {
        (self.pushed, self.contacts) = (DVec3::ZERO, 0);
    }

    /// Takes what is near at the share `start` of a step of `h` seconds.
    pub(super) fn take(&mut self, near: &[Near], moment: &Moment<'_>, slots: Slots, start: f64, h: f64) {
        let Moment { x, w, .. } = moment;
        self.start = start;
        self.planes.clear();
        for place in near {
            let at = place.particles.map(|particle| slots.of(particle as usize));
            let yields: f64 = (0..3).map(|k| place.weights[k] * place.weights[k] * w[at[k] as usize]).sum();
            // What is held does not mind.
            if !(yields > 0.0) {
                continue;
            }
            let reached: f64 = (0..3).map(|k| place.weights[k] * place.normal.dot(x.get(at[k]))).sum();
            self.planes.push(Plane {
                slots: at,
                weights: place.weights,
                moves: [0, 1, 2].map(|k| place.weights[k] * w[at[k] as usize] / yields),
                normal: place.normal,
                height: reached - place.gap,
                gap: place.gap,
                shift: place.velocity * h,
                thickness: place.thickness,
                friction: place.friction,
                mass: 1.0 / yields,
            });
        }
    }

    /// True when nothing is near.
    pub(super) fn is_empty(&self) -> bool {
        self.planes.is_empty()
    }

    /// Planes that pushed in the last substep.
    pub(super) fn contacts(&self) -> u32 {
        self.contacts
    }

    /// What solids have pushed in this step, friction included [kg m]; over the length of a substep, the impulse.
    pub(super) fn pushed(&self) -> DVec3 {
        self.pushed
    }

    /// Keeps the end `q` of a substep, between the given shares of the step, away from the planes; gaps below the thickness recover by
    /// the share `recover` of it.
    pub(super) fn push(&mut self, x: &Points, q: &mut Points, [from, to]: [f64; 2], recover: f64) {
        self.contacts = 0;
        for plane in &self.planes {
            let rate = plane.normal.dot(plane.shift);
            let (mut before, mut after) = (-plane.height - rate * (from - self.start), -plane.height - rate * (to - self.start));
            let mut slid = plane.shift * (from - to);
            for k in 0..3 {
                if plane.weights[k] == 0.0 {
                    continue;
                }
                let (x, q) = (x.get(plane.slots[k]), q.get(plane.slots[k]));
                before += plane.weights[k] * plane.normal.dot(x);
                after += plane.weights[k] * plane.normal.dot(q);
                slid += (q - x) * plane.weights[k];
            }
            let push = plane.thickness.min(before + recover * plane.thickness) - after;
            if !(push > 0.0) {
                continue;
            }
            slid -= plane.normal * plane.normal.dot(slid);
            let slides = slid.length();
            let held = if slides > 0.0 { (plane.friction * push / slides).min(1.0) } else { 0.0 };
            let moved = plane.normal * push - slid * held;
            for k in 0..3 {
                if plane.moves[k] > 0.0 {
                    q.add(plane.slots[k], moved * plane.moves[k]);
                }
            }
            self.pushed += moved * plane.mass;
            self.contacts += 1;
        }
    }

    /// Keeps positions that are being repaired from coming nearer than most of what they were, or of the thickness.
    pub(super) fn hold_off(&self, q: &mut Points) {
        for plane in &self.planes {
            let reached: f64 = (0..3).map(|k| plane.weights[k] * plane.normal.dot(q.get(plane.slots[k]))).sum();
            let push = KEPT * plane.gap.min(plane.thickness) - (reached - plane.height);
            if push > 0.0 {
                for k in 0..3 {
                    if plane.moves[k] > 0.0 {
                        q.add(plane.slots[k], plane.normal * (push * plane.moves[k]));
                    }
                }
            }
        }
    }
}

/// What must be left of a gap, or of the thickness, when positions are repaired (METHODS §5).
const KEPT: f64 = 0.75;
