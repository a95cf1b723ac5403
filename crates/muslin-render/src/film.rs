//! Pictures of a recorded run: its frames as stages, with a camera that shows all that happens in them.

mod colours;

use std::sync::Arc;

use glam::Vec3;
use muslin_record::RecordError;
use muslin_record::playback::{Ground, PinnedVertices, Playback, PlayedCloth};

use crate::actor::Actor;
use crate::camera::{self, Camera};
use crate::frame::draw;
use crate::frames::{
    MOST_LOOKED_AT, extent, framed_solids, looked_at, positions, solid_positions, solids_looked_at, spread,
};
use crate::picture::Picture;
use crate::prop::Prop;
use crate::scale::{ContactScale, StrainScale};
use crate::solids::Solids;
use crate::stage::{Paint, Stage, Surface};
use crate::strip::StripError;
use crate::subdivide::SubdivisionError;
use crate::wardrobe;

/// The floor lies below the lowest point by this fraction of the run's greatest extent.
const FLOOR_BELOW: f32 = 0.06;
/// Radius of a pin and of a chain, as a fraction of the greatest extent that there is to see.
const PIN: f32 = 0.007;
const CHAIN: f32 = 0.004;
/// Radius of a chain's joint, as a fraction of the chain's: smaller than a pin.
const JOINT: f32 = 1.5;
/// Beyond this many times the extent of the start a run has blown up, and pins need not be seen from where all
/// of it is.
const THROWN: f32 = 10.0;
/// Greatest radius of a pin whose neighbour is pinned too, as a fraction of their distance.
const PIN_TO_EDGE: f32 = 0.2;
/// Gaps from here on are far [m].
pub(crate) const FAR: f32 = 0.02;

/// What colours show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colours {
    /// The material.
    #[default]
    Material,
    /// The strain of the edges, against the limit.
    Strain,
    /// The gap to the nearest solid or other cloth, or to the cloth itself where it is folded.
    Contact,
}

/// How a run is to be shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct FilmOptions {
    /// What colours show.
    pub colours: Colours,
    /// Levels of Loop subdivision: 0 shows the mesh that was simulated.
    pub subdivide: u32,
    /// Where to look from; none: where the most is seen, as near as all of it is in the picture.
    pub camera: Option<Camera>,
}

/// Why a run cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// Its caches cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Subdivision would not end well.
    #[error("cloth `{cloth}`: {problem}")]
    Subdivision {
        /// The cloth.
        cloth: String,
        /// Why.
        problem: SubdivisionError,
    },
    /// A cache holds what is no place.
    #[error("{what} has positions in frame {frame} that are not finite: its cache is damaged")]
    NotFinite {
        /// The cloth or collider.
        what: String,
        /// The frame.
        frame: u64,
    },
    /// The pictures make no strip.
    #[error(transparent)]
    Strip(#[from] StripError),
    /// The run has no such frame.
    #[error("there is no frame {frame}: the last one is {last}")]
    NoSuchFrame {
        /// The frame asked for.
        frame: u64,
        /// The last frame there is.
        last: u64,
    },
}

/// A recorded run, ready for pictures.
#[derive(Debug)]
pub struct Film {
    playback: Playback,
    actors: Vec<Actor>,
    /// The solids.
    props: Vec<Prop>,
    /// For each solid, whether pictures have to hold it.
    framed: Vec<bool>,
    options: FilmOptions,
    /// Height of the floor [m]; none where a plane that is not level takes its place.
    floor: Option<f32>,
    /// The solid that is the floor: it is not drawn again.
    level: Option<usize>,
    /// Where to look, when that is for the camera to choose: the same for all pictures of a run.
    direction: Vec3,
    /// The greatest extent that there is to see [m].
    extent: f32,
    strain_table: Arc<[Vec3; 256]>,
    contact_table: Arc<[Vec3; 256]>,
}

impl Film {
    /// Makes a run ready for pictures.
    pub fn new(mut playback: Playback, options: FilmOptions) -> Result<Self, FilmError> {
        let actors =
            playback.cloths.iter().map(|cloth| Actor::of(cloth, options.subdivide)).collect::<Result<_, _>>()?;
        let frames = spread(playback.last_frame, MOST_LOOKED_AT);
        let (mut points, areas) = looked_at(&mut playback, &frames)?;
        let cloths = extent(&points);
        let framed = framed_solids(&mut playback, cloths)?;
        points.extend(solids_looked_at(&mut playback, &framed, &frames)?);
        let run = extent(&points);
        let start = extent(&positions(&mut playback, 0)?.concat());
        let [run_extent, start_extent] = [run, start].map(|[low, high]| (high - low).max_element().max(1e-3));
        let (floor, level) = match playback.ground() {
            Ground::Plane { solid, height } => (Some(height as f32), Some(solid)),
            Ground::Sloped => (None, None),
            // Solids stand on the floor.
            Ground::Open if run[0].y < cloths[0].y => (Some(run[0].y), None),
            Ground::Open => (Some(run[0].y - FLOOR_BELOW * run_extent), None),
        };
        Ok(Self {
            props: playback.solids.iter().map(|solid| Prop::of(solid, run)).collect(),
            playback,
            actors,
            framed,
            options,
            floor,
            level,
            direction: camera::best_direction(&areas),
            extent: run_extent.min(THROWN * start_extent),
            strain_table: Arc::new(StrainScale::embedded().linear_table()),
            contact_table: Arc::new(ContactScale::new(FAR).linear_table()),
        })
    }

    /// The last frame; frame 0 is the start.
    pub fn last_frame(&self) -> u64 {
        self.playback.last_frame
    }

    /// The time of a frame since the start [s].
    pub fn time(&self, frame: u64) -> f64 {
        frame as f64 * self.playback.frame_s
    }

    /// Length of a frame [s].
    pub fn frame_length(&self) -> f64 {
        self.playback.frame_s
    }

    /// Greatest strain that the run allows.
    pub fn limit(&self) -> f64 {
        self.playback.limit
    }

    /// False when the camera that was given does not look at anything of these frames.
    pub fn is_in_view(&mut self, frames: &[u64]) -> Result<bool, FilmError> {
        let Some(camera) = self.options.camera else { return Ok(true) };
        let (points, _) = looked_at(&mut self.playback, frames)?;
        // A square is wide enough for the question.
        let lens = camera.lens(1000, 1000);
        let is_seen = |point: &Vec3| {
            let seen = lens.seen(*point);
            seen.z > 0.0 && (lens.project(seen) - 500.0).abs().max_element() < 1000.0
        };
        Ok(points.iter().any(is_seen))
    }

    /// What colours show.
    pub fn colours(&self) -> Colours {
        self.options.colours
    }

    /// A camera for a picture, or several alike, of these frames. `aspect` is width over height; none leaves it to what
    /// is shown, between portrait and landscape. Gives back the aspect too.
    pub fn camera(&mut self, frames: &[u64], aspect: Option<f32>) -> Result<(Camera, f32), FilmError> {
        const SQUARISH: [f32; 2] = [0.7, 1.6];
        if let Some(camera) = self.options.camera {
            return Ok((camera, aspect.unwrap_or(4.0 / 3.0)));
        }
        let (mut points, _) = looked_at(&mut self.playback, frames)?;
        points.extend(solids_looked_at(&mut self.playback, &self.framed, frames)?);
        let direction = self.direction;
        let natural = camera::natural_aspect(&points, direction).clamp(SQUARISH[0], SQUARISH[1]);
        let aspect = aspect.unwrap_or(natural);
        Ok((Camera::framing(&points, direction, aspect, camera::FIELD_OF_VIEW), aspect))
    }

    /// The picture of a frame.
    pub fn picture(&mut self, frame: u64, camera: Camera, width: u32, height: u32) -> Result<Picture, FilmError> {
        let surfaces = self.surfaces(frame)?;
        Ok(draw(&Stage { surfaces, floor: self.floor, camera }, width, height))
    }

    fn surfaces(&mut self, frame: u64) -> Result<Vec<Surface>, FilmError> {
        let positions = positions(&mut self.playback, frame)?;
        let paints = self.paints(&positions, frame)?;
        let mut surfaces = Vec::new();
        let (mut pins, mut chains) = (Solids::default(), Solids::default());
        for (index, (cloth, positions)) in self.playback.cloths.iter().zip(&positions).enumerate() {
            if !cloth.triangles.is_empty() {
                surfaces.push(self.actors[index].surface(positions, paints[index].clone(), index));
            }
            self.add_chain(&mut chains, cloth, positions, paints[index].as_ref());
            self.add_pins(&mut pins, index, positions, frame);
        }
        surfaces.extend(chains.surface(wardrobe::chain(), self.table()));
        surfaces.extend(pins.surface(wardrobe::pin(), None));
        for (index, (solid, prop)) in self.playback.solids.iter_mut().zip(&self.props).enumerate() {
            if self.level != Some(index) && !solid.triangles.is_empty() {
                surfaces.push(prop.surface(&solid_positions(solid, frame)?));
            }
        }
        Ok(surfaces)
    }

    fn add_chain(&self, chains: &mut Solids, cloth: &PlayedCloth, positions: &[Vec3], paint: Option<&Paint>) {
        let radius = CHAIN * self.extent;
        let code = |vertex: u32| paint.map_or(0.0, |paint| paint.codes[vertex as usize]);
        let place = |vertex: u32| positions[vertex as usize];
        for &[a, b] in &cloth.lines {
            // A vertex shows the worst of its edges: the lower of two ends is the nearer to what the edge has.
            chains.tube(place(a), place(b), radius, code(a).min(code(b)));
        }
        let joints = if cloth.lines.is_empty() { 0 } else { positions.len() as u32 };
        for joint in 0..joints {
            chains.ball(place(joint), JOINT * radius, code(joint));
        }
    }

    /// The colours of the numbers that are shown, if any.
    fn table(&self) -> Option<Arc<[Vec3; 256]>> {
        match self.options.colours {
            Colours::Material => None,
            Colours::Strain => Some(self.strain_table.clone()),
            Colours::Contact => Some(self.contact_table.clone()),
        }
    }

    /// A ball for every vertex that is pinned. Where neighbours are pinned too, balls are small enough to lie side by
    /// side.
    fn add_pins(&self, pins: &mut Solids, index: usize, positions: &[Vec3], frame: u64) {
        let cloth = &self.playback.cloths[index];
        let mut radius = vec![0.0_f32; positions.len()];
        for pinned in cloth.pinned.iter().filter(|pinned| self.is_pinned(pinned, frame)) {
            pinned.vertices.iter().for_each(|&vertex| radius[vertex as usize] = PIN * self.extent);
        }
        for edge in &cloth.edges {
            let [a, b] = edge.vertices.map(|vertex| vertex as usize);
            if radius[a] > 0.0 && radius[b] > 0.0 {
                let most = PIN_TO_EDGE * edge.rest as f32;
                (radius[a], radius[b]) = (radius[a].min(most), radius[b].min(most));
            }
        }
        for (&position, &radius) in positions.iter().zip(&radius).filter(|(_, radius)| **radius > 0.0) {
            pins.ball(position, radius, 0.0);
        }
    }

    fn is_pinned(&self, pinned: &PinnedVertices, frame: u64) -> bool {
        pinned.free_from_frame(self.playback.frame_s).is_none_or(|free| frame < free)
    }
}
