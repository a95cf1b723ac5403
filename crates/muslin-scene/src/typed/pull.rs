//! Pulls, as typed.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Indices, Motion, Range};

/// A damped spring that draws each of its vertices to a place, with a force that has a cap: unlike a pin it never
/// contradicts a limit. Exactly one of `corner`, `index`, `box` and `nearest` says which vertices.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Pull {
    /// The cloth it draws. Default: the first.
    pub cloth: Option<String>,
    /// The vertex at a corner of the texture square: [0, 0], [1, 0], [0, 1] or [1, 1].
    #[schemars(extend("items" = { "type": "number", "minimum": 0.0, "maximum": 1.0 }), extend("examples" = [[1, 1]]))]
    pub corner: Option<[f64; 2]>,
    /// Vertices by number, counted from 0: one, or a list.
    pub index: Option<Indices>,
    /// All vertices whose start position lies in a box.
    #[serde(rename = "box")]
    pub range: Option<Range>,
    /// The vertex whose start position is nearest to this point [m].
    #[schemars(extend("examples" = [[0.0, 0.0, 0.0]]))]
    pub nearest: Option<[f64; 3]>,
    /// Where to: every vertex is drawn to where this takes its start position. Default: to its start position.
    pub motion: Option<Motion>,
    /// Greatest force on each vertex [N]. More than 0; default 0.5.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub cap: Option<f64>,
    /// Force per distance from the place [N/m]. At least 0; default: what reaches `cap` at 5 cm.
    #[schemars(range(min = 0.0))]
    pub stiffness: Option<f64>,
    /// Force against the vertex's velocity, per velocity [N·s/m]. At least 0; default 0.05 s × `stiffness`.
    #[schemars(range(min = 0.0))]
    pub damping: Option<f64>,
    /// Begin at this time [s]. At least 0; default 0.
    #[schemars(range(min = 0.0))]
    pub from: Option<f64>,
    /// End at this time [s], later than `from`. Default: never.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub until: Option<f64>,
}
