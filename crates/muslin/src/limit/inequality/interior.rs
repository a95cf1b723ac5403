//! Interior points: the step's problem as a second-order cone program.
//!
//! ```text
//! minimise ½ |x - x̂|²_M    subject to   s = (1, d/L) in Q for every length,   s = g/l̄ >= 0 for every contact
//! M (x - x̂) = Gᵀ z,    s∘z = μ 1,    s and z inside;      μ towards 0
//! (M + Gᵀ W⁻² G) δx = -r_d + Gᵀ W⁻¹ (λ \ c - W⁻¹ r_p)      over particles, 3 × 3 blocks, positive
//! ```
//!
//! x positions [m] from the preview x̂, M masses [kg], d edge vector, L its limit length, g gap of a contact along its
//! plane [m], l̄ mean rest length [m], Q second-order cone (`cone`), G the linear part of s, z multipliers [kg m²]
//! (those of a length: (h²λ, -h²λ n)), W Nesterov–Todd scaling, λ = W z, r_d and r_p what is left of the first two
//! lines, c what products s∘z shall change by. Sources: [JLGF17] §4 names both solvers; [BV04] for the barrier;
//! [Meh92] and [ART03] for the other.
//!
//! - *primal-dual*: each round factors the matrix once and solves twice: a prediction for μ = 0, and from how far that
//!   goes a centred step with the prediction's error of second order (Mehrotra).
//! - *barrier*: z = μ s⁻¹ throughout, which makes the same equations Newton's for ½|x - x̂|²_M - μ Σ log det s / 2; μ
//!   falls tenfold once they are solved, down to `barrier`, in units of m̄ l̄².
//!
//! Limits of lengths are convex, so there is one minimiser, and redundant rows do no harm. Rounds end when rows are
//! within `tolerance` and ½|x - x*|²_M <= s·z, which holds of any such pair, bounds the distance to the minimiser. The
//! primal-dual method starts from the multipliers of the step before, which are part of the state. Impulses of lengths
//! are equal and opposite in every round, so linear momentum is kept whether rounds end early or not. They point along
//! the edges at the end of the step, so angular momentum is not. Pins enter by their filter matrices: C A C + (1 - C)
//! m.

use glam::{DMat3, DVec3};

use super::cone::{Point, Scaling};
use super::constraint::Constraint;
use super::lengths;
use crate::contact::{ContactRow, Contacts, Solids};
use crate::drivers::Freedom;
use crate::forces::outer;
use crate::integrate::StepContext;
use crate::linalg::ParticleSystem;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::settings::{Inequality, InequalitySolver, Limiter};

/// How far towards the boundary of a cone a round goes.
const BOLDNESS: f64 = 0.98;
/// Shorter steps than this fraction lead nowhere: the limits contradict each other.
const SHORTEST: f64 = 1e-6;
/// How near to the minimiser rounds end, root mean square, in units of `tolerance` times l̄.
const NEARNESS: f64 = 100.0;

/// The same with contacts, where a gap that stays open is one that is seen.
const NEARNESS_IN_CONTACT: f64 = 2.0;
/// The same by what the minimiser moves, squared: however short a step is, its velocities are as exact. Without it nets
/// gained energy in steps of 1/6000 s and less, where an edge is long by what a particle moves.
const NEARNESS_OF_MOTION: f64 = 1e-2;
/// What is nearer than this fraction of l̄ is not distinguished.
const NEAREST: f64 = 1e-9;
/// μ at the start, in units of m̄ l̄² times the square of the worst violation: without multipliers to start from, and
/// with.
const START_MU: [f64; 2] = [30.0, 1.0];
/// How far inside their cones rows over their limit start, in units of the worst violation.
const START_ROOM: f64 = 0.1;
/// How much of the multipliers of the step before the solver starts from.
const START_FROM: f64 = 0.9;
/// How far towards the boundary of a cone Newton's steps of the barrier go: it rises steeply there.
const CAUTION: f64 = 0.9;
/// What the barrier's weight falls by once its equations are solved.
const LOWERING: f64 = 0.1;

/// What a row's cone is a linear function of.
#[derive(Debug, Clone, Copy)]
enum Map {
    /// (1, d/L), with its number among the constraints and 1/L [1/m].
    Length { number: u32, ends: [u32; 2], inverse: f64 },
    /// ((n·x - least)/l̄, 0): collider and particle, n/l̄ [1/m], least n·x/l̄.
    Plane { collider: u32, particle: u32, gradient: DVec3, least: f64 },
}

#[derive(Debug, Clone, Copy)]
struct ConeRow {
    map: Map,
    s: Point,
    z: Point,
    scaling: Scaling,
    /// W z.
    lambda: Point,
    /// s as x has it, minus s.
    residual: Point,
    /// Steps, scaled: W⁻¹ δs and W δz.
    scaled: [Point; 2],
    ds: Point,
    dz: Point,
}

impl ConeRow {
    fn new(map: Map) -> Self {
        let zero = Point::default();
        let (s, z) = (zero, zero);
        Self {
            map,
            s,
            z,
            scaling: Scaling::default(),
            lambda: zero,
            residual: zero,
            scaled: [zero; 2],
            ds: zero,
            dz: zero,
        }
    }

    /// Collider and particle of a plane.
    fn key(&self) -> (u32, u32) {
        match self.map {
            Map::Length { .. } => (0, 0),
            Map::Plane { collider, particle, .. } => (collider, particle),
        }
    }

    /// s at the positions `x`.
    fn value(&self, x: &[DVec3]) -> Point {
        match self.map {
            Map::Length { ends: [a, b], inverse, .. } => Point::new(1.0, (x[b as usize] - x[a as usize]) * inverse),
            Map::Plane { particle, gradient, least, .. } => {
                Point::new(gradient.dot(x[particle as usize]) - least, DVec3::ZERO)
            }
        }
    }

    /// c: how far beyond its limit it is.
    fn violation(value: Point) -> f64 {
        value.v.length() - value.t
    }

    /// G δx.
    fn change(&self, dx: &[DVec3]) -> Point {
        match self.map {
            Map::Length { ends: [a, b], inverse, .. } => Point::new(0.0, (dx[b as usize] - dx[a as usize]) * inverse),
            Map::Plane { particle, gradient, .. } => Point::new(gradient.dot(dx[particle as usize]), DVec3::ZERO),
        }
    }

    /// Adds Gᵀ p.
    fn pull(&self, p: Point, forces: &mut [DVec3]) {
        match self.map {
            Map::Length { ends: [a, b], inverse, .. } => {
                forces[a as usize] -= p.v * inverse;
                forces[b as usize] += p.v * inverse;
            }
            Map::Plane { particle, gradient, .. } => forces[particle as usize] += gradient * p.t,
        }
    }
}

/// The program of a step, and working memory.
#[derive(Debug)]
pub(super) struct InteriorPoint {
    own: Inequality,
    constraints: Vec<Constraint>,
    /// l̄ [m].
    mean_rest: f64,
    /// m̄ l̄² [kg m²].
    unit: f64,
    /// s·z [kg m²] from which on x is near enough, without contacts and with.
    goals: [f64; 2],
    /// What is asked at most [kg m²].
    least_goal: f64,
    /// None when there was no memory for it.
    system: Option<ParticleSystem>,
    /// Lengths, then planes by collider and particle.
    rows: Vec<ConeRow>,
    /// Planes of the round before.
    older: Vec<ConeRow>,
    /// h²λ at the end of the step, by constraint [kg m²].
    multipliers: Vec<f64>,
    /// x̂ without the pushes of contacts [m].
    preview: Vec<DVec3>,
    x: Vec<DVec3>,
    /// -r_d [kg m].
    unbalanced: Vec<DVec3>,
    /// What is handed over [m]: x, or with contacts x̂ + C M⁻¹ Gᵀ z.
    result: Vec<DVec3>,
    /// δx [m].
    step: Vec<DVec3>,
    diagonal: Vec<DMat3>,
}

/// How far a round is from the solution.
#[derive(Debug, Clone, Copy)]
struct Distance {
    /// Greatest violation of the result, a fraction of the limit length.
    violation: f64,
    /// s·z [kg m²].
    gap: f64,
    /// |r_d|² in the metric of M⁻¹ [kg m²].
    unbalanced: f64,
    /// What the two shall come to [kg m²].
    goal: f64,
}

impl InteriorPoint {
    pub(super) fn new(own: Inequality, limiter: &Limiter, model: &Model) -> Self {
        let (constraints, mean_rest) = lengths(&own, limiter, model);
        let pairs: Vec<[u32; 2]> = constraints.iter().map(Constraint::ends).collect();
        let particles = model.len();
        let total: f64 = model.mass.iter().sum();
        let planes = if model.colliders.is_empty() { 0 } else { particles };
        let goal = |nearness: f64| 0.5 * total * libm::pow(nearness * own.tolerance * mean_rest, 2.0);
        Self {
            own,
            mean_rest,
            unit: total / particles.max(1) as f64 * mean_rest * mean_rest,
            goals: [goal(NEARNESS), goal(NEARNESS_IN_CONTACT)],
            least_goal: goal(NEAREST / own.tolerance),
            system: ParticleSystem::new(&pairs, &model.start),
            rows: Vec::with_capacity(constraints.len() + planes),
            older: Vec::with_capacity(planes),
            multipliers: vec![0.0; constraints.len()],
            constraints,
            preview: vec![DVec3::ZERO; particles],
            x: vec![DVec3::ZERO; particles],
            unbalanced: vec![DVec3::ZERO; particles],
            result: vec![DVec3::ZERO; particles],
            step: vec![DVec3::ZERO; particles],
            diagonal: vec![DMat3::ZERO; particles],
        }
    }

    pub(super) fn apply(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        (contacts, solids): (&mut Contacts, &Solids),
        velocity: &mut [DVec3],
    ) -> LimiterWork {
        let worst = self.begin(context, contacts, velocity);
        let mut work = LimiterWork::default();
        let stands = self.own.solver == InequalitySolver::Barrier && self.own.barrier > 0.0;
        if worst <= self.own.tolerance && !stands {
            return work;
        }
        self.take_back_pushes(context, contacts);
        let mu = self.place_inside(context, worst);
        let finished = match self.own.solver {
            InequalitySolver::Barrier => self.lower_barrier(mu, limiter, context, (contacts, solids), &mut work),
            _ => self.follow_path(limiter, context, (contacts, solids), &mut work),
        };
        work.unfinished = !finished;
        if finished || self.own.solver == InequalitySolver::Barrier {
            self.conclude(context, contacts, velocity);
        }
        if !finished {
            // Those of limits that contradict each other grow without bound.
            self.multipliers.fill(0.0);
        }
        work
    }

    /// h²λ at the end of the last step, by constraint [kg m²].
    pub(super) fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    /// Gathers the rows of a step whose preview is given by mean velocities [m/s]; returns the worst violation of it.
    fn begin(&mut self, context: StepContext<'_>, contacts: &Contacts, velocity: &[DVec3]) -> f64 {
        let freedom = &context.drivers.freedom;
        self.multipliers.fill(0.0);
        for (i, place) in self.preview.iter_mut().enumerate() {
            *place = context.state.x[i] + velocity[i] * context.h;
        }
        self.x.copy_from_slice(&self.preview);
        self.rows.clear();
        for (number, constraint) in (0..).zip(&self.constraints) {
            let ends = constraint.ends();
            if ends.iter().any(|&end| freedom[end as usize] != Freedom::Fixed) {
                self.rows.push(ConeRow::new(Map::Length { number, ends, inverse: 1.0 / constraint.limit() }));
            }
        }
        for row in contacts.rows().iter().filter(|row| row.can_be_pushed()) {
            self.rows.push(ConeRow::new(plane(row, self.mean_rest)));
        }
        let values = self.rows.iter().map(|row| ConeRow::violation(row.value(&self.x)));
        values.fold(0.0, f64::max)
    }

    /// From here on a contact's multiplier is its whole push.
    fn take_back_pushes(&mut self, context: StepContext<'_>, contacts: &mut Contacts) {
        for row in contacts.rows_mut() {
            let i = row.particle as usize;
            self.preview[i] -= context.drivers.response(context.model, i, row.take_back()) * context.h;
        }
    }

    /// Places every s and z inside its cone, with multipliers and displacements that are somewhat less than those of
    /// the step before; returns the μ of what is added to them.
    fn place_inside(&mut self, context: StepContext<'_>, worst: f64) -> f64 {
        let state = context.state;
        let known = &state.multipliers;
        let warm = self.own.solver == InequalitySolver::PrimalDual
            && known.len() == self.constraints.len()
            && known.iter().any(|multiplier| *multiplier > 0.0);
        let worst = worst.max(self.own.tolerance);
        let mu = self.unit * worst * worst * START_MU[usize::from(warm)];
        self.unbalanced.fill(DVec3::ZERO);
        for row in &mut self.rows {
            row.z = Point::default();
            if let (true, Map::Length { number, ends: [a, b], .. }) = (warm, row.map) {
                // The direction that it had there.
                let n = (state.x[b as usize] - state.x[a as usize]).normalize_or_zero();
                row.z = Point::new(1.0, -n) * (START_FROM * known[number as usize]);
                row.pull(row.z, &mut self.unbalanced);
            }
        }
        for (i, x) in self.x.iter_mut().enumerate() {
            *x = self.preview[i] + context.drivers.response(context.model, i, self.unbalanced[i]);
        }
        for row in &mut self.rows {
            let value = row.value(&self.x);
            row.s = Point::new(value.t.max(value.v.length() + START_ROOM * worst), value.v);
            row.z = row.z + row.s.inverse() * mu;
        }
        mu
    }

    /// Measures contacts and what is left of the equations at x.
    fn measure(&mut self, context: StepContext<'_>, contacts: (&mut Contacts, &Solids)) -> Distance {
        self.measure_contacts(context, contacts);
        let has_planes = self.rows.last().is_some_and(|row| matches!(row.map, Map::Plane { .. }));
        let mut moved = 0.0;
        for (i, force) in self.unbalanced.iter_mut().enumerate() {
            let back = self.preview[i] - self.x[i];
            *force = back * context.model.mass[i];
            moved += 0.5 * force.dot(back);
        }
        let goal = self.goals[usize::from(has_planes)].min(NEARNESS_OF_MOTION * moved).max(self.least_goal);
        let mut distance = Distance { violation: 0.0, gap: 0.0, unbalanced: 0.0, goal };
        for row in &mut self.rows {
            let value = row.value(&self.x);
            row.residual = value - row.s;
            distance.gap += row.s.dot(row.z);
            row.pull(row.z, &mut self.unbalanced);
        }
        for (i, force) in self.unbalanced.iter_mut().enumerate() {
            let shift = context.drivers.response(context.model, i, *force);
            *force = context.drivers.filter(i, *force);
            // Forces of lengths that do not balance yet add up to nothing; those of solids would go missing.
            self.result[i] = if has_planes { self.x[i] + shift } else { self.x[i] };
            distance.unbalanced += force.dot(shift);
        }
        let violations = self.rows.iter().map(|row| ConeRow::violation(row.value(&self.result)));
        distance.violation = violations.fold(0.0, f64::max);
        distance
    }

    /// Measures contacts where x is now. Planes that were there keep s and z.
    fn measure_contacts(&mut self, context: StepContext<'_>, (contacts, solids): (&mut Contacts, &Solids)) {
        if context.model.colliders.is_empty() {
            return;
        }
        contacts.gather(context, solids, |i| self.x[i]);
        let lengths = self.rows.partition_point(|row| matches!(row.map, Map::Length { .. }));
        let mu = self.rows.iter().map(|row| row.s.dot(row.z)).sum::<f64>() / self.rows.len() as f64;
        self.older.clear();
        self.older.extend(self.rows.drain(lengths..));
        for contact in contacts.rows().iter().filter(|row| row.can_be_pushed()) {
            let mut row = ConeRow::new(plane(contact, self.mean_rest));
            if let Ok(place) = self.older.binary_search_by_key(&contact.key(), ConeRow::key) {
                (row.s, row.z) = (self.older[place].s, self.older[place].z);
            } else {
                let room = (mu / self.unit).sqrt();
                row.s = Point::new(row.value(&self.x).t.max(room), DVec3::ZERO);
                row.z = row.s.inverse() * mu;
            }
            self.rows.push(row);
        }
    }

    /// Rounds of the primal-dual method; true when they reached their goal.
    fn follow_path(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        (contacts, solids): (&mut Contacts, &Solids),
        work: &mut LimiterWork,
    ) -> bool {
        loop {
            let left = self.measure(context, (contacts, solids));
            if left.violation <= self.own.tolerance && left.gap <= left.goal && left.unbalanced <= left.goal {
                return true;
            }
            if !self.begin_round(limiter, context, work) {
                return false;
            }
            self.solve(context, |row| row.lambda.times(row.lambda) * -1.0, 1.0);
            let left_over = 1.0 - self.reach().min(1.0);
            let centring = left_over * left_over * left_over;
            let mu = centring * left.gap / self.rows.len() as f64;
            let aim = |row: &ConeRow| {
                let [ds, dz] = row.scaled;
                Point::new(mu, DVec3::ZERO) - row.lambda.times(row.lambda) - ds.times(dz)
            };
            self.solve(context, aim, 1.0 - centring);
            let fraction = (BOLDNESS * self.reach()).min(1.0);
            if !(fraction > SHORTEST) {
                return false;
            }
            self.advance(fraction);
        }
    }

    /// Makes the matrix of a round ready; false when rounds are used up, or that fails.
    fn begin_round(&mut self, limiter: &Limiter, context: StepContext<'_>, work: &mut LimiterWork) -> bool {
        if work.rounds == limiter.max_iterations || context.interrupt.asked() {
            return false;
        }
        work.rounds += 1;
        self.scale();
        self.factor(context)
    }

    /// W and λ of all rows.
    fn scale(&mut self) {
        for row in &mut self.rows {
            row.scaling = Scaling::between(row.s, row.z);
            row.lambda = row.scaling.apply(row.z);
        }
    }

    /// Makes and factors the matrix; false when that fails.
    fn factor(&mut self, context: StepContext<'_>) -> bool {
        let Some(system) = &mut self.system else { return false };
        let freedom = &context.drivers.freedom;
        system.clear();
        self.diagonal.fill(DMat3::ZERO);
        for row in &self.rows {
            match row.map {
                Map::Length { number, ends: [a, b], inverse } => {
                    let block = row.scaling.in_space() * (inverse * inverse);
                    let (a, b) = (a as usize, b as usize);
                    self.diagonal[a] += block;
                    self.diagonal[b] += block;
                    let coupled = match (freedom[a], freedom[b]) {
                        (Freedom::Free, Freedom::Free) => block,
                        (first, second) => first.matrix() * block * second.matrix(),
                    };
                    system.add_pair(number as usize, -coupled);
                }
                Map::Plane { particle, gradient, .. } => {
                    self.diagonal[particle as usize] += outer(gradient * row.scaling.on_line(), gradient);
                }
            }
        }
        for (i, block) in self.diagonal.iter().enumerate() {
            let mass = context.model.mass[i];
            let block = match freedom[i] {
                Freedom::Free => *block + DMat3::from_diagonal(DVec3::splat(mass)),
                Freedom::Fixed => DMat3::IDENTITY,
                other => {
                    let filter = other.matrix();
                    filter * *block * filter + DMat3::from_diagonal(DVec3::splat(mass))
                }
            };
            system.add_diagonal(i, block);
        }
        system.factor()
    }

    /// Solves for the steps after which products s∘z have changed by `aim`, to first order, and a fraction `closing` of
    /// what is left of the other equations is gone.
    fn solve(&mut self, context: StepContext<'_>, aim: impl Fn(&ConeRow) -> Point, closing: f64) {
        for (step, unbalanced) in self.step.iter_mut().zip(&self.unbalanced) {
            *step = *unbalanced * closing;
        }
        for row in &mut self.rows {
            let wanted = aim(row).divided_by(row.lambda);
            let pull = row.scaling.undo(wanted - row.scaling.undo(row.residual * closing));
            row.scaled[1] = wanted;
            row.pull(pull, &mut self.step);
        }
        for (i, step) in self.step.iter_mut().enumerate() {
            *step = context.drivers.filter(i, *step);
        }
        if let Some(system) = &mut self.system {
            system.solve(&mut self.step);
        }
        for row in &mut self.rows {
            row.ds = row.residual * closing + row.change(&self.step);
            row.scaled[0] = row.scaling.undo(row.ds);
            row.scaled[1] = row.scaled[1] - row.scaled[0];
            row.dz = row.scaling.undo(row.scaled[1]);
        }
    }

    /// How many times the steps can be taken before a cone is left.
    fn reach(&self) -> f64 {
        let reaches = self.rows.iter().map(|row| row.s.reach(row.ds).min(row.z.reach(row.dz)));
        reaches.fold(f64::INFINITY, f64::min)
    }

    fn advance(&mut self, fraction: f64) {
        for (x, step) in self.x.iter_mut().zip(&self.step) {
            *x += *step * fraction;
        }
        for row in &mut self.rows {
            row.s = row.s + row.ds * fraction;
            row.z = row.z + row.dz * fraction;
        }
    }

    /// Newton's rounds for falling weights; true when they reached their goal.
    fn lower_barrier(
        &mut self,
        start: f64,
        limiter: &Limiter,
        context: StepContext<'_>,
        (contacts, solids): (&mut Contacts, &Solids),
        work: &mut LimiterWork,
    ) -> bool {
        let last = self.own.barrier * self.unit;
        let mut mu = last.max(start);
        loop {
            for row in &mut self.rows {
                row.z = row.s.inverse() * mu;
            }
            let left = self.measure(context, (contacts, solids));
            let infeasible = self.rows.iter().map(|row| row.residual.dot(row.residual)).fold(0.0, f64::max).sqrt();
            // Newton's equations are solved when their error moves x by less than the barrier itself does.
            let solved = left.unbalanced <= left.gap.min(left.goal) && infeasible <= self.own.tolerance;
            if solved && (mu <= last || (left.gap <= left.goal && left.violation <= self.own.tolerance)) {
                return true;
            }
            if solved {
                mu = last.max(LOWERING * mu);
                continue;
            }
            if !self.begin_round(limiter, context, work) {
                return false;
            }
            self.solve(context, |_| Point::default(), 1.0);
            let reach = self.rows.iter().map(|row| row.s.reach(row.ds)).fold(f64::INFINITY, f64::min);
            let fraction = (CAUTION * reach).min(1.0);
            if !(fraction > SHORTEST) {
                return false;
            }
            self.advance(fraction);
        }
    }

    /// Hands over what was found: velocities, and pushes of contacts.
    fn conclude(&mut self, context: StepContext<'_>, contacts: &mut Contacts, velocity: &mut [DVec3]) {
        for (i, v) in velocity.iter_mut().enumerate() {
            if context.drivers.freedom[i] != Freedom::Fixed {
                *v = (self.result[i] - context.state.x[i]) / context.h;
            }
        }
        for row in &self.rows {
            if let Map::Length { number, .. } = row.map {
                self.multipliers[number as usize] = row.z.t;
            }
        }
        let lengths = self.rows.partition_point(|row| matches!(row.map, Map::Length { .. }));
        let planes = &self.rows[lengths..];
        for contact in contacts.rows_mut() {
            if let Ok(place) = planes.binary_search_by_key(&contact.key(), ConeRow::key) {
                contact.add_push(planes[place].z.t / (self.mean_rest * context.h));
            }
        }
    }
}

fn plane(contact: &ContactRow, mean_rest: f64) -> Map {
    let (collider, particle) = contact.key();
    Map::Plane { collider, particle, gradient: contact.normal / mean_rest, least: contact.least() / mean_rest }
}
