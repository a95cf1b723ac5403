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
//! Cloths that may touch each other in a step are an island: they take the same substeps, and are retried together.
//! All others have substeps and retries of their own, and move as they do alone.
//!
//! | file | what |
//! |---|---|
//! | `joining` | which cloths are an island |
//! | `island`, `cloth` | an island of cloths through one step: plan, attempt, judge; its part for each cloth |
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
mod island;
mod joining;
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
use self::island::{Island, IslandMemory};
use self::joining::Joining;
use self::retry::Trial;
use self::substeps::StepPlan;
pub(crate) use self::tethers::{Tether, tethers_of};
use crate::contact::{Sheet, Solids};
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
    joining: Joining,
    /// Memory of the islands that begin with each cloth.
    islands: Vec<IslandMemory>,
    /// Whether cloth meets cloth.
    own: bool,
    /// Of the last step, one per cloth.
    accounts: Vec<Account>,
}

/// One cloth, independent of those that it does not touch.
#[derive(Debug)]
struct Alone {
    /// Among all.
    number: usize,
    model: Model,
    state: State,
    drivers: Drivers,
    solids: Solids,
    solver: ClothSolver,
    sheet: Sheet,
    /// Velocities at the start of the step [m/s], those of pinned particles the ones that take them to their targets.
    velocity: Vec<DVec3>,
    /// How often substeps were doubled, in the step before and then in this one.
    doublings: u32,
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
                number: cloth,
                state: State::start(&model),
                drivers: Drivers::default(),
                // Promises are about the triangles of a mesh, whatever a grid makes of them.
                solids: Solids::exact(&model),
                solver: ClothSolver::new(own, settings, &model),
                sheet: Sheet::new(&model),
                velocity: Vec::with_capacity(model.len()),
                doublings: 0,
                particles,
                edges,
                model,
            }
        };
        let count = model.cloths.len();
        Self {
            cloths: (0..count).map(alone).collect(),
            joining: Joining::default(),
            islands: (0..count).map(|_| IslandMemory::default()).collect(),
            own: settings.contact.own,
            accounts: vec![Account::default(); count],
        }
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
        self.cloths.iter_mut().for_each(|alone| alone.begin(context));
        self.joining.expect(&mut self.cloths, self.own, context);
        let mut work = self.step_islands(context)?;
        while self.joining.correct(&mut self.cloths, self.own) {
            self.cloths.iter_mut().for_each(|alone| alone.begin(context));
            work = self.step_islands(context)?;
        }
        next.doublings.clone_from(&context.state.doublings);
        for (alone, account) in self.cloths.iter_mut().zip(&mut self.accounts) {
            *account = alone.solver.account;
            next.doublings[alone.number] = alone.doublings;
            next.x[alone.particles.clone()].copy_from_slice(&alone.solver.end);
            next.v[alone.particles.clone()].copy_from_slice(&alone.solver.velocity);
        }
        Ok(work)
    }

    /// Takes each island through the step, on threads of their own.
    fn step_islands(&mut self, whole: StepContext<'_>) -> Result<Work, StepError> {
        let own = self.own;
        if let ([alone], [memory]) = (&mut self.cloths[..], &mut self.islands[..]) {
            return Island { cloths: &mut [alone], memory, whole, own }.step();
        }
        let mut islands: Vec<(Vec<&mut Alone>, &mut IslandMemory)> =
            self.islands.iter_mut().map(|memory| (Vec::new(), memory)).collect();
        for (number, alone) in self.cloths.iter_mut().enumerate() {
            islands[self.joining.first(number)].0.push(alone);
        }
        islands.retain(|(cloths, _)| !cloths.is_empty());
        let done: Vec<_> =
            islands.par_iter_mut().map(|(cloths, memory)| Island { cloths, memory, whole, own }.step()).collect();
        let mut work = Work::default();
        for island in done {
            work.add(&island?);
        }
        Ok(work)
    }
}

impl AsRef<Sheet> for Alone {
    fn as_ref(&self) -> &Sheet {
        &self.sheet
    }
}

impl AsMut<Sheet> for Alone {
    fn as_mut(&mut self) -> &mut Sheet {
        &mut self.sheet
    }
}

impl Alone {
    /// Takes its part of the state and of what drives it.
    fn begin(&mut self, whole: StepContext<'_>) {
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
        self.doublings = whole.state.doublings[self.number];
        let context = StepContext { model: &self.model, state: &self.state, drivers: &self.drivers, ..whole };
        self.solids.begin(&self.model, context.surroundings(), context.h);
        self.velocity.clear();
        self.velocity.extend((0..self.model.len()).map(|i| context.constrained(i, self.state.v[i])));
    }

    /// Does something with its solver in a step of its own.
    fn with<T>(
        &mut self,
        whole: StepContext<'_>,
        act: impl FnOnce(&mut ClothSolver, StepContext<'_>, &mut Solids) -> T,
    ) -> T {
        let Self { model, state, drivers, solids, solver, .. } = self;
        act(solver, StepContext { model, state, drivers, ..whole }, solids)
    }

    /// How to divide the step.
    fn plan(&mut self, whole: StepContext<'_>) -> StepPlan {
        let Self { model, state, drivers, solids, solver, velocity, .. } = self;
        solver.substeps.plan(StepContext { model, state, drivers, ..whole }, solids, velocity)
    }

    /// Starts an attempt.
    fn start(&mut self, whole: StepContext<'_>, plan: &StepPlan, trial: Trial) {
        let Self { model, state, drivers, solver, velocity, .. } = self;
        solver.substeps.start(StepContext { model, state, drivers, ..whole }, plan, velocity, trial);
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
