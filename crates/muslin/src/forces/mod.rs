//! Forces (METHODS §1). Each kind of element is a file of pure functions on a few points; the loops over a model are
//! here in [`total`] and nowhere else.
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

/// An elastic element with a damper along the same coordinate.
pub trait Element<const N: usize> {
    /// Its particles.
    fn particles(&self) -> [u32; N];

    /// Its energy [J].
    fn energy(&self, x: &[DVec3; N]) -> f64;

    /// The forces on its particles [N]: the negative gradient of the energy.
    fn force(&self, x: &[DVec3; N]) -> [DVec3; N];

    /// The Hessian of the energy [N/m]: the negative Jacobian of the force. May be indefinite.
    fn hessian(&self, x: &[DVec3; N]) -> Blocks<N>;

    /// The Hessian without what could make it indefinite [N/m]: what the implicit integrators use.
    fn safe_hessian(&self, x: &[DVec3; N]) -> Blocks<N>;

    /// Gradient ∂q/∂x of its coordinate: 1 for lengths [1], per metre for angles [1/m].
    fn gradient(&self, x: &[DVec3; N]) -> [DVec3; N];

    /// Damping constant c along the coordinate: [N·s/m] for lengths, [N·m·s] for angles.
    fn damping(&self) -> f64;

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
