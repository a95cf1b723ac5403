//! Putting a model together.
