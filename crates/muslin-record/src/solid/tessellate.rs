//! Shapes with formulas as triangle meshes: vertices lie on the surface, triangles turn their front outwards.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::DVec3;
use muslin::collide::Shape;

/// Sides of what is round. A chord of 1/64 of a turn is 0.12 % of the radius off the circle: less than a pixel in most
/// pictures.
const SIDES: u32 = 64;

/// Rings from the equator of a ball to its pole.
const RINGS: u32 = 16;

/// A shape as a mesh in its own axes [m].
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Tessellation {
    pub(super) vertices: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// A shape that is bounded, as a mesh; of a plane, a square of two metres.
pub(super) fn of(shape: &Shape) -> Tessellation {
    match *shape {
        Shape::Plane => square(DVec3::ZERO, 1.0),
        Shape::Sphere { radius } => lathe(&pill(radius, 0.0)),
        Shape::Box { half } => cuboid(half),
        Shape::Capsule { radius, half_length } => lathe(&pill(radius, half_length)),
        Shape::Cylinder { radius, half_length: half } => {
            lathe(&[[0.0, -half], [radius, -half], [radius, half], [0.0, half]])
        }
    }
}

/// A square in y = 0, seen from above, around a point's foot there.
pub(super) fn square(middle: DVec3, half: f64) -> Tessellation {
    let corner = |x: f64, z: f64| DVec3::new(middle.x + x * half, 0.0, middle.z + z * half);
    Tessellation {
        vertices: vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

/// The outline of a capsule, or of a ball when it has no straight part: distances from the axis and heights, from below.
fn pill(radius: f64, half_length: f64) -> Vec<[f64; 2]> {
    let quarter = |k: u32, end: f64| {
        let (height, width) = libm::sincos(FRAC_PI_2 * f64::from(k) / f64::from(RINGS));
        // The pole lies on the axis: the cosine of a rounded quarter turn does not.
        let width = if k == RINGS { 0.0 } else { width };
        [radius * width, end * (half_length + radius * height)]
    };
    let below = (0..=RINGS).rev().map(|k| quarter(k, -1.0));
    // A ball has one equator, a capsule has two.
    let above = (u32::from(half_length == 0.0)..=RINGS).map(|k| quarter(k, 1.0));
    below.chain(above).collect()
}

/// Turns an outline about the y axis. Its points are distances from the axis and heights, from below; those on the axis
/// become one vertex.
fn lathe(outline: &[[f64; 2]]) -> Tessellation {
    let mut mesh = Tessellation::default();
    let mut below: Option<(u32, bool)> = None;
    for &[width, height] in outline {
        let first = mesh.vertices.len() as u32;
        let is_pole = width == 0.0;
        for k in 0..if is_pole { 1 } else { SIDES } {
            let (sin, cos) = libm::sincos(TAU * f64::from(k) / f64::from(SIDES));
            mesh.vertices.push(DVec3::new(width * sin, height, width * cos));
        }
        if let Some((lower, lower_is_pole)) = below {
            mesh.band((lower, lower_is_pole), (first, is_pole));
        }
        below = Some((first, is_pole));
    }
    mesh
}

impl Tessellation {
    /// Joins two rings, each given by its first vertex and whether that is all of it.
    fn band(&mut self, (lower, lower_is_pole): (u32, bool), (upper, upper_is_pole): (u32, bool)) {
        let vertex = |first: u32, is_pole: bool, k: u32| if is_pole { first } else { first + k % SIDES };
        for k in 0..SIDES {
            let [a, b] = [k, k + 1].map(|k| vertex(lower, lower_is_pole, k));
            let [d, c] = [k, k + 1].map(|k| vertex(upper, upper_is_pole, k));
            if !lower_is_pole {
                self.triangles.push([a, b, c]);
            }
            if !upper_is_pole {
                self.triangles.push([a, c, d]);
            }
        }
    }
}

/// A box: vertex 4 i + 2 j + k is upper along x, y, z where i, j, k are 1.
fn cuboid(half: DVec3) -> Tessellation {
    let corner = |index: u32| {
        let side = |bit: u32| if index & bit == 0 { -1.0 } else { 1.0 };
        half * DVec3::new(side(4), side(2), side(1))
    };
    // Around each side, seen from outside.
    let sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    Tessellation {
        vertices: (0..8).map(corner).collect(),
        triangles: sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}
