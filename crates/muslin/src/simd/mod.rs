//! Four numbers at a time, with the same bits on every processor.
//!
//! A [`Kernel`] is written once for any [`Four`], and compiled for plain numbers and for registers of four. Both do the
//! same operations in the same order, without fused multiply-add and without sums across lanes: the bits are the same.

mod plain;
mod points;
#[cfg(target_arch = "x86_64")]
mod wide;

use std::ops::{Add, Mul, Neg, Sub};

pub(crate) use self::points::{Points, Slots};

/// One number for each lane, in memory.
pub(crate) type Lanes = [f64; 4];

/// One number in each of four lanes.
#[allow(clippy::inline_always, reason = "see `Kernel`")]
pub(crate) trait Four:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    fn load(lanes: &Lanes) -> Self;
    fn store(self) -> Lanes;
    fn sqrt(self) -> Self;
    fn recip(self) -> Self;
    /// The other where one of them is not a number.
    fn max(self, other: Self) -> Self;
    /// Likewise.
    fn min(self, other: Self) -> Self;
    /// 1 where a number is greater, else 0.
    fn above(self, other: Self) -> Self;
    fn with_sign_of(self, other: Self) -> Self;

    #[inline(always)]
    fn splat(number: f64) -> Self {
        Self::load(&[number; 4])
    }

    #[inline(always)]
    fn gather(numbers: &[f64], slots: [u32; 4]) -> Self {
        let [a, b, c, d] = slots;
        Self::load(&[numbers[a as usize], numbers[b as usize], numbers[c as usize], numbers[d as usize]])
    }

    /// One over the root, large but finite at 0.
    #[inline(always)]
    fn per_root(self) -> Self {
        self.max(Self::splat(f64::MIN_POSITIVE)).sqrt().recip()
    }
}

/// A loop worth compiling for wide registers. `run` and all that it calls must be `#[inline(always)]`: only what ends
/// up in [`widest`] is compiled for them.
pub(crate) trait Kernel {
    type Output;
    fn run<F: Four>(self) -> Self::Output;
}

/// Runs a kernel with the widest registers of this processor.
pub(crate) fn widest<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[allow(unsafe_code, reason = "the processor has just been asked whether it can")]
        // SAFETY: the feature that the function needs is there.
        return unsafe { wide::run(kernel) };
    }
    plain(kernel)
}

/// Runs a kernel on any processor.
pub(crate) fn plain<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<plain::Plain>()
}

/// A vector in each of four lanes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vectors<F>(pub(crate) [F; 3]);

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl<F: Four> Vectors<F> {
    #[inline(always)]
    pub(crate) fn zero() -> Self {
        Self([F::splat(0.0); 3])
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> F {
        self.0[0] * other.0[0] + self.0[1] * other.0[1] + self.0[2] * other.0[2]
    }

    #[inline(always)]
    pub(crate) fn length_squared(self) -> F {
        self.dot(self)
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl<F: Four> Add for Vectors<F> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1], self.0[2] + other.0[2]])
    }
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl<F: Four> Sub for Vectors<F> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self([self.0[0] - other.0[0], self.0[1] - other.0[1], self.0[2] - other.0[2]])
    }
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl<F: Four> Mul<F> for Vectors<F> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, by: F) -> Self {
        Self([self.0[0] * by, self.0[1] * by, self.0[2] * by])
    }
}
