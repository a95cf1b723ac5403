//! Readers that go away: the run goes on and ends as it would have.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::process::Stdio;

use common::{Place, SMALL, args};

/// Runs the command with a reader of both streams that is gone before anything is written.
fn exit_code_without_readers(place: &Place, command: &[&str]) -> Option<i32> {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let streams = (Stdio::from(writer.try_clone().unwrap()), Stdio::from(writer));
    place.command(command).stdout(streams.0).stderr(streams.1).status().unwrap().code()
}

#[test]
fn a_run_that_nobody_listens_to_is_recorded_in_whole() {
    let place = Place::new();
    assert_eq!(exit_code_without_readers(&place, &args(&["run", "hang"], &SMALL)), Some(0));
    let report = place.report("runs/hang");
    assert_eq!((&report["completed"], &report["frames"]), (&true.into(), &6.into()));
}

#[test]
fn bad_input_keeps_its_exit_code_when_nobody_listens() {
    let place = Place::new();
    for command in [&["run", "hnag"][..], &["run", "--set", "x"], &["check", "hnag"], &["run", "--resume"]] {
        assert_eq!(exit_code_without_readers(&place, command), Some(2), "{command:?}");
    }
}

#[test]
fn lists_that_nobody_reads_are_no_error() {
    let place = Place::new();
    let lists = [&["scenes"][..], &["methods"], &["materials"], &["schema"], &["completions", "bash"], &["man"]];
    for command in lists.into_iter().chain([&["check"][..], &["--help"]]) {
        assert_eq!(exit_code_without_readers(&place, command), Some(0), "{command:?}");
    }
}
