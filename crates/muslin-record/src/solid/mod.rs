//! Colliders as triangle meshes: what run folders store and pictures show.
//!
//! A collider that is a mesh is that mesh. A shape with a formula becomes a mesh inscribed in it, fine enough to look
//! round; a plane, which has no end, becomes a square around the scene. Contact knows nothing of these: it has the
//! formulas.

#[cfg(test)]
mod tests;

use glam::DVec3;
use muslin::Model;
use muslin::collide::Shape;
use muslin::model::{Collider, Solid, SolidMesh};

/// Sides of what is round. A chord of 1/64 of a turn is 0.12 % of the radius off the circle: less than a pixel in most
/// pictures.
const SIDES: u32 = 64;

/// Half the side of the square that stands for a plane, as a multiple of the diagonal of the scene at its start.
const SQUARE: f64 = 2.0;

/// A collider as a mesh: its triangles, and how its vertices are found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SolidForm {
    /// Corners of each triangle, counter-clockwise seen from outside.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Vertices of a shape in its own axes [m]; none for a mesh, which has vertices of its own.
    local: Option<Vec<DVec3>>,
}

impl SolidForm {
    /// The form of a collider of the model. It is the same for every moment of the run.
    pub(crate) fn of(model: &Model, collider: &Collider) -> Self {
        let Solid::Shape { shape, .. } = &collider.solid else {
            let triangles = collider.mesh().map(|mesh| mesh.triangles.clone()).unwrap_or_default();
            return Self { triangles, local: None };
        };
        let SolidMesh { positions, triangles } = match shape {
            Shape::Plane => square(model, collider),
            bounded => SolidMesh::of(bounded, SIDES),
        };
        Self { triangles, local: Some(positions) }
    }

    /// Where its vertices are at a time [s], in metres.
    pub(crate) fn positions(&self, collider: &Collider, time: f64) -> Vec<DVec3> {
        let mut places = Vec::new();
        match &self.local {
            Some(local) => {
                let pose = collider.pose(time);
                places.extend(local.iter().map(|vertex| pose.world(*vertex)));
            }
            None => collider.positions(time, &mut places),
        }
        places
    }
}

/// True for a plane.
pub(crate) fn is_plane(collider: &Collider) -> bool {
    matches!(collider.solid, Solid::Shape { shape: Shape::Plane, .. })
}

/// The part of a plane that is shown: a square below the middle of the scene.
fn square(model: &Model, plane: &Collider) -> SolidMesh {
    let (middle, diagonal) = surroundings(model);
    let half = if diagonal > 0.0 { SQUARE * diagonal } else { 1.0 };
    SolidMesh::square(plane.pose(0.0).local(middle), half)
}

/// Middle and diagonal of the box around all that is bounded, where it starts [m].
fn surroundings(model: &Model) -> (DVec3, f64) {
    let bounded = model.colliders.iter().filter(|collider| !is_plane(collider));
    let solids = bounded.flat_map(|collider| SolidForm::of(model, collider).positions(collider, 0.0));
    let (low, high) = model
        .start
        .iter()
        .copied()
        .chain(solids)
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
    if low.is_finite() && high.is_finite() { (low.midpoint(high), low.distance(high)) } else { (DVec3::ZERO, 0.0) }
}
