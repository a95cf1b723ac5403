//! Pictures of cloth, made on the CPU: no display, no graphics driver, the same bits for any number of threads.

pub mod camera;
mod colour;
mod contact;
mod film;
mod floor;
mod frame;
mod light;
mod picture;
mod raster;
mod scale;
mod shade;
mod solids;
pub mod stage;
mod subdivide;
mod text;
mod wardrobe;

pub use camera::Camera;
pub use colour::{linear_from_srgb, srgb_from_linear};
pub use film::{Colours, Film, FilmError, FilmOptions, spread};
pub use frame::{BACKGROUND, draw};
pub use picture::Picture;
pub use scale::{ContactScale, StrainScale};
pub use stage::{Look, Paint, Stage, Surface};
pub use subdivide::{MOST_TRIANGLES, Subdivision, SubdivisionError};
pub use text::{Anchor, TextStyle, Weight, draw_text, text_width};
