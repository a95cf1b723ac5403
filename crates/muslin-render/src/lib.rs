//! Pictures of cloth, made on the CPU: no display, no graphics driver, the same bits for any number of threads.

mod picture;

pub use picture::Picture;
