//! Whether a cloth that stands still is in balance, or merely stuck.
//!
//! ```text
//! least |r|,   r = f + Jᵀλ,  λ ∈ K          in the norm |r|² = Σ m |a|² of the accelerations a that r gives to patches
//! imbalance = √(Σ m |a|² / Σ m) / |g|          m, a: of particles that are not pinned
//! ```
//!
//! f [N]: gravity, elastic forces, air, and pulls that the model has. Pins may hold their particles with any force,
//! taut edges may pull (λ >= 0), and at each place of contact a solid may push with λ_n >= 0 and rub with |λ_t| <= μ
//! λ_n. What none of them can balance is r. The imbalance is the root mean square of the accelerations that the cloth
//! would start with if it were let go (Gauss's principle of least constraint), against gravity: a sheet that is frozen
//! in mid-air with all of its threads slack has 1, a pendulum that stands still at an angle θ has sin θ, cloth that
//! hangs or lies has 0.
//!
//! The cloth is cut into [`PATCHES`] patches, and each is taken as rigid. A thread that carries half of a sheet and has
//! a kink of a milliradian gives a single particle an acceleration of about g, now to one side, now to the other: that
//! is how cloth at rest trembles, by micrometres, and no reason to call it stuck. In a patch such forces cancel. Cloths
//! of fewer particles are judged particle by particle. What patches do not see is cloth that should slide around a
//! sharp edge and does not.
//!
//! `certified` solves springs once in each of its substeps and filters stiff bending, so that stiff elements act with
//! less than all of their force; there, every elastic element counts with any fraction of its force. For the same
//! reason lengths are not quite what they would be in balance, by as much as the limit allows: an edge may pull when it
//! is shorter than at rest by no more than that, and a spring may push or pull as if it were shorter or longer by that.
//! Its tethers may pull as edges do: in taut cloth between pins they carry what the edges of their paths would. Hinges
//! may act as if their angles were other by [`ANGLE_SLACK`], whatever the limit: filtering spreads their moments. Cloth
//! that creeps against its dampers is not stuck: they count.
//!
//! Solved by projected Gauss–Seidel, force by force, each along its slope as far as is best, with Nesterov's momentum
//! between rounds, started over when |r| grows. Every λ gives an upper bound of the imbalance, so a search may end as
//! soon as it has found balance. Places of contact are found as `certified` finds them, but further out.

use std::ops::Range;

use glam::{DMat3, DVec3};

use crate::certified::{Tether, hinge_stencil, tethers_of};
use crate::contact::{Ahead, ClothSurface, Finder, Solids};
use crate::drivers::{Drivers, Freedom};
use crate::forces::{Element, Hinge, outer, total};
use crate::inputs::Surroundings;
use crate::model::Model;
use crate::settings::{LimitMethod, Settings};
use crate::state::State;

/// Patches that a cloth is cut into, at most.
pub const PATCHES: usize = 64;
/// An edge may pull when it is no shorter than its rest length by more than the strain limit, within these bounds.
pub const SLACK: [f64; 2] = [1e-4, 0.01];
/// Hinges of `certified` may act as if their angles differed by this [rad]. With a hundredth of it small stiff cloth
/// counts as stuck where a wind holds it; with ten times as much its bending would hold up cloth that ought to fall.
pub const ANGLE_SLACK: f64 = 0.01;
/// A place of cloth may touch a solid up to this fraction of the thickness further out than the thickness.
pub const CONTACT_MARGIN: f64 = 0.5;
/// Rounds after which a search has to show progress: several times what a load needs from patch to patch, by bending
/// too.
const PATIENCE: usize = 512;
/// A search that has shortened |r| by less than this fraction in that time has found what there is.
const PROGRESS: f64 = 1e-3;
/// The most rounds.
const MOST_ROUNDS: usize = 2048;
/// Added to moments of inertia, as a fraction of their sum: about a row of particles there is none, and a search in
/// which one direction responds far more than others finds nothing.
const LEAST_INERTIA: f64 = 0.05;

/// How far a cloth is from balance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Imbalance {
    /// Root mean square of the accelerations that nothing holds back, as a fraction of gravity; 0 without gravity, when
    /// there is nothing to compare with.
    pub fraction: f64,
    /// The particle with the greatest of them.
    pub particle: usize,
}

/// Measures imbalance.
#[derive(Debug)]
pub struct Balance {
    limits: Limits,
    /// How far lengths are from what they would be in balance, as a fraction of the rest length.
    slack: f64,
    /// True when elastic elements act with all of their force.
    exact: bool,
    /// True where distances to pins are limited too.
    tethered: bool,
    /// Those limits, for the particles that were `fixed` when they were made.
    tethers: Vec<Tether>,
    fixed: Vec<bool>,
    /// Length of a step [s]: solids are placed as they are at the start of one.
    step: f64,
    drivers: Drivers,
    solids: Solids,
    surface: ClothSurface,
    finder: Finder,
    /// Positions at rest [m].
    rest: Vec<DVec3>,
    still: Vec<DVec3>,
    force: Vec<DVec3>,
    /// For each particle, the patch of its cloth that it is in.
    patch: Vec<u32>,
    /// Whether each particle is there only so that caches fit its mesh.
    follows: Vec<bool>,
}

/// Which edges may carry a force besides that of their springs.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Edges no shorter than this fraction of their rest length pull.
    pull: Option<f64>,
    /// Edges no longer than this fraction of their rest length push.
    push: Option<f64>,
}

impl Limits {
    /// +1: the edge may pull; -1: it may push.
    fn sign(self, length: f64, rest: f64) -> Option<f64> {
        if !(rest > 0.0 && length > 0.0) {
            None
        } else if self.pull.is_some_and(|factor| length >= rest * factor) {
            Some(1.0)
        } else {
            self.push.filter(|factor| length <= rest * factor).map(|_| -1.0)
        }
    }
}

impl Balance {
    /// For a model simulated with the given settings.
    pub fn new(model: &Model, settings: &Settings) -> Self {
        let limiter = &settings.limiter;
        let slack = limiter.stretch.clamp(SLACK[0], SLACK[1]);
        let limited = limiter.method != LimitMethod::None;
        let certified = matches!(limiter.method, LimitMethod::Certified(_));
        let tethered = matches!(limiter.method, LimitMethod::Certified(own) if own.tethers);
        let mut follows = vec![false; model.len()];
        model.followers.iter().for_each(|follower| follows[follower.particle as usize] = true);
        let mut patch = vec![0; model.len()];
        for part in &model.cloths {
            let mut particles: Vec<u32> = (0..part.particles.len() as u32).collect();
            let mut next = 0;
            cut(&mut particles, PATCHES, &part.mesh.positions, &mut |own| {
                for &i in own {
                    patch[part.particles.start + i as usize] = next;
                }
                next += 1;
            });
        }
        let surface = ClothSurface::new(model);
        Self {
            limits: Limits {
                pull: limited.then_some(1.0 - slack),
                push: limiter.compress.filter(|_| limited).map(|compress| 1.0 - compress + SLACK[0]),
            },
            slack,
            exact: !certified,
            tethered,
            tethers: Vec::new(),
            fixed: Vec::new(),
            step: settings.step,
            drivers: Drivers::default(),
            solids: if certified { Solids::exact(model) } else { Solids::new(model) },
            finder: Finder::new(model, &surface),
            surface,
            rest: model.cloths.iter().flat_map(|part| part.mesh.positions.iter().copied()).collect(),
            still: vec![DVec3::ZERO; model.len()],
            force: vec![DVec3::ZERO; model.len()],
            patch,
            follows,
        }
    }

    /// The imbalance of a cloth in a state; the search ends as soon as it is below `enough`.
    pub fn of(&mut self, model: &Model, state: &State, cloth: usize, enough: f64) -> Imbalance {
        let range = model.cloths[cloth].particles.clone();
        self.drivers.begin(model, state, None, state.time);
        self.gather_forces(model, state);
        self.find_contacts(model, state);
        self.find_tethers(model);
        let free = |i: &usize| self.drivers.freedom[*i] != Freedom::Fixed && model.mass[*i] > 0.0;
        let mass: f64 = range.clone().filter(free).map(|i| model.mass[i]).sum();
        let scale = mass.sqrt() * model.gravity.length();
        if !(scale > 0.0) {
            return Imbalance { fraction: 0.0, particle: range.start };
        }
        let places = Places { x: &state.x, v: &state.v, patch: &self.patch };
        let mut search = BalanceSearch::default();
        search.make_bodies(model, places, range.clone().filter(free).map(|i| (i, self.force[i])));
        self.add_reactions(model, &mut search, places, cloth);
        self.add_edges(model, &mut search, places, cloth);
        self.add_tethers(model, &mut search, places, cloth);
        self.add_elements(model, &mut search, places, cloth);
        self.add_contacts(model, &mut search, places, cloth);
        search.run(enough * scale);
        let worst = range.clone().filter(free).map(|i| (i, search.acceleration(places, i).length_squared()));
        let worst = worst.fold((range.start, 0.0), |one, other| if other.1 > one.1 { other } else { one });
        Imbalance { fraction: search.length() / scale, particle: worst.0 }
    }

    /// f, without elastic elements where they may have less than all of their force.
    fn gather_forces(&mut self, model: &Model, state: &State) {
        let (x, force) = (&state.x, &mut self.force);
        force.fill(DVec3::ZERO);
        if self.exact {
            total::add_conservative(model, x, force);
        } else {
            force.iter_mut().zip(&model.mass).for_each(|(force, mass)| *force = model.gravity * *mass);
        }
        total::add_air(model, x, &state.v, state.given.wind(&model.air, state.time), force);
        for pull in &self.drivers.pulls {
            let i = pull.particle;
            force[i] += pull.at(x[i], state.v[i]);
        }
    }

    /// Adds what pins and guides may do.
    fn add_reactions(&self, model: &Model, search: &mut BalanceSearch, places: Places<'_>, cloth: usize) {
        for i in model.cloths[cloth].particles.clone() {
            let freedom = self.drivers.freedom[i];
            if freedom != Freedom::Free && !self.follows[i] {
                let reaction = AllowedForce::Reaction(freedom);
                search.add_support(reaction, std::iter::once((i as u32, 1.0)), places);
            }
        }
    }

    /// Adds what edges between patches may do.
    fn add_edges(&self, model: &Model, search: &mut BalanceSearch, places: Places<'_>, cloth: usize) {
        for edge in &model.edges[model.cloths[cloth].edges.clone()] {
            let span = places.x[edge.b as usize] - places.x[edge.a as usize];
            if let Some(sign) = self.limits.sign(span.length(), edge.rest) {
                let pull = span * (sign / span.length());
                search.add_tie([edge.a, edge.b], [pull, -pull], [0.0, f64::INFINITY], places);
            }
        }
    }

    /// Adds what tethers may do: pull at their particles, and at pins, which do not move.
    fn add_tethers(&self, model: &Model, search: &mut BalanceSearch, places: Places<'_>, cloth: usize) {
        let own = &model.cloths[cloth].particles;
        for Tether { particle, pin, longest } in
            self.tethers.iter().filter(|tether| own.contains(&(tether.particle as usize)))
        {
            let span = places.x[*pin as usize] - places.x[*particle as usize];
            if span.length() >= longest * (1.0 - self.slack) {
                search.add_pull(*particle, span / span.length(), places);
            }
        }
    }

    /// Adds what elastic elements between patches may do.
    fn add_elements(&self, model: &Model, search: &mut BalanceSearch, places: Places<'_>, cloth: usize) {
        if !self.exact {
            let own = model.cloths[cloth].particles.clone();
            self.add_springs(model, search, own.clone(), places);
            search.add_elements(&model.choi_ko, own.clone(), places);
            search.add_elements(&model.corners, own.clone(), places);
            self.add_hinges(model, search, own, places);
        }
    }

    /// Adds what hinges between patches may do: any fraction of the moment at any angle that differs from theirs by no
    /// more than [`ANGLE_SLACK`], and of their damper's.
    fn add_hinges(&self, model: &Model, search: &mut BalanceSearch, own: Range<usize>, places: Places<'_>) {
        for hinge in &model.hinges {
            let particles = hinge.particles();
            if places.apart(&particles) && own.contains(&(particles[0] as usize)) {
                // Moments are c (sin θ/2 - sin θ0/2): two of them give what one of c does.
                let (x, other) =
                    (total::gather(places.x, particles), Hinge { rest_sine: hinge.rest_sine + 1.0, ..*hinge });
                let (now, less) = (hinge.force(&x), other.force(&x));
                let unit = [0, 1, 2, 3].map(|k| now[k] - less[k]);
                let square: f64 = unit.iter().map(|force| force.length_squared()).sum();
                let units = |forces: [DVec3; 4]| {
                    (0..4).map(|k| forces[k].dot(unit[k])).sum::<f64>() / square.max(f64::MIN_POSITIVE)
                };
                let damper = units(hinge.damping_force(&x, &total::gather(places.v, particles)));
                let range = [-1.0, 1.0].map(|sign| units(now) + sign * 0.5 * ANGLE_SLACK);
                let range = [range[0].min(0.0) + damper.min(0.0), range[1].max(0.0) + damper.max(0.0)];
                search.add_tie(particles, unit, range, places);
                self.add_filtered(search, hinge, places);
            }
        }
    }

    /// Adds what a filter may make of the moments around a hinge: forces by its stencil at rest, along any direction,
    /// of no more than the hinge's own curvature, or [`ANGLE_SLACK`], gives.
    fn add_filtered(&self, search: &mut BalanceSearch, hinge: &Hinge, places: Places<'_>) {
        let particles = hinge.particles();
        let q = hinge_stencil(particles.map(|i| self.rest[i as usize]));
        let curvature: DVec3 = (0..4).map(|k| q[k] * places.x[particles[k] as usize]).sum();
        let most = hinge.stiffness * (0.5 * curvature.length() + hinge.rest_sine.abs()).max(0.5 * ANGLE_SLACK);
        for axis in DVec3::AXES {
            search.add_tie(particles, q.map(|q| axis * q), [-most, most], places);
        }
    }

    /// Adds what springs between patches may do: any fraction of the force at any length that differs from theirs by no
    /// more than the slack.
    fn add_springs(&self, model: &Model, search: &mut BalanceSearch, own: Range<usize>, places: Places<'_>) {
        for spring in model.springs.iter().filter(|spring| own.contains(&(spring.a as usize))) {
            let span = places.x[spring.b as usize] - places.x[spring.a as usize];
            let length = span.length();
            if places.apart(&spring.particles()) && length > 0.0 {
                let stretch = [-1.0, 1.0].map(|sign| length + sign * self.slack * spring.rest - spring.rest);
                let rate = (places.v[spring.b as usize] - places.v[spring.a as usize]).dot(span) / length;
                let damper = spring.damping * rate;
                let range = [
                    spring.stiffness * stretch[0].min(0.0) + damper.min(0.0),
                    spring.stiffness * stretch[1].max(0.0) + damper.max(0.0),
                ];
                search.add_tie(spring.particles(), [span / length, -span / length], range, places);
            }
        }
    }

    /// Makes the tethers for the particles that are pinned now.
    fn find_tethers(&mut self, model: &Model) {
        let fixed = |i: usize| self.drivers.freedom[i] == Freedom::Fixed;
        let same = self.fixed.len() == model.len() && (0..model.len()).all(|i| self.fixed[i] == fixed(i));
        if self.tethered && !same {
            self.fixed = (0..model.len()).map(fixed).collect();
            self.tethers = tethers_of(model, &self.fixed);
        }
    }

    fn find_contacts(&mut self, model: &Model, state: &State) {
        if !model.colliders.is_empty() {
            let later = Surroundings { time: state.time + self.step, given: &state.given };
            self.solids.begin(model, [state.into(), later], self.step);
            let ahead = Ahead { x: &state.x, v: &self.still, span: 0.0, further: CONTACT_MARGIN };
            self.finder.look(model, &mut self.surface, &self.solids, ahead);
        }
    }

    fn add_contacts(&self, model: &Model, search: &mut BalanceSearch, places: Places<'_>, cloth: usize) {
        let own = &model.cloths[cloth].particles;
        for near in self.finder.found().iter().filter(|near| own.contains(&(near.particles[0] as usize))) {
            if near.gap < (1.0 + CONTACT_MARGIN) * near.thickness {
                let points = near.particles.into_iter().zip(near.weights).filter(|(_, weight)| *weight > 0.0);
                let cone = AllowedForce::Cone { normal: near.normal, friction: near.friction };
                search.add_support(cone, points, places);
            }
        }
    }
}

/// Cuts a list of vertices in half across its longest extent, again and again, into at most so many patches.
fn cut(vertices: &mut [u32], patches: usize, rest: &[DVec3], found: &mut impl FnMut(&[u32])) {
    if patches < 2 || vertices.len() < 2 {
        return found(vertices);
    }
    let at = |vertex: u32| rest[vertex as usize];
    let (low, high) = vertices.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &vertex| {
        (low.min(at(vertex)), high.max(at(vertex)))
    });
    let axis = (high - low).max_position();
    vertices.sort_unstable_by(|&a, &b| at(a)[axis].total_cmp(&at(b)[axis]).then(a.cmp(&b)));
    let (left, right) = vertices.split_at_mut(vertices.len() / 2);
    cut(left, patches / 2, rest, found);
    cut(right, patches - patches / 2, rest, found);
}

/// Where particles are [m], how fast [m/s], and in which patches.
#[derive(Debug, Clone, Copy)]
struct Places<'a> {
    x: &'a [DVec3],
    v: &'a [DVec3],
    patch: &'a [u32],
}

impl Places<'_> {
    /// True when particles are not all in one patch.
    fn apart(&self, particles: &[u32]) -> bool {
        particles.iter().any(|i| self.patch[*i as usize] != self.patch[particles[0] as usize])
    }
}

/// A patch as a rigid body.
#[derive(Debug, Clone, Copy)]
struct RigidPatch {
    centre: DVec3,
    mass: f64,
    /// 1/m; 0 when all of it is pinned.
    per_mass: f64,
    inertia: DMat3,
    /// I⁻¹; 0 when there is no inertia.
    per_inertia: DMat3,
    /// Acceleration of the centre [m/s²].
    linear: DVec3,
    /// Angular acceleration [1/s²].
    angular: DVec3,
    /// Both, a round before.
    before: [DVec3; 2],
}

impl RigidPatch {
    const NOTHING: Self = Self {
        centre: DVec3::ZERO,
        mass: 0.0,
        per_mass: 0.0,
        inertia: DMat3::ZERO,
        per_inertia: DMat3::ZERO,
        linear: DVec3::ZERO,
        angular: DVec3::ZERO,
        before: [DVec3::ZERO; 2],
    };

    /// Lets a force with an arm [m] act.
    fn push(&mut self, force: DVec3, arm: DVec3) {
        self.linear += force * self.per_mass;
        self.angular += self.per_inertia * arm.cross(force);
    }

    /// The acceleration at an arm; at the same time the slope of ½|r|² along forces there.
    fn acceleration(&self, arm: DVec3) -> DVec3 {
        self.linear + self.angular.cross(arm)
    }

    /// How much a force of 1 N with an arm accelerates its place along itself, at most, whatever its direction.
    fn greatest_response(&self, arm: DVec3) -> f64 {
        let around = |unit: DVec3| {
            let turn = arm.cross(unit);
            turn.dot(self.per_inertia * turn)
        };
        self.per_mass + around(DVec3::X) + around(DVec3::Y) + around(DVec3::Z)
    }

    /// Σ m |a|².
    fn square(&self) -> f64 {
        self.mass * self.linear.length_squared() + self.angular.dot(self.inertia * self.angular)
    }
}

/// Which forces there may be at a place.
#[derive(Debug, Clone, Copy)]
enum AllowedForce {
    /// A push and the friction that goes with it.
    Cone { normal: DVec3, friction: f64 },
    /// Whatever takes the motion that a particle is not free to have.
    Reaction(Freedom),
}

impl AllowedForce {
    /// The nearest force that may be.
    fn nearest(&self, force: DVec3) -> DVec3 {
        match self {
            Self::Cone { normal, friction } => within_cone(force, *normal, *friction),
            Self::Reaction(freedom) => force - freedom.filter(force),
        }
    }
}

/// A force at a place, which the search may choose.
#[derive(Debug, Clone, Copy)]
struct Support {
    law: AllowedForce,
    /// RigidPatch, arm, and how much of the force.
    points: [(usize, DVec3, f64); 3],
    count: usize,
    /// Step along the slope that is best, or shorter.
    step: f64,
    now: DVec3,
    before: DVec3,
}

/// Forces between bodies that grow together, by a factor in a range, which the search may choose.
#[derive(Debug, Clone, Copy)]
struct Tie {
    ends: [End; 4],
    count: usize,
    range: [f64; 2],
    step: f64,
    now: f64,
    before: f64,
}

/// One end of them: force and torque on a body, and how it answers.
#[derive(Debug, Clone, Copy, Default)]
struct End {
    body: usize,
    force: DVec3,
    torque: DVec3,
    linear: DVec3,
    angular: DVec3,
}

/// One search.
#[derive(Debug, Default)]
struct BalanceSearch {
    bodies: Vec<RigidPatch>,
    ties: Vec<Tie>,
    supports: Vec<Support>,
}

impl BalanceSearch {
    /// Makes bodies of particles and the forces on them.
    fn make_bodies(
        &mut self,
        model: &Model,
        places: Places<'_>,
        particles: impl Iterator<Item = (usize, DVec3)> + Clone,
    ) {
        self.bodies.resize(PATCHES, RigidPatch::NOTHING);
        for (i, _) in particles.clone() {
            let body = &mut self.bodies[places.patch[i] as usize];
            body.mass += model.mass[i];
            body.centre += model.mass[i] * places.x[i];
        }
        for body in self.bodies.iter_mut().filter(|body| body.mass > 0.0) {
            body.centre /= body.mass;
            body.per_mass = 1.0 / body.mass;
        }
        for (i, _) in particles.clone() {
            let body = &mut self.bodies[places.patch[i] as usize];
            let arm = places.x[i] - body.centre;
            let own = DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer(arm, arm);
            body.inertia += own * model.mass[i];
        }
        for body in &mut self.bodies {
            let trace = body.inertia.x_axis.x + body.inertia.y_axis.y + body.inertia.z_axis.z;
            // A single particle has none but for rounding.
            if trace > 1e-18 * body.mass * body.centre.length_squared() {
                body.inertia += DMat3::from_diagonal(DVec3::splat(LEAST_INERTIA * trace));
                body.per_inertia = body.inertia.inverse();
            }
        }
        for (i, force) in particles {
            let body = &mut self.bodies[places.patch[i] as usize];
            body.push(force, places.x[i] - body.centre);
        }
    }

    /// Adds forces between particles with any factor in a range, unless all of them are in one patch.
    fn add_tie<const N: usize>(
        &mut self,
        particles: [u32; N],
        forces: [DVec3; N],
        range: [f64; 2],
        places: Places<'_>,
    ) {
        let (mut ends, mut count) = ([End::default(); 4], 0);
        for (i, force) in particles.into_iter().map(|i| i as usize).zip(forces) {
            let body = places.patch[i] as usize;
            let at = ends[..count].iter().position(|end| end.body == body).unwrap_or(count);
            count = count.max(at + 1);
            ends[at].body = body;
            ends[at].force += force;
            ends[at].torque += (places.x[i] - self.bodies[body].centre).cross(force);
        }
        let mut response = 0.0;
        for end in &mut ends[..count] {
            let body = &self.bodies[end.body];
            (end.linear, end.angular) = (end.force * body.per_mass, body.per_inertia * end.torque);
            response += end.force.dot(end.linear) + end.torque.dot(end.angular);
        }
        if count > 1 && response > 0.0 && response.is_finite() {
            self.ties.push(Tie { ends, count, range, step: 1.0 / response, now: 0.0, before: 0.0 });
        }
    }

    /// Adds a force on one particle along a direction, of any strength.
    fn add_pull(&mut self, particle: u32, direction: DVec3, places: Places<'_>) {
        let number = places.patch[particle as usize] as usize;
        let body = &self.bodies[number];
        let torque = (places.x[particle as usize] - body.centre).cross(direction);
        let (linear, angular) = (direction * body.per_mass, body.per_inertia * torque);
        let response = direction.dot(linear) + torque.dot(angular);
        let mut ends = [End::default(); 4];
        ends[0] = End { body: number, force: direction, torque, linear, angular };
        if response > 0.0 && response.is_finite() {
            let range = [0.0, f64::INFINITY];
            self.ties.push(Tie { ends, count: 1, range, step: 1.0 / response, now: 0.0, before: 0.0 });
        }
    }

    /// Adds elastic elements of a cloth, each with any fraction of its force.
    fn add_elements<const N: usize>(&mut self, elements: &[impl Element<N>], own: Range<usize>, places: Places<'_>) {
        for element in elements {
            let particles = element.particles();
            if places.apart(&particles) && own.contains(&(particles[0] as usize)) {
                self.add_tie(particles, element.force(&total::gather(places.x, particles)), [0.0, 1.0], places);
            }
        }
    }

    /// Adds a force on some particles, each with its weight.
    fn add_support(&mut self, law: AllowedForce, on: impl Iterator<Item = (u32, f64)>, places: Places<'_>) {
        let mut points = [(0, DVec3::ZERO, 0.0); 3];
        let (mut count, mut response) = (0, 0.0);
        for (particle, weight) in on.take(3) {
            let number = places.patch[particle as usize] as usize;
            let body = &self.bodies[number];
            let arm = places.x[particle as usize] - body.centre;
            if body.mass > 0.0 {
                points[count] = (number, arm, weight);
                count += 1;
                // Weights are positive with the sum 1, so that no sum over one body is more than this.
                response += weight * body.greatest_response(arm);
            }
        }
        if response > 0.0 {
            let (now, before) = (DVec3::ZERO, DVec3::ZERO);
            self.supports.push(Support { law, points, count, step: 1.0 / response, now, before });
        }
    }

    /// |r|.
    fn length(&self) -> f64 {
        self.bodies.iter().map(RigidPatch::square).sum::<f64>().sqrt()
    }

    /// The acceleration of a particle [m/s²].
    fn acceleration(&self, places: Places<'_>, particle: usize) -> DVec3 {
        let body = &self.bodies[places.patch[particle] as usize];
        body.acceleration(places.x[particle] - body.centre)
    }

    /// Shortens |r| until it is below `enough`, or there is no more to find.
    fn run(&mut self, enough: f64) {
        let mut momentum = 1.0_f64;
        let (mut length, mut reached) = (self.length(), self.length());
        self.forget_motion();
        for round in 1..=MOST_ROUNDS {
            let next = 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt());
            self.move_on((momentum - 1.0) / next);
            momentum = next;
            // To and fro: loads come from the far ends of the cloth, reactions from its pins.
            self.supports.iter_mut().for_each(|support| support.improve(&mut self.bodies));
            self.ties.iter_mut().for_each(|tie| tie.improve(&mut self.bodies));
            self.ties.iter_mut().rev().for_each(|tie| tie.improve(&mut self.bodies));
            let before = std::mem::replace(&mut length, self.length());
            if length <= enough {
                return;
            }
            if length > before {
                self.forget_motion();
                momentum = 1.0;
            }
            if round % PATIENCE == 0 {
                if length > (1.0 - PROGRESS) * reached {
                    return;
                }
                reached = length;
            }
        }
    }

    /// Goes on by so much of what the last round has changed.
    fn move_on(&mut self, beta: f64) {
        for body in &mut self.bodies {
            let now = [body.linear, body.angular];
            body.linear += (now[0] - body.before[0]) * beta;
            body.angular += (now[1] - body.before[1]) * beta;
            body.before = now;
        }
        for tie in &mut self.ties {
            let now = tie.now;
            tie.now += (now - tie.before) * beta;
            tie.before = now;
        }
        for support in &mut self.supports {
            let now = support.now;
            support.now += (now - support.before) * beta;
            support.before = now;
        }
    }

    fn forget_motion(&mut self) {
        self.bodies.iter_mut().for_each(|body| body.before = [body.linear, body.angular]);
        self.ties.iter_mut().for_each(|tie| tie.before = tie.now);
        self.supports.iter_mut().for_each(|support| support.before = support.now);
    }
}

impl Tie {
    /// Chooses the best force, all others as they are.
    fn improve(&mut self, bodies: &mut [RigidPatch]) {
        let ends = &self.ends[..self.count];
        let slope = |end: &End| end.force.dot(bodies[end.body].linear) + end.torque.dot(bodies[end.body].angular);
        let slope: f64 = ends.iter().map(slope).sum();
        self.change_to(self.now - slope * self.step, bodies);
    }

    /// Changes the force to the nearest that may be.
    fn change_to(&mut self, next: f64, bodies: &mut [RigidPatch]) {
        let next = next.clamp(self.range[0], self.range[1]);
        let change = next - self.now;
        if change != 0.0 {
            self.now = next;
            for end in &self.ends[..self.count] {
                bodies[end.body].linear += end.linear * change;
                bodies[end.body].angular += end.angular * change;
            }
        }
    }
}

impl Support {
    /// Chooses the best force, all others as they are.
    fn improve(&mut self, bodies: &mut [RigidPatch]) {
        let mut slope = DVec3::ZERO;
        for &(body, arm, weight) in &self.points[..self.count] {
            slope += bodies[body].acceleration(arm) * weight;
        }
        self.change_to(self.now - slope * self.step, bodies);
    }

    /// Changes the force to the nearest that may be.
    fn change_to(&mut self, next: DVec3, bodies: &mut [RigidPatch]) {
        let next = self.law.nearest(next);
        let change = next - self.now;
        if change != DVec3::ZERO {
            self.now = next;
            for &(body, arm, weight) in &self.points[..self.count] {
                bodies[body].push(change * weight, arm);
            }
        }
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
