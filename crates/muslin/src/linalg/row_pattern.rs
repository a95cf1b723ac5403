//! Which rows of a system over pairs of particles are coupled, because they share a particle.

/// Two rows p > q that share a particle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coupling {
    /// Storage place of the entry below the diagonal.
    pub(super) slot: u32,
    /// The later row.
    pub(super) p: u32,
    /// The earlier row.
    pub(super) q: u32,
    /// Which end of p is shared: 0 its first, 1 its second.
    pub(super) end_p: u8,
    /// Which end of q is shared.
    pub(super) end_q: u8,
}

/// The lower triangle of a symmetric pattern, by columns: rows that share a particle. Every column starts with its
/// diagonal entry and goes on in the order of its rows.
#[derive(Debug, Clone, Default)]
pub struct RowPattern {
    pub(super) ends: Vec<[u32; 2]>,
    pub(super) col_start: Vec<u32>,
    pub(super) row: Vec<u32>,
    pub(super) couplings: Vec<Coupling>,
}

impl RowPattern {
    /// The pattern of rows between the given pairs of particles, which are all below `particles`.
    pub fn new(ends: Vec<[u32; 2]>, particles: usize) -> Self {
        let mut couplings = couplings(&ends, particles);
        couplings.sort_unstable_by_key(|coupling| (coupling.q, coupling.p, coupling.end_q, coupling.end_p));
        let mut pattern = Self { col_start: Vec::with_capacity(ends.len() + 1), row: Vec::new(), ends, couplings };
        let mut next = 0;
        for q in 0..pattern.ends.len() as u32 {
            pattern.col_start.push(pattern.row.len() as u32);
            pattern.row.push(q);
            while let Some(coupling) = pattern.couplings.get_mut(next).filter(|coupling| coupling.q == q) {
                // Rows between the same two particles meet twice, in one entry.
                if pattern.row.last() != Some(&coupling.p) {
                    pattern.row.push(coupling.p);
                }
                coupling.slot = pattern.row.len() as u32 - 1;
                next += 1;
            }
        }
        pattern.col_start.push(pattern.row.len() as u32);
        pattern
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.ends.len()
    }

    /// Entries on and below the diagonal.
    pub fn entries(&self) -> usize {
        self.row.len()
    }

    /// Storage places of a column, the diagonal first.
    #[inline]
    pub(super) fn column(&self, q: usize) -> std::ops::Range<usize> {
        self.col_start[q] as usize..self.col_start[q + 1] as usize
    }
}

/// All pairs of rows that share a particle, their storage places still open.
fn couplings(ends: &[[u32; 2]], particles: usize) -> Vec<Coupling> {
    let mut at: Vec<Vec<(u32, u8)>> = vec![Vec::new(); particles];
    for (row, [a, b]) in (0..).zip(ends) {
        at[*a as usize].push((row, 0));
        at[*b as usize].push((row, 1));
    }
    let mut couplings = Vec::new();
    for meeting in &at {
        for (later, &(p, end_p)) in meeting.iter().enumerate() {
            for &(q, end_q) in meeting[..later].iter().filter(|(q, _)| *q != p) {
                couplings.push(Coupling { slot: 0, p, q, end_p, end_q });
            }
        }
    }
    couplings
}
