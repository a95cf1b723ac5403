//! Where a mesh bends: the pairs of triangles that bending elements sit on, and the fraction of the rigidity that each
//! has.
//!
//! Triangles bend along the edges they share. Quads split one way or the other would bend wrongly: split all the same
//! way they are biased, split like a chessboard every second vertex is too soft, and a strip is softer than its fabric.
//! So quads count both ways at once. Along the edge a–b of two quads sit two elements, one on the triangles at a's side
//! and one on those at b's side, with half the stiffness each; across each quad one along either diagonal, with (A/L²)²
//! each, A the quad's area and L the diagonal's length: a quarter on squares. On a rectangular grid that gives the
//! energy ½ B (κ_xx² + κ_yy² + 2 κ_xy²) per area exactly.
//!
//! ```text
//!   c1 ─── d1     quad 1      element at a: (c1, c2 | a, b),  element at b: (d1, d2 | a, b)
//!    a ─── b
//!   c2 ─── d2     quad 2
//! ```

use glam::DVec3;

use super::Polygon;
use super::polygon::has_area;
use crate::mesh::connect::{Groups, unordered};

/// A place where a mesh bends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BendingPlace {
    /// `[x1, x2, x3, x4]`: triangles `(x1, x3, x4)` and `(x2, x4, x3)` that share the edge x3–x4.
    pub vertices: [u32; 4],
    /// Its fraction of the bending rigidity: 1 between triangles, less on quads.
    pub fraction: f64,
}

/// All places where a mesh bends; `hinges` are those of its triangles.
pub(super) fn places(polygons: &[Polygon], hinges: &[[u32; 4]], positions: &[DVec3]) -> Vec<BendingPlace> {
    let quads: Vec<[u32; 4]> =
        polygons.iter().filter_map(|polygon| polygon.vertices.as_slice().try_into().ok()).collect();
    let mut places = between_quads(&quads);
    let taken = {
        let mut edges: Vec<[u32; 2]> = places.iter().map(|place| edge(place.vertices)).collect();
        edges.extend(quads.iter().flat_map(|&[a, b, c, d]| [unordered([a, c]), unordered([b, d])]));
        edges.sort_unstable();
        edges
    };
    let between_triangles = hinges.iter().filter(|hinge| taken.binary_search(&edge(**hinge)).is_err());
    places.extend(between_triangles.map(|&vertices| BendingPlace { vertices, fraction: 1.0 }));
    places.extend(quads.iter().flat_map(|&[a, b, c, d]| {
        [[b, d, c, a], [c, a, d, b]]
            .map(|vertices| BendingPlace { vertices, fraction: twist_fraction(vertices, positions) })
    }));
    places.retain(|place| {
        let [x1, x2, x3, x4] = place.vertices;
        x1 != x2 && has_area(&[x1, x3, x4], positions) && has_area(&[x2, x4, x3], positions)
    });
    places
}

/// (A/L²)² of a quad and its diagonal x3–x4; 0 when the diagonal has no length.
fn twist_fraction(vertices: [u32; 4], positions: &[DVec3]) -> f64 {
    let [x1, x2, x3, x4] = vertices.map(|vertex| positions[vertex as usize]);
    let doubled_area = (x1 - x3).cross(x1 - x4).length() + (x2 - x4).cross(x2 - x3).length();
    let square = x3.distance_squared(x4);
    let ratio = if square > 0.0 { 0.5 * doubled_area / square } else { 0.0 };
    ratio * ratio
}

fn edge([_, _, x3, x4]: [u32; 4]) -> [u32; 2] {
    unordered([x3, x4])
}

/// The two elements on every edge that exactly two quads share.
fn between_quads(quads: &[[u32; 4]]) -> Vec<BendingPlace> {
    let sides: Vec<[u32; 2]> = quads.iter().flat_map(|quad| (0..4).map(|k| [quad[k], quad[(k + 1) % 4]])).collect();
    let keys: Vec<[u32; 2]> = sides.iter().map(|side| unordered(*side)).collect();
    let mut places = Vec::new();
    for group in Groups::of(&keys).iter() {
        let &[first, second] = group else { continue };
        let [a, b] = sides[first as usize];
        let beside = |side: u32, vertex: u32, other: u32| neighbour(&quads[side as usize / 4], vertex, other);
        for (vertex, other) in [(a, b), (b, a)] {
            if let (Some(x1), Some(x2)) = (beside(first, vertex, other), beside(second, vertex, other)) {
                places.push(BendingPlace { vertices: [x1, x2, a, b], fraction: 0.5 });
            }
        }
    }
    places
}

/// The neighbour of a vertex in a quad that is not `other`.
fn neighbour(quad: &[u32; 4], vertex: u32, other: u32) -> Option<u32> {
    let k = quad.iter().position(|v| *v == vertex)?;
    [quad[(k + 1) % 4], quad[(k + 3) % 4]].into_iter().find(|v| *v != other)
}
