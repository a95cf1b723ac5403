//! Kicks of stiff bending, filtered.
//!
//! ```text
//! (M + Σ (k τ² + D τ) q qᵀ) Δv = -Σ q (τ k (κ - κ0 n) + τ D (n · κ̇) n)     κ = Σ q_i x_i,   κ0 = -2 sin(θ0/2),   k = c/2 [N·m]
//! q1 = |E|/|N1|,   q2 = |E|/|N2|,   q3 = (x1-x4)·ê/|N1| + (x2-x4)·ê/|N2|,   q4 = -(x1-x3)·ê/|N1| - (x2-x3)·ê/|N2|      at rest
//! ```
//!
//! κ is the curvature across a hinge times its width, a vector along the mean normal n of its triangles, |κ| = 2 sin(θ/2) where
//! they have not changed their shape, which limits see to. Energy ½ k κ², D [N·m·s], τ interval between kicks [s]. Source: Bergou
//! et al. 2006, the quadratic bending energy of inextensible surfaces; departure: rest angles θ0, and dampers along n alone, so
//! that a bent cloth turns freely.
//!
//! On small cloth, or fine meshes, the finest bending waves are far faster than anything that is seen, and kicks short enough
//! for them would be most of the work. By this system a wave of frequency ω moves as one of ω/√(1 + τ²ω²): never faster than
//! 1/τ, so that kicks τ apart are stable, and unchanged where ωτ is small. Elastic kicks damp nothing: it is Verlet's method
//! with a mass that is larger for fast waves.
//!
//! Forces and matrix share their q. With gradients of the angle instead, which agree only while cloth is flat, what is left
//! of a stiff force after filtering a sheared corner is up to 10⁵ times too large: cloth of 2 cm burst.

use muslin_factor::{Factor, Kernel as FactorKernel, Triangle, minimum_degree};

use super::bending::{Frame, Group, KickSpan, is_pinned};
use crate::model::Model;
use crate::simd::{Four, Kernel, Points, Slots, Vectors, widest};

/// The system with its factor, by slots.
#[derive(Debug)]
pub(super) struct Filter {
    mass: Vec<f64>,
    /// The place of each slot in the order of elimination.
    place: Vec<u32>,
    col_start: Vec<u32>,
    row: Vec<u32>,
    values: Vec<f64>,
    factor: Factor,
    /// The interval that it was factored for [s].
    interval: f64,
    /// The slots that were pinned then.
    pinned: Vec<bool>,
    /// Impulses of the hinges [N s].
    impulses: Points,
    /// The same, then velocities, coordinate by coordinate in the order of elimination.
    vectors: Vec<f64>,
}

impl Filter {
    /// None when memory runs out.
    pub(super) fn new(model: &Model, groups: &[Group]) -> Option<Self> {
        let (count, slots) = (model.len(), Slots::new(model.len()));
        let same: Vec<u32> = (0..count as u32).collect();
        let (col_start, row) = upper(groups, &same);
        let order = minimum_degree(Triangle { col_start: &col_start, row: &row })?;
        let mut place = vec![0; count];
        (0..).zip(&order).for_each(|(new, old)| place[*old as usize] = new);
        let (col_start, row) = upper(groups, &place);
        let factor = Factor::analyse(Triangle { col_start: &col_start, row: &row }, Some(FactorKernel::Entries))?;
        Some(Self {
            mass: (0..count as u32).map(|slot| model.mass[slots.particle(slot)]).collect(),
            place,
            values: vec![0.0; row.len()],
            col_start,
            row,
            factor,
            interval: f64::NAN,
            pinned: vec![false; count],
            impulses: Points::new(count),
            vectors: vec![0.0; 3 * count],
        })
    }

    /// Adds a kick to the displacements `u` [m] in substeps; `w` are inverse masses by slot [1/kg]. Returns the work of pins
    /// [J].
    pub(super) fn kick(&mut self, groups: &[Group], x: &Points, u: &mut Points, w: &[f64], when: KickSpan) -> f64 {
        self.prepare(groups, when.interval, w);
        let work = widest(Collect { groups, x, u, w, when, impulses: &mut self.impulses });
        let count = self.mass.len();
        for (impulses, vector) in self.impulses.axes.iter_mut().zip(self.vectors.chunks_exact_mut(count)) {
            for slot in 0..count {
                vector[self.place[slot] as usize] = if self.pinned[slot] { 0.0 } else { impulses[slot] };
            }
            impulses.fill(0.0);
        }
        self.factor.solve(&mut self.vectors);
        for (u, vector) in u.axes.iter_mut().zip(self.vectors.chunks_exact(count)) {
            for slot in 0..count {
                u[slot] += vector[self.place[slot] as usize] * when.h;
            }
        }
        work
    }

    /// Makes the factor for kicks that are `interval` [s] apart, when it was made for others.
    fn prepare(&mut self, groups: &[Group], interval: f64, w: &[f64]) {
        let same = self.pinned.iter().zip(w).all(|(pinned, w)| *pinned == (*w == 0.0));
        if same && (self.interval - interval).abs() <= 1e-9 * interval {
            return;
        }
        self.interval = interval;
        self.pinned.iter_mut().zip(w).for_each(|(pinned, w)| *pinned = *w == 0.0);
        self.values.fill(0.0);
        for slot in 0..self.mass.len() {
            // A pinned particle does not move, whatever pulls at it.
            let mass = if self.pinned[slot] { 1.0 } else { self.mass[slot] };
            *entry(&self.col_start, &self.row, &mut self.values, [self.place[slot]; 2]) += mass;
        }
        for (slots, q, stiffness, damping) in lanes(groups) {
            let strength = (0.5 * stiffness * interval + damping) * interval;
            let free = |slot: u32| !self.pinned[slot as usize];
            for (k, &i) in slots.iter().enumerate().filter(|(_, i)| free(**i)) {
                for (l, &j) in slots.iter().enumerate().filter(|(_, j)| free(**j)) {
                    let [at, other] = [i, j].map(|slot| self.place[slot as usize]);
                    if at <= other {
                        *entry(&self.col_start, &self.row, &mut self.values, [at, other]) += strength * q[k] * q[l];
                    }
                }
            }
        }
        let made = self.factor.factor(Triangle { col_start: &self.col_start, row: &self.row }, &self.values);
        debug_assert!(made, "masses are positive, and so is the matrix");
    }
}

/// Adds up the impulses of all hinges.
struct Collect<'a> {
    groups: &'a [Group],
    x: &'a Points,
    u: &'a Points,
    w: &'a [f64],
    when: KickSpan,
    impulses: &'a mut Points,
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl Kernel for Collect<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<F: Four>(mut self) -> f64 {
        let mut work = F::splat(0.0);
        for group in self.groups {
            work = work + self.collect::<F>(group);
        }
        work.store().iter().sum()
    }
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl Collect<'_> {
    /// The impulses of four hinges. Returns the work of pins [J].
    #[inline(always)]
    fn collect<F: Four>(&mut self, group: &Group) -> F {
        let frame = Frame::<F>::of(self.x, &group.slots);
        let normals = frame.n1 + frame.n2;
        let n = normals * normals.length_squared().per_root();
        let (mut curvature, mut rate, mut pinned) = (Vectors::zero(), Vectors::zero(), Vectors::zero());
        for k in 0..4 {
            let (q, slots) = (F::load(&group.q[k]), group.slots[k]);
            curvature = curvature + self.x.gather(slots) * q;
            let faster = self.u.gather(slots) * (q * F::splat(1.0 / self.when.h));
            rate = rate + faster;
            pinned = pinned + faster * is_pinned(F::gather(self.w, slots));
        }
        let bent = curvature * F::splat(0.5) + n * F::load(&group.rest_sine);
        let moment = bent * F::load(&group.stiffness) + n * (F::load(&group.damping) * n.dot(rate));
        let impulse = moment * (F::splat(self.when.span) * frame.sound);
        for k in 0..4 {
            self.impulses.scatter_add(group.slots[k], impulse * -F::load(&group.q[k]));
        }
        // What pulls at a pin is passed on, times the displacement of the pin.
        impulse.dot(pinned)
    }
}

/// Slots, q, c and D of all hinges, one by one.
fn lanes(groups: &[Group]) -> impl Iterator<Item = ([u32; 4], [f64; 4], f64, f64)> {
    let lane = |group: &Group, lane: usize| {
        let (slots, q) = (group.slots.map(|slots| slots[lane]), group.q.map(|q| q[lane]));
        (slots, q, group.stiffness[lane], group.damping[lane])
    };
    let used = |hinge: &([u32; 4], [f64; 4], f64, f64)| hinge.1 != [0.0; 4];
    groups.iter().flat_map(move |group| (0..4).map(move |k| lane(group, k))).filter(used)
}

/// The upper triangle of the pattern by columns, with slots at the given places.
fn upper(groups: &[Group], place: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut entries: Vec<[u32; 2]> = (0..place.len() as u32).map(|i| [i, i]).collect();
    for (slots, ..) in lanes(groups) {
        let at = slots.map(|slot| place[slot as usize]);
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
