//! Who is next to whom on triangles: each edge and each corner once, and what lies around them.

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
    /// Where the neighbours of each corner begin among `neighbours`, and the end.
    first: Vec<u32>,
    neighbours: Vec<u32>,
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
        let mut sides: Vec<([u32; 2], u32, u32)> = Vec::with_capacity(3 * triangles.len());
        for (number, &[a, b, c]) in (0..).zip(&triangles) {
            let around = [(a, b, c), (b, c, a), (c, a, b)];
            sides.extend(around.iter().filter(|(a, b, _)| a != b).map(|&(a, b, c)| ([a.min(b), a.max(b)], number, c)));
        }
        sides.sort_unstable();
        let mut patch = Self {
            edges: Vec::new(),
            opposite: Vec::new(),
            owned: vec![Owned { corners: [NONE; 3], edges: [NONE; 3] }; triangles.len()],
            first: Vec::new(),
            neighbours: Vec::new(),
            triangles,
        };
        for group in sides.chunk_by(|one, other| one.0 == other.0) {
            let [a, b] = group[0].0;
            // The line [a, b, b] has no opposite corner.
            let mut others = group.iter().map(|side| side.2).filter(|&other| other != a && other != b);
            let owner = &mut patch.owned[group[0].1 as usize].edges;
            if let Some(free) = owner.iter_mut().find(|edge| **edge == NONE) {
                *free = patch.edges.len() as u32;
            }
            patch.edges.push([a, b]);
            patch.opposite.push([others.next().unwrap_or(NONE), others.next().unwrap_or(NONE)]);
        }
        patch.own_corners(corners);
        patch.join_neighbours(corners);
        patch
    }

    /// The corners joined to one by an edge.
    pub(super) fn neighbours(&self, corner: u32) -> &[u32] {
        let corner = corner as usize;
        &self.neighbours[self.first[corner] as usize..self.first[corner + 1] as usize]
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

    fn join_neighbours(&mut self, corners: usize) {
        let mut pairs: Vec<[u32; 2]> = self.edges.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
        pairs.sort_unstable();
        self.first = vec![0; corners + 1];
        for [a, _] in &pairs {
            self.first[*a as usize + 1] += 1;
        }
        for corner in 0..corners {
            self.first[corner + 1] += self.first[corner];
        }
        self.neighbours = pairs.iter().map(|[_, b]| *b).collect();
    }
}

/// The places of a list that are in use.
pub(super) fn used(places: &[u32; 3]) -> impl Iterator<Item = u32> + '_ {
    places.iter().copied().filter(|place| *place != NONE)
}
