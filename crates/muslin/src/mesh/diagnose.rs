//! Placeholder.
/// Placeholder.
#[derive(Debug)]
pub struct Diagnosis;
/// Placeholder.
#[derive(Debug)]
pub struct Finding;
/// Placeholder.
#[derive(Debug)]
pub struct FindingKind;
