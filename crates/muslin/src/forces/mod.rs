//! Forces.
/// Placeholder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring;
/// Placeholder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChoiKo;
/// Placeholder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner;
/// Placeholder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hinge;
/// Placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Air;
