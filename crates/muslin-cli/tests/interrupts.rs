//! Ctrl-C and SIGTERM are answered in the middle of whatever is under way, not only between steps.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{Place, SMALL, args, send};

/// From the signal to the end of the command. A second is promised; a busy machine gets another.
const ANSWER: Duration = Duration::from_secs(2);

/// `bench-hang` with steps that take minutes.
const LARGE: [&str; 4] = ["bench-hang", "--quiet", "--set", "cloth.0.grid.particles=[161,161]"];
const CERTIFIED: [&str; 2] = ["limiter.stretch=1e-6", "time.step=\"frame/1\""];
const NEWTON: [&str; 4] =
    ["limiter.method=none", "integrator.tolerance=1e-12", "integrator.max_newton=1000000", "time.step=\"frame/1\""];
const ROUNDS: [&str; 3] = ["limiter.method=iterative", "limiter.stretch=1e-9", "limiter.max_iterations=1000000000"];

fn sets<'a>(values: &[&'a str]) -> Vec<&'a str> {
    values.iter().flat_map(|value| ["--set", value]).collect()
}

fn wait_until(what: &str, there: impl Fn() -> bool) {
    let start = Instant::now();
    while !there() {
        assert!(start.elapsed() < Duration::from_mins(1), "no {what} after a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts a command, waits until `ready` and a second more, sends the signal, and gives back what it said at its end.
#[track_caller]
fn interrupted(place: &Place, signal: &str, args: &[&str], ready: impl Fn() -> bool) -> String {
    let mut child = place.command(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("start", ready);
    std::thread::sleep(Duration::from_secs(1));
    assert!(child.try_wait().unwrap().is_none(), "{args:?} was over before the signal");
    let sent = Instant::now();
    send(signal, &child);
    let done = child.wait_with_output().unwrap();
    let (waited, said) = (sent.elapsed(), String::from_utf8(done.stderr).unwrap());
    assert!(waited < ANSWER, "{args:?} took {waited:?}");
    assert_eq!(done.status.code(), Some(3), "{args:?}: {said}");
    said
}

#[test]
fn comparisons_end_with_what_was_done() {
    let place = Place::new();
    let command =
        [&["compare"][..], &LARGE, &sets(&CERTIFIED), &["--limiters", "certified,none", "--out", "c"]].concat();
    let checkpoint = place.path("c/certified/checkpoint.bin");
    let said = interrupted(&place, "-INT", &command, || checkpoint.is_file());
    assert!(said.ends_with("stopped: interrupted; what was done is saved\n"), "{said}");
}

#[test]
fn building_a_large_scene_is_interrupted_and_nothing_is_written() {
    for command in ["run", "check"] {
        let place = Place::new();
        let large = [command, "bench-hang", "--set", "cloth.0.grid.particles=[701,701]"];
        let said = interrupted(&place, "-TERM", &large, || true);
        assert!(said.ends_with("stopped: interrupted; nothing was written\n"), "{said}");
        assert!(place.list(".").is_empty());
    }
}

#[test]
fn pictures_that_are_not_finished_are_removed() {
    let place = Place::new();
    place.muslin(&args(&["run", "hang", "--quiet"], &SMALL)).exits(0);
    let before = place.list("runs/hang");
    let command = ["render", "runs/hang", "--quiet", "--size", "4000x4000", "--subdivide", "3", "--gif"];
    let said = interrupted(&place, "-INT", &command, || Path::new(&place.path("runs/hang")).is_dir());
    assert_eq!(said, "stopped: interrupted; nothing was written\n");
    assert_eq!(place.list("runs/hang"), before);
}

mod slow {
    use super::*;

    #[test]
    fn a_long_step_is_interrupted_whatever_the_method() {
        let place = Place::new();
        for (signal, method) in [("-INT", &CERTIFIED[..]), ("-TERM", &NEWTON[..]), ("-INT", &ROUNDS[..])] {
            let run = method[0];
            let command = [&["run"][..], &LARGE, &sets(method), &["--out", run]].concat();
            let checkpoint = place.path(run).join("checkpoint.bin");
            let said = interrupted(&place, signal, &command, || checkpoint.is_file());
            assert_eq!(said, "stopped: interrupted; `--resume` continues it\n");
            let report = place.report(run);
            assert_eq!((&report["frames"], &report["completed"]), (&0.into(), &false.into()), "{run}");
        }
    }

    #[test]
    fn a_long_step_shows_that_it_is_under_way() {
        let place = Place::new();
        let large: Vec<&str> = LARGE.into_iter().filter(|option| *option != "--quiet").collect();
        let command = [&["run"][..], &large, &sets(&CERTIFIED), &["--out", "slow"]].concat();
        let checkpoint = place.path("slow/checkpoint.bin");
        let long_ago =
            || checkpoint.metadata().is_ok_and(|file| file.modified().unwrap().elapsed().unwrap().as_secs() >= 2);
        let said = interrupted(&place, "-INT", &command, long_ago);
        assert!(said.contains("frame 1/") && said.contains("a step is under way for "), "{said}");
    }
}
