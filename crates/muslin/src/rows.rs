//! Rows: the pairs of particles that a limiter keeps at a distance, and an order in which neighbours in the list share
//! no particle.

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

/// Groups of rows in which no two share a particle: the rows of a group can be solved in any order, or at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Colouring {
    /// Row numbers, group after group; within a group in the order of the rows.
    pub order: Vec<u32>,
    /// Where each group ends in `order`.
    pub ends: Vec<usize>,
}

impl Colouring {
    /// Greedy colouring: each row joins the first group that none of its particles is in.
    pub fn of(rows: &[Row], particles: usize) -> Self {
        let mut used: Vec<Vec<u32>> = vec![Vec::new(); particles];
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for (number, row) in (0..).zip(rows) {
            let (a, b) = (row.a as usize, row.b as usize);
            let free = |group: &u32| !used[a].contains(group) && !used[b].contains(group);
            // A row has at most as many neighbours as its ends have groups, so one group more is free.
            let most = (used[a].len() + used[b].len()) as u32;
            let group = (0..=most).find(free).unwrap_or(most);
            used[a].push(group);
            used[b].push(group);
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
