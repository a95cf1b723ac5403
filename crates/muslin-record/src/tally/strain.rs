//! Strain over frames and steps.

use glam::DVec3;
use muslin::report::{FrameReport, StepReport, Strain};
use muslin::{Model, State};
use serde::{Deserialize, Serialize};

use super::histogram::Histogram;

/// An edge counts as within its limit when it is longer than allowed by at most this fraction of its length: room for
/// the rounding of an edge that was put exactly at its limit, and a millionth of a 0.1 % limit.
pub const LENGTH_SLACK: f64 = 1e-9;

/// True when an edge of this strain is within the limit, up to [`LENGTH_SLACK`].
pub fn within_limit(strain: f64, limit: f64) -> bool {
    1.0 + strain <= (1.0 + limit) * (1.0 + LENGTH_SLACK)
}

/// Strain over frames and steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StrainTally {
    /// The greatest strain allowed.
    pub limit: f64,
    /// Greatest strain over the frames written.
    pub worst: EdgePeak,
    /// Greatest strain over all steps; until one is taken, that of the start, as step 0.
    pub worst_step: EdgePeak,
    /// Least strain over all steps (negative: compressed).
    pub least: f64,
    /// Greatest p99 of a frame.
    pub p99: f64,
    /// Greatest mean of a frame.
    pub mean: f64,
    /// Greatest compression over the frames written, as a positive fraction of the rest length.
    pub compressed_worst: f64,
    /// Distribution over the edges in the frame of `worst`.
    pub histogram_worst: Histogram,
    /// Distribution over the edges in the last frame.
    pub histogram_last: Histogram,
}

/// The greatest strain of a kind, when and where.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EdgePeak {
    /// The strain; 0 when there are no edges.
    pub strain: f64,
    /// The frame or step.
    pub at: u64,
    /// When [s].
    pub time: f64,
    /// The edge among all of the model.
    pub edge: Option<usize>,
    /// The edge's middle at that time [m].
    pub position: DVec3,
}

impl EdgePeak {
    fn of(model: &Model, state: &State, strain: f64, edge: Option<usize>, at: u64) -> Self {
        let ends = edge.and_then(|edge| model.edges.get(edge));
        let position = ends.map_or(DVec3::ZERO, |edge| state.x[edge.a as usize].midpoint(state.x[edge.b as usize]));
        Self { strain, at, time: state.time, edge, position }
    }
}

impl StrainTally {
    pub(super) fn new(model: &Model, state: &State, limit: f64, first: &FrameReport, edge_strains: &[f64]) -> Self {
        let Strain { worst, worst_edge, p99, mean, compressed_worst, .. } = first.strain;
        let peak = EdgePeak::of(model, state, worst, worst_edge, 0);
        let histogram = Histogram::of(edge_strains, limit, 0);
        Self {
            limit,
            worst: peak,
            worst_step: peak,
            least: -compressed_worst,
            p99,
            mean,
            compressed_worst,
            histogram_worst: histogram.clone(),
            histogram_last: histogram,
        }
    }

    pub(super) fn step(&mut self, model: &Model, state: &State, report: &StepReport) {
        if report.worst_strain > self.worst_step.strain || self.worst_step.at == 0 {
            self.worst_step = EdgePeak::of(model, state, report.worst_strain, report.worst_edge, report.step);
        }
        self.least = if report.step == 1 { report.least_strain } else { self.least.min(report.least_strain) };
    }

    pub(super) fn frame(&mut self, frame: u64, model: &Model, state: &State, report: &FrameReport, strains: &[f64]) {
        let strain = &report.strain;
        self.histogram_last = Histogram::of(strains, self.limit, frame);
        if strain.worst > self.worst.strain {
            self.worst = EdgePeak::of(model, state, strain.worst, strain.worst_edge, frame);
            self.histogram_worst = self.histogram_last.clone();
        }
        self.p99 = self.p99.max(strain.p99);
        self.mean = self.mean.max(strain.mean);
        self.compressed_worst = self.compressed_worst.max(strain.compressed_worst);
    }

    /// True when no step ended over the limit, and so no frame but the first: a method is judged by what it makes of
    /// the start, which it has not made.
    pub fn kept(&self) -> bool {
        within_limit(self.worst_step.strain, self.limit)
    }
}
