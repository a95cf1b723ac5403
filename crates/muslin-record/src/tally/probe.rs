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

/// The maxima of one coordinate, told by its velocity's change from positive to negative.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Swing {
    velocity: f64,
    first: f64,
    last: f64,
    /// Maxima so far. A start from rest is none.
    pub maxima: u32,
}

impl ProbeTally {
    pub(super) fn new(probe: Probe, state: &State) -> Self {
        let particle = probe.particle as usize;
        let x = state.x[particle];
        let swing = |velocity| Swing { velocity, first: 0.0, last: 0.0, maxima: 0 };
        let swings = state.v[particle].to_array().map(swing);
        Self { probe, last: x, min: x, max: x, swings, time: state.time }
    }

    pub(super) fn step(&mut self, time: f64, state: &State) {
        let particle = self.probe.particle as usize;
        self.last = state.x[particle];
        self.min = self.min.min(self.last);
        self.max = self.max.max(self.last);
        for (swing, velocity) in self.swings.iter_mut().zip(state.v[particle].to_array()) {
            swing.step(self.time, time, velocity);
        }
        self.time = time;
    }
}

impl Swing {
    fn step(&mut self, before: f64, time: f64, velocity: f64) {
        if self.velocity > 0.0 && velocity <= 0.0 {
            let share = self.velocity / (self.velocity - velocity);
            self.last = before + share * (time - before);
            if self.maxima == 0 {
                self.first = self.last;
            }
            self.maxima += 1;
        }
        self.velocity = velocity;
    }

    /// Mean time between successive maxima [s]; none with fewer than two.
    pub fn period_s(&self) -> Option<f64> {
        (self.maxima >= 2).then(|| (self.last - self.first) / f64::from(self.maxima - 1))
    }
}
