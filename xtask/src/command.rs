//! The `muslin` command, as the chores use it.

use std::path::Path;

use crate::{Outcome, cargo_command};

/// Runs a scene into a folder, over what is there. A promise that was broken is no failure here: the report says so.
pub(crate) fn simulate(scene: &str, sets: &[&str], folder: &Path) -> Outcome {
    let mut cargo = cargo_command(&["run", "--quiet", "-p", "muslin-cli", "--bin", "muslin", "--", "run", scene]);
    cargo.args(["--force", "--quiet", "--out"]).arg(folder);
    for set in sets {
        cargo.args(["--set", set]);
    }
    let status = cargo.status().map_err(|error| format!("cannot start cargo: {error}"))?;
    match status.code() {
        Some(0 | 1) => Ok(()),
        _ => Err(format!("muslin run {scene} failed ({status})")),
    }
}
