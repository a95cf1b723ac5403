//! Pictures of cloth, made on the CPU: no display, no graphics driver, the same bits for any number of threads.

pub mod camera;
mod colour;
mod contact;
mod encode;
mod film;
mod floor;
mod frame;
mod legend;
mod light;
mod paint;
mod picture;
mod raster;
mod reel;
mod scale;
mod shade;
mod sky;
mod solids;
pub mod stage;
mod strip;
mod subdivide;
mod text;
mod wardrobe;

pub use camera::Camera;
pub use colour::{linear_from_srgb, srgb_from_linear};
pub use encode::{AnimationWriter, EncodeError, GifWriter, VideoWriter, png_bytes, write_png};
pub use film::{Colours, Film, FilmError, FilmOptions, spread};
pub use frame::{BACKGROUND, draw};
pub use legend::{Legend, LegendPlace};
pub use picture::Picture;
pub use reel::{Animation, Size};
pub use scale::{ContactScale, StrainScale};
pub use stage::{Look, Paint, Stage, Surface};
pub use strip::{StripCell, StripError, StripStyle, strip};
pub use subdivide::{MOST_TRIANGLES, Subdivision, SubdivisionError};
pub use text::{Anchor, TextStyle, Weight, draw_text, text_width};
