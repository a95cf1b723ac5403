//! How the triangles of a mesh hang together: edges, pieces, and which way is out.
//!
//! ```text
//! volume of a piece  V = Σ (b - a)×(c - a)·(a - o)/6;     times wound round p:  Σ Ω(p)/4π
//! tan(Ω/2) = a·(b × c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|),   a b c as seen from p
//! ```
//!
//! o any point, Ω solid angle of a triangle [sr] [VOS83]. The piece with the greatest volume says which way is out; a
//! piece turned the other way is the wall of a hollow when the others wind round it, and else a mistake.

use glam::DVec3;

/// Every edge once, the edges of each triangle, and whether all have two triangles that pass them in opposite
/// directions.
pub(super) fn edges_of(triangles: &[[u32; 3]]) -> (Vec<[u32; 2]>, Vec<[u32; 3]>, bool) {
    let mut passes: Vec<([u32; 2], bool, usize, usize)> = Vec::with_capacity(3 * triangles.len());
    for (t, triangle) in triangles.iter().enumerate() {
        for i in 0..3 {
            let (a, b) = (triangle[i], triangle[(i + 1) % 3]);
            passes.push(([a.min(b), a.max(b)], a > b, t, i));
        }
    }
    passes.sort_unstable();
    let (mut edges, mut sides) = (Vec::new(), vec![[0; 3]; triangles.len()]);
    let mut closed = !triangles.is_empty();
    for group in passes.chunk_by(|first, second| first.0 == second.0) {
        for &(_, _, t, i) in group {
            sides[t][i] = edges.len() as u32;
        }
        edges.push(group[0].0);
        closed &= group.len() == 2 && group[0].1 != group[1].1;
    }
    (edges, sides, closed)
}

/// For each triangle, which of its edges no earlier triangle has, as bits.
pub(super) fn first_owners(sides: &[[u32; 3]], edges: usize) -> Vec<u8> {
    let mut seen = vec![false; edges];
    let mut own = |edge: u32| u8::from(!std::mem::replace(&mut seen[edge as usize], true));
    sides.iter().map(|&[a, b, c]| own(a) | own(b) << 1 | own(c) << 2).collect()
}

/// 1 when normals by the order of corners point out of a closed mesh, -1 when in; none when its pieces do not agree.
pub(super) fn orientation(
    positions: &[DVec3],
    triangles: &[[u32; 3]],
    sides: &[[u32; 3]],
    edges: usize,
) -> Option<f64> {
    let pieces = pieces_of(sides, edges);
    let count = pieces.iter().copied().max().map_or(0, |last| last as usize + 1);
    let origin = positions.first().copied().unwrap_or_default();
    let mut volumes = vec![0.0; count];
    for (triangle, &piece) in triangles.iter().zip(&pieces) {
        let [a, b, c] = triangle.map(|i| positions[i as usize]);
        volumes[piece as usize] += (b - a).cross(c - a).dot(a - origin);
    }
    let greatest = volumes.iter().fold(0.0, |most: f64, volume| if volume.abs() > most.abs() { *volume } else { most });
    let outward = if greatest < 0.0 { -1.0 } else { 1.0 };
    let agrees = |piece: usize| {
        let others = || triangles.iter().zip(&pieces).filter(|(_, other)| **other as usize != piece).map(|(t, _)| t);
        let corner = triangles.iter().zip(&pieces).find(|(_, other)| **other as usize == piece).map(|(t, _)| t[0]);
        volumes[piece] * outward >= 0.0
            || corner.is_some_and(|corner| winding(positions, others(), positions[corner as usize]) * outward > 0.5)
    };
    (0..count).all(agrees).then_some(outward)
}

/// For each triangle the number of its piece: triangles joined by edges are of one piece.
fn pieces_of(sides: &[[u32; 3]], edges: usize) -> Vec<u32> {
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); edges];
    for (t, edges) in (0..).zip(sides) {
        for edge in edges {
            around[*edge as usize].push(t);
        }
    }
    let mut pieces = vec![u32::MAX; sides.len()];
    let (mut count, mut open) = (0, Vec::new());
    for first in 0..sides.len() {
        if pieces[first] != u32::MAX {
            continue;
        }
        pieces[first] = count;
        open.push(first as u32);
        while let Some(t) = open.pop() {
            for &next in sides[t as usize].iter().flat_map(|edge| &around[*edge as usize]) {
                if pieces[next as usize] == u32::MAX {
                    pieces[next as usize] = count;
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    pieces
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
