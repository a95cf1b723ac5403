//! The step that `time.step = "auto"` stands for.
//!
//! Explicit methods are stable while h < (√(μ² + 4ω²) - μ)/ω², with ω² and μ the greatest eigenvalues of M⁻¹K and M⁻¹D;
//! both are bounded from above by row sums (Gershgorin). Half of that bound is taken. Implicit methods are stable at
//! any step; theirs is chosen for accuracy.

use glam::DVec3;

use crate::forces::total::gather;
use crate::forces::{Element, Spring};
use crate::model::Model;
use crate::settings::Integrator;

/// Longest automatic step [s].
const LONGEST_STEP: f64 = 1.0 / 120.0;
/// The same for `substeps`, which cuts steps into short pieces itself: pins move on straight lines within one [s].
const LONGEST_OF_SUBSTEPS: f64 = 1.0 / 60.0;
/// Fraction of the stability bound that explicit methods take.
const SAFETY: f64 = 0.5;
/// Fraction of that again for methods that gain energy on undamped springs.
const SAFETY_OF_GROWING: f64 = 0.1;

/// A step for a method and model [s]: a whole fraction of the frame `frame` [s].
pub fn auto_step(method: &Integrator, model: &Model, frame: f64) -> f64 {
    let longest = match method {
        Integrator::Substeps => LONGEST_OF_SUBSTEPS,
        Integrator::BackwardEuler(_) | Integrator::Bdf2(_) => LONGEST_STEP,
        Integrator::SymplecticEuler | Integrator::Newmark(_) => LONGEST_STEP.min(SAFETY * stability_bound(model)),
        Integrator::ExplicitEuler | Integrator::Exact => {
            LONGEST_STEP.min(SAFETY * SAFETY_OF_GROWING * stability_bound(model))
        }
    };
    frame / (frame / longest * (1.0 - 1e-9)).ceil().max(1.0)
}

/// Longest step at which symplectic Euler is stable at the start pose, from below [s].
fn stability_bound(model: &Model) -> f64 {
    let mut rows = Rows { stiffness: vec![0.0; model.len()], damping: vec![0.0; model.len()] };
    rows.add(model, &model.springs);
    rows.add(model, &model.hinges);
    rows.bound(model)
}

/// Half of that bound for all elements but hinges and linear springs with a rest length, which `substeps` has its own
/// ways for.
pub fn step_of_soft_elements(model: &Model) -> f64 {
    let mut rows = Rows { stiffness: vec![0.0; model.len()], damping: vec![0.0; model.len()] };
    let loose: Vec<Spring> = model.springs.iter().filter(|spring| spring.rest == 0.0).copied().collect();
    rows.add(model, &loose);
    SAFETY * rows.bound(model)
}

/// Sums of the absolute entries of K and D, by particle.
struct Rows {
    stiffness: Vec<f64>,
    damping: Vec<f64>,
}

impl Rows {
    /// Longest stable step [s] with the elements added so far, corners and Choi–Ko connections.
    fn bound(mut self, model: &Model) -> f64 {
        self.add(model, &model.choi_ko);
        self.add(model, &model.corners);
        let per_mass = |sums: &[f64]| {
            let moving = sums.iter().zip(&model.mass).filter(|(_, mass)| **mass > 0.0);
            moving.map(|(sum, mass)| sum / mass).fold(0.0, f64::max)
        };
        for (damping, area) in self.damping.iter_mut().zip(&model.particle_area) {
            *damping += model.air.particle_drag * area;
        }
        let mass_damping = model.damping_rate.iter().copied().fold(0.0, f64::max);
        let (omega2, mu) = (per_mass(&self.stiffness), per_mass(&self.damping) + mass_damping);
        if omega2 == 0.0 {
            return if mu > 0.0 { 2.0 / mu } else { f64::INFINITY };
        }
        ((mu * mu + 4.0 * omega2).sqrt() - mu) / omega2
    }

    fn add<const N: usize>(&mut self, model: &Model, elements: &[impl Element<N>]) {
        for element in elements {
            let particles = element.particles();
            let x = gather(&model.start, particles);
            let hessian = element.safe_hessian(&x);
            let lengths = element.gradient(&x).map(DVec3::length);
            let sum: f64 = lengths.iter().sum();
            for (k, i) in particles.into_iter().enumerate() {
                self.stiffness[i as usize] += hessian[k].iter().map(|block| frobenius(*block)).sum::<f64>();
                self.damping[i as usize] += element.damping() * lengths[k] * sum;
            }
        }
    }
}

/// A bound of a block's spectral norm.
fn frobenius(block: glam::DMat3) -> f64 {
    block.to_cols_array().iter().map(|entry| entry * entry).sum::<f64>().sqrt()
}
