//! Pictures of cloth, made on the CPU: no display, no graphics driver, the same bits for any number of threads.

mod colour;
mod encode;
mod legend;
mod paint;
mod picture;
mod scale;
mod strip;
mod subdivide;
mod text;

pub use colour::{linear_from_srgb, srgb_from_linear};
pub use encode::{AnimationWriter, EncodeError, GifWriter, VideoWriter, png_bytes, write_png};
pub use legend::{Legend, LegendPlace};
pub use picture::Picture;
pub use scale::{ContactScale, StrainScale};
pub use strip::{StripCell, StripError, StripStyle, strip};
pub use subdivide::{MOST_TRIANGLES, Subdivision, SubdivisionError};
pub use text::{Anchor, TextStyle, Weight, draw_text, text_width};
