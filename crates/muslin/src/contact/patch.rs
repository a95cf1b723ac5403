//! Adjacency on triangles: each edge and each corner once, and what lies around them.

use crate::mesh::{Incidence, SortedSides};

/// No element.
pub(super) const NONE: u32 = u32::MAX;

/// Triangles with their edges. A line that belongs to no face is a triangle whose second and third corner are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Patch {
    /// Corners of each triangle.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Every edge once, lower number first, in rising order.
    pub(crate) edges: Vec<[u32; 2]>,
    /// The corners opposite each edge, of the first two triangles that share it; [`NONE`]: it is a border.
    pub(super) opposite: Vec<[u32; 2]>,
    /// What each triangle answers for, so that no corner or edge comes twice.
    pub(super) owned: Vec<Owned>,
    /// The corners joined to each corner by an edge.
    neighbours: Incidence,
}

/// The corners and edges that one triangle answers for; [`NONE`] fills up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owned {
    pub(super) corners: [u32; 3],
    pub(super) edges: [u32; 3],
}

impl Patch {
    /// The triangles over so many corners.
    pub(crate) fn new(triangles: Vec<[u32; 3]>, corners: usize) -> Self {
        let mut patch = Self {
            owned: vec![Owned { corners: [NONE; 3], edges: [NONE; 3] }; triangles.len()],
            triangles,
            ..Self::default()
        };
        for ([a, b], sides) in SortedSides::of(&patch.triangles).proper().by_edge() {
            // The line [a, b, b] has no opposite corner.
            let others = sides.iter().map(|side| side.opposite(&patch.triangles));
            let mut others = others.filter(|&other| other != a && other != b);
            let opposite = [others.next().unwrap_or(NONE), others.next().unwrap_or(NONE)];
            let owner = &mut patch.owned[sides[0].triangle()].edges;
            if let Some(free) = owner.iter_mut().find(|edge| **edge == NONE) {
                *free = patch.edges.len() as u32;
            }
            patch.edges.push([a, b]);
            patch.opposite.push(opposite);
        }
        patch.own_corners(corners);
        patch.neighbours = Incidence::of(corners, patch.edges.iter().flat_map(|&[a, b]| [(a, b), (b, a)]));
        patch
    }

    /// The corners joined to one by an edge.
    pub(super) fn neighbours(&self, corner: u32) -> &[u32] {
        self.neighbours.at(corner as usize)
    }

    fn own_corners(&mut self, corners: usize) {
        let mut taken = vec![false; corners];
        for (triangle, owned) in self.triangles.iter().zip(&mut self.owned) {
            for (corner, place) in triangle.iter().zip(&mut owned.corners) {
                if !std::mem::replace(&mut taken[*corner as usize], true) {
                    *place = *corner;
                }
            }
        }
    }
}

/// The places of a list that are in use.
pub(super) fn used(places: &[u32; 3]) -> impl Iterator<Item = u32> + '_ {
    places.iter().copied().filter(|place| *place != NONE)
}
