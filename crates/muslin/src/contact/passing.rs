//! Whether a part of cloth and a part of a mesh come too near on their paths, and where.

use super::moving_mesh::MovingMesh;
use super::near::{Near, place};
use super::pairs::PairKind;
use super::verify::Segment;
use crate::collide::{Bounds, Path, closest_of_edges, closest_on_triangle, edge_edge_impact, vertex_triangle_impact};

/// Cloth and a mesh on their paths.
#[derive(Clone, Copy)]
pub(super) struct Passing<'a> {
    pub(super) mesh: &'a MovingMesh,
    pub(super) segment: Segment<'a>,
}

impl Passing<'_> {
    /// True when a pair would come nearer than `floor` [m], or than half of its distance at the start.
    pub(super) fn hits(&self, kind: PairKind, ours: [u32; 3], theirs: u32, floor: f64) -> bool {
        let (patch, path) = (&self.mesh.patch, |i: u32| self.segment.path(i));
        match kind {
            PairKind::VertexFace => {
                let corners = patch.triangles[theirs as usize].map(|corner| self.path(corner));
                Self::point(path(ours[0]), corners, floor)
            }
            PairKind::FaceVertex => Self::point(self.path(theirs), ours.map(path), floor),
            PairKind::Edges => self.edges([ours[0], ours[1]], patch.edges[theirs as usize], floor),
        }
    }

    /// Where a pair is nearest when the motion starts, in a step of `h` seconds.
    pub(super) fn place(&self, kind: PairKind, ours: [u32; 3], theirs: u32, h: f64) -> Near {
        let (mesh, fraction) = (self.mesh, self.segment.fractions[0]);
        let (at, x) = (|corner: u32| mesh.at(corner, fraction), ours.map(|i| self.segment.from[i as usize]));
        let (weights, arm, velocity) = match kind {
            PairKind::VertexFace => {
                let on = closest_on_triangle(x[0], mesh.patch.triangles[theirs as usize].map(at));
                ([1.0, 0.0, 0.0], x[0] - on.point, mesh.velocity(theirs, on.weights, h))
            }
            PairKind::FaceVertex => {
                let on = closest_on_triangle(at(theirs), x);
                (on.weights, on.point - at(theirs), mesh.vertex_velocity(theirs, h))
            }
            PairKind::Edges => {
                let edge = mesh.patch.edges[theirs as usize];
                let between = closest_of_edges([x[0], x[1]], edge.map(at));
                let [from, to] = edge.map(|corner| mesh.vertex_velocity(corner, h));
                ([1.0 - between.s, between.s, 0.0], between.vector, from + (to - from) * between.t)
            }
        };
        place(ours, weights, arm.normalize_or_zero(), arm.length(), velocity)
    }

    /// A point of one and a triangle of the other.
    fn point(point: Path, corners: [Path; 3], floor: f64) -> bool {
        if apart(&[point], &corners, floor) {
            return false;
        }
        let gap = closest_on_triangle(point.start, corners.map(|corner| corner.start)).point.distance(point.start);
        let lengths = length(&point) + corners.iter().map(length).fold(0.0, f64::max);
        gap - lengths <= floor && vertex_triangle_impact(point, corners, floor.min(0.5 * gap)).is_some()
    }

    fn edges(&self, edge: [u32; 2], their_edge: [u32; 2], floor: f64) -> bool {
        let (edge, theirs) = (edge.map(|i| self.segment.path(i)), their_edge.map(|corner| self.path(corner)));
        if apart(&edge, &theirs, floor) {
            return false;
        }
        let gap = closest_of_edges(edge.map(|end| end.start), theirs.map(|end| end.start)).vector.length();
        let lengths = length(&edge[0]).max(length(&edge[1])) + length(&theirs[0]).max(length(&theirs[1]));
        gap - lengths <= floor && edge_edge_impact(edge, theirs, floor.min(0.5 * gap)).is_some()
    }

    fn path(&self, corner: u32) -> Path {
        let [from, to] = self.segment.fractions;
        Path { start: self.mesh.at(corner, from), end: self.mesh.at(corner, to) }
    }
}

/// True when the boxes around two sets of paths are further apart than `floor` [m] along an axis.
fn apart(one: &[Path], other: &[Path], floor: f64) -> bool {
    let around = |paths: &[Path]| {
        paths.iter().fold(Bounds::EMPTY, |all, path| Bounds {
            min: all.min.min(path.start.min(path.end)),
            max: all.max.max(path.start.max(path.end)),
        })
    };
    around(one).apart(&around(other), floor)
}

/// Length of a path [m].
fn length(path: &Path) -> f64 {
    path.start.distance(path.end)
}
