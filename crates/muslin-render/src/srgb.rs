//! Between linear light and the bytes of a picture (IEC 61966-2-1).

use glam::Vec3;

/// The linear colour of sRGB bytes.
pub fn linear(colour: [u8; 3]) -> Vec3 {
    Vec3::from_array(colour.map(|byte| {
        let value = f32::from(byte) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { libm::powf((value + 0.055) / 1.055, 2.4) }
    }))
}

fn encoded(value: f32) -> f32 {
    if value <= 0.003_130_8 { 12.92 * value } else { 1.055 * libm::powf(value, 1.0 / 2.4) - 0.055 }
}

/// Steps of the table. Its entries are spaced by the square root of light, in which bytes are nearly even.
const STEPS: usize = 8192;

/// Linear light to sRGB bytes, by a table.
pub(crate) struct Encoder {
    table: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new() -> Self {
        let entry = |step: usize| {
            let root = step as f32 / (STEPS - 1) as f32;
            (255.0 * encoded(root * root) + 0.5) as u8
        };
        Self { table: (0..STEPS).map(entry).collect() }
    }

    pub(crate) fn encode(&self, colour: Vec3) -> [u8; 3] {
        // What is not a number becomes black.
        colour.to_array().map(|value| self.table[(value.clamp(0.0, 1.0).sqrt() * (STEPS - 1) as f32 + 0.5) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_way_to_light_and_back() {
        let encoder = Encoder::new();
        for byte in 0..=255 {
            assert_eq!(encoder.encode(linear([byte, 0, 255])), [byte, 0, 255]);
        }
    }

    #[test]
    fn light_out_of_range_is_cut_off() {
        let encoder = Encoder::new();
        assert_eq!(encoder.encode(Vec3::new(-1.0, 7.0, f32::NAN)), [0, 255, 0]);
    }
}
