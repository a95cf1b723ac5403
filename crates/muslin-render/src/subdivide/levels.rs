//! One level of subdivision.

use glam::Vec3;
use muslin::mesh::Incidence;

use super::{
    stencil::Stencils,
    topology::{Edge, Edges, VertexRule},
};

#[derive(Debug, Clone)]
pub(super) struct Level {
    /// A row for each old vertex, then one for each edge.
    stencils: Stencils,
    /// Old vertices at the ends of each edge.
    ends: Vec<[u32; 2]>,
}

impl Level {
    pub(super) fn new(edges: &Edges, rules: &[VertexRule]) -> Self {
        let around = Neighbours::new(edges, rules.len());
        let mut stencils = Stencils::new();
        for (vertex, &rule) in rules.iter().enumerate() {
            push_vertex(&mut stencils, vertex as u32, rule, &around);
        }
        for edge in edges.all() {
            push_edge(&mut stencils, edge);
        }
        Self { stencils, ends: edges.all().iter().map(|edge| edge.ends).collect() }
    }

    pub(super) fn vertices(&self) -> usize {
        self.stencils.rows()
    }

    pub(super) fn coarse_vertices(&self) -> usize {
        self.stencils.rows() - self.ends.len()
    }

    pub(super) fn smoothed(&self, coarse: &[Vec3]) -> Vec<Vec3> {
        self.stencils.apply(coarse)
    }

    pub(super) fn interpolated(&self, mut values: Vec<f32>) -> Vec<f32> {
        values.reserve(self.ends.len());
        for &[one, other] in &self.ends {
            values.push(values[one as usize].midpoint(values[other as usize]));
        }
        values
    }
}

fn push_edge(stencils: &mut Stencils, edge: &Edge) {
    let [one, other] = edge.ends;
    match edge.opposite {
        Some([left, right]) => stencils.push([(one, 0.375), (other, 0.375), (left, 0.125), (right, 0.125)]),
        None => stencils.push([(one, 0.5), (other, 0.5)]),
    }
}

fn push_vertex(stencils: &mut Stencils, vertex: u32, rule: VertexRule, around: &Neighbours) {
    match (rule, around.of(vertex), around.along_borders(vertex)) {
        (VertexRule::Inner, neighbours @ [_, ..], _) => {
            let beta = loop_beta(neighbours.len());
            let own = 1.0 - neighbours.len() as f32 * beta;
            stencils
                .push(std::iter::once((vertex, own)).chain(neighbours.iter().map(|&(neighbour, _)| (neighbour, beta))));
        }
        (VertexRule::Border, _, Some([one, other])) => stencils.push([(one, 0.125), (vertex, 0.75), (other, 0.125)]),
        _ => stencils.push([(vertex, 1.0)]),
    }
}

/// Loop's weight of each of `valence` neighbours.
pub(super) fn loop_beta(valence: usize) -> f32 {
    let n = valence as f64;
    let a = 0.375 + 0.25 * libm::cos(std::f64::consts::TAU / n);
    ((0.625 - a * a) / n) as f32
}

/// The vertices that edges join to each vertex, in the order of the edges.
///
/// With each comes whether the edge to it is a border.
struct Neighbours(Incidence<(u32, bool)>);

impl Neighbours {
    fn new(edges: &Edges, vertices: usize) -> Self {
        let both_ways = |edge: &Edge| {
            let ([one, other], border) = (edge.ends, edge.opposite.is_none());
            [(one, (other, border)), (other, (one, border))]
        };
        Self(Incidence::of(vertices, edges.all().iter().flat_map(both_ways)))
    }

    fn of(&self, vertex: u32) -> &[(u32, bool)] {
        self.0.at(vertex as usize)
    }

    /// The two neighbours along borders, if there are just two.
    fn along_borders(&self, vertex: u32) -> Option<[u32; 2]> {
        let mut ends = self.of(vertex).iter().filter(|(_, border)| *border).map(|&(neighbour, _)| neighbour);
        match (ends.next(), ends.next(), ends.next()) {
            (Some(one), Some(other), None) => Some([one, other]),
            _ => None,
        }
    }
}
