//! The cloths of a model as a survey sees them: pieces (triangles, and lines that belong to none), edges, vertices.
//!
//! All in particle numbers; what is sewn counts on both sides of its seam, by the name that its own cloth gives it.
//! Quads count with the diagonal that splits them. Vertices in no face and on no line meet nothing and are left out.

use super::Part;
use crate::collide::{Bounds, Bvh};
use crate::mesh::{DisjointSets, SortedSides, unordered};
use crate::model::Model;

/// Triangles and loose lines of all cloths, with their edges.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    /// Corners of each piece; a line has its second end twice.
    pub(crate) corners: Vec<[u32; 3]>,
    /// Every edge once, lower number first, in rising order.
    pub(crate) edges: Vec<[u32; 2]>,
    /// The edges of each piece, and whether it is the first piece that has it: an edge is looked at once.
    pub(crate) sides: Vec<[Option<PieceEdge>; 3]>,
    /// For each particle, the first piece that has it: a vertex is looked at once.
    pub(super) owner: Vec<u32>,
    /// Every particle that a piece has, in rising order.
    pub(crate) vertices: Vec<u32>,
    /// The cloth of each particle.
    pub(crate) cloth: Vec<u32>,
    /// For each particle, the lowest particle that edges join it to.
    pub(crate) island: Vec<u32>,
    /// The tree over the pieces, made where cloth starts; refitted before each query.
    pub(crate) bvh: Bvh,
}

/// An edge of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PieceEdge {
    /// Its number among all edges.
    pub(crate) edge: u32,
    /// Whether this is the first piece that has it.
    pub(crate) first: bool,
}

impl Pieces {
    pub(crate) fn new(model: &Model) -> Self {
        let mut pieces = Self { cloth: vec![0; model.len()], ..Self::default() };
        for (number, part) in (0..).zip(&model.cloths) {
            pieces.cloth[part.particles.clone()].fill(number);
            let particle = |vertex: u32| part.particles.start as u32 + vertex;
            let triangles = part.topology.triangles.iter().map(|corners| corners.map(particle));
            let sides: Vec<[u32; 2]> =
                SortedSides::of(&part.topology.triangles).by_edge().map(|(ends, _)| ends).collect();
            let edges = part.topology.edges.iter().map(|edge| unordered([edge.a, edge.b]));
            let lines = edges.filter(|edge| sides.binary_search(edge).is_err());
            pieces.corners.extend(triangles.chain(lines.map(|[a, b]| [a, b, b].map(particle))));
        }
        pieces.find_edges();
        pieces.find_islands(model.len());
        pieces.vertices = pieces.corners.as_flattened().to_vec();
        pieces.vertices.sort_unstable();
        pieces.vertices.dedup();
        let Self { corners, owner, bvh, .. } = &mut pieces;
        owner.resize(model.len(), u32::MAX);
        for (piece, corners) in (0..).zip(&*corners) {
            for &corner in corners {
                owner[corner as usize] = owner[corner as usize].min(piece);
            }
        }
        bvh.rebuild(corners.len(), |piece| {
            Bounds::of(corners[piece as usize].map(|particle| model.start[particle as usize]))
        });
        pieces
    }

    /// Whether any piece is a triangle.
    pub(crate) fn has_triangles(&self) -> bool {
        self.corners.iter().any(|[_, b, c]| b != c)
    }

    /// The cloth of one, two or three particles, and the part that they are of it.
    pub(super) fn part(&self, model: &Model, particles: &[u32]) -> (usize, Part) {
        let cloth = particles.first().map_or(0, |particle| self.cloth[*particle as usize] as usize);
        let start = model.cloths.get(cloth).map_or(0, |part| part.particles.start as u32);
        let part = match *particles {
            [a] => Part::Vertex(a - start),
            [a, b] => Part::Edge([a - start, b - start]),
            [a, b, c] => Part::Triangle([a - start, b - start, c - start]),
            _ => Part::Vertex(0),
        };
        (cloth, part)
    }

    /// Whether a piece is a line.
    pub(crate) fn is_line(&self, piece: u32) -> bool {
        let [_, b, c] = self.corners[piece as usize];
        b == c
    }

    fn find_edges(&mut self) {
        self.sides = vec![[None; 3]; self.corners.len()];
        for (ends, sides) in SortedSides::of(&self.corners).proper().by_edge() {
            let edge = self.edges.len() as u32;
            self.edges.push(ends);
            for side in sides {
                let first = side.number == sides[0].number;
                self.sides[side.triangle()][side.corner()] = Some(PieceEdge { edge, first });
            }
        }
    }

    fn find_islands(&mut self, particles: usize) {
        let mut islands = DisjointSets::new(particles);
        self.edges.iter().for_each(|&[a, b]| islands.join(a, b));
        self.island = islands.into_lowest();
    }
}
