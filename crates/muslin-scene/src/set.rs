//! `--set KEY=VALUE`: changes a scene's text by dotted path, keeping its comments and the order of its lines.

use std::ops::Range;

use serde_json::Value as Schema;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use crate::error::{Problem, SceneError};
use crate::read::Source;
use crate::{document, schema, shape};

/// Keys that may hold a word instead of a table, and the key in that table which the word stands for.
const SHORT_FORMS: [(&str, &str); 2] = [("material", "base"), ("mesh", "file")];

/// The scene's text with all options applied, in their order.
pub(crate) fn apply(source: &Source, sets: &[String]) -> Result<String, SceneError> {
    if sets.is_empty() {
        return Ok(source.text.clone());
    }
    let syntax = |problem| SceneError::in_text(&source.name, &source.text, vec![problem]);
    document::parse(&source.text).map_err(syntax)?;
    let mut text: DocumentMut = source.text.parse().map_err(|error: toml_edit::TomlError| {
        syntax(Problem::general(format!("this is not TOML: {}", error.message())))
    })?;
    for set in sets {
        one(&mut text, set).map_err(|problem| SceneError::in_text("--set", set, vec![problem]))?;
    }
    Ok(text.to_string())
}

fn one(text: &mut DocumentMut, set: &str) -> Result<(), Problem> {
    let Some((key, value)) = set.split_once('=') else {
        let problem = Problem::general(format!("`--set {set}` has no `=`")).span(0..set.len()).label("no value");
        return Err(problem.help("write KEY=VALUE, for example `--set limiter.stretch=0.001`"));
    };
    if key.trim().is_empty() {
        let problem = Problem::general(format!("`--set {set}` has no key")).span(0..1).label("no key before the `=`");
        return Err(problem.help("write KEY=VALUE, for example `--set limiter.stretch=0.001`"));
    }
    let path = Path::new(key);
    path.check()?;
    path.put(text.as_table_mut(), 0, toml_value(value.trim()))
}

/// The path of a key that is not at the top but in one of the tables there: `gravity` is `world.gravity`.
fn in_a_table(key: &str, top: &serde_json::Map<String, Schema>) -> Option<String> {
    let has = |table: &Schema| shape::keys(table).is_some_and(|keys| keys.contains_key(key));
    top.iter().find(|(_, table)| has(table)).map(|(name, _)| format!("{name}.{key}"))
}

/// Puts a value at a path that is known to be right.
pub(crate) fn put(text: &mut DocumentMut, key: &str, value: impl Into<Value>) -> Result<(), Problem> {
    Path::new(key).put(text.as_table_mut(), 0, value.into())
}

/// TOML if it is, else text: `--set limiter.method=none` needs no quotes.
fn toml_value(written: &str) -> Value {
    written.parse().unwrap_or_else(|_| Value::from(written))
}

/// A dotted path, whose segments know their places in the option.
struct Path<'s> {
    segments: Vec<(&'s str, Range<usize>)>,
}

impl<'s> Path<'s> {
    fn new(key: &'s str) -> Self {
        let mut start = 0;
        let segments = key.split('.').map(|segment| {
            let span = start..start + segment.len();
            start = span.end + 1;
            (segment.trim(), span)
        });
        Self { segments: segments.collect() }
    }

    /// The path up to a segment, as messages show it.
    fn before(&self, at: usize) -> String {
        self.segments[..at].iter().map(|(segment, _)| *segment).collect::<Vec<_>>().join(".")
    }

    fn problem(&self, at: usize, message: String) -> Problem {
        Problem::general(message).span(self.segments[at].1.clone())
    }

    /// Compares the path with the schema.
    fn check(&self) -> Result<(), Problem> {
        let mut place: &Schema = schema::shared();
        for (at, (segment, span)) in self.segments.iter().enumerate() {
            let before = self.before(at);
            let number = segment.parse::<usize>().is_ok();
            if let Some(keys) = shape::keys(place) {
                let unknown = || {
                    let problem = shape::unknown_path(segment, &before, keys).span(span.clone());
                    match in_a_table(segment, keys).filter(|_| before.is_empty()) {
                        Some(path) => problem.help(format!("did you mean `{path}`?")),
                        None => problem,
                    }
                };
                place = keys.get(*segment).ok_or_else(unknown)?;
            } else if let Some(values) = shape::named_values(place) {
                place = values;
            } else if let Some(items) = shape::items(place) {
                if !number {
                    let problem = self
                        .problem(at, format!("`{before}` is a list, and `{segment}` is not the number of an entry"));
                    return Err(problem
                        .label("must be a number")
                        .help(format!("entries count from 0: `{before}.0` is the first")));
                }
                place = items;
            } else {
                let problem =
                    self.problem(at, format!("`{before}` holds a single value: there is no `{segment}` in it"));
                return Err(problem.label("nothing inside").help(format!("write `{before}=VALUE`")));
            }
        }
        Ok(())
    }

    /// Puts a value into a table; `at` is the segment that names a key of it.
    fn put(&self, table: &mut dyn TableLike, at: usize, value: Value) -> Result<(), Problem> {
        let key = self.segments[at].0;
        let last = at + 1 == self.segments.len();
        if !table.contains_key(key) && !last {
            // A new table of its own stands at the end of the file; inside another it stays on the line.
            let new = if at == 0 { Item::Table(Table::new()) } else { Item::Value(InlineTable::new().into()) };
            let list = self.segments[at + 1].0.parse::<usize>().is_ok();
            table.insert(key, if list { Item::Value(Array::new().into()) } else { new });
        }
        let item = table.entry(key).or_insert(Item::None);
        self.put_item(item, at + 1, value)
    }

    /// Puts a value into an item; `at` is the segment that names something inside it, if there is one.
    fn put_item(&self, item: &mut Item, at: usize, mut value: Value) -> Result<(), Problem> {
        if at == self.segments.len() {
            if let Some(old) = item.as_value() {
                *value.decor_mut() = old.decor().clone();
            }
            *item = Item::Value(value);
            return Ok(());
        }
        self.unfold_short_form(item, at);
        match item {
            Item::ArrayOfTables(tables) => self.put_entry_table(tables, at, value),
            Item::Value(Value::Array(list)) => self.put_entry(list, at, value),
            _ => {
                let single = || self.problem(at, format!("`{}` holds a single value in this scene", self.before(at)));
                let help = format!("set it as a whole: `{}=VALUE`", self.before(at));
                let single = || single().label("nothing inside").help(help);
                let table = item.as_table_like_mut().ok_or_else(single)?;
                self.put(table, at, value)
            }
        }
    }

    fn put_entry_table(&self, tables: &mut ArrayOfTables, at: usize, value: Value) -> Result<(), Problem> {
        let count = tables.len();
        let Some(table) = self.index(at).and_then(|index| tables.get_mut(index)) else {
            return Err(self.out_of_range(at, count));
        };
        if at + 1 < self.segments.len() {
            return self.put(table, at + 1, value);
        }
        let Value::InlineTable(new) = value else {
            let message = format!("`{}` is a table, not a single value", self.before(at + 1));
            return Err(self.problem(at, message).label("a table").help("set a key inside it"));
        };
        table.clear();
        table.extend(new);
        Ok(())
    }

    fn put_entry(&self, list: &mut Array, at: usize, value: Value) -> Result<(), Problem> {
        let count = list.len();
        let Some(entry) = self.index(at).and_then(|index| list.get_mut(index)) else {
            return Err(self.out_of_range(at, count));
        };
        let mut item = Item::Value(entry.clone());
        self.put_item(&mut item, at + 1, value)?;
        if let Item::Value(changed) = item {
            *entry = changed;
        }
        Ok(())
    }

    /// The segment as the number of an entry.
    fn index(&self, at: usize) -> Option<usize> {
        self.segments[at].0.parse().ok()
    }

    fn out_of_range(&self, at: usize, count: usize) -> Problem {
        let (before, segment) = (self.before(at), self.segments[at].0);
        let message = format!("there is no `{before}.{segment}`: `{before}` has {}", shape::entries(count));
        let help = match count {
            0 => format!("give the whole list: `--set '{before}=[{{ … }}]'`"),
            1 => format!("entries count from 0: the only one is `{before}.0`"),
            _ => format!("entries count from 0: `{before}.0` to `{before}.{}`", count - 1),
        };
        self.problem(at, message).label("not there").help(help)
    }

    /// `material = "cotton"` becomes `material = { base = "cotton" }` when a key inside it is set.
    fn unfold_short_form(&self, item: &mut Item, at: usize) {
        let holder = self.segments[at - 1].0;
        let Some((_, inner)) = SHORT_FORMS.iter().find(|(outer, _)| *outer == holder) else { return };
        if let Item::Value(Value::String(word)) = item {
            let mut table = InlineTable::new();
            table.insert(*inner, Value::from(word.value().as_str()));
            let mut table = Value::from(table);
            *table.decor_mut() = word.decor().clone();
            *item = Item::Value(table);
        }
    }
}
