//! The player in `web/`: its checks and tests, whether the bundle in the crate is its newest, and the programs they
//! need.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, build, own, root, run, target};

/// Where the command embeds the bundle from.
const BUNDLE: &str = "crates/muslin-record/src/html/player";

/// The browser that Debian's package installs, unless `CHROMIUM` names another.
const CHROMIUM: &str = "/usr/bin/chromium";

/// The oldest Node that the player's tools run with, as in `web/package.json`.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// A program that the player's tests need and do not find.
#[derive(Debug, PartialEq, Eq)]
struct Missing {
    what: String,
    /// Debian's package of it.
    package: &'static str,
}

/// Fails with every program that is missing and the command that installs it; with `install`, that command is run
/// first.
pub(crate) fn check_programs(install: bool) -> Outcome {
    let found_missing = missing();
    if found_missing.is_empty() {
        return Ok(());
    }
    if install {
        run(&mut apt(&["update", "--quiet"]))?;
        run(&mut apt(&install_arguments(&found_missing)))?;
    }
    let still = missing();
    if still.is_empty() { Ok(()) } else { Err(advice(&still)) }
}

/// The programs that are missing.
fn missing() -> Vec<Missing> {
    let node = version("node");
    let mut missing = Vec::new();
    if !node.as_deref().is_some_and(is_new_enough) {
        let found = node.map_or_else(String::new, |version| format!(", not {version}"));
        let what = format!("Node {}.{} or newer{found}", OLDEST_NODE.0, OLDEST_NODE.1);
        missing.push(Missing { what, package: "nodejs" });
    }
    if version("npm").is_none() {
        missing.push(Missing { what: "npm".to_owned(), package: "npm" });
    }
    let browser = browser();
    if !browser.exists() {
        missing.push(Missing { what: format!("the browser {}", browser.display()), package: "chromium" });
    }
    missing
}

/// What a program says that its version is; none where there is no such program.
fn version(name: &str) -> Option<String> {
    let output = program(name).arg("--version").output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Whether a version of Node, such as `v20.19.1`, is one that the tools run with.
fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.trim_start_matches('v').split('.').map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= OLDEST_NODE
}

/// What is missing, and how to get it.
fn advice(missing: &[Missing]) -> String {
    let names: Vec<&str> = missing.iter().map(|one| one.what.as_str()).collect();
    format!(
        "missing: {}\n\
         on Debian:    sudo apt-get {}\n\
         \x20             or `cargo xtask test --install`, which runs that\n\
         elsewhere:    https://nodejs.org has Node with npm; the variable CHROMIUM names any Chromium or Chrome\n\
         without them: cargo xtask test --quick",
        names.join(", "),
        install_arguments(missing).join(" ")
    )
}

/// What apt-get is given to install what is missing.
fn install_arguments(missing: &[Missing]) -> Vec<&'static str> {
    let packages = missing.iter().map(|one| one.package);
    ["install", "--yes", "--no-install-recommends"].into_iter().chain(packages).collect()
}

fn apt(arguments: &[&str]) -> Command {
    let mut apt = Command::new("apt-get");
    apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    apt
}

/// The browser, whether or not it is there.
fn browser() -> PathBuf {
    env::var_os("CHROMIUM").map_or_else(|| CHROMIUM.into(), PathBuf::from)
}

/// Installs what the player's tools need.
pub(crate) fn install() -> Outcome {
    npm(&["ci"])
}

/// Format, lints and types.
pub(crate) fn check() -> Outcome {
    npm(&["run", "--silent", "check"])
}

/// Tests of the parts that need no browser.
pub(crate) fn unit_tests() -> Outcome {
    npm(&["run", "--silent", "test"])
}

/// Fails when the bundle in the crate is not what the sources give.
pub(crate) fn compare_bundle() -> Outcome {
    let fresh = target().join("web-bundle");
    npm(&["run", "--silent", "build", "--", "--outDir", &fresh.to_string_lossy()])?;
    for file in ["player.js", "player.css"] {
        let read = |folder: &Path| {
            let path = folder.join(file);
            fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
        };
        if read(&fresh)? != read(&root().join(BUNDLE))? {
            return Err(format!("{BUNDLE}/{file} is stale: run `npm run build` in web/"));
        }
    }
    Ok(())
}

/// Opens the report of a real run in a browser and uses it.
pub(crate) fn browser_tests() -> Outcome {
    let report = report_of_hang()?;
    let mut npm = program("npm");
    npm.args(["run", "--silent", "e2e", "--"]).arg(report).env("CHROMIUM", browser());
    run(npm.current_dir(root().join("web")))
}

fn report_of_hang() -> Result<PathBuf, String> {
    build()?;
    let folder = target().join("runs/hang");
    run(own("muslin").args(["run", "hang", "--force", "--quiet", "--out"]).arg(&folder))?;
    Ok(folder.join("report.html"))
}

fn npm(arguments: &[&str]) -> Outcome {
    run(program("npm").args(arguments).current_dir(root().join("web")))
}

fn program(name: &str) -> Command {
    // On Windows npm is a script, which has to be named in full.
    Command::new(if cfg!(windows) && name == "npm" { "npm.cmd" } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_compared_as_numbers() {
        for new_enough in ["v20.19.0", "v20.20.2", "v22.1.0", "v100.0.0"] {
            assert!(is_new_enough(new_enough), "{new_enough}");
        }
        for too_old in ["v20.9.0", "v18.19.0", "v8.20.1", "", "what?"] {
            assert!(!is_new_enough(too_old), "{too_old}");
        }
    }

    #[test]
    fn all_that_is_missing_is_named_with_the_command_that_installs_it() {
        let node = Missing { what: "Node 20.19 or newer, not v18.19.0".to_owned(), package: "nodejs" };
        let browser = Missing { what: "the browser /usr/bin/chromium".to_owned(), package: "chromium" };
        let advice = advice(&[node, browser]);
        for said in [
            "missing: Node 20.19 or newer, not v18.19.0, the browser /usr/bin/chromium\n",
            "sudo apt-get install --yes --no-install-recommends nodejs chromium\n",
            "cargo xtask test --install",
        ] {
            assert!(advice.contains(said), "{advice}");
        }
    }
}
