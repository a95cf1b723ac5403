//! Chores of this repository. `cargo xtask test` is exactly what CI runs.

mod command;
#[cfg(test)]
mod documents;
mod package;
mod pictures;
mod reference;
mod torture;
mod walker;
mod web;
mod words;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str = "\
cargo xtask test        everything CI checks: format, words, lints, licences, tests, examples, player, pictures,
                        packages, documentation
cargo xtask bench       the benchmarks
cargo xtask package     packs the crates, and builds a program with what was packed
cargo xtask pictures    remakes the pictures in docs/pictures
cargo xtask reference   rewrites docs/scene-reference.md
cargo xtask torture     motion: hangs up many kinds of sheets and judges how they swing, 15 minutes; --all: more;
                        references: computes what is missing of the motions they are compared with, an hour
cargo xtask walker      remakes the walking figure of scenes/walker.toml
";

/// The version of cargo-deny that is installed where there is none.
const CARGO_DENY: &str = "0.20.2";

type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let done = match env::args().nth(1).as_deref() {
        Some("test") => test(),
        Some("bench") => cargo(&["bench", "--workspace"], &[]),
        Some("package") => package::check(),
        Some("pictures") => pictures::write(),
        Some("reference") => write_reference(),
        Some("torture") => torture::run(&env::args().skip(2).collect::<Vec<_>>()),
        Some("walker") => walker::write(),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Outcome {
    stage("format", || cargo(&["fmt", "--all", "--check"], &[]))?;
    stage("words", words::check)?;
    stage("lints", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[]))?;
    stage("the core without its limiters", core_alone)?;
    stage("licences and sources", deny)?;
    stage("tests", || cargo(&["test", "--workspace", "--quiet"], &[("INSTA_UPDATE", "no")]))?;
    stage("examples", examples)?;
    stage("player: packages", web::install)?;
    stage("player: format, lints, types", web::check)?;
    stage("player: tests", web::unit_tests)?;
    stage("player: is the bundle new", web::compare_bundle)?;
    stage("player: in a browser", web::browser_tests)?;
    stage("pictures", pictures::compare)?;
    stage("packages", package::check)?;
    stage("documentation", || {
        cargo(&["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "-D warnings")])
    })
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

/// Runs every example of the core.
fn examples() -> Outcome {
    let folder = root().join("crates/muslin/examples");
    let files = std::fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut names: Vec<_> = files.flatten().filter_map(|file| Some(file.path().file_stem()?.to_owned())).collect();
    names.sort();
    for name in names {
        let name = name.to_string_lossy();
        cargo(&["run", "--quiet", "--package", "muslin", "--example", &name], &[])
            .map_err(|problem| format!("{name}: {problem}"))?;
    }
    Ok(())
}

fn write_reference() -> Outcome {
    std::fs::write(reference::path(), reference::page()).map_err(|error| format!("cannot write the reference: {error}"))
}

/// Runs a stage and says how long it took.
fn stage(name: &str, run: impl FnOnce() -> Outcome) -> Outcome {
    eprintln!("== {name}");
    let start = Instant::now();
    run().map_err(|problem| format!("{name}: {problem}"))?;
    eprintln!("== {name}: ok, {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn cargo(arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    run(cargo_command(arguments).envs(variables.iter().copied()))
}

fn cargo_command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Checks licences, bans and sources with cargo-deny, which is installed beside the build where it is missing.
/// Advisories are left to a machine that can fetch their database.
fn deny() -> Outcome {
    let tools = target().join("tools");
    let installed = tools.join("bin").join(format!("cargo-deny{}", env::consts::EXE_SUFFIX));
    let program = if Command::new("cargo-deny").arg("--version").output().is_ok_and(|output| output.status.success()) {
        PathBuf::from("cargo-deny")
    } else {
        if !installed.is_file() {
            let root = tools.to_string_lossy().into_owned();
            // A debug build: it runs for a second, and compiles in half the time.
            let version = format!("={CARGO_DENY}");
            cargo(
                &["install", "cargo-deny", "--version", &version, "--locked", "--debug", "--root", &root, "--quiet"],
                &[],
            )?;
        }
        installed
    };
    run(Command::new(program).args(["check", "bans", "licenses", "sources"]).current_dir(root()))
}

fn run(command: &mut Command) -> Outcome {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("cannot start {program}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} failed ({status})")) }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
