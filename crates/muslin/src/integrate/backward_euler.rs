//! Backward Euler: xⁿ⁺¹ = xⁿ + h vⁿ⁺¹, vⁿ⁺¹ = vⁿ + h M⁻¹ f(xⁿ⁺¹, vⁿ⁺¹).
//!
//! Source: Baraff & Witkin 1998, as in [Ye08]. There the equations are linearised and solved once (`max_newton = 1`);
//! muslin goes on with Newton rounds and a line search until they hold, because at large steps one linear solve lets
//! turning springs stretch, and the energy that appears so is not small.

use super::implicit::{ImplicitSolver, Start};
use super::{StepContext, StepVelocities};
use crate::report::Work;
use crate::settings::Newton;

pub(super) fn predict(
    solver: &mut ImplicitSolver,
    newton: &Newton,
    context: StepContext<'_>,
    motion: &mut StepVelocities,
) -> Work {
    let StepContext { model, state, h, .. } = context;
    solver.set_start(model.len(), |i| Start { x: state.x[i], v: state.v[i], v_guess: state.v[i] });
    let work = solver.solve(context, h, newton);
    for i in 0..model.len() {
        motion.velocity[i] = context.constrained(i, (solver.solution()[i] - state.x[i]) / h);
        motion.end_velocity[i] = motion.velocity[i];
    }
    work
}
