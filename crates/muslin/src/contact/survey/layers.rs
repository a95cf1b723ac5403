//! A survey of cloth against cloth, itself included: crossings, the least gap, the least gap of layers.
//!
//! ```text
//! crossing   an edge through, or touching, a triangle with which it shares no vertex, by exact predicates
//! gap        least distance of a vertex and a triangle that has it not, or of two edges without a common end;
//!            0 where any cross
//! layers     the same over parts that lie in different layers (`along`) and are nearer than r in space
//! ```
//!
//! All cloths count as one: parts may be of one cloth or of two. What is sewn is one vertex. Lines count as triangles
//! whose second and third corner are the same, but nothing crosses a line. On a fine mesh the gap is that of
//! neighbours, the height of a triangle; that of layers is how near the cloth comes to itself or to other cloth. It is
//! none where no layers are nearer than r, the greater reach of the two cloths.
//!
//! Vertices that are not finite are nowhere: each counts as a crossing; edges and triangles that have one cross
//! nothing.

use glam::DVec3;

use super::along::Along;
use super::mesh::passage;
use super::pieces::PieceEdge;
use super::{NAMED, Part, Pieces, used};
use crate::collide::{Bounds, Meeting, closest_of_edges, closest_on_triangle, edge_meets_triangle, separated};
use crate::model::Model;

/// How cloth lies to itself and to other cloth at a moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClothSurvey {
    /// The parts with the least gap of all that share no vertex; none without cloth.
    pub nearest: Option<ClothPair>,
    /// The parts of different layers with the least gap; none where no layers are near.
    pub nearest_layers: Option<ClothPair>,
    /// How many pairs of an edge and a triangle cross or touch. Vertices that are not finite count too.
    pub crossings: usize,
    /// The first [`NAMED`] of them, the edge first.
    pub first_crossings: Vec<ClothPair>,
}

/// Two parts of cloth, of one cloth or of two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClothPair {
    /// Number of the cloth of each.
    pub cloths: [usize; 2],
    /// The parts.
    pub parts: [Part; 2],
    /// Where they are: half way between [m].
    pub place: DVec3,
    /// Their distance [m]; 0 when they cross.
    pub gap: f64,
}

impl ClothSurvey {
    /// The least distance of parts of cloth that share no vertex [m].
    pub fn min_gap(&self) -> Option<f64> {
        self.nearest.map(|nearest| nearest.gap)
    }

    /// The least distance of layers [m]; none where none are near.
    pub fn min_layer_gap(&self) -> Option<f64> {
        self.nearest_layers.map(|nearest| nearest.gap)
    }

    /// Counts a crossing.
    fn cross(&mut self, pair: ClothPair, are_layers: bool) {
        self.crossings += 1;
        if self.first_crossings.len() < NAMED {
            self.first_crossings.push(pair);
        }
        self.nearest.get_or_insert(pair);
        if are_layers {
            self.nearest_layers.get_or_insert(pair);
        }
    }
}

/// What all of a survey looks at.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub(super) model: &'a Model,
    pub(super) pieces: &'a Pieces,
    pub(super) along: &'a Along,
    /// Where particles are [m].
    pub(super) x: &'a [DVec3],
}

/// The pieces that were nearest last, which bound the next search: of all parts, and of layers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Last {
    all: Option<[u32; 2]>,
    layers: Option<[u32; 2]>,
}

pub(super) fn measure(moment: Moment<'_>, last: &mut Last) -> ClothSurvey {
    let mut survey = ClothSurvey::default();
    moment.count_lost(&mut survey);
    moment.count_crossings(&mut survey);
    // What crosses is at no distance already.
    if survey.nearest.is_none() {
        survey.nearest = moment.nearest(f64::INFINITY, |_| f64::INFINITY, &mut last.all);
    }
    if survey.nearest_layers.is_none() {
        let allowed = |duo: &Duo| moment.layers_reach(duo);
        survey.nearest_layers = moment.nearest(moment.along.greatest_reach(), allowed, &mut last.layers);
    }
    survey
}

/// Two parts of cloth whose distance is measured; together they have that of all parts.
#[derive(Clone, Copy)]
enum Duo {
    VertexTriangle([u32; 1], [u32; 3]),
    Edges([u32; 2], [u32; 2]),
}

impl Duo {
    fn parts(&self) -> [&[u32]; 2] {
        match self {
            Self::VertexTriangle(vertex, triangle) => [vertex, triangle],
            Self::Edges(one, other) => [one, other],
        }
    }
}

impl<'a> Moment<'a> {
    fn count_lost(self, survey: &mut ClothSurvey) {
        for &vertex in self.pieces.vertices.iter().filter(|vertex| !self.x[**vertex as usize].is_finite()) {
            survey.cross(self.pair([&[vertex]; 2], DVec3::ZERO, 0.0), true);
        }
    }

    /// Counts edges that meet triangles, each pair once: an edge belongs to the first piece that has it.
    fn count_crossings(self, survey: &mut ClothSurvey) {
        self.pieces.bvh.own_pairs(|s, t| {
            for [of, triangle] in [[s, t], [t, s]] {
                if self.pieces.is_line(triangle) {
                    continue;
                }
                let corners = self.pieces.corners[triangle as usize];
                let bounds = Bounds::of(self.of(corners));
                for edge in self.edges(of).filter(|edge| !edge.iter().any(|end| corners.contains(end))) {
                    if bounds.meets(&Bounds::of(self.of(edge))) {
                        self.count_crossing(edge, corners, survey);
                    }
                }
            }
        });
    }

    fn count_crossing(self, edge: [u32; 2], triangle: [u32; 3], survey: &mut ClothSurvey) {
        let (ends, corners) = (self.of(edge), self.of(triangle));
        // Parts that are not finite are separated by no axis.
        let is_finite = ends.iter().chain(&corners).all(|place| place.is_finite());
        if separated(ends, corners) || !is_finite || edge_meets_triangle(ends, corners) == Meeting::Apart {
            return;
        }
        let pair = self.pair([&edge, &triangle], passage(ends, corners), 0.0);
        survey.cross(pair, self.along.are_layers(&edge, &triangle));
    }

    /// The pair with the least distance among those nearer than `reach` [m], and each nearer than what is `allowed` for
    /// it [m]. That of the `last` search is looked at first, which changes nothing but how soon the search ends.
    fn nearest(self, reach: f64, allowed: impl Fn(&Duo) -> f64, last: &mut Option<[u32; 2]>) -> Option<ClothPair> {
        let least = |s: u32, t: u32, beat: f64| self.nearest_of_pieces(s, t, beat, &allowed);
        let squared = |s: u32, t: u32, beat: f64| least(s, t, beat).map_or(f64::INFINITY, |(squared, _)| squared);
        let known = last.map_or(f64::INFINITY, |[s, t]| squared(s, t, f64::INFINITY));
        // A little further, so that the pair is found again if there is no nearer one.
        let reach = reach.min(known.sqrt() * (1.0 + 1e-9) + f64::MIN_POSITIVE);
        *last = self.pieces.bvh.nearest_own_pair(reach, squared).map(|(s, t, _)| [s, t]);
        let (_, duo) = last.and_then(|[s, t]| least(s, t, f64::INFINITY))?;
        Some(self.measured(&duo))
    }

    /// The nearest parts of two pieces, and their squared distance [m²], if it is less than what is to `beat`.
    fn nearest_of_pieces(self, s: u32, t: u32, beat: f64, allowed: impl Fn(&Duo) -> f64) -> Option<(f64, Duo)> {
        let (mut beat, mut best) = (beat, None);
        self.each_duo(s, t, |duo| {
            // In the order of what it costs.
            if self.apart_squared(&duo) >= beat {
                return;
            }
            let allowed = allowed(&duo);
            if allowed > 0.0 {
                let squared = self.between(&duo).2.length_squared();
                if squared < beat && squared < allowed * allowed {
                    (beat, best) = (squared, Some((squared, duo)));
                }
            }
        });
        best
    }

    /// Calls back for the parts that two pieces have and that share no vertex. Each vertex and edge belongs to one
    /// piece, so no pair comes twice.
    fn each_duo(self, s: u32, t: u32, mut found: impl FnMut(Duo)) {
        for [of, triangle] in [[s, t], [t, s]] {
            let corners = self.pieces.corners[triangle as usize];
            for vertex in self.vertices(of).filter(|vertex| !corners.contains(vertex)) {
                found(Duo::VertexTriangle([vertex], corners));
            }
        }
        for edge in self.edges(s) {
            for other in self.edges(t).filter(|other| !other.iter().any(|end| edge.contains(end))) {
                found(Duo::Edges(edge, other));
            }
        }
    }

    /// Squared distance of the boxes of two parts [m²].
    fn apart_squared(self, duo: &Duo) -> f64 {
        match *duo {
            Duo::VertexTriangle([vertex], corners) => {
                Bounds::of(self.of(corners)).distance_squared(self.x[vertex as usize])
            }
            Duo::Edges(one, other) => Bounds::of(self.of(one)).apart_squared(&Bounds::of(self.of(other))),
        }
    }

    /// How near two parts must be to be layers [m]; 0 when they are not.
    fn layers_reach(self, duo: &Duo) -> f64 {
        let [one, other] = duo.parts();
        if !self.along.are_layers(one, other) {
            return 0.0;
        }
        let [one, other] = [one, other].map(|part| self.along.reach(self.pieces.cloth[part[0] as usize]));
        one.max(other)
    }

    /// Weights of the nearest places of two parts, and the vector between them [m].
    fn between(self, duo: &Duo) -> ([f64; 3], [f64; 3], DVec3) {
        match *duo {
            Duo::VertexTriangle([vertex], triangle) => {
                let vertex = self.x[vertex as usize];
                let near = closest_on_triangle(vertex, self.of(triangle));
                ([1.0, 0.0, 0.0], near.weights, vertex - near.point)
            }
            Duo::Edges(one, other) => {
                let near = closest_of_edges(self.of(one), self.of(other));
                ([1.0 - near.s, near.s, 0.0], [1.0 - near.t, near.t, 0.0], near.vector)
            }
        }
    }

    /// Two parts, as far as they are the nearest places.
    fn measured(self, duo: &Duo) -> ClothPair {
        let (first, second, vector) = self.between(duo);
        let whole = |part: &[u32]| [part[0], part[part.len().min(2) - 1], part[part.len() - 1]];
        let [one, other] = duo.parts().map(whole);
        let place = |corners: [u32; 3], weights: [f64; 3]| -> DVec3 {
            (0..3).map(|i| self.x[corners[i] as usize] * weights[i]).sum()
        };
        let middle = 0.5 * (place(one, first) + place(other, second));
        let ((one, ones), (other, others)) = (used(one, first), used(other, second));
        self.pair([&one[..ones], &other[..others]], middle, vector.length())
    }

    fn pair(self, parts: [&[u32]; 2], place: DVec3, gap: f64) -> ClothPair {
        let [(one, first), (other, second)] = parts.map(|particles| self.pieces.part(self.model, particles));
        ClothPair { cloths: [one, other], parts: [first, second], place, gap }
    }

    /// The vertices that belong to a piece.
    fn vertices(self, piece: u32) -> impl Iterator<Item = u32> + 'a {
        let Self { pieces, .. } = self;
        let corners = &pieces.corners[piece as usize];
        corners.iter().copied().filter(move |&corner| pieces.owner[corner as usize] == piece)
    }

    /// The edges that belong to a piece.
    fn edges(self, piece: u32) -> impl Iterator<Item = [u32; 2]> + 'a {
        let Self { pieces, .. } = self;
        let sides = pieces.sides[piece as usize].iter().flatten().filter(|side| side.first);
        sides.map(|&PieceEdge { edge, .. }| pieces.edges[edge as usize])
    }

    /// Where particles are [m].
    fn of<const N: usize>(self, particles: [u32; N]) -> [DVec3; N] {
        particles.map(|i| self.x[i as usize])
    }
}
