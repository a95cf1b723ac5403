//! Contact over frames and steps: with solids here, of cloth with cloth in [`LayersTally`].
//!
//! Gaps and crossings are those of the frames written, which anyone can measure again from the files of the run;
//! contacts, cuts and breaches are those of every accepted step.

#[cfg(test)]
mod tests;

use glam::DVec3;
use muslin::contact::survey::{Part, Place};
use muslin::contact::{ClothSurvey, Exemptions, Survey};
use muslin::report::ContactWork;
use muslin::{Model, Settings};
use serde::{Deserialize, Serialize};

use super::finite;
use super::layers::LayersTally;

/// Contact over frames and steps.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ContactTally {
    /// The least distance ξ that a cloth is to keep from a solid [m]; none without solids.
    pub thickness: Option<f64>,
    /// True when every frame written is surveyed: there are solids, and `contact.verify` is set.
    pub verified: bool,
    /// The least gap over the frames written; none when there is nothing to measure.
    pub least: Option<GapPeak>,
    /// Crossings of edges and triangles of cloth with those of solids, in all frames written together.
    pub crossings: u64,
    /// The frame that has the most of them.
    pub most_crossings: Option<CrossingPeak>,
    /// Contact of cloth with cloth.
    pub layers: LayersTally,
    /// Most crossings in one frame, with solids and with cloth together, and that frame.
    pub most_together: Option<(u64, u64)>,
    /// Contacts that pushed, in all steps together.
    pub contacts: u64,
    /// Most of them in one step.
    pub most_contacts: u32,
    /// Steps that had to be cut or repeated because of an impact.
    pub truncated_steps: u64,
    /// The greatest breach of contact that a step let pass [m]; 0: none.
    pub breach: f64,
    /// The step that did.
    pub breach_step: Option<u64>,
    /// What was moved before the first step.
    pub repair: Option<Repair>,
    /// What is left out near pins on or inside of solids; none when nothing is.
    pub pinned: Option<Pinned>,
    /// The last frame.
    pub last: FrameContact,
    /// Steps since the last frame.
    pub(crate) steps: u32,
    /// What they add up to, for the next frame.
    under_way: FrameContact,
}

/// Contact of one frame: its survey, and the steps that led to it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct FrameContact {
    /// The least signed gap to a solid [m]; none when it was not measured.
    pub min_gap: Option<f64>,
    /// Crossings of edges and triangles, with solids and with cloth; none when they were not counted.
    pub crossings: Option<u64>,
    /// Contacts that pushed, mean over the frame's steps.
    pub contacts_mean: f64,
    /// Most of them in a step.
    pub contacts_most: u32,
    /// Steps that were cut.
    pub truncated_steps: u32,
    /// The least gap of parts of cloth that share no vertex [m]; none when it was not measured.
    pub cloth_gap: Option<f64>,
    /// The least gap of layers of cloth [m]; none when none were near.
    pub layer_gap: Option<f64>,
    /// Crossings of cloth with cloth; none when they were not counted.
    pub crossings_cloth: Option<u64>,
}

/// A part of a cloth and the solid it is near.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The solid among the model's colliders.
    pub collider: usize,
    /// The cloth among the model's.
    pub cloth: usize,
    /// The part of the cloth.
    pub part: ClothPlace,
    /// Where [m].
    pub position: DVec3,
}

/// A part of a cloth, by vertices of its mesh: [`Part`] as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClothPlace {
    /// A vertex.
    Vertex(u32),
    /// An edge.
    Edge([u32; 2]),
    /// A triangle.
    Triangle([u32; 3]),
}

impl ClothPlace {
    /// Its vertices.
    pub fn vertices(&self) -> &[u32] {
        match self {
            Self::Vertex(vertex) => std::slice::from_ref(vertex),
            Self::Edge(ends) => ends,
            Self::Triangle(corners) => corners,
        }
    }
}

impl From<Part> for ClothPlace {
    fn from(part: Part) -> Self {
        match part {
            Part::Vertex(vertex) => Self::Vertex(vertex),
            Part::Edge(ends) => Self::Edge(ends),
            Part::Triangle(corners) => Self::Triangle(corners),
        }
    }
}

impl From<&Place> for Pair {
    fn from(place: &Place) -> Self {
        let position = finite::vector(place.place);
        Self { collider: place.collider, cloth: place.cloth, part: place.part.into(), position }
    }
}

/// The least gap, when and where.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GapPeak {
    /// The gap [m], negative inside.
    pub gap: f64,
    /// The frame.
    pub frame: u64,
    /// When [s].
    pub time: f64,
    /// The cloth and the collider.
    pub pair: Pair,
}

/// Most crossings, when, and one of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CrossingPeak {
    /// How many.
    pub count: u64,
    /// The frame.
    pub frame: u64,
    /// When [s].
    pub time: f64,
    /// The first of them.
    pub pair: Option<Pair>,
}

/// What was moved before the first step, because it started inside a solid or too near to one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Repair {
    /// Vertices that were moved.
    pub moved: u64,
    /// The furthest that one was moved [m].
    pub furthest_m: f64,
    /// Places that are still inside, or too near.
    pub left: u64,
    /// The first few of them, in words.
    pub left_at: Vec<String>,
}

impl Repair {
    /// What a repair did to a model's start; none when there was nothing to do.
    pub fn of(model: &Model, done: &muslin::contact::Repair) -> Option<Self> {
        let name = |place: &Place| {
            let cloth = model.cloths.get(place.cloth).map_or("", |cloth| &cloth.name);
            let collider = model.colliders.get(place.collider).map_or("", |collider| &collider.name);
            format!("{} of `{cloth}` at `{collider}`, gap {:.3} mm", place.part, 1000.0 * place.gap)
        };
        (done.moved + done.left > 0).then(|| Self {
            moved: done.moved as u64,
            furthest_m: finite::number(done.furthest),
            left: done.left as u64,
            left_at: done.first_left.iter().map(name).collect(),
        })
    }
}

/// What is left out of contact because it is pinned on or inside of a solid, or near such a pin. All else that is
/// measured speaks of the rest.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Pinned {
    /// Vertices that are pinned on or inside of a solid where the run starts; one in two solids counts twice, here and
    /// below.
    pub pins: u64,
    /// Vertices that are left out, those pinned among them.
    pub vertices: u64,
    /// Edges that are left out, diagonals that split quads among them.
    pub edges: u64,
    /// Triangles that are left out.
    pub triangles: u64,
    /// The solids against which they are.
    pub colliders: Vec<String>,
    /// Least gap of any of them to that solid, over the frames written [m]; null when it was not measured.
    pub min_gap: Option<f64>,
    /// Their crossings with it, in all frames written together; null when they were not counted.
    pub crossings: Option<u64>,
}

impl Pinned {
    /// What a model leaves out; none when that is nothing.
    pub fn of(model: &Model) -> Option<Self> {
        let mut pinned = Self::default();
        for (collider, count) in Exemptions::of(model).counts() {
            pinned.pins += count.pins as u64;
            pinned.vertices += count.vertices as u64;
            pinned.edges += count.edges as u64;
            pinned.triangles += count.triangles as u64;
            pinned.colliders.extend(model.colliders.get(collider).map(|collider| collider.name.clone()));
        }
        (pinned.pins > 0).then_some(pinned)
    }

    /// In words: which pair, where and how much, and how often it crosses where that was counted.
    pub fn in_words(&self) -> String {
        let Self { pins, vertices, edges, triangles, crossings, .. } = self;
        let solids: Vec<String> = self.colliders.iter().map(|name| format!("`{name}`")).collect();
        let crossings = crossings.map_or(String::new(), |count| format!("; {count} crossings there, counted apart"));
        format!(
            "left out near {pins} pins on or inside of {}: {vertices} vertices, {edges} edges, {triangles} \
             triangles{crossings}",
            solids.join(", ")
        )
    }

    fn frame(&mut self, survey: &Survey) {
        let gap = survey.left_out.nearest.map(|place| finite::number(place.gap));
        self.min_gap = gap.into_iter().chain(self.min_gap).reduce(f64::min);
        self.crossings = Some(self.crossings.unwrap_or(0) + survey.left_out.crossings as u64);
    }
}

impl ContactTally {
    /// Nothing yet, of a model that is stepped so.
    pub fn new(model: &Model, settings: &Settings, repair: Option<Repair>) -> Self {
        let every = model.colliders.iter().flat_map(|collider| collider.thickness.iter().copied());
        Self {
            thickness: every.reduce(f64::min),
            verified: settings.contact.verify && !model.colliders.is_empty(),
            layers: LayersTally::new(model, settings),
            repair,
            pinned: Pinned::of(model),
            ..Self::default()
        }
    }

    pub(super) fn step(&mut self, step: u64, work: &ContactWork) {
        self.contacts += u64::from(work.contacts);
        self.most_contacts = self.most_contacts.max(work.contacts);
        self.truncated_steps += u64::from(work.truncated);
        self.layers.step(work);
        let breach = finite::number(work.breach);
        if breach > self.breach {
            (self.breach, self.breach_step) = (breach, Some(step));
        }
        self.steps += 1;
        let frame = &mut self.under_way;
        // A mean that is brought up to date: the sum of a frame's contacts over its steps.
        frame.contacts_mean += (f64::from(work.contacts) - frame.contacts_mean) / f64::from(self.steps);
        frame.contacts_most = frame.contacts_most.max(work.contacts);
        frame.truncated_steps += u32::from(work.truncated);
    }

    /// Adds a frame, and what its surveys found, of solids and of cloth against cloth; none when it was not surveyed.
    pub(crate) fn frame(&mut self, frame: u64, time: f64, solids: Option<&Survey>, cloth: Option<&ClothSurvey>) {
        self.last = std::mem::take(&mut self.under_way);
        self.steps = 0;
        if let Some(survey) = solids {
            self.frame_with_solids(frame, time, survey);
        }
        if let Some(survey) = cloth {
            self.layers.frame(frame, time, survey);
            self.last.cloth_gap = survey.min_gap().map(finite::number);
            self.last.layer_gap = survey.min_layer_gap().map(finite::number);
            self.last.crossings_cloth = Some(survey.crossings as u64);
        }
        let counts = [solids.map(|survey| survey.crossings), cloth.map(|survey| survey.crossings)];
        self.last.crossings = counts.into_iter().flatten().reduce(|one, other| one + other).map(|count| count as u64);
        let together = self.last.crossings.unwrap_or(0);
        if together > self.most_together.map_or(0, |(most, _)| most) {
            self.most_together = Some((together, frame));
        }
    }

    fn frame_with_solids(&mut self, frame: u64, time: f64, survey: &Survey) {
        if let Some(pinned) = &mut self.pinned {
            pinned.frame(survey);
        }
        let Survey { nearest, crossings, first_crossings, .. } = survey;
        let nearest = nearest.as_ref().map(|place| (finite::number(place.gap), Pair::from(place)));
        self.last.min_gap = nearest.map(|(gap, _)| gap);
        if let Some((gap, pair)) = nearest.filter(|(gap, _)| self.least.is_none_or(|so_far| *gap < so_far.gap)) {
            self.least = Some(GapPeak { gap, frame, time, pair });
        }
        let count = *crossings as u64;
        self.crossings += count;
        if count > self.most_crossings.map_or(0, |most| most.count) {
            let pair = first_crossings.first().map(Pair::from);
            self.most_crossings = Some(CrossingPeak { count, frame, time, pair });
        }
    }

    /// True when no frame shows cloth inside a solid or crossing one, nor crossing cloth where that is promised, and no
    /// step let a breach pass; none when none of this was looked at and no step reported a breach.
    pub fn kept(&self) -> Option<bool> {
        if self.breach > 0.0 {
            return Some(false);
        }
        let clear = self.crossings == 0 && self.least.is_none_or(|least| least.gap >= 0.0);
        let solids = self.verified.then_some(clear);
        [solids, self.layers.kept()].into_iter().flatten().reduce(|one, other| one && other)
    }
}
