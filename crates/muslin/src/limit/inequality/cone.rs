//! The algebra of second-order cones, in four dimensions.
//!
//! ```text
//! p = (t, v),  inside when t > |v|;      det p = t² - |v|²;     p∘q = (p·q, t_p v_q + t_q v_p);     1 = (1, 0)
//! Nesterov–Todd scaling of s and z:  W z = W⁻¹ s = λ,    W = η ( w_t  w_vᵀ ; w_v  I + w_v w_vᵀ/(1 + w_t) ),  det w = 1
//! ```
//!
//! v is a vector of space. A half-line is the case v = 0. Sources: [NT97], [ART03], [AG03].

use std::ops::{Add, Mul, Sub};

use glam::{DMat3, DVec3};

use crate::forces::outer;

/// A point of the cone's space.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Point {
    pub(super) t: f64,
    pub(super) v: DVec3,
}

impl Point {
    pub(super) fn new(t: f64, v: DVec3) -> Self {
        Self { t, v }
    }

    pub(super) fn det(self) -> f64 {
        let length = self.v.length();
        (self.t - length) * (self.t + length)
    }

    pub(super) fn dot(self, other: Self) -> f64 {
        self.t * other.t + self.v.dot(other.v)
    }

    /// p∘q.
    pub(super) fn times(self, other: Self) -> Self {
        Self { t: self.dot(other), v: other.v * self.t + self.v * other.t }
    }

    /// The q with divisor∘q = p.
    pub(super) fn divided_by(self, divisor: Self) -> Self {
        let t = (divisor.t * self.t - divisor.v.dot(self.v)) / divisor.det();
        Self { t, v: (self.v - divisor.v * t) / divisor.t }
    }

    /// p⁻¹: p∘p⁻¹ = 1.
    pub(super) fn inverse(self) -> Self {
        Self { t: self.t, v: -self.v } * (1.0 / self.det())
    }

    /// How many times a direction can be added before the cone is left; infinite when it never is.
    pub(super) fn reach(self, direction: Self) -> f64 {
        let (curvature, slope) = (direction.det(), self.t * direction.t - self.v.dot(direction.v));
        let det = self.det();
        let root = (slope * slope - curvature * det).max(0.0).sqrt() - slope;
        if root > 0.0 { det / root } else { f64::INFINITY }
    }
}

impl Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { t: self.t + other.t, v: self.v + other.v }
    }
}

impl Sub for Point {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { t: self.t - other.t, v: self.v - other.v }
    }
}

impl Mul<f64> for Point {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { t: self.t * factor, v: self.v * factor }
    }
}

/// W.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scaling {
    w: Point,
    eta: f64,
}

impl Scaling {
    /// That of two points inside.
    pub(super) fn between(s: Point, z: Point) -> Self {
        let (root_s, root_z) = (s.det().sqrt(), z.det().sqrt());
        let (s, z) = (s * (1.0 / root_s), z * (1.0 / root_z));
        let gamma = ((1.0 + s.dot(z)) * 0.5).sqrt();
        let w = Point { t: s.t + z.t, v: s.v - z.v } * (0.5 / gamma);
        Self { w, eta: (root_s / root_z).sqrt() }
    }

    /// W p.
    pub(super) fn apply(&self, p: Point) -> Point {
        let along = self.w.v.dot(p.v);
        Point { t: self.w.t * p.t + along, v: p.v + self.w.v * (p.t + along / (1.0 + self.w.t)) } * self.eta
    }

    /// W⁻¹ p.
    pub(super) fn undo(&self, p: Point) -> Point {
        let along = self.w.v.dot(p.v);
        let v = p.v + self.w.v * (along / (1.0 + self.w.t) - p.t);
        Point { t: self.w.t * p.t - along, v } * (1.0 / self.eta)
    }

    /// The part of W⁻² that acts on space.
    pub(super) fn in_space(&self) -> DMat3 {
        (DMat3::IDENTITY + outer(self.w.v * 2.0, self.w.v)) * (1.0 / (self.eta * self.eta))
    }

    /// The part of W⁻² that acts on t.
    pub(super) fn on_line(&self) -> f64 {
        (2.0 * self.w.t * self.w.t - 1.0) / (self.eta * self.eta)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;

    fn points() -> impl Iterator<Item = (Point, Point, Point)> {
        let mut dice = rand_pcg::Pcg64::seed_from_u64(4);
        (0..200).map(move |_| {
            let mut vector = || DVec3::from_array(std::array::from_fn(|_| dice.random_range(-1.0..1.0)));
            let (a, b, c) = (vector(), vector(), vector());
            let [s, z]: [f64; 2] = std::array::from_fn(|_| dice.random_range(1e-3..1.0));
            (Point::new(a.length() + s, a), Point::new(b.length() + z, b), Point::new(c.x + a.y, b - c))
        })
    }

    #[test]
    fn the_scaling_takes_both_points_to_one() {
        for (s, z, p) in points() {
            let scaling = Scaling::between(s, z);
            let (from_z, from_s) = (scaling.apply(z), scaling.undo(s));
            let off = from_z - from_s;
            // Points within 1e-3 of the boundary: det loses three digits, and W has a condition of up to 1e6.
            assert!(off.dot(off).sqrt() < 1e-9, "{from_z:?} is not {from_s:?}");
            let back = scaling.undo(scaling.apply(p)) - p;
            assert!(back.dot(back).sqrt() < 1e-9, "{back:?}");
            let twice = scaling.undo(scaling.undo(Point::new(0.0, p.v))).v;
            let difference = (scaling.in_space() * p.v - twice).length() / twice.length();
            assert!(difference < 1e-9, "off by {difference}");
            let line = scaling.undo(scaling.undo(Point::new(1.0, DVec3::ZERO))).t;
            assert!((scaling.on_line() / line - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn quotients_and_reaches_are_what_they_say() {
        for (s, z, p) in points() {
            let off = z.times(p.divided_by(z)) - p;
            assert!(off.dot(off).sqrt() < 1e-10, "{off:?}");
            let one = s.times(s.inverse()) - Point::new(1.0, DVec3::ZERO);
            assert!(one.dot(one).sqrt() < 1e-10, "{one:?}");
            let reach = s.reach(p);
            let at = |fraction: f64| s + p * (fraction * reach);
            if reach.is_finite() {
                assert!(at(0.999).det() > 0.0 && at(0.999).t > 0.0, "left before {reach}");
                assert!(at(1.001).det() < 0.0, "inside still after {reach}");
            } else {
                assert!(p.t >= p.v.length() - 1e-12, "a direction out of the cone never leaves it: {p:?}");
            }
        }
    }
}
