//! Rows in fours: who is joined to whom, and by which law, in the order in which they are swept.

use std::collections::HashMap;

/// One number for each row of a quad.
pub(super) type Lanes = [f64; 4];

/// Shortest length at which a spring still knows its direction, squared, as a share of its rest length squared.
pub(super) const SHORTEST2: f64 = 1e-4;

/// What four rows do.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Law {
    /// f_a.
    pub(super) share_a: Lanes,
    /// f_b.
    pub(super) share_b: Lanes,
    /// L² [m²].
    pub(super) limit2: Lanes,
    /// 1/2L² [1/m²].
    pub(super) half_per_limit2: Lanes,
    /// l0 [m].
    pub(super) rest: Lanes,
    /// Shortest |d|² that counts [m²].
    pub(super) shortest2: Lanes,
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
    fn bits(&self) -> [[u64; 4]; 6] {
        let numbers = [self.share_a, self.share_b, self.limit2, self.rest, self.stiffness, self.damping_time];
        numbers.map(|lanes| lanes.map(f64::to_bits))
    }
}

/// Four rows that share no particle, to be filled.
#[derive(Debug, Clone)]
pub(super) struct Four {
    a: [u32; 4],
    b: [u32; 4],
    law: Law,
}

/// One row to fill them with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane {
    /// Slots of the ends.
    pub(super) ends: [u32; 2],
    /// f_a and f_b.
    pub(super) shares: [f64; 2],
    /// L² [m²].
    pub(super) limit2: f64,
    /// l0 [m].
    pub(super) rest: f64,
    /// k (w_a + w_b) [1/s²].
    pub(super) stiffness: f64,
    /// τ [s].
    pub(super) damping_time: f64,
}

impl Four {
    /// Rows that do nothing, from a slot that belongs to nobody to itself.
    pub(super) fn idle(nobody: u32) -> Self {
        let (nil, one) = ([0.0; 4], [1.0; 4]);
        let law = Law {
            share_a: nil,
            share_b: nil,
            limit2: one,
            half_per_limit2: [0.5; 4],
            rest: one,
            shortest2: one,
            stiffness: nil,
            damping_time: nil,
            spring: nil,
            damper: nil,
        };
        Self { a: [nobody; 4], b: [nobody; 4], law }
    }

    pub(super) fn set(&mut self, place: usize, lane: Lane) {
        let law = &mut self.law;
        [self.a[place], self.b[place]] = lane.ends;
        [law.share_a[place], law.share_b[place]] = lane.shares;
        law.limit2[place] = lane.limit2;
        law.half_per_limit2[place] = 0.5 / lane.limit2;
        law.rest[place] = lane.rest;
        law.shortest2[place] = SHORTEST2 * (lane.rest * lane.rest);
        law.stiffness[place] = lane.stiffness;
        law.damping_time[place] = lane.damping_time;
    }

    /// Slot of the first end of a row.
    pub(super) fn first(&self, place: usize) -> u32 {
        self.a[place]
    }
}

/// Four rows that share no particle.
#[derive(Debug, Clone)]
pub(super) struct Quad {
    /// Slots of the first particles.
    pub(super) a: [u32; 4],
    /// Slots of the second particles.
    pub(super) b: [u32; 4],
    /// Number of their law: on a regular grid a few serve all, and stay near the processor.
    pub(super) law: u32,
    /// True: `a` counts up, and `b` does.
    pub(super) in_line: bool,
}

/// Quads in the order in which they are swept.
#[derive(Debug, Clone, Default)]
pub(super) struct Quads {
    list: Vec<Quad>,
    laws: Vec<Law>,
    /// No quad names this slot or one after it: once this is checked, a sweep need not check every row.
    beyond: usize,
}

impl Quads {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.laws.clear();
        self.beyond = 0;
    }

    pub(super) fn reserve(&mut self, count: usize) {
        self.list.reserve(count);
        self.laws.reserve(count);
    }

    pub(super) fn push(&mut self, Four { a, b, law }: Four) {
        let last = a.iter().chain(&b).fold(0, |last, &slot| last.max(slot));
        self.beyond = self.beyond.max(last as usize + 1);
        let counts_up = |slots: [u32; 4]| slots.windows(2).all(|pair| pair[1] == pair[0] + 1);
        self.list.push(Quad { a, b, law: self.laws.len() as u32, in_line: counts_up(a) && counts_up(b) });
        self.laws.push(law);
    }

    /// The quads, in order.
    pub(super) fn list(&self) -> &[Quad] {
        &self.list
    }

    /// What the rows of a quad do.
    #[inline]
    pub(super) fn law(&self, quad: &Quad) -> &Law {
        &self.laws[quad.law as usize]
    }

    /// No quad names this slot or one after it.
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
        for quad in &mut self.list {
            let law = &self.laws[quad.law as usize];
            quad.law = *known.entry(law.bits()).or_insert_with(|| {
                laws.push(law.clone());
                laws.len() as u32 - 1
            });
        }
        self.laws = laws;
    }

    /// Sets the length of a substep [s], which the springs' strengths depend on.
    pub(super) fn set_substep(&mut self, h: f64) {
        for law in &mut self.laws {
            for row in 0..4 {
                let c = law.stiffness[row] * h * h;
                let damping = law.damping_time[row] / h;
                law.spring[row] = c / (1.0 + c * (1.0 + damping));
                law.damper[row] = law.spring[row] * damping;
            }
        }
    }
}
