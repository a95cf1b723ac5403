//! How long a part of cloth and a part of a mesh may go on their ways before they come too near.

use super::moving_mesh::MovingMesh;
use super::pairs::Kind;
use super::verify::Stretch;
use crate::collide::{Bounds, Path, closest_of_edges, closest_on_triangle, edge_edge_impact, vertex_triangle_impact};

/// Cloth and a mesh on their ways.
#[derive(Clone, Copy)]
pub(super) struct Passing<'a> {
    pub(super) mesh: &'a MovingMesh,
    pub(super) stretch: Stretch<'a>,
}

impl Passing<'_> {
    /// The share of the motion that is safe for a pair; none: all of it.
    pub(super) fn time(&self, kind: Kind, ours: [u32; 3], theirs: u32, floor: f64) -> Option<f64> {
        let (patch, path) = (&self.mesh.patch, |i: u32| self.stretch.path(i));
        match kind {
            Kind::VertexFace => {
                let corners = patch.triangles[theirs as usize].map(|corner| self.path(corner));
                Self::point(path(ours[0]), corners, floor)
            }
            Kind::FaceVertex => Self::point(self.path(theirs), ours.map(path), floor),
            Kind::Edges => self.edges([ours[0], ours[1]], patch.edges[theirs as usize], floor),
        }
    }

    /// A point of one and a triangle of the other.
    fn point(point: Path, corners: [Path; 3], floor: f64) -> Option<f64> {
        if apart(&[point], &corners, floor) {
            return None;
        }
        let gap = closest_on_triangle(point.start, corners.map(|corner| corner.start)).point.distance(point.start);
        let ways = way(&point) + corners.iter().map(way).fold(0.0, f64::max);
        let far = gap - ways > floor;
        if far { None } else { vertex_triangle_impact(point, corners, floor.min(0.5 * gap)).map(|impact| impact.time) }
    }

    fn edges(&self, edge: [u32; 2], their_edge: [u32; 2], floor: f64) -> Option<f64> {
        let (edge, theirs) = (edge.map(|i| self.stretch.path(i)), their_edge.map(|corner| self.path(corner)));
        if apart(&edge, &theirs, floor) {
            return None;
        }
        let gap = closest_of_edges(edge.map(|end| end.start), theirs.map(|end| end.start)).vector.length();
        let ways = way(&edge[0]).max(way(&edge[1])) + way(&theirs[0]).max(way(&theirs[1]));
        let far = gap - ways > floor;
        if far { None } else { edge_edge_impact(edge, theirs, floor.min(0.5 * gap)).map(|impact| impact.time) }
    }

    fn path(&self, corner: u32) -> Path {
        let [from, to] = self.stretch.shares;
        Path { start: self.mesh.at(corner, from), end: self.mesh.at(corner, to) }
    }
}

/// True when the boxes around two sets of ways are further apart than `floor` [m] along an axis.
fn apart(one: &[Path], other: &[Path], floor: f64) -> bool {
    let around = |paths: &[Path]| {
        paths.iter().fold(Bounds::EMPTY, |all, path| Bounds {
            min: all.min.min(path.start.min(path.end)),
            max: all.max.max(path.start.max(path.end)),
        })
    };
    around(one).apart(&around(other), floor)
}

/// Length of a way [m].
fn way(path: &Path) -> f64 {
    path.start.distance(path.end)
}
