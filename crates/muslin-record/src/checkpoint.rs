//! `checkpoint.bin`: where a run can go on.
//!
//! ```text
//! "MUSLINCP" · format (u32) · length of version (u32) · version of muslin · hash of the scene text (u64)
//! · payload: frame, state, tally, timings (postcard) · xxh3 of all bytes before it (u64)
//! ```
//!
//! All numbers are little-endian. A checkpoint is only taken up by the version of muslin that wrote it and for the
//! scene it was written for, because only then is the resumed run the same to the last bit.

use muslin::State;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::report::Timings;
use crate::tally::Tally;

const MAGIC: &[u8; 8] = b"MUSLINCP";
/// Rises whenever the layout of the file or of anything in its payload changes.
const FORMAT: u32 = 9;

/// What a checkpoint holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The last frame written.
    pub frame: u64,
    /// The state at that frame.
    pub state: State,
    /// What has been measured up to it.
    pub tally: Tally,
    /// What it took to get there.
    pub timings: Timings,
}

/// The same, borrowed: writing does not copy the state.
#[derive(Debug, Serialize)]
pub(crate) struct CheckpointRef<'a> {
    pub(crate) frame: u64,
    pub(crate) state: &'a State,
    pub(crate) tally: &'a Tally,
    pub(crate) timings: &'a Timings,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointProblem {
    /// It does not start like one.
    #[error("is not a checkpoint of muslin")]
    Foreign,
    /// Another version of muslin wrote it.
    #[error("was written by muslin {found}, but this is muslin {own}")]
    OtherVersion {
        /// Version that wrote it.
        found: String,
        /// Version that reads it.
        own: String,
    },
    /// It has another layout.
    #[error("has the format {found}, but this version of muslin reads format {own}")]
    OtherFormat {
        /// Its format.
        found: u32,
        /// The format that is read.
        own: u32,
    },
    /// It belongs to another scene.
    #[error("belongs to another scene, or to this one with other settings")]
    OtherScene,
    /// The scene reads as before but makes another model.
    #[error("has {found} particles, but the scene now makes {own}")]
    OtherModel {
        /// Particles of the checkpoint.
        found: usize,
        /// Particles of the model.
        own: usize,
    },
    /// It is not as it was written.
    #[error("is damaged")]
    Damaged,
}

impl CheckpointProblem {
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::OtherScene => {
                "resume with the same scene and the same `--set` options, or start again with `--force`"
            }
            Self::OtherModel { .. } => "a mesh file of the scene has changed: start again with `--force`",
            Self::OtherVersion { .. } | Self::OtherFormat { .. } => {
                "resume with that version, or start again with `--force`"
            }
            Self::Foreign | Self::Damaged => "start the run again with `--force`",
        }
    }
}

/// The bytes of a checkpoint.
pub(crate) fn encode(checkpoint: &CheckpointRef, scene_text: &str) -> Result<Vec<u8>, postcard::Error> {
    let version = env!("CARGO_PKG_VERSION");
    let mut bytes = MAGIC.to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend((version.len() as u32).to_le_bytes());
    bytes.extend(version.as_bytes());
    bytes.extend(xxh3_64(scene_text.as_bytes()).to_le_bytes());
    let mut bytes = postcard::to_extend(checkpoint, bytes)?;
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    Ok(bytes)
}

/// What the bytes of a checkpoint hold, once everything about them has been checked.
pub(crate) fn decode(bytes: &[u8], scene_text: &str) -> Result<Checkpoint, CheckpointProblem> {
    use CheckpointProblem::{Damaged, Foreign, OtherFormat, OtherScene, OtherVersion};
    let rest = bytes.strip_prefix(MAGIC).ok_or(Foreign)?;
    let (format, rest) = rest.split_first_chunk().ok_or(Damaged)?;
    let found = u32::from_le_bytes(*format);
    if found != FORMAT {
        return Err(OtherFormat { found, own: FORMAT });
    }
    let (_, checksum) = bytes.split_last_chunk().ok_or(Damaged)?;
    if xxh3_64(&bytes[..bytes.len() - 8]) != u64::from_le_bytes(*checksum) {
        return Err(Damaged);
    }
    let (length, rest) = rest.split_first_chunk().ok_or(Damaged)?;
    let (version, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or(Damaged)?;
    let own = env!("CARGO_PKG_VERSION");
    if version != own.as_bytes() {
        return Err(OtherVersion { found: String::from_utf8_lossy(version).into_owned(), own: own.to_owned() });
    }
    let (scene, rest) = rest.split_first_chunk().ok_or(Damaged)?;
    if u64::from_le_bytes(*scene) != xxh3_64(scene_text.as_bytes()) {
        return Err(OtherScene);
    }
    let (payload, _) = rest.split_last_chunk::<8>().ok_or(Damaged)?;
    let (checkpoint, unread): (Checkpoint, _) = postcard::take_from_bytes(payload).map_err(|_| Damaged)?;
    if unread.is_empty() { Ok(checkpoint) } else { Err(Damaged) }
}
