//! Placeholder.
/// Placeholder.
#[derive(Debug)]
pub struct IrregularSpec;
