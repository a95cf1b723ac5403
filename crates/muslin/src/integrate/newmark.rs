//! The Newmark scheme of [JLGF17] §5.2.
//!
//! ```text
//! (1) v* = vⁿ + h/2 M⁻¹ f(xⁿ, v*)                 (2) x* = xⁿ + h v*
//! (3, 4) collisions and limits change the velocity by impulses
//! (5) ṽ½ = ṽ + h/2 M⁻¹ f(xⁿ, v*), the forces of (1)   (6) xⁿ⁺¹ = xⁿ + h ṽ½
//! (8) vⁿ⁺¹ = ṽ½ + h/2 M⁻¹ f(xⁿ⁺¹, vⁿ⁺¹)             second order; the paper prints vⁿ⁺¹ = ṽ + h M⁻¹ f(xⁿ⁺¹, vⁿ⁺¹)
//! ```
//!
//! Elastic forces are explicit, velocity-dependent ones implicit: stable for h < 2/ω. As printed, (8) replaces the
//! forces of (1) by those at the end, which leaves an error of ½ h (aⁿ⁺¹ - aⁿ) in the velocity: first order. With (8)
//! from the mid-step velocity it is the scheme of Bridson, Marino & Fedkiw 2003, second order, and that is the default;
//! the printed one is `end_velocity = "printed"`.

use glam::DVec3;

use super::implicit::ImplicitSolver;
use super::{StepContext, StepVelocities};
use crate::report::Work;
use crate::settings::{EndVelocity, Newmark};

pub(super) fn predict(solver: &mut ImplicitSolver, context: StepContext<'_>, motion: &mut StepVelocities) -> Work {
    let StepContext { model, state, h, .. } = context;
    let work = solver.velocity_step(context, &state.x, &state.v, state.time, 0.5 * h);
    for i in 0..model.len() {
        motion.velocity[i] = context.constrained(i, solver.solution()[i]);
        // Kept until the last stage: the start velocity, so that limits change it as they change the mean.
        motion.end_velocity[i] = state.v[i];
    }
    work
}

pub(super) fn finish(
    solver: &mut ImplicitSolver,
    newmark: Newmark,
    context: StepContext<'_>,
    motion: &StepVelocities,
    x: &[DVec3],
    v: &mut Vec<DVec3>,
) -> Work {
    let (from, span) = match newmark.end_velocity {
        EndVelocity::Half => (&motion.velocity, 0.5 * context.h),
        EndVelocity::Printed => (&motion.end_velocity, context.h),
    };
    let work = solver.velocity_step(context, x, from, context.end_time(), span);
    v.extend((0..x.len()).map(|i| context.constrained(i, solver.solution()[i])));
    work
}
