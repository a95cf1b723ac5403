//! Places of cloth near a mesh: vertices near triangles, edges near edges, triangles near vertices.
//!
//! Of all pairs that are near, those are kept in which the mesh supports the cloth: all of the mesh next to the nearest
//! point lies below the plane through it that is perpendicular to the distance. The others are near too, but somewhere
//! else the mesh is nearer, and a plane through them would stand in the way of cloth that slides past.

use glam::DVec3;

use super::cloth::ClothSurface;
use super::moving_mesh::MovingMesh;
use super::near::{Near, SearchContext, place};
use super::patch::{NONE, used};
use crate::collide::{Bounds, Feature, closest_of_edges, closest_on_triangle};
use crate::mesh::unordered;

/// An edge or a vertex of the mesh supports cloth when a neighbour lies below its plane by this fraction of its
/// distance; on a smooth surface vertices of cloth and faces of the mesh are enough.
const SHARP: f64 = 0.02;
/// A neighbour counts as below a plane when it is above it by no more than this fraction of its distance.
const LEVEL: f64 = 1e-6;
/// A corner of the mesh sticks out when the mean of the directions to its neighbours is longer than this.
const ONE_SIDED: f64 = 0.5;
/// Two planes at a vertex of cloth are two when the cosine between them is below this.
const DIFFERENT: f64 = 0.98;

/// Parts of cloth and of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PairKind {
    /// A vertex of cloth and a triangle of the mesh.
    VertexFace,
    /// An edge and an edge.
    Edges,
    /// A triangle of cloth and a vertex of the mesh.
    FaceVertex,
}

/// Two parts that are near each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) kind: PairKind,
    /// The triangle of cloth that answers for the part.
    pub(super) cloth: u32,
    pub(super) ours: u32,
    pub(super) theirs: u32,
    /// Distance [m].
    pub(super) gap: f64,
}

/// Working memory of a search.
#[derive(Debug, Default)]
pub(super) struct PairFinder {
    /// Triangles of cloth and of the mesh whose boxes meet.
    close: Vec<[u32; 2]>,
    /// The nearest triangle of the mesh and the direction from it, for each particle that is near.
    nearest: Vec<(u32, DVec3)>,
}

/// One search with its mesh.
#[derive(Clone, Copy)]
struct PairSearch<'a> {
    search: SearchContext<'a>,
    mesh: &'a MovingMesh,
    nearest: &'a [(u32, DVec3)],
}

impl PairFinder {
    /// Adds what is near a mesh to what was `found`.
    pub(super) fn look(
        &mut self,
        search: SearchContext<'_>,
        cloth: &mut ClothSurface,
        mesh: &MovingMesh,
        found: &mut Vec<Near>,
        pairs: &mut Vec<Pair>,
    ) {
        let thickest = search.model.colliders[search.collider].thickness.iter().copied().fold(0.0, f64::max);
        cloth.refit(|triangle| {
            let reach = triangle.iter().map(|&i| search.reach[i as usize]).fold(0.0, f64::max);
            Bounds::of(triangle.map(|i| search.x[i as usize])).grown(thickest + reach)
        });
        self.close.clear();
        cloth.bvh.pairs(mesh.surface.bvh(), |one, other| self.close.push([one, other]));
        if self.close.is_empty() {
            return;
        }
        self.look_at_vertices(search, mesh, found);
        let meeting = PairSearch { search, mesh, nearest: &self.nearest };
        let left_out = |particles: [u32; 3]| search.exempt.contains(search.collider, particles);
        for &[one, other] in &self.close {
            let (part, triangle) = (cloth.cloth[one as usize] as usize, cloth.patch.triangles[one as usize]);
            if meeting.parted(part, triangle, other) {
                continue;
            }
            let (owned, theirs) = (&cloth.patch.owned[one as usize], &mesh.patch.owned[other as usize]);
            let mut add = |kind: PairKind, ours: u32, theirs: u32, met: Option<Met>| {
                let Some(Met { gap, near }) = met else { return };
                pairs.push(Pair { kind, cloth: one, ours, theirs, gap });
                found.extend(near);
            };
            for vertex in used(&owned.corners).filter(|vertex| !left_out([*vertex; 3])) {
                add(PairKind::VertexFace, vertex, other, meeting.face(part, vertex, other));
            }
            for edge in used(&owned.edges) {
                let [a, b] = cloth.patch.edges[edge as usize];
                if left_out([a, b, b]) {
                    continue;
                }
                for their_edge in used(&theirs.edges) {
                    add(PairKind::Edges, edge, their_edge, meeting.edges(part, [a, b], their_edge));
                }
            }
            if left_out(triangle) {
                // A side of it that is considered may still lie on a corner of the mesh.
                let corners = used(&theirs.corners);
                found.extend(corners.filter_map(|corner| meeting.corner(part, cloth, one, corner)?.near));
                continue;
            }
            for corner in used(&theirs.corners) {
                add(PairKind::FaceVertex, one, corner, meeting.corner(part, cloth, one, corner));
            }
        }
    }

    /// The nearest place of the mesh, for every particle.
    fn look_at_vertices(&mut self, search: SearchContext<'_>, mesh: &MovingMesh, found: &mut Vec<Near>) {
        self.nearest.clear();
        self.nearest.resize(search.x.len(), (NONE, DVec3::ZERO));
        for (number, part) in search.model.cloths.iter().enumerate() {
            let (thickness, _) = search.model.colliders[search.collider].rules(number);
            for i in part.particles.clone() {
                let Some(near) = mesh.surface.nearest(search.x[i], thickness + search.reach[i]) else { continue };
                self.nearest[i] = (near.triangle, near.normal);
                let velocity = mesh.velocity(near.triangle, near.place.weights, search.solids.step());
                let vertex = place([i as u32; 3], [1.0, 0.0, 0.0], near.normal, near.distance, velocity);
                found.extend(search.near(number, vertex));
            }
        }
    }
}

/// Two parts that are near enough to be considered.
struct Met {
    /// Distance [m].
    gap: f64,
    /// The plane between them, where the mesh supports the cloth.
    near: Option<Near>,
}

impl PairSearch<'_> {
    /// True when all of a triangle of cloth is too far from the plane of a face to be considered.
    fn parted(&self, part: usize, triangle: [u32; 3], face: u32) -> bool {
        let (normal, foot) =
            (self.mesh.surface.face_normal(face), self.at(self.mesh.patch.triangles[face as usize][0]));
        let [a, b, c] = triangle.map(|i| normal.dot(self.search.x[i as usize] - foot));
        a.min(b).min(c).max(-a.max(b).max(c)) > self.considered(part, &triangle)
    }

    /// How far particles of a cloth are looked around, at most [m].
    fn considered(&self, part: usize, particles: &[u32]) -> f64 {
        let (thickness, _) = self.search.model.colliders[self.search.collider].rules(part);
        thickness + particles.iter().map(|&i| self.search.reach[i as usize]).fold(0.0, f64::max)
    }

    /// A vertex of cloth and a face; a plane if it is near the inside of the face and that is not the nearest one, as
    /// in a valley of the mesh.
    fn face(&self, part: usize, vertex: u32, face: u32) -> Option<Met> {
        let x = self.search.x[vertex as usize];
        let corners = self.mesh.patch.triangles[face as usize].map(|corner| self.at(corner));
        if self.far(part, &[vertex], &[x], &corners) {
            return None;
        }
        let on = closest_on_triangle(x, corners);
        let arm = x - on.point;
        let gap = arm.length();
        let (nearest, towards) = self.nearest[vertex as usize];
        let outside = !self.mesh.surface.is_watertight() || arm.dot(self.mesh.surface.face_normal(face)) > 0.0;
        let inner = on.feature == Feature::Face && outside && gap > 0.0;
        let other = nearest != NONE && nearest != face && (arm / gap).dot(towards) <= DIFFERENT;
        let near = (inner && other).then(|| {
            let velocity = self.mesh.velocity(face, on.weights, self.search.solids.step());
            place([vertex; 3], [1.0, 0.0, 0.0], arm / gap, gap, velocity)
        });
        Some(Met { gap, near: near.and_then(|near| self.search.near(part, near)) })
    }

    /// Two edges; a plane if their insides are nearest.
    fn edges(&self, part: usize, [a, b]: [u32; 2], their_edge: u32) -> Option<Met> {
        let theirs = self.mesh.patch.edges[their_edge as usize];
        let [c, d] = theirs.map(|corner| self.at(corner));
        let ends = [a, b].map(|i| self.search.x[i as usize]);
        if self.far(part, &[a, b], &ends, &[c, d]) {
            return None;
        }
        let between = closest_of_edges(ends, [c, d]);
        let gap = between.vector.length();
        let inside = |t: f64| t > 0.0 && t < 1.0;
        if !inside(between.s) || !inside(between.t) || !(gap > 0.0) {
            return Some(Met { gap, near: None });
        }
        let (normal, foot) = (between.vector / gap, c + (d - c) * between.t);
        let opposite = self.mesh.patch.opposite[their_edge as usize];
        let border = opposite.contains(&NONE);
        let along = (d - c).normalize_or_zero();
        let around = opposite.into_iter().filter(|corner| *corner != NONE).map(|corner| self.at(corner) - foot);
        let near = supports(normal, around.map(|arm| arm - along * along.dot(arm)), border).then(|| {
            let [from, to] = theirs.map(|corner| self.mesh.vertex_velocity(corner, self.search.solids.step()));
            let weights = [1.0 - between.s, between.s, 0.0];
            place([a, b, b], weights, normal, gap, from + (to - from) * between.t)
        });
        Some(Met { gap, near: near.and_then(|near| self.search.near(part, near)) })
    }

    /// A triangle of cloth and a corner of the mesh; a plane if the inside of the triangle is nearest, or a side of it
    /// from which the cloth leads away.
    fn corner(&self, part: usize, cloth: &ClothSurface, number: u32, corner: u32) -> Option<Met> {
        let triangle = cloth.patch.triangles[number as usize];
        let foot = self.at(corner);
        let corners = triangle.map(|i| self.search.x[i as usize]);
        if self.far(part, &triangle, &corners, &[foot]) {
            return None;
        }
        let on = closest_on_triangle(foot, corners);
        let arm = on.point - foot;
        let gap = arm.length();
        let nearest = match on.feature {
            Feature::Face => true,
            Feature::Side(side) => {
                let ends = [triangle[side], triangle[(side + 1) % 3]];
                self.leads_away(cloth, number, ends, on.point, arm / gap)
            }
            Feature::Corner(_) => false,
        };
        if !nearest || !(gap > 0.0) {
            return Some(Met { gap, near: None });
        }
        let around = self.mesh.patch.neighbours(corner).iter().map(|&next| self.at(next) - foot);
        let near = supports(arm / gap, around.clone(), sticks_out(around)).then(|| {
            let velocity = self.mesh.vertex_velocity(corner, self.search.solids.step());
            place(triangle, on.weights, arm / gap, gap, velocity)
        });
        Some(Met { gap, near: near.and_then(|near| self.search.near(part, near)) })
    }

    /// True when a triangle of cloth answers for the edge between two particles, and no cloth beside that edge lies
    /// below the plane through a `point` [m] of it that is perpendicular to `normal`. Else the corner of the mesh is
    /// nearer to the inside of a triangle.
    fn leads_away(&self, cloth: &ClothSurface, number: u32, ends: [u32; 2], point: DVec3, normal: DVec3) -> bool {
        let [a, b] = ends;
        let between = unordered([a, b]);
        let owned = used(&cloth.patch.owned[number as usize].edges);
        owned.map(|edge| edge as usize).filter(|&edge| cloth.patch.edges[edge] == between).any(|edge| {
            cloth.patch.opposite[edge].iter().filter(|corner| **corner != NONE).all(|&corner| {
                let arm = self.search.x[corner as usize] - point;
                normal.dot(arm) >= -LEVEL * arm.length()
            })
        })
    }

    /// True when the boxes around places of cloth and of the mesh are too far apart to be considered.
    fn far(&self, part: usize, particles: &[u32], places: &[DVec3], theirs: &[DVec3]) -> bool {
        let around = |places: &[DVec3]| Bounds::of(places.iter().copied());
        around(places).apart(&around(theirs), self.considered(part, particles))
    }

    /// Where a corner of the mesh is [m].
    fn at(&self, corner: u32) -> DVec3 {
        self.mesh.surface.positions()[corner as usize]
    }
}

/// True when the arms to all neighbours point about the same way, as from the tip of a needle or the corner of an open
/// sheet. No face goes on behind it, so vertices and faces are not enough there, not even for cloth that lies along the
/// arms.
fn sticks_out(arms: impl Iterator<Item = DVec3>) -> bool {
    let (sum, count) = arms.fold((DVec3::ZERO, 0.0), |(sum, count), arm| (sum + arm.normalize_or_zero(), count + 1.0));
    sum.length() > ONE_SIDED * count
}

/// True when no arm to a neighbour points above the plane through the nearest point, and the mesh is `sharp` there.
fn supports(normal: DVec3, mut arms: impl Iterator<Item = DVec3>, mut sharp: bool) -> bool {
    let below = arms.all(|arm| {
        let height = normal.dot(arm);
        sharp |= height < -SHARP * arm.length();
        height <= LEVEL * arm.length()
    });
    below && sharp
}
