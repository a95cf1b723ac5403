//! Energy of each cloth at the end of a step, and the work done on it from outside.
//!
//! ```text
//! E = ½ Σ m v² + potential
//! E_end - E_start = work of pins, solids and air - what the cloth dissipates, over a step
//! W = ½ (F_start + F_end) · (x_end - x_start)    work of the air's forces F, wind and drag alike [J]
//! ```
//!
//! The work is force times displacement, never a difference of energies: otherwise energy from nowhere would count as
//! work. Pins and solids at rest do no work. Those that move do, but the forces on them are known to the method alone;
//! where it does not report it, the work of that step is unknown. Dampers and mass-proportional damping belong to the
//! cloth.
//!
//! `certified` solves every spring once in a substep, by itself. However stiff it is, it then pulls with no more than
//! what brings its ends back in that substep. By its stiffness a spring of leather that one sweep has left 0.1 % too
//! long would hold many times the energy of the fall. So springs, edges that are longer than aimed at, and filtered
//! hinges count with what they can give back to the motion, which the method knows itself.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::collide::Bounds;
use crate::contact::Solids;
use crate::drivers::{Drivers, Freedom};
use crate::forces::{Element, Hinge, total};
use crate::integrate::StepContext;
use crate::measure;
use crate::model::{ClothPart, Hold, Model};
use crate::state::State;

/// Energy of a cloth at the end of a step, and the work done on it from outside during the step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct ClothEnergy {
    /// Of particles that are not pinned [J].
    pub kinetic: f64,
    /// Of gravity and of elastic elements, pinned particles included [J]; of springs and hinges, what they can give
    /// back.
    pub potential: f64,
    /// The part of it that springs hold, and edges that are longer than the method aims at [J].
    pub springs: f64,
    /// Work of pins, solids and air in this step [J]: that of drag included, so negative in still air, and that of pins
    /// against the weight of what they move. None where the method does not account for it.
    pub work: Option<f64>,
}

impl ClothEnergy {
    /// Kinetic and potential [J].
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// The energies of all cloths in a state, one each; of work nothing is known.
pub fn at(model: &Model, state: &State) -> Vec<ClothEnergy> {
    let mut drivers = Drivers::default();
    drivers.begin(model, state, None, state.time);
    let mut by_cloth = vec![[0.0; 2]; model.cloths.len()];
    measure::energy_by_cloth(model, &state.x, &state.v, &mut by_cloth);
    let energy = |(part, [_, potential]): (&ClothPart, [f64; 2])| ClothEnergy {
        kinetic: kinetic_of_unpinned(model, &drivers, part, &state.v),
        potential,
        springs: 0.0,
        work: None,
    };
    let mut energies: Vec<_> = model.cloths.iter().zip(by_cloth).map(energy).collect();
    count_springs(model, &state.x, &mut energies);
    energies
}

/// What accounts for the work done on cloths from outside.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WorkAccount<'a> {
    /// Forces at both ends of the step describe it, as far as pins and these solids rest.
    Estimate(&'a Solids),
    /// The method itself: one per cloth.
    Own(&'a [Account]),
}

/// What a method that goes through a step in substeps says of a cloth.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Account {
    /// Work done on it from outside in this step [J].
    pub work: f64,
    /// What springs, and edges longer than it aims at, can give back [J]: see `certified/network.rs`.
    pub springs: f64,
    /// The energy of hinges as it counts [J], where that is not their own: see `certified/filter.rs`.
    pub bending: Option<f64>,
}

/// Measures [`ClothEnergy`]; keeps its memory.
#[derive(Debug)]
pub(crate) struct EnergyMeter {
    cloths: Vec<ClothEnergy>,
    by_cloth: Vec<[f64; 2]>,
    /// Forces of the air at the start and at the end [N].
    air: [Vec<DVec3>; 2],
}

impl EnergyMeter {
    pub(crate) fn new(model: &Model) -> Self {
        let cloths = model.cloths.len();
        let forces = || Vec::with_capacity(model.len());
        Self {
            cloths: vec![ClothEnergy::default(); cloths],
            by_cloth: vec![[0.0; 2]; cloths],
            air: [forces(), forces()],
        }
    }

    /// One per cloth, of the step measured last.
    pub(crate) fn cloths(&self) -> &[ClothEnergy] {
        &self.cloths
    }

    /// Measures the step that ends in `next`.
    pub(crate) fn measure(&mut self, context: StepContext<'_>, next: &State, account: WorkAccount<'_>) {
        let StepContext { model, state, drivers, .. } = context;
        measure::energy_by_cloth(model, &next.x, &next.v, &mut self.by_cloth);
        let has_air = model.has_air();
        if has_air && matches!(account, WorkAccount::Estimate(_)) {
            for (force, at) in self.air.iter_mut().zip([state, next]) {
                force.clear();
                force.resize(model.len(), DVec3::ZERO);
                total::add_air(model, &at.x, &at.v, drivers.given.wind(&model.air, at.time), force);
            }
        }
        for (number, part) in model.cloths.iter().enumerate() {
            let work = match account {
                WorkAccount::Own(accounts) => Some(accounts[number].work),
                WorkAccount::Estimate(solids)
                    if pins_move(context, part)
                        || drivers.pulls.iter().any(|pull| part.particles.contains(&pull.particle))
                        || solids_push(context, solids, number, next) =>
                {
                    None
                }
                WorkAccount::Estimate(_) if !has_air => Some(0.0),
                WorkAccount::Estimate(_) => Some(self.work_of_air(part, state, next)),
            };
            self.cloths[number] = ClothEnergy {
                kinetic: kinetic_of_unpinned(model, drivers, part, &next.v),
                potential: self.by_cloth[number][1],
                springs: 0.0,
                work,
            };
        }
        count_springs(model, &next.x, &mut self.cloths);
        if let WorkAccount::Own(accounts) = account {
            for (energy, account) in self.cloths.iter_mut().zip(accounts) {
                energy.potential += account.springs - energy.springs;
                energy.springs = account.springs;
            }
            count_hinges(model, &next.x, &mut self.cloths, accounts);
        }
        self.add_released(context);
    }

    fn work_of_air(&self, part: &ClothPart, state: &State, next: &State) -> f64 {
        let [start, end] = &self.air;
        let work = |i: usize| 0.5 * (start[i] + end[i]).dot(next.x[i] - state.x[i]);
        part.particles.clone().map(work).sum()
    }

    /// A particle that its pin has let go in this step brings the motion that the pin gave it.
    fn add_released(&mut self, context: StepContext<'_>) {
        let StepContext { model, state, drivers, h, .. } = context;
        let now = |pin: &&crate::model::Pin| {
            let is_pinned = |end: f64| pin.released_by(end).is_none();
            matches!(pin.hold, Hold::Fixed(_)) && is_pinned(state.time) && !is_pinned(state.time + h)
        };
        for &particle in model.pins.iter().filter(now).flat_map(|pin| &pin.particles) {
            let i = particle as usize;
            let cloth = model.cloths.partition_point(|part| part.particles.end <= i);
            if let Some(work) = &mut self.cloths[cloth].work
                && drivers.freedom[i] != Freedom::Fixed
            {
                *work += 0.5 * model.mass[i] * state.v[i].length_squared();
            }
        }
    }
}

/// Adds up what springs with a length hold.
fn count_springs(model: &Model, x: &[DVec3], energies: &mut [ClothEnergy]) {
    for spring in model.springs.iter().filter(|spring| spring.rest > 0.0) {
        let cloth = model.cloths.partition_point(|part| part.particles.end <= spring.a as usize);
        energies[cloth].springs += spring.energy(&total::gather(x, spring.particles()));
    }
}

/// Counts hinges with what they can give back, where a method says so.
fn count_hinges(model: &Model, x: &[DVec3], energies: &mut [ClothEnergy], accounts: &[Account]) {
    let owner = |hinge: &&Hinge| model.cloths.partition_point(|part| part.particles.end <= hinge.particles[0] as usize);
    for (cloth, account) in accounts.iter().enumerate() {
        if let Some(held) = account.bending {
            let own = model.hinges.iter().filter(|hinge| owner(hinge) == cloth);
            let nominal: f64 = own.map(|hinge| hinge.energy(&total::gather(x, hinge.particles()))).sum();
            energies[cloth].potential += held - nominal;
        }
    }
}

fn kinetic_of_unpinned(model: &Model, drivers: &Drivers, part: &ClothPart, v: &[DVec3]) -> f64 {
    let unpinned = part.particles.clone().filter(|&i| drivers.freedom[i] != Freedom::Fixed);
    unpinned.map(|i| 0.5 * model.mass[i] * v[i].length_squared()).sum()
}

/// True when a pin of the cloth moves in this step.
fn pins_move(context: StepContext<'_>, part: &ClothPart) -> bool {
    let StepContext { state, drivers, .. } = context;
    part.particles.clone().any(|i| {
        let (from, to) = (state.x[i], drivers.target[i]);
        // Targets are sums of a place and a motion, right to rounding.
        let rounding = 8.0 * f64::EPSILON * from.abs().max(to.abs()).max_element();
        drivers.freedom[i] == Freedom::Fixed && from.distance(to) > rounding
    })
}

/// True when a solid that moves in this step may have met the cloth.
fn solids_push(context: StepContext<'_>, solids: &Solids, number: usize, next: &State) -> bool {
    let StepContext { model, state, .. } = context;
    let range = model.cloths[number].particles.clone();
    let moved = (0..model.colliders.len()).filter(|&collider| solids.moves(collider));
    let places = state.x[range.clone()].iter().chain(&next.x[range]);
    let mut around = None;
    moved.into_iter().any(|collider| {
        let around = around.get_or_insert_with(|| Bounds::of(places.clone().copied()));
        solids.may_come_to(model, collider, &places, around, 0.0)
    })
}
