//! The header: what the player has to know before it unpacks anything.

use glam::DVec3;
use serde::Serialize;

use super::CameraView;
use super::choose::Choice;
use super::shape::Shape;
use super::survey::{Bounds, Survey};
use crate::error::RecordError;
use crate::folder::names;
use crate::playback::{PinnedVertices, Playback, PlayedCloth, PlayedSolid};
use crate::report::Report;

/// Rises whenever the layout of header or bytes changes.
pub(super) const FORMAT: u32 = 1;

/// The header. Lengths in metres, times in seconds.
#[derive(Debug, Serialize)]
pub(super) struct Header<'a> {
    format: u32,
    scene: &'a str,
    /// Length of a frame.
    frame_s: f64,
    /// Of the run; it may not be the number of frames stored.
    last_frame: u64,
    /// The run's frames that are stored.
    frames: Vec<u64>,
    /// What was left out, in words.
    thinned: Option<String>,
    strain_limit: f64,
    camera: Option<&'a CameraView>,
    ground_y: Option<f64>,
    cloths: Vec<Cloth<'a>>,
    colliders: Vec<Solid<'a>>,
    worst: Option<Worst>,
}

#[derive(Debug, Serialize)]
struct Cloth<'a> {
    name: &'a str,
    vertices: usize,
    triangles: usize,
    lines: usize,
    display_vertices: usize,
    coords: bool,
    pinned: Vec<Pinned<'a>>,
    #[serde(rename = "box")]
    bounds: Box,
}

#[derive(Debug, Serialize)]
struct Solid<'a> {
    name: &'a str,
    vertices: usize,
    triangles: usize,
    moves: bool,
    /// What it is to the picture.
    part: Part,
    #[serde(rename = "box")]
    bounds: Box,
}

/// What a solid is to the picture.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Part {
    /// A thing.
    Thing,
    /// The level plane that is the floor at `ground_y`: drawn as such, not by its square.
    Floor,
    /// Another plane: its square is drawn, but the picture need not hold all of it.
    Plane,
}

/// Vertices that are pinned until the frame in which they are free.
#[derive(Debug, Serialize)]
struct Pinned<'a> {
    vertices: &'a [u32],
    until_frame: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Box {
    min: DVec3,
    size: DVec3,
}

/// The edge of greatest strain, and when it has it.
#[derive(Debug, Serialize)]
struct Worst {
    frame: u64,
    cloth: usize,
    vertices: [u32; 2],
    strain: f64,
}

impl<'a> Header<'a> {
    pub(super) fn new(
        playback: &'a Playback,
        report: &'a Report,
        camera: Option<&'a CameraView>,
        choice: &Choice,
        survey: &Survey,
        shapes: &[Shape],
    ) -> Self {
        let parts = playback.cloths.iter().zip(shapes).zip(&survey.boxes);
        Self {
            format: FORMAT,
            scene: &report.scene,
            frame_s: playback.frame_s,
            last_frame: playback.last_frame,
            frames: choice.frames(),
            thinned: choice.thinned(),
            strain_limit: playback.limit,
            camera,
            ground_y: survey.ground_y,
            cloths: parts.map(|((cloth, shape), bounds)| part(cloth, shape, bounds, playback.frame_s)).collect(),
            colliders: solids(playback, survey),
            worst: worst(playback, report),
        }
    }

    /// As JSON in which no `<` is left: inside a script element nothing else can end it or begin another.
    pub(super) fn to_script(&self) -> Result<String, RecordError> {
        let text = serde_json::to_string(self)
            .map_err(|error| RecordError::Encode { name: names::PAGE, problem: error.to_string() })?;
        Ok(text.replace('<', "\\u003c"))
    }
}

fn part<'a>(cloth: &'a PlayedCloth, shape: &Shape, bounds: &Bounds, frame_s: f64) -> Cloth<'a> {
    let pinned =
        |pin: &'a PinnedVertices| Pinned { vertices: &pin.vertices, until_frame: pin.free_from_frame(frame_s) };
    Cloth {
        name: &cloth.name,
        vertices: shape.vertices,
        triangles: shape.triangles.len(),
        lines: shape.lines.len(),
        display_vertices: shape.display_vertices(),
        coords: shape.has_coords(),
        pinned: cloth.pinned.iter().map(pinned).collect(),
        bounds: Box { min: bounds.min, size: bounds.size() },
    }
}

fn solids<'a>(playback: &'a Playback, survey: &Survey) -> Vec<Solid<'a>> {
    let parts = playback.solids.iter().zip(&survey.solid_boxes).enumerate();
    let solid = |(index, (solid, bounds)): (usize, (&'a PlayedSolid, &Bounds))| Solid {
        name: &solid.name,
        vertices: solid.start().len(),
        triangles: solid.triangles.len(),
        moves: solid.moves,
        part: match solid.is_plane {
            false => Part::Thing,
            true if survey.floor == Some(index) => Part::Floor,
            true => Part::Plane,
        },
        bounds: Box { min: bounds.min, size: bounds.size() },
    };
    parts.map(solid).collect()
}

fn worst(playback: &Playback, report: &Report) -> Option<Worst> {
    let strain = &report.strain;
    let edge = strain.worst_edge.as_ref()?;
    let cloth = playback.cloths.iter().position(|cloth| cloth.name == edge.cloth)?;
    Some(Worst { frame: strain.worst_frame, cloth, vertices: edge.vertices, strain: strain.worst })
}
