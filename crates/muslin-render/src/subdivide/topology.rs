//! Edges of a mesh of triangles, and what each vertex is: inside, on a border, or one that stays.

use glam::Vec3;

use super::quartered;

/// Border edges that meet at a smaller angle (by its cosine: 120°) are a corner of the outline.
const CORNER_COSINE: f32 = -0.5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VertexRule {
    /// Surface all around.
    Inner,
    /// On a smooth border.
    Border,
    /// Stays where it is.
    Corner,
}

#[derive(Debug, Clone)]
pub(super) struct Edge {
    /// The lesser vertex first.
    pub(super) ends: [u32; 2],
    /// The vertices across, of an edge of two triangles; all other edges are borders.
    pub(super) opposite: Option<[u32; 2]>,
}

/// A side of a triangle: corner `side % 3` of triangle `side / 3` and the corner after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    ends: [u32; 2],
    side: u32,
}

/// All edges, ordered by their ends.
#[derive(Debug, Clone)]
pub(super) struct Edges {
    list: Vec<Edge>,
    /// Edges of each triangle: from corner 0 to 1, 1 to 2, 2 to 0.
    of_triangle: Vec<[u32; 3]>,
    /// Sides of triangles, those of one edge together.
    sides: Vec<Side>,
}

impl Edges {
    pub(super) fn new(triangles: &[[u32; 3]]) -> Self {
        let mut sides: Vec<Side> = (0..triangles.len() * 3)
            .map(|side| {
                let [one, other] = [side % 3, (side + 1) % 3].map(|corner| triangles[side / 3][corner]);
                Side { ends: [one.min(other), one.max(other)], side: side as u32 }
            })
            .collect();
        sides.sort_unstable();
        let mut edges = Vec::with_capacity(sides.len() / 2);
        let mut of_triangle = vec![[0; 3]; triangles.len()];
        for same in sides.chunk_by(|one, other| one.ends == other.ends) {
            for side in same {
                of_triangle[side.side as usize / 3][side.side as usize % 3] = edges.len() as u32;
            }
            let across = |side: Side| triangles[side.side as usize / 3][(side.side as usize + 2) % 3];
            let opposite = if let &[left, right] = same { Some([across(left), across(right)]) } else { None };
            edges.push(Edge { ends: same[0].ends, opposite });
        }
        Self { list: edges, of_triangle, sides }
    }

    pub(super) fn all(&self) -> &[Edge] {
        &self.list
    }

    /// The triangles of the next level, in which the point on edge e is vertex `vertices + e`.
    pub(super) fn split(&self, triangles: &[[u32; 3]], vertices: usize) -> Vec<[u32; 3]> {
        let split_one = |(&corners, edges): (&[u32; 3], &[u32; 3])| {
            let [ab, bc, ca] = edges.map(|edge| vertices as u32 + edge);
            quartered(corners, ab, bc, ca)
        };
        triangles.iter().zip(&self.of_triangle).flat_map(split_one).collect()
    }
}

/// The rule of each vertex of the mesh itself.
pub(super) fn vertex_rules(rest: &[Vec3], triangles: &[[u32; 3]], edges: &Edges) -> Vec<VertexRule> {
    let fans = fans_at_vertices(rest.len(), triangles, edges);
    let mut borders = vec![Vec::new(); rest.len()];
    for edge in edges.all().iter().filter(|edge| edge.opposite.is_none()) {
        let [one, other] = edge.ends;
        borders[one as usize].push(other);
        borders[other as usize].push(one);
    }
    let rule = |vertex: usize| match (fans[vertex], borders[vertex].as_slice()) {
        (1, []) => VertexRule::Inner,
        (1, &[one, other]) if !is_corner(rest[vertex], rest[one as usize], rest[other as usize]) => VertexRule::Border,
        _ => VertexRule::Corner,
    };
    (0..rest.len()).map(rule).collect()
}

fn is_corner(vertex: Vec3, one: Vec3, other: Vec3) -> bool {
    let (one, other) = (one - vertex, other - vertex);
    one.dot(other) > CORNER_COSINE * one.length() * other.length()
}

/// At each vertex, the number of groups of triangles that hang together by edges.
fn fans_at_vertices(vertices: usize, triangles: &[[u32; 3]], edges: &Edges) -> Vec<u32> {
    let mut groups = Groups::new(triangles.len() * 3);
    for same in edges.sides.chunk_by(|one, other| one.ends == other.ends) {
        for other in &same[1..] {
            for end in same[0].ends {
                groups.join(corner_at(triangles, same[0].side, end), corner_at(triangles, other.side, end));
            }
        }
    }
    let mut fans = vec![0; vertices];
    for (corner, &vertex) in triangles.as_flattened().iter().enumerate() {
        fans[vertex as usize] += u32::from(groups.leader(corner as u32) == corner as u32);
    }
    fans
}

/// The corner, at one end of a side, of the side's triangle.
fn corner_at(triangles: &[[u32; 3]], side: u32, end: u32) -> u32 {
    let next = side - side % 3 + (side + 1) % 3;
    if triangles.as_flattened()[side as usize] == end { side } else { next }
}

/// Disjoint sets.
struct Groups(Vec<u32>);

impl Groups {
    fn new(members: usize) -> Self {
        Self((0..members as u32).collect())
    }

    fn leader(&mut self, mut member: u32) -> u32 {
        while self.0[member as usize] != member {
            let above = self.0[member as usize];
            self.0[member as usize] = self.0[above as usize];
            member = above;
        }
        member
    }

    fn join(&mut self, one: u32, other: u32) {
        let [one, other] = [self.leader(one), self.leader(other)];
        self.0[one.max(other) as usize] = one.min(other);
    }
}
