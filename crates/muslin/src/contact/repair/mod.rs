//! Starts in contact, or that overlap: cloth is pushed out of solids before the first step, strain respected.
//!
//! ```text
//! planes    n·Σ w_k x_k >= offset + ξ      for every place of cloth that is near a solid, found again in every round
//! edges     |x_a - x_b| <= max((1 + α) l0, length before)
//! ```
//!
//! n outward direction (unit), w_k weights of the place's particles, ξ the distance to keep [m], α the strain limit, l0
//! rest length [m]. Both kinds are swept in turn, each moving its particles by the least squares that settle it
//! (projections onto sets that are convex, or nearly: planes stand for surfaces as long as they are found again in each
//! round), until both hold. Pinned particles stay, and so do velocities; what is left out near pins in solids
//! (`contact::exempt`) stays where the rest lets it.
//!
//! Unpinned cloth that cannot be freed this way, or only by a long detour, because solids push it to two
//! sides at once, or all of it is inside, is moved as a whole instead if that is shorter, along an axis or the normal
//! at its deepest place: that strains nothing. What is in the way after that too is named, and of the start and what
//! came out the better one stays.

mod planes;
mod relax;
mod shift;

use glam::DVec3;

use super::survey::{NAMED, Pieces, Place, SurveyContext};
use crate::drivers::Drivers;
use crate::model::Model;
use planes::{Planes, RepairPlane};
use relax::Relaxation;

/// Rounds, at most: planes are found again in each.
const ROUNDS: u32 = 300;
/// Rounds without progress after which it is given up.
const PATIENCE: u32 = 40;
/// A repair that moves cloth further than this times its greatest depth is compared with moving the cloth as a whole.
const LONG_DETOUR: f64 = 1.5;

/// What a repair did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Repair {
    /// How many vertices were moved.
    pub moved: usize,
    /// How far the one was moved that was moved furthest [m].
    pub furthest: f64,
    /// How many places are still in a solid, or nearer than the thickness.
    pub left: usize,
    /// The first few of them, deepest first, each part of a cloth once per collider.
    pub first_left: Vec<Place>,
}

/// Moves cloth out of the colliders where they are at `time` [s], and away from them by the thickness. `x` are the
/// positions of all particles [m]; `stretch` is the strain limit, e.g. 0.01 for 1 %.
///
/// Edges within the limit stay within it, others get no longer than they were. Pinned particles stay. When not
/// all can be freed, what is left is named and the rest is done all the same.
pub fn repair(model: &Model, x: &mut [DVec3], time: f64, stretch: f64) -> Repair {
    if model.colliders.is_empty() || x.iter().any(|x| !x.is_finite()) {
        return Repair::default();
    }
    let mut drivers = Drivers::default();
    drivers.update(model, x, time);
    let mut bench = Bench { model, pieces: Pieces::new(model), planes: Planes::new(model, time), drivers };
    bench.planes.find(model, &bench.pieces, x);
    let faults = bench.faults();
    let start = x.to_vec();
    if !faults.is_empty() {
        let held = bench.relax(&Relaxation::new(model, &start, stretch), x);
        for (island, before) in faults {
            bench.choose(island, before, held, &start, x);
        }
        bench.carry_followers(x);
        bench.planes.find(model, &bench.pieces, x);
    }
    bench.report(&start, x)
}

/// What a repair works with.
struct Bench<'a> {
    model: &'a Model,
    pieces: Pieces,
    planes: Planes,
    drivers: Drivers,
}

/// How much is wrong with an island of cloth.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Fault {
    /// Places in a solid.
    inside: usize,
    /// How far its worst place is short of its distance [m].
    short: f64,
}

impl Bench<'_> {
    /// Sweeps planes and edges until both hold, or nothing gets better; says whether edges hold at the end.
    fn relax(&mut self, relaxation: &Relaxation, x: &mut [DVec3]) -> bool {
        let (mut least, mut since) = (f64::INFINITY, 0);
        for _ in 0..ROUNDS {
            self.planes.find(self.model, &self.pieces, x);
            let short: f64 = self.offenders().map(|plane| plane.thickness - plane.gap).sum();
            if short == 0.0 && relaxation.holds(x) {
                return true;
            }
            since = if short < 0.99 * least { 0 } else { since + 1 };
            least = least.min(short);
            if since > PATIENCE {
                break;
            }
            relaxation.sweep(&self.drivers, self.planes.found(), x);
        }
        relaxation.shorten(&self.drivers, x);
        relaxation.holds(x)
    }

    /// For an island that was blocked: keeps what the sweeps made of it, or moves it as a whole if that frees it and
    /// is shorter, or leaves it where it was if nothing is better, or if sweeps have left edges too long.
    fn choose(&mut self, island: u32, before: Fault, held: bool, start: &[DVec3], x: &mut [DVec3]) {
        let mine = self.pieces.vertices.iter().map(|i| *i as usize).filter(|i| self.pieces.island[*i] == island);
        let particles: Vec<usize> = mine.collect();
        let swept: Vec<DVec3> = particles.iter().map(|i| x[*i]).collect();
        let furthest = particles.iter().map(|i| x[*i].distance(start[*i])).fold(0.0, f64::max);
        self.planes.find(self.model, &self.pieces, x);
        let after = self.fault(island);
        let free = held && after == Fault::default();
        let better = held && after.inside <= before.inside && after.short <= before.short;
        if free && furthest <= LONG_DETOUR * before.short && before.inside < particles.len() {
            return;
        }
        for i in &particles {
            x[*i] = start[*i];
        }
        self.planes.find(self.model, &self.pieces, x);
        let at_most = if free { furthest } else { f64::INFINITY };
        if !self.shift(island, &particles, at_most, x) && better {
            for (i, end) in particles.iter().zip(swept) {
                x[*i] = end;
            }
        }
    }

    fn island(&self, plane: &RepairPlane) -> u32 {
        self.pieces.island[plane.particles[0] as usize]
    }

    /// The planes that are not kept.
    fn offenders(&self) -> impl Iterator<Item = &RepairPlane> {
        self.planes.found().iter().filter(|plane| plane.gap < plane.thickness)
    }

    /// The islands with which something is wrong, in rising order, by the planes found last.
    fn faults(&self) -> Vec<(u32, Fault)> {
        let mut islands: Vec<u32> = self.offenders().map(|plane| self.island(plane)).collect();
        islands.sort_unstable();
        islands.dedup();
        islands.into_iter().map(|island| (island, self.fault(island))).collect()
    }

    /// What is wrong with an island, by the planes found last.
    fn fault(&self, island: u32) -> Fault {
        let mut fault = Fault::default();
        for plane in self.offenders().filter(|plane| self.island(plane) == island) {
            fault.inside += usize::from(plane.gap <= 0.0);
            fault.short = fault.short.max(plane.thickness - plane.gap);
        }
        fault
    }

    /// Sewn vertices go with those they are sewn to.
    fn carry_followers(&self, x: &mut [DVec3]) {
        for follower in &self.model.followers {
            if let Some(leader) = follower.leader {
                x[follower.particle as usize] = x[leader as usize];
            }
        }
    }

    fn report(&self, start: &[DVec3], x: &[DVec3]) -> Repair {
        let distances = start.iter().zip(x).map(|(from, to)| from.distance(*to));
        let mut left: Vec<Place> = self.offenders().map(|plane| self.named(plane, x)).collect();
        left.sort_by(|a, b| a.gap.total_cmp(&b.gap));
        let mut first_left: Vec<Place> = Vec::new();
        for place in &left {
            let known = |other: &Place| other.part == place.part && other.collider == place.collider;
            if first_left.len() < NAMED && !first_left.iter().any(known) {
                first_left.push(*place);
            }
        }
        Repair {
            moved: distances.clone().filter(|distance| *distance > 0.0).count(),
            furthest: distances.fold(0.0, f64::max),
            left: left.len(),
            first_left,
        }
    }

    fn named(&self, plane: &RepairPlane, x: &[DVec3]) -> Place {
        let (pieces, exempt, number) = (&self.pieces, self.planes.exempt(), plane.collider as usize);
        let moment = SurveyContext { model: self.model, pieces, exempt, x, number };
        moment.weighted(plane.particles, plane.weights, plane.gap)
    }
}
