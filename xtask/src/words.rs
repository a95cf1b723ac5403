//! The words of this repository: phrases listed in `xtask/words.txt` are not used, because readers from the field know
//! another word for the thing, or because they cite what is not here. And the width of its lines: rustfmt leaves
//! comments and strings alone, so they are checked here.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Outcome, root};

/// Where words are checked: folders with the endings of their files, and single files.
const PLACES: [(&str, &str); 13] = [
    ("crates", "rs"),
    ("chores", "rs"),
    ("xtask", "rs"),
    ("web/src", "ts"),
    ("web/tests", "ts"),
    ("web/README.md", "md"),
    ("crates/muslin-scene/scenes", "toml"),
    ("docs", "md"),
    ("README.md", "md"),
    ("ARCHITECTURE.md", "md"),
    ("CONTRIBUTING.md", "md"),
    ("CHANGELOG.md", "md"),
    ("crates", "md"),
];

/// This file quotes phrases to test itself.
const OWN_FILE: &str = "xtask/src/words.rs";

/// A phrase that is not used.
#[derive(Debug, PartialEq, Eq)]
struct Phrase {
    /// In lower case.
    phrase: String,
    instead: String,
}

/// Fails with all places where a phrase of the list is used, and with all lines of code that are too wide.
pub(crate) fn check() -> Outcome {
    let phrases = phrases(&read(&root().join("xtask/words.txt"))?)?;
    let mut files = Vec::new();
    for (place, ending) in PLACES {
        collect(&root().join(place), ending, &mut files)?;
    }
    files.sort();
    let width = max_width(&read(&root().join("rustfmt.toml"))?)?;
    let mut found = Vec::new();
    for file in files {
        let name = file.strip_prefix(root()).unwrap_or(&file).display().to_string().replace('\\', "/");
        let text = read(&file)?;
        if name != OWN_FILE {
            found.extend(find(&name, &text, &phrases));
        }
        let is_rust = file.extension().is_some_and(|extension| extension == "rs");
        if is_rust {
            found.extend(too_wide(&name, &text, width));
        }
    }
    if found.is_empty() { Ok(()) } else { Err(format!("see xtask/words.txt and rustfmt.toml\n{}", found.join("\n"))) }
}

/// `max_width` of rustfmt's settings.
fn max_width(settings: &str) -> Result<usize, String> {
    let value = settings.lines().find_map(|line| line.strip_prefix("max_width = "));
    value.and_then(|value| value.trim().parse().ok()).ok_or_else(|| "rustfmt.toml has no max_width".to_owned())
}

/// A message for every line with more than `width` characters, unless it cannot be broken: an address, a row of a table
/// in a comment, or a raw string. Other strings go on in the next line after a backslash.
fn too_wide(name: &str, text: &str, width: usize) -> Vec<String> {
    let may_be = |line: &str| {
        let is_row = line.starts_with("//") && line.trim_start_matches(['/', '!']).trim_start().starts_with('|');
        is_row || ["://", " r\"", "(r\"", " r#\"", "(r#\""].iter().any(|mark| line.contains(mark))
    };
    let wide = text.lines().enumerate().map(|(number, line)| (number + 1, line.chars().count(), line.trim()));
    let wide = wide.filter(|&(_, length, line)| length > width && !may_be(line));
    wide.map(|(number, length, _)| format!("{name}:{number}: {length} characters, at most {width}")).collect()
}

/// The phrases of a list.
fn phrases(list: &str) -> Result<Vec<Phrase>, String> {
    let lines = list.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let phrase = |(number, line): (usize, &str)| match line.split_once(" = ") {
        Some((phrase, instead)) => {
            Ok(Phrase { phrase: phrase.trim().to_lowercase(), instead: instead.trim().to_owned() })
        }
        None => Err(format!("xtask/words.txt:{}: `{line}` is not of the form `phrase = instead`", number + 1)),
    };
    lines.map(phrase).collect()
}

/// A message for every line of a text and every phrase that begins in it and ends there or in the next line.
fn find(name: &str, text: &str, phrases: &[Phrase]) -> Vec<String> {
    let mut found = Vec::new();
    let lines: Vec<String> = text.lines().map(|line| bare(&line.to_lowercase())).collect();
    for (number, line) in lines.iter().enumerate() {
        let both = format!("{line} {}", lines.get(number + 1).map_or("", String::as_str));
        for Phrase { phrase, instead } in phrases.iter().filter(|one| begins_in(&both, line.len(), &one.phrase)) {
            found.push(format!("{name}:{}: `{phrase}`, say instead: {instead}", number + 1));
        }
    }
    found
}

/// A line without its indentation and the marks of comments, which stand between the parts of a broken phrase.
fn bare(line: &str) -> String {
    line.trim().trim_start_matches(['/', '!', '*', '#']).trim_start().to_owned()
}

/// Whether a text has a phrase that begins in its first `length` bytes, and that no letter or digit precedes or
/// follows.
fn begins_in(text: &str, length: usize, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + phrase.len()..].chars().next();
        let goes_on = phrase.ends_with(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
        start < length && !goes_on && !before.is_some_and(char::is_alphanumeric)
    })
}

/// Adds a file, or the files of a folder and its folders, with the given ending.
fn collect(place: &Path, ending: &str, files: &mut Vec<PathBuf>) -> Outcome {
    if !place.is_dir() {
        if place.extension().is_some_and(|extension| extension == ending) {
            files.push(place.to_owned());
        }
        return Ok(());
    }
    let entries = fs::read_dir(place).map_err(|error| format!("cannot read {}: {error}", place.display()))?;
    for entry in entries {
        let entry = entry.map_err(|error| format!("cannot read {}: {error}", place.display()))?;
        collect(&entry.path(), ending, files)?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "# a comment\n\nsquare to = perpendicular to\nanew = again\nMETHODS § = the reason itself\n";

    #[test]
    fn a_planted_phrase_is_found_with_its_line_and_what_to_say() {
        let phrases = phrases(LIST).unwrap();
        let text = "//! fine\n/// n is Square to it.\nlet made_anew = 1; // (METHODS §5)\n";
        let expected = [
            "a.rs:2: `square to`, say instead: perpendicular to",
            "a.rs:3: `anew`, say instead: again",
            "a.rs:3: `methods §`, say instead: the reason itself",
        ];
        assert_eq!(find("a.rs", text, &phrases), expected);
    }

    #[test]
    fn a_phrase_is_found_across_two_lines_once() {
        let phrases = phrases(LIST).unwrap();
        let text = "    /// The normal is square\n    /// to the edge.\n    fn normal() {}\n";
        assert_eq!(find("a.rs", text, &phrases), ["a.rs:1: `square to`, say instead: perpendicular to"]);
    }

    #[test]
    fn wide_lines_are_found_by_characters_but_not_what_cannot_be_broken() {
        let long = "ξ".repeat(18);
        let lines = [
            format!("// {long}"),
            format!("// {long}."),
            format!("//! | {long} |"),
            format!("let x = \"{long}\";"),
            format!("let x = r\"{long}\";"),
            format!("// https://{long}"),
        ];
        let expected = ["a.rs:2: 22 characters, at most 21", "a.rs:4: 29 characters, at most 21"];
        assert_eq!(too_wide("a.rs", &lines.join("\n"), 21), expected);
        assert_eq!(max_width("max_width = 21\n"), Ok(21));
    }

    #[test]
    fn parts_of_other_words_are_not_found() {
        let phrases = phrases(LIST).unwrap();
        assert_eq!(find("a.rs", "manewver, square tooth, methods", &phrases), Vec::<String>::new());
    }

    #[test]
    fn a_line_without_a_suggestion_is_an_error() {
        assert_eq!(
            phrases("anew = again\nsquare to\n"),
            Err("xtask/words.txt:2: `square to` is not of the form `phrase = instead`".to_owned())
        );
    }

    #[test]
    fn every_place_that_is_checked_has_files() {
        for (place, ending) in PLACES {
            let mut files = Vec::new();
            collect(&root().join(place), ending, &mut files).unwrap();
            assert!(!files.is_empty(), "{place} has no file that ends with .{ending}");
        }
    }

    #[test]
    fn the_repository_uses_none_of_them() {
        check().unwrap_or_else(|problem| panic!("{problem}"));
    }
}
