//! The matrix of impulses along rows.
//!
//! ```text
//! row p = (a, b):  an impulse of size s_p changes v_a by +C_a n_p s_p/m_a and v_b by -C_b n_p s_p/m_b
//! A_pq = ± g_pᵀ (C/m) n_q  of the particle that p and q share: + when it is first in both or second in both
//! A_pp = g_pᵀ (C_a/m_a + C_b/m_b) n_p,    (A s)_p = g_p · (δv_a - δv_b)
//! ```
//!
//! n_p: the direction of the impulse, g_p: the direction in which the relative velocity is measured, both without unit;
//! A in 1/kg. With g = n the matrix is symmetric and sᵀA s = Σ m |δv|². Sources: [Ye08] eq. 9 and 10 (with the mass
//! index of eq. 10 put right), [BB08] §3.4.2.

use glam::DVec3;

use super::RowPattern;

/// Values of the matrix over a pattern that is kept.
#[derive(Debug, Clone, Default)]
pub struct RowSystem {
    pattern: RowPattern,
    /// Entries on and below the diagonal.
    lower: Vec<f64>,
    /// Their mirror images; empty when the matrix is symmetric.
    upper: Vec<f64>,
    /// C n/m at the first and at the second end of each row [1/kg].
    response: [Vec<DVec3>; 2],
}

impl RowSystem {
    /// The zero matrix of a pattern.
    pub fn zero(pattern: RowPattern) -> Self {
        let response = [vec![DVec3::ZERO; pattern.size()], vec![DVec3::ZERO; pattern.size()]];
        Self { lower: vec![0.0; pattern.entries()], upper: Vec::new(), response, pattern }
    }

    /// Sets all values for impulses along `n`, measured along the same directions. `response(i, n)` is C n/m of
    /// particle i [1/kg].
    pub fn fill(&mut self, n: &[DVec3], response: impl Fn(usize, DVec3) -> DVec3) {
        self.upper.clear();
        self.respond(n, response);
        self.lower.fill(0.0);
        for q in 0..self.pattern.size() {
            self.lower[self.pattern.col_start[q] as usize] = self.diagonal(q, n[q]);
        }
        for coupling in &self.pattern.couplings {
            let value = n[coupling.p as usize].dot(self.response[usize::from(coupling.end_q)][coupling.q as usize]);
            self.lower[coupling.slot as usize] += if coupling.end_p == coupling.end_q { value } else { -value };
        }
    }

    /// Sets all values for impulses along `n`, measured along `g`: not symmetric.
    pub fn fill_measured(&mut self, n: &[DVec3], g: &[DVec3], response: impl Fn(usize, DVec3) -> DVec3) {
        self.respond(n, response);
        self.lower.fill(0.0);
        self.upper.clear();
        self.upper.resize(self.lower.len(), 0.0);
        for q in 0..self.pattern.size() {
            let slot = self.pattern.col_start[q] as usize;
            self.lower[slot] = self.diagonal(q, g[q]);
            self.upper[slot] = self.lower[slot];
        }
        for coupling in &self.pattern.couplings {
            let (p, q, slot) = (coupling.p as usize, coupling.q as usize, coupling.slot as usize);
            let sign = if coupling.end_p == coupling.end_q { 1.0 } else { -1.0 };
            self.lower[slot] += sign * g[p].dot(self.response[usize::from(coupling.end_q)][q]);
            self.upper[slot] += sign * g[q].dot(self.response[usize::from(coupling.end_p)][p]);
        }
    }

    fn respond(&mut self, n: &[DVec3], response: impl Fn(usize, DVec3) -> DVec3) {
        for (q, [a, b]) in self.pattern.ends.iter().enumerate() {
            self.response[0][q] = response(*a as usize, n[q]);
            self.response[1][q] = response(*b as usize, n[q]);
        }
    }

    fn diagonal(&self, q: usize, measured: DVec3) -> f64 {
        measured.dot(self.response[0][q] + self.response[1][q])
    }

    /// Where the matrix has entries.
    pub fn pattern(&self) -> &RowPattern {
        &self.pattern
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.pattern.size()
    }

    /// Entries on and below the diagonal, column by column [1/kg].
    pub fn lower(&self) -> &[f64] {
        &self.lower
    }

    /// The mirror images of [`RowSystem::lower`] [1/kg].
    pub fn upper(&self) -> &[f64] {
        if self.upper.is_empty() { &self.lower } else { &self.upper }
    }

    /// `result` = (A + `fraction` diag A) · `vector`.
    pub fn multiply(&self, vector: &[f64], fraction: f64, result: &mut [f64]) {
        let upper = self.upper();
        result.fill(0.0);
        for q in 0..self.size() {
            let column = self.pattern.column(q);
            let mut sum = self.lower[column.start] * (1.0 + fraction) * vector[q];
            for slot in column.start + 1..column.end {
                let p = self.pattern.row[slot] as usize;
                result[p] += self.lower[slot] * vector[q];
                sum += upper[slot] * vector[p];
            }
            result[q] += sum;
        }
    }

    /// Adds the velocity changes of the impulses `s` [N·s] to `velocity` [m/s].
    pub fn add_impulses(&self, s: &[f64], velocity: &mut [DVec3]) {
        for (q, [a, b]) in self.pattern.ends.iter().enumerate() {
            velocity[*a as usize] += self.response[0][q] * s[q];
            velocity[*b as usize] -= self.response[1][q] * s[q];
        }
    }
}
