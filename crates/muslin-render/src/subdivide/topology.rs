//! Edges of a mesh of triangles, and what each vertex is: inside, on a border, or one that stays.

use glam::Vec3;
use muslin::mesh::{DisjointSets, SortedSides};

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

/// All edges, ordered by their ends.
#[derive(Debug, Clone)]
pub(super) struct Edges {
    list: Vec<Edge>,
    /// Edges of each triangle: from corner 0 to 1, 1 to 2, 2 to 0.
    of_triangle: Vec<[u32; 3]>,
    sides: SortedSides,
}

impl Edges {
    pub(super) fn new(triangles: &[[u32; 3]]) -> Self {
        let sides = SortedSides::of(triangles);
        let mut edges = Vec::with_capacity(2 * triangles.len());
        let mut of_triangle = vec![[0; 3]; triangles.len()];
        for (ends, same) in sides.by_edge() {
            for side in same {
                of_triangle[side.triangle()][side.corner()] = edges.len() as u32;
            }
            let opposite =
                if let [left, right] = same { Some([left, right].map(|side| side.opposite(triangles))) } else { None };
            edges.push(Edge { ends, opposite });
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

/// At each vertex, the number of groups of triangles that are connected by edges.
fn fans_at_vertices(vertices: usize, triangles: &[[u32; 3]], edges: &Edges) -> Vec<u32> {
    let mut groups = DisjointSets::new(triangles.len() * 3);
    for (ends, same) in edges.sides.by_edge() {
        for other in &same[1..] {
            for end in ends {
                groups.join(same[0].corner_at(triangles, end), other.corner_at(triangles, end));
            }
        }
    }
    let mut fans = vec![0; vertices];
    for (corner, &vertex) in triangles.as_flattened().iter().enumerate() {
        fans[vertex as usize] += u32::from(groups.lowest(corner as u32) == corner as u32);
    }
    fans
}
