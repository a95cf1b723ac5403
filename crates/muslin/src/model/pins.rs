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

/// Which freedom a pin takes (the filter matrices C of [Ye08], see `docs/methods/integrators.md`).
#[derive(Debug, Clone, PartialEq)]
pub enum Hold {
    /// All of it: the particle goes where the motion takes its start position. C = 0.
    Fixed(Motion),
    /// Motion along the normal `p`: the particle stays in its plane. C = I - p pᵀ.
    Plane(DVec3),
    /// All but motion along the direction `n`: the particle stays on its line. C = n nᵀ.
    Line(DVec3),
}

impl Pin {
    /// A step that ends no later than this after a pin's release still belongs to the pin: times are sums of steps [s].
    const RELEASE_SLACK: f64 = 1e-9;

    /// When it has let go, for a step that ends at `end_time` [s]; none: it still holds. A pin released at a time holds
    /// through the step that ends there.
    pub(crate) fn released_by(&self, end_time: f64) -> Option<f64> {
        self.release.filter(|release| end_time > release + Self::RELEASE_SLACK)
    }
}
