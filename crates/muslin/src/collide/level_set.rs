//! Signed distance to a mesh on a regular grid, as [JLGF17] has its colliders.
//!
//! ```text
//! φ(x) = trilinear interpolation of the distances at the eight nodes around x;   n = ∇φ/|∇φ| of the same polynomial
//! ```
//!
//! φ [m], negative inside. The grid reaches `MARGIN` cells beyond the mesh; outside of it
//!
//! ```text
//! φ(x) = √(φ(y)² + |x - y|²),   y the place of the grid nearest to x
//! ```
//!
//! which is never more than the distance, because the mesh is in the grid's box. Between nodes φ is off by less than
//! √3/2 of a cell anywhere, since distances grow by at most 1 per metre, and by cell²/(4 r) where the surface is a ball
//! of the radius r: this is the paper's choice beside exact triangles, not muslin's.

use glam::{DVec3, UVec3};

use super::bounds::Bounds;
use super::shape::Nearest;
use super::surface::TriangleSurface;

/// Cells around the mesh.
const MARGIN: f64 = 3.0;
/// Nodes, at most: 256 along each side, 128 MiB.
const MOST_NODES: f64 = 16_777_216.0;

/// Distances at the nodes of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelSet {
    low: DVec3,
    cell: f64,
    nodes: UVec3,
    values: Vec<f64>,
}

impl LevelSet {
    /// Samples the distance to a watertight surface, every `cell` [m]; none for an open surface, which has no inside,
    /// and when the grid would be too fine to be kept ([`LevelSet::fits`]).
    pub fn of(surface: &TriangleSurface, cell: f64) -> Option<Self> {
        if !surface.is_watertight() || !Self::fits(surface, cell) {
            return None;
        }
        let (low, sides) = grid(surface, cell);
        let nodes = sides.as_uvec3();
        let mut values = Vec::with_capacity(sides.element_product() as usize);
        for k in 0..nodes.z {
            for j in 0..nodes.y {
                for i in 0..nodes.x {
                    let node = low + UVec3::new(i, j, k).as_dvec3() * cell;
                    values.push(surface.nearest(node, f64::INFINITY).map_or(f64::INFINITY, |near| near.distance));
                }
            }
        }
        Some(Self { low, cell, nodes, values })
    }

    /// Whether a grid with this `cell` [m] has no more than 2²⁴ nodes.
    pub fn fits(surface: &TriangleSurface, cell: f64) -> bool {
        let (_, sides) = grid(surface, cell);
        cell > 0.0 && sides.element_product() <= MOST_NODES
    }

    /// The middle of the grid [m].
    pub fn centre(&self) -> DVec3 {
        self.low + self.half_size()
    }

    /// Half of each side of the grid [m].
    pub fn half_size(&self) -> DVec3 {
        (self.nodes - UVec3::ONE).as_dvec3() * (0.5 * self.cell)
    }

    /// Distance, normal and nearest point as the grid has them, in the axes of the mesh.
    pub fn nearest(&self, point: DVec3) -> Nearest {
        let last = (self.nodes - UVec3::ONE).as_dvec3();
        let raw = (point - self.low) / self.cell;
        let at = raw.clamp(DVec3::ZERO, last);
        let beyond = (raw - at) * self.cell;
        let corner = at.floor().min(last - DVec3::ONE);
        let f = at - corner;
        let c = corner.as_uvec3();
        let value = |i: u32, j: u32, k: u32| {
            let (x, y, z) = (c.x + i, c.y + j, c.z + k);
            self.values[((z * self.nodes.y + y) * self.nodes.x + x) as usize]
        };
        let mix = |a: f64, b: f64, t: f64| a * (1.0 - t) + b * t;
        let along_x = |j: u32, k: u32| mix(value(0, j, k), value(1, j, k), f.x);
        let in_plane = |k: u32| mix(along_x(0, k), along_x(1, k), f.y);
        let slope_x = |j: u32, k: u32| value(1, j, k) - value(0, j, k);
        let gradient = DVec3::new(
            mix(mix(slope_x(0, 0), slope_x(1, 0), f.y), mix(slope_x(0, 1), slope_x(1, 1), f.y), f.z),
            mix(along_x(1, 0) - along_x(0, 0), along_x(1, 1) - along_x(0, 1), f.z),
            in_plane(1) - in_plane(0),
        );
        let inner = mix(in_plane(0), in_plane(1), f.z);
        let outside = beyond.length();
        if outside > 0.0 {
            // Along axes on which the point is beyond the grid, the grid's own slope does not count.
            let slope = DVec3::select(beyond.cmpeq(DVec3::ZERO), gradient / self.cell, DVec3::ZERO);
            let distance = (inner * inner + outside * outside).sqrt();
            return near(point, distance, slope * inner + beyond);
        }
        near(point, inner, gradient)
    }
}

/// A distance with the direction of its gradient.
fn near(point: DVec3, distance: f64, gradient: DVec3) -> Nearest {
    let normal = gradient.try_normalize().unwrap_or(DVec3::Y);
    Nearest { distance, normal, point: point - normal * distance }
}

/// The lowest node of the grid around a surface [m], and how many nodes it has along each axis.
fn grid(surface: &TriangleSurface, cell: f64) -> (DVec3, DVec3) {
    let around = Bounds::of(surface.positions().iter().copied());
    let low = around.min - DVec3::splat(MARGIN * cell);
    (low, ((around.max - low) / cell + DVec3::splat(MARGIN + 1.0)).ceil())
}
