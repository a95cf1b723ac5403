//! What the player in `report.html` is given: a header in JSON and the frames as compressed bytes.
//!
//! The bytes are those of a raw deflate stream (RFC 1951) in base64. Unpacked, they hold without gaps, little-endian:
//!
//! 1. for each cloth its [`Shape`]: triangles, lines, seams, coordinates in the cloth;
//! 2. for each solid its triangles;
//! 3. for each stored frame, for each cloth, its [`Motion`]: positions and strains; then for each solid its positions,
//!    of one at rest in the first stored frame only.
//!
//! `web/` reads the same. A change of the layout raises [`header::FORMAT`] and changes both.

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
    let (still_bytes, frame_bytes) = unpacked_bytes(playback, &shapes);
    let strain = report.strain.worst_frame;
    let [solids, cloth] = report.contact.worst_frames().map(|frame| frame.unwrap_or(strain));
    let mut choice = Some(Choice::first(playback.last_frame, [strain, solids, cloth], still_bytes, frame_bytes));
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

/// Bytes before compression: of what is stored once, and of a frame.
fn unpacked_bytes(playback: &Playback, shapes: &[Shape]) -> (usize, usize) {
    let mut still: usize = shapes.iter().map(Shape::len).sum();
    let mut frame: usize = playback.cloths.iter().map(|cloth| motion::frame_bytes(cloth.rest.len())).sum();
    for solid in &playback.solids {
        still += size_of_val(&solid.triangles[..]);
        let places = motion::place_bytes(solid.start().len());
        *(if solid.moves { &mut frame } else { &mut still }) += places;
    }
    (still, frame)
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
    fits = fits.and_then(|()| {
        playback.solids.iter().try_for_each(|solid| packer.push(&shape::index_bytes(solid.triangles.as_flattened())))
    });
    let mut motions: Vec<Motion> = survey.boxes.iter().map(|bounds| Motion::new(*bounds)).collect();
    let mut solid_motions: Vec<Motion> = survey.solid_boxes.iter().map(|bounds| Motion::new(*bounds)).collect();
    for (slot, &frame) in frames.iter().enumerate() {
        for (cloth, motion) in playback.cloths.iter_mut().zip(&mut motions) {
            if let Err(Full) = fits {
                return Ok(None);
            }
            let positions = cloth.positions(frame)?;
            let strains = cloth.vertex_strains(&positions, limit);
            fits = packer.push(motion.advance(&positions, &strains, limit));
        }
        let shown = playback.solids.iter_mut().zip(&mut solid_motions).filter(|(solid, _)| slot == 0 || solid.moves);
        for (solid, motion) in shown {
            if let Err(Full) = fits {
                return Ok(None);
            }
            fits = packer.push(motion.advance(&solid.positions(frame)?, &[], limit));
        }
    }
    Ok(fits.and_then(|()| packer.finish()).ok())
}
