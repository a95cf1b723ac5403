//! Structural edges and shear pairs, and along which threads edges run.

use glam::DVec2;

use super::{Edge, Groups, Polygon, ThreadDirection, unordered};
use crate::mesh::{Mesh, texture_scale};

/// An edge counts as along a thread up to this sine of the angle between them: 5°.
const THREAD_SINE: f64 = 0.087_155_742_747_658_17;

/// Every side of every face and every line, once, in order of first appearance.
pub(super) fn structural(mesh: &Mesh, polygons: &[Polygon], lines: &[[u32; 2]]) -> Vec<Edge> {
    let mut pairs = Vec::new();
    let mut along = Vec::new();
    for polygon in polygons {
        for (i, side) in polygon.sides() {
            pairs.push(unordered(side));
            if !polygon.uvs.is_empty() {
                along.push(polygon.uvs[(i + 1) % polygon.uvs.len()] - polygon.uvs[i]);
            }
        }
    }
    let lengths = pairs.iter().map(|&[a, b]| mesh.positions[a as usize].distance_squared(mesh.positions[b as usize]));
    // Where there is none, angles to the threads are taken on the picture.
    let scale = texture_scale(lengths.zip(along.iter().copied())).unwrap_or(DVec2::ONE);
    pairs.extend(lines.iter().map(|&line| unordered(line)));
    let groups = Groups::of(&pairs);
    groups
        .iter()
        .map(|group| {
            let [a, b] = pairs[group[0] as usize];
            let direction = along.get(group[0] as usize).map_or(ThreadDirection::Bias, |uv| direction(*uv * scale));
            Edge { a, b, direction }
        })
        .collect()
}

/// The shear pairs after sewing, once each, without pairs that are edges as well.
pub(super) fn shear_pairs(diagonals: &[[u32; 2]], roots: &[u32], edges: &[Edge]) -> Vec<[u32; 2]> {
    // Edges go first, so that a group that holds one begins with it.
    let sewn = diagonals.iter().map(|pair| unordered(pair.map(|vertex| roots[vertex as usize])));
    let pairs: Vec<[u32; 2]> = edges.iter().map(|edge| [edge.a, edge.b]).chain(sewn).collect();
    let groups = Groups::of(&pairs);
    let firsts = groups.iter().map(|group| group[0] as usize).filter(|&first| first >= edges.len());
    firsts.map(|first| pairs[first]).filter(|[a, b]| a != b).collect()
}

/// Along which threads an edge runs, given its course over the fabric [m].
fn direction(course: DVec2) -> ThreadDirection {
    let limit = THREAD_SINE * course.length();
    if limit == 0.0 || !limit.is_finite() {
        ThreadDirection::Bias
    } else if course.x.abs() <= limit {
        ThreadDirection::Warp
    } else if course.y.abs() <= limit {
        ThreadDirection::Weft
    } else {
        ThreadDirection::Bias
    }
}
