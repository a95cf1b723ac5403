//! The core names no file, thread, clock or environment: what `wasm32-unknown-unknown` lacks. (Its library cannot be
//! compiled for that target here, so the sources are read.)
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

/// What is not there.
const LACKING: [&str; 7] =
    ["std::fs", "std::net", "std::env", "std::process", "std::thread", "std::time", "std::io::std"];
/// The one place that asks for the time, and knows where there is none.
const CLOCK: &str = "timing.rs";

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_core_needs_nothing_that_a_browser_lacks() {
    let mut files = vec![];
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 100, "{files:?}");
    for file in files.iter().filter(|file| !file.ends_with(CLOCK)) {
        let text = fs::read_to_string(file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for name in LACKING {
            assert!(!code.contains(name), "{} names {name}", file.display());
        }
    }
}
