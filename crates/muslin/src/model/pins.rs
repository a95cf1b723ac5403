//! Pins: what holds or guides particles, and until when.

use glam::DVec3;

use super::motion::Motion;

/// Something that takes freedom from particles.
#[derive(Debug, Clone, PartialEq)]
pub struct Pin {
    /// The particles it holds.
    pub particles: Vec<u32>,
    /// Which freedom it takes.
    pub hold: Hold,
    /// From this time on it holds no more [s].
    pub release: Option<f64>,
}

/// Which freedom a pin takes (the filter matrices C of METHODS §2).
#[derive(Debug, Clone, PartialEq)]
pub enum Hold {
    /// All of it: the particle goes where the motion takes its start position. C = 0.
    Fixed(Motion),
    /// Motion along the normal `p`: the particle stays in its plane. C = I - p pᵀ.
    Plane(DVec3),
    /// All but motion along the direction `n`: the particle stays on its line. C = n nᵀ.
    Line(DVec3),
}
