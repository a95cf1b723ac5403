//! Run folders: everything a run leaves behind.
//!
//! A [`Recorder`] turns steps and frames into the files of a [`RunFolder`]:
//!
//! | file | what it holds |
//! |---|---|
//! | `scene.toml`, `inputs/` | all that is needed to run it again |
//! | `NAME.obj`, `NAME.pc2` | rest shape and motion of each cloth |
//! | `NAME.obj`, `NAME.pc2` | each collider where it starts, and its motion if it moves or deforms |
//! | `frames.csv` | a row a frame |
//! | `report.json` | the certificate ([`Report`]) |
//! | `report.html` | the same for people, with charts and the run to play |
//! | `checkpoint.bin` | where to go on |
//!
//! A [`compare::CompareFolder`] holds several runs of one scene, with `compare.json` and `compare.html` beside them.
//!
//! [`Playback`] reads a run back, as it is shown.
//!
//! A kill of the process at any moment loses at most the frame under way. (A power failure may lose more: the files are
//! handed to the operating system frame by frame, not forced to the disk.)

pub mod checkpoint;
pub mod compare;
mod error;
mod folder;
mod frames;
mod html;
mod obj;
mod payload;
pub mod playback;
mod recorder;
pub mod report;
mod solid;
pub mod tally;
#[cfg(test)]
mod testing;

pub use muslin_cache::{Mdd, MddWriter, Pc2, Pc2Writer};

pub use compare::{CompareFolder, CompareInfo, Comparison, MethodRow, Trial, TrialResult, Verdict};
pub use error::RecordError;
pub use folder::{InputFile, RunFolder};
pub use frames::{FrameRow, FramesCsv};
pub use obj::write_obj;
pub use payload::CameraView;
pub use playback::{Ground, PinnedVertices, Playback, PlayedCloth, PlayedEdge, PlayedSolid, SolidMeasure, strain_code};
pub use recorder::{Outcome, Recorder, RunInfo};
pub use report::{EnergyRise, Expectation, Report, StuckReport, Timings};
pub use tally::{Probe, Tally};
