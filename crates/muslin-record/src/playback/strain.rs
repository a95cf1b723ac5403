//! Strain as it can be computed from a cache.

use glam::DVec3;

use super::PlayedEdge;
use crate::tally::LENGTH_SLACK;

/// Rounding to `f32` moves a coordinate by at most this fraction of it: half a unit in the last of 24 binary places.
/// The fraction is of the exact coordinate; the last factor makes it one of the rounded coordinate, which is what is
/// known.
pub(super) const ROUNDING: f64 = 0.5 * f32::EPSILON as f64 * (1.0 + f32::EPSILON as f64);

/// The greatest strain of the edges at each vertex.
pub(super) fn of_vertices(edges: &[PlayedEdge], positions: &[DVec3], limit: f64) -> Vec<f64> {
    let mut greatest: Vec<Option<f64>> = vec![None; positions.len()];
    for edge in edges {
        let Some(strain) = of_edge(edge, positions, limit) else { continue };
        for vertex in edge.vertices {
            let so_far = &mut greatest[vertex as usize];
            *so_far = Some(so_far.map_or(strain, |so_far| so_far.max(strain)));
        }
    }
    greatest.into_iter().map(|strain| strain.unwrap_or(0.0)).collect()
}

/// Strain of an edge; none for one without rest length.
///
/// Rounding moves an end at x by at most `ROUNDING` |x|: it holds for each coordinate, so it holds for the vector. The
/// length of the edge between x and y therefore changes by at most `ROUNDING` (|x| + |y|).
fn of_edge(edge: &PlayedEdge, positions: &[DVec3], limit: f64) -> Option<f64> {
    let [x, y] = edge.vertices.map(|vertex| positions[vertex as usize]);
    if edge.rest <= 0.0 {
        return None;
    }
    let length = x.distance(y);
    let allowed = edge.rest * (1.0 + limit) * (1.0 + LENGTH_SLACK) + ROUNDING * (x.length() + y.length());
    let strain = length / edge.rest - 1.0;
    Some(if length <= allowed { strain.min(limit) } else { strain })
}

/// The code of a strain at the limit.
const AT_LIMIT: f64 = 127.0;

/// A strain in terms of its limit, as it is stored and coloured: linear up to it, which is 127, and by its logarithm
/// over it, up to ten times the limit. What is over the limit never has the code of what is within.
pub fn strain_code(strain: f64, limit: f64) -> u8 {
    let ratio = strain / limit;
    if strain <= 0.0 {
        0
    } else if strain.is_nan() {
        // A broken number should not look calm.
        u8::MAX
    } else if strain <= limit {
        (AT_LIMIT * ratio).round() as u8
    } else {
        (AT_LIMIT + 1.0 + (AT_LIMIT * libm::log10(ratio)).round()) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::strain_code;

    #[test]
    fn strain_codes_distinguish_within_from_over_the_limit() {
        let code = |ratio: f64| strain_code(0.01 * ratio, 0.01);
        assert_eq!([-0.5, 0.0, 0.5, 1.0].map(code), [0, 0, 64, 127]);
        assert_eq!([1.000_001, 3.162_278, 10.0, 1e9].map(code), [128, 192, 255, 255]);
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(code), [255, 255, 0]);
        // A limit of 0: whatever stretches is beyond measure.
        assert_eq!([-0.1, 0.0, 1e-9].map(|strain| strain_code(strain, 0.0)), [0, 0, 255]);
    }
}
