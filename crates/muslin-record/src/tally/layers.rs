//! Contact of cloth with itself and with other cloth, over frames and steps.
//!
//! Like that with solids: gaps and crossings are those of the frames written, what the response did that of every step.
//! Both are measured whatever the limiter; only `certified` promises that no cloth crosses cloth, unless
//! `contact.self` is off.

use glam::DVec3;
use muslin::contact::ClothSurvey;
use muslin::contact::survey::ClothPair;
use muslin::report::ContactWork;
use muslin::settings::LimitMethod;
use muslin::{Model, Settings};
use serde::{Deserialize, Serialize};

use super::contact::ClothPlace;
use super::finite;

/// Contact of cloth with cloth over frames and steps.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LayersTally {
    /// True when every frame written is surveyed: there are triangles, and `contact.verify` is set.
    pub verified: bool,
    /// True when the run promises that no cloth crosses cloth.
    pub promised: bool,
    /// The least gap of parts that share no vertex, over the frames written.
    pub least: Option<LayerGapPeak>,
    /// The least gap of different layers; none while no layers were near.
    pub least_layers: Option<LayerGapPeak>,
    /// Crossings of edges and triangles of cloth, in all frames written together.
    pub crossings: u64,
    /// Most of them in one frame, and that frame.
    pub most_crossings: Option<(u64, u64)>,
    /// Pairs of layers that blocked a motion, in all steps together.
    pub divided: u64,
    /// Most of them in one step.
    pub most_divided: u32,
    /// Planes between layers that pushed, in all steps together.
    pub layers: u64,
    /// Most of them in one step.
    pub most_layers: u32,
    /// Sum of their gaps, as multiples of the thickness.
    gap_sum: f64,
}

/// The least gap of parts of cloth, when and where.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LayerGapPeak {
    /// The gap [m]; 0 where they cross.
    pub gap: f64,
    /// The frame.
    pub frame: u64,
    /// When [s].
    pub time: f64,
    /// The cloth of each part among the model's.
    pub cloths: [usize; 2],
    /// The parts.
    pub parts: [ClothPlace; 2],
    /// Where [m].
    pub position: DVec3,
}

impl LayersTally {
    /// Nothing yet, of a model that is stepped so.
    pub fn new(model: &Model, settings: &Settings) -> Self {
        let has_triangles = model.cloths.iter().any(|cloth| !cloth.topology.triangles.is_empty());
        let certified = matches!(settings.limiter.method, LimitMethod::Certified(_));
        Self {
            verified: settings.contact.verify && has_triangles,
            promised: settings.contact.own && certified,
            ..Self::default()
        }
    }

    pub(super) fn step(&mut self, work: &ContactWork) {
        self.divided += u64::from(work.divided);
        self.most_divided = self.most_divided.max(work.divided);
        self.layers += u64::from(work.layers);
        self.most_layers = self.most_layers.max(work.layers);
        self.gap_sum = finite::number(self.gap_sum + work.layer_gap_sum);
    }

    pub(super) fn frame(&mut self, frame: u64, time: f64, survey: &ClothSurvey) {
        let peak = |pair: &ClothPair| LayerGapPeak::of(pair, frame, time);
        lower(&mut self.least, survey.nearest.as_ref().map(peak));
        lower(&mut self.least_layers, survey.nearest_layers.as_ref().map(peak));
        let count = survey.crossings as u64;
        self.crossings += count;
        if count > self.most_crossings.map_or(0, |(most, _)| most) {
            self.most_crossings = Some((count, frame));
        }
    }

    /// Mean gap of the layers that were pushed apart, as a multiple of the thickness; none when none were.
    pub fn mean_gap(&self) -> Option<f64> {
        (self.layers > 0).then(|| self.gap_sum / self.layers as f64)
    }

    /// True when no cloth crosses cloth in a frame; none when that was not promised, or not looked at.
    pub fn kept(&self) -> Option<bool> {
        (self.verified && self.promised).then_some(self.crossings == 0)
    }
}

impl LayerGapPeak {
    fn of(pair: &ClothPair, frame: u64, time: f64) -> Self {
        let (gap, position) = (finite::number(pair.gap), finite::vector(pair.place));
        Self { gap, frame, time, cloths: pair.cloths, parts: pair.parts.map(ClothPlace::from), position }
    }
}

/// Keeps the lesser of two gaps, the earlier one when they are equal.
fn lower(least: &mut Option<LayerGapPeak>, found: Option<LayerGapPeak>) {
    if found.is_some_and(|found| least.is_none_or(|least| found.gap < least.gap)) {
        *least = found;
    }
}
