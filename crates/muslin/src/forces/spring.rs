//! Linear springs with a stiffness-proportional damper.
//!
//! ```text
//! E = ½ k (|d| - l0)²        d = x_b - x_a, n = d/|d|
//! f_a = k (|d| - l0) n + k_d n (n · (v_b - v_a)),  f_b = -f_a
//! Hessian block (a, a) = k n nᵀ + k (1 - l0/|d|) (I - n nᵀ),  (a, b) = -(a, a)
//! ```
//!
//! k [N/m], l0 [m], k_d [N·s/m]. Source: [Slides], [Ye08]. Departures: the slides drop the ½ of the energy and print
//! the damper with the other sign. A spring of zero rest length is linear, k I everywhere; at |d| = 0 a spring with
//! l0 > 0 has no direction, and no force. Safe Hessian: the part across n is dropped under compression, where it is
//! negative.

use glam::DVec3;

use super::{Blocks, Element, Response, length_hessian};

/// A linear spring between two particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// First particle.
    pub a: u32,
    /// Second particle.
    pub b: u32,
    /// Rest length l0 [m].
    pub rest: f64,
    /// Stiffness k [N/m].
    pub stiffness: f64,
    /// Damping k_d [N·s/m].
    pub damping: f64,
    /// What it stands for.
    pub kind: SpringKind,
}

/// What a spring stands for: which part of the energy it counts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpringKind {
    /// A structural edge.
    Stretch,
    /// A diagonal.
    Shear,
    /// A second neighbour, or a weak spring.
    Bending,
}

impl Element<2> for Spring {
    fn particles(&self) -> [u32; 2] {
        [self.a, self.b]
    }

    #[inline]
    fn respond(&self, x: &[DVec3; 2]) -> Response<2> {
        let d = x[1] - x[0];
        let length = d.length();
        let tension = self.stiffness * (length - self.rest);
        let energy = 0.5 * tension * (length - self.rest);
        if length == 0.0 {
            let across = if self.rest == 0.0 { self.stiffness } else { 0.0 };
            return Response { stiffness: across, across, ..Response::none(energy) };
        }
        let per_length = length.recip();
        let n = d * per_length;
        Response { energy, tension, stiffness: self.stiffness, gradient: [-n, n], across: tension * per_length }
    }

    fn hessian(&self, x: &[DVec3; 2]) -> Blocks<2> {
        let Response { stiffness, gradient, across, .. } = self.respond(x);
        length_hessian(gradient[1], stiffness, across)
    }

    fn damping(&self) -> f64 {
        self.damping
    }
}
