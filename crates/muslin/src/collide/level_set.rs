//! Signed distance to a mesh on a regular grid, as [JLGF17] has its colliders.
//!
//! ```text
//! φ(x) = trilinear interpolation of the distances at the eight nodes around x;   n = ∇φ/|∇φ| of the same polynomial
//! ```
//!
//! φ [m], negative inside; outside of the grid the distance to the grid is added. The grid reaches `MARGIN` cells beyond
//! the mesh. Between nodes φ is off by up to a cell at sharp edges, and by cell²/(8 r) where the surface has the radius r:
//! this is the document's choice beside exact triangles, not muslin's.

use glam::{DVec3, UVec3};

use super::bounds::Bounds;
use super::shape::Nearest;
use super::surface::TriangleSurface;

/// Cells around the mesh.
const MARGIN: f64 = 3.0;

/// Distances at the nodes of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelSet {
    low: DVec3,
    cell: f64,
    nodes: UVec3,
    values: Vec<f64>,
}

impl LevelSet {
    /// Samples the distance to a watertight surface, every `cell` [m]; none for an open surface, which has no inside.
    pub fn of(surface: &TriangleSurface, cell: f64) -> Option<Self> {
        if !surface.is_watertight() || !(cell > 0.0) {
            return None;
        }
        let around = Bounds::of(surface.positions().iter().copied());
        let low = around.min - DVec3::splat(MARGIN * cell);
        let nodes = ((around.max - low) / cell + DVec3::splat(MARGIN + 1.0)).ceil().as_uvec3();
        let mut values = Vec::with_capacity((nodes.x * nodes.y * nodes.z) as usize);
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
        let distance = mix(in_plane(0), in_plane(1), f.z) + beyond.length();
        let normal = (gradient / self.cell + beyond.normalize_or_zero()).try_normalize().unwrap_or(DVec3::Y);
        Nearest { distance, normal, point: point - normal * distance }
    }
}
