//! A tube of quads: a sleeve, a trouser leg.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::grid::cell;
use super::parameter::{check_counts, check_lengths};
use super::{Diagonals, Mesh, MeshError, UvMap};

/// A tube around the y axis, from y = 0 up to its length, open at both ends, front side out.
///
/// Particle i around and j along has the number i + around × j. The weft (u) runs around, the warp (v) along y; the
/// texture has a seam where it closes, so there are more texture coordinates than vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct TubeSpec {
    /// Distance of the particles from the axis [m].
    pub radius: f64,
    /// Extent along y [m].
    pub length: f64,
    /// Particles around (at least 3) and along (at least 2).
    pub particles: [u32; 2],
    /// Which shear diagonals the cells carry.
    pub diagonals: Diagonals,
}

impl TubeSpec {
    /// Makes the mesh.
    pub fn build(&self) -> Result<Mesh, MeshError> {
        check_lengths("tube.radius", &[self.radius])?;
        check_lengths("tube.length", &[self.length])?;
        check_counts("tube.particles", &self.particles, &[3, 2], "at least 3 around and 2 along")?;
        let [around, along] = self.particles;
        let mut mesh = Mesh::default();
        let mut uvs = UvMap::default();
        for j in 0..along {
            let v = f64::from(j) / f64::from(along - 1);
            for i in 0..around {
                let (sin, cos) = libm::sincos(TAU * f64::from(i) / f64::from(around));
                mesh.positions.push(DVec3::new(self.radius * cos, self.length * v, self.radius * sin));
            }
            uvs.coords.extend((0..=around).map(|i| DVec2::new(f64::from(i) / f64::from(around), v)));
        }
        for j in 0..along - 1 {
            for i in 0..around {
                let quad = |left: u32, right: u32, row: u32| {
                    let (low, high) = (row * j, row * (j + 1));
                    cell([low + left, high + left, high + right, low + right], self.diagonals, i + j)
                };
                mesh.faces.push(quad(i, (i + 1) % around, around));
                uvs.corners.push(quad(i, i + 1, around + 1));
            }
        }
        mesh.add_diagonals(self.diagonals);
        mesh.uvs = Some(uvs);
        Ok(mesh)
    }
}
