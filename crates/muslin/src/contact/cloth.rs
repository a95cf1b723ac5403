//! The cloths of a model as contact sees them: triangles, edges and vertices, sewn and loose ones resolved.

use glam::DVec3;

use super::patch::Patch;
use crate::collide::{Bounds, Bvh, Shape};
use crate::model::{Collider, Model, Solid};

/// A normal of a cylinder is radial when its part along the axis is less than this: rounding leaves less, and rims far
/// more.
const LEVEL: f64 = 1e-9;

/// All that can be in contact.
#[derive(Debug, Clone)]
pub(crate) struct ClothSurface {
    /// Triangles over particles; what is sewn to another is that other.
    pub(crate) patch: Patch,
    /// The cloth of each triangle.
    pub(super) cloth: Vec<u32>,
    /// The tree over the triangles; refitted before each query.
    pub(super) bvh: Bvh,
    /// Longest edge at rest [m].
    pub(super) longest: f64,
    /// Squared radius of the smallest circle around each triangle at rest [m²].
    pub(super) circles: Vec<f64>,
}

impl ClothSurface {
    pub(crate) fn new(model: &Model) -> Self {
        let leader = model.leaders();
        let (mut triangles, mut cloth, mut longest) = (Vec::new(), Vec::new(), 0.0_f64);
        let mut circles = Vec::new();
        for (number, part) in (0..).zip(&model.cloths) {
            let particle = |vertex: u32| leader[part.particles.start + vertex as usize];
            let lines = part.mesh.lines.iter().map(|&[a, b]| [a, b, b]);
            triangles.extend(part.topology.triangles.iter().copied().chain(lines).map(|t| t.map(particle)));
            cloth.resize(triangles.len(), number);
            let faces = part.topology.triangles.iter().copied();
            for triangle in faces.chain(part.mesh.lines.iter().map(|&[a, b]| [a, b, b])) {
                let [a, b, c] = triangle.map(|vertex| part.mesh.positions[vertex as usize]);
                longest = longest.max(a.distance(b)).max(b.distance(c)).max(c.distance(a));
                circles.push(circle2(&part.mesh.positions, &triangle));
            }
        }
        let patch = Patch::new(triangles, model.len());
        let bvh = Bvh::new(patch.triangles.len(), |t| {
            Bounds::of(patch.triangles[t as usize].map(|i| model.start[i as usize]))
        });
        Self { patch, cloth, bvh, longest, circles }
    }

    /// Longest edge at rest [m].
    pub(crate) fn longest_edge(&self) -> f64 {
        self.longest
    }

    /// The radius of a solid where its normal, in its own frame, is `normal` [m], if it is round there and no edge of
    /// the cloth is longer: vertices are then enough, see [`distance`].
    pub(super) fn roundness(&self, shape: &Shape, normal: DVec3) -> Option<f64> {
        let radius = match *shape {
            Shape::Sphere { radius } | Shape::Capsule { radius, .. } => radius,
            Shape::Cylinder { radius, .. } if normal.y.abs() < LEVEL => radius,
            Shape::Plane | Shape::Box { .. } | Shape::Cylinder { .. } => return None,
        };
        (self.longest <= radius).then_some(radius)
    }

    /// How much further than the thickness any vertex keeps from a collider [m], at most.
    pub(crate) fn greatest_sag(&self, collider: &Collider) -> f64 {
        let Solid::Shape { shape, .. } = &collider.solid else { return 0.0 };
        let greatest = self.circles.iter().copied().fold(0.0, f64::max);
        let thickness = collider.thickness.iter().copied().fold(0.0, f64::max);
        self.roundness(shape, DVec3::X).map_or(0.0, |radius| distance(greatest, radius, thickness) - thickness)
    }

    /// Takes new boxes for the triangles.
    pub(super) fn refit(&mut self, mut bounds: impl FnMut([u32; 3]) -> Bounds) {
        let triangles = &self.patch.triangles;
        self.bvh.refit(|t| bounds(triangles[t as usize]));
    }
}

/// The distance that vertices keep from a round solid so that the insides of their triangles keep the thickness.
///
/// ```text
/// √((r + ξ)² + R²) - r       ξ thickness, r radius of the solid, R of the smallest circle around a triangle [m]
/// ```
pub(super) fn distance(circle2: f64, radius: f64, thickness: f64) -> f64 {
    let inside = radius + thickness;
    (inside * inside + circle2).sqrt() - radius
}

/// Squared radius of the smallest circle around a triangle [m²].
pub(super) fn circle2(x: &[DVec3], triangle: &[u32; 3]) -> f64 {
    let [a, b, c] = triangle.map(|i| x[i as usize]);
    let sides = [a.distance_squared(b), b.distance_squared(c), c.distance_squared(a)];
    let (sum, longest) = (sides.iter().sum::<f64>(), sides.iter().copied().fold(0.0, f64::max));
    // Half of the longest side, unless all angles are acute.
    if 2.0 * longest >= sum {
        return longest / 4.0;
    }
    let area2 = (b - a).cross(c - a).length_squared();
    sides.iter().product::<f64>() / (4.0 * area2)
}
