//! Orders of elimination that keep a factor sparse.

use glam::DVec3;

#[cfg(feature = "limiters")]
use super::RowPattern;

/// Parts of this size are not dissected further.
const LEAF: usize = 4;

/// Approximate minimum degree: `order[new] = old`. The order as given when memory runs out.
#[cfg(feature = "limiters")]
pub(super) fn minimum_degree(pattern: &RowPattern) -> Vec<u32> {
    let triangle = muslin_factor::Triangle { col_start: &pattern.col_start, row: &pattern.row };
    muslin_factor::minimum_degree(triangle).unwrap_or_else(|| (0..pattern.size() as u32).collect())
}

/// Geometric nested dissection, `order[new] = old`: the rows are cut in two halves near the median of the axis along
/// which their `centres` [m] spread most; rows of one half that are coupled to the other separate the halves and come
/// last; so on in each half.
pub(super) fn nested_dissection(neighbours: Neighbours, centres: &[DVec3]) -> Vec<u32> {
    let mut dissection = Dissection { neighbours, centres, side: vec![Zone::Outside; centres.len()] };
    let mut order: Vec<u32> = (0..centres.len() as u32).collect();
    dissection.dissect(&mut order);
    order
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    First,
    Second,
    Separator,
    Outside,
}

struct Dissection<'a> {
    neighbours: Neighbours,
    centres: &'a [DVec3],
    /// Where each row stands in the cut under way.
    side: Vec<Zone>,
}

impl Dissection<'_> {
    /// Orders `part`: first half, second half, separator.
    fn dissect(&mut self, part: &mut [u32]) {
        if part.len() <= LEAF {
            return;
        }
        let axis = widest_axis(self.centres, part);
        let height = |row: u32| self.centres[row as usize][axis];
        part.sort_unstable_by(|&p, &q| height(p).total_cmp(&height(q)).then(p.cmp(&q)));
        // Rows at the same height stay together where that leaves two halves worth the name.
        let level = height(part[part.len() / 2]);
        let cuts = [
            part.partition_point(|&row| height(row) < level - 1e-9 * level.abs()),
            part.partition_point(|&row| height(row) <= level + 1e-9 * level.abs()),
            part.len() / 2,
        ];
        let balanced = |cut: &usize| *cut >= part.len() * 2 / 5 && *cut <= part.len() * 3 / 5;
        let candidates = cuts.into_iter().filter(balanced).flat_map(|cut| [(cut, Zone::First), (cut, Zone::Second)]);
        let mut best = Vec::new();
        let mut best_cut = None;
        for (cut, from) in candidates {
            let separator = self.separator(part, cut, from);
            if best_cut.is_none() || separator.len() < best.len() {
                (best, best_cut) = (separator, Some(cut));
            }
        }
        let Some(cut) = best_cut else { return };
        self.split(part, cut, &best);
        let first = part.partition_point(|&row| self.side[row as usize] == Zone::First);
        let last = part.len() - best.len();
        for &row in &*part {
            self.side[row as usize] = Zone::Outside;
        }
        self.dissect(&mut part[..first]);
        self.dissect(&mut part[first..last]);
    }

    /// The rows of one side of a cut that are coupled to the other.
    fn separator(&mut self, part: &[u32], cut: usize, from: Zone) -> Vec<u32> {
        for (place, &row) in part.iter().enumerate() {
            self.side[row as usize] = if place < cut { Zone::First } else { Zone::Second };
        }
        let (own, other) = match from {
            Zone::First => (&part[..cut], Zone::Second),
            _ => (&part[cut..], Zone::First),
        };
        let is_coupled = |row: &u32| self.neighbours.of_row(*row).iter().any(|&q| self.side[q as usize] == other);
        own.iter().copied().filter(is_coupled).collect()
    }

    /// Sorts `part` by sides; each keeps its order along the axis.
    fn split(&mut self, part: &mut [u32], cut: usize, separator: &[u32]) {
        for (place, &row) in part.iter().enumerate() {
            self.side[row as usize] = if place < cut { Zone::First } else { Zone::Second };
        }
        for &row in separator {
            self.side[row as usize] = Zone::Separator;
        }
        part.sort_by_key(|&row| self.side[row as usize] as u8);
    }
}

fn widest_axis(centres: &[DVec3], part: &[u32]) -> usize {
    let points = || part.iter().map(|&row| centres[row as usize]);
    let least = points().fold(DVec3::INFINITY, DVec3::min);
    let most = points().fold(DVec3::NEG_INFINITY, DVec3::max);
    (most - least).max_position()
}

/// Which rows are coupled.
pub(super) struct Neighbours {
    start: Vec<usize>,
    row: Vec<u32>,
}

impl Neighbours {
    /// Of the given number of rows, those in `pairs`; one that is named several times counts as often.
    pub(super) fn of(size: usize, pairs: impl Iterator<Item = [u32; 2]>) -> Self {
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); size];
        for [p, q] in pairs.filter(|[p, q]| p != q) {
            lists[q as usize].push(p);
            lists[p as usize].push(q);
        }
        let start = std::iter::once(0).chain(lists.iter().scan(0, |end, list| {
            *end += list.len();
            Some(*end)
        }));
        Self { start: start.collect(), row: lists.concat() }
    }

    /// Of a pattern, without the diagonal.
    #[cfg(feature = "limiters")]
    pub(super) fn of_pattern(pattern: &RowPattern) -> Self {
        let below = |q: usize| pattern.row[pattern.column(q)][1..].iter().map(move |&p| [p, q as u32]);
        Self::of(pattern.size(), (0..pattern.size()).flat_map(below))
    }

    fn of_row(&self, row: u32) -> &[u32] {
        &self.row[self.start[row as usize]..self.start[row as usize + 1]]
    }
}
