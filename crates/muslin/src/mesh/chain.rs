//! Placeholder.
/// Placeholder.
#[derive(Debug)]
pub struct ChainSpec;
