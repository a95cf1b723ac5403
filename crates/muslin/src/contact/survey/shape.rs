//! A survey of a solid with a formula.
//!
//! ```text
//! φ(x) >= n·x - reach(n)  for every unit n:   a piece whose corners are all beyond n is not looked at further
//! ```
//!
//! n is the normal at the piece's nearest corner. Pieces that this does not settle are measured by
//! [`Shape::nearest_on_triangle`].

use glam::DVec3;

use super::{Memory, Survey, SurveyContext};
use crate::collide::{Pose, Shape};

pub(super) fn measure(moment: SurveyContext<'_>, shape: &Shape, pose: &Pose, memory: &mut Memory, survey: &mut Survey) {
    memory.local.clear();
    memory.local.extend(moment.x.iter().map(|x| pose.local(*x)));
    memory.gaps.clear();
    memory.gaps.resize(moment.x.len(), f64::INFINITY);
    for &vertex in &moment.pieces.vertices {
        let gap = shape.nearest(memory.local[vertex as usize]).distance;
        memory.gaps[vertex as usize] = gap;
        let (place, left_out) =
            (moment.place(&[vertex], moment.x[vertex as usize], gap), moment.is_left_out([vertex; 3]));
        survey.offer(place, left_out);
        if gap < moment.thickness(vertex) && !left_out {
            survey.near(place);
        }
    }
    for piece in 0..moment.pieces.corners.len() as u32 {
        measure_piece(moment, shape, piece, memory, survey);
    }
}

fn measure_piece(moment: SurveyContext<'_>, shape: &Shape, piece: u32, memory: &Memory, survey: &mut Survey) {
    let corners = moment.pieces.corners[piece as usize];
    let places = corners.map(|i| memory.local[i as usize]);
    let least = at_least(shape, places, corners.map(|i| memory.gaps[i as usize]));
    let left_out = moment.is_left_out(corners);
    if least >= 0.0 && survey.min_gap().is_some_and(|gap| least >= gap) && !left_out {
        return;
    }
    let (weights, near) = if moment.pieces.is_line(piece) {
        let found = shape.nearest_on_edge(places[0], places[1]);
        ([1.0 - found.t, found.t, 0.0], found.nearest)
    } else {
        shape.nearest_on_triangle(places)
    };
    let whole = moment.weighted(corners, weights, near.distance);
    survey.offer(whole, left_out);
    if left_out {
        offer_sides(moment, shape, corners, memory, survey);
    }
    if near.distance < 0.0 && !cross_sides(moment, shape, piece, memory, survey) {
        survey.cross(moment.place(&corners, whole.place, near.distance), left_out);
    }
}

/// Measures the sides of a triangle that is left out, but not they.
fn offer_sides(moment: SurveyContext<'_>, shape: &Shape, corners: [u32; 3], memory: &Memory, survey: &mut Survey) {
    for [a, b, _] in moment.exempt.considered(moment.number, corners) {
        let found = shape.nearest_on_edge(memory.local[a as usize], memory.local[b as usize]);
        survey.offer(moment.weighted([a, b, b], [1.0 - found.t, found.t, 0.0], found.nearest.distance), false);
    }
}

/// A bound of the least distance of a triangle [m], by the normal at its nearest corner.
fn at_least(shape: &Shape, places: [DVec3; 3], gaps: [f64; 3]) -> f64 {
    let nearest = (1..3).fold(0, |best, i| if gaps[i] < gaps[best] { i } else { best });
    shape.separation(&places, shape.nearest(places[nearest]).normal)
}

/// Counts the edges of a piece that pass into the solid, each at the first piece that has it; says whether any does.
fn cross_sides(moment: SurveyContext<'_>, shape: &Shape, piece: u32, memory: &Memory, survey: &mut Survey) -> bool {
    let mut any = false;
    for side in moment.pieces.sides[piece as usize].iter().flatten() {
        let ends = moment.pieces.edges[side.edge as usize];
        let [a, b] = ends.map(|i| memory.local[i as usize]);
        let found = shape.nearest_on_edge(a, b);
        if found.nearest.distance < 0.0 {
            any = true;
            if side.first {
                let left_out = moment.is_left_out([ends[0], ends[1], ends[1]]);
                let [a, b] = ends.map(|i| moment.x[i as usize]);
                survey.cross(moment.place(&ends, a.lerp(b, found.t), found.nearest.distance), left_out);
            }
        }
    }
    any
}
