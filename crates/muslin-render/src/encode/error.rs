//! What can go wrong when pictures become files.

use std::{io, path::PathBuf};

use thiserror::Error;

/// Why a file was not made.
#[derive(Debug, Error)]
pub enum EncodeError {
    /// The file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A picture without pixels, or with a number of them that is not its width times its height.
    #[error("a picture of {width} × {height} with {pixels} pixels cannot be stored")]
    BadPicture {
        /// Its width \[px\].
        width: u32,
        /// Its height \[px\].
        height: u32,
        /// How many pixels it has.
        pixels: usize,
    },
    /// An animation of nothing.
    #[error("an animation needs at least one frame")]
    NoFrames,
    /// Frames of an animation have one size.
    #[error("a frame is {width} × {height}, but the animation is {first_width} × {first_height}")]
    UnequalSizes {
        /// Width of the frame \[px\].
        width: u32,
        /// Height of the frame \[px\].
        height: u32,
        /// Width of the animation \[px\].
        first_width: u32,
        /// Height of the animation \[px\].
        first_height: u32,
    },
    /// Not a rate that can be played.
    #[error("{0} frames per second cannot be played: use 0.001 to 10000")]
    BadRate(f64),
    /// GIF stores sizes in 16 bits.
    #[error("a GIF cannot be {width} × {height}: the most is 65535 × 65535")]
    TooLargeForGif {
        /// Its width \[px\].
        width: u32,
        /// Its height \[px\].
        height: u32,
    },
    /// The program that makes videos is not there.
    #[error("{} was not found, and MP4 files need it: install ffmpeg, or use --gif or --png", program.display())]
    FfmpegNotFound {
        /// The program that was looked for.
        program: PathBuf,
    },
    /// The program that makes videos is there but does not run.
    #[error("{} does not run: {source}", program.display())]
    FfmpegNotStarted {
        /// The program.
        program: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The program that makes videos gave up.
    #[error("{} failed ({status}): {}", program.display(), if said.is_empty() { "it gave no reason" } else { said })]
    FfmpegFailed {
        /// The program.
        program: PathBuf,
        /// How it ended.
        status: String,
        /// The last lines of what it said.
        said: String,
    },
}
