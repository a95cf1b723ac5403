//! The certificate of a moment: how cloth lies to solids, measured from positions alone.
//!
//! ```text
//! gap = least signed distance of any place of the cloth to the surface of a collider (no thickness taken off)
//! ```
//!
//! | collider | gap | crossings |
//! |---|---|---|
//! | shape | least φ over every triangle and line, exact inside too | edges with a place in the solid; triangles that have one while none of their edges has |
//! | watertight mesh, level set | distance of triangles, negative for vertices inside; 0 where they cross and no vertex is inside | edge of one through, or touching, a triangle of the other, by exact predicates |
//! | open mesh | distance of triangles, 0 where they cross | likewise |
//!
//! A level set is judged by the mesh it was made of: the certificate does not depend on how a method sees a solid. A
//! survey shares no code with the response but the geometry of [`collide`](crate::collide), and keeps no memory of
//! earlier moments but what it allocated.
//!
//! Elements near pins on or inside of a solid, which nothing keeps out of it (`contact::exempt`), are measured apart:
//! all but [`Survey::left_out`] is about the others.
//!
//! Which vertices are inside a mesh: an edge that meets no triangle has both ends on the same side, so one vertex of a
//! cloth decides for all, unless the cloth crosses the mesh; then all are asked.
//!
//! How cloth lies to itself and to other cloth is a survey of its own: [`ClothSurvey`].

mod along;
mod layers;
mod mesh;
mod pieces;
mod shape;

use std::fmt;

use glam::DVec3;

use super::exempt::Exemptions;
use crate::collide::TriangleSurface;
use crate::inputs::Surroundings;
use crate::model::{Collider, Model, Solid};
use along::Along;
pub use layers::{ClothPair, ClothSurvey};
pub(crate) use pieces::Pieces;

/// Crossings and vertices that are named, at most.
pub const NAMED: usize = 8;

/// How cloth lies to solids at a moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Survey {
    /// The place with the least gap; none without colliders or without cloth.
    pub nearest: Option<Place>,
    /// How many pairs of an edge and a triangle, or an edge and a solid, cross or touch. Vertices that are not finite
    /// count too.
    pub crossings: usize,
    /// The first [`NAMED`] of them.
    pub first_crossings: Vec<Place>,
    /// How many vertices are nearer to a collider than the thickness, or inside of it.
    pub too_near: usize,
    /// The first [`NAMED`] of them.
    pub first_too_near: Vec<Place>,
    /// How elements lie that are left out near pins.
    pub left_out: LeftOut,
}

/// How elements lie that are left out of contact near pins on or inside of solids.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LeftOut {
    /// The place with the least gap to the solid against which it is left out; none when none is left out, or all are
    /// further from a mesh than what is considered.
    pub nearest: Option<Place>,
    /// How many pairs of them cross or touch.
    pub crossings: usize,
}

/// A place of a cloth at a collider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Number of the collider.
    pub collider: usize,
    /// Number of the cloth.
    pub cloth: usize,
    /// The part of the cloth.
    pub part: Part,
    /// Where it is [m].
    pub place: DVec3,
    /// Signed distance there [m], negative inside; of a crossing 0 when its depth is not known.
    pub gap: f64,
}

/// A part of a cloth, by the vertex numbers of its own mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A vertex.
    Vertex(u32),
    /// An edge, or the diagonal that splits a quad.
    Edge([u32; 2]),
    /// A triangle.
    Triangle([u32; 3]),
}

impl Part {
    /// Its vertices.
    pub fn vertices(&self) -> &[u32] {
        match self {
            Self::Vertex(vertex) => std::slice::from_ref(vertex),
            Self::Edge(ends) => ends,
            Self::Triangle(corners) => corners,
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vertex(vertex) => write!(f, "vertex {vertex}"),
            Self::Edge([a, b]) => write!(f, "edge {a}–{b}"),
            Self::Triangle([a, b, c]) => write!(f, "triangle {a}–{b}–{c}"),
        }
    }
}

impl Survey {
    /// The least signed distance of cloth to a collider [m]; none without colliders or without cloth.
    pub fn min_gap(&self) -> Option<f64> {
        self.nearest.map(|nearest| nearest.gap)
    }

    /// Whether no cloth is in a solid and none crosses one.
    pub fn is_clear(&self) -> bool {
        self.crossings == 0 && self.min_gap().is_none_or(|gap| gap >= 0.0)
    }

    /// Takes a place for the least gap; of an element that is `left_out`, apart.
    fn offer(&mut self, place: Place, left_out: bool) {
        let nearest = if left_out { &mut self.left_out.nearest } else { &mut self.nearest };
        if nearest.is_none_or(|nearest| place.gap < nearest.gap) {
            *nearest = Some(place);
        }
    }

    /// Counts a crossing; of an element that is `left_out`, apart.
    fn cross(&mut self, place: Place, left_out: bool) {
        if left_out {
            self.left_out.crossings += 1;
            return;
        }
        self.crossings += 1;
        if self.first_crossings.len() < NAMED {
            self.first_crossings.push(place);
        }
    }

    fn near(&mut self, place: Place) {
        self.too_near += 1;
        if self.first_too_near.len() < NAMED {
            self.first_too_near.push(place);
        }
    }
}

/// Measures moments of a model; keeps its memory from one to the next.
#[derive(Debug, Clone)]
pub struct Surveyor {
    pieces: Pieces,
    exempt: Exemptions,
    /// The surface of each collider that has a mesh.
    surfaces: Vec<Option<TriangleSurface>>,
    /// What is near what along the cloths; made when cloth is first measured against cloth.
    along: Option<Along>,
    last: layers::Last,
    memory: Memory,
}

/// Working memory.
#[derive(Debug, Clone, Default)]
struct Memory {
    /// Where particles are, as the solid sees them [m].
    local: Vec<DVec3>,
    /// Their signed distances [m].
    gaps: Vec<f64>,
    /// Where the vertices of a mesh are [m].
    placed: Vec<DVec3>,
    /// For each particle, whether the island it begins crosses the mesh.
    crossed: Vec<bool>,
    /// For each particle, whether the island it begins is inside the mesh; none: not asked yet.
    inside: Vec<Option<bool>>,
}

/// What all of a survey looks at.
#[derive(Clone, Copy)]
pub(super) struct SurveyContext<'a> {
    pub(super) model: &'a Model,
    pub(super) pieces: &'a Pieces,
    /// What is left out near pins.
    pub(super) exempt: &'a Exemptions,
    /// Where particles are [m].
    pub(super) x: &'a [DVec3],
    /// Number of the collider.
    pub(super) number: usize,
}

impl Surveyor {
    /// A surveyor for a model.
    pub fn new(model: &Model) -> Self {
        let surface = |collider: &Collider| {
            let mesh = collider.mesh()?;
            Some(TriangleSurface::new(mesh.positions.clone(), mesh.triangles.clone()))
        };
        Self {
            pieces: Pieces::new(model),
            exempt: Exemptions::of(model),
            surfaces: model.colliders.iter().map(surface).collect(),
            along: None,
            last: layers::Last::default(),
            memory: Memory::default(),
        }
    }

    /// Measures the positions `x` [m] of all particles against the colliders where they are at a moment: at a time, or
    /// in a state.
    pub fn measure<'a>(&mut self, model: &Model, x: &[DVec3], at: impl Into<Surroundings<'a>>) -> Survey {
        let at = at.into();
        let mut survey = Survey::default();
        self.refit(x);
        for (number, collider) in model.colliders.iter().enumerate() {
            let moment = SurveyContext { model, pieces: &self.pieces, exempt: &self.exempt, x, number };
            moment.count_lost(&mut survey);
            match (&collider.solid, &mut self.surfaces[number]) {
                (Solid::Shape { shape, .. }, _) => {
                    shape::measure(moment, shape, &at.pose(model, number), &mut self.memory, &mut survey);
                }
                (_, Some(surface)) => {
                    at.positions(model, number, &mut self.memory.placed);
                    if self.memory.placed != surface.positions() {
                        surface.update(&self.memory.placed);
                    }
                    mesh::measure(moment, surface, &mut self.memory, &mut survey);
                }
                (_, None) => {}
            }
        }
        survey
    }

    /// Measures how cloth at `x` [m] lies to itself and to other cloth; without triangles there is nothing to cross,
    /// and nothing is measured.
    pub fn measure_cloth(&mut self, model: &Model, x: &[DVec3]) -> ClothSurvey {
        if !self.pieces.has_triangles() {
            return ClothSurvey::default();
        }
        self.refit(x);
        let Self { pieces, along, last, .. } = self;
        let along = along.get_or_insert_with(|| Along::new(model, pieces));
        layers::measure(layers::Moment { model, pieces, along, x }, last)
    }

    /// Takes the cloths' new boxes. The tree is that of the start, so that what is named first does not depend on when
    /// a surveyor was made: cloth stays next to what it is joined to.
    fn refit(&mut self, x: &[DVec3]) {
        let Pieces { corners, bvh, .. } = &mut self.pieces;
        bvh.refit(|piece| crate::collide::Bounds::of(corners[piece as usize].map(|i| x[i as usize])));
    }
}

/// Measures a moment once; a [`Surveyor`] keeps its memory for more.
pub fn survey<'a>(model: &Model, x: &[DVec3], at: impl Into<Surroundings<'a>>) -> Survey {
    Surveyor::new(model).measure(model, x, at)
}

/// Measures cloth against cloth once, itself included; a [`Surveyor`] keeps its memory for more.
pub fn survey_cloth(model: &Model, x: &[DVec3]) -> ClothSurvey {
    Surveyor::new(model).measure_cloth(model, x)
}

impl SurveyContext<'_> {
    /// Vertices that are not finite are nowhere; no certificate is given for them.
    fn count_lost(&self, survey: &mut Survey) {
        for &vertex in self.pieces.vertices.iter().filter(|vertex| !self.x[**vertex as usize].is_finite()) {
            survey.cross(self.place(&[vertex], DVec3::ZERO, 0.0), false);
        }
    }

    /// Whether the element of these particles is left out near a pin.
    fn is_left_out(&self, particles: [u32; 3]) -> bool {
        self.exempt.contains(self.number, particles)
    }

    /// The distance that a particle has to keep [m].
    fn thickness(&self, particle: u32) -> f64 {
        let cloth = self.pieces.cloth[particle as usize] as usize;
        self.model.colliders[self.number].thickness.get(cloth).copied().unwrap_or(0.0)
    }

    /// A place on one, two or three particles.
    fn place(&self, particles: &[u32], place: DVec3, gap: f64) -> Place {
        let (cloth, part) = self.pieces.part(self.model, particles);
        Place { collider: self.number, cloth, part, place, gap }
    }

    /// A place by the weights of three particles: on those that have a weight.
    pub(super) fn weighted(&self, corners: [u32; 3], weights: [f64; 3], gap: f64) -> Place {
        let (used, count) = used(corners, weights);
        let place = (0..3).map(|i| self.x[corners[i] as usize] * weights[i]).sum();
        self.place(&used[..count], place, gap)
    }
}

/// Those of three particles that have a weight, each once, and how many they are.
fn used(corners: [u32; 3], weights: [f64; 3]) -> ([u32; 3], usize) {
    let (mut used, mut count) = ([corners[0]; 3], 0);
    for i in (0..3).filter(|&i| weights[i] > 0.0) {
        if !used[..count].contains(&corners[i]) {
            used[count] = corners[i];
            count += 1;
        }
    }
    (used, count.max(1))
}
