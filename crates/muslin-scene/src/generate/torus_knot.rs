//! A rope about a torus knot.
//!
//! ```text
//! c(t) = ((R + w cos qt) cos pt, w sin qt, (R + w cos qt) sin pt),   t from 0 to 2π
//! n(t) = (cos qt cos pt, sin qt, cos qt sin pt),   b = c'/|c'| × n
//! x(t, φ) = c + r (cos φ n + sin φ b)
//! ```
//!
//! R radius of the ring [m], w radius of the turns about it [m], r radius of the rope [m]; p turns about the axis and q
//! about the ring. n is the normal of the torus on which the curve lies, so it is perpendicular to c' and closes after
//! a round: the rope needs no twist to meet its own start. It does not meet itself when r is below every radius of
//! curvature and below half of every distance between places whose distance along the curve is longer than π r.

use std::f64::consts::TAU;

use glam::DVec3;
use muslin::model::{SolidMesh, band};

/// Places of the curve at which curvature and distances are looked at.
const SAMPLES: u32 = 720;

/// A rope about a torus knot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TorusKnotSpec {
    /// Turns about the axis and about the ring, without a common divisor.
    pub turns: [u32; 2],
    /// Radius of the ring [m].
    pub radius: f64,
    /// Radius of the turns about the ring [m].
    pub winding: f64,
    /// Radius of the rope [m].
    pub rope: f64,
    /// Vertices along the rope and around it.
    pub segments: [u32; 2],
}

/// The curve at a place.
struct Place {
    point: DVec3,
    /// c'(t) [m].
    slope: DVec3,
    /// Normal of the torus (unit).
    normal: DVec3,
}

impl TorusKnotSpec {
    /// The mesh, watertight, corners counter-clockwise seen from outside.
    pub fn build(&self) -> SolidMesh {
        let [along, around] = self.segments;
        let mut mesh = SolidMesh::default();
        for i in 0..along {
            let Place { point, slope, normal } = self.place(TAU * f64::from(i) / f64::from(along));
            let across = slope.normalize_or_zero().cross(normal);
            for j in 0..around {
                let (sin, cos) = libm::sincos(TAU * f64::from(j) / f64::from(around));
                mesh.positions.push(point + self.rope * (cos * normal + sin * across));
            }
        }
        let ring = |i: u32| (i % along) * around..(i % along + 1) * around;
        mesh.triangles.extend((0..along).flat_map(|i| band(ring(i), ring(i + 1))));
        mesh
    }

    /// The greatest radius of a rope about this curve that does not meet itself [m].
    pub fn thickest_rope(&self) -> f64 {
        let places: Vec<Place> = (0..SAMPLES).map(|i| self.place(TAU * f64::from(i) / f64::from(SAMPLES))).collect();
        let count = places.len();
        let step = |i: usize| places[i].point.distance(places[(i + 1) % count].point);
        let length: f64 = (0..count).map(step).sum();
        let mut thickest = (0..count).map(|i| bend(&places, i)).fold(self.winding, f64::min);
        for i in 0..count {
            let mut arc = 0.0;
            for j in i + 1..count {
                arc += step(j - 1);
                let half = 0.5 * places[i].point.distance(places[j].point);
                // Nearer along the curve than π r, the bound is the curvature's.
                if arc.min(length - arc) > std::f64::consts::PI * half {
                    thickest = thickest.min(half);
                }
            }
        }
        thickest
    }

    /// The curve at t [rad].
    fn place(&self, t: f64) -> Place {
        let [p, q] = self.turns.map(f64::from);
        let ((sin_p, cos_p), (sin_q, cos_q)) = (libm::sincos(p * t), libm::sincos(q * t));
        let reach = self.radius + self.winding * cos_q;
        let outward = DVec3::new(cos_p, 0.0, sin_p);
        let onward = DVec3::new(-sin_p, 0.0, cos_p);
        Place {
            point: reach * outward + self.winding * sin_q * DVec3::Y,
            slope: p * reach * onward + q * self.winding * (cos_q * DVec3::Y - sin_q * outward),
            normal: cos_q * outward + sin_q * DVec3::Y,
        }
    }
}

/// Radius of the circle through a place and its neighbours [m].
fn bend(places: &[Place], i: usize) -> f64 {
    let count = places.len();
    let [a, b, c] = [i + count - 1, i, i + 1].map(|k| places[k % count].point);
    let twice_area = (b - a).cross(c - a).length();
    if twice_area > 0.0 { a.distance(b) * b.distance(c) * c.distance(a) / (2.0 * twice_area) } else { f64::INFINITY }
}
