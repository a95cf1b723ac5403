//! Limits that hold after every step, checked.
//!
//! ```text
//! a step h is n substeps of h/n, each:   u = last displacement + (h/n)² (g + f/m);   q = x + u     f held forces [N]
//!     one sweep over tethers and rows along the directions at x: rows longer than l0 become as long as l0
//!     u = q - x;   x = q                                   (pinned particles move on straight lines to their targets)
//! accept when |x_b - x_a| <= (1 + α) l0 for EVERY edge; else sweep positions alone, velocities unchanged;
//! else n := 2n, again
//! ```
//!
//! muslin's own. Rows aim at the rest length l0 [m], and the limit α is what a step is judged by: one sweep leaves a
//! rest of what a substep adds. Springs are part of the rows (`lanes`), softer forces are held for several substeps
//! (`held`). Directions at the start of a substep keep linear and angular momentum; velocities come from displacements
//! of substeps so short that they damp little. Nothing watches energy here: it is measured outside. When doubling runs
//! out the step is refused, with the edges and pins that contradict each other.
//!
//! Every cloth has its own substeps and retries: it moves as it does alone.
//!
//! | file | what |
//! |---|---|
//! | `cloth` | one cloth through one step: plan, attempt, judge |
//! | `retry` | what is tried next for which trouble |
//! | `substeps`, `intervals` | the substeps, and the intervals of them in which contact is verified |
//! | `network`, `tethers`, `cables` | rows, tethers and cables; `groups`, `lanes` make rows fast |
//! | `held`, `hinges`, `bending`, `filter`, `soft` | forces held for several substeps: hinges, stiff ones, and others |
//! | `planes` | contact planes |
//! | `blame`, `paths` | why a step is refused; distances along edges |

mod bending;
mod blame;
mod cables;
mod cloth;
mod filter;
mod groups;
mod held;
mod hinges;
mod intervals;
mod lanes;
mod network;
mod paths;
mod planes;
mod retry;
mod soft;
mod substeps;
mod tethers;

use std::ops::Range;

use glam::DVec3;
use rayon::prelude::*;

use self::cloth::ClothSolver;
pub(crate) use self::hinges::hinge_stencil;
pub(crate) use self::tethers::{Tether, tethers_of};
use crate::contact::Solids;
use crate::drivers::Drivers;
use crate::energy::Account;
use crate::error::{Apart, StepError};
use crate::inputs::Pull;
use crate::integrate::StepContext;
use crate::measure::EdgeStrain;
use crate::model::Model;
use crate::report::Work;
use crate::settings::{Certified, Settings};
use crate::state::State;

/// The method with its working memory.
#[derive(Debug)]
pub(crate) struct Certifier {
    cloths: Vec<Alone>,
    /// Of the last step, one per cloth.
    accounts: Vec<Account>,
}

/// One cloth, independent of the others.
#[derive(Debug)]
struct Alone {
    model: Model,
    state: State,
    drivers: Drivers,
    solids: Solids,
    solver: ClothSolver,
    /// Velocities at the start of the step [m/s], those of pinned particles the ones that take them to their targets.
    velocity: Vec<DVec3>,
    outcome: Result<Work, StepError>,
    /// Its particles and edges among all.
    particles: Range<usize>,
    edges: Range<usize>,
}

impl Certifier {
    pub(crate) fn new(own: Certified, settings: &Settings, model: &Model) -> Self {
        let alone = |cloth: usize| {
            let part = &model.cloths[cloth];
            let (particles, edges) = (part.particles.clone(), part.edges.clone());
            let model = model.alone(cloth);
            Alone {
                state: State::start(&model),
                drivers: Drivers::default(),
                // Promises are about the triangles of a mesh, whatever a grid makes of them.
                solids: Solids::exact(&model),
                solver: ClothSolver::new(own, settings, &model),
                velocity: Vec::with_capacity(model.len()),
                outcome: Ok(Work::default()),
                particles,
                edges,
                model,
            }
        };
        let count = model.cloths.len();
        Self { cloths: (0..count).map(alone).collect(), accounts: vec![Account::default(); count] }
    }

    /// Forgets that earlier steps ended clear of every solid.
    pub(crate) fn forget(&mut self) {
        self.cloths.iter_mut().for_each(|alone| alone.solver.forget());
    }

    /// Work done on each cloth in the last step, and what its elements hold.
    pub(crate) fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    /// Takes all cloths through a step, to positions and velocities of `next`, and doublings for the step after it.
    pub(crate) fn step(&mut self, context: StepContext<'_>, next: &mut State) -> Result<Work, StepError> {
        let step = |(alone, doublings): (&mut Alone, &mut u32)| alone.step(context, doublings);
        next.doublings.clone_from(&context.state.doublings);
        match (&mut self.cloths[..], &mut next.doublings[..]) {
            // One cloth needs no threads.
            ([alone], [doublings]) => step((alone, doublings)),
            (several, doublings) => several.par_iter_mut().zip(doublings.par_iter_mut()).for_each(step),
        }
        let mut work = Work::default();
        for (alone, account) in self.cloths.iter_mut().zip(&mut self.accounts) {
            work.add(&std::mem::replace(&mut alone.outcome, Ok(Work::default()))?);
            *account = alone.solver.account;
            next.x[alone.particles.clone()].copy_from_slice(&alone.solver.end);
            next.v[alone.particles.clone()].copy_from_slice(&alone.solver.velocity);
        }
        Ok(work)
    }
}

impl Alone {
    fn step(&mut self, whole: StepContext<'_>, doublings: &mut u32) {
        let range = self.particles.clone();
        (self.state.time, self.state.step) = (whole.state.time, whole.state.step);
        self.state.x.copy_from_slice(&whole.state.x[range.clone()]);
        self.state.v.copy_from_slice(&whole.state.v[range.clone()]);
        self.drivers.freedom.clear();
        self.drivers.freedom.extend_from_slice(&whole.drivers.freedom[range.clone()]);
        self.drivers.target.clear();
        self.drivers.target.extend_from_slice(&whole.drivers.target[range]);
        self.state.given.clone_from(&whole.state.given);
        self.drivers.given.clone_from(&whole.drivers.given);
        self.drivers.pulls.clear();
        let own = whole.drivers.pulls.iter().filter(|pull| self.particles.contains(&pull.particle));
        self.drivers.pulls.extend(own.map(|pull| Pull { particle: pull.particle - self.particles.start, ..*pull }));
        let context = StepContext { model: &self.model, state: &self.state, drivers: &self.drivers, ..whole };
        self.solids.begin(&self.model, context.surroundings(), context.h);
        self.velocity.clear();
        self.velocity.extend((0..self.model.len()).map(|i| context.constrained(i, self.state.v[i])));
        let outcome = self.solver.step(context, &mut self.solids, &self.velocity, doublings);
        self.outcome = outcome.map_err(|error| self.among_all(error));
    }

    /// An error with particles and edges as they are counted among all.
    fn among_all(&self, error: StepError) -> StepError {
        match error {
            StepError::Unkept { step, limit, mut edges, apart, pressing } => {
                for EdgeStrain { edge, .. } in &mut edges {
                    *edge += self.edges.start;
                }
                let first = self.particles.start;
                let apart =
                    apart.map(|apart| Apart { first: apart.first + first, second: apart.second + first, ..apart });
                StepError::Unkept { step, limit, edges, apart, pressing }
            }
            StepError::NotFinite { particle, quantity, value, stage, step } => {
                StepError::NotFinite { particle: particle + self.particles.start, quantity, value, stage, step }
            }
            other => other,
        }
    }
}
