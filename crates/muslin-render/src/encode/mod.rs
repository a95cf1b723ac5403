//! Files of pictures: PNG, GIF, and MP4 through `ffmpeg`.
//!
//! A file appears under its name only when it is whole: it is written beside, and renamed at the end.

mod beside;
mod png;

use std::{io, path::PathBuf};

use thiserror::Error;

pub use png::{png_bytes, write_png};

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
}
