//! The command in a folder of its own.

#![allow(dead_code, reason = "each test file uses its part of this module")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// `hang` small enough to take no time.
pub(crate) const SMALL: [&str; 4] = ["--set", "cloth.0.grid.particles=[11,11]", "--frames", "6"];

/// What the command did.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Done {
    /// The standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("no JSON ({error}): {self:?}"))
    }

    /// Fails unless the command ended with this code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }
}

/// A folder to work in, removed at the end.
pub(crate) struct Place {
    dir: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_muslin"));
        command.current_dir(self.dir.path()).args(args).stdin(Stdio::null());
        // Colours and widths of the terminal that the tests run in do not matter.
        command.env("NO_COLOR", "1").env("COLUMNS", "100");
        command
    }

    /// Runs the command to its end. It never panics, whatever it was asked.
    #[track_caller]
    pub(crate) fn muslin(&self, args: &[&str]) -> Done {
        let Output { status, stdout, stderr } = self.command(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let done = Done { code: status.code(), stdout: text(stdout), stderr: self.without_path(&text(stderr)) };
        assert!(!done.stderr.contains("panicked"), "{args:?}: {done:?}");
        done
    }

    /// Starts the command with its messages thrown away.
    pub(crate) fn start(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// The certificate of a run.
    #[track_caller]
    pub(crate) fn report(&self, run: &str) -> Value {
        let text = fs::read(self.path(run).join("report.json")).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    /// Names of what is in a folder, sorted.
    pub(crate) fn list(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn without_path(&self, text: &str) -> String {
        text.replace(&self.dir.path().display().to_string(), "PLACE")
    }
}

/// Sends a signal (`-INT`, `-TERM`) to a command that was started.
#[cfg(unix)]
pub(crate) fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success(), "kill {signal}");
}

/// `head`, then `tail`, as one list of arguments.
pub(crate) fn args<'a>(head: &[&'a str], tail: &[&'a str]) -> Vec<&'a str> {
    [head, tail].concat()
}

/// A report without what differs from run to run: times, and the number of threads.
pub(crate) fn without_times(mut report: Value) -> Value {
    for timed in ["wall_s", "cpu_s", "process_wall_s", "process_cpu_s", "stages", "threads"] {
        assert!(report.as_object_mut().unwrap().remove(timed).is_some(), "`{timed}` is missing");
    }
    report
}

/// Fails unless two runs left the same caches, the same state and, but for times, the same report.
#[track_caller]
pub(crate) fn assert_same_run(a: &Path, b: &Path, cloth: &str) {
    let read = |dir: &Path, name: &str| fs::read(dir.join(name)).unwrap();
    let report = |dir: &Path| without_times(serde_json::from_slice(&read(dir, "report.json")).unwrap());
    assert_eq!(report(a), report(b));
    for name in ["scene.toml".to_owned(), format!("{cloth}.obj"), format!("{cloth}.pc2")] {
        assert!(read(a, &name) == read(b, &name), "`{name}` differs");
    }
    assert_eq!(untimed_rows(&read(a, "frames.csv")), untimed_rows(&read(b, "frames.csv")));
}

/// The rows of `frames.csv` without the columns that hold times spent.
fn untimed_rows(table: &[u8]) -> Vec<Vec<String>> {
    let text = String::from_utf8(table.to_vec()).unwrap();
    let rows: Vec<Vec<String>> = text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
    let timed = |column: &usize| ["wall_s", "cpu_s"].contains(&rows[0][*column].as_str());
    let kept: Vec<usize> = (0..rows[0].len()).filter(|column| !timed(column)).collect();
    rows.iter().map(|row| kept.iter().map(|&column| row[column].clone()).collect()).collect()
}
