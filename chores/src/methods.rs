//! The tables of parameters in `docs/methods`, written from the same rows that scene files are checked by.

use std::fmt::Write;
use std::path::PathBuf;

use muslin_scene::methods::{IntegratorMethod, LimiterMethod};
use muslin_scene::parameters::Method;

use crate::root;

/// The line before a table; the method's name and [`CLOSE`] follow it.
const OPEN: &str = "<!-- parameters of ";
const CLOSE: &str = " -->";
/// The line after a table.
const END: &str = "<!-- end -->";

/// Every page of a method, with its tables as they should be.
pub(crate) fn pages() -> Vec<(PathBuf, String)> {
    let folder = root().join("docs/methods");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let read = |path: PathBuf| {
        let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let page = rewritten(&page);
        (path, page)
    };
    files.flatten().map(|file| read(file.path())).collect()
}

fn rewritten(page: &str) -> String {
    let mut pieces = page.split(OPEN);
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let parts = piece.split_once(CLOSE).and_then(|(name, rest)| Some((name, rest.split_once(END)?.1)));
        let (name, rest) = parts.unwrap_or_else(|| panic!("a table of parameters without an end: {piece}"));
        let table = table_of::<LimiterMethod>(name).or_else(|| table_of::<IntegratorMethod>(name));
        let table = table.unwrap_or_else(|| panic!("there is no method `{name}`"));
        let _ = write!(text, "{OPEN}{name}{CLOSE}\n{table}{END}{rest}");
    }
    text
}

fn table_of<M: Method>(name: &str) -> Option<String> {
    let method = *M::ALL.iter().find(|method| method.name() == name)?;
    let mut table = "| parameter | value | default | what it is |\n|---|---|---|---|\n".to_owned();
    for parameter in method.parameters() {
        let (key, values) = (parameter.key, parameter.values_text(method));
        let default = parameter.default_text(method);
        let _ = writeln!(table, "| `{key}` | {values} | {default} | {} |", parameter.about);
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_in_docs_are_those_of_the_methods() {
        for (path, page) in pages() {
            let stored = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(stored == page, "{} is stale: run `cargo xtask reference`", path.display());
        }
    }

    #[test]
    fn every_limiter_that_has_a_page_has_its_table_there() {
        let pages = pages();
        for method in LimiterMethod::ALL.iter().filter(|method| **method != LimiterMethod::None) {
            let marker = format!("{OPEN}{}{CLOSE}", method.name());
            assert!(pages.iter().any(|(_, page)| page.contains(&marker)), "no page has {marker}");
        }
    }
}
