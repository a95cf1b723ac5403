//! Files of pictures: PNG, GIF, and MP4 through `ffmpeg`.
//!
//! A file appears under its name only when it is whole: it is written beside, and renamed at the end.

mod beside;
mod error;
mod gif;
mod png;
mod video;

pub use beside::unfinished_path;
pub use error::EncodeError;
pub use gif::GifWriter;
pub use png::{png_bytes, write_png};
pub use video::VideoWriter;

use crate::Picture;

/// Takes the frames of an animation one by one. Dropped before its end, it leaves no file.
pub trait AnimationWriter {
    /// Adds a frame; all have one size.
    fn add(&mut self, frame: &Picture) -> Result<(), EncodeError>;

    /// Ends the animation and gives the file its name.
    fn finish(self: Box<Self>) -> Result<(), EncodeError>;
}

/// The size that all frames of an animation have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FrameSize {
    width: u32,
    height: u32,
}

impl FrameSize {
    /// The size of a picture that has pixels, and as many as it says.
    fn of(picture: &Picture) -> Result<Self, EncodeError> {
        let Picture { width, height, ref pixels } = *picture;
        if pixels.is_empty() || pixels.len() as u64 != u64::from(width) * u64::from(height) {
            return Err(EncodeError::BadPicture { width, height, pixels: pixels.len() });
        }
        Ok(Self { width, height })
    }

    fn check(self, frame: &Picture) -> Result<(), EncodeError> {
        let Self { width, height } = Self::of(frame)?;
        if (width, height) == (self.width, self.height) {
            return Ok(());
        }
        Err(EncodeError::UnequalSizes { width, height, first_width: self.width, first_height: self.height })
    }
}

fn check_rate(frames_per_second: f64) -> Result<(), EncodeError> {
    if (1e-3..=1e4).contains(&frames_per_second) { Ok(()) } else { Err(EncodeError::BadRate(frames_per_second)) }
}
