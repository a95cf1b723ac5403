//! Chores of this repository that need muslin itself: files that are made from it, and long runs. `cargo xtask` builds
//! this program and starts it.

mod charts;
mod documents;
mod funnel;
mod maps;
mod methods;
mod pictures;
mod reference;
mod ribbon;
mod svg;
mod torture;
mod walker;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &arguments[..] {
        ["charts"] => charts::write(),
        ["charts", "--redraw"] => charts::redraw(),
        ["documents"] => documents::write(),
        ["funnel"] => funnel::write(),
        ["maps"] => maps::write(),
        ["maps", "--redraw"] => maps::redraw(),
        ["pictures"] => pictures::write(),
        ["pictures", "--check"] => pictures::compare(),
        ["reference"] => reference::write(),
        ["ribbon"] => ribbon::write(),
        ["torture", words @ ..] => torture::run(words),
        ["walker"] => walker::write(),
        other => Err(format!("there is no chore `{}`: see `cargo xtask`", other.join(" "))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Where cargo builds.
fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}
