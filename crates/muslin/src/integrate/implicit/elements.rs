//! The elastic elements of a model as an implicit step sees them: energy and force in one pass over a pose, then, from
//! what that pass left behind, their blocks of the Hessian.
//!
//! ```text
//! block (i, j) of the safe Hessian:   E'' g_i g_jᵀ,   for lengths  (E'' - t) g_i g_jᵀ ± t I,  t = max(E'/|d|, 0)
//! block (i, j) of the damping:        c g_i g_jᵀ                                               g = ∂q/∂x
//! ```

use glam::{DMat3, DVec3};

use crate::forces::total::gather;
use crate::forces::{Element, outer};
use crate::linalg::{BlockMatrix, Pattern};
use crate::model::Model;

/// All elements.
#[derive(Debug)]
pub(super) struct Elements {
    springs: ElementSet<2>,
    choi_ko: ElementSet<2>,
    corners: ElementSet<3>,
    hinges: ElementSet<4>,
}

impl Elements {
    pub(super) fn new(model: &Model, pattern: &Pattern) -> Self {
        Self {
            springs: ElementSet::new(&model.springs, pattern),
            choi_ko: ElementSet::new(&model.choi_ko, pattern),
            corners: ElementSet::new(&model.corners, pattern),
            hinges: ElementSet::new(&model.hinges, pattern),
        }
    }

    /// The elastic energy at the positions `x` [J]; adds its forces [N] to `force`.
    pub(super) fn evaluate(&mut self, model: &Model, x: &[DVec3], force: &mut [DVec3]) -> f64 {
        self.springs.evaluate(&model.springs, x, force)
            + self.choi_ko.evaluate(&model.choi_ko, x, force)
            + self.corners.evaluate(&model.corners, x, force)
            + self.hinges.evaluate(&model.hinges, x, force)
    }

    /// Adds the safe Hessian at the pose last evaluated.
    pub(super) fn add_stiffness(&self, model: &Model, matrix: &mut BlockMatrix) {
        self.springs.add_stiffness(&model.springs, matrix);
        self.choi_ko.add_stiffness(&model.choi_ko, matrix);
        self.corners.add_stiffness(&model.corners, matrix);
        self.hinges.add_stiffness(&model.hinges, matrix);
    }

    /// Adds the dampers at the pose last evaluated.
    pub(super) fn add_dampers(&self, model: &Model, matrix: &mut BlockMatrix) {
        self.springs.add_dampers(&model.springs, matrix);
        self.choi_ko.add_dampers(&model.choi_ko, matrix);
        self.corners.add_dampers(&model.corners, matrix);
        self.hinges.add_dampers(&model.hinges, matrix);
    }
}

/// The elements on N particles of one kind.
#[derive(Debug)]
struct ElementSet<const N: usize> {
    couplings: Couplings<N>,
    /// What each does at the pose last evaluated.
    stiffness: Vec<Stiffness<N>>,
}

/// The part of a [`crate::forces::Response`] that a Hessian is made of.
#[derive(Debug, Clone, Copy)]
struct Stiffness<const N: usize> {
    along: f64,
    across: f64,
    gradient: [DVec3; N],
}

impl<const N: usize> ElementSet<N> {
    fn new(elements: &[impl Element<N>], pattern: &Pattern) -> Self {
        let couplings = Couplings::new(pattern, elements.iter().map(Element::particles));
        let nothing = Stiffness { along: 0.0, across: 0.0, gradient: [DVec3::ZERO; N] };
        Self { couplings, stiffness: vec![nothing; elements.len()] }
    }

    fn evaluate(&mut self, elements: &[impl Element<N>], x: &[DVec3], force: &mut [DVec3]) -> f64 {
        let mut energy = 0.0;
        for (element, stiffness) in elements.iter().zip(&mut self.stiffness) {
            let particles = element.particles();
            let response = element.respond(&gather(x, particles));
            energy += response.energy;
            for (i, g) in particles.into_iter().zip(response.gradient) {
                force[i as usize] -= g * response.tension;
            }
            *stiffness =
                Stiffness { along: response.stiffness, across: response.across.max(0.0), gradient: response.gradient };
        }
        energy
    }

    fn add_stiffness(&self, elements: &[impl Element<N>], matrix: &mut BlockMatrix) {
        for (k, (element, stiffness)) in elements.iter().zip(&self.stiffness).enumerate() {
            let Stiffness { along, across, gradient } = stiffness;
            self.couplings.add_rank_one(k, element.particles(), along - across, gradient, matrix);
            if *across > 0.0 {
                self.couplings.add_pairwise(k, element.particles(), *across, matrix);
            }
        }
    }

    fn add_dampers(&self, elements: &[impl Element<N>], matrix: &mut BlockMatrix) {
        for (k, (element, stiffness)) in elements.iter().zip(&self.stiffness).enumerate() {
            if element.damping() > 0.0 {
                self.couplings.add_rank_one(k, element.particles(), element.damping(), &stiffness.gradient, matrix);
            }
        }
    }
}

/// Where the blocks between the particles of each group are stored: N (N - 1)/2 places a group.
#[derive(Debug)]
pub(super) struct Couplings<const N: usize> {
    slots: Vec<u32>,
}

impl<const N: usize> Couplings<N> {
    const PAIRS: usize = N * (N - 1) / 2;

    pub(super) fn new(pattern: &Pattern, groups: impl Iterator<Item = [u32; N]>) -> Self {
        let mut slots = Vec::new();
        for particles in groups {
            for (k, &i) in particles.iter().enumerate() {
                slots.extend(particles[k + 1..].iter().map(|&j| pattern.slot(i, j)));
            }
        }
        Self { slots }
    }

    /// The storage places of group `k`, in the order (0, 1), (0, 2), … (1, 2), ….
    pub(super) fn slots(&self, k: usize) -> &[u32] {
        &self.slots[k * Self::PAIRS..(k + 1) * Self::PAIRS]
    }

    /// Adds `factor · g gᵀ` to the blocks of group `k`.
    fn add_rank_one(&self, k: usize, particles: [u32; N], factor: f64, g: &[DVec3; N], matrix: &mut BlockMatrix) {
        let mut slots = self.slots(k).iter();
        for (a, &i) in particles.iter().enumerate() {
            let scaled = g[a] * factor;
            matrix.add_diagonal(i as usize, outer(scaled, g[a]));
            for ((&j, other), &slot) in particles[a + 1..].iter().zip(&g[a + 1..]).zip(&mut slots) {
                matrix.add(slot, if i < j { outer(scaled, *other) } else { outer(*other, scaled) });
            }
        }
    }

    /// Adds `factor · I` to the diagonal blocks of group `k` and takes it from the blocks between two.
    fn add_pairwise(&self, k: usize, particles: [u32; N], factor: f64, matrix: &mut BlockMatrix) {
        let block = DMat3::from_diagonal(DVec3::splat(factor));
        for i in particles {
            matrix.add_diagonal(i as usize, block);
        }
        for &slot in self.slots(k) {
            matrix.add(slot, -block);
        }
    }
}
