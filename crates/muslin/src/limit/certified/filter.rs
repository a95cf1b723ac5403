//! Kicks of stiff bending, filtered.
//!
//! ```text
//! (M + Σ (k τ² + D τ) q qᵀ) Δv = r          r: impulses of the hinges [N s],   k = c/2 [N·m],   D [N·m·s],   τ interval [s]
//! q1 = |E|/|N1|,   q2 = |E|/|N2|,   q3 = (x1-x4)·ê/|N1| + (x2-x4)·ê/|N2|,   q4 = -(x1-x3)·ê/|N1| - (x2-x3)·ê/|N2|      at rest
//! ```
//!
//! On small cloth, or fine meshes, the finest bending waves are far faster than anything that is seen, and kicks short enough
//! for them would be most of the work. A wave of frequency ω then moves as one of ω/√(1 + τ²ω²): never faster than 1/τ, so
//! that kicks τ apart are stable, and unchanged where ωτ is small. Nothing is damped by it: it is Verlet's method with a
//! mass that is larger for fast waves. Dampers above critical are implicit by the same system. q is what ∂θ/∂x is across a
//! flat hinge (Bergou et al. 2006, the quadratic bending energy), so the matrix is one for all three coordinates, constant,
//! and factored once. Σ q = 0: linear momentum is kept. Angular momentum is kept as long as the cloth is flat or waves are
//! slow; where it matters, no filter is needed.

use glam::DVec3;
use muslin_factor::{Factor, Kernel, Triangle, minimum_degree};

use super::points::{Points, Slots};
use crate::model::Model;

/// The system with its factor.
#[derive(Debug)]
pub(super) struct Filter {
    hinges: Vec<Stencil>,
    mass: Vec<f64>,
    /// The place of each particle in the order of elimination.
    place: Vec<u32>,
    slots: Slots,
    col_start: Vec<u32>,
    row: Vec<u32>,
    values: Vec<f64>,
    factor: Factor,
    /// The interval that it was factored for [s].
    span: f64,
    /// The particles that were pinned then.
    pinned: Vec<bool>,
    /// Impulses, then velocities, coordinate by coordinate.
    vectors: Vec<f64>,
}

/// A hinge as the matrix sees it.
#[derive(Debug, Clone, Copy)]
struct Stencil {
    particles: [u32; 4],
    q: [f64; 4],
    /// k [N·m].
    stiffness: f64,
    /// D [N·m·s].
    damping: f64,
}

impl Filter {
    /// None when memory runs out.
    pub(super) fn new(model: &Model) -> Option<Self> {
        let count = model.len();
        let rest: Vec<DVec3> = model.cloths.iter().flat_map(|part| part.mesh.positions.iter().copied()).collect();
        let hinges: Vec<Stencil> = model
            .hinges
            .iter()
            .map(|hinge| Stencil {
                particles: hinge.particles,
                q: stencil(hinge.particles.map(|i| rest[i as usize])),
                stiffness: 0.5 * hinge.stiffness,
                damping: hinge.damping,
            })
            .collect();
        let same: Vec<u32> = (0..count as u32).collect();
        let (col_start, row) = upper(&hinges, &same);
        let order = minimum_degree(Triangle { col_start: &col_start, row: &row })?;
        let mut place = vec![0; count];
        (0..).zip(&order).for_each(|(new, old)| place[*old as usize] = new);
        let (col_start, row) = upper(&hinges, &place);
        let factor = Factor::analyse(Triangle { col_start: &col_start, row: &row }, Some(Kernel::Entries))?;
        Some(Self {
            hinges,
            mass: model.mass.clone(),
            place,
            slots: Slots::new(count),
            values: vec![0.0; row.len()],
            col_start,
            row,
            factor,
            span: f64::NAN,
            pinned: vec![false; count],
            vectors: vec![0.0; 3 * count],
        })
    }

    /// Makes the factor for kicks that stand for `span` [s] and particles with inverse masses `w` by slot [1/kg], when it was
    /// made for others.
    pub(super) fn prepare(&mut self, span: f64, w: &[f64]) {
        let pinned = |slots: Slots, i: usize| w[slots.of(i) as usize] == 0.0;
        let same = (0..self.mass.len()).all(|i| self.pinned[i] == pinned(self.slots, i));
        if same && (self.span - span).abs() <= 1e-9 * span {
            return;
        }
        self.span = span;
        for i in 0..self.mass.len() {
            self.pinned[i] = pinned(self.slots, i);
        }
        self.values.fill(0.0);
        for i in 0..self.mass.len() {
            // A pinned particle does not move, whatever pulls at it.
            let mass = if self.pinned[i] { 1.0 } else { self.mass[i] };
            *entry(&self.col_start, &self.row, &mut self.values, [self.place[i]; 2]) += mass;
        }
        for hinge in &self.hinges {
            let strength = (hinge.stiffness * span + hinge.damping) * span;
            for (k, &i) in hinge.particles.iter().enumerate() {
                for (l, &j) in hinge.particles.iter().enumerate() {
                    let [at, other] = [i, j].map(|particle| self.place[particle as usize]);
                    let free = !self.pinned[i as usize] && !self.pinned[j as usize];
                    if at <= other && free {
                        let value = strength * hinge.q[k] * hinge.q[l];
                        *entry(&self.col_start, &self.row, &mut self.values, [at, other]) += value;
                    }
                }
            }
        }
        let made = self.factor.factor(Triangle { col_start: &self.col_start, row: &self.row }, &self.values);
        debug_assert!(made, "masses are positive, and so is the matrix");
    }

    /// Adds what the impulses `r` [N s] change in the displacements `u` [m] of substeps of length `h` [s]; forgets them.
    pub(super) fn kick(&mut self, r: &mut Points, u: &mut Points, h: f64) {
        let count = self.mass.len();
        for (r, vector) in r.axes.iter_mut().zip(self.vectors.chunks_exact_mut(count)) {
            for i in 0..count {
                let impulse = if self.pinned[i] { 0.0 } else { r[self.slots.of(i) as usize] };
                vector[self.place[i] as usize] = impulse;
            }
            r.fill(0.0);
        }
        self.factor.solve(&mut self.vectors);
        for (u, vector) in u.axes.iter_mut().zip(self.vectors.chunks_exact(count)) {
            for i in 0..count {
                u[self.slots.of(i) as usize] += vector[self.place[i] as usize] * h;
            }
        }
    }
}

/// q of a hinge at rest.
fn stencil([x1, x2, x3, x4]: [DVec3; 4]) -> [f64; 4] {
    let edge = (x4 - x3).normalize_or_zero();
    let per = |normal: DVec3| if normal.length() > 0.0 { 1.0 / normal.length() } else { 0.0 };
    let (per1, per2) = (per((x1 - x3).cross(x1 - x4)), per((x2 - x4).cross(x2 - x3)));
    let length = x3.distance(x4);
    [
        length * per1,
        length * per2,
        (x1 - x4).dot(edge) * per1 + (x2 - x4).dot(edge) * per2,
        -(x1 - x3).dot(edge) * per1 - (x2 - x3).dot(edge) * per2,
    ]
}

/// The upper triangle of the pattern by columns, with particles at the given places.
fn upper(hinges: &[Stencil], place: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut entries: Vec<[u32; 2]> = (0..place.len() as u32).map(|i| [i, i]).collect();
    for hinge in hinges {
        let at = hinge.particles.map(|i| place[i as usize]);
        entries.extend(at.iter().flat_map(|&i| at.map(|j| [j, i])).filter(|[col, row]| row < col));
    }
    entries.sort_unstable();
    entries.dedup();
    let mut col_start = vec![0; place.len() + 1];
    for [col, _] in &entries {
        col_start[*col as usize + 1] += 1;
    }
    for col in 0..place.len() {
        col_start[col + 1] += col_start[col];
    }
    (col_start, entries.into_iter().map(|[_, row]| row).collect())
}

/// The number in a row and a column, `[row, column]`, of the upper triangle.
fn entry<'a>(col_start: &[u32], row: &[u32], values: &'a mut [f64], [at, col]: [u32; 2]) -> &'a mut f64 {
    let [start, end] = [col, col + 1].map(|col| col_start[col as usize] as usize);
    let within = row[start..end].partition_point(|row| *row < at);
    &mut values[start + within]
}
