//! Shapes as triangle meshes: vertices lie on the surface, triangles turn their front outwards.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::ops::Range;

use glam::DVec3;

use super::SolidMesh;
use crate::collide::Shape;

impl SolidMesh {
    /// A shape in its own axes, as a mesh inscribed in it. What is round has so many sides, a multiple of 4; of a
    /// plane, which has no end, it is a square of two metres.
    ///
    /// ```
    /// use muslin::collide::{Shape, TriangleSurface};
    /// use muslin::model::SolidMesh;
    ///
    /// let SolidMesh { positions, triangles } = SolidMesh::of(&Shape::Sphere { radius: 0.5 }, 32);
    /// assert!(TriangleSurface::new(positions, triangles).is_watertight());
    /// ```
    pub fn of(shape: &Shape, sides: u32) -> Self {
        match *shape {
            Shape::Plane => Self::square(DVec3::ZERO, 1.0),
            Shape::Sphere { radius } => Self::lathe(&pill(radius, 0.0, sides / 4), sides),
            Shape::Box { half } => cuboid(half),
            Shape::Capsule { radius, half_length } => Self::lathe(&pill(radius, half_length, sides / 4), sides),
            Shape::Cylinder { radius, half_length: half } => {
                Self::lathe(&[[0.0, -half], [radius, -half], [radius, half], [0.0, half]], sides)
            }
        }
    }

    /// A square in y = 0, seen from above, around a point's foot there.
    pub fn square(middle: DVec3, half: f64) -> Self {
        let corner = |x: f64, z: f64| DVec3::new(middle.x + x * half, 0.0, middle.z + z * half);
        Self {
            positions: vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }

    /// An outline turned about the y axis. Its points are distances from the axis and heights, from below; those on the
    /// axis become one vertex.
    pub fn lathe(outline: &[[f64; 2]], sides: u32) -> Self {
        let mut mesh = Self::default();
        let mut below: Option<Range<u32>> = None;
        for &[width, height] in outline {
            let first = mesh.positions.len() as u32;
            for k in 0..if width == 0.0 { 1 } else { sides } {
                let (sin, cos) = libm::sincos(TAU * f64::from(k) / f64::from(sides));
                mesh.positions.push(DVec3::new(width * sin, height, width * cos));
            }
            let ring = first..mesh.positions.len() as u32;
            if let Some(below) = below {
                mesh.triangles.extend(band(below, ring.clone()));
            }
            below = Some(ring);
        }
        mesh
    }
}

/// The triangles between two rings of vertices, counter-clockwise seen from outside when the second is above the first
/// and both go round that way. A ring of one vertex is a pole.
pub fn band(lower: Range<u32>, upper: Range<u32>) -> impl Iterator<Item = [u32; 3]> {
    let at = |ring: &Range<u32>, k: u32| ring.start + k % ring.len() as u32;
    (0..lower.len().max(upper.len()) as u32).flat_map(move |k| {
        let ([a, b], [d, c]) = ([k, k + 1].map(|k| at(&lower, k)), [k, k + 1].map(|k| at(&upper, k)));
        [(lower.len() > 1).then_some([a, b, c]), (upper.len() > 1).then_some([a, c, d])].into_iter().flatten()
    })
}

/// The outline of a capsule, or of a ball when it has no straight part: distances from the axis and heights,
/// from below.
fn pill(radius: f64, half_length: f64, rings: u32) -> Vec<[f64; 2]> {
    let quarter = |k: u32, end: f64| {
        let (height, width) = libm::sincos(FRAC_PI_2 * f64::from(k) / f64::from(rings));
        // The pole lies on the axis: the cosine of a rounded quarter turn does not.
        let width = if k == rings { 0.0 } else { width };
        [radius * width, end * (half_length + radius * height)]
    };
    let below = (0..=rings).rev().map(|k| quarter(k, -1.0));
    // A ball has one equator, a capsule has two.
    let above = (u32::from(half_length == 0.0)..=rings).map(|k| quarter(k, 1.0));
    below.chain(above).collect()
}

/// A box: vertex 4 i + 2 j + k is upper along x, y, z where i, j, k are 1.
fn cuboid(half: DVec3) -> SolidMesh {
    let corner = |index: u32| {
        let side = |bit: u32| if index & bit == 0 { -1.0 } else { 1.0 };
        half * DVec3::new(side(4), side(2), side(1))
    };
    // Around each side, seen from outside.
    let sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    SolidMesh {
        positions: (0..8).map(corner).collect(),
        triangles: sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}
