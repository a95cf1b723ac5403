//! Bending connections to the second neighbour that buckle at once.
//!
//! Stretched, the connection is a linear spring. Compressed, it is an arc of its rest length l0 whose curvature κ
//! follows from the distance of its ends:
//!
//! ```text
//! |d| ≥ l0:  T = k (|d| - l0)
//! |d| < l0:  |d|/l0 = sinc(κ l0/2),  f_b = k_b κ² / (cos(κ l0/2) - sinc(κ l0/2)) < 0,  T = max(f_b, c_b (|d| - l0))
//! f_a = T n,  f_b = -f_a;   energy of the arc ½ k_b κ² l0, whose derivative by |d| is f_b
//! ```
//!
//! k, c_b [N/m], k_b [N·m²] (bending rigidity × width), κ [1/m]. Source: Choi & Ko 2002, as used in [Ye08]. At κ → 0
//! the force is -12 k_b/l0²; the slope c_b joins it to zero, so that the force is continuous. The energies of the two
//! branches are joined where they cross.

use glam::DVec3;
use libm::{cos, sin, sqrt};

use super::{Blocks, Element, Response, length_hessian};

/// A Choi–Ko bending connection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChoiKo {
    /// First particle.
    pub a: u32,
    /// Second particle.
    pub b: u32,
    /// Rest length l0 [m].
    rest: f64,
    /// Stiffness when stretched, k [N/m].
    stiffness: f64,
    /// Bending constant k_b [N·m²].
    bending: f64,
    /// Slope c_b of the passage from straight to buckled [N/m].
    passage: f64,
    /// Damping k_d [N·s/m].
    damping: f64,
    /// What the arc's energy is lowered by, so that the branches join [J].
    offset: f64,
    /// Length at which the branches cross [m].
    crossing: f64,
}

/// Compression at which a connection has its full buckling force: chosen small enough to buckle at once, large enough
/// to keep the slope c_b = 1200 k_b/l0³ in reach of an implicit solver.
const PASSAGE_COMPRESSION: f64 = 0.01;

impl ChoiKo {
    /// A connection of rest length `rest` [m] with bending constant `bending` [N·m²]; it resists stretch as it resists
    /// the first percent of compression.
    pub fn new(a: u32, b: u32, rest: f64, bending: f64, damping_time: f64) -> Self {
        let passage = 12.0 * bending / (PASSAGE_COMPRESSION * rest * rest * rest);
        let mut element =
            Self { a, b, rest, stiffness: passage, bending, passage, damping: 0.0, offset: 0.0, crossing: rest };
        element.damping = damping_time * passage;
        if bending > 0.0 {
            element.crossing = element.find_crossing();
            let excess = element.crossing - rest;
            element.offset = element.arc_energy(element.crossing) - 0.5 * passage * excess * excess;
        }
        element
    }

    /// The length at which the passage meets the arc's force, by bisection: the passage is steeper everywhere.
    fn find_crossing(&self) -> f64 {
        let (mut low, mut high) = (0.5 * self.rest, self.rest);
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if self.passage * (middle - self.rest) > self.arc_force(middle).0 { high = middle } else { low = middle }
        }
        high
    }

    /// κ l0/2 from |d|: the root s in (0, π) of sin s = r s, r = |d|/l0 < 1, by Newton from a close start.
    fn half_arc(&self, length: f64) -> f64 {
        let r = (length / self.rest).clamp(0.0, 1.0);
        let mut s =
            if r > 0.3 { sqrt((10.0 - sqrt(120.0 * r - 20.0)).max(0.0)) } else { std::f64::consts::PI / (1.0 + r) };
        for _ in 0..6 {
            let slope = cos(s) - r;
            if slope.abs() < 1e-12 {
                break;
            }
            s -= (sin(s) - r * s) / slope;
        }
        s
    }

    /// Force f_b [N] of the arc and its derivative by |d| [N/m].
    fn arc_force(&self, length: f64) -> (f64, f64) {
        let s = self.half_arc(length);
        if s < 1e-4 {
            return (-12.0 * self.bending / (self.rest * self.rest), 0.0);
        }
        let kappa = 2.0 * s / self.rest;
        let denominator = cos(s) - sin(s) / s;
        let denominator_slope = -sin(s) - denominator / s;
        let force = self.bending * kappa * kappa / denominator;
        let force_by_kappa = self.bending
            * (2.0 * kappa / denominator
                - kappa * kappa * denominator_slope * 0.5 * self.rest / (denominator * denominator));
        let length_by_kappa = self.rest / kappa * denominator;
        (force, force_by_kappa / length_by_kappa)
    }

    fn arc_energy(&self, length: f64) -> f64 {
        let kappa = 2.0 * self.half_arc(length) / self.rest;
        0.5 * self.bending * kappa * kappa * self.rest
    }

    fn energy_at(&self, length: f64) -> f64 {
        if length >= self.crossing {
            let stiffness = if length >= self.rest { self.stiffness } else { self.passage };
            0.5 * stiffness * (length - self.rest) * (length - self.rest)
        } else {
            self.arc_energy(length) - self.offset
        }
    }

    /// Tension T [N] and its derivative by |d| [N/m].
    fn tension(&self, length: f64) -> (f64, f64) {
        if length >= self.rest {
            (self.stiffness * (length - self.rest), self.stiffness)
        } else if length >= self.crossing {
            (self.passage * (length - self.rest), self.passage)
        } else {
            self.arc_force(length)
        }
    }
}

impl Element<2> for ChoiKo {
    fn particles(&self) -> [u32; 2] {
        [self.a, self.b]
    }

    fn respond(&self, x: &[DVec3; 2]) -> Response<2> {
        let d = x[1] - x[0];
        let length = d.length();
        let (tension, slope) = self.tension(length);
        let n = d.normalize_or_zero();
        Response {
            energy: self.energy_at(length),
            tension,
            stiffness: slope.max(0.0),
            gradient: [-n, n],
            across: tension / length.max(f64::MIN_POSITIVE),
        }
    }

    fn hessian(&self, x: &[DVec3; 2]) -> Blocks<2> {
        let d = x[1] - x[0];
        let (tension, slope) = self.tension(d.length());
        length_hessian(d.normalize_or_zero(), slope, tension / d.length().max(f64::MIN_POSITIVE))
    }

    fn damping(&self) -> f64 {
        self.damping
    }
}
