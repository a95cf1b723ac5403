//! Material presets. Every figure says where it comes from: measured, with the source, or chosen, with the reason.
//!
//! Units as in [`Material`]; damping ratios are stated at
//! [`DAMPING_FREQUENCY`](crate::model::material::DAMPING_FREQUENCY).

mod presets;

use serde::Serialize;

use crate::model::{Damping, Material};

/// The preset used when a cloth names none.
pub const DEFAULT: &str = "cotton";

/// A named fabric.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Preset {
    /// The name that scene files use.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Its figures, in the order of [`KEYS`].
    pub figures: [Figure; KEYS.len()],
}

/// A value and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figure {
    /// The key as scene files spell it, e.g. `damping.stretch`.
    pub key: &'static str,
    /// The value, in `unit`.
    pub value: f64,
    /// The unit; `1` for ratios.
    pub unit: &'static str,
    /// Where the value comes from.
    pub provenance: Provenance,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Provenance {
    /// Measured; the source.
    Measured(&'static str),
    /// Chosen; the reason.
    Chosen(&'static str),
}

/// Keys and units of a material's figures.
pub const KEYS: [(&str, &str); 11] = [
    ("density", "kg/m²"),
    ("stretch_warp", "N/m"),
    ("stretch_weft", "N/m"),
    ("shear", "N/m"),
    ("bending", "N·m"),
    ("damping.stretch", "1"),
    ("damping.shear", "1"),
    ("damping.bending", "1"),
    ("damping.mass", "1/s"),
    ("drag", "1"),
    ("skin_drag", "1"),
];

impl Preset {
    /// The material, without its provenance.
    pub fn material(&self) -> Material {
        let [density, stretch_warp, stretch_weft, shear, bending, rest @ ..] = self.figures.map(|figure| figure.value);
        let [damp_stretch, damp_shear, damp_bending, mass, drag, skin_drag] = rest;
        let damping = Damping { stretch: damp_stretch, shear: damp_shear, bending: damp_bending, mass };
        Material { density, stretch_warp, stretch_weft, shear, bending, damping, drag, skin_drag }
    }
}

/// All presets.
pub fn list() -> &'static [Preset] {
    &presets::ALL
}

/// A preset by name.
///
/// ```
/// let denim = muslin::materials::find("denim").expect("it is one of the presets").material();
/// assert!(denim.density > 0.3);
/// ```
pub fn find(name: &str) -> Option<&'static Preset> {
    list().iter().find(|preset| preset.name == name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn presets_are_there_and_physical() {
        for name in ["silk", "cotton", "wool", "denim", "leather", "knit", "bare", DEFAULT] {
            assert!(find(name).is_some(), "there is no {name}");
        }
        for preset in list() {
            let material = preset.material();
            assert!(material.density > 0.0 && material.stretch_warp > 0.0 && material.stretch_weft > 0.0, "{preset:?}");
            assert!(preset.figures.iter().all(|figure| figure.value.is_finite() && figure.value >= 0.0), "{preset:?}");
            for figure in &preset.figures {
                let (Provenance::Measured(text) | Provenance::Chosen(text)) = figure.provenance;
                assert!(!text.is_empty(), "{} of {} says where it comes from", figure.key, preset.name);
            }
        }
    }

    #[test]
    fn skin_drag_is_that_of_a_flat_plate() {
        // Both sides: laminar flow at Re = 2e5 (Blasius) is the least, turbulent flow at 2e4 (1/5 power law) the most.
        let (least, most) = (2.0 * 1.328 / 2e5_f64.sqrt(), 2.0 * 0.074 / libm::pow(2e4, 0.2));
        for preset in list().iter().filter(|preset| preset.name != "bare") {
            let skin_drag = preset.material().skin_drag;
            assert!((least..most).contains(&skin_drag), "{}: {skin_drag}, not {least} to {most}", preset.name);
        }
    }

    #[test]
    fn bare_has_mass_and_membrane_only() {
        let bare = find("bare").unwrap().material();
        assert_eq!((bare.density, bare.shear, bare.bending), (0.2, 0.0, 0.0));
        assert_eq!((bare.damping, bare.drag, bare.skin_drag), (Damping::default(), 0.0, 0.0));
    }
}
