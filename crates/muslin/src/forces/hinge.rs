//! Bending elements on two triangles (x1, x3, x4) and (x2, x4, x3) that share an edge.
//!
//! ```text
//!        x4            N1 = (x1-x3)×(x1-x4),  N2 = (x2-x4)×(x2-x3),  E = x4-x3,  ê = E/|E|,  p = N/|N|²
//!       / | \          u1 = |E| p1,  u2 = |E| p2,  u3 = ((x1-x4)·ê) p1 + ((x2-x4)·ê) p2,
//!     x1  |  x2        u4 = -((x1-x3)·ê) p1 - ((x2-x3)·ê) p2                                     (u = -∂θ/∂x)
//!       \ | /          f_i = c (sin(θ/2) - sin(θ0/2)) u_i,   damping -k_d (Σ u·v) u_i
//!        x3            energy c (2 cos(θ0/2) - 2 cos(θ/2) - (θ - θ0) sin(θ0/2))
//! ```
//!
//! θ is the angle between the normals, 0 when flat, with the sign of n1×n2·E; θ0 its rest value. c [N·m] =
//! k_e |E|²/(|N1|+|N2|) at **rest** values, k_d [N·m·s]. Source: Bridson, Marino & Fedkiw 2003, as in [Slides],
//! [YWG05]. Departure: there the middle factor is taken at current values, but then the force is not the gradient of an
//! energy. Safe Hessian: ½ c cos(θ/2) u uᵀ alone. A hinge with a triangle of no area has no angle, and no force.

use glam::{DMat3, DVec3};
use libm::asin;

use super::{Blocks, Element, Response, cross_matrix, outer, rank_one};

/// A bending element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hinge {
    /// `[x1, x2, x3, x4]`: the two opposite particles, then the shared edge.
    pub particles: [u32; 4],
    /// c [N·m]; the moment per radian near flat is half of it.
    pub stiffness: f64,
    /// sin(θ0/2) of the rest angle.
    pub rest_sine: f64,
    /// Damping k_d [N·m·s].
    pub damping: f64,
}

/// The vectors p1, p2, the edge and its length: what all derivatives are made of.
struct HingeFrame {
    n1: DVec3,
    n2: DVec3,
    p1: DVec3,
    p2: DVec3,
    e: DVec3,
    length: f64,
}

impl HingeFrame {
    /// None when a triangle has no area.
    // Always: as a call of its own it hands fifteen numbers over through memory, which costs a quarter of a hinge.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "measured")]
    fn of(x: &[DVec3; 4]) -> Option<Self> {
        let edge = x[3] - x[2];
        let normal1 = (x[0] - x[2]).cross(x[0] - x[3]);
        let normal2 = (x[1] - x[3]).cross(x[1] - x[2]);
        let length = edge.length();
        let (square1, square2) = (normal1.length_squared(), normal2.length_squared());
        let least = 1e-10 * length * length;
        let least = least * least;
        // Not `square <= least`: NaN is no triangle either.
        if !(square1 > least && square2 > least) {
            return None;
        }
        let (per_length1, per_length2) = (square1.sqrt().recip(), square2.sqrt().recip());
        let (n1, n2) = (normal1 * per_length1, normal2 * per_length2);
        Some(Self { n1, n2, p1: n1 * per_length1, p2: n2 * per_length2, e: edge * length.recip(), length })
    }

    /// sin(θ/2) = ½ |n1 - n2|, which unlike √((1 - n1·n2)/2) does not cancel near flat.
    #[inline]
    fn half_sine(&self) -> f64 {
        let magnitude = 0.5 * (self.n1 - self.n2).length();
        magnitude.min(1.0).copysign(self.n1.cross(self.n2).dot(self.e))
    }

    /// u = -∂θ/∂x.
    #[inline]
    fn mode(&self, x: &[DVec3; 4]) -> [DVec3; 4] {
        let u3 = self.p1 * (x[0] - x[3]).dot(self.e) + self.p2 * (x[1] - x[3]).dot(self.e);
        let u4 = self.p1 * (x[2] - x[0]).dot(self.e) + self.p2 * (x[2] - x[1]).dot(self.e);
        [self.p1 * self.length, self.p2 * self.length, u3, u4]
    }

    /// ∂θ/∂x = -u.
    #[inline]
    fn angle_gradient(&self, x: &[DVec3; 4]) -> [DVec3; 4] {
        self.mode(x).map(|u| -u)
    }

    /// ∂u_i/∂x_j, by the product rule on u_i = Σ (scalar) p.
    fn mode_jacobian(&self, x: &[DVec3; 4]) -> Blocks<4> {
        let edge = self.e * self.length;
        // ∂p/∂x_j = (I - 2 n nᵀ)/|N|² ∂N/∂x_j, and ∂N/∂x_j is a cross product.
        let turn1 = (DMat3::IDENTITY - outer(self.n1, self.n1) * 2.0) * self.p1.length_squared();
        let turn2 = (DMat3::IDENTITY - outer(self.n2, self.n2) * 2.0) * self.p2.length_squared();
        let dp1 = [edge, DVec3::ZERO, x[0] - x[3], x[2] - x[0]].map(|a| turn1 * cross_matrix(a));
        let dp2 = [DVec3::ZERO, -edge, x[3] - x[1], x[1] - x[2]].map(|a| turn2 * cross_matrix(a));

        let across = |v: DVec3| (v - self.e * v.dot(self.e)) / self.length;
        let (w1, w2) = (across(x[0] - x[3]), across(x[1] - x[3]));
        let zero = DVec3::ZERO;
        let d_length = [zero, zero, -self.e, self.e];
        // Gradients of α_k = (x_k - x4)·ê and β_k = (x_k - x3)·ê.
        let d_alpha1 = [self.e, zero, -w1, w1 - self.e];
        let d_alpha2 = [zero, self.e, -w2, w2 - self.e];
        let d_beta1 = [self.e, zero, -w1 - self.e, w1];
        let d_beta2 = [zero, self.e, -w2 - self.e, w2];
        let (alpha1, alpha2) = ((x[0] - x[3]).dot(self.e), (x[1] - x[3]).dot(self.e));
        let (beta1, beta2) = ((x[0] - x[2]).dot(self.e), (x[1] - x[2]).dot(self.e));

        let mut jacobian = [[DMat3::ZERO; 4]; 4];
        for j in 0..4 {
            jacobian[0][j] = outer(self.p1, d_length[j]) + dp1[j] * self.length;
            jacobian[1][j] = outer(self.p2, d_length[j]) + dp2[j] * self.length;
            jacobian[2][j] =
                outer(self.p1, d_alpha1[j]) + dp1[j] * alpha1 + outer(self.p2, d_alpha2[j]) + dp2[j] * alpha2;
            jacobian[3][j] =
                -(outer(self.p1, d_beta1[j]) + dp1[j] * beta1 + outer(self.p2, d_beta2[j]) + dp2[j] * beta2);
        }
        jacobian
    }
}

/// sin(θ/2) of the angle between the normals of the triangles (x1, x3, x4) and (x2, x4, x3); none when one has no area.
pub fn half_angle_sine(x: &[DVec3; 4]) -> Option<f64> {
    HingeFrame::of(x).map(|frame| frame.half_sine())
}

/// ∂θ/∂x [1/m] of that angle; zero when a triangle has no area.
pub fn dihedral_gradient(x: &[DVec3; 4]) -> [DVec3; 4] {
    HingeFrame::of(x).map_or([DVec3::ZERO; 4], |frame| frame.angle_gradient(x))
}

/// 2 - 2 cos(θ/2), from normals that have not been made unit ones: that would take half of the time. Energy is measured
/// in every step.
fn bend_from_flat(x: &[DVec3; 4]) -> f64 {
    let normal1 = (x[0] - x[2]).cross(x[0] - x[3]);
    let normal2 = (x[1] - x[3]).cross(x[1] - x[2]);
    let (square1, square2) = (normal1.length_squared(), normal2.length_squared());
    let least = 1e-10 * x[2].distance_squared(x[3]);
    if !(square1 > least * least && square2 > least * least) {
        return 0.0;
    }
    let (area, dot) = ((square1 * square2).sqrt(), normal1.dot(normal2));
    // 1 - cos θ; near flat a difference would cancel, and sin²θ/(1 + cos θ) does not.
    let open =
        if dot > 0.0 { normal1.cross(normal2).length_squared() / (area * (area + dot)) } else { 1.0 - dot / area };
    // sin²(θ/2) = ½ (1 - cos θ), and 1 - c = s²/(1 + c).
    let square = (0.5 * open).min(1.0);
    2.0 * square / (1.0 + (1.0 - square).sqrt())
}

impl Hinge {
    /// The energy [J] at sin(θ/2) and cos(θ/2).
    #[inline]
    fn energy_at(&self, sine: f64, cosine: f64) -> f64 {
        let s0 = self.rest_sine;
        let c0 = (1.0 - s0 * s0).max(0.0).sqrt();
        // 2 (c0 - c) written without cancellation: c0 - c = (s² - s0²)/(c0 + c).
        let bent = 2.0 * (sine * sine - s0 * s0) / (c0 + cosine).max(f64::MIN_POSITIVE);
        let turned = if s0 == 0.0 { 0.0 } else { 2.0 * (asin(sine) - asin(s0)) * s0 };
        self.stiffness * (bent - turned)
    }
}

impl Element<4> for Hinge {
    fn particles(&self) -> [u32; 4] {
        self.particles
    }

    #[inline]
    fn respond(&self, x: &[DVec3; 4]) -> Response<4> {
        let Some(frame) = HingeFrame::of(x) else { return Response::none(0.0) };
        let sine = frame.half_sine();
        let cosine = (1.0 - sine * sine).max(0.0).sqrt();
        Response {
            energy: self.energy_at(sine, cosine),
            tension: self.stiffness * (sine - self.rest_sine),
            stiffness: 0.5 * self.stiffness * cosine,
            gradient: frame.angle_gradient(x),
            across: 0.0,
        }
    }

    /// Without the gradient, which costs more than all the rest.
    fn energy(&self, x: &[DVec3; 4]) -> f64 {
        // Most hinges are flat at rest.
        if self.rest_sine == 0.0 {
            return self.stiffness * bend_from_flat(x);
        }
        let Some(frame) = HingeFrame::of(x) else { return 0.0 };
        let sine = frame.half_sine();
        self.energy_at(sine, (1.0 - sine * sine).max(0.0).sqrt())
    }

    fn hessian(&self, x: &[DVec3; 4]) -> Blocks<4> {
        let Some(frame) = HingeFrame::of(x) else { return [[DMat3::ZERO; 4]; 4] };
        let sine = frame.half_sine();
        let mut hessian = rank_one(0.5 * self.stiffness * (1.0 - sine * sine).max(0.0).sqrt(), &frame.mode(x));
        let moment = self.stiffness * (sine - self.rest_sine);
        for (row, mode_row) in hessian.iter_mut().zip(frame.mode_jacobian(x)) {
            for (block, mode_block) in row.iter_mut().zip(mode_row) {
                *block -= mode_block * moment;
            }
        }
        hessian
    }

    fn damping(&self) -> f64 {
        self.damping
    }
}
