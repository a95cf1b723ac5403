//! The sweep over all rows, four at a time.
//!
//! ```text
//! d = q_b - q_a (where the ends would be),   e = x_b - x_a (where they are),   L: longest length aimed at,   l0: rest length
//! limit    s_L = (|d|² - L² - (1 - β) max(|e|² - L², 0)) / 2L²       of length already too great, only the share β is recovered
//! spring   s_S = A (1 - l0/|d|) + B (|d|² - |e|²)/2|d|²,   A = c/(1 + c (1 + τ/h)),  B = A τ/h,  c = k h² (w_a + w_b)
//! s = max(s_L, s_S) within ±½;   q_a += s f_a e,   q_b -= s f_b e,   f = w/(w_a + w_b)
//! ```
//!
//! s_L is one Newton step for |d - s e| = L without square root or division; s_S is one step of backward Euler for a linear
//! spring of stiffness k [N/m] with a damper of time τ [s]. Impulses act along e, the direction at the start of the substep,
//! equal and opposite: momenta are kept. The rows of a quad share no particle, so they can be solved at once. The wide kernel
//! does the same operations in the same order as the plain one, without fused multiply-add: the bits are the same.

use glam::DVec3;

use super::points::Points;
use super::quads::{Law, Quads};

/// Rows only limit.
pub(super) const LIMITS: u8 = 0;
/// They are springs as well.
pub(super) const SPRINGS: u8 = 1;
/// They are springs with dampers as well.
pub(super) const DAMPED_SPRINGS: u8 = 2;

/// One sweep over rows of a `KIND`, one of the three above. `keep` is 1 - β.
pub(super) fn sweep<const KIND: u8>(quads: &Quads, x: &Points, q: &mut Points, keep: f64) {
    let long_enough = |axis: &Vec<f64>| quads.beyond() <= axis.len();
    assert!(x.axes.iter().chain(&q.axes).all(long_enough), "rows of a larger model");
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[allow(unsafe_code, reason = "the processor and the lists have just been asked whether it can be done")]
        // SAFETY: the feature that the function needs is there, and so are the particles.
        return unsafe { wide::sweep::<KIND>(quads, x, q, keep) };
    }
    sweep_plain::<KIND>(quads, x, q, keep);
}

/// Goes on to the next substep where nothing else acts: the displacement of the substep before and `gravity` [m] make the next
/// one. Afterwards `x` is where the particles are and `q` where they would be.
pub(super) fn coast(x: &mut Points, q: &mut Points, gravity: DVec3) {
    let axes = x.axes.iter_mut().zip(&mut q.axes).zip(gravity.to_array());
    for ((x, q), gravity) in axes {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code, reason = "the processor has just been asked whether it can")]
            // SAFETY: the feature that the function needs is there.
            unsafe {
                wide::coast(x, q, gravity);
            }
            continue;
        }
        coast_plain(x, q, gravity);
    }
}

#[inline]
fn coast_plain(x: &mut [f64], q: &mut [f64], gravity: f64) {
    for (x, q) in x.iter_mut().zip(q) {
        let moved = *q - *x;
        *x = *q;
        *q += moved + gravity;
    }
}

fn sweep_plain<const KIND: u8>(quads: &Quads, x: &Points, q: &mut Points, keep: f64) {
    for quad in quads.list() {
        let law = quads.law(quad);
        for row in 0..4 {
            let (a, b) = (quad.a[row], quad.b[row]);
            let (e, d) = (x.get(b) - x.get(a), q.get(b) - q.get(a));
            let s = strength::<KIND>(law, row, e.length_squared(), d.length_squared(), keep);
            q.set(a, q.get(a) + e * (s * law.share_a[row]));
            q.set(b, q.get(b) - e * (s * law.share_b[row]));
        }
    }
}

/// s of a row.
fn strength<const KIND: u8>(law: &Law, row: usize, e2: f64, d2: f64, keep: f64) -> f64 {
    let over = e2 - law.limit2[row];
    let drift = if over > 0.0 { over } else { 0.0 };
    let limit = ((d2 - law.limit2[row]) - keep * drift) * law.half_per_limit2[row];
    let s = if KIND == LIMITS {
        // Limits only shorten.
        if limit > 0.0 { limit } else { 0.0 }
    } else {
        let length2 = if d2 > law.shortest2[row] { d2 } else { law.shortest2[row] };
        let per_length = 1.0 / length2.sqrt();
        let mut spring = law.spring[row] * (1.0 - law.rest[row] * per_length);
        if KIND == DAMPED_SPRINGS {
            let rate = (0.5 * (d2 - e2)) * (per_length * per_length);
            spring += law.damper[row] * rate;
        }
        if limit > spring { limit } else { spring }
    };
    let s = if s < 0.5 { s } else { 0.5 };
    if s > -0.5 { s } else { -0.5 }
}

/// The same with four numbers to a register.
#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::{
        __m256d, _mm256_add_pd, _mm256_div_pd, _mm256_loadu_pd, _mm256_max_pd, _mm256_min_pd, _mm256_mul_pd,
        _mm256_set_pd, _mm256_set1_pd, _mm256_setzero_pd, _mm256_sqrt_pd, _mm256_storeu_pd, _mm256_sub_pd,
    };

    use super::super::quads::{Lanes, Quad};
    use super::{DAMPED_SPRINGS, LIMITS, Law, Points, Quads};

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(lanes: &Lanes) -> __m256d {
        #[allow(unsafe_code, reason = "registers are filled through pointers")]
        // SAFETY: four numbers are behind the reference.
        unsafe {
            _mm256_loadu_pd(lanes.as_ptr())
        }
    }

    /// The coordinates of the four particles in `slots`, which count up where they are `in_line`.
    ///
    /// # Safety
    ///
    /// The points have these slots.
    #[target_feature(enable = "avx2")]
    #[inline]
    #[allow(unsafe_code, reason = "a check for every end of every row would take a quarter of a sweep")]
    unsafe fn gather(points: &Points, slots: &[u32; 4], in_line: bool) -> [__m256d; 3] {
        let mut numbers = [_mm256_setzero_pd(); 3];
        for (numbers, axis) in numbers.iter_mut().zip(&points.axes) {
            let from = axis.as_ptr();
            // SAFETY: as the caller says; slots in line are four numbers one after the other.
            *numbers = unsafe {
                if in_line {
                    _mm256_loadu_pd(from.add(slots[0] as usize))
                } else {
                    let [s0, s1, s2, s3] = slots;
                    let (low0, high0) = (from.add(*s0 as usize), from.add(*s1 as usize));
                    let (low1, high1) = (from.add(*s2 as usize), from.add(*s3 as usize));
                    _mm256_set_pd(*high1, *low1, *high0, *low0)
                }
            };
        }
        numbers
    }

    /// Puts back what `gather` took.
    ///
    /// # Safety
    ///
    /// The axis has these slots.
    #[target_feature(enable = "avx2")]
    #[inline]
    #[allow(unsafe_code, reason = "see `gather`")]
    unsafe fn scatter(axis: &mut [f64], slots: &[u32; 4], in_line: bool, value: __m256d) {
        // SAFETY: as the caller says; slots in line are four numbers one after the other.
        unsafe {
            if in_line {
                _mm256_storeu_pd(axis.as_mut_ptr().add(slots[0] as usize), value);
            } else {
                let mut numbers: Lanes = [0.0; 4];
                _mm256_storeu_pd(numbers.as_mut_ptr(), value);
                for (slot, number) in slots.iter().zip(numbers) {
                    *axis.get_unchecked_mut(*slot as usize) = number;
                }
            }
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn coast(x: &mut [f64], q: &mut [f64], gravity: f64) {
        super::coast_plain(x, q, gravity);
    }

    /// # Safety
    ///
    /// All slots that the quads name are in `x` and in `q`.
    #[target_feature(enable = "avx2")]
    #[allow(unsafe_code, reason = "see `gather`")]
    pub(super) unsafe fn sweep<const KIND: u8>(quads: &Quads, x: &Points, q: &mut Points, keep: f64) {
        let keep = _mm256_set1_pd(keep);
        for quad in quads.list() {
            let law = quads.law(quad);
            // The same code twice, so that neither asks for every coordinate anew.
            // SAFETY: as the caller says.
            unsafe {
                if quad.in_line {
                    solve::<KIND, true>(quad, law, x, q, keep);
                } else {
                    solve::<KIND, false>(quad, law, x, q, keep);
                }
            }
        }
    }

    /// # Safety
    ///
    /// All slots that the quad names are in `x` and in `q`, and they count up where it is `IN_LINE`.
    #[target_feature(enable = "avx2")]
    #[inline]
    #[allow(unsafe_code, reason = "see `gather`")]
    unsafe fn solve<const KIND: u8, const IN_LINE: bool>(
        quad: &Quad,
        law: &Law,
        x: &Points,
        q: &mut Points,
        keep: __m256d,
    ) {
        let Quad { a, b, .. } = quad;
        // SAFETY: as the caller says.
        let (xa, xb, qa, qb) =
            unsafe { (gather(x, a, IN_LINE), gather(x, b, IN_LINE), gather(q, a, IN_LINE), gather(q, b, IN_LINE)) };
        let e = [0, 1, 2].map(|axis| _mm256_sub_pd(xb[axis], xa[axis]));
        let d = [0, 1, 2].map(|axis| _mm256_sub_pd(qb[axis], qa[axis]));
        let s = strengths::<KIND>(law, square(e), square(d), keep);
        let to_a = _mm256_mul_pd(s, load(&law.share_a));
        let to_b = _mm256_mul_pd(s, load(&law.share_b));
        for (axis, coordinates) in q.axes.iter_mut().enumerate() {
            // SAFETY: as the caller says.
            unsafe {
                scatter(coordinates, a, IN_LINE, _mm256_add_pd(qa[axis], _mm256_mul_pd(e[axis], to_a)));
                scatter(coordinates, b, IN_LINE, _mm256_sub_pd(qb[axis], _mm256_mul_pd(e[axis], to_b)));
            }
        }
    }

    /// The squares of four vectors, summed in the order x, y, z.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn square([x, y, z]: [__m256d; 3]) -> __m256d {
        _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(x, x), _mm256_mul_pd(y, y)), _mm256_mul_pd(z, z))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn strengths<const KIND: u8>(law: &Law, e2: __m256d, d2: __m256d, keep: __m256d) -> __m256d {
        let (limit2, half) = (load(&law.limit2), _mm256_set1_pd(0.5));
        let drift = _mm256_max_pd(_mm256_sub_pd(e2, limit2), _mm256_setzero_pd());
        let over = _mm256_sub_pd(_mm256_sub_pd(d2, limit2), _mm256_mul_pd(keep, drift));
        let limit = _mm256_mul_pd(over, load(&law.half_per_limit2));
        let s = if KIND == LIMITS {
            _mm256_max_pd(limit, _mm256_setzero_pd())
        } else {
            let one = _mm256_set1_pd(1.0);
            let length2 = _mm256_max_pd(d2, load(&law.shortest2));
            let per_length = _mm256_div_pd(one, _mm256_sqrt_pd(length2));
            let strain = _mm256_sub_pd(one, _mm256_mul_pd(load(&law.rest), per_length));
            let mut spring = _mm256_mul_pd(load(&law.spring), strain);
            if KIND == DAMPED_SPRINGS {
                let squares = _mm256_mul_pd(half, _mm256_sub_pd(d2, e2));
                let rate = _mm256_mul_pd(squares, _mm256_mul_pd(per_length, per_length));
                spring = _mm256_add_pd(spring, _mm256_mul_pd(load(&law.damper), rate));
            }
            _mm256_max_pd(limit, spring)
        };
        _mm256_max_pd(_mm256_min_pd(s, half), _mm256_set1_pd(-0.5))
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::super::quads::{Four, Lane};
    use super::*;

    #[test]
    fn wide_and_plain_kernels_give_the_same_bits() {
        let mut dice = rand_pcg::Pcg64::seed_from_u64(7);
        let mut points = || {
            let mut points = Points::new(63);
            points.axes.iter_mut().flatten().for_each(|number| *number = dice.random_range(-1.0..1.0));
            points
        };
        let (x, start) = (points(), points());
        let mut quads = Quads::default();
        for k in 0..40 {
            let mut four = Four::idle(63);
            for place in 0..4 {
                // Every second quad is in line.
                let (stride, row) = (1 + k % 2, place as usize);
                four.set(
                    row,
                    Lane {
                        ends: [(k * 3) % 8 + place * stride, 16 + (k * 5) % 40 + place * stride],
                        shares: [[0.5, 0.5], [0.0, 1.0], [0.3, 0.7], [1.0, 0.0]][row],
                        limit2: 0.3,
                        rest: 0.5,
                        stiffness: [0.0, 0.2, 0.7, 9.0][row],
                        damping_time: [0.0, 0.0, 0.2, 0.3][row],
                    },
                );
            }
            quads.push(four);
        }
        quads.share_laws();
        quads.set_substep(1.0);
        let (mut wide, mut plain) = (start.clone(), start.clone());
        sweep::<DAMPED_SPRINGS>(&quads, &x, &mut wide, 0.3);
        sweep_plain::<DAMPED_SPRINGS>(&quads, &x, &mut plain, 0.3);
        assert_eq!(wide.axes, plain.axes);
        assert_ne!(wide.axes, start.axes, "the sweep did nothing");
        sweep::<SPRINGS>(&quads, &x, &mut wide, 0.3);
        sweep_plain::<SPRINGS>(&quads, &x, &mut plain, 0.3);
        assert_eq!(wide.axes, plain.axes);
        sweep::<LIMITS>(&quads, &x, &mut wide, 0.3);
        sweep_plain::<LIMITS>(&quads, &x, &mut plain, 0.3);
        assert_eq!(wide.axes, plain.axes);
    }
}
