//! From where pictures are taken.

use schemars::JsonSchema;
use serde::Deserialize;

/// From where pictures are taken: upright, so that y points up in them. It may look straight up or down.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Where the camera is [m].
    #[schemars(extend("examples" = [[1.5, 0.5, 3.0]]))]
    pub eye: [f64; 3],
    /// What is in the middle of the picture [m]; not where the camera is.
    #[schemars(extend("examples" = [[0.5, -0.5, 0.5]]))]
    pub target: [f64; 3],
    /// Angle between the lower and the upper edge of the picture, seen from the camera [degrees]. 1 to 120; default 35.
    #[serde(default = "field_of_view")]
    #[schemars(range(min = 1.0, max = 120.0))]
    pub field_of_view: f64,
}

fn field_of_view() -> f64 {
    35.0
}
