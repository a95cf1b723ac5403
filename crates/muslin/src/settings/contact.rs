//! What happens where cloth meets solids.

use serde::{Deserialize, Serialize};

/// How contact is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Contact {
    /// Which promise gives way when a step cannot keep both.
    #[serde(rename = "yield")]
    pub yields: Yield,
    /// Whether cloth that starts inside a solid, or nearer than its thickness, is pushed out before the first step.
    pub repair: bool,
    /// Whether crossings of cloth and solids are counted, by exact predicates, at every frame.
    pub verify: bool,
}

impl Default for Contact {
    fn default() -> Self {
        Self { yields: Yield::Stop, repair: true, verify: true }
    }
}

/// Which promise gives way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Yield {
    /// None: the run stops and says what stands against what.
    #[default]
    Stop,
    /// The strain limit.
    Strain,
    /// Contact: cloth may pass into solids.
    Contact,
}
