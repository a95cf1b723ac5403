//! Schema turned into words: what a key wants, within which bounds, and an example of it.

use serde_json::Value;

/// What kind of value: `number`, `list`, `table`, …
pub(crate) fn kind(schema: &Value) -> &'static str {
    match schema.get("type").and_then(Value::as_str) {
        Some("integer") => "whole number",
        Some("number") => "number",
        Some("boolean") => "switch",
        Some("array") => "list",
        Some("object") => "table",
        _ => "text",
    }
}

/// What is wanted, with its article: "a list of 2 whole numbers".
pub(crate) fn wanted(schema: &Value) -> String {
    if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
        return branches.iter().map(wanted).collect::<Vec<_>>().join(" or ");
    }
    match kind(schema) {
        "list" => wanted_list(schema),
        "switch" => "`true` or `false`".into(),
        "table" => "a table { … }".into(),
        "text" => "text in quotes".into(),
        other => format!("a {other}"),
    }
}

fn wanted_list(schema: &Value) -> String {
    let entries = match schema.get("items").map(kind) {
        Some("whole number") => "whole numbers",
        Some("number") => "numbers",
        Some("table") => "tables",
        _ => "entries",
    };
    let bound = |name| schema.get(name).and_then(Value::as_u64);
    match (bound("minItems"), bound("maxItems")) {
        (Some(least), Some(most)) if least == most => format!("a list of {least} {entries}"),
        (Some(least), None) => format!("a list of at least {least} {entries}"),
        _ => format!("a list of {entries}"),
    }
}

/// What a bound is called in JSON Schema and in words, and whether a number keeps it.
type Bound = (&'static str, &'static str, fn(&f64, &f64) -> bool);

const BOUNDS: [Bound; 4] = [
    ("exclusiveMinimum", "more than", f64::gt),
    ("minimum", "at least", f64::ge),
    ("exclusiveMaximum", "less than", f64::lt),
    ("maximum", "at most", f64::le),
];

/// The bounds of a number, in words.
pub(crate) fn bounds(schema: &Value) -> impl Iterator<Item = String> {
    BOUNDS.iter().filter_map(|(name, word, _)| Some(format!("{word} {}", schema.get(name)?.as_f64()?)))
}

/// The bound that a number breaks, in words.
pub(crate) fn broken_bound(schema: &Value, number: f64) -> Option<String> {
    let broken = |(name, word, kept): &Bound| {
        let bound = schema.get(name)?.as_f64()?;
        (!kept(&number, &bound)).then(|| format!("{word} {bound}"))
    };
    BOUNDS.iter().find_map(broken)
}

/// "for example `key = …`", from the schema's example or default.
pub(crate) fn of_key(key: &str, schema: &Value) -> String {
    match example(schema) {
        Some(value) => format!("for example `{key} = {}`", toml_text(&value)),
        None => meaning(schema),
    }
}

/// The first sentence of the key's description.
pub(crate) fn meaning(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // The full stops of "e.g." end no sentence.
    let ends = line.match_indices(". ").map(|(at, _)| at).filter(|at| !line[..*at].ends_with("e.g"));
    let end = ends.into_iter().next().map_or(line.len(), |at| at + 1);
    line[..end].to_owned()
}

fn example(schema: &Value) -> Option<Value> {
    let given = schema.get("examples").and_then(|list| list.get(0)).or_else(|| schema.get("default"));
    if let Some(value) = given {
        return Some(value.clone());
    }
    if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
        return branches.iter().find_map(example);
    }
    match kind(schema) {
        "whole number" => Some(Value::from(schema.get("minimum").and_then(Value::as_u64).unwrap_or(1).max(1))),
        "number" => Some(Value::from(1.0)),
        "switch" => Some(Value::from(true)),
        "list" => {
            let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1);
            let entry = example(schema.get("items")?)?;
            Some(Value::Array(vec![entry; count as usize]))
        }
        _ => None,
    }
}

/// A JSON value as TOML writes it, on one line.
pub(crate) fn toml_text(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(toml_text).collect::<Vec<_>>().join(", ")),
        Value::Object(table) => {
            let entries = table.iter().filter(|(_, value)| !value.is_null());
            let entries: Vec<_> = entries.map(|(key, value)| format!("{key} = {}", toml_text(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        other => other.to_string(),
    }
}
