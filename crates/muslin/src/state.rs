//! The state: everything that changes during a run, and nothing else. Its clone is a snapshot.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::model::Model;

/// Everything that changes during a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time [s].
    pub time: f64,
    /// Steps done.
    pub step: u64,
    /// Positions [m].
    pub x: Vec<DVec3>,
    /// Velocities [m/s].
    pub v: Vec<DVec3>,
    /// How often `certified` has had to double the number of its substeps, for each cloth.
    pub doublings: Vec<u32>,
    /// The step before, for integrators of two steps.
    pub before: Option<Before>,
}

/// Positions and velocities one step ago.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Before {
    /// Positions [m].
    pub x: Vec<DVec3>,
    /// Velocities [m/s].
    pub v: Vec<DVec3>,
    /// Length of that step [s].
    pub step: f64,
}

impl Before {
    /// Lets a particle start anew from where it is now, `x` [m], with `v` [m/s], as if it had come there with that velocity in
    /// the step of length `h` [s].
    pub(crate) fn restart(&mut self, particle: usize, h: f64, x: &[DVec3], v: &[DVec3]) {
        self.x[particle] = x[particle] - v[particle] * h;
        self.v[particle] = v[particle];
    }
}

impl State {
    /// The state a model starts in.
    pub fn start(model: &Model) -> Self {
        Self {
            time: 0.0,
            step: 0,
            x: model.start.clone(),
            v: model.start_velocity.clone(),
            doublings: vec![0; model.cloths.len()],
            before: None,
        }
    }

    /// A fingerprint of the state to the last bit: equal for equal runs, whatever the number of threads.
    pub fn hash(&self) -> u64 {
        let mut hasher = xxhash_rust::xxh3::Xxh3::new();
        hasher.update(&self.time.to_le_bytes());
        for point in self.x.iter().chain(&self.v) {
            for coordinate in point.to_array() {
                hasher.update(&coordinate.to_le_bytes());
            }
        }
        hasher.digest()
    }
}
