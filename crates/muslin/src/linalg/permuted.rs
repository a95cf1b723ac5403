//! A symmetric pattern in the order of elimination, and where each of its values comes from.

use muslin_factor::Triangle;

use super::RowPattern;

/// Which triangle is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    Lower,
    Upper,
}

/// One triangle of P A Pᵀ by columns, the rows of a column in order.
#[derive(Debug, Clone)]
pub(super) struct Permuted {
    pub(super) col_start: Vec<u32>,
    pub(super) row: Vec<u32>,
    /// For each entry, where its value is stored in A's lower triangle, and whether the entry is the mirror image.
    pub(super) source: Vec<(u32, bool)>,
}

impl Permuted {
    /// The triangle of the pattern in the new order; `place[old] = new`.
    pub(super) fn new(pattern: &RowPattern, place: &[u32], half: Half) -> Self {
        let mut entries = Vec::with_capacity(pattern.entries());
        for q in 0..pattern.size() {
            for slot in pattern.column(q) {
                let (i, j) = (place[pattern.row[slot] as usize], place[q]);
                let mirrored = match half {
                    Half::Lower => i < j,
                    Half::Upper => i > j,
                };
                let (row, column) = if mirrored { (j, i) } else { (i, j) };
                entries.push(Entry { row, column, slot: slot as u32, mirrored });
            }
        }
        let entries = bucketed(&entries, pattern.size(), |entry| entry.row);
        let entries = bucketed(&entries, pattern.size(), |entry| entry.column);
        Self {
            col_start: starts(&entries, pattern.size(), |entry| entry.column),
            row: entries.iter().map(|entry| entry.row).collect(),
            source: entries.iter().map(|entry| (entry.slot, entry.mirrored)).collect(),
        }
    }

    /// The pattern, as the solver library takes it.
    pub(super) fn triangle(&self) -> Triangle<'_> {
        Triangle { col_start: &self.col_start, row: &self.row }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    row: u32,
    column: u32,
    slot: u32,
    mirrored: bool,
}

/// Where each bucket starts among entries in order, and where the last one ends.
fn starts(entries: &[Entry], buckets: usize, key: impl Fn(&Entry) -> u32) -> Vec<u32> {
    let mut start = vec![0; buckets + 1];
    for entry in entries {
        start[key(entry) as usize + 1] += 1;
    }
    for bucket in 0..buckets {
        start[bucket + 1] += start[bucket];
    }
    start
}

/// The entries by their key; equal keys stay in order.
fn bucketed(entries: &[Entry], buckets: usize, key: impl Fn(&Entry) -> u32) -> Vec<Entry> {
    let mut next = starts(entries, buckets, &key);
    let mut sorted = vec![Entry::default(); entries.len()];
    for entry in entries {
        let place = &mut next[key(entry) as usize];
        sorted[*place as usize] = *entry;
        *place += 1;
    }
    sorted
}
