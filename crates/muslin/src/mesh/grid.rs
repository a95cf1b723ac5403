//! A rectangular sheet of quads, or of triangles.

use glam::{DVec2, DVec3};

use super::parameter::{check_counts, check_lengths};
use super::{Diagonals, Mesh, MeshError, UvMap};

/// A rectangle in the x–z plane with one corner at the origin and its front side up.
///
/// Particle (i, j) lies at (i dx, 0, j dz) and has the number i + nx j. The weft (u) runs along x and
/// the warp (v) along z.
#[derive(Debug, Clone, PartialEq)]
pub struct GridSpec {
    /// Extent along x and z [m].
    pub size: DVec2,
    /// Particles along x and z, at least 2 each.
    pub particles: [u32; 2],
    /// Which shear diagonals the cells carry, and with that how they are split into triangles: all alike for
    /// [`Diagonals::One`], like a chessboard otherwise.
    pub diagonals: Diagonals,
    /// Make the faces triangles, so that the diagonals become structural edges. Needs `One` or `Alternating`.
    pub triangles: bool,
}

impl GridSpec {
    /// A square of triangles with sides of `size` [m] and so many particles along each.
    pub fn square(size: f64, particles: u32) -> Self {
        Self { size: DVec2::splat(size), particles: [particles; 2], diagonals: Diagonals::Alternating, triangles: true }
    }

    /// Makes the mesh.
    ///
    /// ```
    /// use muslin::DVec2;
    /// use muslin::mesh::{Diagonals, GridSpec};
    ///
    /// let spec = GridSpec { size: DVec2::ONE, particles: [41, 41], diagonals: Diagonals::Both, triangles: false };
    /// let mesh = spec.build()?;
    /// assert_eq!((mesh.positions.len(), mesh.faces.len()), (1681, 1600));
    /// # Ok::<(), muslin::mesh::MeshError>(())
    /// ```
    pub fn build(&self) -> Result<Mesh, MeshError> {
        self.check()?;
        let [nx, nz] = self.particles;
        let mut mesh = Mesh::default();
        let mut uvs = Vec::with_capacity(nx as usize * nz as usize);
        for j in 0..nz {
            for i in 0..nx {
                // Divided last, so that the far border lies exactly at `size`.
                let uv = DVec2::new(f64::from(i) / f64::from(nx - 1), f64::from(j) / f64::from(nz - 1));
                uvs.push(uv);
                mesh.positions.push(DVec3::new(self.size.x * uv.x, 0.0, self.size.y * uv.y));
            }
        }
        for j in 0..nz - 1 {
            for i in 0..nx - 1 {
                let first = i + nx * j;
                mesh.faces.push(cell([first, first + nx, first + nx + 1, first + 1], self.diagonals, i + j));
            }
        }
        if self.triangles {
            mesh.faces = mesh.faces.iter().flat_map(|q| [vec![q[0], q[1], q[2]], vec![q[0], q[2], q[3]]]).collect();
        } else {
            mesh.add_diagonals(self.diagonals);
        }
        mesh.uvs = Some(UvMap::per_vertex(uvs, &mesh.faces));
        Ok(mesh)
    }

    fn check(&self) -> Result<(), MeshError> {
        check_lengths("grid.size", &self.size.to_array())?;
        check_counts("grid.particles", &self.particles, &[2, 2], "at least 2 each way")?;
        if self.triangles && !matches!(self.diagonals, Diagonals::One | Diagonals::Alternating) {
            return Err(MeshError::Parameter {
                what: "grid.diagonals",
                must: "`one` or `alternating` where `grid.triangles` is set",
                value: format!("`{}`", format!("{:?}", self.diagonals).to_lowercase()),
            });
        }
        Ok(())
    }
}

/// The corners of a cell, turned so that its first and third are where it is to be split. `parity` is the cell's column
/// plus its row.
pub(super) fn cell(mut corners: [u32; 4], diagonals: Diagonals, parity: u32) -> Vec<u32> {
    if diagonals != Diagonals::One && parity % 2 == 1 {
        corners.rotate_left(1);
    }
    corners.to_vec()
}
