//! Connectivity of the triangles of a mesh: edges, pieces, and which way is out.
//!
//! ```text
//! volume of a piece  V = Σ (b - a)×(c - a)·(a - o)/6;     times wound round p:  Σ Ω(p)/4π
//! tan(Ω/2) = a·(b × c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|),   a b c as seen from p
//! ```
//!
//! o any point, Ω solid angle of a triangle [sr] [VOS83]. The piece with the greatest volume says which way is out; a
//! piece turned the other way is the wall of a hollow when the others wind round it, and else a mistake.

use glam::DVec3;

use crate::mesh::{DisjointSets, SortedSides};

/// Edges of triangles, by numbers.
#[derive(Debug, Clone)]
pub(super) struct Edges {
    /// Every edge once, lower vertex first, in rising order.
    pub(super) all: Vec<[u32; 2]>,
    /// The edges of each triangle: from corner 0 to 1, 1 to 2, 2 to 0.
    pub(super) of_triangle: Vec<[u32; 3]>,
    /// Which of its edges each triangle is the first to have, as bits.
    pub(super) owned: Vec<u8>,
}

/// The edges of triangles, and 1 when normals by the order of corners point out, -1 when in; none for triangles that
/// enclose nothing, or of which pieces do not agree.
pub(super) fn edges_of(positions: &[DVec3], triangles: &[[u32; 3]]) -> (Edges, Option<f64>) {
    let count = triangles.len();
    let mut edges = Edges { all: Vec::new(), of_triangle: vec![[0; 3]; count], owned: vec![0; count] };
    let mut pieces = DisjointSets::new(count);
    let mut closed = !triangles.is_empty();
    for (edge, sides) in SortedSides::of(triangles).by_edge() {
        for side in sides {
            edges.of_triangle[side.triangle()][side.corner()] = edges.all.len() as u32;
            pieces.join(sides[0].triangle() as u32, side.triangle() as u32);
        }
        edges.all.push(edge);
        edges.owned[sides[0].triangle()] |= 1 << sides[0].corner();
        closed &= matches!(sides, [one, other] if one.course(triangles) != other.course(triangles));
    }
    let outward = closed.then(|| orientation(positions, triangles, &pieces.into_lowest())).flatten();
    (edges, outward)
}

/// 1 when normals by the order of corners point out of a closed mesh, -1 when in; none when its pieces do not agree,
/// each known by its lowest triangle.
fn orientation(positions: &[DVec3], triangles: &[[u32; 3]], pieces: &[u32]) -> Option<f64> {
    let origin = positions.first().copied().unwrap_or_default();
    let mut volumes = vec![0.0; triangles.len()];
    for (triangle, &piece) in triangles.iter().zip(pieces) {
        let [a, b, c] = triangle.map(|i| positions[i as usize]);
        volumes[piece as usize] += (b - a).cross(c - a).dot(a - origin);
    }
    let greatest = volumes.iter().fold(0.0, |most: f64, volume| if volume.abs() > most.abs() { *volume } else { most });
    let outward = if greatest < 0.0 { -1.0 } else { 1.0 };
    let agrees = |piece: usize| {
        let others = || triangles.iter().zip(pieces).filter(|(_, other)| **other as usize != piece).map(|(t, _)| t);
        let corner = positions[triangles[piece][0] as usize];
        volumes[piece] * outward >= 0.0 || winding(positions, others(), corner) * outward > 0.5
    };
    (0..triangles.len()).all(agrees).then_some(outward)
}

/// How often triangles go round a point, by the order of their corners.
pub(super) fn winding<'a>(positions: &[DVec3], triangles: impl Iterator<Item = &'a [u32; 3]>, point: DVec3) -> f64 {
    let half_angle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|i| positions[i as usize] - point);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        libm::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
    };
    triangles.map(half_angle).sum::<f64>() / std::f64::consts::TAU
}
