//! Probes: single particles that are followed step by step.

use glam::DVec3;
use muslin::State;
use serde::{Deserialize, Serialize};

/// A particle to follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// Its name in reports.
    pub name: String,
    /// The particle among all of the model.
    pub particle: u32,
}

/// What a probe has seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProbeTally {
    /// Which particle.
    pub probe: Probe,
    /// Where it is [m].
    pub last: DVec3,
    /// Least of each coordinate [m].
    pub min: DVec3,
    /// Greatest of each coordinate [m].
    pub max: DVec3,
    /// Its swinging along x, y and z.
    pub swings: [Swing; 3],
    /// The time of the last step seen [s].
    time: f64,
}

/// The swinging of one coordinate: upward passages through the middle of its range. There it is fastest, so that the
/// time of a passage is sharp; at the turning points a little ripple would blur it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Swing {
    value: f64,
    low: f64,
    high: f64,
    /// The range that the middle was taken from; a much wider one restarts the count.
    range: f64,
    first: f64,
    last: f64,
    /// Upward passages since the range was last widened.
    pub passages: u32,
}

/// Growth of a range that moves its middle.
const WIDER: f64 = 1.02;

impl ProbeTally {
    pub(super) fn new(probe: Probe, state: &State) -> Self {
        let particle = probe.particle as usize;
        let x = state.x[particle];
        let swings = x.to_array().map(Swing::new);
        Self { probe, last: x, min: x, max: x, swings, time: state.time }
    }

    pub(super) fn step(&mut self, time: f64, state: &State) {
        let particle = self.probe.particle as usize;
        self.last = state.x[particle];
        self.min = self.min.min(self.last);
        self.max = self.max.max(self.last);
        for (swing, value) in self.swings.iter_mut().zip(self.last.to_array()) {
            swing.step(self.time, time, value);
        }
        self.time = time;
    }
}

impl Swing {
    fn new(value: f64) -> Self {
        Self { value, low: value, high: value, range: 0.0, first: 0.0, last: 0.0, passages: 0 }
    }

    fn step(&mut self, before: f64, time: f64, value: f64) {
        (self.low, self.high) = (self.low.min(value), self.high.max(value));
        if self.high - self.low > WIDER * self.range {
            self.range = self.high - self.low;
            self.passages = 0;
        }
        let middle = 0.5 * (self.low + self.high);
        if self.value < middle && value >= middle {
            self.last = before + (middle - self.value) / (value - self.value) * (time - before);
            if self.passages == 0 {
                self.first = self.last;
            }
            self.passages += 1;
        }
        self.value = value;
    }

    /// Mean time between successive passages [s]; none with fewer than two.
    pub fn period_s(&self) -> Option<f64> {
        (self.passages >= 2).then(|| (self.last - self.first) / f64::from(self.passages - 1))
    }
}
