//! `docs/scene-reference.md`, written from the schema of scene files, so that it cannot disagree with them.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::{Outcome, methods, root};

const HEAD: &str = "\
# Scene files, key by key

Written by `cargo xtask reference` from what `muslin schema` prints. Metres, kilograms, seconds; y is up.
`N` stands for the number of an entry, from 0, in paths of `--set`.
";

/// Where the page is.
fn path() -> PathBuf {
    root().join("docs/scene-reference.md")
}

/// Writes the page, and the tables of parameters in the pages of methods.
pub(crate) fn write() -> Outcome {
    let pages = methods::pages().into_iter().chain([(path(), page())]);
    pages.into_iter().try_for_each(|(path, page)| {
        fs::write(&path, page).map_err(|error| format!("cannot write {}: {error}", path.display()))
    })
}

/// The page.
fn page() -> String {
    let mut sections = vec![HEAD.to_owned()];
    describe_object("", &muslin_scene::schema(), &mut sections);
    sections.join("\n")
}

/// Adds the section of an object, then those of the objects inside it.
fn describe_object(path: &str, object: &Value, sections: &mut Vec<String>) {
    let Some(properties) = object["properties"].as_object().filter(|keys| !keys.is_empty()) else { return };
    let title = if path.is_empty() { "## Top level".to_owned() } else { format!("## `{path}`") };
    let mut text = format!("{title}\n\n");
    if !path.is_empty() {
        let _ = writeln!(text, "{}\n", one_line(&object["description"]));
    }
    text += "| key | value | what it is |\n|---|---|---|\n";
    for (key, value) in properties {
        let about = format!("{}{}", one_line(&value["description"]), choices(value));
        let _ = writeln!(text, "| `{key}` | {} | {about} |", kind(value));
    }
    sections.push(text);
    for (key, value) in properties {
        let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        describe_inner(&inner, value, sections);
    }
}

/// Looks for objects in a value: itself, the entries of a list, or one of several forms.
fn describe_inner(path: &str, value: &Value, sections: &mut Vec<String>) {
    if value["properties"].is_object() {
        describe_object(path, value, sections);
    } else if value["items"].is_object() {
        describe_inner(&format!("{path}.N"), &value["items"], sections);
    } else {
        let forms = value["anyOf"].as_array().into_iter().flatten();
        forms.for_each(|form| describe_inner(path, form, sections));
    }
}

/// What kind of value it is, in a word or two.
fn kind(value: &Value) -> String {
    if value["oneOf"].is_array() {
        return "one of".to_owned();
    }
    if let Some(forms) = value["anyOf"].as_array() {
        return forms.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    match value["type"].as_str().unwrap_or_default() {
        "object" => "table".to_owned(),
        "array" if value["items"]["properties"].is_object() => "list of tables".to_owned(),
        "array" => match value["maxItems"].as_u64() {
            Some(count) => format!("{count} numbers"),
            None => "list".to_owned(),
        },
        "integer" => "whole number".to_owned(),
        "boolean" => "true or false".to_owned(),
        "string" => "text".to_owned(),
        other => other.to_owned(),
    }
}

/// The words to choose from, for the value or for the entries of a list, each with its meaning.
fn choices(value: &Value) -> String {
    let words = value["oneOf"].as_array().or_else(|| value["items"]["oneOf"].as_array()).into_iter().flatten();
    let described: Vec<_> =
        words.map(|word| format!("<br>`{}`: {}", word["const"], one_line(&word["description"]))).collect();
    described.concat()
}

fn one_line(text: &Value) -> String {
    text.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_in_docs_is_the_one_the_schema_gives() {
        let stored = fs::read_to_string(path()).unwrap_or_default();
        assert!(stored == page(), "docs/scene-reference.md is stale: run `cargo xtask reference`");
    }
}
