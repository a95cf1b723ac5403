//! The player in `web/`: its checks and tests, whether the bundle in the crate is its newest, and the browser.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, command, root, run, target};

/// Where the command embeds the bundle from.
const BUNDLE: &str = "crates/muslin-record/src/html/player";

/// The browser that Debian's package installs, unless `CHROMIUM` names another.
const CHROMIUM: &str = "/usr/bin/chromium";

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
    let browser = browser()?;
    let report = report_of_hang()?;
    let mut npm = program("npm");
    npm.args(["run", "--silent", "e2e", "--"]).arg(report).env("CHROMIUM", browser);
    run(npm.current_dir(root().join("web")))
}

/// The browser; where there is none, Debian's is installed.
fn browser() -> Result<PathBuf, String> {
    if let Some(named) = env::var_os("CHROMIUM") {
        return Ok(named.into());
    }
    if !Path::new(CHROMIUM).exists() {
        let hint = |problem| format!("{problem}; install Chromium by hand and name it in the variable CHROMIUM");
        run(&mut apt(&["update", "--quiet"])).map_err(hint)?;
        run(&mut apt(&["install", "--yes", "--quiet", "--no-install-recommends", "chromium"])).map_err(hint)?;
    }
    Ok(CHROMIUM.into())
}

fn apt(arguments: &[&str]) -> Command {
    let mut apt = Command::new("apt-get");
    apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    apt
}

fn report_of_hang() -> Result<PathBuf, String> {
    let folder = target().join("runs/hang");
    command::simulate("hang", &[], &folder)?;
    Ok(folder.join("report.html"))
}

fn npm(arguments: &[&str]) -> Outcome {
    run(program("npm").args(arguments).current_dir(root().join("web")))
        .map_err(|problem| format!("{problem} (the player needs Node 20.19 or newer)"))
}

fn program(name: &str) -> Command {
    // On Windows npm is a script, which has to be named in full.
    Command::new(if cfg!(windows) { format!("{name}.cmd") } else { name.to_owned() })
}
