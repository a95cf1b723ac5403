//! "Did you mean …": the nearest of the names that would have been right.

/// Similarity (Jaro–Winkler, 0 to 1) above which a name is worth suggesting; below it suggestions look random.
const SIMILAR_ENOUGH: f64 = 0.75;

/// The name most like `written`, if any is like it at all.
pub(crate) fn nearest<'a>(written: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = normal(written);
    names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&plain, &normal(name)), name))
        .filter(|(similarity, _)| *similarity >= SIMILAR_ENOUGH)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// "did you mean `x`? (known: …)", or the list alone.
pub(crate) fn hint(written: &str, names: &[&str]) -> String {
    let list = quoted(names);
    match nearest(written, names.iter().copied()) {
        Some(name) if names.len() > 1 => format!("did you mean `{name}`? There are: {list}"),
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("there are: {list}"),
    }
}

/// Names in backquotes, separated by commas.
pub(crate) fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Case and the choice of `-`, `_` or space are no difference.
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['-', ' '], "_")
}
