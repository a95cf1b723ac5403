//! Distance to a triangle mesh, with a sign where the mesh has an inside.
//!
//! ```text
//! sign = sign of (p - q)·N,   q nearest point of the mesh
//! N = n of the triangle | n_1 + n_2 at a side | Σ α_i n_i at a corner
//! ```
//!
//! n unit normals, α_i angles of the triangles that meet at the corner [rad]. Source: [BA05], where it is shown that
//! these pseudo-normals give the right sign everywhere around a watertight mesh, sharp corners included.
//!
//! Watertight here: every side belongs to two triangles that pass it in opposite directions. Which way is out follows
//! from the enclosed volume, so a mesh turned inside out is right too; pieces of it that are turned differently from
//! each other are not. Any other mesh is open: distances to it have no sign and count alike on both sides.

use glam::DVec3;

use super::bounds::Bounds;
use super::bvh::Bvh;
use super::closest::{Feature, OnTriangle, closest_on_triangle};

/// A triangle mesh that can be asked for distances. It may move: `update` takes new positions.
#[derive(Debug, Clone)]
pub struct TriangleSurface {
    triangles: Vec<[u32; 3]>,
    /// Every edge once, lower number first, in rising order.
    edges: Vec<[u32; 2]>,
    /// The edges of each triangle: from corner 0 to 1, 1 to 2, 2 to 0.
    sides: Vec<[u32; 3]>,
    /// Which of its edges each triangle is the first to have, as bits.
    owns: Vec<u8>,
    watertight: bool,
    /// 1 when normals by the order of corners point out, -1 when in.
    outward: f64,
    positions: Vec<DVec3>,
    face_normals: Vec<DVec3>,
    edge_normals: Vec<DVec3>,
    corner_normals: Vec<DVec3>,
    bvh: Bvh,
}

/// The place of a mesh nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnSurface {
    /// Distance [m]; negative inside a watertight mesh.
    pub distance: f64,
    /// Unit direction in which the distance grows: outward from a watertight mesh, towards the point from an open one.
    pub normal: DVec3,
    /// The triangle that holds the place.
    pub triangle: u32,
    /// The place on it.
    pub place: OnTriangle,
}

impl TriangleSurface {
    /// The surface of triangles over positions [m]; corners are indices of positions, all below their number.
    ///
    /// ```
    /// use muslin::DVec3;
    /// use muslin::collide::TriangleSurface;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let surface = TriangleSurface::new(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]);
    /// assert!(surface.is_watertight());
    /// let near = surface.nearest(DVec3::new(0.25, -0.5, 0.25), 1.0).expect("within a metre");
    /// assert_eq!((near.distance, near.normal), (0.5, DVec3::NEG_Y));
    /// assert!(surface.nearest(DVec3::splat(0.1), 1.0).is_some_and(|inside| inside.distance < 0.0));
    /// ```
    pub fn new(positions: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Self {
        let (edges, sides, watertight) = edges_of(&triangles);
        let mut surface = Self {
            face_normals: vec![DVec3::ZERO; triangles.len()],
            edge_normals: vec![DVec3::ZERO; edges.len()],
            corner_normals: vec![DVec3::ZERO; positions.len()],
            bvh: Bvh::new(triangles.len(), |t| Bounds::of(corners(&positions, triangles[t as usize]))),
            owns: first_owners(&sides, edges.len()),
            triangles,
            edges,
            sides,
            watertight,
            outward: 1.0,
            positions,
        };
        surface.find_normals();
        surface
    }

    /// Moves the mesh: new positions [m], as many as before, for the same triangles. Allocates nothing.
    pub fn update(&mut self, positions: &[DVec3]) {
        self.positions.copy_from_slice(positions);
        let (positions, triangles) = (&self.positions, &self.triangles);
        self.bvh.refit(|t| Bounds::of(corners(positions, triangles[t as usize])));
        self.find_normals();
    }

    /// Whether it has an inside.
    pub fn is_watertight(&self) -> bool {
        self.watertight
    }

    /// Where its corners are [m].
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// Its triangles, as given.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Its edges, each once, lower number first.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Where the corners of a triangle are [m].
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        corners(&self.positions, self.triangles[triangle as usize])
    }

    /// The outward normal at a part of a triangle (unit): the one that gives the sign. Of an open mesh, the one by the
    /// order of corners. Zero where triangles have no area or fold back onto each other.
    pub fn normal_at(&self, triangle: u32, feature: Feature) -> DVec3 {
        self.pseudo_normal(triangle, feature).normalize_or_zero() * self.outward
    }

    /// The edges of a triangle that no earlier triangle has: over all triangles, each edge once.
    pub fn owned_edges(&self, triangle: u32) -> impl Iterator<Item = [u32; 2]> + '_ {
        let t = triangle as usize;
        (0..3).filter(move |i| self.owns[t] & (1 << i) != 0).map(move |i| self.edges[self.sides[t][i] as usize])
    }

    /// The tree over its triangles where they are now.
    pub fn bvh(&self) -> &Bvh {
        &self.bvh
    }

    /// The unit normal of a triangle: outward from a watertight mesh, else by the order of its corners; 0 without area.
    pub fn face_normal(&self, triangle: u32) -> DVec3 {
        self.face_normals[triangle as usize] * if self.watertight { self.outward } else { 1.0 }
    }

    /// The nearest place, if it is nearer than `reach` [m].
    pub fn nearest(&self, point: DVec3, reach: f64) -> Option<OnSurface> {
        let on = |t: u32| closest_on_triangle(point, corners(&self.positions, self.triangles[t as usize]));
        let (triangle, squared) = self.bvh.nearest(point, reach, |t| on(t).point.distance_squared(point))?;
        let place = on(triangle);
        let pseudo = self.pseudo_normal(triangle, place.feature) * self.outward;
        let arm = point - place.point;
        let inside = self.watertight && arm.dot(pseudo) < 0.0;
        let distance = if inside { -squared.sqrt() } else { squared.sqrt() };
        let normal = if squared > 0.0 { arm / distance } else { pseudo.normalize_or_zero() };
        Some(OnSurface { distance, normal, triangle, place })
    }

    /// The normal that gives the sign, not of unit length.
    fn pseudo_normal(&self, triangle: u32, feature: Feature) -> DVec3 {
        let t = triangle as usize;
        match feature {
            Feature::Corner(i) => self.corner_normals[self.triangles[t][i] as usize],
            Feature::Side(i) => self.edge_normals[self.sides[t][i] as usize],
            Feature::Face => self.face_normals[t],
        }
    }

    /// Normals of faces, edges and corners, and which way is out, from the positions.
    fn find_normals(&mut self) {
        self.edge_normals.fill(DVec3::ZERO);
        self.corner_normals.fill(DVec3::ZERO);
        let origin = self.positions.first().copied().unwrap_or_default();
        let mut volume = 0.0;
        for (t, &triangle) in self.triangles.iter().enumerate() {
            let [a, b, c] = corners(&self.positions, triangle);
            let product = (b - a).cross(c - a);
            volume += product.dot(a - origin);
            let normal = product.normalize_or_zero();
            self.face_normals[t] = normal;
            for i in 0..3 {
                self.edge_normals[self.sides[t][i] as usize] += normal;
                let [here, next, last] = [0, 1, 2].map(|k| [a, b, c][(i + k) % 3]);
                self.corner_normals[triangle[i] as usize] += normal * angle(next - here, last - here);
            }
        }
        self.outward = if volume < 0.0 { -1.0 } else { 1.0 };
    }
}

/// The corners of a triangle [m].
fn corners(positions: &[DVec3], triangle: [u32; 3]) -> [DVec3; 3] {
    triangle.map(|i| positions[i as usize])
}

/// The angle between two vectors [rad].
fn angle(a: DVec3, b: DVec3) -> f64 {
    libm::atan2(a.cross(b).length(), a.dot(b))
}

/// Every edge once, the edges of each triangle, and whether all have two triangles that pass them in opposite
/// directions.
fn edges_of(triangles: &[[u32; 3]]) -> (Vec<[u32; 2]>, Vec<[u32; 3]>, bool) {
    let mut passes: Vec<([u32; 2], bool, usize, usize)> = Vec::with_capacity(3 * triangles.len());
    for (t, triangle) in triangles.iter().enumerate() {
        for i in 0..3 {
            let (a, b) = (triangle[i], triangle[(i + 1) % 3]);
            passes.push(([a.min(b), a.max(b)], a > b, t, i));
        }
    }
    passes.sort_unstable();
    let (mut edges, mut sides) = (Vec::new(), vec![[0; 3]; triangles.len()]);
    let mut watertight = !triangles.is_empty();
    for group in passes.chunk_by(|first, second| first.0 == second.0) {
        for &(_, _, t, i) in group {
            sides[t][i] = edges.len() as u32;
        }
        edges.push(group[0].0);
        watertight &= group.len() == 2 && group[0].1 != group[1].1;
    }
    (edges, sides, watertight)
}

/// For each triangle, which of its edges no earlier triangle has, as bits.
fn first_owners(sides: &[[u32; 3]], edges: usize) -> Vec<u8> {
    let mut seen = vec![false; edges];
    let mut own = |edge: u32| u8::from(!std::mem::replace(&mut seen[edge as usize], true));
    sides.iter().map(|&[a, b, c]| own(a) | own(b) << 1 | own(c) << 2).collect()
}
