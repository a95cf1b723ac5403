//! What is watched, and what must hold at the end.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A vertex whose motion is recorded: exactly one of `index`, `corner` and `nearest` says which.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Its name in reports; unique.
    #[schemars(extend("examples" = ["bob"]))]
    pub name: String,
    /// The cloth it belongs to. Default: the first.
    pub cloth: Option<String>,
    /// The vertex by number, counted from 0.
    pub index: Option<u32>,
    /// The vertex at a corner of the texture square: [0, 0], [1, 0], [0, 1] or [1, 1].
    #[schemars(extend("items" = { "type": "number", "minimum": 0.0, "maximum": 1.0 }), extend("examples" = [[1, 1]]))]
    pub corner: Option<[f64; 2]>,
    /// The vertex whose start position is nearest to this point [m].
    #[schemars(extend("examples" = [[0.0, 0.0, 0.0]]))]
    pub nearest: Option<[f64; 3]>,
}

/// Something that must hold at the end of a run.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Which figure: a dotted path into `report.json`.
    #[schemars(extend("examples" = ["motion.fall_s"]), length(min = 1))]
    pub report: String,
    /// It must be at least this.
    pub at_least: Option<f64>,
    /// It must be at most this.
    pub at_most: Option<f64>,
    /// It must be this.
    pub equals: Option<Scalar>,
    /// How far a number may be from `equals`. At least 0; default 0.
    #[schemars(range(min = 0.0), extend("examples" = [0.001]))]
    pub within: Option<f64>,
    /// Why it must hold.
    #[schemars(extend("examples" = ["free fall of the undamped sheet"]))]
    pub why: Option<String>,
}

/// A number, a text, or true or false.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Scalar {
    /// True or false.
    Switch(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}
