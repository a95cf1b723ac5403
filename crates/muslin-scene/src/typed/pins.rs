//! Pins, as typed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Rotate;

/// Something that holds vertices: exactly one of `corner`, `index`, `box` and `nearest` says which.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Pin {
    /// The vertex at a corner of the texture square: [0, 0], [1, 0], [0, 1] or [1, 1].
    #[schemars(extend("items" = { "type": "number", "minimum": 0.0, "maximum": 1.0 }), extend("examples" = [[0, 0]]))]
    pub corner: Option<[f64; 2]>,
    /// Vertices by number, counted from 0: one, or a list.
    pub index: Option<Indices>,
    /// All vertices whose start position lies in a box.
    #[serde(rename = "box")]
    pub range: Option<Range>,
    /// The vertex whose start position is nearest to this point [m].
    #[schemars(extend("examples" = [[0.0, 0.0, 0.0]]))]
    pub nearest: Option<[f64; 3]>,
    /// Keep the vertices in planes with this normal, instead of fixing them.
    #[schemars(extend("examples" = [[0.0, 1.0, 0.0]]))]
    pub plane: Option<[f64; 3]>,
    /// Keep the vertices on lines of this direction, instead of fixing them.
    #[schemars(extend("examples" = [[1.0, 0.0, 0.0]]))]
    pub line: Option<[f64; 3]>,
    /// Move the vertices by keyframes (fixed pins only).
    pub motion: Option<Motion>,
    /// Let go at this time [s]. At least 0. Default: never.
    #[schemars(range(min = 0.0))]
    pub release: Option<f64>,
}

/// One vertex or several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Indices {
    /// One.
    One(u32),
    /// Several.
    Many(#[schemars(length(min = 1))] Vec<u32>),
}

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// Least coordinates [m].
    #[schemars(extend("examples" = [[0.0, -0.01, 0.0]]))]
    pub min: [f64; 3],
    /// Greatest coordinates [m].
    #[schemars(extend("examples" = [[1.0, 0.01, 0.0]]))]
    pub max: [f64; 3],
}

/// A rigid motion: by `keys`, or a `spin` that goes on.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Motion {
    /// The keys, by rising time. Before the first and after the last the motion stands still.
    #[schemars(length(min = 1))]
    pub keys: Option<Vec<Key>>,
    /// How it passes from key to key. Default "smooth".
    pub ease: Option<Ease>,
    /// Turns at constant speed, instead of keys.
    pub spin: Option<Turning>,
    /// What rotations turn about [m]. Default: for pins the origin, for colliders their `transform.translate`.
    pub centre: Option<[f64; 3]>,
}

/// A rotation at constant speed that goes on to the end.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turning {
    /// Direction of the axis, of any length but zero.
    #[schemars(extend("examples" = [[0.0, 1.0, 0.0]]))]
    pub axis: [f64; 3],
    /// Speed [degrees/s], by the right-hand rule. Up to 1e6 either way.
    #[schemars(range(min = -1e6, max = 1e6), extend("examples" = [360.0]))]
    pub degrees_per_second: f64,
    /// When it begins [s]. At least 0; default 0.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub start: f64,
}

/// A pose at a time.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// When [s]. At least 0.
    #[schemars(range(min = 0.0))]
    pub time: f64,
    /// Displacement from the start [m]. Default none.
    #[serde(default)]
    pub translate: [f64; 3],
    /// Rotation from the start, about the motion's centre. Default none.
    pub rotate: Option<Rotate>,
}

/// Passage between two keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ease {
    /// Starts and stops gently at every key.
    #[default]
    Smooth,
    /// At constant speed.
    Linear,
}
