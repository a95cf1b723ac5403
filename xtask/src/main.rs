//! Chores of this repository. `cargo xtask test` is exactly what CI runs.

#[cfg(test)]
mod documents;
mod package;
mod test;
#[cfg(test)]
mod type_names;
mod web;
mod words;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use self::test::Options;

const USAGE: &str = "\
cargo xtask test        everything CI checks: format, words, lints, licences, tests, examples, player, pictures,
                        packages, documentation; --quick: format, words, lints and fast tests, for between edits;
                        --install: installs Node, npm, Chromium and cargo-deny where they are missing, as with the
                        variable CI
cargo xtask bench       the benchmarks
cargo xtask charts      times the documents' performance tests and draws them beside the published figures, some 10
                        minutes; --redraw: only draws again, from docs/data/charts.csv
cargo xtask documents   runs the documents' experiments and rewrites docs/methods/documents.md, minutes
cargo xtask funnel      remakes the funnel of scenes/funnel.toml
cargo xtask maps        runs every limiter on a small net under many settings and draws where it keeps its limit, five
                        minutes; --redraw: only draws again, from docs/data/maps.csv
cargo xtask package     packs the crates, and builds a program with what was packed
cargo xtask pictures    remakes the pictures in docs/pictures
cargo xtask reference   rewrites docs/scene-reference.md and the tables of parameters in docs/methods
cargo xtask ribbon      remakes the ribbons of scenes/ribbon-knot.toml
cargo xtask torture     motion: hangs up many kinds of sheets and judges how they swing, 15 minutes; --all: more;
                        references: computes what is missing of the motions they are compared with, an hour
cargo xtask walker      remakes the walking figure of scenes/walker.toml
";

type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match chore(&arguments) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(problem)) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
        Err(misunderstood) => {
            eprint!("xtask: {misunderstood}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Does what the arguments say; the outer error is for arguments that say nothing.
fn chore(arguments: &[&str]) -> Result<Outcome, String> {
    match arguments {
        ["test", options @ ..] => Options::parse(options).map(test::test),
        ["bench"] => Ok(cargo(&["bench", "--workspace"], &[])),
        ["package"] => Ok(package::check()),
        ["funnel" | "pictures" | "reference" | "ribbon" | "walker"] | ["maps" | "charts", "--redraw"] => {
            Ok(chores(arguments))
        }
        ["documents" | "charts"] => Ok(cargo(&["build", "--release", "--quiet", "--package", "muslin-cli"], &[])
            .and_then(|()| {
                cargo(&[&["run", "--release", "--quiet", "--package", "chores", "--"], arguments].concat(), &[])
            })),
        // Many sheets take several times as long with the checks of a debug build.
        ["maps"] | ["torture", "motion" | "references", ..] => {
            Ok(cargo(&[&["run", "--release", "--quiet", "--package", "chores", "--"], arguments].concat(), &[]))
        }
        [] => Err("what is to be done?".to_owned()),
        other => Err(format!("`{}` is not understood", other.join(" "))),
    }
}

/// Does a chore that needs muslin.
fn chores(arguments: &[&str]) -> Outcome {
    build()?;
    run(own("chores").args(arguments))
}

/// Builds all programs and examples. With examples, because cargo then takes the features that tests have too:
/// dependencies and crates that tests have compiled are not compiled again.
fn build() -> Outcome {
    cargo(&["build", "--workspace", "--bins", "--examples", "--quiet"], &[])
}

/// A program of this repository that [`build`] has built.
fn own(name: &str) -> Command {
    let mut command = Command::new(target().join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX)));
    command.current_dir(root());
    command
}

fn cargo(arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    run(cargo_command(arguments).envs(variables.iter().copied()))
}

fn cargo_command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

fn run(command: &mut Command) -> Outcome {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("cannot start {program}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} failed ({status})")) }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Where cargo builds.
fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_are_not_understood_are_named() {
        let problem = |arguments: &[&str]| chore(arguments).expect_err("it is no chore");
        assert_eq!(problem(&[]), "what is to be done?");
        assert_eq!(problem(&["tset"]), "`tset` is not understood");
        assert_eq!(problem(&["bench", "--quick"]), "`bench --quick` is not understood");
        assert_eq!(problem(&["torture"]), "`torture` is not understood");
        assert_eq!(problem(&["test", "--quik"]), "`cargo xtask test` has no option `--quik`");
    }
}
