//! Materials in physical terms.

use serde::{Deserialize, Serialize};

/// Frequency at which damping ratios are stated [Hz]. A mode of frequency f is damped at f / 10 Hz times the ratio,
/// which does not depend on the mesh.
pub const DAMPING_FREQUENCY: f64 = 10.0;

/// A fabric, independent of any mesh.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Mass per area [kg/m²].
    pub density: f64,
    /// Membrane stiffness along the warp [N/m]: force per width that doubles the length, were it linear so far.
    pub stretch_warp: f64,
    /// Membrane stiffness along the weft [N/m].
    pub stretch_weft: f64,
    /// Shear stiffness [N/m]: force per width and radian.
    pub shear: f64,
    /// Bending rigidity [N·m]: moment per width and curvature.
    pub bending: f64,
    /// Damping of each kind of deformation.
    pub damping: Damping,
    /// Pressure drag of the surface: coefficient C_n of ½ ρ C_n v² across the cloth [1].
    pub drag: f64,
    /// Skin friction of the air: coefficient C_t of ½ ρ C_t v² along the cloth, both sides together [1].
    pub skin_drag: f64,
}

/// Damping, as ratios of critical at [`DAMPING_FREQUENCY`] but for `mass`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Damping {
    /// Of stretch.
    pub stretch: f64,
    /// Of shear.
    pub shear: f64,
    /// Of bending.
    pub bending: f64,
    /// Mass-proportional rate [1/s]: dissipates all motion, rigid motion too.
    pub mass: f64,
}

impl Damping {
    /// Stiffness-proportional damping time β [s] of a ratio ζ: k_d = β k, with ζ = ½ β ω at the reference frequency.
    pub fn time(ratio: f64) -> f64 {
        ratio / (std::f64::consts::PI * DAMPING_FREQUENCY)
    }
}
