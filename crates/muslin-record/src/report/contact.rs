//! What the certificate says of contact, with solids and of cloth with cloth.

use glam::DVec3;
use muslin::Model;
use serde::{Deserialize, Serialize};

use crate::tally::{ContactTally, LayerGapPeak, LayersTally, Pair, Pinned, Repair, Tally};

/// Contact of cloth with solids, with itself and with other cloth. What speaks of solids is null without solids; what
/// speaks of cloth against cloth is null without triangles.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ContactReport {
    /// True when every frame written was surveyed: there are solids or triangles, and `contact.verify` is set.
    pub checked: bool,
    /// The distance that cloth is to keep from the surface of solids [m]; the least, when pairs differ.
    pub thickness: Option<f64>,
    /// Least gap of any vertex, edge or triangle of cloth to the surface of a solid, over the frames written [m];
    /// negative inside. Open meshes have no inside.
    pub min_gap: Option<f64>,
    /// Crossings of edges and triangles, of cloth with solids and with cloth, in all frames written together.
    pub intersections: Option<u64>,
    /// True when `min_gap` is not negative, there are no `intersections` (but for `intersections_cloth`, unless
    /// `cloth_promised`), and no step let a breach pass. Null when nothing was measured, or nothing promised.
    pub kept: Option<bool>,
    /// Steps that were cut short or repeated because of an impact.
    pub truncated_steps: Option<u64>,
    /// Where contact with solids was worst, in words: the least gap, unless only crossings show a breach.
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
    /// True when the run promises that no cloth crosses cloth: with `certified`, unless `contact.self` is off.
    /// Otherwise what follows is measured only.
    pub cloth_promised: bool,
    /// Least distance of parts of cloth that share no vertex, over the frames written [m]: of a vertex and a triangle,
    /// or of two edges; 0 where they cross. On a fine mesh these are neighbours.
    pub cloth_gap: Option<f64>,
    /// The parts that have it.
    pub cloth_pair: Option<LayerPlace>,
    /// The same of parts of different cloths, or that are far apart along one [m]; null while no such layers were near.
    pub layer_gap: Option<f64>,
    /// The parts that have it.
    pub layer_pair: Option<LayerPlace>,
    /// Those of the `intersections` that are of cloth with cloth.
    pub intersections_cloth: Option<u64>,
    /// Most of them in one frame.
    pub intersections_cloth_most: Option<u64>,
    /// The frame that has them.
    pub intersections_cloth_frame: Option<u64>,
    /// Pairs of layers that blocked a motion and were kept apart by planes of their own, in all steps together.
    pub divided: Option<u64>,
    /// Most of them in one step.
    pub divided_most: Option<u32>,
    /// Planes between layers that pushed in the last substep of a step, mean over all steps.
    pub layers_mean: Option<f64>,
    /// Most of them in one step.
    pub layers_most: Option<u32>,
    /// Mean gap of those layers, as a multiple of the thickness; null when none were pushed apart.
    pub layer_gap_mean: Option<f64>,
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

/// Two parts of cloth, of one cloth or of two, in terms of the user's meshes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayerPlace {
    /// The cloth of each.
    pub cloths: [String; 2],
    /// The parts: one vertex, the two of an edge, or the three of a triangle, from 0.
    pub vertices: [Vec<u32>; 2],
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
        // Those since the last frame too: a run may stop between frames.
        let steps = tally.last.steps + u64::from(contact.steps);
        let (solids, cloth) = (contact.verified, contact.layers.verified);
        let (checked, responds) = (solids || cloth, !model.colliders.is_empty() || contact.layers.promised);
        let report = Self {
            checked,
            intersections: checked.then_some(contact.crossings + contact.layers.crossings),
            kept: contact.kept(),
            intersections_most: checked.then(|| contact.most_together.map_or(0, |(most, _)| most)),
            intersections_frame: contact.most_together.map(|(_, frame)| frame),
            truncated_steps: responds.then_some(contact.truncated_steps),
            breach_m: responds.then_some(contact.breach),
            breach_step: contact.breach_step,
            cloth_promised: contact.layers.promised,
            ..Self::default()
        };
        report.with_solids(model, contact, steps).with_layers(model, &contact.layers, steps)
    }

    /// What there is to report where there are solids.
    fn with_solids(self, model: &Model, contact: &ContactTally, steps: u64) -> Self {
        if model.colliders.is_empty() {
            return self;
        }
        let worst_pair = worst(model, contact);
        Self {
            thickness: contact.thickness,
            min_gap: contact.least.map(|least| least.gap),
            place: worst_pair.as_ref().map(PairPlace::in_words),
            worst_pair,
            contacts_mean: Some(mean(contact.contacts, steps)),
            contacts_most: Some(contact.most_contacts),
            repair: contact.repair.clone(),
            pinned: contact.pinned.clone(),
            ..self
        }
    }

    /// What there is to report of cloth against cloth: what was measured, and what a method that promises it did.
    fn with_layers(self, model: &Model, layers: &LayersTally, steps: u64) -> Self {
        let place = |peak: &LayerGapPeak| LayerPlace::of(model, peak);
        let (verified, promised) = (layers.verified, layers.promised);
        Self {
            cloth_gap: layers.least.map(|least| least.gap),
            cloth_pair: layers.least.as_ref().and_then(place),
            layer_gap: layers.least_layers.map(|least| least.gap),
            layer_pair: layers.least_layers.as_ref().and_then(place),
            intersections_cloth: verified.then_some(layers.crossings),
            intersections_cloth_most: verified.then(|| layers.most_crossings.map_or(0, |(most, _)| most)),
            intersections_cloth_frame: layers.most_crossings.map(|(_, frame)| frame),
            divided: promised.then_some(layers.divided),
            divided_most: promised.then_some(layers.most_divided),
            layers_mean: promised.then(|| mean(layers.layers, steps)),
            layers_most: promised.then_some(layers.most_layers),
            layer_gap_mean: layers.mean_gap(),
            ..self
        }
    }

    /// Crossings of cloth with solids among the `intersections`.
    pub fn intersections_solids(&self) -> u64 {
        self.intersections.unwrap_or(0).saturating_sub(self.intersections_cloth.unwrap_or(0))
    }

    /// What of `kept` speaks of solids, and of what steps let pass.
    pub fn solids_kept(&self) -> Option<bool> {
        if self.breach_m.is_some_and(|depth| depth > 0.0) {
            return Some(false);
        }
        let clear = self.intersections_solids() == 0 && self.min_gap.is_none_or(|gap| gap >= 0.0);
        (self.checked && self.thickness.is_some()).then_some(clear)
    }

    /// What of `kept` speaks of cloth against cloth; null unless it was promised and measured.
    pub fn cloth_kept(&self) -> Option<bool> {
        self.intersections_cloth.filter(|_| self.cloth_promised).map(|count| count == 0)
    }

    /// The frames in which contact was worst: with solids, and of cloth with cloth.
    pub fn worst_frames(&self) -> [Option<u64>; 2] {
        let solids = self.worst_pair.as_ref().map(|pair| pair.frame).or(self.intersections_frame);
        [solids, self.intersections_cloth_frame.or(self.layer_pair.as_ref().map(|pair| pair.frame))]
    }
}

/// Mean over steps.
fn mean(sum: u64, steps: u64) -> f64 {
    if steps > 0 { sum as f64 / steps as f64 } else { 0.0 }
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

    /// The part of the cloth.
    pub(crate) fn part(&self) -> String {
        part(&self.vertices)
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

impl LayerPlace {
    fn of(model: &Model, peak: &LayerGapPeak) -> Option<Self> {
        let name = |cloth: usize| Some(model.cloths.get(cloth)?.name.clone());
        let [one, other] = peak.cloths;
        Some(Self {
            cloths: [name(one)?, name(other)?],
            vertices: peak.parts.map(|part| part.vertices().to_vec()),
            frame: peak.frame,
            time_s: peak.time,
            position: peak.position,
        })
    }

    /// Both parts with their cloths, and the frame.
    pub fn in_words(&self) -> String {
        let Self { cloths: [one, other], frame, time_s, .. } = self;
        let [first, second] = self.parts();
        format!("{first} of `{one}` at {second} of `{other}` in frame {frame} (at {time_s:.4} s)")
    }

    /// The parts.
    pub(crate) fn parts(&self) -> [String; 2] {
        self.vertices.each_ref().map(|vertices| part(vertices))
    }

    /// An edge of one of the parts with its cloth, where they have one: what can be marked in a picture.
    pub(crate) fn edge(&self) -> Option<(&str, [u32; 2])> {
        let mut parts = self.cloths.iter().zip(&self.vertices);
        parts.find_map(|(cloth, vertices)| Some((cloth.as_str(), [*vertices.first()?, *vertices.get(1)?])))
    }
}

/// A part of a cloth by its vertices: `vertex 3`, `edge 3–4`, `triangle 3–4–9`.
fn part(vertices: &[u32]) -> String {
    let numbers: Vec<String> = vertices.iter().map(u32::to_string).collect();
    let kind = ["vertex", "edge", "triangle"][numbers.len().clamp(1, 3) - 1];
    format!("{kind} {}", numbers.join("–"))
}
