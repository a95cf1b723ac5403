//! Elastic forces and air, held from one evaluation to the next.
//!
//! ```text
//! x_m = x + T/2 v,   v' = v + T f(x_m, v)/m,   x' = x + T (v + v')/2        T time between evaluations [s]
//! ```
//!
//! Forces are evaluated where the cloth is expected to be in the middle of an interval of several substeps, and act in
//! all of them alike. For springs that is Verlet's method with positions first: it damps nothing and is stable up to ω
//! T = 2. Dampers of hinges act at once instead: held, they would drive whatever turns back within T. Departure:
//! impulses at the ends of intervals would be the same for soft forces alone, but cloth at rest balances them with
//! rows, gravity and contacts, which act in every substep: it would shiver, and creep where it lies on something.

use crate::simd::Points;

/// For how long forces are held.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// Time in the middle [s].
    pub(super) time: f64,
    /// T [s].
    pub(super) length: f64,
    /// Length of a substep [s].
    pub(super) h: f64,
}

/// What held forces do.
#[derive(Debug)]
pub(super) struct Held {
    /// What they add to the displacement in a substep [m]; while they are evaluated, in all substeps.
    pub(super) push: Points,
    /// x_m [m].
    pub(super) middle: Points,
    /// Forces of the air [N].
    pub(super) air: Points,
    /// Where the cloth was when the work of those was last counted [m].
    since: Points,
    /// `push` and `air` when they were last kept.
    kept: [Points; 2],
}

impl Held {
    pub(super) fn new(particles: usize) -> Self {
        let points = || Points::new(particles);
        Self { push: points(), middle: points(), air: points(), since: points(), kept: [points(), points()] }
    }

    /// Expects positions after half of the `substeps` that forces will be held for.
    pub(super) fn expect(&mut self, x: &Points, u: &Points, substeps: u32) {
        let half = 0.5 * f64::from(substeps);
        for (middle, (x, u)) in self.middle.axes.iter_mut().zip(x.axes.iter().zip(&u.axes)) {
            middle.iter_mut().zip(x.iter().zip(u)).for_each(|(middle, (x, u))| *middle = x + half * u);
        }
        self.push.clear();
    }

    /// Divides what forces do among the substeps.
    pub(super) fn divide(&mut self, substeps: u32) {
        let fraction = 1.0 / f64::from(substeps);
        self.push.axes.iter_mut().flatten().for_each(|push| *push *= fraction);
    }

    /// Forgets the forces of another attempt.
    pub(super) fn begin(&mut self) {
        self.push.clear();
        self.air.clear();
    }

    /// Counts the work of the air from the positions `x` on.
    pub(super) fn count_air_from(&mut self, x: &Points) {
        self.since.copy_from(x);
    }

    /// The work of the air until the positions `x` [J].
    pub(super) fn work_of_air(&self, x: &Points) -> f64 {
        let axes = self.air.axes.iter().zip(x.axes.iter().zip(&self.since.axes));
        axes.map(|(air, (x, since))| {
            air.iter().zip(x.iter().zip(since)).map(|(f, (x, since))| f * (x - since)).sum::<f64>()
        })
        .sum()
    }

    /// Keeps what they do, for substeps that may have to be redone.
    pub(super) fn keep(&mut self) {
        self.kept.iter_mut().zip([&self.push, &self.air]).for_each(|(kept, now)| kept.copy_from(now));
    }

    /// Goes back to what was kept.
    pub(super) fn restore(&mut self) {
        [&mut self.push, &mut self.air].into_iter().zip(&self.kept).for_each(|(now, kept)| now.copy_from(kept));
    }
}
