//! Row groups: four constraint rows that share no particle that moves, in the order in which they are swept.

use std::collections::HashMap;

use crate::simd::{Lanes, Points};

/// Most that a spring recovers in a substep of the strain that it has at its start, γ. With 0.25 domes shiver, with 0.1
/// stiff springs leave half as much again of the strain that they should take away.
const RECOVERED_BY_SPRINGS: f64 = 0.2;

/// A and B of a spring, of c and b (`lanes`), in a substep that is shorter than usual by the square root of `shorter2`:
/// its stiffness A/h² is that of the usual one.
pub(super) fn strengths(c: f64, b: f64, shorter2: f64) -> (f64, f64) {
    let usual = c / shorter2;
    let spring = (usual / (1.0 + usual)).min(RECOVERED_BY_SPRINGS) * shorter2;
    (spring, 1.0 - 1.0 / ((1.0 + c) * (1.0 + b)) - spring)
}

/// True for a spring of c that substeps of the usual length resolve: its strength is not bounded.
pub(super) fn is_resolved(c: f64) -> bool {
    c / (1.0 + c) <= RECOVERED_BY_SPRINGS
}

/// One constraint row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane {
    /// Slots of the ends.
    pub(super) ends: [u32; 2],
    /// f_a and f_b.
    pub(super) fractions: [f64; 2],
    /// L² [m²].
    pub(super) limit2: f64,
    /// l0 [m].
    pub(super) rest: f64,
    /// k (w_a + w_b) [1/s²].
    pub(super) stiffness: f64,
    /// τ [s].
    pub(super) damping_time: f64,
}

impl Lane {
    /// A row that does nothing, from the spare slot to itself.
    pub(super) fn idle(spare: u32) -> Self {
        Self { ends: [spare; 2], fractions: [0.0; 2], limit2: 1.0, rest: 1.0, stiffness: 0.0, damping_time: 0.0 }
    }
}

/// What four rows do. Aligned with cache lines: a load across two of them takes twice as long.
#[derive(Debug, Clone, PartialEq)]
#[repr(align(64))]
pub(super) struct Law {
    /// f_a and f_b.
    pub(super) fractions: [Lanes; 2],
    /// L² [m²].
    pub(super) limit2: Lanes,
    /// 1/2L² [1/m²].
    pub(super) half_per_limit2: Lanes,
    /// l0 [m].
    pub(super) rest: Lanes,
    /// k (w_a + w_b) [1/s²].
    stiffness: Lanes,
    /// τ [s].
    damping_time: Lanes,
    /// A.
    pub(super) spring: Lanes,
    /// B.
    pub(super) damper: Lanes,
}

impl Law {
    fn of(lanes: &[Lane; 4]) -> Self {
        let of = |number: fn(&Lane) -> f64| lanes.each_ref().map(number);
        Self {
            fractions: [of(|lane| lane.fractions[0]), of(|lane| lane.fractions[1])],
            limit2: of(|lane| lane.limit2),
            half_per_limit2: of(|lane| 0.5 / lane.limit2),
            rest: of(|lane| lane.rest),
            stiffness: of(|lane| lane.stiffness),
            damping_time: of(|lane| lane.damping_time),
            spring: [0.0; 4],
            damper: [0.0; 4],
        }
    }

    fn bits(&self) -> [[u64; 4]; 6] {
        let [fraction_a, fraction_b] = self.fractions;
        [fraction_a, fraction_b, self.limit2, self.rest, self.stiffness, self.damping_time]
            .map(|lanes| lanes.map(f64::to_bits))
    }
}

/// Four rows that share no particle that moves.
#[derive(Debug, Clone)]
pub(super) struct RowGroup {
    /// Slots of the first particles.
    pub(super) a: [u32; 4],
    /// Slots of the second particles.
    pub(super) b: [u32; 4],
    /// Number of their law: on a regular grid a few serve all, and stay in the nearest cache.
    law: u32,
    /// True: `a` counts up, and `b` does.
    pub(super) in_line: bool,
}

/// Row groups in the order in which they are swept.
#[derive(Debug, Clone, Default)]
pub(super) struct RowGroups {
    list: Vec<RowGroup>,
    laws: Vec<Law>,
    /// No group names this slot or one after it: once this is checked, a sweep need not check every row.
    beyond: usize,
}

impl RowGroups {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.laws.clear();
        self.beyond = 0;
    }

    pub(super) fn reserve(&mut self, count: usize) {
        self.list.reserve(count);
        self.laws.reserve(count);
    }

    pub(super) fn push(&mut self, lanes: &[Lane; 4]) {
        let [a, b] = [0, 1].map(|end| lanes.each_ref().map(|lane| lane.ends[end]));
        let last = a.iter().chain(&b).fold(0, |last, &slot| last.max(slot));
        self.beyond = self.beyond.max(last as usize + 1);
        let counts_up = |slots: [u32; 4]| slots.windows(2).all(|pair| pair[1] == pair[0] + 1);
        self.list.push(RowGroup { a, b, law: self.laws.len() as u32, in_line: counts_up(a) && counts_up(b) });
        self.laws.push(Law::of(lanes));
    }

    /// The groups, in order.
    pub(super) fn list(&self) -> &[RowGroup] {
        &self.list
    }

    /// What the rows of a group do.
    #[inline]
    pub(super) fn law(&self, group: &RowGroup) -> &Law {
        &self.laws[group.law as usize]
    }

    /// No group names this slot or one after it.
    pub(super) fn beyond(&self) -> usize {
        self.beyond
    }

    /// Makes limits shorten rows by a multiple of what would do.
    pub(super) fn over_relax(&mut self, by: f64) {
        self.laws.iter_mut().flat_map(|law| &mut law.half_per_limit2).for_each(|number| *number *= by);
    }

    /// Keeps every law once.
    pub(super) fn share_laws(&mut self) {
        let mut known = HashMap::new();
        let mut laws = Vec::new();
        for group in &mut self.list {
            let law = &self.laws[group.law as usize];
            group.law = *known.entry(law.bits()).or_insert_with(|| {
                laws.push(law.clone());
                laws.len() as u32 - 1
            });
        }
        self.laws = laws;
    }

    /// Takes the rows of others, with limits of their own: no row is to become longer than it is at `x`, or than `aim`
    /// times its rest length.
    pub(super) fn hold(&mut self, others: &Self, x: &Points, aim: f64) {
        self.list.clone_from(&others.list);
        self.beyond = others.beyond;
        self.laws.clear();
        for group in &mut self.list {
            let mut law = others.law(group).clone();
            for row in 0..4 {
                let length2 = x.get(group.a[row]).distance_squared(x.get(group.b[row]));
                law.limit2[row] = (aim * aim * law.rest[row] * law.rest[row]).max(length2);
                law.half_per_limit2[row] = 0.5 / law.limit2[row];
            }
            group.law = self.laws.len() as u32;
            self.laws.push(law);
        }
    }

    /// Sets the length of a substep [s], which the springs' strengths depend on; see `strengths`.
    pub(super) fn set_substep(&mut self, h: f64, shorter2: f64) {
        for law in &mut self.laws {
            for row in 0..4 {
                let c = law.stiffness[row] * h * h;
                (law.spring[row], law.damper[row]) = strengths(c, c * law.damping_time[row] / h, shorter2);
            }
        }
    }
}
