//! Forces (`docs/methods/forces.md`). Each kind of element is a file of pure functions on a few points; the loops over
//! a model are here in [`total`] and nowhere else.
//!
//! Every elastic element depends on its particles through one coordinate q (a length or an angle):
//!
//! ```text
//! energy E(q) [J]    force f_i = -E'(q) ∂q/∂x_i [N]    Hessian ∂²E/∂x_i∂x_j = E'' ∂q/∂x_i ∂q/∂x_jᵀ + E' ∂²q/∂x_i∂x_j
//! damper             f_i = -c (Σ_j ∂q/∂x_j · v_j) ∂q/∂x_i      acts on the rate of q only: rigid motion is left alone
//! ```

mod air;
mod choi_ko;
mod corner;
mod hinge;
mod spring;
pub mod total;

use glam::{DMat3, DVec3};

pub use air::{Air, AirTriangle};
pub use choi_ko::ChoiKo;
pub use corner::Corner;
pub use hinge::{Hinge, dihedral_gradient, half_angle_sine};
pub use spring::{Spring, SpringKind};

/// A block matrix on the N particles of an element.
pub type Blocks<const N: usize> = [[DMat3; N]; N];

/// What an element does at one pose, all found together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Response<const N: usize> {
    /// E(q) [J].
    pub energy: f64,
    /// E'(q): [N] for lengths, [N·m] for angles.
    pub tension: f64,
    /// E''(q), never negative: [N/m] for lengths, [N·m] for angles.
    pub stiffness: f64,
    /// ∂q/∂x: 1 for lengths [1], per metre for angles [1/m].
    pub gradient: [DVec3; N],
    /// E'/|d| [N/m] of a length |d| between two particles: resists motion across it. 0 for angles, whose ∂²q/∂x² is not
    /// given here.
    pub across: f64,
}

impl<const N: usize> Response<N> {
    /// That of an element which does nothing at a degenerate pose.
    pub(crate) fn none(energy: f64) -> Self {
        Self { energy, tension: 0.0, stiffness: 0.0, gradient: [DVec3::ZERO; N], across: 0.0 }
    }
}

/// How the particles of an element move, and for how long its force acts.
#[derive(Debug, Clone, Copy)]
pub struct Moving<const N: usize> {
    /// Velocities [m/s].
    pub v: [DVec3; N],
    /// Inverse masses [1/kg].
    pub w: [f64; N],
    /// τ [s].
    pub span: f64,
}

/// The bounded force of an element with a tension, a stiffness and a damping.
#[inline]
fn bounded<const N: usize>([t, k, d]: [f64; 3], gradient: [DVec3; N], moving: &Moving<N>) -> [DVec3; N] {
    let Moving { v, w, span } = moving;
    let (mut rate, mut inverse_mass) = (0.0, 0.0);
    for ((g, v), w) in gradient.iter().zip(v).zip(w) {
        rate += g.dot(*v);
        inverse_mass += w * g.length_squared();
    }
    let overshoot = (k * span + d) * span * inverse_mass;
    // Not `max`: what is not a number must not become one.
    let bound = if overshoot <= 1.0 { 1.0 } else { overshoot };
    gradient.map(|g| g * (-(t + d * rate) / bound))
}

/// An elastic element with a damper along the same coordinate.
pub trait Element<const N: usize> {
    /// Its particles.
    fn particles(&self) -> [u32; N];

    /// Energy, force and safe stiffness at once.
    fn respond(&self, x: &[DVec3; N]) -> Response<N>;

    /// The Hessian of the energy [N/m]: the negative Jacobian of the force. May be indefinite.
    fn hessian(&self, x: &[DVec3; N]) -> Blocks<N>;

    /// Damping constant c along the coordinate: [N·s/m] for lengths, [N·m·s] for angles.
    fn damping(&self) -> f64;

    /// Its energy [J].
    fn energy(&self, x: &[DVec3; N]) -> f64 {
        self.respond(x).energy
    }

    /// The forces on its particles [N]: the negative gradient of the energy.
    fn force(&self, x: &[DVec3; N]) -> [DVec3; N] {
        let response = self.respond(x);
        response.gradient.map(|g| g * -response.tension)
    }

    /// The forces on its particles [N], those of the damper included, as far as they can act for a time without
    /// overshooting.
    ///
    /// ```text
    /// f = -(T + D q̇) g / max(1, (k τ² + D τ) Σ w |g|²)
    /// ```
    ///
    /// τ [s] is that time, w are inverse masses [1/kg]; T tension, k stiffness, D damping, g gradient of the element.
    /// An element that is about to lose its shape, as a hinge whose triangles have hardly any area, has forces without
    /// bound; over that time they would throw it further than it is out of its rest.
    fn bounded_force(&self, x: &[DVec3; N], moving: &Moving<N>) -> [DVec3; N] {
        let Response { tension, stiffness, gradient, .. } = self.respond(x);
        bounded([tension, stiffness, self.damping()], gradient, moving)
    }

    /// The Hessian without what could make it indefinite [N/m]: what the implicit integrators use.
    fn safe_hessian(&self, x: &[DVec3; N]) -> Blocks<N> {
        let Response { stiffness, gradient, across, .. } = self.respond(x);
        let across = across.max(0.0);
        let mut blocks = rank_one(stiffness - across, &gradient);
        for (i, row) in blocks.iter_mut().enumerate() {
            for (j, block) in row.iter_mut().enumerate() {
                *block += DMat3::from_diagonal(DVec3::splat(if i == j { across } else { -across }));
            }
        }
        blocks
    }

    /// Gradient ∂q/∂x of its coordinate: 1 for lengths [1], per metre for angles [1/m].
    fn gradient(&self, x: &[DVec3; N]) -> [DVec3; N] {
        self.respond(x).gradient
    }

    /// Forces of the damper [N] at the velocities `v` [m/s].
    fn damping_force(&self, x: &[DVec3; N], v: &[DVec3; N]) -> [DVec3; N] {
        let gradient = self.gradient(x);
        let rate: f64 = gradient.iter().zip(v).map(|(g, v)| g.dot(*v)).sum();
        gradient.map(|g| -self.damping() * rate * g)
    }
}

/// The outer product a bᵀ.
pub(crate) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The matrix of the cross product: `cross_matrix(a) * b == a.cross(b)`.
pub(crate) fn cross_matrix(a: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, a.z, -a.y), DVec3::new(-a.z, 0.0, a.x), DVec3::new(a.y, -a.x, 0.0))
}

/// The block matrix `factor · g gᵀ`.
pub(crate) fn rank_one<const N: usize>(factor: f64, g: &[DVec3; N]) -> Blocks<N> {
    g.map(|gi| g.map(|gj| outer(gi * factor, gj)))
}

/// Hessian of an element on two particles that acts along their connection: `along` = E'' and `across` = E'/|d|.
pub(crate) fn length_hessian(n: DVec3, along: f64, across: f64) -> Blocks<2> {
    let nn = outer(n, n);
    let block = nn * along + (DMat3::IDENTITY - nn) * across;
    [[block, -block], [-block, block]]
}
