//! The state: everything that changes during a run, and nothing else. Its clone is a snapshot.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::inputs::{Given, InputError};
use crate::model::Model;

/// What saved states begin with; the number rises with every change of what follows.
const MAGIC: &[u8] = b"MUSLINST1";

/// Why a state cannot be taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// It belongs to another model.
    #[error("{found} values are given, but {wanted} are needed")]
    Size {
        /// How many there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// A number is not finite.
    #[error("particle {particle} has a position or velocity that is not finite")]
    NotFinite {
        /// The particle.
        particle: usize,
    },
    /// What inputs have put somewhere is not part of the model.
    #[error(transparent)]
    Given(#[from] InputError),
    /// The bytes are no state, or one of another version of muslin.
    #[error("these bytes are not a state that this version of muslin has saved")]
    Bytes,
}

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
    /// Where inputs have put pins and colliders, and the wind that they made.
    pub given: Given,
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
            given: Given::default(),
        }
    }

    /// An error for a state that is none of a model.
    pub fn check(&self, model: &Model) -> Result<(), StateError> {
        let wanted = model.len();
        for values in [&self.x, &self.v] {
            if values.len() != wanted {
                return Err(StateError::Size { found: values.len(), wanted });
            }
            if let Some(particle) = values.iter().position(|value| !value.is_finite()) {
                return Err(StateError::NotFinite { particle });
            }
        }
        if self.doublings.len() != model.cloths.len() {
            return Err(StateError::Size { found: self.doublings.len(), wanted: model.cloths.len() });
        }
        Ok(self.given.check(model)?)
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        // Nothing in a state can fail to be written to memory.
        bytes.extend(postcard::to_stdvec(self).unwrap_or_default());
        bytes
    }

    /// From bytes of [`State::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StateError> {
        let state = bytes.strip_prefix(MAGIC).and_then(|bytes| postcard::from_bytes(bytes).ok());
        state.ok_or(StateError::Bytes)
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
        self.given.for_each_number(|number| hasher.update(&number.to_le_bytes()));
        hasher.digest()
    }
}
