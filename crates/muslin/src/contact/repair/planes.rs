//! Planes that stand for solids near cloth.
//!
//! ```text
//! gap = signed distance of the place Σ w_k x_k;   offset = n·place - gap
//! ```
//!
//! Places are vertices, and the nearest places of edges and triangles that are not vertices. Where an edge of an open
//! mesh's triangle, or of cloth, goes through the other, the side that counts as out is the one on which most of the
//! cloth is; the cloth's end on the other side, or the place pierced, is what has to move.

use glam::DVec3;

use crate::collide::{
    Bounds, Bvh, Feature, Meeting, Pose, Shape, TriangleSurface, closest_of_triangles, edge_meets_triangle,
    parted_by_plane,
};
use crate::contact::Exemptions;
use crate::contact::survey::Pieces;
use crate::model::{Collider, Model, Solid};

/// How far beyond the thickness planes are taken, as a fraction of it: cloth that comes so near in a round is
/// considered.
const REACH: f64 = 3.0;

/// A place of cloth and the plane it has to stay beyond.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RepairPlane {
    pub(super) particles: [u32; 3],
    /// With the sum 1.
    pub(super) weights: [f64; 3],
    pub(super) collider: u32,
    /// Outward (unit).
    pub(super) normal: DVec3,
    /// n·x of the solid's surface [m].
    pub(super) offset: f64,
    /// Signed distance when the plane was taken [m].
    pub(super) gap: f64,
    /// The distance to keep [m].
    pub(super) thickness: f64,
}

/// Finds planes; colliders are where they are at one time.
pub(super) struct Planes {
    found: Vec<RepairPlane>,
    solids: Vec<Placed>,
    bvh: Bvh,
    exempt: Exemptions,
}

/// A collider at one time.
enum Placed {
    Shape(Shape, Pose),
    Mesh(Box<TriangleSurface>),
}

/// A place of cloth that is looked at.
#[derive(Clone, Copy)]
struct Spot {
    particles: [u32; 3],
    weights: [f64; 3],
    collider: u32,
    thickness: f64,
    place: DVec3,
}

impl Spot {
    fn plane(self, normal: DVec3, gap: f64) -> RepairPlane {
        let Self { particles, weights, collider, thickness, place } = self;
        RepairPlane { particles, weights, collider, normal, offset: normal.dot(place) - gap, gap, thickness }
    }
}

impl Planes {
    /// For the colliders of a model at `time` [s].
    pub(super) fn new(model: &Model, time: f64) -> Self {
        let placed = |collider: &Collider| match (&collider.solid, collider.mesh()) {
            (Solid::Shape { shape, .. }, _) => Some(Placed::Shape(*shape, collider.pose(time))),
            (_, Some(mesh)) => {
                let mut positions = Vec::new();
                collider.positions(time, &mut positions);
                Some(Placed::Mesh(Box::new(TriangleSurface::new(positions, mesh.triangles.clone()))))
            }
            (_, None) => None,
        };
        let solids = model.colliders.iter().filter_map(placed).collect();
        Self { found: Vec::new(), solids, bvh: Bvh::default(), exempt: Exemptions::of(model) }
    }

    /// What the last search found.
    pub(super) fn found(&self) -> &[RepairPlane] {
        &self.found
    }

    /// What is left out near pins.
    pub(super) fn exempt(&self) -> &Exemptions {
        &self.exempt
    }

    /// A box around a collider [m].
    pub(super) fn bounds(&self, collider: usize) -> Bounds {
        match &self.solids[collider] {
            Placed::Shape(shape, pose) => shape.swept_bounds(&crate::collide::RigidMotion::resting(*pose)),
            Placed::Mesh(surface) => surface.bvh().bounds(),
        }
    }

    /// Takes planes for cloth at `x` [m].
    pub(super) fn find(&mut self, model: &Model, pieces: &Pieces, x: &[DVec3]) {
        self.found.clear();
        self.bvh
            .rebuild(pieces.corners.len(), |piece| Bounds::of(pieces.corners[piece as usize].map(|i| x[i as usize])));
        for (number, (collider, solid)) in model.colliders.iter().zip(&self.solids).enumerate() {
            let search =
                PlaneSearch { pieces, x, collider, number: number as u32, bvh: &self.bvh, exempt: &self.exempt };
            match solid {
                Placed::Shape(shape, pose) => search.shape(shape, pose, &mut self.found),
                Placed::Mesh(surface) => search.mesh(surface, &mut self.found),
            }
        }
    }
}

/// A search near one collider.
struct PlaneSearch<'a> {
    pieces: &'a Pieces,
    x: &'a [DVec3],
    collider: &'a Collider,
    number: u32,
    bvh: &'a Bvh,
    exempt: &'a Exemptions,
}

impl PlaneSearch<'_> {
    fn thickness(&self, particle: u32) -> f64 {
        self.collider.thickness.get(self.pieces.cloth[particle as usize] as usize).copied().unwrap_or(0.0)
    }

    fn spot(&self, particles: [u32; 3], weights: [f64; 3]) -> Spot {
        let place = (0..3).map(|k| self.x[particles[k] as usize] * weights[k]).sum();
        Spot { particles, weights, collider: self.number, thickness: self.thickness(particles[0]), place }
    }

    fn vertex(&self, particle: u32) -> Spot {
        let spot = self.spot([particle; 3], [1.0, 0.0, 0.0]);
        Spot { place: self.x[particle as usize], ..spot }
    }

    fn corners(&self, particles: [u32; 3]) -> [DVec3; 3] {
        particles.map(|i| self.x[i as usize])
    }

    fn is_left_out(&self, particles: [u32; 3]) -> bool {
        self.exempt.contains(self.number as usize, particles)
    }

    /// The vertices that are not left out.
    fn vertices(&self) -> impl Iterator<Item = u32> {
        self.pieces.vertices.iter().copied().filter(|vertex| !self.is_left_out([*vertex; 3]))
    }

    /// What is considered of a piece, by its particles.
    fn parts(&self, piece: u32) -> impl Iterator<Item = [u32; 3]> + use<> {
        self.exempt.considered(self.number as usize, self.pieces.corners[piece as usize])
    }

    fn shape(&self, shape: &Shape, pose: &Pose, found: &mut Vec<RepairPlane>) {
        let near = |spot: &Spot, gap: f64| gap < REACH * spot.thickness;
        for vertex in self.vertices() {
            let (spot, lies) = (self.vertex(vertex), shape.nearest(pose.local(self.x[vertex as usize])));
            if near(&spot, lies.distance) {
                found.push(spot.plane(pose.rotation * lies.normal, lies.distance));
            }
        }
        for particles in (0..self.pieces.corners.len() as u32).flat_map(|piece| self.parts(piece)) {
            let corners = self.corners(particles).map(|corner| pose.local(corner));
            if shape.separation(&corners, shape.nearest(corners[0]).normal) > REACH * self.thickness(particles[0]) {
                continue;
            }
            let (weights, lies) = shape.nearest_on_triangle(corners);
            let spot = self.spot(particles, weights);
            if near(&spot, lies.distance) && !at_corner(weights) {
                found.push(spot.plane(pose.rotation * lies.normal, lies.distance));
            }
        }
    }

    fn mesh(&self, surface: &TriangleSurface, found: &mut Vec<RepairPlane>) {
        let around = surface.bvh().bounds();
        let thickest = self.collider.thickness.iter().copied().fold(0.0, f64::max);
        for vertex in self.vertices() {
            let spot = self.vertex(vertex);
            let hidden = surface.is_watertight() && around.contains(spot.place);
            let reach = if hidden { f64::INFINITY } else { REACH * spot.thickness };
            if let Some(near) = surface.nearest(spot.place, reach).filter(|near| near.distance < REACH * spot.thickness)
            {
                found.push(spot.plane(near.normal, near.distance));
            }
        }
        self.bvh.pairs_within(surface.bvh(), REACH * thickest, |piece, triangle| {
            self.pair(surface, piece, triangle, found);
        });
    }

    /// Planes for a piece of cloth and a triangle of the mesh.
    fn pair(&self, surface: &TriangleSurface, piece: u32, triangle: u32, found: &mut Vec<RepairPlane>) {
        let particles = self.pieces.corners[piece as usize];
        let solid = surface.corners(triangle);
        let reach = REACH * self.thickness(particles[0]);
        if parted_by_plane(self.corners(particles), solid) > reach {
            return;
        }
        if self.crossing(surface, piece, triangle, found) {
            return;
        }
        for particles in self.parts(piece) {
            let near = closest_of_triangles(self.corners(particles), solid);
            if at_corner(near.first) || near.vector.length() > reach {
                continue;
            }
            let spot = self.spot(particles, near.first);
            // The mesh may be nearer elsewhere; the sign needs its nearest place.
            if let Some(lies) = surface.nearest(spot.place, 2.0 * reach).filter(|lies| lies.distance < reach) {
                found.push(spot.plane(lies.normal, lies.distance));
            }
        }
    }

    /// Planes for edges that go through triangles; says whether any does.
    fn crossing(&self, surface: &TriangleSurface, piece: u32, triangle: u32, found: &mut Vec<RepairPlane>) -> bool {
        let particles = self.pieces.corners[piece as usize];
        let (corners, solid) = (self.corners(particles), surface.corners(triangle));
        let mut any = false;
        let normal = self.outward(surface, piece, triangle, Feature::Face);
        let sides =
            self.pieces.sides[piece as usize].iter().flatten().map(|side| self.pieces.edges[side.edge as usize]);
        for ends in sides.filter(|&[a, b]| !self.is_left_out([a, b, b])) {
            if edge_meets_triangle(ends.map(|i| self.x[i as usize]), solid) == Meeting::Apart {
                continue;
            }
            any = true;
            let depth = |i: u32| normal.dot(self.x[i as usize] - solid[0]);
            let deeper = if depth(ends[0]) < depth(ends[1]) { ends[0] } else { ends[1] };
            found.push(self.vertex(deeper).plane(normal, depth(deeper).min(0.0)));
        }
        if self.is_left_out(particles) {
            return any;
        }
        for i in 0..3 {
            let edge = [solid[i], solid[(i + 1) % 3]];
            if edge_meets_triangle(edge, corners) == Meeting::Apart {
                continue;
            }
            any = true;
            let normal = self.outward(surface, piece, triangle, Feature::Side(i));
            let weights = closest_of_triangles(corners, [edge[0], edge[1], edge[1]]).first;
            found.push(self.spot(particles, weights).plane(normal, 0.0));
        }
        any
    }

    /// The side of a mesh that counts as out, for a piece of cloth.
    fn outward(&self, surface: &TriangleSurface, piece: u32, triangle: u32, feature: Feature) -> DVec3 {
        let normal = surface.normal_at(triangle, feature);
        if surface.is_watertight() {
            return normal;
        }
        let island = self.pieces.island[self.pieces.corners[piece as usize][0] as usize];
        let solid = surface.corners(triangle);
        let mine = self.pieces.vertices.iter().filter(|i| self.pieces.island[**i as usize] == island);
        let side: f64 = mine.map(|i| normal.dot(self.x[*i as usize] - solid[0])).sum();
        if side < 0.0 { -normal } else { normal }
    }
}

/// Whether a place is a vertex, which is looked at by itself.
fn at_corner(weights: [f64; 3]) -> bool {
    weights.contains(&1.0)
}
