//! The scene's text as a tree in which every key and value knows its place.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::Problem;

/// Parses the text; the error says what TOML expected and where.
pub(crate) fn parse(text: &str) -> Result<Spanned<DeTable<'_>>, Problem> {
    DeTable::parse(text).map_err(|error| {
        let message = format!("this is not TOML: {}", error.message().trim_end());
        let mut problem = Problem::general(message.replace('\n', "; ")).label("TOML cannot go on here");
        problem.span = error.span().map(|span| visible(text, span));
        if error.message().contains("duplicate key") {
            return problem.label("the key again").help("a key stands once in its table: keep one of the two");
        }
        problem.help(syntax_hint(text, problem_line(text, error.span())))
    })
}

/// Where the value of a dotted path stands; where it is missing, the innermost table that would hold it.
pub(crate) fn locate(text: &str, path: &str) -> Option<Range<usize>> {
    let root = DeTable::parse(text).ok()?;
    let mut table_or_list: &DeValue<'_> = &DeValue::Table(root.get_ref().clone());
    let mut found = None;
    for segment in path.split('.') {
        let next = match table_or_list {
            DeValue::Table(table) => table.get(segment),
            DeValue::Array(list) => segment.parse::<usize>().ok().and_then(|index| list.get(index)),
            _ => None,
        };
        let Some(next) = next else { break };
        found = Some(next.span());
        table_or_list = next.get_ref();
    }
    found.map(|span| visible(text, span))
}

/// A span of at least one character that can be underlined, and of one line: a table's header rather than all of it.
fn visible(text: &str, span: Range<usize>) -> Range<usize> {
    let start = floor_boundary(text, span.start.min(text.len()));
    let end = floor_boundary(text, span.end.clamp(start, text.len()));
    let line_end = text[start..end].find('\n').map_or(end, |offset| start + offset);
    start..line_end.max(start)
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn problem_line(text: &str, span: Option<Range<usize>>) -> &str {
    let at = floor_boundary(text, span.map_or(0, |span| span.start.min(text.len())));
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    &text[start..end]
}

/// The slips people make most, recognised from the line.
fn syntax_hint(text: &str, line: &str) -> String {
    let code = line.split('#').next().unwrap_or_default().trim();
    if text.trim_start().starts_with('{') {
        return "scene files are TOML, not JSON: write `key = value` lines under `[table]` headers".into();
    }
    if code.starts_with("[[") && !code.ends_with("]]") {
        return "a list entry opens with two brackets and closes with two, for example `[[cloth]]`".into();
    }
    if let Some((key, value)) = code.split_once('=') {
        let (key, value) = (key.trim(), value.trim());
        if value.is_empty() {
            return format!("`{key}` needs a value, for example `{key} = 1.0` or `{key} = \"text\"`");
        }
        if value.starts_with(|c: char| c.is_alphabetic()) {
            return format!("text stands in quotes: `{key} = \"{value}\"`");
        }
        if value.starts_with('.') || value.ends_with('.') {
            return "TOML needs a digit on both sides of the decimal point: `0.5`, `2.0`".into();
        }
    }
    "one `key = value` a line; text in quotes, lists in [ ], tables in { } or under a `[header]`".into()
}
