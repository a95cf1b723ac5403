//! Four numbers in a register.
//!
//! Safety of all that follows: only [`run`] makes a kernel use [`Wide`], and its caller has asked the processor for
//! AVX2.

#![allow(clippy::inline_always, reason = "see `Kernel`")]
#![allow(unsafe_code, reason = "see above")]

use std::arch::x86_64::{
    __m256d, _CMP_GT_OQ, _mm256_add_pd, _mm256_and_pd, _mm256_andnot_pd, _mm256_cmp_pd, _mm256_div_pd, _mm256_loadu_pd,
    _mm256_max_pd, _mm256_min_pd, _mm256_mul_pd, _mm256_or_pd, _mm256_set1_pd, _mm256_sqrt_pd, _mm256_storeu_pd,
    _mm256_sub_pd, _mm256_xor_pd,
};
use std::ops::{Add, Mul, Neg, Sub};

use super::{Four, Kernel, Lanes};

/// Runs a kernel with registers of four.
#[target_feature(enable = "avx2")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Wide>()
}

/// One number in each of four lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wide(__m256d);

impl Four for Wide {
    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        // SAFETY: see above; four numbers are behind the reference.
        Self(unsafe { _mm256_loadu_pd(lanes.as_ptr()) })
    }

    #[inline(always)]
    fn store(self) -> Lanes {
        let mut lanes = [0.0; 4];
        // SAFETY: see above; there is room for four numbers.
        unsafe { _mm256_storeu_pd(lanes.as_mut_ptr(), self.0) };
        lanes
    }

    #[inline(always)]
    fn splat(number: f64) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_set1_pd(number) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn recip(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_div_pd(_mm256_set1_pd(1.0), self.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_max_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_min_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn above(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_and_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0), _mm256_set1_pd(1.0)) })
    }

    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            let sign = _mm256_set1_pd(-0.0);
            _mm256_or_pd(_mm256_andnot_pd(sign, self.0), _mm256_and_pd(sign, other.0))
        })
    }
}

impl Add for Wide {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_add_pd(self.0, other.0) })
    }
}

impl Sub for Wide {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_sub_pd(self.0, other.0) })
    }
}

impl Mul for Wide {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_mul_pd(self.0, other.0) })
    }
}

impl Neg for Wide {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_xor_pd(_mm256_set1_pd(-0.0), self.0) })
    }
}
