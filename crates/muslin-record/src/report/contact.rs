//! What the certificate says of contact with solids.

use glam::DVec3;
use muslin::Model;
use serde::{Deserialize, Serialize};

use crate::tally::{ContactTally, Pair, Pinned, Repair, Tally};

/// Contact of cloth with solids. Without solids all is null; contact of cloth with cloth is not looked for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ContactReport {
    /// True when every frame written was surveyed: there are solids, and `contact.verify` is set.
    pub checked: bool,
    /// The distance that cloth is to keep from the surface of solids [m]; the least, when pairs differ.
    pub thickness: Option<f64>,
    /// Least gap of any vertex, edge or triangle of cloth to the surface of a solid, over the frames written [m];
    /// negative inside. Open meshes have no inside.
    pub min_gap: Option<f64>,
    /// Crossings of edges and triangles, of cloth with solids, in all frames written together.
    pub intersections: Option<u64>,
    /// True when `min_gap` is not negative, there are no `intersections`, and no step let a breach pass. Null when
    /// it was not measured.
    pub kept: Option<bool>,
    /// Steps that were cut short or repeated because of an impact.
    pub truncated_steps: Option<u64>,
    /// Where contact was worst, in words: the least gap, unless only crossings show a breach.
    #[serde(rename = "where")]
    pub place: Option<String>,
    /// The same for programs.
    pub worst_pair: Option<PairPlace>,
    /// Most crossings in one frame.
    pub intersections_most: Option<u64>,
    /// The frame that has them.
    pub intersections_frame: Option<u64>,
    /// Contacts that pushed, mean over all steps.
    pub contacts_mean: Option<f64>,
    /// Most contacts in one step.
    pub contacts_most: Option<u32>,
    /// Greatest breach of contact that a step let pass, where `contact.yield` says so [m]; 0: none.
    pub breach_m: Option<f64>,
    /// The step that did.
    pub breach_step: Option<u64>,
    /// What was moved before the first step, because it started inside a solid or nearer than its thickness; null when
    /// there was nothing to do.
    pub repair: Option<Repair>,
    /// What is left out near pins on or inside of solids, and counted apart; null when nothing is.
    pub pinned: Option<Pinned>,
}

/// A part of a cloth and the solid it is near, in terms of the user's meshes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairPlace {
    /// The cloth.
    pub cloth: String,
    /// The part of it: one vertex, the two of an edge, or the three of a triangle, from 0.
    pub vertices: Vec<u32>,
    /// The solid.
    pub collider: String,
    /// The frame.
    pub frame: u64,
    /// When [s].
    pub time_s: f64,
    /// Where [m].
    pub position: DVec3,
}

impl ContactReport {
    /// What a tally comes to.
    pub(super) fn of(model: &Model, tally: &Tally) -> Self {
        let contact = &tally.contact;
        if model.colliders.is_empty() {
            return Self::default();
        }
        // Those since the last frame too: a run may stop between frames.
        let (steps, verified) = (tally.last.steps + u64::from(contact.steps), contact.verified);
        let worst_pair = worst(model, contact);
        Self {
            checked: verified,
            thickness: contact.thickness,
            min_gap: contact.least.map(|least| least.gap),
            intersections: verified.then_some(contact.crossings),
            kept: contact.kept(),
            truncated_steps: Some(contact.truncated_steps),
            place: worst_pair.as_ref().map(PairPlace::in_words),
            worst_pair,
            intersections_most: verified.then(|| contact.most_crossings.map_or(0, |most| most.count)),
            intersections_frame: contact.most_crossings.map(|most| most.frame),
            contacts_mean: Some(if steps > 0 { contact.contacts as f64 / steps as f64 } else { 0.0 }),
            contacts_most: Some(contact.most_contacts),
            breach_m: Some(contact.breach),
            breach_step: contact.breach_step,
            repair: contact.repair.clone(),
            pinned: contact.pinned.clone(),
        }
    }

    /// The frame in which contact was worst.
    pub fn worst_frame(&self) -> Option<u64> {
        self.worst_pair.as_ref().map(|pair| pair.frame).or(self.intersections_frame)
    }
}

/// The pair of the least gap; where cloth crosses what it is never inside of, as with open meshes, a pair that crosses.
fn worst(model: &Model, contact: &ContactTally) -> Option<PairPlace> {
    let gap = contact.least.and_then(|least| PairPlace::of(model, &least.pair, least.frame, least.time));
    let most = contact.most_crossings.filter(|_| contact.least.is_none_or(|least| least.gap >= 0.0));
    let crossing = most.and_then(|most| PairPlace::of(model, &most.pair?, most.frame, most.time));
    crossing.or(gap)
}

impl PairPlace {
    fn of(model: &Model, pair: &Pair, frame: u64, time_s: f64) -> Option<Self> {
        let collider = model.colliders.get(pair.collider)?.name.clone();
        let cloth = model.cloths.get(pair.cloth)?.name.clone();
        Some(Self { cloth, vertices: pair.part.vertices().to_vec(), collider, frame, time_s, position: pair.position })
    }

    /// The part of the cloth: `vertex 3`, `edge 3–4`, `triangle 3–4–9`.
    pub(crate) fn part(&self) -> String {
        let numbers: Vec<String> = self.vertices.iter().map(u32::to_string).collect();
        let kind = ["vertex", "edge", "triangle"][numbers.len().clamp(1, 3) - 1];
        format!("{kind} {}", numbers.join("–"))
    }

    /// An edge of the part, where it has one: what can be marked in a picture.
    pub(crate) fn edge(&self) -> Option<[u32; 2]> {
        Some([*self.vertices.first()?, *self.vertices.get(1)?])
    }

    fn in_words(&self) -> String {
        let Self { cloth, collider, frame, time_s, .. } = self;
        format!("{} of `{cloth}` at `{collider}` in frame {frame} (at {time_s:.4} s)", self.part())
    }
}
