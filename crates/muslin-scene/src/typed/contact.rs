//! Contact between cloth and solids, as typed.

use muslin::settings::Yield;
use schemars::JsonSchema;
use serde::Deserialize;

/// What happens where cloth meets solids.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Contact {
    /// Distance that cloth keeps from the surface of solids, and between its own layers [m]; `cloth.N.thickness`
    /// overrides it. More than 0, with the limiter "certified" at least 1e-5; default 0.001.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub thickness: f64,
    /// Coulomb's coefficient of friction of cloth with solids and with cloth, static and sliding alike [1];
    /// `collider.N.friction` overrides it. At least 0; default 0.3.
    #[schemars(range(min = 0.0))]
    pub friction: f64,
    /// Whether cloth that starts inside a solid, or nearer than its thickness, is pushed out before the first step.
    /// Default true.
    pub repair: bool,
    /// Whether crossings of cloth with solids, itself and other cloth are counted, by exact predicates, and gaps
    /// measured, at every frame written. Default true.
    pub verify: bool,
    /// What is given up when a step cannot keep both the strain limit and contact. Default "stop".
    #[serde(rename = "yield")]
    #[schemars(with = "YieldNames")]
    pub yields: Yield,
    /// Whether cloth meets itself and other cloth, with the limiter "certified". Default true.
    #[serde(rename = "self")]
    pub own: bool,
}

impl Default for Contact {
    fn default() -> Self {
        Self { thickness: 0.001, friction: 0.3, repair: true, verify: true, yields: Yield::Stop, own: true }
    }
}

/// The core's names, for the schema.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its schema is used; a test compares it with the core's names")]
enum YieldNames {
    /// Nothing: the run stops and names the cloth and the solids.
    Stop,
    /// The strain limit: cloth stretches as far as it must.
    Strain,
    /// Contact: cloth may pass into solids.
    Contact,
}
