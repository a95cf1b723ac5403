//! Solid meshes that are made, not read.

mod torus_knot;

pub use torus_knot::TorusKnotSpec;
