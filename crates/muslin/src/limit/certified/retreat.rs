//! Going back where a step has gained more energy than there is motion to take it from.
//!
//! Repairs lift cloth that hangs, and rows that shorten pull cloth that spins towards its centre; both need work that nobody
//! does. Lengths are convex in positions, so every point between the step's start and its end is within the limits too:
//!
//! ```text
//! held    x = x_start + t (x_end - x_start),   v = 0
//! free    x = y + t (x_end - y),   v: the rigid motion with the momenta of the end;   y: the start, moved and turned as a whole
//! ```
//!
//! t is the greatest in [0, 1], by bisection, with no more energy than allowed. At t = 0 there is none: a held cloth is
//! where it was, without motion; of all motions of a shape with given momenta the rigid one has the least energy.

use glam::{DQuat, DVec3};

use super::guard::End;
use super::rigid::Rigid;
use crate::integrate::StepContext;
use crate::measure::{edge_strain, energy_by_cloth};
use crate::model::{LimitedEdge, Model};

/// Halvings: a millionth of the way.
const HALVINGS: u32 = 20;

/// Working memory.
#[derive(Debug)]
pub(super) struct Retreat {
    /// Where t = 0 is [m].
    back: Vec<DVec3>,
    /// Positions that are tried [m].
    x: Vec<DVec3>,
    /// Velocities that are tried [m/s].
    v: Vec<DVec3>,
    energies: Vec<[f64; 2]>,
    /// The strain limit.
    stretch: f64,
}

impl Retreat {
    pub(super) fn new(model: &Model, stretch: f64) -> Self {
        let zeros = || vec![DVec3::ZERO; model.len()];
        Self { back: zeros(), x: zeros(), v: zeros(), energies: vec![[0.0; 2]; model.cloths.len()], stretch }
    }

    /// Takes a cloth back, as little as possible, until its energy is no more than `allowed` [J].
    pub(super) fn go_back(
        &mut self,
        context: StepContext<'_>,
        cloth: usize,
        free: bool,
        allowed: f64,
        end: &mut End<'_>,
    ) {
        let StepContext { model, state, h, .. } = context;
        let part = &model.cloths[cloth];
        let over = |edge: &LimitedEdge| edge_strain(edge, &state.x).is_some_and(|strain| strain > self.stretch);
        if model.edges[part.edges.clone()].iter().any(over) {
            return;
        }
        let motion = free.then(|| Rigid::of(model, part, end.x, end.v));
        match &motion {
            Some(motion) => {
                let start = Rigid::of(model, part, &state.x, &state.v);
                // About the axis of the angular momentum, which leaves the energy of the rigid motion as it is.
                let axis = motion.spin.normalize_or_zero();
                let turn = DQuat::from_scaled_axis(axis * (start.angular().dot(axis) * h));
                part.particles.clone().for_each(|i| self.back[i] = motion.centre + turn * (state.x[i] - start.centre));
            }
            None => part.particles.clone().for_each(|i| self.back[i] = state.x[i]),
        }
        let (mut within, mut beyond) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let t = 0.5 * (within + beyond);
            self.try_out(model, cloth, motion.as_ref(), t, end.x);
            energy_by_cloth(model, &self.x, &self.v, &mut self.energies);
            let enough = self.energies[cloth].iter().sum::<f64>() <= allowed;
            *(if enough { &mut within } else { &mut beyond }) = t;
        }
        self.try_out(model, cloth, motion.as_ref(), within, end.x);
        end.x[part.particles.clone()].copy_from_slice(&self.x[part.particles.clone()]);
        end.v[part.particles.clone()].copy_from_slice(&self.v[part.particles.clone()]);
    }

    /// The state at t: at rest, or with the momenta of a rigid motion.
    fn try_out(&mut self, model: &Model, cloth: usize, motion: Option<&Rigid>, t: f64, end: &[DVec3]) {
        let part = &model.cloths[cloth];
        for i in part.particles.clone() {
            self.x[i] = self.back[i].lerp(end[i], t);
            self.v[i] = DVec3::ZERO;
        }
        if let Some(motion) = motion {
            let shape = Rigid::of(model, part, &self.x, &self.v);
            let rigid = Rigid { linear: motion.linear, spin: motion.spin, ..shape };
            part.particles.clone().for_each(|i| self.v[i] = rigid.velocity(self.x[i]));
        }
    }
}
