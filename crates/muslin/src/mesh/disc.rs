//! A round sheet of triangles.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::parameter::{check_counts, check_lengths, check_total};
use super::{Mesh, MeshError, UvMap};

/// A disc in the x–z plane, centred at the origin, front side up: a centre and rings of 6, 12, 18, … particles.
///
/// Texture coordinates cover the square around the disc, u along x and v along z.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscSpec {
    /// Radius [m].
    pub radius: f64,
    /// Rings around the centre, at least 1.
    pub rings: u32,
}

impl DiscSpec {
    /// Makes the mesh.
    pub fn build(&self) -> Result<Mesh, MeshError> {
        check_lengths("disc.radius", &[self.radius])?;
        check_counts("disc.rings", &[self.rings], &[1], "at least 1")?;
        let rings = u128::from(self.rings);
        check_total("disc.rings", 1 + 3 * rings * (rings + 1), || self.rings.to_string())?;

        let mut mesh = Mesh { positions: vec![DVec3::ZERO], ..Mesh::default() };
        for ring in 1..=self.rings {
            self.add_ring(ring, &mut mesh);
        }
        let to_uv = |p: &DVec3| 0.5 * (DVec2::new(p.x, p.z) / self.radius + 1.0);
        mesh.uvs = Some(UvMap::per_vertex(mesh.positions.iter().map(to_uv).collect(), &mesh.faces));
        Ok(mesh)
    }

    /// A ring of `6 ring` particles and the triangles between it and the ring inside it.
    fn add_ring(&self, ring: u32, mesh: &mut Mesh) {
        let r = self.radius * f64::from(ring) / f64::from(self.rings);
        for i in 0..6 * ring {
            let (sin, cos) = libm::sincos(TAU * f64::from(i) / f64::from(6 * ring));
            mesh.positions.push(DVec3::new(r * cos, 0.0, r * sin));
        }
        for sector in 0..6 {
            let outer = |i| particle(ring, sector * ring + i);
            let inner = |i| particle(ring - 1, sector * (ring - 1) + i);
            for i in 0..ring {
                mesh.faces.push(vec![outer(i + 1), outer(i), inner(i)]);
                if i + 1 < ring {
                    mesh.faces.push(vec![outer(i + 1), inner(i), inner(i + 1)]);
                }
            }
        }
    }
}

/// Number of a ring's particle, counted around.
fn particle(ring: u32, around: u32) -> u32 {
    if ring == 0 { 0 } else { 1 + 3 * ring * (ring - 1) + around % (6 * ring) }
}
