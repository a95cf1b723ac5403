//! The sweep over all rows, four at a time.
//!
//! ```text
//! d = q_b - q_a (where the ends would be),   e = x_b - x_a (where they are),   L: longest length aimed at
//! limit    s_L = (|d|² - L² - (1 - β) max(|e|² - L², 0)) / 2L²       of length already too great, only the share β is recovered
//! spring   s_S = A ε_d + B (ε_d - ε_e),   ε = (|·|²/l0² - 1)/2,   A = c/(1 + c (1 + τ/h)),  B = A τ/h,  c = k h² (w_a + w_b)
//! s = max(s_L, s_S) within ±½;   q_a += s f_a e,   q_b -= s f_b e,   f = w/(w_a + w_b)
//! ```
//!
//! s_L is one Newton step for |d - s e| = L without square root or division; s_S is one step of backward Euler for a spring
//! of stiffness k [N/m] with a damper of time τ [s], whose strain ε is Green's. Impulses act along e, the direction at the
//! start of the substep, equal and opposite: momenta are kept. The rows of a quad share no particle, so they can be
//! solved at once. The wide kernel does the same operations in the same order as the plain one, without fused
//! multiply-add: the bits are the same.

/// Four numbers: three coordinates and a zero, or one number for each row of a quad.
pub(super) type Lanes = [f64; 4];

/// Four rows that share no particle.
#[derive(Debug, Clone)]
pub(super) struct Quad {
    /// First particles.
    pub(super) a: [u32; 4],
    /// Second particles.
    pub(super) b: [u32; 4],
    /// f_a.
    pub(super) share_a: Lanes,
    /// f_b.
    pub(super) share_b: Lanes,
    /// L² [m²].
    pub(super) limit2: Lanes,
    /// 1/2L² [1/m²].
    pub(super) half_per_limit2: Lanes,
    /// 1/2l0² [1/m²].
    pub(super) half_per_rest2: Lanes,
    /// A.
    pub(super) spring: Lanes,
    /// B.
    pub(super) damper: Lanes,
}

#[inline]
pub(super) fn minus(a: Lanes, b: Lanes) -> Lanes {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
}

#[inline]
pub(super) fn add_scaled(to: &mut Lanes, vector: Lanes, scale: f64) {
    for (to, part) in to.iter_mut().zip(vector) {
        *to += part * scale;
    }
}

#[inline]
pub(super) fn dot(a: Lanes, b: Lanes) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// One sweep over the quads. `keep` is 1 - β.
pub(super) fn sweep(quads: &[Quad], x: &[Lanes], q: &mut [Lanes], keep: f64) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[allow(unsafe_code, reason = "the processor has just been asked whether it can")]
        // SAFETY: the feature that the function needs is there.
        return unsafe { wide::sweep(quads, x, q, keep) };
    }
    sweep_plain(quads, x, q, keep);
}

/// Goes on to the next substep where nothing else acts: the displacement of the substep before and `gravity` [m] make the next
/// one. Afterwards `x` is where the particles are and `q` where they would be.
pub(super) fn coast(x: &mut [Lanes], q: &mut [Lanes], gravity: Lanes) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[allow(unsafe_code, reason = "the processor has just been asked whether it can")]
        // SAFETY: the feature that the function needs is there.
        return unsafe { wide::coast(x, q, gravity) };
    }
    coast_plain(x, q, gravity);
}

#[inline]
fn coast_plain(x: &mut [Lanes], q: &mut [Lanes], gravity: Lanes) {
    for (x, q) in x.iter_mut().zip(q) {
        let moved = minus(*q, *x);
        *x = *q;
        for lane in 0..4 {
            q[lane] += moved[lane] + gravity[lane];
        }
    }
}

fn sweep_plain(quads: &[Quad], x: &[Lanes], q: &mut [Lanes], keep: f64) {
    for quad in quads {
        for row in 0..4 {
            let (a, b) = (quad.a[row] as usize, quad.b[row] as usize);
            let (e, d) = (minus(x[b], x[a]), minus(q[b], q[a]));
            let s = strength(quad, row, dot(e, e), dot(d, d), keep);
            add_scaled(&mut q[a], e, s * quad.share_a[row]);
            add_scaled(&mut q[b], e, -(s * quad.share_b[row]));
        }
    }
}

/// s of a row.
fn strength(quad: &Quad, row: usize, e2: f64, d2: f64, keep: f64) -> f64 {
    let over = e2 - quad.limit2[row];
    let drift = if over > 0.0 { over } else { 0.0 };
    let limit = ((d2 - quad.limit2[row]) - keep * drift) * quad.half_per_limit2[row];
    let now = d2 * quad.half_per_rest2[row] - 0.5;
    let before = e2 * quad.half_per_rest2[row] - 0.5;
    let spring = quad.spring[row] * now + quad.damper[row] * (now - before);
    let s = if limit > spring { limit } else { spring };
    let s = if s < 0.5 { s } else { 0.5 };
    if s > -0.5 { s } else { -0.5 }
}

/// The same with four numbers to a register.
#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::{
        __m256d, _mm256_add_pd, _mm256_loadu_pd, _mm256_max_pd, _mm256_min_pd, _mm256_mul_pd, _mm256_permute2f128_pd,
        _mm256_permute4x64_pd, _mm256_set1_pd, _mm256_setzero_pd, _mm256_storeu_pd, _mm256_sub_pd, _mm256_unpackhi_pd,
        _mm256_unpacklo_pd,
    };

    use super::{Lanes, Quad};

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(lanes: &Lanes) -> __m256d {
        #[allow(unsafe_code, reason = "registers are filled through pointers")]
        // SAFETY: four numbers are behind the reference.
        unsafe {
            _mm256_loadu_pd(lanes.as_ptr())
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn store(lanes: &mut Lanes, value: __m256d) {
        #[allow(unsafe_code, reason = "registers are emptied through pointers")]
        // SAFETY: four numbers are behind the reference.
        unsafe {
            _mm256_storeu_pd(lanes.as_mut_ptr(), value);
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn coast(x: &mut [Lanes], q: &mut [Lanes], gravity: Lanes) {
        super::coast_plain(x, q, gravity);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn sweep(quads: &[Quad], x: &[Lanes], q: &mut [Lanes], keep: f64) {
        let keep = _mm256_set1_pd(keep);
        for quad in quads {
            let (a, b) = (quad.a.map(|a| a as usize), quad.b.map(|b| b as usize));
            let e = [0, 1, 2, 3].map(|row| _mm256_sub_pd(load(&x[b[row]]), load(&x[a[row]])));
            let qa = a.map(|a| load(&q[a]));
            let qb = b.map(|b| load(&q[b]));
            let d = [0, 1, 2, 3].map(|row| _mm256_sub_pd(qb[row], qa[row]));
            let s = strengths(quad, squares(e), squares(d), keep);
            let to_a = each(_mm256_mul_pd(s, load(&quad.share_a)));
            let to_b = each(_mm256_mul_pd(s, load(&quad.share_b)));
            for row in 0..4 {
                store(&mut q[a[row]], _mm256_add_pd(qa[row], _mm256_mul_pd(e[row], to_a[row])));
                store(&mut q[b[row]], _mm256_sub_pd(qb[row], _mm256_mul_pd(e[row], to_b[row])));
            }
        }
    }

    /// The squares of four vectors, summed in the order x, y, z.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn squares(vectors: [__m256d; 4]) -> __m256d {
        let [p0, p1, p2, p3] = [0, 1, 2, 3].map(|row| _mm256_mul_pd(vectors[row], vectors[row]));
        let (xz_low, xz_high) = (_mm256_unpacklo_pd(p0, p1), _mm256_unpacklo_pd(p2, p3));
        let (y_low, y_high) = (_mm256_unpackhi_pd(p0, p1), _mm256_unpackhi_pd(p2, p3));
        let x = _mm256_permute2f128_pd::<0x20>(xz_low, xz_high);
        let y = _mm256_permute2f128_pd::<0x20>(y_low, y_high);
        let z = _mm256_permute2f128_pd::<0x31>(xz_low, xz_high);
        _mm256_add_pd(_mm256_add_pd(x, y), z)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn strengths(quad: &Quad, e2: __m256d, d2: __m256d, keep: __m256d) -> __m256d {
        let (limit2, half) = (load(&quad.limit2), _mm256_set1_pd(0.5));
        let drift = _mm256_max_pd(_mm256_sub_pd(e2, limit2), _mm256_setzero_pd());
        let over = _mm256_sub_pd(_mm256_sub_pd(d2, limit2), _mm256_mul_pd(keep, drift));
        let limit = _mm256_mul_pd(over, load(&quad.half_per_limit2));
        let per_rest2 = load(&quad.half_per_rest2);
        let now = _mm256_sub_pd(_mm256_mul_pd(d2, per_rest2), half);
        let before = _mm256_sub_pd(_mm256_mul_pd(e2, per_rest2), half);
        let pull = _mm256_mul_pd(load(&quad.spring), now);
        let damping = _mm256_mul_pd(load(&quad.damper), _mm256_sub_pd(now, before));
        let s = _mm256_max_pd(limit, _mm256_add_pd(pull, damping));
        _mm256_max_pd(_mm256_min_pd(s, half), _mm256_set1_pd(-0.5))
    }

    /// Each number in a register of its own.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn each(numbers: __m256d) -> [__m256d; 4] {
        [
            _mm256_permute4x64_pd::<0x00>(numbers),
            _mm256_permute4x64_pd::<0x55>(numbers),
            _mm256_permute4x64_pd::<0xaa>(numbers),
            _mm256_permute4x64_pd::<0xff>(numbers),
        ]
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn wide_and_plain_kernels_give_the_same_bits() {
        let mut dice = rand_pcg::Pcg64::seed_from_u64(7);
        let mut point =
            || [dice.random_range(-1.0..1.0), dice.random_range(-1.0..1.0), dice.random_range(-1.0..1.0), 0.0];
        let x: Vec<Lanes> = (0..64).map(|_| point()).collect();
        let start: Vec<Lanes> = (0..64).map(|_| point()).collect();
        let quads: Vec<Quad> = (0..40)
            .map(|k| Quad {
                a: [0, 1, 2, 3].map(|row| (k * 3 + row) % 16),
                b: [0, 1, 2, 3].map(|row| 16 + (k * 5 + row) % 48),
                share_a: [0.5, 0.0, 0.3, 1.0],
                share_b: [0.5, 1.0, 0.7, 0.0],
                limit2: [0.3; 4],
                half_per_limit2: [0.5 / 0.3; 4],
                half_per_rest2: [0.5 / 0.25; 4],
                spring: [0.0, 0.2, 0.4, 0.9],
                damper: [0.0, 0.0, 0.1, 0.3],
            })
            .collect();
        let (mut wide, mut plain) = (start.clone(), start.clone());
        sweep(&quads, &x, &mut wide, 0.3);
        sweep_plain(&quads, &x, &mut plain, 0.3);
        assert_eq!(wide, plain);
        assert_ne!(wide, start, "the sweep did nothing");
    }
}
