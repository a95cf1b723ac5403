//! What is made of a film: stills, strips, and the pictures of an animation, with the legend of their colours.

use glam::IVec2;

use crate::camera::Camera;
use crate::film::{Colours, Film, FilmError};
use crate::frame::BACKGROUND;
use crate::frames::spread;
use crate::legend::{Legend, LegendPlace};
use crate::paint::paste;
use crate::picture::Picture;
use crate::scale::ContactScale;
use crate::strip::{StripCell, StripStyle, balanced_columns, check_size, strip};

/// Width of a whole strip that is aimed at \[px\], and bounds for one of its frames.
const STRIP_WIDTH: u32 = 2400;
const STRIP_FRAME: [u32; 2] = [240, 640];

/// Width and height of a picture \[px\].
pub type Size = [u32; 2];

impl Film {
    /// One frame, as near as all of it is in the picture.
    pub fn still(&mut self, frame: u64, size: Size) -> Result<Picture, FilmError> {
        let camera = self.explained_camera(&[frame], size)?;
        self.explained(frame, camera, size)
    }

    /// So many frames from the first to the last, side by side and seen from the same place, each with its time.
    /// Without a size they are as wide as a strip for a paper has room for, and as high as their motion needs.
    pub fn strip(&mut self, count: u32, size: Option<Size>) -> Result<Picture, FilmError> {
        let frames = spread(self.last_frame(), count as usize);
        let (camera, aspect) = self.camera(&frames, size.map(aspect))?;
        let [width, height] = size.unwrap_or_else(|| {
            let width = (STRIP_WIDTH / balanced_columns(frames.len() as u32)).clamp(STRIP_FRAME[0], STRIP_FRAME[1]);
            [width, (width as f32 / aspect).round() as u32]
        });
        let style = StripStyle { columns: None, background: BACKGROUND, legend: self.legend() };
        check_size(frames.len() as u32, [width, height], &style)?;
        let cells = frames.iter().map(|&frame| {
            let picture = self.picture(frame, camera, width, height)?;
            Ok(StripCell { picture, caption: format!("{:.2} s", self.time(frame)) })
        });
        let cells = cells.collect::<Result<Vec<_>, FilmError>>()?;
        Ok(strip(&cells, &style)?)
    }

    /// The pictures of some frames, one after the other, all seen from the same place.
    pub fn animation(&mut self, frames: &[u64], size: Size) -> Result<Animation<'_>, FilmError> {
        let camera = self.explained_camera(frames, size)?;
        Ok(Animation { film: self, frames: frames.to_vec(), next: 0, camera, size })
    }

    /// A camera for pictures that keep some room below for the legend.
    fn explained_camera(&mut self, frames: &[u64], size: Size) -> Result<Camera, FilmError> {
        let (camera, _) = self.camera(frames, Some(aspect(self.without_legend(size))))?;
        Ok(camera)
    }

    /// What is left of a picture for the cloth.
    fn without_legend(&self, [width, height]: Size) -> Size {
        let room = self.legend().and_then(|_| Legend::room_in(width, height)).unwrap_or(0);
        [width, height - room]
    }

    fn explained(&mut self, frame: u64, camera: Camera, size: Size) -> Result<Picture, FilmError> {
        let [width, height] = self.without_legend(size);
        let picture = self.picture(frame, camera, width, height)?;
        let Some(legend) = self.legend().filter(|_| height < size[1]) else { return Ok(picture) };
        let mut whole = Picture::filled(size[0], size[1], BACKGROUND);
        paste(&mut whole, IVec2::ZERO, &picture);
        legend.draw(&mut whole, LegendPlace::default());
        Ok(whole)
    }

    /// What the colours mean, if that has to be said.
    pub fn legend(&self) -> Option<Legend> {
        match self.colours() {
            Colours::Material => None,
            Colours::Strain => Some(Legend::Strain { limit: self.limit() }),
            Colours::Contact => Some(Legend::Contact(ContactScale::new(crate::film::FAR))),
        }
    }
}

fn aspect([width, height]: Size) -> f32 {
    width as f32 / height as f32
}

/// Pictures that are made one at a time.
#[derive(Debug)]
pub struct Animation<'a> {
    film: &'a mut Film,
    frames: Vec<u64>,
    next: usize,
    camera: Camera,
    size: Size,
}

impl Iterator for Animation<'_> {
    type Item = Result<Picture, FilmError>;

    fn next(&mut self) -> Option<Self::Item> {
        let frame = *self.frames.get(self.next)?;
        self.next += 1;
        Some(self.film.explained(frame, self.camera, self.size))
    }
}
