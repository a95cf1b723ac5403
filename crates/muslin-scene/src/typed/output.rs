//! What a run writes, as typed.

use schemars::JsonSchema;
use serde::Deserialize;

/// What a run writes besides what every run writes. It changes no result.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// Formats of the point caches, one file of each for every cloth and every collider that moves or deforms. "pc2"
    /// must be among them. Default: no other.
    #[schemars(extend("examples" = [["pc2", "mdd"]]))]
    pub caches: Vec<CacheFormat>,
}

impl Default for Output {
    fn default() -> Self {
        Self { caches: vec![CacheFormat::Pc2] }
    }
}

/// A format of point caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CacheFormat {
    /// NAME.pc2, for Blender; written frame by frame. Muslin itself reads it, to resume, to render and to play a run.
    Pc2,
    /// NAME.mdd, for Houdini; written when the run ends or is stopped, because the format has all times in front.
    Mdd,
}
