//! The sweep over all rows, four at a time.
//!
//! ```text
//! d = q_b - q_a (where the ends would be),   e = x_b - x_a (where they are),   L: target length,   l0: rest length
//! limit    s_L = (|d|² - L² - (1 - β) max(|e|² - L², 0)) / 2L²     β: fraction recovered of an excess at the start
//! spring   s_S = A (1 - l0/|d|) + B (|d|² - |e|²)/2|d|²,   A = min(c/(1 + c), γ),  A + B = 1 - 1/((1 + c) (1 + b)),
//!          c = k h² (w_a + w_b),  b = c τ/h
//! s = max(s_L, s_S) within ±½;   q_a += s f_a e,   q_b -= s f_b e,   f = w/(w_a + w_b)
//! ```
//!
//! s_L is one Newton step for |d - s e| = L without square root or division. s_S is a damper of time τ [s], then a
//! linear spring of stiffness k [N/m] on what that leaves, one step of backward Euler each; but of the strain at the
//! start of the substep no more than the fraction γ is recovered. All of it would be too much where rows are solved
//! once, one after the other; with one step for both a strong damper takes the response that the spring needs, and what
//! a sweep leaves adds up. Impulses act along e, the direction at the start of the substep, equal and opposite: momenta
//! are kept. The rows of a group share no particle that moves, so they can be solved at once.

use glam::DVec3;

use super::groups::{Law, RowGroup, RowGroups};
use crate::simd::{Four, Kernel, Points, Vectors, widest};

/// What rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    /// They only limit.
    Limits,
    /// Springs with dampers as well.
    Springs,
}

/// One sweep over rows of a kind.
#[derive(Debug)]
struct Sweep<'a, const SPRINGS: bool> {
    groups: &'a RowGroups,
    x: &'a Points,
    q: &'a mut Points,
    /// 1 - β.
    keep: f64,
}

/// One sweep over rows; `keep` is 1 - β.
pub(super) fn sweep(groups: &RowGroups, kind: RowKind, x: &Points, q: &mut Points, keep: f64) {
    match kind {
        RowKind::Limits => widest(Sweep::<false> { groups, x, q, keep }),
        RowKind::Springs => widest(Sweep::<true> { groups, x, q, keep }),
    }
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl<const SPRINGS: bool> Kernel for Sweep<'_, SPRINGS> {
    type Output = ();

    #[inline(always)]
    fn run<F: Four>(mut self) {
        let long_enough = |axis: &Vec<f64>| self.groups.beyond() <= axis.len();
        assert!(self.x.axes.iter().chain(&self.q.axes).all(long_enough), "rows of a larger model");
        for group in self.groups.list() {
            // The same code twice, so that neither asks for every coordinate again.
            #[allow(unsafe_code, reason = "a check for every end of every row would take a quarter of a sweep")]
            // SAFETY: every axis is longer than all slots of the groups, as has just been checked.
            unsafe {
                if group.in_line {
                    self.solve::<F, true>(group);
                } else {
                    self.solve::<F, false>(group);
                }
            }
        }
    }
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl<const SPRINGS: bool> Sweep<'_, SPRINGS> {
    /// # Safety
    ///
    /// `x` and `q` have the slots of the group.
    #[inline(always)]
    #[allow(unsafe_code, reason = "see `run`")]
    unsafe fn solve<F: Four, const IN_LINE: bool>(&mut self, group: &RowGroup) {
        let RowGroup { a, b, .. } = group;
        let law = self.groups.law(group);
        // SAFETY: as the caller says.
        unsafe {
            let (qa, qb) = (gather::<F, IN_LINE>(self.q, a), gather::<F, IN_LINE>(self.q, b));
            let e = gather::<F, IN_LINE>(self.x, b) - gather::<F, IN_LINE>(self.x, a);
            let s = self.strength(law, e.length_squared(), (qb - qa).length_squared());
            scatter::<F, IN_LINE>(self.q, a, qa + e * (s * F::load(&law.fractions[0])));
            scatter::<F, IN_LINE>(self.q, b, qb - e * (s * F::load(&law.fractions[1])));
        }
    }

    /// s of each row.
    #[inline(always)]
    fn strength<F: Four>(&self, law: &Law, e2: F, d2: F) -> F {
        let (limit2, half) = (F::load(&law.limit2), F::splat(0.5));
        let drift = (e2 - limit2).max(F::splat(0.0));
        let limit = ((d2 - limit2) - F::splat(self.keep) * drift) * F::load(&law.half_per_limit2);
        let s = if SPRINGS {
            let (one, rest) = (F::splat(1.0), F::load(&law.rest));
            // Ends that fall into one are pushed apart as far as any are.
            let length2 = d2.max(F::splat(f64::MIN_POSITIVE));
            let per_length = length2.sqrt().recip();
            let damper = (F::load(&law.damper) * (half * (d2 - e2))) * (per_length * per_length);
            limit.max(F::load(&law.spring) * (one - rest * per_length) + damper)
        } else {
            // Limits only shorten.
            limit.max(F::splat(0.0))
        };
        s.min(half).max(-half)
    }
}

/// The vectors in four slots, which count up where they are `IN_LINE`.
///
/// # Safety
///
/// The points have these slots.
#[inline(always)]
#[allow(clippy::inline_always, reason = "see `Kernel`")]
#[allow(unsafe_code, reason = "see `Sweep::run`")]
unsafe fn gather<F: Four, const IN_LINE: bool>(points: &Points, slots: &[u32; 4]) -> Vectors<F> {
    let [x, y, z] = &points.axes;
    // SAFETY: as the caller says.
    unsafe { Vectors([load::<F, IN_LINE>(x, slots), load::<F, IN_LINE>(y, slots), load::<F, IN_LINE>(z, slots)]) }
}

/// One coordinate of them.
///
/// # Safety
///
/// The axis has these slots.
// Not a closure: those are not compiled for wide registers.
#[inline(always)]
#[allow(clippy::inline_always, reason = "see `Kernel`")]
#[allow(unsafe_code, reason = "see `Sweep::run`")]
unsafe fn load<F: Four, const IN_LINE: bool>(axis: &[f64], [a, b, c, d]: &[u32; 4]) -> F {
    // SAFETY: as the caller says; slots in line are four numbers one after the other.
    unsafe {
        if IN_LINE {
            F::load(&*axis.as_ptr().add(*a as usize).cast())
        } else {
            F::load(&[
                *axis.get_unchecked(*a as usize),
                *axis.get_unchecked(*b as usize),
                *axis.get_unchecked(*c as usize),
                *axis.get_unchecked(*d as usize),
            ])
        }
    }
}

/// Puts back what `gather` took.
///
/// # Safety
///
/// The points have these slots.
#[inline(always)]
#[allow(clippy::inline_always, reason = "see `Kernel`")]
#[allow(unsafe_code, reason = "see `Sweep::run`")]
unsafe fn scatter<F: Four, const IN_LINE: bool>(points: &mut Points, slots: &[u32; 4], vectors: Vectors<F>) {
    for (axis, value) in points.axes.iter_mut().zip(vectors.0) {
        let value = value.store();
        // SAFETY: as the caller says; slots in line are four numbers one after the other.
        unsafe {
            if IN_LINE {
                *axis.as_mut_ptr().add(slots[0] as usize).cast() = value;
            } else {
                for k in 0..4 {
                    *axis.get_unchecked_mut(slots[k] as usize) = value[k];
                }
            }
        }
    }
}

/// Goes on to the next substep: the displacement of the substep before, `gravity` and what held forces add, `push`,
/// make the next one [m]. Afterwards `x` is where the particles are and `q` where they would be.
pub(super) fn coast(x: &mut Points, q: &mut Points, push: Option<&Points>, gravity: DVec3) {
    for (axis, gravity) in gravity.to_array().into_iter().enumerate() {
        let push = push.map(|push| &push.axes[axis][..]);
        widest(Coast { x: &mut x.axes[axis], q: &mut q.axes[axis], push, gravity });
    }
}

/// One axis of it.
struct Coast<'a> {
    x: &'a mut [f64],
    q: &'a mut [f64],
    push: Option<&'a [f64]>,
    gravity: f64,
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl Kernel for Coast<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Four>(self) {
        // Loops of their own, not closures: those are not compiled for wide registers.
        let both = self.x.iter_mut().zip(self.q);
        if let Some(push) = self.push {
            for ((x, q), push) in both.zip(push) {
                let moved = *q - *x;
                *x = *q;
                *q += moved + (self.gravity + *push);
            }
        } else {
            for (x, q) in both {
                let moved = *q - *x;
                *x = *q;
                *q += moved + self.gravity;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::super::groups::Lane;
    use super::*;
    use crate::simd::plain;

    #[test]
    fn wide_and_plain_kernels_give_the_same_bits() {
        let mut dice = rand_pcg::Pcg64::seed_from_u64(7);
        let mut points = || {
            let mut points = Points::new(63);
            points.axes.iter_mut().flatten().for_each(|number| *number = dice.random_range(-1.0..1.0));
            points
        };
        let (x, start) = (points(), points());
        let mut groups = RowGroups::default();
        for k in 0..40 {
            // Every second group is in line.
            let stride = 1 + k % 2;
            groups.push(&[0, 1, 2, 3].map(|row| Lane {
                ends: [(k * 3) % 8 + row * stride, 16 + (k * 5) % 40 + row * stride],
                fractions: [[0.5, 0.5], [0.0, 1.0], [0.3, 0.7], [1.0, 0.0]][row as usize],
                limit2: 0.3,
                rest: 0.5,
                stiffness: [0.0, 0.2, 0.7, 9.0][row as usize],
                damping_time: [0.0, 0.0, 0.2, 0.3][row as usize],
            }));
        }
        groups.share_laws();
        groups.set_substep(1.0, 1.0);
        let (mut wide, mut narrow) = (start.clone(), start.clone());
        sweep(&groups, RowKind::Springs, &x, &mut wide, 0.3);
        plain(Sweep::<true> { groups: &groups, x: &x, q: &mut narrow, keep: 0.3 });
        assert_eq!(wide.axes, narrow.axes);
        assert_ne!(wide.axes, start.axes, "the sweep did nothing");
        sweep(&groups, RowKind::Limits, &x, &mut wide, 0.3);
        plain(Sweep::<false> { groups: &groups, x: &x, q: &mut narrow, keep: 0.3 });
        assert_eq!(wide.axes, narrow.axes);
    }
}
