//! What `muslin check` prints about solids: what they are, and where cloth starts inside of them or too near.

use muslin::collide::{Shape, TriangleSurface};
use muslin::contact::survey::Place;
use muslin::contact::{Repair, Survey, survey};
use muslin::model::{Collider, Model, Solid};
use muslin_record::tally::Pinned;
use serde_json::{Value, json};

use crate::progress::three_digits;

/// Places that are printed in words; the JSON output has all that are named.
const MOST_PRINTED: usize = 3;

/// How the cloths of a scene start to its solids.
pub(super) struct Start {
    survey: Survey,
    /// What pushing them out would do; none when that is not wanted or not needed.
    repair: Option<Repair>,
    /// What is left out near pins; none when nothing is.
    pinned: Option<Pinned>,
}

impl Start {
    /// Before anything is moved; `repair` is what a run would move.
    pub(super) fn of(model: &Model, repair: Option<Repair>) -> Self {
        let survey = survey(model, &model.start, 0.0);
        let needed = !survey.is_clear() || survey.too_near > 0;
        let apart = |pinned: Pinned| Pinned {
            min_gap: survey.left_out.nearest.map(|place| place.gap),
            crossings: Some(survey.left_out.crossings as u64),
            ..pinned
        };
        let pinned = Pinned::of(model).map(apart);
        Self { survey, repair: repair.filter(|_| needed), pinned }
    }

    /// For programs.
    pub(super) fn facts(&self, model: &Model) -> Value {
        let places = |list: &[Place]| list.iter().map(|place| self::place(model, place)).collect::<Vec<_>>();
        let repair = self.repair.as_ref().map(|repair| {
            json!({
                "moved_vertices": repair.moved, "furthest_m": repair.furthest, "left": repair.left,
                "first_left": places(&repair.first_left),
            })
        });
        json!({
            "min_gap_m": self.survey.min_gap(),
            "crossings": self.survey.crossings, "first_crossings": places(&self.survey.first_crossings),
            "too_near": self.survey.too_near, "first_too_near": places(&self.survey.first_too_near),
            "repair": repair, "pinned": self.pinned,
        })
    }

    /// In lines, for people.
    pub(super) fn describe(&self, model: &Model) -> Vec<String> {
        let pinned = self.pinned.as_ref().map(|pinned| format!("start     {}", pinned.in_words()));
        self.describe_considered(model).into_iter().chain(pinned).collect()
    }

    /// All but what is left out near pins.
    fn describe_considered(&self, model: &Model) -> Vec<String> {
        let Some(nearest) = &self.survey.nearest else { return Vec::new() };
        let Survey { crossings, too_near, .. } = self.survey;
        if self.survey.is_clear() && too_near == 0 {
            return vec![format!("start     clear of all solids; nearest: {}", in_words(model, nearest))];
        }
        let list = |places: &[Place]| {
            let printed: Vec<String> = places.iter().take(MOST_PRINTED).map(|place| in_words(model, place)).collect();
            printed.join("; ") + if places.len() > MOST_PRINTED { "; …" } else { "" }
        };
        let mut lines = Vec::new();
        if too_near > 0 {
            let which = list(&self.survey.first_too_near);
            lines.push(format!(
                "start     {} inside a solid, or nearer than the thickness: {which}",
                count(too_near, "vertex starts", "vertices start")
            ));
        }
        if crossings > 0 {
            let which = list(&self.survey.first_crossings);
            lines.push(format!(
                "start     {} a solid: {which}",
                count(crossings, "edge or triangle crosses", "edges and triangles cross")
            ));
        }
        lines.push(self.remedy(model));
        lines
    }

    fn remedy(&self, model: &Model) -> String {
        match &self.repair {
            None => "start     it is not moved out, because `contact.repair` is false".to_owned(),
            Some(Repair { moved, furthest, left: 0, .. }) => {
                let moved = count(*moved, "vertex", "vertices");
                format!("start     before the first step {moved} will be moved, by up to {} m", three_digits(*furthest))
            }
            Some(Repair { left, first_left, .. }) => {
                let which: Vec<String> =
                    first_left.iter().take(MOST_PRINTED).map(|place| in_words(model, place)).collect();
                let left = count(*left, "place is", "places are");
                format!("start     {left} left that cannot be moved out within the strain limit: {}", which.join("; "))
            }
        }
    }
}

/// A line for each collider.
pub(super) fn describe(model: &Model) -> Vec<String> {
    model.colliders.iter().map(|collider| format!("collider  `{}`: {}", collider.name, about(collider))).collect()
}

/// The colliders, for programs.
pub(super) fn facts(model: &Model) -> Vec<Value> {
    let fact = |collider: &Collider| {
        json!({
            "name": collider.name, "kind": kind(&collider.solid), "moving": !collider.rests(),
            "triangles": collider.mesh().map(|mesh| mesh.triangles.len()), "watertight": watertight(collider),
            "thickness_m": collider.thickness, "friction": collider.friction,
        })
    };
    model.colliders.iter().map(fact).collect()
}

fn kind(solid: &Solid) -> &'static str {
    match solid {
        Solid::Shape { shape: Shape::Plane, .. } => "plane",
        Solid::Shape { shape: Shape::Sphere { .. }, .. } => "sphere",
        Solid::Shape { shape: Shape::Box { .. }, .. } => "box",
        Solid::Shape { shape: Shape::Capsule { .. }, .. } => "capsule",
        Solid::Shape { shape: Shape::Cylinder { .. }, .. } => "cylinder",
        Solid::Mesh(_) => "mesh",
        Solid::Deforming { .. } => "deforming mesh",
        Solid::LevelSet { .. } => "level set (triangles for `certified`)",
    }
}

fn watertight(collider: &Collider) -> Option<bool> {
    let mesh = collider.mesh()?;
    Some(TriangleSurface::new(mesh.positions.clone(), mesh.triangles.clone()).is_watertight())
}

fn about(collider: &Collider) -> String {
    let mut parts = vec![kind(&collider.solid).to_owned()];
    if let Some(mesh) = collider.mesh() {
        parts.push(format!("{} triangles", mesh.triangles.len()));
        parts.push(if watertight(collider) == Some(true) { "watertight" } else { "open" }.to_owned());
    }
    if let Solid::Deforming { cache, .. } = &collider.solid {
        let (count, first) = (cache.shapes.len(), cache.start);
        let last = first + cache.interval * (count.max(1) - 1) as f64;
        parts.push(format!("{count} shapes from {} s to {} s", three_digits(first), three_digits(last)));
    }
    parts.push(if collider.rests() { "at rest" } else { "moving" }.to_owned());
    parts.join(", ")
}

fn place(model: &Model, place: &Place) -> Value {
    json!({
        "cloth": model.cloths[place.cloth].name, "part": place.part.to_string(), "vertices": place.part.vertices(),
        "collider": model.colliders[place.collider].name, "gap_m": place.gap, "position_m": place.place.to_array(),
    })
}

fn in_words(model: &Model, place: &Place) -> String {
    let (cloth, collider) = (&model.cloths[place.cloth].name, &model.colliders[place.collider].name);
    let gap = three_digits(place.gap.abs());
    let how = if place.gap < 0.0 { format!("{gap} m inside") } else { format!("{gap} m from") };
    // To a tenth of a millimetre, without the sign of what is nothing.
    let [x, y, z] = place.place.to_array().map(|x| (x * 1e4).round() / 1e4 + 0.0);
    format!("{} of `{cloth}`, {how} `{collider}` at ({x}, {y}, {z})", place.part)
}

/// "1 vertex", "3 vertices".
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
