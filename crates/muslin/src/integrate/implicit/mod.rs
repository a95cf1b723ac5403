//! The equations of an implicit step, solved as a minimisation.
//!
//! A step of backward Euler type from x̂, v̂ over the time τ minimises over the end positions x, with v = (x - x̂)/τ,
//!
//! ```text
//! Φ(x) = |x - x̂ - τ v̂|²_M / (2τ²) + E(x) + τ/2 vᵀ D v - τ vᵀ b
//! ∇Φ   = M (x - x̂ - τ v̂)/τ² - f(x) + D v - b          ∇²Φ ≈ M/τ² + K(x) + D/τ
//! ```
//!
//! E: elastic and gravity energy [J], f = -∇E, K its safe Hessian; D [N·s/m]: dampers and air, at positions and
//! velocities foreseen for the end of the step, so that they are linear and symmetric; b [N]: what the wind adds.
//! Newton rounds with conjugate gradients; since K is made positive semidefinite, each direction descends, and a line
//! search on Φ makes every round safe at any step. Pinned particles are at their targets; filters C keep the others to
//! their constraints.
//!
//! Rounds end with one that changes no velocity by more than the tolerance, nor by more than a small fraction of what
//! the step has changed already: slow motion would not be slow if a step left out what is below the tolerance. The
//! imbalance
//! |∇Φ| τ/m says less: where springs are stiff it is thousands of times the velocity that is really missing. The last
//! round solves its linear system well: a rough solve gets stiff motion right first, and would leave soft motion, the
//! bending of a stiff cloth, where it was.

mod elements;
mod velocity;

use glam::{DMat3, DVec3};

use super::StepContext;
use crate::drivers::Freedom;
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
    /// Expected end velocity [m/s].
    pub(super) v_guess: DVec3,
}

/// Relative accuracy of the linear solves of Newton rounds, but for the last.
const CG_TOLERANCE: f64 = 1e-1;
/// Relative accuracy of the linear solve of the last round.
const CG_TOLERANCE_LAST: f64 = 1e-3;
/// Relative accuracy of a linear solve that is the only one.
const CG_TOLERANCE_ALONE: f64 = 1e-4;
/// The last round may change velocities by this fraction of the greatest change of the step's rounds.
const LAST_FRACTION: f64 = 0.1;
/// A step whose imbalance is below this fraction of the tolerance needs no round: its particles are at rest or in free
/// flight.
const REST_FRACTION: f64 = 1e-4;
/// Fraction of the promised decrease that a line search insists on (Armijo).
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
    v_guess: Vec<DVec3>,
    x: Vec<DVec3>,
    /// Where a line search started.
    x_before: Vec<DVec3>,
    velocity: Vec<DVec3>,
    drag: Vec<DVec3>,
    /// Elastic energy [J] and forces [N] at the pose last evaluated.
    energy: f64,
    force: Vec<DVec3>,
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
            v_guess: zeros(),
            x: zeros(),
            x_before: zeros(),
            velocity: zeros(),
            drag: zeros(),
            energy: 0.0,
            force: zeros(),
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
            let Start { x, v, v_guess } = start(i);
            self.x_start[i] = x;
            self.v_start[i] = v;
            self.v_guess[i] = v_guess;
        }
    }

    /// Solves the step over the time `tau` [s] to the tolerance of `newton`.
    pub(super) fn solve(&mut self, context: StepContext<'_>, tau: f64, newton: &Newton) -> Work {
        self.place_guess(context);
        self.evaluate_elements(context.model);
        self.assemble_damping(context, context.end_time());
        let mut value = self.balance(context, tau);
        let mut work = Work { unsolved: true, ..Work::default() };
        let mut greatest_change = 0.0_f64;
        let mut accuracy = if newton.max_newton == 1 { CG_TOLERANCE_ALONE } else { CG_TOLERANCE };
        while work.unsolved && work.newton_rounds < newton.max_newton && !context.interrupt.asked() {
            if self.imbalance(context, tau) <= REST_FRACTION * newton.tolerance {
                work.unsolved = false;
                break;
            }
            work.newton_rounds += 1;
            work.cg_iterations += self.find_direction(context, tau, accuracy, newton.max_cg);
            let change = self.change(tau);
            if change == 0.0 {
                // Off balance, yet nowhere to go: the numbers are beyond what the linear solve can handle.
                break;
            }
            greatest_change = greatest_change.max(change);
            let small = change <= newton.tolerance.min(LAST_FRACTION * greatest_change);
            if newton.max_newton == 1 || (small && accuracy <= CG_TOLERANCE_LAST) {
                // Within the tolerance, a direction that descends needs no search.
                add_scaled(&mut self.x, &self.direction, 1.0);
                work.unsolved = false;
                break;
            }
            if small {
                accuracy = CG_TOLERANCE_LAST;
            }
            if let Some(lower) = self.search_line(context, tau, value) {
                value = lower;
            } else {
                // No lower value within rounding: this is the minimum to the precision of f64.
                work.unsolved = change > newton.tolerance;
                break;
            }
        }
        work
    }

    /// Starts from where the velocities lead, pinned particles at their targets.
    fn place_guess(&mut self, context: StepContext<'_>) {
        for i in 0..context.model.len() {
            self.x[i] = match context.drivers.freedom[i] {
                Freedom::Fixed => context.drivers.target[i],
                freedom => context.state.x[i] + freedom.filter(context.state.v[i] * context.h),
            };
        }
    }

    /// Elastic energy and forces at the positions in `self.x`.
    fn evaluate_elements(&mut self, model: &Model) {
        self.force.fill(DVec3::ZERO);
        self.energy = self.elements.evaluate(model, &self.x, &mut self.force);
    }

    /// Φ at the positions in `self.x` [J]; leaves -∇Φ [N] in `self.gradient`. Needs the elements evaluated there.
    fn balance(&mut self, context: StepContext<'_>, tau: f64) -> f64 {
        let model = context.model;
        for (i, velocity) in self.velocity.iter_mut().enumerate() {
            *velocity = (self.x[i] - self.x_start[i]) / tau;
        }
        self.damping.multiply(&self.velocity, &mut self.drag);
        let (mut inertia, mut height, mut dissipation) = (0.0, 0.0, 0.0);
        for i in 0..model.len() {
            let mass = model.mass[i];
            let off = self.velocity[i] - self.v_start[i];
            inertia += mass * off.length_squared();
            height -= mass * model.gravity.dot(self.x[i] - model.start[i]);
            dissipation += self.velocity[i].dot(self.drag[i] * 0.5 - self.wind_force[i]);
            let outer = self.wind_force[i] - self.drag[i] + (model.gravity - off / tau) * mass;
            self.gradient[i] = context.drivers.filter(i, self.force[i] + outer);
        }
        0.5 * inertia + self.energy + height + tau * dissipation
    }

    /// The greatest velocity by which a particle is off balance [m/s].
    fn imbalance(&self, context: StepContext<'_>, tau: f64) -> f64 {
        let off = |i: usize| context.drivers.response(context.model, i, self.gradient[i]).length() * tau;
        // `max` would pass over NaN.
        (0..self.x.len()).map(off).fold(0.0, |worst, off| if off <= worst { worst } else { off })
    }

    /// The greatest change of a particle's velocity along the direction [m/s].
    fn change(&self, tau: f64) -> f64 {
        self.direction.iter().map(|d| d.length_squared()).fold(0.0, f64::max).sqrt() / tau
    }

    /// Newton's direction into `self.direction`; returns the conjugate-gradient iterations it took.
    fn find_direction(&mut self, context: StepContext<'_>, tau: f64, accuracy: f64, max_cg: u32) -> u32 {
        self.hessian.set_scaled(&self.damping, tau.recip());
        for (i, mass) in context.model.mass.iter().enumerate() {
            self.hessian.add_diagonal(i, DMat3::from_diagonal(DVec3::splat(mass / (tau * tau))));
        }
        self.elements.add_stiffness(context.model, &mut self.hessian);
        self.hessian.constrain(|i| constraint(context, i));
        self.cg.interrupt.clone_from(context.interrupt);
        let outcome = self.cg.solve(&self.hessian, &self.gradient, accuracy, max_cg, &mut self.direction);
        outcome.map_or(0, |done| done.iterations)
    }

    /// Moves `self.x` along the direction to a lower Φ, and returns it; none when there is none within rounding.
    fn search_line(&mut self, context: StepContext<'_>, tau: f64, value: f64) -> Option<f64> {
        let slope = -dot(&self.gradient, &self.direction);
        self.x_before.copy_from_slice(&self.x);
        let mut length = 1.0;
        for _ in 0..MAX_HALVINGS {
            add_scaled(&mut self.x, &self.direction, length);
            self.evaluate_elements(context.model);
            let lower = self.balance(context, tau);
            if lower <= value + SUFFICIENT_DECREASE * length * slope {
                return Some(lower);
            }
            self.x.copy_from_slice(&self.x_before);
            length *= 0.5;
        }
        self.evaluate_elements(context.model);
        self.balance(context, tau);
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
