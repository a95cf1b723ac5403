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

#[inline(always)]
pub(super) fn minus(a: Lanes, b: Lanes) -> Lanes {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
}

#[inline(always)]
pub(super) fn add_scaled(to: &mut Lanes, vector: Lanes, scale: f64) {
    for (to, part) in to.iter_mut().zip(vector) {
        *to += part * scale;
    }
}

#[inline(always)]
pub(super) fn dot(a: Lanes, b: Lanes) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// One sweep over the quads. `keep` is 1 - β.
pub(super) fn sweep(quads: &[Quad], x: &[Lanes], q: &mut [Lanes], keep: f64) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[allow(unsafe_code, reason = "the processor has just been asked whether it can")]
        // SAFETY: the feature that the function needs is there.
        return unsafe { sweep_avx2(quads, x, q, keep) };
    }
    sweep_plain(quads, x, q, keep);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sweep_avx2(quads: &[Quad], x: &[Lanes], q: &mut [Lanes], keep: f64) {
    sweep_rows(quads, x, q, keep);
}

fn sweep_plain(quads: &[Quad], x: &[Lanes], q: &mut [Lanes], keep: f64) {
    sweep_rows(quads, x, q, keep);
}

#[inline(always)]
fn sweep_rows(quads: &[Quad], x: &[Lanes], q: &mut [Lanes], keep: f64) {
    for quad in quads {
        let a = quad.a.map(|a| a as usize);
        let b = quad.b.map(|b| b as usize);
        let e = [minus(x[b[0]], x[a[0]]), minus(x[b[1]], x[a[1]]), minus(x[b[2]], x[a[2]]), minus(x[b[3]], x[a[3]])];
        let d = [minus(q[b[0]], q[a[0]]), minus(q[b[1]], q[a[1]]), minus(q[b[2]], q[a[2]]), minus(q[b[3]], q[a[3]])];
        let s = strengths(quad, squares(&e), squares(&d), keep);
        for row in 0..4 {
            add_scaled(&mut q[a[row]], e[row], s[row] * quad.share_a[row]);
            add_scaled(&mut q[b[row]], e[row], -s[row] * quad.share_b[row]);
        }
    }
}

#[inline(always)]
fn squares(vectors: &[Lanes; 4]) -> Lanes {
    vectors.map(|v| v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
}

/// s of each row.
#[inline(always)]
fn strengths(quad: &Quad, e2: Lanes, d2: Lanes, keep: f64) -> Lanes {
    let mut s = [0.0; 4];
    for row in 0..4 {
        let drift = (e2[row] - quad.limit2[row]).max(0.0);
        let limit = (d2[row] - quad.limit2[row] - keep * drift) * quad.half_per_limit2[row];
        let now = d2[row] * quad.half_per_rest2[row] - 0.5;
        let before = e2[row] * quad.half_per_rest2[row] - 0.5;
        let spring = quad.spring[row] * now + quad.damper[row] * (now - before);
        s[row] = limit.max(spring).min(0.5).max(-0.5);
    }
    s
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
