//! A survey of a triangle mesh: crossings, then signs, then the least distance.

use glam::DVec3;

use super::{Memory, Place, Survey, SurveyContext};
use crate::collide::{Meeting, TriangleSurface, closest_of_triangles, edge_meets_triangle, parted_by_plane};

pub(super) fn measure(moment: SurveyContext<'_>, surface: &TriangleSurface, memory: &mut Memory, survey: &mut Survey) {
    memory.crossed.clear();
    memory.crossed.resize(moment.x.len(), false);
    memory.inside.clear();
    memory.inside.resize(moment.x.len(), None);
    count_crossings(moment, surface, &mut memory.crossed, survey);
    measure_vertices(moment, surface, memory, survey);
    measure_triangles(moment, surface, survey);
}

/// Counts edges of one that meet triangles of the other, each pair once.
fn count_crossings(moment: SurveyContext<'_>, surface: &TriangleSurface, crossed: &mut [bool], survey: &mut Survey) {
    let pieces = moment.pieces;
    pieces.bvh.pairs(surface.bvh(), |piece, triangle| {
        let corners = pieces.corners[piece as usize].map(|i| moment.x[i as usize]);
        let solid = surface.corners(triangle);
        // Planes apart by more than rounding settle most pairs.
        let size = corners.iter().chain(&solid).map(|p| p.abs().max_element()).fold(0.0, f64::max);
        if parted_by_plane(corners, solid) > 64.0 * f64::EPSILON * size {
            return;
        }
        let island = pieces.island[pieces.corners[piece as usize][0] as usize] as usize;
        for side in pieces.sides[piece as usize].iter().flatten().filter(|side| side.first) {
            let ends = pieces.edges[side.edge as usize];
            let edge = ends.map(|i| moment.x[i as usize]);
            if edge_meets_triangle(edge, solid) != Meeting::Apart {
                crossed[island] = true;
                let left_out = moment.is_left_out([ends[0], ends[1], ends[1]]);
                let place = moment.place(&ends, passage(edge, solid), 0.0);
                survey.cross(place, left_out);
                survey.offer(place, left_out);
            }
        }
        if pieces.is_line(piece) {
            return;
        }
        for edge in surface.owned_edges(triangle) {
            let edge = edge.map(|i| surface.positions()[i as usize]);
            if edge_meets_triangle(edge, corners) != Meeting::Apart {
                crossed[island] = true;
                let left_out = moment.is_left_out(pieces.corners[piece as usize]);
                let place = moment.place(&pieces.corners[piece as usize], passage(edge, corners), 0.0);
                survey.cross(place, left_out);
                survey.offer(place, left_out);
            }
        }
    });
}

/// About where an edge passes a triangle's plane [m].
pub(super) fn passage([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> DVec3 {
    let normal = (b - a).cross(c - a);
    let (from, to) = (normal.dot(p - a), normal.dot(q - a));
    let t = from / (from - to);
    p.lerp(q, if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.5 })
}

/// Vertices inside or too near.
fn measure_vertices(moment: SurveyContext<'_>, surface: &TriangleSurface, memory: &mut Memory, survey: &mut Survey) {
    let around = surface.bvh().bounds();
    for &vertex in &moment.pieces.vertices {
        let (x, thickness) = (moment.x[vertex as usize], moment.thickness(vertex));
        let island = moment.pieces.island[vertex as usize] as usize;
        let depth = |x: DVec3| {
            let hidden = surface.is_watertight() && around.contains(x);
            hidden
                .then(|| surface.nearest(x, f64::INFINITY).map(|near| near.distance))
                .flatten()
                .filter(|gap| *gap < 0.0)
        };
        let may_be_inside = memory.crossed[island] || *memory.inside[island].get_or_insert_with(|| depth(x).is_some());
        let gap = if may_be_inside { depth(x) } else { None };
        let gap = gap.or_else(|| surface.nearest(x, thickness).map(|near| near.distance.abs()));
        let Some(gap) = gap else { continue };
        let (place, left_out) = (moment.place(&[vertex], x, gap), moment.is_left_out([vertex; 3]));
        survey.offer(place, left_out);
        if gap < thickness && !left_out {
            survey.near(place);
        }
    }
}

/// The least distance of two triangles, as far as it is less than what is known already; apart for what is left out
/// near pins.
fn measure_triangles(moment: SurveyContext<'_>, surface: &TriangleSurface, survey: &mut Survey) {
    let considered = |piece: u32| moment.exempt.considered(moment.number, moment.pieces.corners[piece as usize]);
    if let Some(place) = nearest_pair(moment, surface, survey.min_gap(), considered) {
        survey.offer(place, false);
    }
    if moment.exempt.is_empty_at(moment.number) {
        return;
    }
    let left_out = |piece: u32| {
        let corners = moment.pieces.corners[piece as usize];
        Some(corners).filter(|corners| moment.is_left_out(*corners)).into_iter()
    };
    let known = survey.left_out.nearest.map(|nearest| nearest.gap);
    if let Some(place) = nearest_pair(moment, surface, known, left_out) {
        survey.offer(place, true);
    }
}

/// The place of the least distance to a triangle of the mesh, among those `parts` of pieces that are asked for, if it
/// is less than what is `known` [m].
fn nearest_pair<T: Iterator<Item = [u32; 3]>>(
    moment: SurveyContext<'_>,
    surface: &TriangleSurface,
    known: Option<f64>,
    parts: impl Fn(u32) -> T,
) -> Option<Place> {
    let reach = known.unwrap_or(f64::INFINITY);
    if reach <= 0.0 {
        return None;
    }
    let corners = |part: [u32; 3]| part.map(|i| moment.x[i as usize]);
    let found = moment.pieces.bvh.nearest_pair(surface.bvh(), reach, |piece, triangle, beat| {
        let solid = surface.corners(triangle);
        let squared = parts(piece).map(|part| {
            let parted = parted_by_plane(corners(part), solid);
            if parted * parted >= beat {
                return f64::INFINITY;
            }
            closest_of_triangles(corners(part), solid).vector.length_squared()
        });
        squared.fold(f64::INFINITY, f64::min)
    });
    let (piece, triangle, _) = found?;
    let near = |part: [u32; 3]| {
        let near = closest_of_triangles(corners(part), surface.corners(triangle));
        moment.weighted(part, near.first, near.vector.length())
    };
    parts(piece).map(near).reduce(|one, other| if other.gap < one.gap { other } else { one })
}
