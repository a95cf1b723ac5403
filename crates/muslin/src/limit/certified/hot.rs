//! A direct solve for the most loaded rows.
//!
//! ```text
//! A s = r;   a_ij = ± w_p (e_i · e_j) for the particle p that rows i and j share,   a_ii = (w_a + w_b) |e|² (1 + 0.01)
//! r_i = (|d|² - L² - (1 - β) max(|e|² - L², 0))/2;   s = max(0, s)
//! t = min(1, rᵀs / sᵀA s) without the hundredth;   q_a += t s w_a e, q_b -= t s w_b e
//! ```
//!
//! Where a whole cloth hangs on a few edges (the top row of a sheet held at two corners), a sweep passes the load on one
//! edge at a time and never catches up. Those edges are few, so they are solved together after each sweep, by an LDLᵀ
//! factorisation of the matrix within its envelope. The hundredth on the diagonal keeps a straight row that is held at
//! both ends, for which A is singular, from pulling without bound.
//!
//! Rows only pull. Where the solution has some push, as among the edges and cross edges of triangles, which say the same many times
//! over, what is left of it when they do not may be anything: it could even drive cloth that lies still. So s is only a direction,
//! and t the length along it at which rᵀs - ½ sᵀA s, what the rows aim to make greatest, is so.

use glam::DVec3;

use super::links::Link;
use super::network::Network;
use super::points::Points;

/// Added to the diagonal, as a share of it.
const SOFTENING: f64 = 0.01;

/// Most that one solve shortens a row by, as a share of its length: where rows contradict each other the solution means
/// nothing, and must do no harm.
const MOST_SHORTENED: f64 = 0.1;

/// A loaded row.
#[derive(Debug, Clone, Copy)]
struct HotRow {
    a: u32,
    b: u32,
    limit2: f64,
    /// First column of its envelope.
    first: u32,
    /// Where its envelope starts among all values; the diagonal is the last.
    start: u32,
}

/// The loaded rows and their matrix.
#[derive(Debug)]
pub(super) struct HotSet {
    candidates: Vec<(f64, u32)>,
    rows: Vec<HotRow>,
    /// The last row chosen so far at each particle, plus one; 0: none.
    latest: Vec<u32>,
    /// The chosen row before, at the first and second end of each row, plus one.
    before: Vec<[u32; 2]>,
    values: Vec<f64>,
    directions: Vec<DVec3>,
    /// d of each row [m], before the solve.
    spans: Vec<DVec3>,
    /// r [m²].
    excess: Vec<f64>,
    /// s [kg].
    strengths: Vec<f64>,
    /// One over D.
    inverses: Vec<f64>,
}

impl HotSet {
    /// Memory for at most so many rows of a network.
    pub(super) fn new(network: &Network, particles: usize, most: usize) -> Self {
        Self {
            candidates: Vec::with_capacity(network.links.len()),
            rows: Vec::with_capacity(most),
            latest: Vec::with_capacity(particles),
            before: Vec::with_capacity(most),
            values: Vec::with_capacity(most * (most + 1) / 2),
            directions: Vec::with_capacity(most),
            spans: Vec::with_capacity(most),
            excess: Vec::with_capacity(most),
            strengths: Vec::with_capacity(most),
            inverses: Vec::with_capacity(most),
        }
    }

    /// Chooses the most stretched rows at the positions `x`, at most so many of those over a strain, in the order of their
    /// numbers; `strict` says which limit they are to meet.
    pub(super) fn choose(&mut self, network: &Network, x: &Points, strain: f64, most: usize, strict: bool) {
        let threshold = (1.0 + strain) * (1.0 + strain);
        self.candidates.clear();
        for (number, link) in (0..).zip(&network.links) {
            let stretch2 = x.get(link.row.b).distance_squared(x.get(link.row.a)) / (link.row.rest * link.row.rest);
            if stretch2 > threshold && network.is_plain(link) {
                self.candidates.push((stretch2, number));
            }
        }
        if self.candidates.len() > most {
            let by_stretch = |one: &(f64, u32), other: &(f64, u32)| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1));
            self.candidates.select_nth_unstable_by(most, by_stretch);
            self.candidates.truncate(most);
        }
        self.candidates.sort_unstable_by_key(|&(_, number)| number);
        self.lay_out(network, x.len(), strict);
    }

    /// Finds the envelope: each row reaches back to the first chosen row that shares a particle with it.
    fn lay_out(&mut self, network: &Network, particles: usize, strict: bool) {
        self.rows.clear();
        self.before.clear();
        self.latest.clear();
        self.latest.resize(particles, 0);
        let mut start = 0;
        for (place, &(_, number)) in (0..).zip(&self.candidates) {
            let Link { row, .. } = network.links[number as usize];
            let before = [row.a, row.b].map(|end| self.latest[end as usize]);
            let mut first = place;
            for (end, mut known) in [row.a, row.b].into_iter().zip(before) {
                // All chosen rows at this end, the latest first: the last of the chain is the first chosen.
                while known > 0 {
                    first = first.min(known - 1);
                    let other = self.rows[known as usize - 1];
                    known = self.before[known as usize - 1][usize::from(other.b == end)];
                }
                self.latest[end as usize] = place + 1;
            }
            self.rows.push(HotRow { a: row.a, b: row.b, limit2: network.limit2(&row, strict), first, start });
            self.before.push(before);
            start += place - first + 1;
        }
        self.values.clear();
        self.values.resize(start as usize, 0.0);
    }

    /// Solves for the rows together and moves their ends.
    pub(super) fn solve(&mut self, w: &[f64], x: &Points, q: &mut Points, keep: f64) {
        if self.rows.is_empty() {
            return;
        }
        self.assemble(w, x, q, keep);
        self.factorise();
        self.substitute();
        for (row, s) in self.rows.iter().zip(&mut self.strengths) {
            *s = s.max(0.0).min(MOST_SHORTENED / (w[row.a as usize] + w[row.b as usize]));
        }
        self.pull(w, q, 1.0);
        let best = self.best_length(q);
        if best < 1.0 {
            self.pull(w, q, best - 1.0);
        }
    }

    /// Moves the ends of all rows by so much of what was solved for.
    fn pull(&self, w: &[f64], q: &mut Points, share: f64) {
        for ((row, e), s) in self.rows.iter().zip(&self.directions).zip(&self.strengths) {
            q.add(row.a, *e * (s * share * w[row.a as usize]));
            q.add(row.b, *e * (-s * share * w[row.b as usize]));
        }
    }

    /// t, after all of s has been applied.
    fn best_length(&self, q: &Points) -> f64 {
        let (mut wanted, mut brought) = (0.0, 0.0);
        for (i, (row, s)) in self.rows.iter().zip(&self.strengths).enumerate() {
            let d = q.get(row.b) - q.get(row.a);
            wanted += s * self.excess[i];
            brought += s * self.directions[i].dot(self.spans[i] - d);
        }
        if brought > 0.0 { (wanted / brought).max(0.0) } else { 1.0 }
    }

    fn assemble(&mut self, w: &[f64], x: &Points, q: &Points, keep: f64) {
        self.values.fill(0.0);
        self.directions.clear();
        self.spans.clear();
        self.excess.clear();
        for place in 0..self.rows.len() {
            let row = self.rows[place];
            let (a, b) = (row.a as usize, row.b as usize);
            let (e, d) = (x.get(row.b) - x.get(row.a), q.get(row.b) - q.get(row.a));
            let e2 = e.length_squared();
            let drift = (e2 - row.limit2).max(0.0);
            self.excess.push(0.5 * (d.length_squared() - row.limit2 - keep * drift));
            self.directions.push(e);
            self.spans.push(d);
            let at = |column: u32| (row.start + column - row.first) as usize;
            self.values[at(place as u32)] = (w[a] + w[b]) * e2 * (1.0 + SOFTENING);
            for (end, mut known) in [row.a, row.b].into_iter().zip(self.before[place]) {
                while known > 0 {
                    let other = self.rows[known as usize - 1];
                    let same_end = (other.a == end) == (row.a == end);
                    let coupling = w[end as usize] * e.dot(self.directions[known as usize - 1]);
                    self.values[at(known - 1)] += if same_end { coupling } else { -coupling };
                    known = self.before[known as usize - 1][usize::from(other.b == end)];
                }
            }
        }
    }

    /// LDLᵀ in place, row by row: what is left of the diagonal becomes L.
    fn factorise(&mut self) {
        self.inverses.clear();
        for i in 0..self.rows.len() {
            let row = self.rows[i];
            let (done, own) = self.values.split_at_mut(row.start as usize);
            let first = row.first as usize;
            for j in first..i {
                let other = self.rows[j];
                let from = first.max(other.first as usize);
                let theirs = &done[other.start as usize + from - other.first as usize..];
                let mut sum = own[j - first];
                for k in from..j {
                    sum -= own[k - first] * theirs[k - from];
                }
                own[j - first] = sum;
            }
            let mut pivot = own[i - first];
            for j in first..i {
                let scaled = own[j - first] * self.inverses[j];
                pivot -= own[j - first] * scaled;
                own[j - first] = scaled;
            }
            // A row without direction, or one that others repeat, takes no part.
            self.inverses.push(if pivot > 0.0 { 1.0 / pivot } else { 0.0 });
        }
    }

    fn substitute(&mut self) {
        self.strengths.clear();
        self.strengths.extend_from_slice(&self.excess);
        let s = &mut self.strengths;
        let entry = |row: &HotRow, j: usize| row.start as usize + j - row.first as usize;
        for (i, row) in self.rows.iter().enumerate() {
            for j in row.first as usize..i {
                s[i] -= self.values[entry(row, j)] * s[j];
            }
        }
        for (s, inverse) in s.iter_mut().zip(&self.inverses) {
            *s *= inverse;
        }
        for (i, row) in self.rows.iter().enumerate().rev() {
            for j in row.first as usize..i {
                s[j] -= self.values[entry(row, j)] * s[i];
            }
        }
    }
}
