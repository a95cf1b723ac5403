//! Strain against its limit: light to dark blue up to the limit, then a jump to orange and on to dark red.

use std::sync::LazyLock;

use glam::Vec3;
use serde::Deserialize;

use super::ramp::Ramp;
use crate::colour::linear_from_srgb;

static EMBEDDED: LazyLock<StrainScale> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../strain_scale.json")).expect("the embedded scale is tested to be readable")
});

/// The greatest ratio of strain to limit that has a colour of its own.
const FARTHEST: f32 = 10.0;

/// Colours of r = strain / limit: linear in r up to the limit (r = 1), above it linear in log10(r), up to ten times the
/// limit. There is a jump of colour at the limit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct StrainScale {
    within: Ramp,
    over: Ramp,
}

impl StrainScale {
    /// The one scale there is.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// The sRGB colour of r = strain / limit. Compression (r < 0) has the first colour. NaN has the last: a broken
    /// number should not look calm.
    pub fn colour(&self, r: f32) -> [u8; 3] {
        if r <= 1.0 { self.within.at(r) } else { self.over.at(decades_over(r)) }
    }

    /// The sRGB colour of a code, see [`muslin_record::strain_code`]: 127 is the limit, 255 ten times it.
    pub fn colour_of_code(&self, code: u8) -> [u8; 3] {
        match code.checked_sub(128) {
            None => self.within.at(f32::from(code) / 127.0),
            Some(over) => self.over.at(f32::from(over) / 127.0),
        }
    }

    /// The colours of all codes in linear light.
    pub fn linear_table(&self) -> [Vec3; 256] {
        std::array::from_fn(|code| linear_from_srgb(self.colour_of_code(code as u8)))
    }
}

/// log10 of r > 1, at most 1; 1 for NaN.
fn decades_over(r: f32) -> f32 {
    if r < FARTHEST { libm::log10f(r) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::vision::{ALL_EYES, Eyes};
    use muslin_record::strain_code;

    #[test]
    fn colour_and_code_agree_within_the_rounding_of_the_code() {
        let scale = StrainScale::embedded();
        for step in 0..2000 {
            let r = step as f32 * 0.006;
            let (exact, coded) = (scale.colour(r), scale.colour_of_code(strain_code(f64::from(r), 1.0)));
            // Half a code is at most half of 5/127 of a stop's distance, which is at most 61 in a channel.
            let worst = exact.iter().zip(coded).map(|(a, b)| a.abs_diff(b)).max().unwrap();
            assert!(worst <= 3, "r = {r}: {exact:?} and {coded:?}");
        }
    }

    #[test]
    fn the_colour_jumps_at_the_limit() {
        let scale = StrainScale::embedded();
        let distance = Eyes::Normal.difference(scale.colour(1.0), scale.colour(1.000_1));
        assert!(distance > 60.0, "{distance}");
    }

    #[test]
    fn all_eyes_distinguish_colours_over_the_limit_from_those_within() {
        let scale = StrainScale::embedded();
        for eyes in ALL_EYES {
            for within in 0..=127 {
                for over in 128..=255 {
                    let distance = eyes.difference(scale.colour_of_code(within), scale.colour_of_code(over));
                    // Ten times what is just noticeable is 23; the colours were chosen to reach 40.
                    assert!(distance >= 40.0, "{eyes:?}: codes {within} and {over} are {distance} apart");
                }
            }
        }
    }

    #[test]
    fn colours_within_and_over_only_get_darker() {
        let scale = StrainScale::embedded();
        for eyes in ALL_EYES {
            for ramp in [&scale.within, &scale.over] {
                for pair in ramp.stops().windows(2) {
                    let [lighter, darker] = [pair[0], pair[1]].map(|stop| eyes.lab(stop).x);
                    assert!(lighter > darker + 3.0, "{eyes:?}: {pair:?} from {lighter} to {darker}");
                }
            }
        }
    }

    #[test]
    fn the_linear_table_is_the_scale() {
        let scale = StrainScale::embedded();
        let table = scale.linear_table();
        assert_eq!(table[127], linear_from_srgb(scale.colour(1.0)));
        assert_eq!(table[255], linear_from_srgb(scale.colour(10.0)));
    }
}
