//! `cargo xtask test`: everything CI checks, and `--quick`, what a developer wants to know between two edits.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use crate::{Outcome, build, cargo, cargo_command, chores, own, package, root, run, target, web, words};

/// The version of cargo-deny that is installed on request where there is none.
const CARGO_DENY: &str = "0.20.2";

/// Tests in modules of this name are left out by `--quick`: long ones, see CONTRIBUTING.md. Everything else runs all
/// tests.
const SLOW: &str = "slow::";

/// What `--quick` leaves out, said at its end.
const LEFT_OUT: &str = "\
left out by --quick: tests in modules `slow` (long runs, most built-in scenes), tests in documentation, the core without
its limiters, licences, examples, the player, pictures, packages, documentation; `cargo xtask test` runs them all";

/// How tests are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Options {
    /// Only what is done in three minutes once it is built.
    quick: bool,
    /// Programs that are missing are installed.
    install: bool,
}

impl Options {
    /// From the arguments of `cargo xtask test`, and from the variable `CI`: machines that have it are there to be set
    /// up.
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self, String> {
        let mut options = Self { quick: false, install: env::var_os("CI").is_some_and(|value| !value.is_empty()) };
        for argument in arguments {
            match *argument {
                "--quick" => options.quick = true,
                "--install" => options.install = true,
                unknown => return Err(format!("`cargo xtask test` has no option `{unknown}`")),
            }
        }
        Ok(options)
    }
}

pub(crate) fn test(options: Options) -> Outcome {
    if options.quick { quick() } else { all(options.install) }
}

fn quick() -> Outcome {
    format_words_and_lints()?;
    stage("quick tests", || tests(&["--tests", "--", "--skip", SLOW]))?;
    eprintln!("{LEFT_OUT}");
    Ok(())
}

fn all(install: bool) -> Outcome {
    // First, so that nobody waits for the other stages to hear of it.
    stage("programs for the player and for licences", || {
        web::check_programs(install)?;
        cargo_deny(install).map(drop)
    })?;
    format_words_and_lints()?;
    stage("the core without its limiters", core_alone)?;
    stage("licences and sources", || deny(install))?;
    stage("tests", || tests(&[]))?;
    stage("examples", examples)?;
    stage("player: packages", web::install)?;
    stage("player: format, lints, types", web::check)?;
    stage("player: tests", web::unit_tests)?;
    stage("player: is the bundle new", web::compare_bundle)?;
    stage("player: in a browser", web::browser_tests)?;
    stage("pictures", || chores(&["pictures", "--check"]))?;
    stage("packages", package::check)?;
    stage("documentation", || {
        cargo(&["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "-D warnings")])
    })
}

fn format_words_and_lints() -> Outcome {
    stage("format", || cargo(&["fmt", "--all", "--check"], &[]))?;
    stage("words", words::check)?;
    stage("lints", || cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"], &[]))
}

/// Runs a stage and says how long it took.
fn stage(name: &str, run: impl FnOnce() -> Outcome) -> Outcome {
    eprintln!("== {name}");
    let start = Instant::now();
    run().map_err(|problem| format!("{name}: {problem}"))?;
    eprintln!("== {name}: ok, {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs tests of all crates, with further arguments for cargo.
fn tests(arguments: &[&str]) -> Outcome {
    cargo(&[&["test", "--workspace", "--quiet"], arguments].concat(), &[("INSTA_UPDATE", "no")])
}

/// Lints the core without the limiters of the literature, which must not need their solver library.
fn core_alone() -> Outcome {
    let alone = ["--package", "muslin", "--no-default-features"];
    cargo(&[&["clippy"], &alone[..], &["--lib", "--examples", "--", "-D", "warnings"]].concat(), &[])?;
    let tree = [&["tree"], &alone[..], &["--edges", "normal", "--prefix", "none"]].concat();
    let output = cargo_command(&tree).output().map_err(|error| format!("cannot start cargo: {error}"))?;
    let packages = String::from_utf8_lossy(&output.stdout);
    let solver = packages.lines().find(|line| line.starts_with("faer ") || line.starts_with("muslin-factor "));
    match solver {
        _ if !output.status.success() => Err("cargo tree failed".to_owned()),
        Some(package) => Err(format!("the core needs {package}")),
        None => Ok(()),
    }
}

/// cargo-deny, where it is found; with `install` it is installed beside the build first.
fn cargo_deny(install: bool) -> Result<PathBuf, String> {
    let tools = target().join("tools");
    let installed = tools.join("bin").join(format!("cargo-deny{}", env::consts::EXE_SUFFIX));
    if Command::new("cargo-deny").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Ok(PathBuf::from("cargo-deny"));
    }
    if !installed.is_file() {
        if !install {
            return Err(advice());
        }
        let root = tools.to_string_lossy().into_owned();
        // A debug build: it runs for a second, and compiles in half the time.
        let version = format!("={CARGO_DENY}");
        cargo(
            &["install", "cargo-deny", "--version", &version, "--locked", "--debug", "--root", &root, "--quiet"],
            &[],
        )?;
    }
    Ok(installed)
}

/// What is missing, and how to get it.
fn advice() -> String {
    format!(
        "missing: cargo-deny\n\
         install it: cargo install cargo-deny --version {CARGO_DENY} --locked\n\
         \x20           or `cargo xtask test --install`, which puts one beside the build\n\
         without it: cargo xtask test --quick"
    )
}

/// Checks licences, bans and sources. Advisories are left to a machine that can fetch their database.
fn deny(install: bool) -> Outcome {
    let program = cargo_deny(install)?;
    run(Command::new(program).args(["check", "bans", "licenses", "sources"]).current_dir(root()))
}

/// Runs every example of the core.
fn examples() -> Outcome {
    build()?;
    let folder = root().join("crates/muslin/examples");
    let files = std::fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut names: Vec<_> = files.flatten().filter_map(|file| Some(file.path().file_stem()?.to_owned())).collect();
    names.sort();
    names.iter().try_for_each(|name| run(&mut own(&format!("examples/{}", name.display()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said_with_the_commands_that_install_it() {
        let advice = advice();
        for part in ["missing: cargo-deny", "cargo install cargo-deny --version 0.20.2", "cargo xtask test --install"] {
            assert!(advice.contains(part), "{advice}");
        }
    }
}
