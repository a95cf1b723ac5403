//! A box-shaped lattice: springs in three dimensions.

use glam::DVec3;

use super::parameter::{check_counts, check_lengths};
use super::{Mesh, MeshError};

/// A box with one corner at the origin, filled with a lattice of particles. Its surface is quads, front side out; edges
/// inside are lines. Shear pairs are both diagonals of every cell face and the four diagonals through every cell.
///
/// Particle (i, j, k) lies at (i dx, j dy, k dz) and has the number i + nx (j + ny k).
#[derive(Debug, Clone, PartialEq)]
pub struct BlockSpec {
    /// Extent along x, y and z [m].
    pub size: DVec3,
    /// Particles along x, y and z, at least 2 each.
    pub particles: [u32; 3],
}

/// A place in the lattice, counted along x, y and z.
type Cell = [u32; 3];

impl BlockSpec {
    /// Makes the mesh.
    pub fn build(&self) -> Result<Mesh, MeshError> {
        check_lengths("block.size", &self.size.to_array())?;
        check_counts("block.particles", &self.particles, &[2, 2, 2], "at least 2 each way")?;
        let mut mesh = Mesh { positions: self.positions(), ..Mesh::default() };
        for axis in 0..3 {
            self.add_boundary(axis, &mut mesh.faces);
            self.add_inner_edges(axis, &mut mesh.lines);
            self.add_face_diagonals(axis, &mut mesh.diagonals);
        }
        self.add_body_diagonals(&mut mesh.diagonals);
        Ok(mesh)
    }

    fn positions(&self) -> Vec<DVec3> {
        let cells = DVec3::from(self.particles.map(|count| f64::from(count - 1)));
        let place = |at: Cell| self.size * (DVec3::from(at.map(f64::from)) / cells);
        lattice(self.particles).map(place).collect()
    }

    fn number(&self, [i, j, k]: Cell) -> u32 {
        let [nx, ny, _] = self.particles;
        i + nx * (j + ny * k)
    }

    /// Quads of the two sides that `axis` is normal to.
    fn add_boundary(&self, axis: usize, faces: &mut Vec<Vec<u32>>) {
        let mut cells = self.particles.map(|count| count - 1);
        cells[axis] = 1;
        for far in [false, true] {
            for mut at in lattice(cells) {
                at[axis] = if far { self.particles[axis] - 1 } else { 0 };
                let mut quad = self.face_corners(axis, at);
                if !far {
                    quad.reverse();
                }
                faces.push(quad.to_vec());
            }
        }
    }

    /// Edges along `axis` that are sides of no boundary quad.
    fn add_inner_edges(&self, axis: usize, lines: &mut Vec<[u32; 2]>) {
        let mut starts = self.particles;
        starts[axis] -= 1;
        let inside = |at: &Cell| (0..3).all(|a| a == axis || (at[a] > 0 && at[a] < self.particles[a] - 1));
        let edge = |at: Cell| [self.number(at), self.number(shifted(at, &[axis]))];
        lines.extend(lattice(starts).filter(inside).map(edge));
    }

    /// Both diagonals of every cell face that `axis` is normal to.
    fn add_face_diagonals(&self, axis: usize, diagonals: &mut Vec<[u32; 2]>) {
        let mut faces = self.particles.map(|count| count - 1);
        faces[axis] = self.particles[axis];
        for at in lattice(faces) {
            let [a, b, c, d] = self.face_corners(axis, at);
            diagonals.extend([[a, c], [b, d]]);
        }
    }

    /// The four diagonals through every cell.
    fn add_body_diagonals(&self, diagonals: &mut Vec<[u32; 2]>) {
        for at in lattice(self.particles.map(|count| count - 1)) {
            let pair = |from: &[usize], to: &[usize]| [self.number(shifted(at, from)), self.number(shifted(at, to))];
            diagonals.extend([pair(&[], &[0, 1, 2]), pair(&[0], &[1, 2]), pair(&[1], &[0, 2]), pair(&[2], &[0, 1])]);
        }
    }

    /// Corners of the cell face at `at` normal to `axis`, counter-clockwise seen from the side `axis` points to.
    fn face_corners(&self, axis: usize, at: Cell) -> [u32; 4] {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        [at, shifted(at, &[u]), shifted(at, &[u, v]), shifted(at, &[v])].map(|corner| self.number(corner))
    }
}

/// One step further along each of `axes`.
fn shifted(mut at: Cell, axes: &[usize]) -> Cell {
    for &axis in axes {
        at[axis] += 1;
    }
    at
}

/// All places of a lattice, x fastest: the order in which its particles are numbered.
fn lattice([nx, ny, nz]: Cell) -> impl Iterator<Item = Cell> {
    (0..nz).flat_map(move |k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])))
}
