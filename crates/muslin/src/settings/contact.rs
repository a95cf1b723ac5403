//! What happens where cloth meets solids.

use serde::{Deserialize, Serialize};

/// How contact is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Contact {
    /// What is given up when a step cannot keep both the strain limit and contact.
    #[serde(rename = "yield")]
    pub yields: Yield,
    /// Whether cloth that starts inside a solid, or nearer than its thickness, is pushed out before the first step.
    pub repair: bool,
    /// Whether crossings of cloth with solids and cloth are counted, by exact predicates, and gaps measured, at every
    /// frame.
    pub verify: bool,
    /// Whether cloth meets itself and other cloth; only with `certified`.
    #[serde(rename = "self")]
    pub own: bool,
}

impl Default for Contact {
    fn default() -> Self {
        Self { yields: Yield::Stop, repair: true, verify: true, own: true }
    }
}

/// What is given up when a step cannot keep both the strain limit and contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Yield {
    /// Nothing: the run stops and names the cloth and the solids.
    #[default]
    Stop,
    /// The strain limit.
    Strain,
    /// Contact: cloth may pass into solids.
    Contact,
}
