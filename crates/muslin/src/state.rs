//! The state: everything that changes during a run, and nothing else. Its clone is a snapshot.

use glam::DVec3;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::OutOfRange;
use crate::inputs::{Given, InputError};
use crate::model::Model;

/// What saved states begin with; the number rises with every change of what follows: the fingerprint of the model (u64), the state
/// (postcard), and xxh3 of all bytes before it (u64), numbers little-endian.
const MAGIC: &[u8] = b"MUSLINST2";

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
    /// What inputs have put somewhere, or what was named, is not part of the model.
    #[error(transparent)]
    Given(#[from] InputError),
    /// A number is not finite, or out of its range.
    #[error(transparent)]
    Number(#[from] OutOfRange),
    /// The bytes are no state, or one of another version of muslin.
    #[error("these bytes are not a state that this version of muslin has saved")]
    Bytes,
    /// The bytes are not as they were saved.
    #[error("these bytes are damaged: they are not as they were saved")]
    Damaged,
    /// The state was saved of another model.
    #[error("this state was saved of another model: its cloths, pins or colliders are not the same")]
    OtherModel,
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
    /// Restarts a particle from where it is now, `x` [m], with `v` [m/s], as if it had come there with that velocity in
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

    /// As bytes, for a file or a wire; `model` is the one that it is a state of.
    pub fn to_bytes(&self, model: &Model) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(model.fingerprint().to_le_bytes());
        // Nothing in a state can fail to be written to memory.
        bytes.extend(postcard::to_stdvec(self).unwrap_or_default());
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// From bytes of [`State::to_bytes`]. Damaged ones are refused, and those of another model.
    pub fn from_bytes(bytes: &[u8], model: &Model) -> Result<Self, StateError> {
        if !bytes.starts_with(MAGIC) {
            return Err(StateError::Bytes);
        }
        let (content, checksum) = bytes.split_last_chunk().ok_or(StateError::Damaged)?;
        if xxh3_64(content) != u64::from_le_bytes(*checksum) {
            return Err(StateError::Damaged);
        }
        let (fingerprint, state) = content[MAGIC.len()..].split_first_chunk().ok_or(StateError::Damaged)?;
        if u64::from_le_bytes(*fingerprint) != model.fingerprint() {
            return Err(StateError::OtherModel);
        }
        postcard::from_bytes(state).map_err(|_| StateError::Damaged)
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
