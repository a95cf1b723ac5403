//! Checks of the parameters that generators share.

use super::MeshError;

/// More particles than any machine steps in reasonable time: such a number is a slip of the pen, and is refused before
/// memory is asked for it.
const MAX_PARTICLES: u128 = 10_000_000;

/// Refuses counts below `least` and totals above the limit. `must` says the first condition in words.
pub(super) fn check_counts(
    what: &'static str,
    counts: &[u32],
    least: &[u32],
    must: &'static str,
) -> Result<(), MeshError> {
    if counts.iter().zip(least).any(|(count, least)| count < least) {
        return Err(MeshError::Parameter { what, must, value: list(counts) });
    }
    let total = counts.iter().map(|&count| u128::from(count)).product();
    check_total(what, total, || list(counts))
}

/// Refuses a total number of particles above the limit.
pub(super) fn check_total(what: &'static str, total: u128, value: impl FnOnce() -> String) -> Result<(), MeshError> {
    if total > MAX_PARTICLES {
        let value = format!("{} ({total} particles)", value());
        return Err(MeshError::Parameter { what, must: "at most 10 million particles in all", value });
    }
    Ok(())
}

/// Refuses lengths that are not positive and finite [m].
pub(super) fn check_lengths(what: &'static str, lengths: &[f64]) -> Result<(), MeshError> {
    if lengths.iter().all(|length| length.is_finite() && *length > 0.0) {
        return Ok(());
    }
    Err(MeshError::Parameter { what, must: "positive and finite", value: list(lengths) })
}

/// One value as it is, several in brackets: as a scene file spells them.
fn list<T: std::fmt::Debug>(values: &[T]) -> String {
    if let [value] = values { format!("{value:?}") } else { format!("{values:?}") }
}
