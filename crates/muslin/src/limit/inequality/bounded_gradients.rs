//! Conjugate gradients with bounds, over the rows of an active set.
//!
//! ```text
//! minimise ½ yᵀA y - bᵀy   with   y >= l;       A = G C M⁻¹ Gᵀ,  g = A y - b
//! free part    φ = g where y > l, else 0             chopped part  β = min(g, 0) where y = l, else 0
//! |β|² <= φ·min((y - l)/ā, φ):  a step of conjugate gradients along p on the free rows; one that would leave the
//!                               bounds ends at them, followed by y = max(l, y - ā φ)
//! otherwise:                    rows are freed, by a step along β
//! ```
//!
//! Rows are scaled to a unit diagonal (Jacobi): G = D^-½ Ĵ, b = D^-½ (ĉ - c(k)), y = D^½ h² λ, D the diagonal of Ĵ C
//! M⁻¹ Ĵᵀ. l is minus the multiplier accumulated so far. Source: Dostál & Schöberl 2005 (proportioning with reduced
//! gradient projections). It needs ā <= 2/|A|: |A| is at most the number of active rows at the most crowded particle.
//! The matrix is never formed, and may be singular.

use glam::DVec3;

use crate::integrate::StepContext;

/// Solved when the gradient has shrunk to this fraction of the violations. The equations are linear where the limits
/// are not, so solving them better does not save rounds.
const TOLERANCE: f64 = 0.1;
/// Most products with the matrix per target.
const MOST_PRODUCTS: u32 = 200;

/// An active constraint, scaled.
#[derive(Debug, Clone, Copy)]
pub(super) struct ActiveRow {
    /// Which constraint.
    pub(super) number: u32,
    ends: [u32; 2],
    /// Its row of G at the second end; at the first, minus that times `first`.
    gradient: DVec3,
    /// 1 for distances between two particles, 0 for contacts, which have one: it stands at both ends.
    first: f64,
    /// b.
    excess: f64,
    /// D^-½.
    scale: f64,
    /// l.
    least: f64,
}

impl ActiveRow {
    /// A row with the gradient ∂c/∂x_b [1/m], its diagonal [1/(kg m²)], c - c(k), and its multiplier so far [kg m²].
    pub(super) fn new(
        number: u32,
        ends: [u32; 2],
        gradient: DVec3,
        diagonal: f64,
        excess: f64,
        multiplier: f64,
    ) -> Self {
        let scale = 1.0 / diagonal.sqrt();
        let first = if ends[0] == ends[1] { 0.0 } else { 1.0 };
        let (gradient, excess) = (gradient * scale, excess * scale);
        Self { number, ends, gradient, first, excess, scale, least: -multiplier / scale }
    }
}

/// The solver's working memory.
#[derive(Debug)]
pub(super) struct BoundedGradients {
    /// y.
    solution: Vec<f64>,
    /// g.
    gradient: Vec<f64>,
    /// p.
    direction: Vec<f64>,
    /// A p.
    product: Vec<f64>,
    /// Gᵀ p, and then C M⁻¹ Gᵀ p.
    pull: Vec<DVec3>,
    /// Active rows at each particle.
    crowd: Vec<u32>,
}

/// How a step along the free rows ended.
enum Step {
    Whole,
    AtBound,
    /// There is no curvature: nothing to gain.
    Flat,
}

impl BoundedGradients {
    pub(super) fn new(rows: usize, particles: usize) -> Self {
        let numbers = || Vec::with_capacity(rows);
        Self {
            solution: numbers(),
            gradient: numbers(),
            direction: numbers(),
            product: numbers(),
            pull: vec![DVec3::ZERO; particles],
            crowd: vec![0; particles],
        }
    }

    /// Solves for the rows' multipliers, starting from 0; returns the products with the matrix it took.
    pub(super) fn solve(&mut self, context: StepContext<'_>, rows: &[ActiveRow]) -> u32 {
        let reach = self.start(rows);
        let violations: f64 = rows.iter().map(|row| row.excess.max(0.0) * row.excess.max(0.0)).sum();
        let (mut products, mut afresh) = (0, true);
        while products < MOST_PRODUCTS && !context.interrupt.asked() {
            let [free, chopped, reduced] = self.parts(rows, reach);
            if free + chopped <= TOLERANCE * TOLERANCE * violations {
                break;
            }
            products += 1;
            if chopped > reduced {
                self.set_direction(rows, |gradient, is_free| if is_free { 0.0 } else { gradient.min(0.0) });
                if matches!(self.step(context, rows, false), Step::Flat) {
                    break;
                }
                afresh = true;
                continue;
            }
            if afresh {
                self.set_direction(rows, |gradient, is_free| if is_free { gradient } else { 0.0 });
            }
            match self.step(context, rows, true) {
                Step::Whole => afresh = false,
                Step::AtBound => {
                    self.project(context, rows, reach);
                    products += 1;
                    afresh = true;
                }
                Step::Flat => break,
            }
        }
        self.displace(context, rows);
        products
    }

    /// h² λ of each row [kg m²].
    pub(super) fn multipliers(&self, rows: &[ActiveRow]) -> impl Iterator<Item = f64> {
        self.solution.iter().zip(rows).map(|(y, row)| y * row.scale)
    }

    /// -h² C M⁻¹ Ĵᵀ λ of each particle [m].
    pub(super) fn displacement(&self) -> &[DVec3] {
        &self.pull
    }

    /// Starts from 0; returns ā.
    fn start(&mut self, rows: &[ActiveRow]) -> f64 {
        self.crowd.fill(0);
        for end in rows.iter().flat_map(|row| row.ends) {
            self.crowd[end as usize] += 1;
        }
        for numbers in [&mut self.solution, &mut self.direction, &mut self.product] {
            numbers.clear();
            numbers.resize(rows.len(), 0.0);
        }
        self.gradient.clear();
        self.gradient.extend(rows.iter().map(|row| -row.excess));
        1.9 / f64::from(self.crowd.iter().copied().max().unwrap_or(0).max(1))
    }

    /// |φ|², |β|² and φ·min((y - l)/ā, φ).
    fn parts(&self, rows: &[ActiveRow], reach: f64) -> [f64; 3] {
        let mut parts = [0.0; 3];
        for ((y, g), row) in self.solution.iter().zip(&self.gradient).zip(rows) {
            if *y > row.least {
                parts[0] += g * g;
                parts[2] += g * g.min((y - row.least) / reach);
            } else {
                parts[1] += g.min(0.0) * g.min(0.0);
            }
        }
        parts
    }

    fn set_direction(&mut self, rows: &[ActiveRow], part: impl Fn(f64, bool) -> f64) {
        for (i, row) in rows.iter().enumerate() {
            self.direction[i] = part(self.gradient[i], self.solution[i] > row.least);
        }
    }

    /// Goes to the least value along the direction, or to the first bound on the way where `bounded`; then makes the
    /// next direction conjugate to this one.
    fn step(&mut self, context: StepContext<'_>, rows: &[ActiveRow], bounded: bool) -> Step {
        let Self { direction, product, pull, .. } = self;
        multiply(context, rows, direction, pull, |i, value| product[i] = value);
        let curvature = dot(&self.direction, &self.product);
        // Not `curvature <= 0`: NaN must not go on either.
        if !(curvature > 0.0) {
            return Step::Flat;
        }
        let wanted = dot(&self.direction, &self.gradient) / curvature;
        let possible = if bounded { self.distance_to_bound(rows) } else { f64::INFINITY };
        let length = wanted.min(possible);
        for (i, row) in rows.iter().enumerate() {
            self.solution[i] = (self.solution[i] - length * self.direction[i]).max(row.least);
            self.gradient[i] -= length * self.product[i];
        }
        if wanted > possible {
            return Step::AtBound;
        }
        let free_part = |i: usize| if self.solution[i] > rows[i].least { self.gradient[i] } else { 0.0 };
        let keep = (0..rows.len()).map(|i| free_part(i) * self.product[i]).sum::<f64>() / curvature;
        for i in 0..rows.len() {
            self.direction[i] = free_part(i) - keep * self.direction[i];
        }
        Step::Whole
    }

    /// How far along the direction the first bound is.
    fn distance_to_bound(&self, rows: &[ActiveRow]) -> f64 {
        let distances = self.direction.iter().zip(&self.solution).zip(rows).filter(|((p, _), _)| **p > 0.0);
        distances.map(|((p, y), row)| (y - row.least) / p).fold(f64::INFINITY, f64::min)
    }

    /// y = max(l, y - ā φ), and its gradient.
    fn project(&mut self, context: StepContext<'_>, rows: &[ActiveRow], reach: f64) {
        for ((y, g), row) in self.solution.iter_mut().zip(&self.gradient).zip(rows) {
            if *y > row.least {
                *y = (*y - reach * g).max(row.least);
            }
        }
        let Self { solution, gradient, pull, .. } = self;
        multiply(context, rows, solution, pull, |i, value| gradient[i] = value - rows[i].excess);
    }

    fn displace(&mut self, context: StepContext<'_>, rows: &[ActiveRow]) {
        respond(context, rows, &self.solution, &mut self.pull);
        for pull in &mut self.pull {
            *pull = -*pull;
        }
    }
}

/// A y, row by row.
fn multiply(
    context: StepContext<'_>,
    rows: &[ActiveRow],
    y: &[f64],
    pull: &mut [DVec3],
    mut result: impl FnMut(usize, f64),
) {
    respond(context, rows, y, pull);
    for (i, row) in rows.iter().enumerate() {
        let [a, b] = row.ends.map(|end| pull[end as usize]);
        result(i, row.gradient.dot(b - a * row.first));
    }
}

/// C M⁻¹ Gᵀ y.
fn respond(context: StepContext<'_>, rows: &[ActiveRow], y: &[f64], pull: &mut [DVec3]) {
    pull.fill(DVec3::ZERO);
    for (row, y) in rows.iter().zip(y) {
        let change = row.gradient * *y;
        pull[row.ends[0] as usize] -= change * row.first;
        pull[row.ends[1] as usize] += change;
    }
    for (i, pull) in pull.iter_mut().enumerate() {
        *pull = context.drivers.response(context.model, i, *pull);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
