//! Does the text have the shape of a scene? Keys, types, ranges and choices are checked against the schema, value by
//! value, so that every complaint knows its line and all of them come at once.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::error::{Problem, excerpt};
use crate::{example, suggest};

/// No length, mass, stiffness or speed of a cloth is greater, in SI units; squares of greater numbers overflow on the
/// way.
pub(crate) const GREATEST_NUMBER: f64 = 1e12;

/// All places where the document departs from the schema.
pub(crate) fn problems(schema: &Value, text: &str, root: &DeTable<'_>) -> Vec<Problem> {
    let mut walk = Walk { text, problems: Vec::new() };
    walk.table(schema, root, 0..0, "");
    walk.problems
}

/// The branch of a schema that a table (or the entry of a list) of this place follows, and the keys it knows.
pub(crate) fn keys(schema: &Value) -> Option<&serde_json::Map<String, Value>> {
    branches(schema).into_iter().find_map(|branch| branch.get("properties")?.as_object())
}

/// The schema of the values of a table whose keys are names.
pub(crate) fn named_values(schema: &Value) -> Option<&Value> {
    branches(schema).into_iter().find_map(|branch| branch.get("additionalProperties").filter(|rule| rule.is_object()))
}

/// The schema of a list's entries.
pub(crate) fn items(schema: &Value) -> Option<&Value> {
    branches(schema).into_iter().find_map(|branch| branch.get("items"))
}

fn branches(schema: &Value) -> Vec<&Value> {
    match schema.get("anyOf").and_then(Value::as_array) {
        Some(list) => list.iter().flat_map(branches).collect(),
        None => vec![schema],
    }
}

/// The words a key may hold, when it may hold only some.
fn choices(schema: &Value) -> Option<Vec<&str>> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Some(values.iter().filter_map(Value::as_str).collect());
    }
    let branches = schema.get("oneOf")?.as_array()?;
    branches
        .iter()
        .map(|branch| {
            branch
                .get("const")
                .map(|word| vec![word])
                .or_else(|| Some(branch.get("enum")?.as_array()?.iter().collect()))
        })
        .collect::<Option<Vec<_>>>()
        .map(|words| words.into_iter().flatten().filter_map(Value::as_str).collect())
}

struct Walk<'t> {
    text: &'t str,
    problems: Vec<Problem>,
}

impl Walk<'_> {
    fn table(&mut self, schema: &Value, table: &DeTable<'_>, span: Range<usize>, path: &str) {
        let Some(known) = schema.get("properties").and_then(Value::as_object) else {
            let rule = named_values(schema);
            let pairs = rule.into_iter().flat_map(|rule| table.iter().map(move |pair| (rule, pair)));
            pairs.for_each(|(rule, (key, value))| self.value(rule, value, &join(path, key.get_ref()), rule));
            return;
        };
        for (key, value) in table {
            let here = join(path, key.get_ref());
            match known.get(key.get_ref().as_ref()) {
                Some(rule) => self.value(rule, value, &here, rule),
                None => self.problems.push(unknown_key(key.get_ref(), &here, path, known).span(key.span())),
            }
        }
        for needed in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            if !table.contains_key(needed) {
                let at = if path.is_empty() { "the scene".to_owned() } else { format!("`{path}`") };
                let problem = Problem::at(join(path, needed), format!("{at} needs a `{needed}`"))
                    .label(format!("`{needed}` is missing here"))
                    .help(example::of_key(needed, &known[needed]));
                self.problems.push(if path.is_empty() { problem.span(span.clone()) } else { problem });
            }
        }
    }

    /// `about` is the schema of the key, which an entry of a list shares with the list.
    fn value(&mut self, schema: &Value, value: &Spanned<DeValue<'_>>, path: &str, about: &Value) {
        let fitting = branches(schema).into_iter().find(|branch| type_fits(branch, value.get_ref()));
        let Some(branch) = fitting else {
            self.problems.push(wrong_type(schema, value, path, about));
            return;
        };
        match value.get_ref() {
            DeValue::Table(table) => self.table(branch, table, value.span(), path),
            DeValue::Array(list) => self.list(branch, list, value.span(), path, about),
            DeValue::String(word) => self.word(branch, word, value.span(), path),
            DeValue::Integer(_) | DeValue::Float(_) => self.number(branch, value, path, about),
            DeValue::Boolean(_) | DeValue::Datetime(_) => {}
        }
    }

    fn list(&mut self, schema: &Value, list: &DeArray<'_>, span: Range<usize>, path: &str, about: &Value) {
        let bound = |name| schema.get(name).and_then(Value::as_u64).map(|count| count as usize);
        let too_few = bound("minItems").is_some_and(|least| list.len() < least);
        let too_many = bound("maxItems").is_some_and(|most| list.len() > most);
        if too_few || too_many {
            let message = format!("`{path}` must be {}, but has {}", example::wanted(schema), entries(list.len()));
            let problem = Problem::at(path, message).span(span).label("this list");
            self.problems.push(problem.help(example::of_key(last(path), about)));
        }
        let Some(rule) = schema.get("items") else { return };
        for (index, entry) in list.iter().enumerate() {
            // Tables in a list have keys that speak for themselves; numbers in a list do not.
            self.value(rule, entry, &join(path, &index.to_string()), about);
        }
    }

    fn word(&mut self, schema: &Value, word: &str, span: Range<usize>, path: &str) {
        let Some(choices) = choices(schema) else { return };
        if choices.contains(&word) {
            return;
        }
        let message = format!("`{path}` cannot be \"{}\"", excerpt(word));
        self.problems
            .push(Problem::at(path, message).span(span).label("not one of them").help(suggest::hint(word, &choices)));
    }

    fn number(&mut self, schema: &Value, value: &Spanned<DeValue<'_>>, path: &str, about: &Value) {
        let Some(number) = number_of(value.get_ref()) else { return };
        let most = greatest_integer(schema);
        let fault = if !number.is_finite() {
            Some("a finite number".into())
        } else if most.is_some_and(|most| number > most) {
            most.map(|most| format!("at most {most}"))
        } else {
            // A key's own bound says more than the one that all share.
            let beyond = most.is_none() && number.abs() > GREATEST_NUMBER;
            example::broken_bound(schema, number)
                .or_else(|| beyond.then(|| format!("between -{GREATEST_NUMBER:e} and {GREATEST_NUMBER:e}")))
        };
        if let Some(must) = fault {
            let message = format!("`{path}` must be {must}, but is {}", self.written(value));
            let problem = Problem::at(path, message).span(value.span()).label(format!("must be {must}"));
            self.problems.push(problem.help(example::meaning(about)));
        }
    }

    fn written(&self, value: &Spanned<DeValue<'_>>) -> Cow<'_, str> {
        self.text.get(value.span()).map_or(Cow::Borrowed("?"), |text| Cow::Owned(excerpt(text)))
    }
}

fn unknown_key(key: &str, here: &str, path: &str, known: &serde_json::Map<String, Value>) -> Problem {
    let names: Vec<&str> = known.keys().map(String::as_str).collect();
    let place = if path.is_empty() { "scenes have".to_owned() } else { format!("`{path}` has") };
    let help = match names.as_slice() {
        [] => format!("it has no keys at all: write `{} = {{}}`", last(path)),
        names => suggest::hint(key, names),
    };
    Problem::at(here, format!("{place} no key `{}`", excerpt(key))).label("unknown key").help(help)
}

/// The problem of a path that `--set` gives and no scene can have.
pub(crate) fn unknown_path(key: &str, path: &str, known: &serde_json::Map<String, Value>) -> Problem {
    unknown_key(key, &join(path, key), path, known)
}

fn type_fits(schema: &Value, value: &DeValue<'_>) -> bool {
    let Some(kind) = schema.get("type").and_then(Value::as_str) else {
        return choices(schema).is_none() || matches!(value, DeValue::String(_));
    };
    match value {
        DeValue::String(_) => kind == "string",
        DeValue::Integer(_) => matches!(kind, "integer" | "number"),
        DeValue::Float(_) => kind == "number",
        DeValue::Boolean(_) => kind == "boolean",
        DeValue::Array(_) => kind == "array",
        DeValue::Table(_) => kind == "object",
        DeValue::Datetime(_) => false,
    }
}

fn number_of(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map(|whole| whole as f64)
            .or_else(|_| number.as_str().parse())
            .ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

/// The greatest whole number that fits the type it is meant for; TOML itself ends at 2⁶³ - 1.
fn greatest_integer(schema: &Value) -> Option<f64> {
    match schema.get("format").and_then(Value::as_str)? {
        "uint32" => Some(f64::from(u32::MAX)),
        "uint64" => Some(i64::MAX as f64),
        _ => None,
    }
}

fn wrong_type(schema: &Value, value: &Spanned<DeValue<'_>>, path: &str, about: &Value) -> Problem {
    let found = found(value.get_ref());
    let mut help = example::of_key(last(path), about);
    if let (DeValue::Table(_), "list") = (value.get_ref(), example::kind(schema)) {
        help = format!("write `[[{path}]]` instead of `[{path}]`: there may be several");
    }
    let message = format!("`{path}` must be {}, but is {found}", example::wanted(schema));
    Problem::at(path, message).span(value.span()).label(format!("this is {found}")).help(help)
}

/// "1 entry", "3 entries".
pub(crate) fn entries(count: usize) -> String {
    if count == 1 { "1 entry".into() } else { format!("{count} entries") }
}

fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text \"{}\"", excerpt(text)),
        DeValue::Integer(number) => format!("the whole number {number}"),
        DeValue::Float(number) => format!("the number {number}"),
        DeValue::Boolean(value) => format!("`{value}`"),
        DeValue::Datetime(_) => "a date".into(),
        DeValue::Array(_) => "a list".into(),
        DeValue::Table(_) => "a table".into(),
    }
}

pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn last(path: &str) -> &str {
    path.rsplit('.').find(|segment| segment.parse::<usize>().is_err()).unwrap_or(path)
}
