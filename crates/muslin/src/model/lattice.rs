//! Blocks and chains of springs: the slides' structures that are no sheets.
//!
//! ```text
//! block   edges k = E A_e/l0 (A_e: cross-section the edge stands for),
//!         diagonals of cell faces k = ½ G A_f/L, of cells k = ¼ G A/L
//! chain   n springs of stiffness n K: one spring equals n in series
//! ```
//!
//! E Young's modulus [N/m²], G = E/2 (no lateral contraction). The diagonals stiffen the edges' directions a little
//! too: the "interference between spring sets" of [Slides].

use glam::DVec3;

use super::material::Damping;
use super::{ClothPart, Model};
use crate::forces::{Spring, SpringKind};

/// A block of elastic material as a lattice of springs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    /// Mass per volume [kg/m³].
    pub density: f64,
    /// Young's modulus [N/m²].
    pub stiffness: f64,
    /// Damping ratio at the reference frequency.
    pub damping: f64,
}

/// A thread, a rod, a row of springs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chain {
    /// Mass of the whole chain, without the bob [kg].
    pub mass: f64,
    /// Extra mass at its last particle [kg].
    pub bob: f64,
    /// Stiffness of the whole chain, end to end [N/m].
    pub stiffness: f64,
    /// Rest length of the whole chain [m]; none: the length of the mesh.
    pub rest_length: Option<f64>,
    /// Damping ratio at the reference frequency.
    pub damping: f64,
}

/// A lattice's cells, read off its mesh at rest.
struct Cells {
    min: DVec3,
    max: DVec3,
    cell: DVec3,
}

impl Cells {
    fn of(part: &ClothPart) -> Self {
        let positions = &part.mesh.positions;
        let min = positions.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let max = positions.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let longest =
            part.topology.edges.iter().map(|edge| (positions[edge.b as usize] - positions[edge.a as usize]).abs());
        Self { min, max, cell: longest.fold(DVec3::ZERO, DVec3::max) }
    }

    /// ½ where a point lies on the border across `axis`, else 1: how much of a cell it stands for there.
    fn fraction(&self, point: DVec3, axis: usize) -> f64 {
        let slack = 1e-9 * self.cell[axis];
        let on_border = (point[axis] - self.min[axis]).abs() < slack || (point[axis] - self.max[axis]).abs() < slack;
        if on_border { 0.5 } else { 1.0 }
    }

    /// Volume a point stands for [m³].
    fn volume(&self, point: DVec3) -> f64 {
        (0..3).map(|axis| self.cell[axis] * self.fraction(point, axis)).product()
    }

    /// Cross-section that the connection of two points stands for [m²], and along how many axes it runs.
    fn section(&self, from: DVec3, to: DVec3) -> (f64, usize) {
        let along: Vec<usize> = (0..3).filter(|&axis| (to - from)[axis].abs() > 0.5 * self.cell[axis]).collect();
        let across = (0..3).filter(|axis| !along.contains(axis));
        let fraction: f64 = across.map(|axis| self.fraction(from, axis)).product();
        let volume: f64 = self.cell.x * self.cell.y * self.cell.z;
        (fraction * volume / from.distance(to), along.len())
    }
}

/// Adds a lattice's springs and masses to a model under construction.
pub(super) fn add_lattice(model: &mut Model, part: &ClothPart, lattice: &Lattice) {
    let cells = Cells::of(part);
    let positions = &part.mesh.positions;
    let offset = part.particles.start as u32;
    for (mass, &point) in model.mass[part.particles.clone()].iter_mut().zip(positions) {
        *mass = lattice.density * cells.volume(point);
    }
    let edges = part.topology.edges.iter().map(|edge| ([edge.a, edge.b], SpringKind::Stretch));
    let diagonals = part.topology.diagonals.iter().map(|pair| (*pair, SpringKind::Shear));
    for ([a, b], kind) in edges.chain(diagonals) {
        let (from, to) = (positions[a as usize], positions[b as usize]);
        let rest = from.distance(to);
        let (section, axes) = cells.section(from, to);
        let fraction = [1.0, 1.0, 0.25, 0.125][axes];
        let stiffness = fraction * lattice.stiffness * section / rest;
        let damping = Damping::time(lattice.damping) * stiffness;
        model.springs.push(Spring { a: offset + a, b: offset + b, rest, stiffness, damping, kind });
    }
}

/// Adds a chain's springs and masses to a model under construction.
pub(super) fn add_chain(model: &mut Model, part: &ClothPart, chain: &Chain) {
    let links = part.topology.edges.len().max(1) as f64;
    let offset = part.particles.start as u32;
    for edge in &part.topology.edges {
        let rest = part.mesh.positions[edge.a as usize].distance(part.mesh.positions[edge.b as usize]);
        let stiffness = links * chain.stiffness;
        let damping = Damping::time(chain.damping) * stiffness;
        let (a, b) = (offset + edge.a, offset + edge.b);
        model.springs.push(Spring { a, b, rest, stiffness, damping, kind: SpringKind::Stretch });
        for end in [a, b] {
            model.mass[end as usize] += 0.5 * chain.mass / links;
        }
    }
    if let Some(last) = model.mass[part.particles.clone()].last_mut() {
        *last += chain.bob;
    }
}

/// The rest shape of a chain whose rest length differs from its start: its mesh, scaled about the first vertex.
pub(super) fn chain_rest_shape(positions: &mut [DVec3], chain: &Chain) {
    let (Some(&first), Some(rest)) = (positions.first(), chain.rest_length) else { return };
    let length: f64 = positions.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    for position in positions {
        *position = first + (*position - first) * (rest / length);
    }
}
