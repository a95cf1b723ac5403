//! BDF2, the two-step backward differentiation formula.
//!
//! ```text
//! xⁿ⁺¹ = (4xⁿ - xⁿ⁻¹)/3 + ⅔ h vⁿ⁺¹,   vⁿ⁺¹ = (4vⁿ - vⁿ⁻¹)/3 + ⅔ h M⁻¹ f(xⁿ⁺¹, vⁿ⁺¹)
//! ```
//!
//! This is backward Euler with the step ⅔ h from (4xⁿ - xⁿ⁻¹)/3, (4vⁿ - vⁿ⁻¹)/3, and is solved as such. Limiters then
//! move xⁿ⁺¹, and the end velocity is vⁿ⁺¹ = (3xⁿ⁺¹ - 4xⁿ + xⁿ⁻¹)/(2h), so that it includes what limiters did. The
//! first step, and a step after one of another length, is backward Euler. Second order, damps only fast motion.

use glam::DVec3;

use super::implicit::{ImplicitSolver, Start};
use super::{StepContext, StepVelocities, backward_euler};
use crate::report::Work;
use crate::settings::Newton;
use crate::state::Before;

/// The step before, if it can be built upon.
fn usable<'a>(context: &StepContext<'a>) -> Option<&'a Before> {
    context.state.before.as_ref().filter(|before| (before.step - context.h).abs() <= 1e-9 * context.h)
}

pub(super) fn predict(
    solver: &mut ImplicitSolver,
    newton: &Newton,
    context: StepContext<'_>,
    motion: &mut StepVelocities,
) -> Work {
    let StepContext { model, state, h, .. } = context;
    let Some(before) = usable(&context) else { return backward_euler::predict(solver, newton, context, motion) };
    solver.set_start(model.len(), |i| Start {
        x: (4.0 * state.x[i] - before.x[i]) / 3.0,
        v: (4.0 * state.v[i] - before.v[i]) / 3.0,
        v_guess: 2.0 * state.v[i] - before.v[i],
    });
    let work = solver.solve(context, 2.0 / 3.0 * h, newton);
    for i in 0..model.len() {
        motion.velocity[i] = context.constrained(i, (solver.solution()[i] - state.x[i]) / h);
        motion.end_velocity[i] = motion.velocity[i];
    }
    work
}

pub(super) fn finish(context: StepContext<'_>, motion: &StepVelocities, x: &[DVec3], v: &mut Vec<DVec3>) {
    match usable(&context) {
        None => v.extend_from_slice(&motion.end_velocity),
        Some(before) => {
            let two_steps = 2.0 * context.h;
            v.extend((0..x.len()).map(|i| (3.0 * x[i] - 4.0 * context.state.x[i] + before.x[i]) / two_steps));
        }
    }
}
