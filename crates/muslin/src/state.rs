//! The state: everything that changes during a run, and nothing else. Its clone is a snapshot.

use glam::DVec3;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::error::OutOfRange;
use crate::inputs::{Given, InputError};
use crate::model::Model;

/// What saved states begin with; the number rises with every change of what follows: the fingerprint of the model
/// (u64), the state (postcard), and xxh3 of all bytes before it (u64), numbers little-endian.
const MAGIC: &[u8] = b"MUSLINST3";

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
    /// What the limits of `inequality` pulled with in the last step, h²λ [kg m²]: its solver starts from there. Empty
    /// with other limiters.
    pub multipliers: Vec<f64>,
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
            multipliers: Vec::new(),
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

    /// A fingerprint to the last bit of all that later steps depend on: equal for equal runs, whatever the number of
    /// threads.
    pub fn hash(&self) -> u64 {
        // Every field by name: a new one cannot be forgotten here.
        let Self { time, step, x, v, doublings, before, multipliers, given } = self;
        let mut hasher = Xxh3::new();
        let mut add = |number: u64| hasher.update(&number.to_le_bytes());
        let bits = |points: &[DVec3], add: &mut dyn FnMut(u64)| {
            points.iter().flat_map(DVec3::to_array).for_each(|coordinate| add(coordinate.to_bits()));
        };
        add(time.to_bits());
        bits(x, &mut add);
        bits(v, &mut add);
        given.for_each_number(&mut add);
        // What few states have comes with a tag; 0 to 2 are those of `given`.
        for (cloth, &doublings) in doublings.iter().enumerate().filter(|(_, doublings)| **doublings > 0) {
            [3, cloth as u64, u64::from(doublings)].into_iter().for_each(&mut add);
        }
        if let Some(Before { x, v, step }) = before {
            [4, step.to_bits()].into_iter().for_each(&mut add);
            bits(x, &mut add);
            bits(v, &mut add);
        }
        if !multipliers.is_empty() {
            add(6);
            for multiplier in multipliers {
                add(multiplier.to_bits());
            }
        }
        // Later steps do not ask how many there were, only whether they are the first.
        if *step == 0 {
            add(5);
        }
        hasher.digest()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::Pose;
    use crate::inputs::{Inputs, Placement};
    use crate::model::{ColliderId, PinId, World};

    /// Two particles of two cloths, on their way, with the step before.
    fn state() -> State {
        let (x, v) = (vec![DVec3::X, DVec3::Y], vec![DVec3::Z, DVec3::ONE]);
        let before = Some(Before { x: v.clone(), v: x.clone(), step: 0.25 });
        State { time: 0.5, step: 2, x, v, doublings: vec![1, 0], before, multipliers: vec![], given: Given::default() }
    }

    /// Fails unless the hash is another after each of the changes, and all are different.
    #[track_caller]
    fn assert_seen(changes: &[fn(&mut State)]) {
        let mut hashes = vec![state().hash()];
        for change in changes {
            let mut changed = state();
            change(&mut changed);
            hashes.push(changed.hash());
        }
        let count = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), count, "a change is not seen, or two look alike");
    }

    #[test]
    fn the_hash_sees_the_time() {
        assert_seen(&[|state| state.time = 0.75]);
    }

    #[test]
    fn the_hash_sees_whether_a_step_has_been_taken() {
        assert_seen(&[|state| state.step = 0]);
    }

    #[test]
    fn the_hash_sees_positions_to_the_last_bit() {
        assert_seen(&[|state| state.x[1].y = state.x[1].y.next_up(), |state| state.x.swap(0, 1)]);
    }

    #[test]
    fn the_hash_sees_velocities_to_the_last_bit() {
        assert_seen(&[|state| state.v[1].y = state.v[1].y.next_up(), |state| state.v.swap(0, 1)]);
    }

    #[test]
    fn the_hash_sees_multipliers() {
        let state = state();
        let changed = State { multipliers: vec![0.5], ..state.clone() };
        assert_ne!(changed.hash(), state.hash());
        assert_ne!(State { multipliers: vec![0.25], ..state.clone() }.hash(), changed.hash());
    }

    #[test]
    fn the_hash_sees_doublings_and_of_which_cloth() {
        assert_seen(&[
            |state| state.doublings = vec![0, 0],
            |state| state.doublings = vec![2, 0],
            |state| state.doublings = vec![0, 1],
        ]);
    }

    #[test]
    fn the_hash_sees_the_step_before() {
        fn before(state: &mut State) -> &mut Before {
            state.before.as_mut().unwrap()
        }
        assert_seen(&[
            |state| state.before = None,
            |state| before(state).step = 0.125,
            |state| before(state).x[0] = DVec3::ZERO,
            |state| before(state).v[0] = DVec3::ZERO,
        ]);
    }

    #[test]
    fn the_hash_sees_what_inputs_have_given() {
        fn blow(state: &mut State) {
            let model = Model::build(vec![], vec![], World::default()).unwrap();
            state.given.take(&model, Inputs::default().blow(DVec3::X));
        }
        assert_seen(&[
            |state| state.given.put_pin(PinId(0), vec![DVec3::X]),
            |state| state.given.put_pin(PinId(1), vec![DVec3::X]),
            |state| state.given.put_collider(ColliderId(0), Placement::Pose(Pose::at(DVec3::X))),
            |state| state.given.put_collider(ColliderId(0), Placement::Vertices(vec![DVec3::X])),
            blow,
        ]);
    }
}
