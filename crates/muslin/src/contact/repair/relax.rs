//! Sweeps over planes and edges: each moves its particles by the least squares that settle it.
//!
//! ```text
//! plane   Δx_k = λ w_k C n,    λ = (ξ - gap)/Σ w_k² n·C n
//! edge    Δx = ∓ (length - aim)/2 along it, or all at one end when the other is pinned
//! ```
//!
//! C filter of what a particle may do ([`Freedom`](crate::drivers::Freedom)). Particles count alike, whatever their
//! mass: this is geometry. Both aim a little further than they must, so that sweeps end.

use glam::DVec3;

use super::planes::RepairPlane;
use crate::drivers::Drivers;
use crate::model::Model;
use crate::rows::{Row, edge_rows};

/// Sweeps of a round.
const SWEEPS: u32 = 30;
/// Sweeps over edges alone, at most.
const LAST_SWEEPS: u32 = 5000;
/// How much more than the thickness is aimed at, as a fraction of it.
const FURTHER: f64 = 0.02;
/// How much of the strain limit is aimed at.
const AIM: f64 = 0.9;

/// The edges and how long they may be.
pub(super) struct Relaxation {
    rows: Vec<Row>,
    /// The greatest length of each [m].
    most: Vec<f64>,
    /// What a sweep makes of one that is longer [m].
    aim: Vec<f64>,
}

impl Relaxation {
    /// Edges may be as long as the limit lets them, or as they are at the start if that is longer.
    pub(super) fn new(model: &Model, start: &[DVec3], stretch: f64) -> Self {
        let rows = edge_rows(model);
        let (mut most, mut aim) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
        for row in &rows {
            let (before, limit) = (start[row.a as usize].distance(start[row.b as usize]), (1.0 + stretch) * row.rest);
            // What was too long before gets no longer, and need not be repaired.
            most.push(before.max(limit));
            aim.push(if before <= limit { (1.0 + AIM * stretch) * row.rest } else { before });
        }
        Self { rows, most, aim }
    }

    /// Whether no edge is longer than it may be.
    pub(super) fn holds(&self, x: &[DVec3]) -> bool {
        let length = |row: &Row| x[row.a as usize].distance(x[row.b as usize]);
        self.rows.iter().zip(&self.most).all(|(row, most)| length(row) <= *most)
    }

    /// A round of sweeps over planes and edges, edges last.
    pub(super) fn sweep(&self, drivers: &Drivers, planes: &[RepairPlane], x: &mut [DVec3]) {
        for _ in 0..SWEEPS {
            let mut moved = false;
            for plane in planes {
                moved |= push(drivers, plane, x);
            }
            moved |= self.sweep_edges(drivers, x);
            if !moved {
                break;
            }
        }
    }

    /// Sweeps over edges alone until they hold.
    pub(super) fn shorten(&self, drivers: &Drivers, x: &mut [DVec3]) {
        for _ in 0..LAST_SWEEPS {
            if !self.sweep_edges(drivers, x) {
                break;
            }
        }
    }

    /// There and back over the edges; says whether any was too long.
    fn sweep_edges(&self, drivers: &Drivers, x: &mut [DVec3]) -> bool {
        let mut moved = false;
        for i in (0..self.rows.len()).chain((0..self.rows.len()).rev()) {
            moved |= pull(drivers, &self.rows[i], self.most[i], self.aim[i], x);
        }
        moved
    }
}

/// Moves a place beyond its plane; says whether it was not.
fn push(drivers: &Drivers, plane: &RepairPlane, x: &mut [DVec3]) -> bool {
    let RepairPlane { particles, weights, normal, offset, thickness, .. } = *plane;
    let gap = (0..3).map(|k| normal.dot(x[particles[k] as usize]) * weights[k]).sum::<f64>() - offset;
    if gap >= thickness {
        return false;
    }
    let give = |k: usize| drivers.filter(particles[k] as usize, normal) * weights[k];
    let answer: f64 = (0..3).map(|k| normal.dot(give(k)) * weights[k]).sum();
    if answer <= 1e-12 {
        return false;
    }
    let lambda = ((1.0 + FURTHER) * thickness - gap) / answer;
    for k in 0..3 {
        x[particles[k] as usize] += give(k) * lambda;
    }
    true
}

/// Pulls the ends of an edge together; says whether it was too long.
fn pull(drivers: &Drivers, row: &Row, most: f64, aim: f64, x: &mut [DVec3]) -> bool {
    let (a, b) = (row.a as usize, row.b as usize);
    let between = x[b] - x[a];
    let length = between.length();
    if length <= most {
        return false;
    }
    let along = between / length;
    let (give_a, give_b) = (drivers.filter(a, along), drivers.filter(b, along));
    let answer = along.dot(give_a) + along.dot(give_b);
    if answer <= 1e-12 {
        return false;
    }
    let lambda = (length - aim) / answer;
    x[a] += give_a * lambda;
    x[b] -= give_b * lambda;
    true
}
