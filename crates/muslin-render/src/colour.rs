//! Between sRGB bytes and linear light.

use std::sync::LazyLock;

use glam::Vec3;
use serde::{Deserialize, Deserializer, de::Error as _};

/// Linear light (0 to 1) of each sRGB byte, by the piecewise curve of IEC 61966-2-1.
static LINEAR_OF_BYTE: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|byte| {
        let encoded = byte as f32 / 255.0;
        if encoded <= 0.04045 { encoded / 12.92 } else { libm::powf((encoded + 0.055) / 1.055, 2.4) }
    })
});

/// Linear light, 0 to 1 in each channel, of an sRGB colour.
pub fn linear_from_srgb(colour: [u8; 3]) -> Vec3 {
    let [red, green, blue] = colour.map(|byte| LINEAR_OF_BYTE[usize::from(byte)]);
    Vec3::new(red, green, blue)
}

/// Steps of the table of bytes. They are even in the square root of light, as bytes nearly are: 32 to a byte.
const STEPS: usize = 8192;

static BYTE_OF_ROOT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let byte = |step: usize| {
        let root = step as f32 / (STEPS - 1) as f32;
        let light = root * root;
        let encoded = if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * libm::powf(light, 1.0 / 2.4) - 0.055 };
        (encoded * 255.0 + 0.5) as u8
    };
    (0..STEPS).map(byte).collect()
});

/// The sRGB colour of linear light, by a table. What lies outside 0 to 1 is clamped; NaN becomes 0.
pub fn srgb_from_linear(light: Vec3) -> [u8; 3] {
    let table = &*BYTE_OF_ROOT;
    light.to_array().map(|light| table[(light.clamp(0.0, 1.0).sqrt() * (STEPS - 1) as f32 + 0.5) as usize])
}

/// An sRGB colour, written `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HexColour(pub(crate) [u8; 3]);

impl<'de> Deserialize<'de> for HexColour {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = text
            .strip_prefix('#')
            .filter(|digits| digits.len() == 6)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| D::Error::custom(format!("not a colour: {text}")))?;
        let [_, red, green, blue] = number.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_conversion_to_light_and_back() {
        for byte in 0..=255 {
            assert_eq!(srgb_from_linear(linear_from_srgb([byte; 3])), [byte; 3]);
        }
    }

    #[test]
    fn middle_grey_is_where_the_standard_puts_it() {
        // sRGB 188 is 50.3 % of the light, by the standard's formula.
        assert!((linear_from_srgb([188; 3]).x - 0.5029).abs() < 1e-4, "{}", linear_from_srgb([188; 3]).x);
    }

    #[test]
    fn light_outside_the_range_is_clamped() {
        assert_eq!(srgb_from_linear(Vec3::new(-1.0, 7.0, f32::NAN)), [0, 255, 0]);
    }
}
