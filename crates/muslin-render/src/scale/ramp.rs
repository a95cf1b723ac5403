//! Colours at equal spacing, with straight lines in sRGB between them.

use serde::{Deserialize, Deserializer, de::Error as _};

use crate::colour::HexColour;

/// Stops at equal spacing from 0 to 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ramp(Vec<[u8; 3]>);

impl<'de> Deserialize<'de> for Ramp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stops = Vec::<HexColour>::deserialize(deserializer)?;
        if stops.len() < 2 {
            return Err(D::Error::custom("a scale needs two stops or more"));
        }
        Ok(Self(stops.into_iter().map(|stop| stop.0).collect()))
    }
}

impl Ramp {
    /// The colour at a fraction of the ramp; below 0 the first, above 1 the last.
    pub(super) fn at(&self, fraction: f32) -> [u8; 3] {
        let place = fraction.clamp(0.0, 1.0) * (self.0.len() - 1) as f32;
        let left = (place as usize).min(self.0.len() - 2);
        let within = place - left as f32;
        std::array::from_fn(|channel| {
            let [from, to] = [self.0[left][channel], self.0[left + 1][channel]].map(f32::from);
            (from + (to - from) * within + 0.5) as u8
        })
    }

    #[cfg(test)]
    pub(super) fn stops(&self) -> &[[u8; 3]] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(text: &str) -> Result<Ramp, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn stops_lie_at_equal_spacing_with_straight_lines_between() {
        let ramp = ramp(r##"["#000000", "#646464", "#c80000"]"##).unwrap();
        assert_eq!(ramp.at(0.0), [0, 0, 0]);
        assert_eq!(ramp.at(0.25), [50, 50, 50]);
        assert_eq!(ramp.at(0.5), [100, 100, 100]);
        assert_eq!(ramp.at(0.75), [150, 50, 50]);
        assert_eq!(ramp.at(1.0), [200, 0, 0]);
        assert_eq!((ramp.at(-3.0), ramp.at(9.0)), ([0, 0, 0], [200, 0, 0]));
    }

    #[test]
    fn text_that_is_no_scale_is_refused() {
        for text in
            [r##"["#000000"]"##, r##"["#000000", "#12345"]"##, r##"["#000000", "red"]"##, r##"["#000000", "#ééé"]"##]
        {
            assert!(ramp(text).is_err(), "{text}");
        }
    }
}
