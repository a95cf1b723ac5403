//! Stuck: cloth that stands still although nothing holds it.
//!
//! In frames with hardly any motion left, forces must be in balance. Where they are not, for half a second, the motion
//! has not come to rest: it was lost.

use glam::DVec3;
use muslin::State;
use muslin::stuck::Imbalance;
use serde::{Deserialize, Serialize};

/// Fraction of its greatest kinetic energy below which a cloth stands still.
pub const STILL: f64 = 1e-6;
/// Greatest imbalance of cloth at rest, as a fraction of its weight.
pub const MOST_IMBALANCE: f64 = 0.02;
/// How long a cloth has to be out of balance to be stuck [s].
pub const STUCK_AFTER: f64 = 0.5;
/// Times are sums of steps [s].
const TIME_SLACK: f64 = 1e-9;

/// Whether a cloth that stands still is in balance.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct StillTally {
    /// Since when it has stood still out of balance; none: it moves, or is in balance.
    since: Option<Stuck>,
    /// The first time that it did so for [`STUCK_AFTER`].
    pub stuck: Option<Stuck>,
}

/// Cloth that stands still out of balance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stuck {
    /// Since when [s].
    pub since: f64,
    /// The frame of that time.
    pub frame: u64,
    /// How far it was from balance then, as a fraction of its weight.
    pub imbalance: f64,
    /// The particle that would move first.
    pub particle: usize,
    /// Where it is [m].
    pub position: DVec3,
}

impl StillTally {
    /// True when a frame has to be looked at, given the kinetic energy there and its greatest so far [J].
    pub(super) fn asks(&self, kinetic: f64, greatest: f64) -> bool {
        self.stuck.is_none() && kinetic <= STILL * greatest
    }

    /// Adds a frame; the imbalance is none where there was no need to look.
    pub(super) fn frame(&mut self, frame: u64, state: &State, found: Option<Imbalance>) {
        let Some(found) = found.filter(|found| found.fraction > MOST_IMBALANCE) else {
            self.since = None;
            return;
        };
        let since = *self.since.get_or_insert_with(|| Stuck {
            since: state.time,
            frame,
            imbalance: found.fraction,
            particle: found.particle,
            position: state.x[found.particle],
        });
        if state.time - since.since >= STUCK_AFTER - TIME_SLACK {
            self.stuck = Some(since);
        }
    }
}
