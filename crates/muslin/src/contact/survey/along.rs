//! What is near what along a cloth: where parts that lie near each other in space are neighbours, and where layers.
//!
//! ```text
//! r = ξ + ē                                            the reach of a cloth
//! vertices i and j are near along it:                  path(i, j) <= 2 max(r, ℓ_i, ℓ_j)
//! parts lie in different layers:                       no vertex of one is near one of the other
//! ```
//!
//! ξ thickness, ē mean edge, ℓ_i longest edge at vertex i, path the shortest one along edges, all at rest [m]; where no
//! path leads, as between two cloths, it is infinite. So parts that an edge joins, or two, are never layers, however
//! uneven a mesh is; and parts of flat cloth that are nearer than r in space are near along it: of a grid without
//! diagonals paths are √2 times as long as the distance, at most.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Pieces;
use crate::mesh::Incidence;
use crate::model::Model;

/// Vertices that are near each other along the cloths.
#[derive(Debug, Clone)]
pub(super) struct Along {
    /// For each particle, those near it, in rising order, itself among them.
    near: Incidence,
    /// The reach of each cloth [m].
    reach: Vec<f64>,
}

impl Along {
    pub(super) fn new(model: &Model, pieces: &Pieces) -> Self {
        let rest: Vec<_> = model.cloths.iter().flat_map(|part| part.mesh.positions.iter().copied()).collect();
        let lengths = pieces.edges.iter().map(|&[a, b]| (a, b, rest[a as usize].distance(rest[b as usize])));
        let joined = Incidence::of(rest.len(), lengths.clone().flat_map(|(a, b, l)| [(a, (b, l)), (b, (a, l))]));
        let mut sums = vec![(0.0, 0_u32); model.cloths.len()];
        for (a, _, length) in lengths {
            let (sum, count) = &mut sums[pieces.cloth[a as usize] as usize];
            (*sum, *count) = (*sum + length, *count + 1);
        }
        let reach = |(part, (sum, count)): (&crate::model::ClothPart, (f64, u32))| {
            part.skin.thickness + sum / f64::from(count.max(1))
        };
        let reach: Vec<f64> = model.cloths.iter().zip(sums).map(reach).collect();
        let mut paths = Paths::new(rest.len());
        let mut near = Vec::new();
        for vertex in 0..rest.len() as u32 {
            let longest = joined.at(vertex as usize).iter().fold(0.0, |longest: f64, (_, length)| longest.max(*length));
            paths.from(vertex, 2.0 * longest.max(reach[pieces.cloth[vertex as usize] as usize]), &joined);
            near.extend(paths.found.iter().flat_map(|&other| [(vertex, other), (other, vertex)]));
        }
        near.sort_unstable();
        near.dedup();
        Self { near: Incidence::of(rest.len(), near.iter().copied()), reach }
    }

    /// Whether parts of cloth, by their vertices, lie in different layers.
    pub(super) fn are_layers(&self, one: &[u32], other: &[u32]) -> bool {
        let is_near = |a: u32, b: u32| self.near.at(a as usize).binary_search(&b).is_ok();
        !one.iter().any(|&a| other.iter().any(|&b| is_near(a, b)))
    }

    /// The reach of a cloth [m].
    pub(super) fn reach(&self, cloth: u32) -> f64 {
        self.reach[cloth as usize]
    }

    /// The greatest reach of any [m].
    pub(super) fn greatest_reach(&self) -> f64 {
        self.reach.iter().copied().fold(0.0, f64::max)
    }
}

/// Shortest paths from one vertex after another.
struct Paths {
    /// The length of the shortest path known to each vertex [m]; infinite where none is.
    length: Vec<f64>,
    /// What was found.
    found: Vec<u32>,
    /// What is left to look at; floats that are not negative sort like their bits.
    queue: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Paths {
    fn new(vertices: usize) -> Self {
        Self { length: vec![f64::INFINITY; vertices], found: Vec::new(), queue: BinaryHeap::new() }
    }

    /// Finds all vertices to which a path of at most `reach` [m] leads.
    fn from(&mut self, vertex: u32, reach: f64, joined: &Incidence<(u32, f64)>) {
        self.found.drain(..).for_each(|vertex| self.length[vertex as usize] = f64::INFINITY);
        self.length[vertex as usize] = 0.0;
        self.found.push(vertex);
        self.queue.push(Reverse((0, vertex)));
        while let Some(Reverse((bits, at))) = self.queue.pop() {
            let path = self.length[at as usize];
            if path.to_bits() != bits {
                continue;
            }
            for &(next, length) in joined.at(at as usize) {
                let known = &mut self.length[next as usize];
                let longer = path + length;
                if longer <= reach && longer < *known {
                    if known.is_infinite() {
                        self.found.push(next);
                    }
                    *known = longer;
                    self.queue.push(Reverse((longer.to_bits(), next)));
                }
            }
        }
    }
}
