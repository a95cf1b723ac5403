//! Placeholder.
/// Placeholder.
#[derive(Debug)]
pub struct DiscSpec;
