//! A type name has one meaning in the core: none is defined twice. Tests only.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::root;

/// Compiled only without the feature `limiters`, in place of the module whose type it stands in for.
const STAND_IN: &str = "limit/no_methods.rs";

/// The types that a source defines, with their lines; its test module, which comes last, is left out.
fn defined(source: &str) -> Vec<(usize, &str)> {
    let lines = source.lines().zip(1..).take_while(|(line, _)| *line != "mod tests {");
    lines.filter_map(|(line, number)| Some((number, type_name(line)?))).collect()
}

/// The name of the type whose definition begins in a line. Indented `type`s belong to traits.
fn type_name(line: &str) -> Option<&str> {
    let definition = line.trim_start();
    let definition = match definition.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => definition,
    };
    let (keyword, rest) = definition.split_once(' ')?;
    let is_type =
        matches!(keyword, "struct" | "enum" | "trait" | "union") || (keyword == "type" && !line.starts_with(' '));
    let name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()?;
    (is_type && !name.is_empty()).then_some(name)
}

/// Path and text of all sources in a folder and its folders. Files `tests.rs` are test modules, and left out.
fn sources(root: &Path, folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
        if path.is_dir() {
            found.extend(sources(root, &path));
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string().replace('\\', "/");
            found.push((name, text));
        }
    }
    found
}

#[test]
fn no_type_name_is_defined_twice_in_the_core() {
    let core = root().join("crates/muslin/src");
    let mut sources = sources(&core, &core);
    let all = sources.len();
    sources.retain(|(path, _)| path != STAND_IN);
    assert_eq!(sources.len() + 1, all, "{STAND_IN} is gone");
    let mut types: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, source) in &sources {
        for (line, name) in defined(source) {
            types.entry(name).or_default().push(format!("{path}:{line}"));
        }
    }
    assert!(types.len() > 200, "only {} types found", types.len());
    let twice: Vec<_> = types.iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(twice.is_empty(), "types with one name and two meanings: {twice:#?}");
}

#[test]
fn types_are_found_whatever_their_visibility_but_not_those_of_traits_and_tests() {
    let source = "pub(in crate::limit) struct Row<'a> {\n    pub struct_count: u32,\n    type Item = u32;\n}\n\
                  enum Way {}\npub type Length = f64;\n    pub(super) trait Inner {}\n// struct Not\n\
                  mod tests {\n    struct Tested;\n}\n";
    assert_eq!(defined(source), [(1, "Row"), (5, "Way"), (6, "Length"), (7, "Inner")]);
}
