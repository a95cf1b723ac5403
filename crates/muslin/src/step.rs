//! Placeholder.
/// Placeholder.
#[derive(Debug)]
pub struct Stepper;
