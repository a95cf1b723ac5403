//! Hinges: edges about which two triangles turn.

use glam::DVec3;

use super::polygon::has_area;
use super::{Groups, unordered};

/// Two triangles that share an edge.
pub(super) struct TrianglePair {
    /// `[x1, x2, x3, x4]` of the triangles `(x1, x3, x4)` and `(x2, x4, x3)`.
    pub(super) vertices: [u32; 4],
    /// Numbers of the two triangles.
    pub(super) triangles: [u32; 2],
}

/// A hinge for every edge that exactly two triangles share. The first triangle sets the order of x3 and x4; where the
/// second winds the other way, the hinge reads it turned over, as the bending formulas need. These
/// also divide by areas, so a triangle without one has no hinges.
pub(super) fn between(triangles: &[[u32; 3]], positions: &[DVec3]) -> Vec<TrianglePair> {
    // Side i of triangle t has the number 3 t + i.
    let sides: Vec<[u32; 2]> =
        triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).map(unordered).collect();
    let opposite = |side: u32| triangles[side as usize / 3][(side as usize % 3 + 2) % 3];
    let groups = Groups::of(&sides);
    groups
        .iter()
        .filter_map(|group| {
            let &[first, second] = group else { return None };
            let (x1, x2) = (opposite(first), opposite(second));
            let bends = [first, second].iter().all(|&side| has_area(&triangles[side as usize / 3], positions));
            // The same triangle twice is no hinge.
            (x1 != x2 && bends).then(|| {
                let triangle = triangles[first as usize / 3];
                let (x3, x4) = (triangle[first as usize % 3], triangle[(first as usize + 1) % 3]);
                TrianglePair { vertices: [x1, x2, x3, x4], triangles: [first / 3, second / 3] }
            })
        })
        .collect()
}
