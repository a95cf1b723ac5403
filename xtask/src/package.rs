//! The crates as others get them: packed, and built by a program that has nothing else of muslin.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Outcome, cargo, root, run, target};

/// The program, an example of the core.
const PROGRAM: &str = "crates/muslin/examples/hang.rs";

/// Its manifest, to which [`entry`] adds the packed crates. They are members beside it, so that all are built, the
/// command too. The profile is that of this repository: most of what they depend on has been compiled already.
const MANIFEST: &str = r#"
[package]
name = "somebody"
edition = "2024"

[dependencies]
muslin = "*"

[workspace]
members = ["muslin-*"]

[profile.dev]
opt-level = 2
debug = "line-tables-only"
"#;

/// A packed crate in the manifest: it stands in for the one of crates.io. Optimisation would take longer than it saves.
fn entry(name: &str, folder: &str) -> String {
    format!("\n[patch.crates-io.{name}]\npath = \"{folder}\"\n\n[profile.dev.package.{name}]\nopt-level = 0\n")
}

/// Packs the crates, builds what was packed, and runs the program.
///
/// `cargo package` can build what it packs too, but crate by crate, each with other features of what it depends on:
/// that takes minutes, and runs nothing. `cargo fetch` lets all the rest do without a network.
pub(crate) fn check() -> Outcome {
    cargo(&["fetch", "--locked", "--quiet"], &[])?;
    let members = ["--workspace", "--exclude", "chores", "--exclude", "xtask"];
    let how = ["--no-verify", "--allow-dirty", "--offline", "--quiet"];
    cargo(&[&["package"], &members[..], &how].concat(), &[])?;
    let folder = target().join("packed");
    set_up(&folder).map_err(|error| format!("cannot set up {}: {error}", folder.display()))?;
    let mut manifest = MANIFEST.to_owned();
    for name in crates()? {
        let packed = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        unpack(&target().join("package").join(format!("{packed}.crate")), &folder)?;
        manifest += &entry(&name, &packed);
    }
    let path = folder.join("Cargo.toml");
    fs::write(&path, manifest).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    let (manifest, target) = (path.to_string_lossy(), target().to_string_lossy().into_owned());
    let place = ["--manifest-path", &manifest, "--target-dir", &target];
    cargo(&[&["build", "--workspace", "--offline", "--quiet"], &place[..]].concat(), &[])?;
    run(&mut Command::new(Path::new(&target).join("debug").join(format!("somebody{}", env::consts::EXE_SUFFIX))))
}

/// An empty folder but for the program, and for the versions of what it depends on.
fn set_up(folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder.join("src"))?;
    fs::copy(root().join(PROGRAM), folder.join("src/main.rs"))?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(())
}

/// Names of the crates that are packed: their folders have the same.
fn crates() -> Result<Vec<String>, String> {
    let entries = fs::read_dir(root().join("crates")).map_err(|error| format!("cannot list the crates: {error}"))?;
    Ok(entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

/// Unpacks a crate. Files get the time of today (`-m`): all packed ones have the same, and cargo would take a crate for
/// the one it built the last time.
fn unpack(archive: &Path, folder: &Path) -> Outcome {
    run(Command::new("tar").arg("-xzmf").arg(archive).arg("-C").arg(folder))
}
