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

use glam::{DMat3, DVec3};

use super::StepContext;
use crate::drivers::Freedom;
use crate::forces::total::{self, gather};
use crate::forces::{Element, rank_one};
use crate::linalg::{BlockMatrix, ConjugateGradients, Pattern, dot};
use crate::model::Model;
use crate::report::Work;
use crate::settings::Newton;

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
    slots: Slots,
    /// M/τ² + D/τ: constant during a step.
    constant: BlockMatrix,
    damping: BlockMatrix,
    hessian: BlockMatrix,
    wind_force: Vec<DVec3>,
    x_start: Vec<DVec3>,
    v_start: Vec<DVec3>,
    x_guess: Vec<DVec3>,
    v_guess: Vec<DVec3>,
    x: Vec<DVec3>,
    trial: Vec<DVec3>,
    velocity: Vec<DVec3>,
    drag: Vec<DVec3>,
    gradient: Vec<DVec3>,
    direction: Vec<DVec3>,
    cg: ConjugateGradients,
}

/// Storage places of each element's blocks.
#[derive(Debug)]
struct Slots {
    springs: Vec<u32>,
    choi_ko: Vec<u32>,
    corners: Vec<u32>,
    hinges: Vec<u32>,
    air: Vec<u32>,
}

impl ImplicitSolver {
    pub(super) fn new(model: &Model) -> Self {
        let pairs: Vec<[u32; 2]> =
            model.springs.iter().map(Element::particles).chain(model.choi_ko.iter().map(Element::particles)).collect();
        let corners = model.corners.iter().map(|corner| &corner.particles[..]);
        let hinges = model.hinges.iter().map(|hinge| &hinge.particles[..]);
        let air = model.air_triangles.iter().map(|triangle| &triangle.particles[..]);
        let groups = pairs.iter().map(|pair| &pair[..]).chain(corners).chain(hinges).chain(air);
        let pattern = Pattern::new(model.len(), groups);
        let slots = Slots {
            springs: slots_of(&pattern, model.springs.iter().map(Element::particles)),
            choi_ko: slots_of(&pattern, model.choi_ko.iter().map(Element::particles)),
            corners: slots_of(&pattern, model.corners.iter().map(Element::particles)),
            hinges: slots_of(&pattern, model.hinges.iter().map(Element::particles)),
            air: slots_of(&pattern, model.air_triangles.iter().map(|triangle| triangle.particles)),
        };
        let zeros = || vec![DVec3::ZERO; model.len()];
        Self {
            slots,
            constant: BlockMatrix::zero(pattern.clone()),
            damping: BlockMatrix::zero(pattern.clone()),
            hessian: BlockMatrix::zero(pattern),
            wind_force: zeros(),
            x_start: zeros(),
            v_start: zeros(),
            x_guess: zeros(),
            v_guess: zeros(),
            x: zeros(),
            trial: zeros(),
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
        let model = context.model;
        self.place_guess(context, tau);
        self.assemble_damping(model, context.end_time());
        self.assemble_constant(model, tau);
        let mut work = Work { unsolved: true, ..Work::default() };
        let mut value = self.objective(model, tau);
        while work.newton_rounds < newton.max_newton {
            self.assemble_gradient(context, tau);
            if self.imbalance(context, tau) <= newton.tolerance {
                work.unsolved = false;
                break;
            }
            work.newton_rounds += 1;
            work.cg_iterations += self.find_direction(context, newton.max_cg);
            if newton.max_newton == 1 {
                add_scaled(&mut self.x, &self.direction, 1.0);
                work.unsolved = false;
                break;
            }
            let Some(lower) = self.search_line(model, tau, value) else {
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
        self.hessian.copy_from(&self.damping);
        self.hessian.scale(tau);
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
            self.gradient[i] = (self.gradient[i] - self.drag[i]) * tau;
        }
        let filter = |i, v| context.drivers.filter(i, v);
        let max = 10 * model.len() as u32 + 100;
        let outcome =
            self.cg.solve(&self.hessian, &self.gradient, filter, CG_TOLERANCE_ALONE, max, &mut self.direction);
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
        add_dampers(&model.springs, &self.slots.springs, &self.x_guess, &mut self.damping);
        add_dampers(&model.choi_ko, &self.slots.choi_ko, &self.x_guess, &mut self.damping);
        add_dampers(&model.corners, &self.slots.corners, &self.x_guess, &mut self.damping);
        add_dampers(&model.hinges, &self.slots.hinges, &self.x_guess, &mut self.damping);
        let wind = model.air.wind_at(time);
        for i in 0..model.len() {
            let drag = model.air.particle_drag * model.particle_area[i];
            let rate = model.damping_rate[i] * model.mass[i] + drag;
            self.damping.add_diagonal(i, DMat3::from_diagonal(DVec3::splat(rate)));
            self.wind_force[i] += wind * drag;
        }
        for (triangle, slots) in model.air_triangles.iter().zip(self.slots.air.chunks_exact(9)) {
            let velocity = gather(&self.v_guess, triangle.particles).into_iter().sum::<DVec3>() / 3.0 - wind;
            let drag = triangle.drag_matrix(model.air.density, &gather(&self.x_guess, triangle.particles), velocity);
            for &slot in slots {
                self.damping.add(slot, drag * (1.0 / 9.0));
            }
            for i in triangle.particles {
                self.wind_force[i as usize] += drag * wind / 3.0;
            }
        }
    }

    fn assemble_constant(&mut self, model: &Model, tau: f64) {
        self.constant.copy_from(&self.damping);
        self.constant.scale(1.0 / tau);
        for (i, mass) in model.mass.iter().enumerate() {
            self.constant.add_diagonal(i, DMat3::from_diagonal(DVec3::splat(mass / (tau * tau))));
        }
    }

    /// Φ at the positions in `self.x` [J].
    fn objective(&mut self, model: &Model, tau: f64) -> f64 {
        let mut inertia = 0.0;
        for i in 0..model.len() {
            let off = self.x[i] - self.x_start[i] - self.v_start[i] * tau;
            inertia += model.mass[i] * off.length_squared();
            self.velocity[i] = (self.x[i] - self.x_start[i]) / tau;
        }
        self.damping.multiply(&self.velocity, &mut self.drag);
        let dissipation = 0.5 * dot(&self.velocity, &self.drag) - dot(&self.velocity, &self.wind_force);
        inertia / (2.0 * tau * tau) + total::potential_energies(model, &self.x).potential() + tau * dissipation
    }

    /// -∇Φ into `self.gradient` [N]; needs `self.drag`, which [`Self::objective`] left there.
    fn assemble_gradient(&mut self, context: StepContext<'_>, tau: f64) {
        let model = context.model;
        self.gradient.copy_from_slice(&self.wind_force);
        total::add_conservative(model, &self.x, &mut self.gradient);
        for i in 0..model.len() {
            let off = self.x[i] - self.x_start[i] - self.v_start[i] * tau;
            let sum = self.gradient[i] - self.drag[i] - off * (model.mass[i] / (tau * tau));
            self.gradient[i] = context.drivers.filter(i, sum);
        }
    }

    /// The greatest velocity by which a particle is off balance [m/s].
    fn imbalance(&self, context: StepContext<'_>, tau: f64) -> f64 {
        let off = |i: usize| context.drivers.response(context.model, i, self.gradient[i]).length() * tau;
        // `max` would pass over NaN.
        (0..self.x.len()).map(off).fold(0.0, |worst, off| if off <= worst { worst } else { off })
    }

    /// Newton's direction into `self.direction`; returns the conjugate-gradient iterations it took.
    fn find_direction(&mut self, context: StepContext<'_>, max_cg: u32) -> u32 {
        let model = context.model;
        self.hessian.copy_from(&self.constant);
        add_stiffness(&model.springs, &self.slots.springs, &self.x, &mut self.hessian);
        add_stiffness(&model.choi_ko, &self.slots.choi_ko, &self.x, &mut self.hessian);
        add_stiffness(&model.corners, &self.slots.corners, &self.x, &mut self.hessian);
        add_stiffness(&model.hinges, &self.slots.hinges, &self.x, &mut self.hessian);
        let filter = |i, v| context.drivers.filter(i, v);
        let outcome = self.cg.solve(&self.hessian, &self.gradient, filter, CG_TOLERANCE, max_cg, &mut self.direction);
        outcome.map_or(0, |done| done.iterations)
    }

    /// Moves `self.x` along the direction to a lower Φ, and returns it; none when there is none within rounding.
    fn search_line(&mut self, model: &Model, tau: f64, value: f64) -> Option<f64> {
        let slope = -dot(&self.gradient, &self.direction);
        self.trial.copy_from_slice(&self.x);
        let mut length = 1.0;
        for _ in 0..MAX_HALVINGS {
            add_scaled(&mut self.x, &self.direction, length);
            let lower = self.objective(model, tau);
            if lower <= value + SUFFICIENT_DECREASE * length * slope {
                return Some(lower);
            }
            self.x.copy_from_slice(&self.trial);
            length *= 0.5;
        }
        self.objective(model, tau);
        None
    }
}

fn add_scaled(target: &mut [DVec3], direction: &[DVec3], factor: f64) {
    for (target, direction) in target.iter_mut().zip(direction) {
        *target += *direction * factor;
    }
}

fn slots_of<const N: usize>(pattern: &Pattern, elements: impl Iterator<Item = [u32; N]>) -> Vec<u32> {
    let mut slots = Vec::new();
    for particles in elements {
        for i in particles {
            slots.extend(particles.iter().map(|&j| pattern.slot(i, j)));
        }
    }
    slots
}

fn add_blocks<const N: usize>(matrix: &mut BlockMatrix, slots: &[u32], blocks: &[[DMat3; N]; N]) {
    for (slot, block) in slots.iter().zip(blocks.iter().flatten()) {
        matrix.add(*slot, *block);
    }
}

fn add_stiffness<const N: usize>(elements: &[impl Element<N>], slots: &[u32], x: &[DVec3], matrix: &mut BlockMatrix) {
    for (element, slots) in elements.iter().zip(slots.chunks_exact(N * N)) {
        add_blocks(matrix, slots, &element.safe_hessian(&gather(x, element.particles())));
    }
}

fn add_dampers<const N: usize>(elements: &[impl Element<N>], slots: &[u32], x: &[DVec3], matrix: &mut BlockMatrix) {
    for (element, slots) in elements.iter().zip(slots.chunks_exact(N * N)) {
        if element.damping() > 0.0 {
            let gradient = element.gradient(&gather(x, element.particles()));
            add_blocks(matrix, slots, &rank_one(element.damping(), &gradient));
        }
    }
}
