//! Pictures of cloth, made on the CPU: no display, no graphics driver, the same bits for any number of threads.

pub mod camera;
mod floor;
mod frame;
mod light;
mod picture;
mod raster;
mod shade;
pub mod srgb;
pub mod stage;

pub use camera::Camera;
pub use frame::{BACKGROUND, draw};
pub use picture::Picture;
pub use stage::{Look, Paint, Stage, Surface};
