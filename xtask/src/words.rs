//! The words of this repository: phrases listed in `xtask/words.txt` are not used, because readers from the field know
//! another word for the thing, or because they cite what is not here.
//!
//! Lines are searched one by one: a phrase that is broken over two lines is not found.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Outcome, root};

/// Where words are checked: folders with the endings of their files, and single files.
const PLACES: [(&str, &str); 6] = [
    ("crates", "rs"),
    ("crates/muslin-scene/scenes", "toml"),
    ("docs", "md"),
    ("README.md", "md"),
    ("ARCHITECTURE.md", "md"),
    ("CONTRIBUTING.md", "md"),
];

/// A phrase that is not used.
#[derive(Debug, PartialEq, Eq)]
struct Phrase {
    /// In lower case.
    phrase: String,
    instead: String,
}

/// Fails with all places where a phrase of the list is used.
pub(crate) fn check() -> Outcome {
    let phrases = phrases(&read(&root().join("xtask/words.txt"))?)?;
    let mut files = Vec::new();
    for (place, ending) in PLACES {
        collect(&root().join(place), ending, &mut files)?;
    }
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let name = file.strip_prefix(root()).unwrap_or(&file).display().to_string();
        found.extend(find(&name, &read(&file)?, &phrases));
    }
    if found.is_empty() { Ok(()) } else { Err(format!("see xtask/words.txt\n{}", found.join("\n"))) }
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

/// A message for every line of a text and every phrase in it.
fn find(name: &str, text: &str, phrases: &[Phrase]) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let lower = line.to_lowercase();
        for Phrase { phrase, instead } in phrases.iter().filter(|one| has(&lower, &one.phrase)) {
            found.push(format!("{name}:{}: `{phrase}`, say instead: {instead}", number + 1));
        }
    }
    found
}

/// Whether a line has a phrase that no letter or digit precedes or follows.
fn has(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + phrase.len()..].chars().next();
        let goes_on = phrase.ends_with(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
        !goes_on && !before.is_some_and(char::is_alphanumeric)
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
