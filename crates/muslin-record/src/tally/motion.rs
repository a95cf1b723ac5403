//! Fall and rebound: two figures that distinguish a lively cloth from one whose motion the solver has damped away.

use serde::{Deserialize, Serialize};

/// How far the centre of mass has to drop for `fall_s` [m].
pub const FALL_HEIGHT: f64 = 0.25;
/// In which time the lowest point is looked for that `rebound` starts from [s].
pub const REBOUND_INTERVAL: f64 = 0.9;
/// Times are sums of steps: a step this close to the interval's end counts as inside [s].
const TIME_SLACK: f64 = 1e-9;
/// A fall of less than this is none [m].
const LEAST_FALL: f64 = 1e-6;

/// What the centre of mass has done so far. Heights are y [m].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MotionTally {
    start_time: f64,
    start: f64,
    time: f64,
    height: f64,
    fall: Option<f64>,
    lowest: f64,
    highest_since: f64,
}

impl MotionTally {
    pub(super) fn new(time: f64, height: f64) -> Self {
        let (start_time, start) = (time, height);
        Self { start_time, start, time, height, fall: None, lowest: height, highest_since: height }
    }

    pub(super) fn step(&mut self, time: f64, height: f64) {
        let goal = self.start - FALL_HEIGHT;
        if self.fall.is_none() && height <= goal {
            let fraction = (self.height - goal) / (self.height - height);
            self.fall = Some(self.time + fraction * (time - self.time) - self.start_time);
        }
        if time - self.start_time <= REBOUND_INTERVAL + TIME_SLACK && height < self.lowest {
            self.lowest = height;
            self.highest_since = height;
        }
        self.highest_since = self.highest_since.max(height);
        self.time = time;
        self.height = height;
    }

    /// When the centre of mass had first dropped [`FALL_HEIGHT`] below its start, from the start of the run [s];
    /// interpolated inside the step.
    pub fn fall_s(&self) -> Option<f64> {
        self.fall
    }

    /// How far the centre of mass rises after its lowest point of the first [`REBOUND_INTERVAL`], up to the end of the
    /// run, as a fraction of the fall to that point. None when the run is shorter or nothing fell.
    pub fn rebound(&self) -> Option<f64> {
        let fall = self.start - self.lowest;
        let watched = self.time - self.start_time >= REBOUND_INTERVAL - TIME_SLACK;
        (watched && fall > LEAST_FALL).then(|| (self.highest_since - self.lowest) / fall)
    }
}
