//! Grouping by sorting. Sorted groups come in an order that depends on the input alone, which a hash map's does not.

/// Which entries of a list of keys are equal.
pub(super) struct Groups {
    /// Entries, those of one group side by side and in rising order.
    order: Vec<u32>,
    /// Where each group begins and ends in `order`; groups stand in the order in which their keys first appear.
    ranges: Vec<(u32, u32)>,
}

impl Groups {
    /// Groups equal keys.
    pub(super) fn of<K: Ord + Copy>(keys: &[K]) -> Self {
        // Keys are stored with their entries: looked up from afar, sorting would take several times as long.
        let mut sorted: Vec<(K, u32)> = keys.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        let mut ranges = Vec::new();
        let mut start = 0;
        for group in sorted.chunk_by(|a, b| a.0 == b.0) {
            let end = start + group.len() as u32;
            ranges.push((group[0].1, start, end));
            start = end;
        }
        ranges.sort_unstable();
        let order = sorted.into_iter().map(|(_, entry)| entry).collect();
        Self { order, ranges: ranges.into_iter().map(|(_, start, end)| (start, end)).collect() }
    }

    /// The groups in order of first appearance, each with its entries in rising order and at least one of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.ranges.iter().map(|&(start, end)| &self.order[start as usize..end as usize])
    }
}

/// For each of some vertices, the things that touch it.
pub(super) struct Incidence {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Incidence {
    /// Collects `(vertex, item)` pairs by vertex, in the order given.
    pub(super) fn of(vertices: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0u32; vertices + 1];
        for (vertex, _) in pairs.clone() {
            starts[vertex as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut items = vec![0; starts[vertices] as usize];
        for (vertex, item) in pairs {
            items[next[vertex as usize] as usize] = item;
            next[vertex as usize] += 1;
        }
        Self { starts, items }
    }

    /// What touches a vertex.
    pub(super) fn at(&self, vertex: usize) -> &[u32] {
        &self.items[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// The same pair whichever end comes first.
pub(super) fn unordered([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
