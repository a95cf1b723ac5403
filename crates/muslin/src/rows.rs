//! Rows: the pairs of particles that a limiter keeps at a distance, and an order of rows or triangles in which
//! neighbours in the list share no particle.

use crate::mesh::unordered;
use crate::model::Model;

/// A pair of particles whose distance is limited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// First particle.
    pub a: u32,
    /// Second particle.
    pub b: u32,
    /// Distance at rest [m]; more than 0.
    pub rest: f64,
}

/// The structural edges that have a length, in the model's order.
pub fn edge_rows(model: &Model) -> Vec<Row> {
    let edges = model.edges.iter().filter(|edge| edge.rest > 0.0);
    edges.map(|edge| Row { a: edge.a, b: edge.b, rest: edge.rest }).collect()
}

/// The cross edges of all cloths: the two vertices opposite an edge that two triangles share. Pairs that are structural
/// edges themselves, and pairs that coincide at rest, are left out.
pub fn cross_rows(model: &Model) -> Vec<Row> {
    let mut pairs: Vec<[u32; 2]> = model.edges.iter().map(|edge| unordered([edge.a, edge.b])).collect();
    pairs.sort_unstable();
    let mut rows = Vec::new();
    for part in &model.cloths {
        for pair in part.topology.cross_edges() {
            let rest = part.mesh.positions[pair[0] as usize].distance(part.mesh.positions[pair[1] as usize]);
            let [a, b] = pair.map(|vertex| part.particles.start as u32 + vertex);
            if rest > 0.0 && a != b && pairs.binary_search(&unordered([a, b])).is_err() {
                rows.push(Row { a, b, rest });
            }
        }
    }
    rows
}

/// Groups of rows, or of triangles, in which no two share a particle: those of a group can be solved in any order, or
/// at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Colouring {
    /// Row numbers, group after group; within a group in the order of the rows.
    pub order: Vec<u32>,
    /// Where each group ends in `order`.
    pub ends: Vec<usize>,
}

impl Colouring {
    /// The colouring of rows.
    pub fn of(rows: &[Row], particles: usize) -> Self {
        Self::of_elements(rows.iter().map(|row| [row.a, row.b]), particles)
    }

    /// Greedy colouring: each element joins the first group that none of its particles is in.
    pub fn of_elements<const N: usize>(elements: impl Iterator<Item = [u32; N]>, particles: usize) -> Self {
        let mut used: Vec<Vec<u32>> = vec![Vec::new(); particles];
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for (number, element) in (0..).zip(elements) {
            let free = |group: &u32| element.iter().all(|&particle| !used[particle as usize].contains(group));
            // An element has at most as many neighbours as its particles have groups, so one group more is free.
            let most = element.iter().map(|&particle| used[particle as usize].len() as u32).sum();
            let group = (0..=most).find(free).unwrap_or(most);
            for particle in element {
                used[particle as usize].push(group);
            }
            if groups.len() <= group as usize {
                groups.push(Vec::new());
            }
            groups[group as usize].push(number);
        }
        let ends = groups.iter().scan(0, |end, group| {
            *end += group.len();
            Some(*end)
        });
        Self { ends: ends.collect(), order: groups.concat() }
    }

    /// The groups, each a list of row numbers.
    pub fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.order[start..end])
    }
}
