//! A mesh during a step: its vertices move straight from where they start it to where they end it.

use glam::DVec3;

use super::patch::Patch;
use crate::collide::{Bounds, Bvh, TriangleSurface};
use crate::inputs::Surroundings;
use crate::model::{Model, SolidMesh};

/// A mesh during a step.
#[derive(Debug, Clone)]
pub(crate) struct MovingMesh {
    /// The surface, placed after the fraction of the step that was last asked for.
    pub(crate) surface: TriangleSurface,
    /// Its edges, and which elements are adjacent.
    pub(crate) patch: Patch,
    /// Where its vertices start the step [m].
    start: Vec<DVec3>,
    /// Where they end it [m].
    end: Vec<DVec3>,
    /// The tree over what its triangles pass in the step.
    pub(crate) swept: Bvh,
    placed: Vec<DVec3>,
    /// Longest path of a vertex in the step [m].
    pub(crate) furthest: f64,
    /// True when it rests in this step, and is where it rests.
    settled: bool,
    /// True when it moves by its own keys or cache in this step.
    scripted: bool,
}

impl MovingMesh {
    pub(super) fn new(mesh: &SolidMesh) -> Self {
        let SolidMesh { positions, triangles } = mesh;
        Self {
            surface: TriangleSurface::new(positions.clone(), triangles.clone()),
            patch: Patch::new(triangles.clone(), positions.len()),
            start: positions.clone(),
            end: positions.clone(),
            swept: Bvh::new(triangles.len(), |t| Bounds::of(triangles[t as usize].map(|i| positions[i as usize]))),
            placed: positions.clone(),
            furthest: 0.0,
            settled: false,
            scripted: true,
        }
    }

    /// Where a vertex is after the fraction `s` of the step [m].
    pub(crate) fn at(&self, vertex: u32, s: f64) -> DVec3 {
        let vertex = vertex as usize;
        if self.start[vertex] == self.end[vertex] {
            return self.start[vertex];
        }
        self.start[vertex] * (1.0 - s) + self.end[vertex] * s
    }

    /// Velocity of a place of a triangle in a step of `h` seconds [m/s].
    pub(crate) fn velocity(&self, triangle: u32, weights: [f64; 3], h: f64) -> DVec3 {
        let corners = self.patch.triangles[triangle as usize];
        corners.iter().zip(weights).map(|(&corner, weight)| self.vertex_velocity(corner, h) * weight).sum()
    }

    /// Velocity of a vertex in a step of `h` seconds [m/s].
    pub(crate) fn vertex_velocity(&self, vertex: u32, h: f64) -> DVec3 {
        (self.end[vertex as usize] - self.start[vertex as usize]) / h
    }

    /// Takes the motion of the collider of a number, from one moment to another.
    pub(super) fn begin(&mut self, model: &Model, number: usize, from: Surroundings<'_>, to: Surroundings<'_>) {
        let scripted = from.is_scripted(number) && to.is_scripted(number);
        if self.settled && self.scripted && scripted && model.colliders[number].rests() {
            return;
        }
        self.scripted = scripted;
        from.positions(model, number, &mut self.start);
        to.positions(model, number, &mut self.end);
        let paths = self.start.iter().zip(&self.end).map(|(from, to)| from.distance_squared(*to));
        self.furthest = paths.fold(0.0, f64::max).sqrt();
        self.settled = false;
        let (start, end, triangles) = (&self.start, &self.end, &self.patch.triangles);
        self.swept
            .refit(|t| Bounds::of(triangles[t as usize].iter().flat_map(|&i| [start[i as usize], end[i as usize]])));
    }

    /// Places the mesh after the fraction `s` of the step.
    pub(super) fn place(&mut self, s: f64) {
        if self.settled {
            return;
        }
        for i in 0..self.placed.len() {
            self.placed[i] = self.at(i as u32, s);
        }
        if self.placed != self.surface.positions() {
            self.surface.update(&self.placed);
        }
        self.settled = self.furthest == 0.0;
    }
}
