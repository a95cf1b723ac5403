//! The explicit integrators.
//!
//! ```text
//! a = M⁻¹ f(xⁿ, vⁿ)                         mean velocity      end velocity
//! explicit Euler                            vⁿ                 vⁿ + h a
//! symplectic Euler                          vⁿ + h a           vⁿ + h a
//! exact for constant force [BB08]           vⁿ + h/2 a         vⁿ + h a
//! ```
//!
//! On an undamped spring of frequency ω explicit Euler grows energy by about h²ω² a step, the exact step by half of
//! that; symplectic Euler is stable up to h = 2/ω.

use glam::DVec3;

use super::{StepContext, StepVelocities};
use crate::forces::total;
use crate::settings::Integrator;

/// Working memory of the explicit integrators.
#[derive(Debug, Clone, Default)]
pub(super) struct Explicit {
    force: Vec<DVec3>,
}

impl Explicit {
    pub(super) fn predict(&mut self, method: Integrator, context: StepContext<'_>, motion: &mut StepVelocities) {
        let StepContext { model, state, h, .. } = context;
        self.force.clear();
        self.force.resize(model.len(), DVec3::ZERO);
        total::add_conservative(model, &state.x, &mut self.force);
        total::add_dissipative(model, &state.x, &state.v, context.wind(state.time), &mut self.force);
        for pull in context.pulls() {
            let force = &mut self.force[pull.particle];
            *force += context.force_of(pull, *force);
        }
        let fraction = match method {
            Integrator::ExplicitEuler => 0.0,
            Integrator::Exact => 0.5,
            _ => 1.0,
        };
        for i in 0..model.len() {
            let kick = context.drivers.response(model, i, self.force[i] * h);
            motion.velocity[i] = context.constrained(i, state.v[i] + kick * fraction);
            motion.end_velocity[i] = context.constrained(i, state.v[i] + kick);
        }
    }
}
