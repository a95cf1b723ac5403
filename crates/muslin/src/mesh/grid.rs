//! Placeholder.
/// Placeholder.
#[derive(Debug)]
pub struct GridSpec;
