//! The gap to what is nearest: dark where surfaces touch, light where they are far, and a colour of its own where one
//! is inside the other.

use std::sync::LazyLock;

use glam::Vec3;
use serde::Deserialize;

use super::ramp::Ramp;
use crate::colour::{HexColour, linear_from_srgb};

static EMBEDDED: LazyLock<Colours> = LazyLock::new(|| {
    serde_json::from_str(include_str!("contact_scale.json")).expect("the embedded scale is tested to be readable")
});

#[derive(Debug, Deserialize)]
struct Colours {
    gap: Ramp,
    inside: HexColour,
}

/// Colours of the gap between surfaces, linear from 0 (touching) to `far`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactScale {
    far: f32,
}

impl Default for ContactScale {
    /// Up to 20 mm.
    fn default() -> Self {
        Self { far: 0.02 }
    }
}

impl ContactScale {
    /// A scale up to the gap `far` \[m\], which is raised to a micrometre if it is less.
    pub fn new(far: f32) -> Self {
        Self { far: far.max(1e-6) }
    }

    /// The gap \[m\] from which on all is of one colour.
    pub fn far(&self) -> f32 {
        self.far
    }

    /// The sRGB colour of a gap \[m\]; negative: one surface is inside the other. NaN (nothing near) is far.
    pub fn colour(&self, gap: f32) -> [u8; 3] {
        if gap < 0.0 { EMBEDDED.inside.0 } else { EMBEDDED.gap.at((gap / self.far).min(1.0)) }
    }

    /// A byte for the gap \[m\]: 0 is inside, 1 touching, 255 far.
    pub fn code(&self, gap: f32) -> u8 {
        if gap < 0.0 { 0 } else { 1 + (254.0 * (gap / self.far).min(1.0)).round() as u8 }
    }

    /// The sRGB colour of a code, see [`code`](Self::code).
    pub fn colour_of_code(&self, code: u8) -> [u8; 3] {
        match code.checked_sub(1) {
            None => EMBEDDED.inside.0,
            Some(step) => EMBEDDED.gap.at(f32::from(step) / 254.0),
        }
    }

    /// The colours of all codes in linear light.
    pub fn linear_table(&self) -> [Vec3; 256] {
        std::array::from_fn(|code| linear_from_srgb(self.colour_of_code(code as u8)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::vision::ALL_EYES;

    #[test]
    fn gaps_have_the_colours_of_their_codes() {
        let scale = ContactScale::new(0.01);
        for (gap, code) in [(-1e-9, 0), (0.0, 1), (0.005, 128), (0.01, 255), (3.0, 255), (f32::NAN, 255)] {
            assert_eq!(scale.code(gap), code, "gap {gap}");
            assert_eq!(scale.colour(gap), scale.colour_of_code(code), "gap {gap}");
        }
    }

    #[test]
    fn all_eyes_see_what_is_inside() {
        let scale = ContactScale::default();
        for eyes in ALL_EYES {
            for code in 1..=255 {
                let distance = eyes.difference(scale.colour(-0.001), scale.colour_of_code(code));
                // The colours were chosen to reach 60, twice as much as two clearly different colours need.
                assert!(distance >= 60.0, "{eyes:?}: {distance} to code {code}");
            }
        }
    }

    #[test]
    fn steps_of_the_gap_are_equal_steps_of_lightness() {
        for eyes in ALL_EYES {
            let lightness: Vec<f32> = EMBEDDED.gap.stops().iter().map(|&stop| eyes.lab(stop).x).collect();
            for pair in lightness.windows(2) {
                // Eight steps over a range of 75: 9.3 each, by a third more or less for any eyes.
                assert!((6.0..13.0).contains(&(pair[1] - pair[0])), "{eyes:?}: {lightness:?}");
            }
        }
    }

    #[test]
    fn a_scale_of_no_length_still_has_colours() {
        assert_eq!(ContactScale::new(0.0).code(1.0), 255);
        assert_eq!(ContactScale::new(f32::NAN).code(0.0), 1);
    }
}
