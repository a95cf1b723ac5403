//! Placeholder.
/// Placeholder.
#[derive(Debug)]
pub struct BlockSpec;
