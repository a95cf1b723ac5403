//! Colour scales: strain against its limit, and the gap between surfaces in contact.
//!
//! The colours are data (JSON), so that the player in the browser shows the very same ones.

mod contact;
mod ramp;
mod strain;
#[cfg(test)]
mod vision;

pub use contact::ContactScale;
pub use strain::StrainScale;
