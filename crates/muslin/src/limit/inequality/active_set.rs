//! One-sided limits by active sets, with targets that tighten.
//!
//! ```text
//! c = |d|/L - 1 <= 0,    L = (1 + α) l0      on edges and cross edges
//! c = 1 - |d|/L' <= 0,   L' = (1 - β) l0     on the same, with a lower limit
//! c(k) from the worst violation of the preview down to 0, in equal parts;
//! for each, with Ĵ = ∂ĉ/∂x at the positions reached:
//!     active: every c >= c(k);    (c(k) - ĉ) = -h² Ĵ C M⁻¹ Ĵᵀ λ;    x -= t h² C M⁻¹ Ĵᵀ λ,  t from a line search
//! λ >= 0, added up over k;    Δv = -h C M⁻¹ Σ t Ĵᵀ λ
//! ```
//!
//! d [m] edge vector, l0 rest length [m], α greatest stretch, β greatest compression, x preview positions [m], h
//! step [s], M masses [kg], C filter matrices of pins, λ multipliers [N·m], Δv change of the mean velocity [m/s]. The
//! positions of the iteration are not kept: the impulse is what remains of it. Source: [JLGF17] §3 to §5.
//!
//! Edges may shorten freely (unless a lower limit is set): that is what lets coarse cloth fold where equalities lock.
//! Directions are those of the preview, as published, so linear momentum is kept and angular momentum is not. As
//! printed (`reading`) the equations of each of the targets are solved once, by conjugate gradients, and negative
//! multipliers are cut off. What is left open there, and departures of the reading `intended`:
//!
//! - *λ >= 0.* Solving the equations by conjugate gradients and cutting negative λ off fails: edges and cross edges are
//!   redundant (tests/inequality.rs counts by how much), so the equations contradict each other, and a taut sheet ends
//!   far over its limit, the further the longer the step. So the same quadratic is minimised under the bounds, by
//!   conjugate gradients on the free multipliers ([`super::bounded_gradients`]): the least impulse that brings every
//!   active row to its target *or below*.
//! - *The end of the sequence* leaves a violation of second order. The last target, 0, is repeated until all rows are
//!   within `tolerance`, a fraction of the limit length, or `max_iterations` rounds (targets, repeated or not) are
//!   done. L is shorter by that tolerance than the limit asked for (and L' longer), so that a step that ends within it
//!   keeps the limit.
//! - *Line search*: t is halved until the sum of the squared violations of the target falls. When it never does, the
//!   solver has carried rows over their limits that it did not know of: for the rest of the step, rows up to 1 % below
//!   their target are active too (they act only if they must), and when that does not help either, the step ends.
//! - *Lower limits* ("two uni-directional constraints") hold for edges only; on cross edges they would forbid bending.
//!
//! Contact (§5.3): rows c = (g* - g)/l̄ <= 0 of vertices near solids in the same active set, g gap, g* the gap that is
//! kept and l̄ the mean rest length [m]; they are measured again for every target. Multipliers start from what the
//! collisions of stage (3) have pushed, and may take it back where edges lift the vertex. Stages (3) and (7),
//! collisions before and contact after, push and rub vertex by vertex (`Contacts::settle`), as the paper has it from
//! Bridson et al. 2003.

use glam::DVec3;

use super::bounded_gradients::{ActiveRow, BoundedGradients};
use super::constraint::Constraint;
use super::{lengths, lower_limits};
use crate::contact::{ContactRow, Contacts, Solids};
use crate::integrate::StepContext;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::settings::{Inequality, Limiter, Reading};

/// Shortest fraction of a displacement that the line search tries.
const SHORTEST: f64 = 1.0 / 64.0;
/// Once rounds no longer help, rows this near to their target are active too.
const NEAR: f64 = 0.01;

/// The constraints with their multipliers, and working memory.
#[derive(Debug)]
pub(super) struct ActiveSets {
    own: Inequality,
    pub(super) constraints: Vec<Constraint>,
    /// h² λ of each constraint, added up over the targets [kg m²].
    pub(super) multipliers: Vec<f64>,
    /// l̄ [m].
    mean_rest: f64,
    active: Vec<ActiveRow>,
    solver: BoundedGradients,
    /// Preview positions [m].
    pub(super) preview: Vec<DVec3>,
    /// Those that the line search tries [m].
    trial: Vec<DVec3>,
    /// What all targets together have displaced [m].
    displaced: Vec<DVec3>,
}

impl ActiveSets {
    pub(super) fn new(own: Inequality, limiter: &Limiter, model: &Model) -> Self {
        let (mut constraints, mean_rest) = lengths(&own, limiter, model);
        if let Some(compress) = limiter.compress {
            constraints.extend(lower_limits(&own, compress, model));
        }
        let particles = model.len();
        let most = constraints.len() + if model.colliders.is_empty() { 0 } else { particles };
        Self {
            own,
            mean_rest,
            multipliers: vec![0.0; constraints.len()],
            active: Vec::with_capacity(most),
            solver: BoundedGradients::new(most, particles),
            constraints,
            preview: vec![DVec3::ZERO; particles],
            trial: vec![DVec3::ZERO; particles],
            displaced: vec![DVec3::ZERO; particles],
        }
    }

    pub(super) fn apply(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        (contacts, solids): (&mut Contacts, &Solids),
        velocity: &mut [DVec3],
    ) -> LimiterWork {
        self.start(context, velocity);
        let mut work = LimiterWork::default();
        let first = self.worst(context, contacts.rows());
        let (mut worst, mut margin) = (first, 0.0);
        let most = match self.own.reading {
            Reading::Intended => limiter.max_iterations,
            Reading::Printed => limiter.max_iterations.min(self.own.sequence),
        };
        while worst > self.own.tolerance && work.rounds < most && !context.interrupt.asked() {
            work.rounds += 1;
            let left = 1.0 - f64::from(work.rounds) / f64::from(self.own.sequence.max(1));
            let target = first * left.max(0.0);
            self.gather(context, contacts.rows(), target - margin, target);
            work.iterations += self.solver.solve(context, &self.active);
            let fraction = self.line_search(contacts.rows(), target);
            if fraction == 0.0 && (margin > 0.0 || self.own.reading == Reading::Printed) {
                break;
            }
            margin = if fraction == 0.0 { NEAR } else { margin };
            self.accept(context.h, contacts.rows_mut(), fraction);
            contacts.gather(context, solids, |i| self.preview[i]);
            worst = self.worst(context, contacts.rows());
        }
        work.unfinished = worst > self.own.tolerance;
        for (v, displaced) in velocity.iter_mut().zip(&self.displaced) {
            *v += *displaced / context.h;
        }
        work
    }

    fn start(&mut self, context: StepContext<'_>, velocity: &[DVec3]) {
        for (i, place) in self.preview.iter_mut().enumerate() {
            *place = context.state.x[i] + velocity[i] * context.h;
        }
        self.multipliers.fill(0.0);
        self.displaced.fill(DVec3::ZERO);
    }

    /// c of a contact at the positions `x` [m].
    fn contact_value(&self, row: &ContactRow, x: &[DVec3]) -> f64 {
        row.depth(x[row.particle as usize]) / self.mean_rest
    }

    /// The greatest violation of a constraint whose ends can move; 0 when there is none.
    fn worst(&self, context: StepContext<'_>, contacts: &[ContactRow]) -> f64 {
        let worst = self.constraints.iter().fold(0.0, |worst, constraint| {
            let value = constraint.value(&self.preview);
            let counts = value > worst && constraint.slope(context, &self.preview).is_some();
            if counts { value } else { worst }
        });
        let contacts = contacts.iter().filter(|row| row.can_be_pushed());
        contacts.map(|row| self.contact_value(row, &self.preview)).fold(worst, f64::max)
    }

    /// Makes the constraints and contacts that are not below `from` the active ones.
    fn gather(&mut self, context: StepContext<'_>, contacts: &[ContactRow], from: f64, target: f64) {
        self.active.clear();
        for ((number, constraint), multiplier) in (0..).zip(&self.constraints).zip(&self.multipliers) {
            let value = constraint.value(&self.preview);
            if value >= from
                && let Some((gradient, response)) = constraint.slope(context, &self.preview)
            {
                self.active.push(ActiveRow::new(
                    number,
                    constraint.ends(),
                    gradient,
                    response,
                    value - target,
                    self.released(*multiplier),
                ));
            }
        }
        let scale = 1.0 / self.mean_rest;
        for (number, row) in (self.constraints.len() as u32..).zip(contacts) {
            let value = self.contact_value(row, &self.preview);
            if value >= from && row.can_be_pushed() {
                self.active.push(ActiveRow::new(
                    number,
                    [row.particle; 2],
                    row.normal * -scale,
                    row.inverse_effective_mass() * scale * scale,
                    value - target,
                    self.released(row.push * self.mean_rest * context.h),
                ));
            }
        }
    }

    /// How much of a multiplier the solver may take back.
    fn released(&self, multiplier: f64) -> f64 {
        match self.own.reading {
            Reading::Intended => multiplier,
            Reading::Printed => f64::INFINITY,
        }
    }

    /// The largest fraction of the solver's displacement that brings the constraints nearer to the target; 0: none
    /// does.
    fn line_search(&mut self, contacts: &[ContactRow], target: f64) -> f64 {
        let before = self.distance_from(target, contacts, &self.preview);
        let mut fraction = 1.0;
        while fraction >= SHORTEST {
            let places = self.trial.iter_mut().zip(&self.preview).zip(self.solver.displacement());
            for ((trial, place), displacement) in places {
                *trial = *place + *displacement * fraction;
            }
            if self.distance_from(target, contacts, &self.trial) < before {
                return fraction;
            }
            fraction *= 0.5;
        }
        0.0
    }

    /// Goes a fraction of the solver's displacement.
    fn accept(&mut self, h: f64, contacts: &mut [ContactRow], fraction: f64) {
        for (row, multiplier) in self.active.iter().zip(self.solver.multipliers(&self.active)) {
            let number = row.number as usize;
            if let Some(total) = self.multipliers.get_mut(number) {
                *total = (*total + fraction * multiplier).max(0.0);
            } else {
                contacts[number - self.constraints.len()].add_push(fraction * multiplier / (self.mean_rest * h));
            }
        }
        for (i, displacement) in self.solver.displacement().iter().enumerate() {
            self.preview[i] += *displacement * fraction;
            self.displaced[i] += *displacement * fraction;
        }
    }

    /// Sum of the squared violations of a target at the positions `x` [m].
    fn distance_from(&self, target: f64, contacts: &[ContactRow], x: &[DVec3]) -> f64 {
        let of_lengths = self.constraints.iter().map(|constraint| constraint.value(x));
        let of_contacts = contacts.iter().filter(|row| row.can_be_pushed()).map(|row| self.contact_value(row, x));
        let excess = of_lengths.chain(of_contacts).map(|value| (value - target).max(0.0));
        excess.map(|excess| excess * excess).sum()
    }
}
