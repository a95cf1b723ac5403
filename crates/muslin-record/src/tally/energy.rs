//! Energy: whether any came from nowhere.
//!
//! ```text
//! E' = kinetic + potential - Σ work                   per cloth, after every step; work: of pins, solids and air
//! of it springs, and edges over their rest length:
//!     no more than the rest has given them, and of that they lose no more than in proportion
//! E' <= highest E' of the half second before + ε
//! E' <= highest E' of the half second that lies five seconds earlier + 2 ε
//! ε = max(1 % of the greatest kinetic energy of the last five seconds, 1e-4 × weight × size)
//! ```
//!
//! Springs count with what they can give back (`muslin::energy`), but with no more than the motion has given them. A
//! sweep solves them one after the other, and leaves the first ones a little too long or too short; that is energy by
//! their stiffness, but no motion gave it, and the next sweep takes it away. If it did come back, the motion would gain
//! what springs do not lose, and be found.
//!
//! The energy of a good method oscillates about what it should be, so a step may end with more than it began with. What
//! it may not do is rise at once by more than ε, as in a hop, or creep up over seconds. Where the work of a step is not
//! known, the comparison starts over at its end. Only a fixed number of maxima over spans of time is kept, not every
//! step.

#[cfg(test)]
mod tests;

use muslin::report::Energies;
use muslin::stuck::Balance;
use muslin::{ClothEnergy, Model, State, energy};
use serde::{Deserialize, Serialize};

use super::balance::{MOST_IMBALANCE, StillTally, Stuck};
use super::finite;

/// How far back energy may not have risen from at once [s].
pub const SHORT_SPAN: f64 = 0.5;
/// How far back energy may not have crept up from [s]; also how long a kinetic energy counts for the scale.
pub const LONG_SPAN: f64 = 5.0;
/// Fraction of the greatest kinetic energy that a rise may have.
pub const KINETIC_FRACTION: f64 = 0.01;
/// Fraction of weight × size that a rise may have.
pub const WEIGHT_FRACTION: f64 = 1e-4;
/// Fraction of all energy and work that rounding of their sums may take.
const ROUNDING: f64 = 1e-12;
/// What rounding of positions may make of cloth at rest [m/s]: energy of less motion than this is no energy. Without
/// weight nothing else is known to compare with.
const LEAST_SPEED: f64 = 1e-9;
/// Parts of the short span: what is compared with goes back by one of them more than the span, at most.
const PARTS: usize = 20;

/// Energies over frames and steps [J].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EnergyTally {
    /// At frame 0.
    pub start: Energies,
    /// Greatest rise of the total from one frame to the next; 0 when it never rose.
    pub greatest_rise: f64,
    /// The frame at the end of that rise.
    pub greatest_rise_frame: Option<u64>,
    /// The cloths, in the model's order.
    pub cloths: Vec<ClothTally>,
    /// True when layers of cloth pushed each other in the last step: the balance of forces does not know those pushes.
    pub(super) layered: bool,
}

impl EnergyTally {
    /// Starts with a state and its energies.
    pub fn new(model: &Model, state: &State, start: Energies) -> Self {
        let first = energy::at(model, state);
        let cloths = first.iter().enumerate().map(|(number, first)| {
            let scale = Scale::of(model, number);
            ClothTally::new(scale, state.time, first)
        });
        Self { start, greatest_rise: 0.0, greatest_rise_frame: None, cloths: cloths.collect(), layered: false }
    }

    /// Adds a step, with the energies of each cloth after it.
    pub fn step(&mut self, at: Moment, energies: &[ClothEnergy]) {
        self.cloths.iter_mut().zip(energies).for_each(|(cloth, energy)| cloth.step(at, energy));
    }

    /// Looks whether cloths that stand still in a frame are in balance.
    pub fn look(&mut self, frame: u64, model: &Model, state: &State, balance: &mut Balance) {
        for (number, cloth) in self.cloths.iter_mut().enumerate() {
            // What is below the greatest imbalance allowed need not be known better.
            let enough = 0.75 * MOST_IMBALANCE;
            let found = (cloth.asks() && !self.layered).then(|| balance.of(model, state, number, enough));
            cloth.still.frame(frame, state, found);
        }
    }

    /// The cloth that has been stuck for the longest time, by its number.
    pub fn stuck(&self) -> Option<(usize, Stuck)> {
        let stuck = self.cloths.iter().enumerate().filter_map(|(number, cloth)| Some((number, cloth.still.stuck?)));
        stuck.reduce(|one, other| if other.1.since < one.1.since { other } else { one })
    }

    /// True when no cloth's energy rose by more than it may; none when that could be judged in no step.
    pub fn kept(&self) -> Option<bool> {
        self.cloths.iter().filter_map(ClothTally::kept).reduce(|all, one| all && one)
    }

    /// The worst rise of all cloths, with the number of its cloth.
    pub fn worst(&self) -> Option<(usize, Rise)> {
        let rises = self.cloths.iter().enumerate().filter_map(|(number, cloth)| Some((number, cloth.worst?)));
        rises.reduce(|one, other| if other.1.is_worse_than(&one.1) { other } else { one })
    }
}

/// What energies of a cloth are measured by.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Scale {
    /// Its mass [kg].
    pub mass: f64,
    /// Its weight [N].
    pub weight: f64,
    /// Diagonal of the box around its rest shape [m].
    pub size: f64,
}

impl Scale {
    fn of(model: &Model, cloth: usize) -> Self {
        let part = &model.cloths[cloth];
        let mass: f64 = model.mass[part.particles.clone()].iter().sum();
        let mut corners = part.mesh.positions.iter().map(|x| (*x, *x));
        let first = corners.next();
        let bounds = first.map(|first| corners.fold(first, |(low, high), (x, _)| (low.min(x), high.max(x))));
        let size = bounds.map_or(0.0, |(low, high)| low.distance(high));
        Self { mass, weight: mass * model.gravity.length(), size }
    }
}

/// The energy of a cloth over the steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClothTally {
    scale: Scale,
    /// Steps that could be judged.
    pub judged_steps: u64,
    /// Steps in which the work done on the cloth is not known.
    pub unjudged_steps: u64,
    /// Greatest kinetic energy of any step [J].
    pub greatest_kinetic: f64,
    /// The rise that is greatest against what is allowed; none when energy never rose.
    pub worst: Option<Rise>,
    /// Whether it stands still, and in balance.
    pub still: StillTally,
    /// Kinetic energy after the last step [J].
    last_kinetic: f64,
    /// Work done on the cloth since the comparison last started over [J].
    work: f64,
    /// E' without springs after the step before [J].
    rest: f64,
    /// What springs hold of it.
    springs: Springs,
    /// E' of the last half second.
    recent: Peaks,
    /// E' by half seconds.
    long: Peaks,
    /// Kinetic energy by half seconds.
    kinetic: Peaks,
}

/// A rise of energy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rise {
    /// By how much [J].
    pub rise: f64,
    /// What is allowed [J].
    pub allowed: f64,
    /// How long before the highest was that it is compared with, at most [s]: [`SHORT_SPAN`] or [`LONG_SPAN`].
    pub within: f64,
    /// The step after which it was.
    pub step: u64,
    /// The first frame that shows it.
    pub frame: u64,
    /// When [s].
    pub time: f64,
}

impl Rise {
    /// True when it is more than may be.
    pub fn is_broken(&self) -> bool {
        self.rise > self.allowed
    }

    /// True when it is more than another, each against what is allowed.
    fn is_worse_than(&self, other: &Self) -> bool {
        self.rise * other.allowed > other.rise * self.allowed
    }
}

/// A step, as far as the energy's tally has to know.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// The frame that comes next.
    pub frame: u64,
    /// Its number.
    pub step: u64,
    /// At the end of the step [s].
    pub time: f64,
}

impl ClothTally {
    pub(super) fn new(scale: Scale, time: f64, first: &ClothEnergy) -> Self {
        let halves = (LONG_SPAN / SHORT_SPAN) as usize;
        let mut tally = Self {
            scale,
            judged_steps: 0,
            unjudged_steps: 0,
            greatest_kinetic: 0.0,
            worst: None,
            still: StillTally::default(),
            last_kinetic: 0.0,
            work: 0.0,
            rest: 0.0,
            springs: Springs::new(0.0),
            recent: Peaks::new(SHORT_SPAN / PARTS as f64, PARTS),
            long: Peaks::new(SHORT_SPAN, halves),
            kinetic: Peaks::new(SHORT_SPAN, halves),
        };
        tally.move_on(time, first);
        tally.start_over(time, first);
        tally
    }

    /// True when energy never rose by more than it may; none when that could be judged in no step.
    pub fn kept(&self) -> Option<bool> {
        (self.judged_steps > 0).then(|| !self.worst.is_some_and(|worst| worst.is_broken()))
    }

    /// True when it has been seen to stand still.
    fn asks(&self) -> bool {
        self.judged_steps + self.unjudged_steps > 0 && self.still.asks(self.last_kinetic, self.greatest_kinetic)
    }

    /// Adds a step. Allocates nothing.
    pub(super) fn step(&mut self, at: Moment, energy: &ClothEnergy) {
        self.move_on(at.time, energy);
        let Some(work) = energy.work else {
            self.unjudged_steps += 1;
            return self.start_over(at.time, energy);
        };
        self.judged_steps += 1;
        self.work += finite::number(work);
        let before = self.rest + self.springs.given;
        let rest = Self::without_springs(energy) - self.work;
        self.springs.step(finite::number(energy.springs), self.rest - rest);
        self.rest = rest;
        let value = self.rest + self.springs.given;
        let allowed = self.allowed(energy);
        let highest = self.recent.highest(at.time).map_or(before, |highest| highest.max(before));
        self.compare(at, value - highest, allowed, SHORT_SPAN);
        if let Some(earlier) = self.long.earliest(at.time) {
            self.compare(at, value - earlier, 2.0 * allowed, LONG_SPAN);
        }
        self.recent.add(at.time, value);
        self.long.add(at.time, value);
    }

    /// ε [J].
    fn allowed(&self, energy: &ClothEnergy) -> f64 {
        let kinetic = self.kinetic.greatest().unwrap_or(0.0);
        let all = finite::number(energy.kinetic) + finite::number(energy.potential).abs() + self.work.abs();
        let own = (KINETIC_FRACTION * kinetic).max(WEIGHT_FRACTION * self.scale.weight * self.scale.size);
        let least = 0.5 * self.scale.mass * LEAST_SPEED * LEAST_SPEED;
        finite::number(own.max(ROUNDING * all).max(least))
    }

    fn compare(&mut self, at: Moment, rise: f64, allowed: f64, within: f64) {
        let Moment { frame, step, time } = at;
        let rise = Rise { rise: finite::number(rise), allowed, within, step, frame, time };
        if rise.rise > 0.0 && self.worst.is_none_or(|worst| rise.is_worse_than(&worst)) {
            self.worst = Some(rise);
        }
    }

    fn move_on(&mut self, time: f64, energy: &ClothEnergy) {
        let kinetic = finite::number(energy.kinetic);
        self.last_kinetic = kinetic;
        self.greatest_kinetic = self.greatest_kinetic.max(kinetic);
        self.kinetic.add(time, kinetic);
    }

    fn start_over(&mut self, time: f64, energy: &ClothEnergy) {
        self.work = 0.0;
        self.rest = Self::without_springs(energy);
        self.springs = Springs::new(finite::number(energy.springs));
        self.recent.start_over(time, self.rest + self.springs.given);
        self.long.start_over(time, self.rest + self.springs.given);
    }

    /// All energy but that of springs [J].
    fn without_springs(energy: &ClothEnergy) -> f64 {
        finite::number(energy.kinetic) + finite::number(energy.potential) - finite::number(energy.springs)
    }
}

/// The energy that springs were given.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Springs {
    /// What they hold by their lengths and stiffness [J].
    held: f64,
    /// What was given to them of it [J], no more than that.
    given: f64,
}

impl Springs {
    /// Springs that were given all they hold [J].
    fn new(held: f64) -> Self {
        Self { held, given: held }
    }

    /// Adds a step after which they hold so much [J], while everything else has lost so much [J].
    fn step(&mut self, held: f64, lost: f64) {
        let (least, most) = if held >= self.held {
            (self.given, held)
        } else {
            (self.given * (held / self.held), self.given.min(held))
        };
        // Rounding may have put the one above the other.
        self.given = (self.given + lost).max(least).min(most);
        self.held = held;
    }
}

/// Greatest values of spans of time, of the span under way and of a number of spans before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Peaks {
    /// Length of a span [s].
    span: f64,
    /// Number of the span under way.
    now: i64,
    /// The first span that has been seen from its start.
    whole_since: i64,
    /// A ring, by span number; none: nothing seen.
    values: Vec<Option<f64>>,
}

impl Peaks {
    /// Spans of a length [s], so many of them before the one under way.
    fn new(span: f64, before: usize) -> Self {
        Self { span, now: 0, whole_since: 0, values: vec![None; before + 1] }
    }

    fn slot(&self, number: i64) -> usize {
        number.rem_euclid(self.values.len() as i64) as usize
    }

    fn number(&self, time: f64) -> i64 {
        // Times are multiples of a step, right to rounding: what ends at the start of a span belongs to it.
        (time / self.span + 1e-6).floor() as i64
    }

    /// Makes the span of a time [s] the one under way.
    fn move_to(&mut self, time: f64) {
        let number = self.number(time);
        let passed = (number - self.now).clamp(0, self.values.len() as i64);
        for gone in 0..passed {
            let slot = self.slot(number - gone);
            self.values[slot] = None;
        }
        self.now = self.now.max(number);
    }

    fn add(&mut self, time: f64, value: f64) {
        self.move_to(time);
        let slot = self.slot(self.now);
        self.values[slot] = Some(self.values[slot].map_or(value, |peak| peak.max(value)));
    }

    /// Forgets everything, and begins with a value.
    fn start_over(&mut self, time: f64, value: f64) {
        self.values.fill(None);
        self.add(time, value);
        let starts_here = (time - self.now as f64 * self.span).abs() <= 1e-6 * self.span;
        self.whole_since = if starts_here { self.now } else { self.now + 1 };
    }

    /// The greatest value of all that is remembered.
    fn greatest(&self) -> Option<f64> {
        self.values.iter().flatten().copied().reduce(f64::max)
    }

    /// The same at a later time [s].
    fn highest(&mut self, time: f64) -> Option<f64> {
        self.move_to(time);
        self.greatest()
    }

    /// The greatest value of the earliest span that is remembered at a time [s], if it was seen whole.
    fn earliest(&mut self, time: f64) -> Option<f64> {
        self.move_to(time);
        let earliest = self.now + 1 - self.values.len() as i64;
        if earliest < self.whole_since {
            return None;
        }
        self.values[self.slot(earliest)]
    }
}
