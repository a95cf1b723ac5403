//! What the player in `report.html` is given: a header in JSON and the frames as compressed bytes.
//!
//! The bytes are those of a raw deflate stream (RFC 1951) in base64. Unpacked, they hold without gaps, little-endian:
//!
//! 1. for each cloth its [`Shape`]: triangles, lines, seams, coordinates in the cloth;
//! 2. for each stored frame, for each cloth, its [`Motion`]: positions and strains.
//!
//! `web/` reads the same. Whoever changes the layout raises [`header::FORMAT`] and changes both.

mod choose;
mod header;
mod motion;
mod pack;
mod shape;
mod survey;
#[cfg(test)]
mod tests;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::DVec3;
use serde::Serialize;

use crate::error::RecordError;
use crate::playback::Playback;
use crate::report::Report;
use choose::Choice;
use header::Header;
use motion::Motion;
use pack::{Full, Packer};
use shape::Shape;
use survey::Survey;

/// A camera, as a scene describes it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CameraView {
    /// Where it is [m].
    pub eye: DVec3,
    /// What it looks at [m].
    pub target: DVec3,
    /// Angle between the lower and the upper edge of the picture [°].
    pub field_of_view_deg: f64,
}

/// A run, packed for the player.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Payload {
    /// JSON that can stand inside a script element.
    pub(crate) header: String,
    /// Base64.
    pub(crate) frames: String,
}

/// Packs a run into at most `budget` bytes of header and base64: all frames if they fit, else as many as do. None when
/// not even the first, the worst and the last do.
pub(crate) fn encode(
    playback: &mut Playback,
    report: &Report,
    camera: Option<&CameraView>,
    budget: usize,
) -> Result<Option<Payload>, RecordError> {
    let survey = Survey::of(playback)?;
    let shapes: Vec<Shape> = playback.cloths.iter().map(Shape::of).collect();
    let shape_bytes: usize = shapes.iter().map(Shape::len).sum();
    let frame_bytes = playback.cloths.iter().map(|cloth| motion::frame_bytes(cloth.rest.len())).sum();
    let mut choice = Some(Choice::first(playback.last_frame, report.strain.worst_frame, shape_bytes, frame_bytes));
    while let Some(chosen) = choice {
        let header = Header::new(playback, report, camera, &chosen, &survey, &shapes).to_script()?;
        // Four letters of base64 stand for three bytes.
        let room = budget.saturating_sub(header.len()) / 4 * 3;
        if let Some(packed) = pack(playback, &shapes, &survey, &chosen.frames(), room)? {
            return Ok(Some(Payload { header, frames: STANDARD.encode(packed) }));
        }
        choice = chosen.fewer();
    }
    Ok(None)
}

/// The compressed bytes; none when there would be more than `room`. Reads one frame at a time.
fn pack(
    playback: &mut Playback,
    shapes: &[Shape],
    survey: &Survey,
    frames: &[u64],
    room: usize,
) -> Result<Option<Vec<u8>>, RecordError> {
    let limit = playback.limit;
    let mut packer = Packer::new(room);
    let mut fits = shapes.iter().try_for_each(|shape| packer.push(&shape.bytes()));
    let mut motions: Vec<Motion> = survey.boxes.iter().map(|bounds| Motion::new(*bounds)).collect();
    for &frame in frames {
        for (cloth, motion) in playback.cloths.iter_mut().zip(&mut motions) {
            if let Err(Full) = fits {
                return Ok(None);
            }
            let positions = cloth.positions(frame)?;
            let strains = cloth.vertex_strains(&positions, limit);
            fits = packer.push(motion.advance(&positions, &strains, limit));
        }
    }
    Ok(fits.and_then(|()| packer.finish()).ok())
}
