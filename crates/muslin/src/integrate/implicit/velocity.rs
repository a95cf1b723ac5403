//! Forces that depend on velocity: their matrix D, and the linear step of methods that are implicit in them alone,
//!
//! ```text
//! (M + τ D) v = M v₀ + τ (f(x) + b)
//! ```
//!
//! with the elastic forces f known. Pinned particles move as prescribed; what their motion drags along is on the right
//! side.

use glam::{DMat3, DVec3};

use super::{ImplicitSolver, add_scaled, constraint};
use crate::drivers::Freedom;
use crate::forces::total::gather;
use crate::integrate::StepContext;
use crate::report::Work;

/// Relative accuracy of the linear solve, which is the whole step.
const CG_TOLERANCE: f64 = 1e-9;

impl ImplicitSolver {
    /// Solves (M + τ D) v = M v₀ + τ (f(x) + b) for v: elastic forces known, velocity-dependent ones implicit.
    pub(in crate::integrate) fn velocity_step(
        &mut self,
        context: StepContext<'_>,
        x: &[DVec3],
        v_start: &[DVec3],
        time: f64,
        tau: f64,
    ) -> Work {
        let model = context.model;
        self.x.copy_from_slice(x);
        self.v_guess.copy_from_slice(v_start);
        self.evaluate_elements(model);
        self.assemble_damping(context, time);
        self.hessian.set_scaled(&self.damping, tau);
        // Pinned particles move as prescribed; what their motion drags along goes to the right side.
        for i in 0..model.len() {
            let pinned = context.drivers.freedom[i] == Freedom::Fixed;
            self.velocity[i] = if pinned { context.driven_velocity(i) } else { v_start[i] };
        }
        self.damping.multiply(&self.velocity, &mut self.drag);
        for i in 0..model.len() {
            self.hessian.add_diagonal(i, DMat3::from_diagonal(DVec3::splat(model.mass[i])));
            let force = self.force[i] + self.wind_force[i] - self.drag[i] + model.gravity * model.mass[i];
            self.gradient[i] = context.drivers.filter(i, force * tau);
        }
        self.hessian.constrain(|i| constraint(context, i));
        let max = 10 * model.len() as u32 + 100;
        self.cg.interrupt.clone_from(context.interrupt);
        let outcome = self.cg.solve(&self.hessian, &self.gradient, CG_TOLERANCE, max, &mut self.direction);
        self.x.copy_from_slice(&self.velocity);
        add_scaled(&mut self.x, &self.direction, 1.0);
        match outcome {
            Ok(done) => Work { cg_iterations: done.iterations, unsolved: !done.converged, ..Work::default() },
            Err(_) => Work { unsolved: true, ..Work::default() },
        }
    }

    /// D and b at the pose last evaluated and the time `time` [s].
    pub(super) fn assemble_damping(&mut self, context: StepContext<'_>, time: f64) {
        let model = context.model;
        self.damping.clear();
        self.wind_force.fill(DVec3::ZERO);
        self.elements.add_dampers(model, &mut self.damping);
        self.add_pulls(context);
        let wind = context.wind(time);
        for i in 0..model.len() {
            let drag = model.air.particle_drag * model.particle_area[i];
            let rate = model.damping_rate[i] * model.mass[i] + drag;
            self.damping.add_diagonal(i, DMat3::from_diagonal(DVec3::splat(rate)));
            self.wind_force[i] += wind * drag;
        }
        for (k, triangle) in model.air_triangles.iter().enumerate() {
            let velocity = gather(&self.v_guess, triangle.particles).into_iter().sum::<DVec3>() / 3.0 - wind;
            let drag = triangle.drag_matrix(model.air.density, &gather(&self.x, triangle.particles), velocity);
            for &slot in self.air.slots(k) {
                self.damping.add(slot, drag * (1.0 / 9.0));
            }
            for i in triangle.particles {
                self.damping.add_diagonal(i as usize, drag * (1.0 / 9.0));
                self.wind_force[i as usize] += drag * wind / 3.0;
            }
        }
    }

    /// Adds pulls to D and b: as springs with dampers, or where that would be more than their cap as constant forces.
    fn add_pulls(&mut self, context: StepContext<'_>) {
        let StepContext { model, state, h, .. } = context;
        for pull in context.pulls() {
            let i = pull.particle;
            let force = context.force_of(pull, model.gravity * model.mass[i]);
            if force.length() < pull.cap * (1.0 - 1e-9) {
                self.wind_force[i] += (pull.target - state.x[i]) * pull.stiffness + pull.force;
                let rate = pull.damping + pull.stiffness * h;
                self.damping.add_diagonal(i, DMat3::from_diagonal(DVec3::splat(rate)));
            } else {
                self.wind_force[i] += force;
            }
        }
    }
}
