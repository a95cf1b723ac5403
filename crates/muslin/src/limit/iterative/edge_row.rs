//! One row: an edge with its ends, its direction and the effective masses of its ends.

use glam::DVec3;

use crate::drivers::Freedom;
use crate::integrate::StepContext;
use crate::limit::shared::SharedVectors;
use crate::model::Model;
use crate::rows::Row;

/// Ends nearer to each other than this fraction of the rest length have no direction.
const COINCIDENT: f64 = 1e-12;
/// A row whose ends respond by less than this fraction of what they would if free is left alone: ends on rails or
/// planes nearly across the edge would have to run a hundred times its error.
const LEAST_RESPONSE: f64 = 1e-4;

/// An edge at the positions where impulses act.
#[derive(Debug)]
pub(super) struct EdgeRow {
    a: u32,
    b: u32,
    /// Rest length l0 [m].
    pub(super) rest: f64,
    /// x_b - x_a [m].
    span: DVec3,
    /// n, its unit direction.
    pub(super) direction: DVec3,
    /// Inverse masses of the ends [1/kg]; 0 for fixed ones.
    weights: [f64; 2],
    /// True when an end is on a rail or in a plane.
    guided: bool,
    /// Unit direction in the rest shape.
    rest_direction: DVec3,
}

impl EdgeRow {
    pub(super) fn new(model: &Model, row: Row) -> Self {
        let Row { a, b, rest } = row;
        let at = |particle: u32| {
            let owner = model.owner(particle as usize);
            owner.map_or(DVec3::ZERO, |(part, vertex)| part.mesh.positions[vertex])
        };
        let rest_direction = (at(b) - at(a)).normalize_or(DVec3::X);
        let (span, direction) = (DVec3::ZERO, rest_direction);
        Self { a, b, rest, span, direction, weights: [0.0; 2], guided: false, rest_direction }
    }

    /// Makes the row that of the positions `x` [m].
    pub(super) fn place(&mut self, context: StepContext<'_>, x: &[DVec3]) {
        let ends = [self.a as usize, self.b as usize];
        let freedom = ends.map(|end| context.drivers.freedom[end]);
        self.span = x[ends[1]] - x[ends[0]];
        let length = self.span.length();
        self.direction = if length > COINCIDENT * self.rest { self.span / length } else { self.rest_direction };
        self.weights = [0, 1].map(|k| match freedom[k] {
            Freedom::Fixed => 0.0,
            _ => 1.0 / context.model.mass[ends[k]],
        });
        self.guided = freedom.iter().any(|freedom| matches!(freedom, Freedom::Plane(_) | Freedom::Line(_)));
    }

    /// False when both ends are fixed.
    pub(super) fn can_move(&self) -> bool {
        self.weights[0] + self.weights[1] > 0.0
    }

    /// The edge as the velocities would leave it after the step [m].
    pub(super) fn preview(&self, velocity: &SharedVectors, h: f64) -> DVec3 {
        self.span + (velocity.get(self.b) - velocity.get(self.a)) * h
    }

    /// How fast the edge grows longer [m/s].
    pub(super) fn rate(&self, velocity: &SharedVectors) -> f64 {
        (velocity.get(self.b) - velocity.get(self.a)).dot(self.direction)
    }

    /// The edge's direction, unless it has turned by more than 60° in the preview `d` [m].
    pub(super) fn start_direction(&self, d: DVec3) -> DVec3 {
        let turned_little = d.dot(self.direction) >= 0.5 * d.length();
        if turned_little { self.direction } else { self.preview_direction(d) }
    }

    /// The direction of the preview `d` [m]; ends that coincide there part along the edge's own direction.
    pub(super) fn preview_direction(&self, d: DVec3) -> DVec3 {
        let length = d.length();
        if length > COINCIDENT * self.rest { d / length } else { self.direction }
    }

    /// Pulls the ends together so that they approach each other by `speed` [m/s] along the unit vector `n`. False when
    /// they cannot.
    pub(super) fn pull(&self, context: StepContext<'_>, velocity: &SharedVectors, n: DVec3, speed: f64) -> bool {
        let free_response = self.weights[0] + self.weights[1];
        let [response_a, response_b] = if self.guided {
            let response = |end: u32| context.drivers.response(context.model, end as usize, n);
            [response(self.a), response(self.b)]
        } else {
            self.weights.map(|weight| n * weight)
        };
        let response = if self.guided { (response_a + response_b).dot(n) } else { free_response };
        if response <= LEAST_RESPONSE * free_response {
            return false;
        }
        let impulse = speed / response;
        velocity.add(self.a, response_a * impulse);
        velocity.add(self.b, response_b * -impulse);
        true
    }
}
