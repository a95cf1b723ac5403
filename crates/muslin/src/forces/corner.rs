//! Angular shear springs: they pull the corner of a quad to a right angle.
//!
//! ```text
//! r1 = x1 - x3, r2 = x2 - x3, θ the angle between them
//! u1 = r1×(r1×r2) / (|r1| |r1×(r1×r2)|),  u2 = (r1×r2)×r2 / (|r2| |(r1×r2)×r2|),  u3 = -u1 - u2      (u = +∂θ/∂x)
//! f_i = k cosθ u_i - k_d (Σ u·v) u_i,   energy k (1 - sinθ)
//! ```
//!
//! k [N·m], k_d [N·m·s]. Source: [YWG05]. With a = r1, b = r2, â, b̂ their directions, n = a×b/|a×b|, t1 = â×n,
//! t2 = n×b̂:
//!
//! ```text
//! ∂²θ/∂a² = (cotθ n nᵀ - t1 âᵀ - â t1ᵀ)/|a|²,   ∂²θ/∂a∂b = -n nᵀ/(|a||b| sinθ),   ∂²θ/∂b² alike
//! ```
//!
//! Safe Hessian: k sinθ u uᵀ alone. A corner folded to a line (sinθ = 0) has no plane, and no force.

use glam::{DMat3, DVec3};

use super::{Blocks, Element, Response, outer, rank_one};

/// An angular shear spring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// `[x1, x2, x3]`, the corner at `x3`.
    pub particles: [u32; 3],
    /// Stiffness k [N·m].
    pub stiffness: f64,
    /// Damping k_d [N·m·s].
    pub damping: f64,
}

/// The angle's sine and cosine, and the frame its derivatives are written in.
struct CornerFrame {
    a: DVec3,
    b: DVec3,
    a_length: f64,
    b_length: f64,
    normal: DVec3,
    sin: f64,
    cos: f64,
}

impl CornerFrame {
    /// None when the corner is folded to a line or a side has no length.
    fn of(x: &[DVec3; 3]) -> Option<Self> {
        let (r1, r2) = (x[0] - x[2], x[1] - x[2]);
        let (a_length, b_length) = (r1.length(), r2.length());
        let normal = r1.cross(r2);
        let sin = normal.length() / (a_length * b_length);
        // Not `sin <= …`: a side of length 0 makes the sine NaN, and that is no corner either.
        if !(sin > 1e-9) {
            return None;
        }
        let (a, b) = (r1 / a_length, r2 / b_length);
        Some(Self { a, b, a_length, b_length, normal: normal.normalize(), sin, cos: a.dot(b) })
    }

    fn gradient(&self) -> [DVec3; 3] {
        let u1 = self.a.cross(self.normal) / self.a_length;
        let u2 = self.normal.cross(self.b) / self.b_length;
        [u1, u2, -u1 - u2]
    }

    fn angle_hessian(&self) -> Blocks<3> {
        let nn = outer(self.normal, self.normal);
        let same = |direction: DVec3, across: DVec3, length: f64| {
            (nn * (self.cos / self.sin) - outer(across, direction) - outer(direction, across))
                * (length * length).recip()
        };
        let h11 = same(self.a, self.a.cross(self.normal), self.a_length);
        let h22 = same(self.b, self.normal.cross(self.b), self.b_length);
        let h12 = -nn * (self.a_length * self.b_length * self.sin).recip();
        [[h11, h12, -h11 - h12], [h12, h22, -h12 - h22], [-h11 - h12, -h12 - h22, h11 + h22 + h12 * 2.0]]
    }
}

impl Element<3> for Corner {
    fn particles(&self) -> [u32; 3] {
        self.particles
    }

    #[inline]
    fn respond(&self, x: &[DVec3; 3]) -> Response<3> {
        let k = self.stiffness;
        let Some(frame) = CornerFrame::of(x) else { return Response::none(k) };
        Response {
            energy: k * (1.0 - frame.sin),
            tension: -k * frame.cos,
            stiffness: k * frame.sin,
            gradient: frame.gradient(),
            across: 0.0,
        }
    }

    fn hessian(&self, x: &[DVec3; 3]) -> Blocks<3> {
        let Some(frame) = CornerFrame::of(x) else { return [[DMat3::ZERO; 3]; 3] };
        let mut hessian = rank_one(self.stiffness * frame.sin, &frame.gradient());
        for (row, angle_row) in hessian.iter_mut().zip(frame.angle_hessian()) {
            for (block, angle_block) in row.iter_mut().zip(angle_row) {
                *block += angle_block * (-self.stiffness * frame.cos);
            }
        }
        hessian
    }

    fn damping(&self) -> f64 {
        self.damping
    }
}
