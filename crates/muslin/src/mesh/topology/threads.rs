//! Second neighbours: pairs that bend along a thread, or across an edge where there are no threads.

use super::hinges::TrianglePair;
use super::{Edge, Polygon};
use crate::mesh::{Incidence, Mesh};

/// Pairs of neighbours that a thread joins straight through the vertex between them: `[end, middle, end]`.
pub(super) fn along(vertices: usize, polygons: &[Polygon], edges: &[Edge]) -> Vec<[u32; 3]> {
    let ends = edges.iter().flat_map(|edge| [(edge.a, edge.b), (edge.b, edge.a)]);
    let neighbours = Incidence::of(vertices, ends);
    let corners = polygons.iter().enumerate();
    let corners = corners.flat_map(|(p, polygon)| polygon.vertices.iter().map(move |&vertex| (vertex, p as u32)));
    let faces = Incidence::of(vertices, corners);

    let mut pairs = Vec::new();
    for middle in 0..vertices {
        let around = neighbours.at(middle);
        let Some(sectors) = quad_sectors(middle as u32, faces.at(middle), polygons) else { continue };
        let ends = match (sectors.len(), around.len()) {
            (4, 4) => through_inner(around, &sectors),
            (2, 3) => along_border(around, &sectors),
            (0, 2) => vec![[around[0], around[1]]],
            _ => continue,
        };
        pairs.extend(ends.iter().map(|&[from, to]| [from, middle as u32, to]));
    }
    pairs
}

/// For each face around a vertex its two neighbours in that face; none when a face is no quad.
fn quad_sectors(vertex: u32, faces: &[u32], polygons: &[Polygon]) -> Option<Vec<[u32; 2]>> {
    let sector = |&face: &u32| {
        let corners = &polygons[face as usize].vertices;
        let at = corners.iter().position(|&corner| corner == vertex)?;
        (corners.len() == 4).then(|| [corners[(at + 3) % 4], corners[(at + 1) % 4]])
    };
    faces.iter().map(sector).collect()
}

/// Inside a sheet, four quads around: the neighbour straight ahead is the one that shares no quad with this one.
fn through_inner(around: &[u32], sectors: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let share_quad = |a: u32, b: u32| sectors.iter().any(|sector| sector.contains(&a) && sector.contains(&b));
    let opposite = |i: usize| {
        let mut apart = around.iter().copied().filter(|&other| other != around[i] && !share_quad(around[i], other));
        apart.next().filter(|_| apart.next().is_none())
    };
    let mut ends = Vec::with_capacity(2);
    for i in 0..around.len() {
        // Each pair is seen from both of its ends; it counts once, and only if both agree.
        let Some(other) = opposite(i) else { return Vec::new() };
        if around.iter().position(|&vertex| vertex == other) > Some(i) {
            ends.push([around[i], other]);
        }
    }
    ends
}

/// On a border, two quads around: the thread runs between the two neighbours that lie in one quad only.
fn along_border(around: &[u32], sectors: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let quads = |vertex: u32| sectors.iter().filter(|sector| sector.contains(&vertex)).count();
    let outer: Vec<u32> = around.iter().copied().filter(|&vertex| quads(vertex) == 1).collect();
    <[u32; 2]>::try_from(outer.as_slice()).map_or_else(|_| Vec::new(), |ends| vec![ends])
}

/// Where two triangular faces meet there is no thread: the vertices opposite the shared edge bend with each other.
pub(super) fn across(
    mesh: &Mesh,
    polygons: &[Polygon],
    triangle_face: &[u32],
    hinges: &[TrianglePair],
) -> Vec<[u32; 3]> {
    let mut is_triangle = vec![false; mesh.faces.len()];
    for polygon in polygons {
        is_triangle[polygon.face as usize] = polygon.vertices.len() == 3;
    }
    let meets_triangles = |hinge: &&TrianglePair| {
        hinge.triangles.iter().all(|&triangle| is_triangle[triangle_face[triangle as usize] as usize])
    };
    let pair = |hinge: &TrianglePair| {
        let [x1, x2, x3, _] = hinge.vertices;
        [x1, x3, x2]
    };
    hinges.iter().filter(meets_triangles).map(pair).collect()
}
