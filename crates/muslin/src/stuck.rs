//! Whether a cloth that stands still is in balance, or merely stuck.
//!
//! ```text
//! least |r|,   r = f + Jᵀλ,  λ ∈ K       in the norm |r|² = Σ |r_i|²/m_i,   i: particles that are not pinned
//! imbalance = √(Σ |r_i|²/m_i / Σ m_i) / |g|
//! ```
//!
//! f [N]: gravity, elastic forces and air. J has a row for each taut edge, which may pull (λ >= 0), and three for each place
//! of contact: a push λ_n >= 0 and friction |λ_t| <= μ λ_n. What no pull, push or friction can balance is r, and r_i/m_i
//! are the accelerations that the cloth would start with if it were let go (Gauss's principle of least constraint). The
//! imbalance is their root mean square against gravity: a sheet that is frozen in mid-air with all of its threads slack has
//! 1, a pendulum that stands still at an angle θ has sin θ, cloth that hangs or lies has 0.
//!
//! Solved by projected gradients with Nesterov's momentum, started over when it leads uphill (O'Donoghue and Candès 2015).
//! Each row has its own step length, from the bound |Σ c_r λ_r|² <= κ_i Σ |c_r λ_r|² over the rows r at a particle i, with
//! κ_i the Frobenius norm of Σ û ûᵀ over their directions û. Every λ gives an upper bound of the imbalance, so a search may
//! end as soon as it has found balance. Places of contact are found as `certified` finds them, but further out.

use glam::DVec3;

use crate::collide::Bounds;
use crate::contact::{Ahead, ClothSurface, Finder, Solids};
use crate::drivers::{Drivers, Freedom};
use crate::forces::total;
use crate::model::Model;
use crate::settings::{LimitMethod, Settings};
use crate::state::State;

/// An edge may pull when it is no shorter than its rest length by more than this share of it.
pub const TAUT: f64 = 1e-4;
/// A place of cloth may touch a solid up to this share of the thickness further out than the thickness.
pub const CONTACT_MARGIN: f64 = 0.5;
/// Rounds after which a search has to show progress, for each edge from one end of the cloth to the other, and in any case:
/// in a round a load gets one edge further.
const PATIENCE: [f64; 2] = [1.0, 64.0];
/// The most rounds, likewise.
const MOST_ROUNDS: [f64; 2] = [20.0, 2000.0];
/// A search that has shortened |r| by less than this share in that time has found what there is.
const PROGRESS: f64 = 1e-3;

/// How far a cloth is from balance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Imbalance {
    /// Root mean square of the accelerations that nothing holds back, as a share of gravity; 0 without gravity, when there
    /// is nothing to compare with.
    pub share: f64,
    /// The particle with the greatest of them.
    pub particle: usize,
}

/// Measures imbalance.
#[derive(Debug)]
pub struct Balance {
    limits: Limits,
    /// Length of a step [s]: solids are placed as they are at the start of one.
    step: f64,
    drivers: Drivers,
    solids: Solids,
    surface: ClothSurface,
    finder: Finder,
    rest: Vec<DVec3>,
    force: Vec<DVec3>,
}

/// Which edges may carry a force besides that of their springs.
#[derive(Debug, Clone, Copy)]
struct Limits {
    pull: bool,
    /// Edges no longer than this share of their rest length push.
    push: Option<f64>,
}

impl Limits {
    /// +1: the edge may pull; -1: it may push.
    fn sign(self, length: f64, rest: f64) -> Option<f64> {
        if !(rest > 0.0 && length > 0.0) {
            None
        } else if self.pull && length >= rest * (1.0 - TAUT) {
            Some(1.0)
        } else {
            self.push.filter(|share| length <= rest * share).map(|_| -1.0)
        }
    }
}

impl Balance {
    /// For a model simulated with the given settings.
    pub fn new(model: &Model, settings: &Settings) -> Self {
        let limiter = &settings.limiter;
        let limited = limiter.method != LimitMethod::None;
        let push = limiter.compress.filter(|_| limited).map(|compress| 1.0 - compress + TAUT);
        Self {
            limits: Limits { pull: limited, push },
            step: settings.step,
            drivers: Drivers::default(),
            solids: match limiter.method {
                LimitMethod::Certified(_) => Solids::exact(model),
                _ => Solids::new(model),
            },
            surface: ClothSurface::new(model),
            finder: Finder::new(model),
            rest: vec![DVec3::ZERO; model.len()],
            force: vec![DVec3::ZERO; model.len()],
        }
    }

    /// The imbalance of a cloth in a state; the search ends as soon as it is below `enough`.
    pub fn of(&mut self, model: &Model, state: &State, cloth: usize, enough: f64) -> Imbalance {
        self.drivers.update(model, &state.x, state.time);
        self.force.fill(DVec3::ZERO);
        total::add_conservative(model, &state.x, &mut self.force);
        total::add_air(model, &state.x, &state.v, state.time, &mut self.force);
        let mut search = Search::new(model, &self.drivers, &self.force, cloth);
        let scale = search.mass.sqrt() * model.gravity.length();
        if !(scale > 0.0) {
            return Imbalance { share: 0.0, particle: search.first };
        }
        for edge in &model.edges[model.cloths[cloth].edges.clone()] {
            let way = state.x[edge.b as usize] - state.x[edge.a as usize];
            if let Some(sign) = self.limits.sign(way.length(), edge.rest) {
                search.add_edge([edge.a, edge.b], way * (sign / way.length()));
            }
        }
        if !model.colliders.is_empty() {
            self.add_contacts(model, state, &mut search);
        }
        search.set_steps();
        search.run(enough * scale, edges_across(model, cloth));
        Imbalance { share: search.length() / scale, particle: search.worst() }
    }

    fn add_contacts(&mut self, model: &Model, state: &State, search: &mut Search) {
        self.solids.begin(model, state.time, self.step);
        let ahead = Ahead { x: &state.x, v: &self.rest, span: 0.0, further: CONTACT_MARGIN };
        self.finder.look(model, &mut self.surface, &self.solids, ahead);
        for near in self.finder.found() {
            if near.gap < (1.0 + CONTACT_MARGIN) * near.thickness {
                search.add_contact(near.particles, near.weights, near.normal, near.friction);
            }
        }
    }
}

/// About how many edges there are from one end of a cloth to the other, at rest.
fn edges_across(model: &Model, cloth: usize) -> f64 {
    let part = &model.cloths[cloth];
    let edges = &model.edges[part.edges.clone()];
    let mean = edges.iter().map(|edge| edge.rest).sum::<f64>() / edges.len().max(1) as f64;
    let bounds = Bounds::of(part.mesh.positions.iter().copied());
    let across = bounds.min.distance(bounds.max) / mean;
    // No cloth has more of them than edges; one without edges has none.
    if across.is_finite() { across.min(edges.len() as f64) } else { 0.0 }
}

/// A particle: f and r are kept over √m, in the directions that it may move in.
#[derive(Debug, Clone, Copy)]
struct Particle {
    freedom: Freedom,
    /// 1/√m [kg^-½]; 0 when it is pinned.
    per_root: f64,
    /// Σ û ûᵀ, its six different elements.
    crowd: [f64; 6],
    /// r now, one round before, and where momentum leads.
    now: DVec3,
    before: DVec3,
    ahead: DVec3,
}

impl Particle {
    /// A force as it acts on the particle, over √m.
    fn feel(&self, force: DVec3) -> DVec3 {
        self.freedom.filter(force) * self.per_root
    }

    /// κ.
    fn crowded(&self) -> f64 {
        let [xx, yy, zz, xy, yz, zx] = self.crowd;
        (xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
    }
}

/// An edge that may carry a force λ >= 0.
#[derive(Debug, Clone, Copy)]
struct Edge {
    ends: [usize; 2],
    /// What the ends feel of λ = 1.
    along: [DVec3; 2],
    step: f64,
    now: f64,
    before: f64,
}

/// A place of contact with the force of its solid, λ.
#[derive(Debug, Clone, Copy)]
struct Contact {
    particles: [usize; 3],
    weights: [f64; 3],
    normal: DVec3,
    friction: f64,
    step: f64,
    now: DVec3,
    before: DVec3,
}

/// One search.
#[derive(Debug)]
struct Search {
    /// The first particle of the cloth among all.
    first: usize,
    /// Mass of all that is not pinned [kg].
    mass: f64,
    particles: Vec<Particle>,
    edges: Vec<Edge>,
    contacts: Vec<Contact>,
}

impl Search {
    fn new(model: &Model, drivers: &Drivers, force: &[DVec3], cloth: usize) -> Self {
        let range = model.cloths[cloth].particles.clone();
        let mut mass = 0.0;
        let particle = |i: usize| {
            let freedom = drivers.freedom[i];
            let free = freedom != Freedom::Fixed && model.mass[i] > 0.0;
            mass += if free { model.mass[i] } else { 0.0 };
            let per_root = if free { 1.0 / model.mass[i].sqrt() } else { 0.0 };
            let r = freedom.filter(force[i]) * per_root;
            Particle { freedom, per_root, crowd: [0.0; 6], now: r, before: r, ahead: r }
        };
        let particles = range.clone().map(particle).collect();
        Self { first: range.start, mass, particles, edges: Vec::new(), contacts: Vec::new() }
    }

    /// `pull`: direction of the force on the first end (unit).
    fn add_edge(&mut self, ends: [u32; 2], pull: DVec3) {
        let ends = ends.map(|i| i as usize - self.first);
        let [a, b] = ends.map(|i| &self.particles[i]);
        let along = [a.feel(pull), b.feel(-pull)];
        if along == [DVec3::ZERO; 2] {
            return;
        }
        for i in ends {
            let DVec3 { x, y, z } = pull;
            let own = [x * x, y * y, z * z, x * y, y * z, z * x];
            self.particles[i].crowd.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        self.edges.push(Edge { ends, along, step: 0.0, now: 0.0, before: 0.0 });
    }

    /// Adds a place of contact if it belongs to the cloth.
    fn add_contact(&mut self, particles: [u32; 3], weights: [f64; 3], normal: DVec3, friction: f64) {
        let local = particles.map(|i| (i as usize).wrapping_sub(self.first));
        if local.iter().any(|&i| i >= self.particles.len()) {
            return;
        }
        if local.iter().zip(weights).all(|(&i, weight)| weight * self.particles[i].per_root == 0.0) {
            return;
        }
        for (&i, _) in local.iter().zip(weights).filter(|(_, weight)| *weight > 0.0) {
            self.particles[i].crowd[..3].iter_mut().for_each(|sum| *sum += 1.0);
        }
        let (now, before) = (DVec3::ZERO, DVec3::ZERO);
        self.contacts.push(Contact { particles: local, weights, normal, friction, step: 0.0, now, before });
    }

    fn set_steps(&mut self) {
        let particles = &self.particles;
        for edge in &mut self.edges {
            let sum: f64 = edge
                .ends
                .iter()
                .zip(edge.along)
                .map(|(&i, along)| particles[i].crowded() * along.length_squared())
                .sum();
            edge.step = 1.0 / sum;
        }
        for contact in &mut self.contacts {
            let share = |(&i, weight): (&usize, f64)| {
                let felt = weight * particles[i].per_root;
                particles[i].crowded() * felt * felt
            };
            contact.step = 1.0 / contact.particles.iter().zip(contact.weights).map(share).sum::<f64>();
        }
    }

    /// |r|.
    fn length(&self) -> f64 {
        self.particles.iter().map(|particle| particle.now.length_squared()).sum::<f64>().sqrt()
    }

    /// The particle with the greatest acceleration, among all of the model.
    fn worst(&self) -> usize {
        let acceleration = |particle: &Particle| (particle.now * particle.per_root).length_squared();
        let all = self.particles.iter().map(acceleration).enumerate();
        self.first + all.fold((0, 0.0), |one, other| if other.1 > one.1 { other } else { one }).0
    }

    /// Shortens |r| until it is below `enough`, or there is no more to find, in a cloth with so many edges from end to end.
    fn run(&mut self, enough: f64, across: f64) {
        let [patience, most] = [PATIENCE, MOST_ROUNDS].map(|[each, all]| (each * across + all) as usize);
        let mut momentum = 1.0_f64;
        let mut reached = self.length();
        for round in 1..=most {
            let next = 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt());
            let uphill = self.round((momentum - 1.0) / next);
            momentum = if uphill { 1.0 } else { next };
            if round % 8 == 0 && self.length() <= enough {
                return;
            }
            if round % patience == 0 {
                let length = self.length();
                if length > (1.0 - PROGRESS) * reached {
                    return;
                }
                reached = length;
            }
        }
    }

    /// One round with so much of the motion of the round before. True when that led uphill; then it is forgotten.
    fn round(&mut self, beta: f64) -> bool {
        for particle in &mut self.particles {
            particle.ahead = particle.now + (particle.now - particle.before) * beta;
            particle.before = particle.now;
        }
        let mut against = 0.0;
        for edge in &mut self.edges {
            let [a, b] = edge.ends;
            let slope = edge.along[0].dot(self.particles[a].ahead) + edge.along[1].dot(self.particles[b].ahead);
            let ahead = edge.now + (edge.now - edge.before) * beta;
            let next = (ahead - slope * edge.step).max(0.0);
            let change = next - edge.now;
            against += (ahead - next) * change / edge.step;
            (edge.before, edge.now) = (edge.now, next);
            self.particles[a].now += edge.along[0] * change;
            self.particles[b].now += edge.along[1] * change;
        }
        for contact in &mut self.contacts {
            let places = || contact.particles.into_iter().zip(contact.weights);
            let slope: DVec3 = places()
                .map(|(i, weight)| {
                    let particle = &self.particles[i];
                    particle.feel(particle.ahead) * weight
                })
                .sum();
            let ahead = contact.now + (contact.now - contact.before) * beta;
            let next = within_cone(ahead - slope * contact.step, contact.normal, contact.friction);
            let change = next - contact.now;
            against += (ahead - next).dot(change) / contact.step;
            for (i, weight) in places() {
                let felt = self.particles[i].feel(change * weight);
                self.particles[i].now += felt;
            }
            (contact.before, contact.now) = (contact.now, next);
        }
        let uphill = against > 0.0;
        if uphill {
            self.particles.iter_mut().for_each(|particle| particle.before = particle.now);
            self.edges.iter_mut().for_each(|edge| edge.before = edge.now);
            self.contacts.iter_mut().for_each(|contact| contact.before = contact.now);
        }
        uphill
    }
}

/// The nearest force with a push along the normal and no more friction than that allows.
fn within_cone(force: DVec3, normal: DVec3, friction: f64) -> DVec3 {
    let push = force.dot(normal);
    let along = force - normal * push;
    let slip = along.length();
    if slip <= friction * push {
        force
    } else if friction * slip <= -push {
        DVec3::ZERO
    } else {
        let push = (push + friction * slip) / (1.0 + friction * friction);
        normal * push + along * (friction * push / slip)
    }
}
