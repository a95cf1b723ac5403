//! Going over all rows, group by group, in parallel where it pays.

use rayon::prelude::*;

/// Groups of fewer rows are solved by one thread: waking others would take longer than they save.
const PARALLEL_FROM: usize = 4096;
/// Rows that a thread takes at a time.
const CHUNK: usize = 1024;

/// Solves every row once, group after group. True when `solve` was true of any.
pub(super) fn sweep<T: Sync>(rows: &[T], ends: &[usize], solve: impl Fn(&T) -> bool + Sync) -> bool {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let groups = starts.zip(ends).map(|(start, &end)| &rows[start..end]);
    groups.fold(false, |any, group| any_row(group, &solve) | any)
}

/// Calls `test` for every row, in any order. True when it was true of any.
pub(super) fn any_row<T: Sync>(rows: &[T], test: impl Fn(&T) -> bool + Sync) -> bool {
    let one_after_another = |rows: &[T]| rows.iter().fold(false, |any, row| test(row) | any);
    if rows.len() < PARALLEL_FROM || rayon::current_num_threads() == 1 {
        return one_after_another(rows);
    }
    rows.par_chunks(CHUNK).map(one_after_another).reduce(|| false, |any, other| any | other)
}
