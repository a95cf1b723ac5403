//! A row of particles: a thread, a rod, a pendulum.

use glam::DVec3;

use super::parameter::{check_counts, check_lengths};
use super::{Mesh, MeshError};

/// Particles evenly spaced on a straight line, each joined to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainSpec {
    /// Where the first particle is [m].
    pub from: DVec3,
    /// Where the last one is [m].
    pub to: DVec3,
    /// How many, at least 2.
    pub particles: u32,
}

impl ChainSpec {
    /// Makes the mesh.
    pub fn build(&self) -> Result<Mesh, MeshError> {
        check_lengths("chain: the distance from `from` to `to`", &[(self.to - self.from).length()])?;
        check_counts("chain.particles", &[self.particles], &[2], "at least 2")?;
        let last = self.particles - 1;
        Ok(Mesh {
            positions: (0..=last).map(|i| self.from.lerp(self.to, f64::from(i) / f64::from(last))).collect(),
            lines: (0..last).map(|i| [i, i + 1]).collect(),
            ..Mesh::default()
        })
    }
}
