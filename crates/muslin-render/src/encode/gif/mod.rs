//! Animated GIFs: one palette for all frames, dithering that does not flicker, and only what changed is stored.

mod dither;
mod palette;
mod timing;

use std::{fs::File, io::BufWriter, path::Path};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::{AnimationWriter, EncodeError, FrameSize, beside::Beside};
use crate::Picture;
use dither::Dither;
use timing::Clock;

/// Palette number of pixels that are as before.
const AS_BEFORE: u8 = palette::COLOURS as u8;

/// Writes an animated GIF that loops, frame by frame.
pub struct GifWriter {
    size: FrameSize,
    encoder: Encoder<BufWriter<File>>,
    beside: Beside,
    dither: Dither,
    clock: Clock,
    /// What is shown, in palette numbers.
    shown: Vec<u8>,
    /// The frame that is shown; how long is known only when the next comes.
    waiting: Option<Patch>,
}

/// What changes in a frame.
#[derive(Debug)]
struct Patch {
    left: u16,
    top: u16,
    width: u16,
    height: u16,
    numbers: Vec<u8>,
    /// Hundredths of a second.
    delay: u64,
}

impl GifWriter {
    /// Begins a GIF of the size of the samples, from which the palette is made: a few frames from all of the animation,
    /// the first and the last among them. More than 50 frames a second cannot be stored: some are left out.
    pub fn new(path: &Path, frames_per_second: f64, samples: &[Picture]) -> Result<Self, EncodeError> {
        super::check_rate(frames_per_second)?;
        let first = samples.first().ok_or(EncodeError::NoFrames)?;
        let size = FrameSize::of(first)?;
        let (Ok(width), Ok(height)) = (u16::try_from(size.width), u16::try_from(size.height)) else {
            return Err(EncodeError::TooLargeForGif { width: size.width, height: size.height });
        };
        for sample in samples {
            size.check(sample)?;
        }
        let mut palette = palette::palette(samples);
        let mut stored = palette.clone();
        // The number that means "as before" is the last of 256; what lies between is never used.
        stored.resize(palette::COLOURS + 1, [0; 3]);
        palette.truncate(palette::COLOURS);
        let beside = Beside::new(path);
        let file = BufWriter::new(beside.create()?);
        let mut encoder =
            Encoder::new(file, width, height, stored.as_flattened()).map_err(|error| gif_error(&beside, error))?;
        encoder.set_repeat(Repeat::Infinite).map_err(|error| gif_error(&beside, error))?;
        let dither = Dither::new(palette);
        Ok(Self {
            size,
            encoder,
            beside,
            dither,
            clock: Clock::new(frames_per_second),
            shown: Vec::new(),
            waiting: None,
        })
    }

    fn write_waiting(&mut self) -> Result<(), EncodeError> {
        let Some(patch) = self.waiting.take() else { return Ok(()) };
        let frame = Frame {
            delay: u16::try_from(patch.delay).unwrap_or(u16::MAX),
            dispose: DisposalMethod::Keep,
            transparent: Some(AS_BEFORE),
            left: patch.left,
            top: patch.top,
            width: patch.width,
            height: patch.height,
            buffer: patch.numbers.into(),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(|error| gif_error(&self.beside, error))
    }
}

impl AnimationWriter for GifWriter {
    fn add(&mut self, frame: &Picture) -> Result<(), EncodeError> {
        self.size.check(frame)?;
        let Some(elapsed) = self.clock.next() else { return Ok(()) };
        if let Some(waiting) = &mut self.waiting {
            waiting.delay += elapsed;
        }
        let numbers = self.dither.numbers(frame);
        if let Some(patch) = changed(&self.shown, &numbers, frame.width as usize) {
            self.write_waiting()?;
            self.waiting = Some(patch);
            self.shown = numbers;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), EncodeError> {
        let last = self.clock.last();
        let waiting = self.waiting.as_mut().ok_or(EncodeError::NoFrames)?;
        waiting.delay += last;
        self.write_waiting()?;
        let Self { encoder, beside, .. } = *self;
        let buffer = encoder.into_inner().map_err(|error| gif_error(&beside, error))?;
        buffer.into_inner().map_err(|error| beside.error(error.into_error()))?;
        beside.finish()
    }
}

/// The smallest rectangle that holds all changes, with what is as before marked so; none if nothing changed. Before the
/// first frame nothing is shown, and all is new.
fn changed(before: &[u8], after: &[u8], width: usize) -> Option<Patch> {
    if before.is_empty() {
        let height = after.len() / width;
        let (width, height) = (width as u16, height as u16);
        return Some(Patch { left: 0, top: 0, width, height, numbers: after.to_vec(), delay: 0 });
    }
    let differs = |index: &usize| before[*index] != after[*index];
    let (first, last) = ((0..after.len()).find(differs)?, (0..after.len()).rfind(differs)?);
    let (top, bottom) = (first / width, last / width);
    let changed_columns = || (first..=last).filter(differs).map(|index| index % width);
    let (left, right) = (changed_columns().min()?, changed_columns().max()?);
    let rows = top..=bottom;
    let numbers = rows.flat_map(|row| row * width + left..=row * width + right);
    Some(Patch {
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        numbers: numbers.map(|index| if before[index] == after[index] { AS_BEFORE } else { after[index] }).collect(),
        delay: 0,
    })
}

fn gif_error(beside: &Beside, error: EncodingError) -> EncodeError {
    beside.error(match error {
        EncodingError::Io(error) => error,
        other => std::io::Error::other(other),
    })
}

#[cfg(test)]
mod tests;
