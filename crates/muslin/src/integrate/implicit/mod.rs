//! The equations of an implicit step, solved as a minimisation.
//!
//! A step of backward Euler type from x̂, v̂ over the time τ minimises over the end positions x, with v = (x - x̂)/τ,
//!
//! ```text
//! Φ(x) = |x - x̂ - τ v̂|²_M / (2τ²) + E(x) + τ/2 vᵀ D v - τ vᵀ b
//! ∇Φ   = M (x - x̂ - τ v̂)/τ² - f(x) + D v - b          ∇²Φ ≈ M/τ² + K(x) + D/τ
//! ```
//!
//! E: elastic and gravity energy [J], f = -∇E, K its safe Hessian; D [N·s/m]: dampers and air, at positions and velocities
//! foreseen for the end of the step, so that they are linear and symmetric; b [N]: what the wind adds. Newton rounds with
//! conjugate gradients; since K is made positive semidefinite, each direction descends, and a line search on Φ makes
//! every round safe at any step. Held particles sit at their targets; filters C keep the others to their constraints.

mod elements;

use glam::{DMat3, DVec3};

use super::StepContext;
use crate::drivers::Freedom;
use crate::forces::total::{self, gather};
use crate::linalg::{BlockMatrix, ConjugateGradients, Pattern, dot};
use crate::model::Model;
use crate::report::Work;
use crate::settings::Newton;
use elements::{Couplings, Elements};

/// Where a particle's step starts, and where it is expected to end.
pub(super) struct Start {
    /// x̂ [m].
    pub(super) x: DVec3,
    /// v̂ [m/s].
    pub(super) v: DVec3,
    /// Expected end position [m].
    pub(super) x_guess: DVec3,
    /// Expected end velocity [m/s].
    pub(super) v_guess: DVec3,
}

/// Relative accuracy of the linear solves inside Newton rounds.
const CG_TOLERANCE: f64 = 1e-1;
/// Relative accuracy of a linear solve that is the whole step.
const CG_TOLERANCE_ALONE: f64 = 1e-9;
/// Share of the promised decrease that a line search insists on (Armijo).
const SUFFICIENT_DECREASE: f64 = 1e-4;
/// Most halvings of a line search.
const MAX_HALVINGS: u32 = 30;

/// The matrices, vectors and solver of an implicit step; made once per model.
#[derive(Debug)]
pub(super) struct ImplicitSolver {
    elements: Elements,
    air: Couplings<3>,
    /// D.
    damping: BlockMatrix,
    /// ∇²Φ.
    hessian: BlockMatrix,
    wind_force: Vec<DVec3>,
    x_start: Vec<DVec3>,
    v_start: Vec<DVec3>,
    x_guess: Vec<DVec3>,
    v_guess: Vec<DVec3>,
    x: Vec<DVec3>,
    /// Where a line search started.
    x_before: Vec<DVec3>,
    velocity: Vec<DVec3>,
    drag: Vec<DVec3>,
    /// -∇Φ.
    gradient: Vec<DVec3>,
    direction: Vec<DVec3>,
    cg: ConjugateGradients,
}

impl ImplicitSolver {
    pub(super) fn new(model: &Model) -> Self {
        let pattern = pattern_of(model);
        let zeros = || vec![DVec3::ZERO; model.len()];
        Self {
            elements: Elements::new(model, &pattern),
            air: Couplings::new(&pattern, model.air_triangles.iter().map(|triangle| triangle.particles)),
            damping: BlockMatrix::zero(pattern.clone()),
            hessian: BlockMatrix::zero(pattern),
            wind_force: zeros(),
            x_start: zeros(),
            v_start: zeros(),
            x_guess: zeros(),
            v_guess: zeros(),
            x: zeros(),
            x_before: zeros(),
            velocity: zeros(),
            drag: zeros(),
            gradient: zeros(),
            direction: zeros(),
            cg: ConjugateGradients::default(),
        }
    }

    /// The end positions found by [`Self::solve`] [m], or the velocities found by [`Self::velocity_step`] [m/s].
    pub(super) fn solution(&self) -> &[DVec3] {
        &self.x
    }

    pub(super) fn set_start(&mut self, count: usize, start: impl Fn(usize) -> Start) {
        for i in 0..count {
            let Start { x, v, x_guess, v_guess } = start(i);
            self.x_start[i] = x;
            self.v_start[i] = v;
            self.x_guess[i] = x_guess;
            self.v_guess[i] = v_guess;
        }
    }

    /// Solves the step over the time `tau` [s] to the tolerance of `newton`.
    pub(super) fn solve(&mut self, context: StepContext<'_>, tau: f64, newton: &Newton) -> Work {
        self.place_guess(context, tau);
        self.assemble_damping(context.model, context.end_time());
        let mut work = Work { unsolved: true, ..Work::default() };
        let mut value = self.evaluate(context, tau);
        while work.newton_rounds < newton.max_newton {
            if self.imbalance(context, tau) <= newton.tolerance {
                work.unsolved = false;
                break;
            }
            work.newton_rounds += 1;
            work.cg_iterations += self.find_direction(context, tau, newton.max_cg);
            if newton.max_newton == 1 {
                add_scaled(&mut self.x, &self.direction, 1.0);
                work.unsolved = false;
                break;
            }
            let Some(lower) = self.search_line(context, tau, value) else {
                // No lower value within rounding: this is the minimum as far as f64 can tell.
                work.unsolved = self.imbalance(context, tau) > 100.0 * newton.tolerance;
                break;
            };
            value = lower;
        }
        work
    }

    /// Solves (M + τ D) v = M v₀ + τ (f(x) + b) for v: elastic forces known, velocity-dependent ones implicit.
    pub(super) fn velocity_step(
        &mut self,
        context: StepContext<'_>,
        x: &[DVec3],
        v_start: &[DVec3],
        time: f64,
        tau: f64,
    ) -> Work {
        let model = context.model;
        self.x_guess.copy_from_slice(x);
        self.v_guess.copy_from_slice(v_start);
        self.assemble_damping(model, time);
        self.hessian.set_scaled(&self.damping, tau);
        self.gradient.copy_from_slice(&self.wind_force);
        total::add_conservative(model, x, &mut self.gradient);
        // Held particles move as told; what their motion drags along goes to the right side.
        for i in 0..model.len() {
            let told = context.drivers.freedom[i] == Freedom::Fixed;
            self.velocity[i] = if told { context.driven_velocity(i) } else { v_start[i] };
        }
        self.damping.multiply(&self.velocity, &mut self.drag);
        for i in 0..model.len() {
            self.hessian.add_diagonal(i, DMat3::from_diagonal(DVec3::splat(model.mass[i])));
            self.gradient[i] = context.drivers.filter(i, (self.gradient[i] - self.drag[i]) * tau);
        }
        self.hessian.constrain(|i| constraint(context, i));
        let max = 10 * model.len() as u32 + 100;
        let outcome = self.cg.solve(&self.hessian, &self.gradient, CG_TOLERANCE_ALONE, max, &mut self.direction);
        self.x.copy_from_slice(&self.velocity);
        add_scaled(&mut self.x, &self.direction, 1.0);
        match outcome {
            Ok(done) => Work { cg_iterations: done.iterations, unsolved: !done.converged, ..Work::default() },
            Err(_) => Work { unsolved: true, ..Work::default() },
        }
    }

    /// Starts from where inertia would lead, held particles at their targets.
    fn place_guess(&mut self, context: StepContext<'_>, tau: f64) {
        for i in 0..context.model.len() {
            self.x[i] = match context.drivers.freedom[i] {
                Freedom::Fixed => context.drivers.target[i],
                freedom => {
                    let from = context.state.x[i];
                    from + freedom.filter(self.x_start[i] + self.v_start[i] * tau - from)
                }
            };
        }
    }

    fn assemble_damping(&mut self, model: &Model, time: f64) {
        self.damping.clear();
        self.wind_force.fill(DVec3::ZERO);
        self.elements.add_dampers(model, &self.x_guess, &mut self.damping);
        let wind = model.air.wind_at(time);
        for i in 0..model.len() {
            let drag = model.air.particle_drag * model.particle_area[i];
            let rate = model.damping_rate[i] * model.mass[i] + drag;
            self.damping.add_diagonal(i, DMat3::from_diagonal(DVec3::splat(rate)));
            self.wind_force[i] += wind * drag;
        }
        for (k, triangle) in model.air_triangles.iter().enumerate() {
            let velocity = gather(&self.v_guess, triangle.particles).into_iter().sum::<DVec3>() / 3.0 - wind;
            let drag = triangle.drag_matrix(model.air.density, &gather(&self.x_guess, triangle.particles), velocity);
            for &slot in self.air.slots(k) {
                self.damping.add(slot, drag * (1.0 / 9.0));
            }
            for i in triangle.particles {
                self.damping.add_diagonal(i as usize, drag * (1.0 / 9.0));
                self.wind_force[i as usize] += drag * wind / 3.0;
            }
        }
    }

    /// Φ at the positions in `self.x` [J]; leaves -∇Φ [N] in `self.gradient`.
    fn evaluate(&mut self, context: StepContext<'_>, tau: f64) -> f64 {
        let model = context.model;
        for (i, velocity) in self.velocity.iter_mut().enumerate() {
            *velocity = (self.x[i] - self.x_start[i]) / tau;
        }
        self.damping.multiply(&self.velocity, &mut self.drag);
        self.gradient.copy_from_slice(&self.wind_force);
        let elastic = self.elements.evaluate(model, &self.x, &mut self.gradient);
        let (mut inertia, mut height, mut dissipation) = (0.0, 0.0, 0.0);
        for i in 0..model.len() {
            let mass = model.mass[i];
            let off = self.velocity[i] - self.v_start[i];
            inertia += mass * off.length_squared();
            height -= mass * model.gravity.dot(self.x[i] - model.start[i]);
            dissipation += self.velocity[i].dot(self.drag[i] * 0.5 - self.wind_force[i]);
            let sum = self.gradient[i] - self.drag[i] + (model.gravity - off / tau) * mass;
            self.gradient[i] = context.drivers.filter(i, sum);
        }
        0.5 * inertia + elastic + height + tau * dissipation
    }

    /// The greatest velocity by which a particle is off balance [m/s].
    fn imbalance(&self, context: StepContext<'_>, tau: f64) -> f64 {
        let off = |i: usize| context.drivers.response(context.model, i, self.gradient[i]).length() * tau;
        // `max` would pass over NaN.
        (0..self.x.len()).map(off).fold(0.0, |worst, off| if off <= worst { worst } else { off })
    }

    /// Newton's direction into `self.direction`; returns the conjugate-gradient iterations it took.
    fn find_direction(&mut self, context: StepContext<'_>, tau: f64, max_cg: u32) -> u32 {
        self.hessian.set_scaled(&self.damping, tau.recip());
        for (i, mass) in context.model.mass.iter().enumerate() {
            self.hessian.add_diagonal(i, DMat3::from_diagonal(DVec3::splat(mass / (tau * tau))));
        }
        self.elements.add_stiffness(context.model, &mut self.hessian);
        self.hessian.constrain(|i| constraint(context, i));
        let outcome = self.cg.solve(&self.hessian, &self.gradient, CG_TOLERANCE, max_cg, &mut self.direction);
        outcome.map_or(0, |done| done.iterations)
    }

    /// Moves `self.x` along the direction to a lower Φ, and returns it; none when there is none within rounding.
    fn search_line(&mut self, context: StepContext<'_>, tau: f64, value: f64) -> Option<f64> {
        let slope = -dot(&self.gradient, &self.direction);
        self.x_before.copy_from_slice(&self.x);
        let mut length = 1.0;
        for _ in 0..MAX_HALVINGS {
            add_scaled(&mut self.x, &self.direction, length);
            let lower = self.evaluate(context, tau);
            if lower <= value + SUFFICIENT_DECREASE * length * slope {
                return Some(lower);
            }
            self.x.copy_from_slice(&self.x_before);
            length *= 0.5;
        }
        self.evaluate(context, tau);
        None
    }
}

/// Couplings of all elements.
fn pattern_of(model: &Model) -> Pattern {
    let springs = model.springs.iter().map(|spring| [spring.a, spring.b]);
    let pairs: Vec<[u32; 2]> = springs.chain(model.choi_ko.iter().map(|element| [element.a, element.b])).collect();
    let corners = model.corners.iter().map(|corner| &corner.particles[..]);
    let hinges = model.hinges.iter().map(|hinge| &hinge.particles[..]);
    let air = model.air_triangles.iter().map(|triangle| &triangle.particles[..]);
    let groups = pairs.iter().map(|pair| &pair[..]).chain(corners).chain(hinges).chain(air);
    Pattern::new(model.len(), groups)
}

/// The filter C of a particle that is not free.
fn constraint(context: StepContext<'_>, particle: usize) -> Option<DMat3> {
    match context.drivers.freedom[particle] {
        Freedom::Free => None,
        freedom => Some(freedom.matrix()),
    }
}

fn add_scaled(target: &mut [DVec3], direction: &[DVec3], factor: f64) {
    for (target, direction) in target.iter_mut().zip(direction) {
        *target += *direction * factor;
    }
}
