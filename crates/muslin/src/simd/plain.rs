//! Four numbers one by one.

#![allow(clippy::inline_always, reason = "see `Kernel`")]

use std::ops::{Add, Mul, Neg, Sub};

use super::{Four, Lanes};

/// One number in each of four lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain(Lanes);

impl Plain {
    #[inline(always)]
    fn with(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        let ([a, b, c, d], [w, x, y, z]) = (self.0, other.0);
        Self([join(a, w), join(b, x), join(c, y), join(d, z)])
    }
}

impl Four for Plain {
    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        Self(*lanes)
    }

    #[inline(always)]
    fn store(self) -> Lanes {
        self.0
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn recip(self) -> Self {
        Self(self.0.map(f64::recip))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(other, |one, other| if one > other { one } else { other })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.with(other, |one, other| if one < other { one } else { other })
    }

    #[inline(always)]
    fn above(self, other: Self) -> Self {
        self.with(other, |one, other| if one > other { 1.0 } else { 0.0 })
    }

    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        self.with(other, f64::copysign)
    }
}

impl Add for Plain {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |one, other| one + other)
    }
}

impl Sub for Plain {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |one, other| one - other)
    }
}

impl Mul for Plain {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, |one, other| one * other)
    }
}

impl Neg for Plain {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|number| -number))
    }
}
