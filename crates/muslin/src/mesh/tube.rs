//! Placeholder.
/// Placeholder.
#[derive(Debug)]
pub struct TubeSpec;
