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
//! from the enclosed volume where the mesh starts, so a mesh turned inside out is right too. Pieces that are not joined
//! must agree about it: one that is turned the other way has to lie within others, as the wall of a hollow does. Any
//! other mesh is open: distances to it have no sign and count alike on both sides. A mesh that passes through itself
//! has the right sign outside; inside, where its own walls are nearest, it may not.
//!
//! ```text
//! sign = inside when |Σ Ω|/4π > 1/2,   Ω solid angles of all triangles as seen from p [sr]
//! ```
//!
//! takes over where the nearest place touches a triangle without area, which has no normal.

use glam::DVec3;

use super::bounds::Bounds;
use super::bvh::Bvh;
use super::closest::{Feature, OnTriangle, closest_on_triangle};
use super::shells::{Edges, edges_of, winding};

/// Sine of a triangle's angles below which it counts as one without area: its normal is mostly rounding.
const NO_AREA: f64 = 1e-10;
/// Distances below this fraction of the coordinates are rounding: no direction follows from them.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A triangle mesh that can be asked for distances. It may move: `update` takes new positions.
#[derive(Debug, Clone)]
pub struct TriangleSurface {
    triangles: Vec<[u32; 3]>,
    edges: Edges,
    watertight: bool,
    /// 1 when normals by the order of corners point out, -1 when in.
    outward: f64,
    positions: Vec<DVec3>,
    face_normals: Vec<DVec3>,
    edge_normals: Vec<DVec3>,
    corner_normals: Vec<DVec3>,
    /// Whether a triangle without area is among those at each corner.
    doubtful: Vec<bool>,
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
    /// The surface of triangles over positions [m]; corners are indices of positions.
    ///
    /// # Panics
    ///
    /// When an index is out of range.
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
        let count = positions.len();
        let known = triangles.as_flattened().iter().all(|&corner| (corner as usize) < count);
        assert!(known, "a triangle has a corner that is not among the {count} positions");
        let (edges, outward) = edges_of(&positions, &triangles);
        let mut surface = Self {
            face_normals: vec![DVec3::ZERO; triangles.len()],
            edge_normals: vec![DVec3::ZERO; edges.all.len()],
            corner_normals: vec![DVec3::ZERO; count],
            doubtful: vec![false; count],
            bvh: Bvh::new(triangles.len(), |t| Bounds::of(corners(&positions, triangles[t as usize]))),
            triangles,
            edges,
            watertight: outward.is_some(),
            outward: outward.unwrap_or(1.0),
            positions,
        };
        surface.find_normals();
        surface
    }

    /// Moves the mesh: new positions [m] for the same triangles. Allocates nothing.
    ///
    /// # Panics
    ///
    /// When there are not as many as before.
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
        &self.edges.all
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
        let Edges { all, of_triangle, owned } = &self.edges;
        (0..3).filter(move |i| owned[t] & (1 << i) != 0).map(move |i| all[of_triangle[t][i] as usize])
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
        let distance = squared.sqrt();
        let inside = self.watertight && self.is_inside(point, triangle, place.feature, arm.dot(pseudo));
        let signed = if inside { -distance } else { distance };
        // On the surface, up to rounding, an arm points anywhere.
        let clear = distance > ROUNDING * point.abs().max_element();
        let normal = if clear { arm / signed } else { pseudo.try_normalize().unwrap_or(DVec3::Y) };
        Some(OnSurface { distance: signed, normal, triangle, place })
    }

    /// The nearest place of the surface to a point [m] that is inside of it, however deep; none for one that is
    /// outside.
    pub fn nearest_from_inside(&self, point: DVec3) -> Option<OnSurface> {
        let may_be = self.watertight && self.bvh.bounds().meets(&Bounds::of([point]));
        may_be.then(|| self.nearest(point, f64::INFINITY))?.filter(|near| near.distance < 0.0)
    }

    /// Whether a point is inside, from its side of the pseudo-normal, or where that is undefined, from all triangles.
    fn is_inside(&self, point: DVec3, triangle: u32, feature: Feature, side: f64) -> bool {
        let corners = self.triangles[triangle as usize].map(|corner| self.doubtful[corner as usize]);
        let known = match feature {
            Feature::Corner(i) => !corners[i],
            Feature::Side(i) => !(corners[i] && corners[(i + 1) % 3]),
            Feature::Face => true,
        };
        if known { side < 0.0 } else { winding(&self.positions, self.triangles.iter(), point) * self.outward > 0.5 }
    }

    /// The normal that gives the sign, not of unit length.
    fn pseudo_normal(&self, triangle: u32, feature: Feature) -> DVec3 {
        let t = triangle as usize;
        match feature {
            Feature::Corner(i) => self.corner_normals[self.triangles[t][i] as usize],
            Feature::Side(i) => self.edge_normals[self.edges.of_triangle[t][i] as usize],
            Feature::Face => self.face_normals[t],
        }
    }

    /// Normals of faces, edges and corners, and which way is out, from the positions.
    fn find_normals(&mut self) {
        self.edge_normals.fill(DVec3::ZERO);
        self.corner_normals.fill(DVec3::ZERO);
        self.doubtful.fill(false);
        for (t, &triangle) in self.triangles.iter().enumerate() {
            let [a, b, c] = corners(&self.positions, triangle);
            let product = (b - a).cross(c - a);
            let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
            let has_area = product.length() > NO_AREA * longest;
            let normal = if has_area { product.normalize_or_zero() } else { DVec3::ZERO };
            self.face_normals[t] = normal;
            if !has_area {
                for corner in triangle {
                    self.doubtful[corner as usize] = true;
                }
            }
            for i in 0..3 {
                self.edge_normals[self.edges.of_triangle[t][i] as usize] += normal;
                let [here, next, last] = [0, 1, 2].map(|k| [a, b, c][(i + k) % 3]);
                self.corner_normals[triangle[i] as usize] += normal * angle(next - here, last - here);
            }
        }
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
