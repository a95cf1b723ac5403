//! Exit codes, and what a run leaves behind when a promise is broken or it stops early.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::fs;

use common::{Place, SMALL, args};
use muslin_record::Pc2;

#[test]
fn a_gentle_scene_keeps_its_promises_and_ends_with_0() {
    let place = Place::new();
    let done = place.muslin(&args(&["run", "hang"], &SMALL)).exits(0);
    assert!(done.stdout.contains("strain    kept") && done.stdout.contains("by `certified`"), "{done:?}");
    assert!(done.stderr.contains("frame 6/6"), "{done:?}");
    let report = place.report("runs/hang");
    assert_eq!((&report["completed"], &report["strain"]["kept"]), (&true.into(), &true.into()));
    assert!(report["stopped"].is_null());
}

#[test]
fn cloth_without_a_limiter_that_stretches_too_far_ends_with_1_and_says_where() {
    let place = Place::new();
    let unlimited = ["run", "hang", "--set", "limiter.method=\"none\"", "--json"];
    let done = place.muslin(&args(&unlimited, &["--set", "cloth.0.grid.particles=[21,21]", "--frames", "12"])).exits(1);
    let report = done.json();
    let strain = &report["strain"];
    assert_eq!((&report["completed"], &strain["kept"]), (&true.into(), &false.into()));
    assert!(strain["worst"].as_f64().unwrap() > strain["limit"].as_f64().unwrap(), "{strain}");
    assert!(strain["where"].as_str().unwrap().contains("of `sheet` in frame"), "{strain}");
    assert_eq!(report, place.report("runs/hang"));
}

#[test]
fn steps_that_were_not_solved_end_with_1_and_are_reported() {
    let place = Place::new();
    // Two rounds, where nothing but a perfect one would do.
    let hasty = ["limiter.method=bridson", "integrator.max_newton=2", "integrator.tolerance=1e-9"];
    let hasty = hasty.map(|set| ["--set", set]).concat();
    let done = place.muslin(&[&["run", "hang"][..], &hasty, &SMALL].concat()).exits(1);
    assert!(done.stdout.contains("strain    kept") && done.stdout.contains("24 of 24 steps NOT SOLVED"), "{done:?}");
    let page = fs::read_to_string(place.path("runs/hang/report.html")).unwrap();
    assert!(page.contains("24 of 24 steps were not solved") && page.contains("verdict broken"));
}

#[test]
fn a_limiter_that_ran_out_of_rounds_is_reported() {
    let place = Place::new();
    let hasty = ["--set", "limiter.method=iterative", "--set", "limiter.max_iterations=1"];
    let done = place.muslin(&[&["run", "hang"][..], &hasty, &SMALL].concat()).exits(1);
    assert!(done.stdout.contains("steps ended before `iterative` had reached its tolerance"), "{done:?}");
}

#[test]
fn numbers_beyond_physics_are_refused_before_they_overflow() {
    for set in ["world.gravity=[0,-1e200,0]", "cloth.0.grid.size=[1e200,1]", "cloth.0.material.density=1e200"] {
        let done = Place::new().muslin(&["run", "hang", "--set", set]).exits(2);
        assert!(done.stderr.contains("must be between -1e12 and 1e12"), "{done:?}");
    }
}

#[test]
fn an_expectation_that_does_not_hold_ends_with_1() {
    let place = Place::new();
    place.write(
        "wish.toml",
        "[time]\nduration = 0.1\n[[cloth]]\ngrid = { particles = [5, 5] }\n\
         [[expect]]\nreport = \"motion.kinetic_j\"\nat_most = 0.0\nwhy = \"nothing should move\"\n",
    );
    let done = place.muslin(&["run", "wish.toml"]).exits(1);
    assert!(done.stdout.contains("DOES NOT HOLD"), "{done:?}");
    let report = place.report("runs/wish");
    assert_eq!((&report["strain"]["kept"], &report["expectations"][0]["held"]), (&true.into(), &false.into()));
}

/// A sheet whose springs are far too stiff for the explicit step.
const UNSTABLE: [&str; 12] = [
    "run",
    "hang",
    "--set",
    "integrator.method=explicit-euler",
    "--set",
    "time.step=\"frame/4\"",
    "--set",
    "limiter.method=none",
    "--set",
    "cloth.0.grid.particles=[11,11]",
    "--frames",
    "90",
];

#[test]
fn a_run_that_blows_up_ends_with_3_and_keeps_every_good_frame() {
    let place = Place::new();
    let done = place.muslin(&UNSTABLE).exits(3);
    let report = place.report("runs/hang");
    let stopped = report["stopped"].as_str().unwrap();
    assert!(done.stderr.contains(&format!("stopped: {stopped}")), "{done:?}");
    for named in ["not finite", "vertex", "`sheet`", "step"] {
        assert!(stopped.contains(named), "`{named}` is missing: {stopped}");
    }
    assert_eq!(report["completed"], false);
    let frames = report["frames"].as_u64().unwrap();
    assert!((1..90).contains(&frames), "{frames} frames, so the test tests nothing");
    let cache = Pc2::read(&place.path("runs/hang/sheet.pc2")).unwrap();
    assert_eq!(cache.len() as u64, frames + 1);
    assert!(cache.iter().flatten().all(|position| position.is_finite()));
    let table = fs::read_to_string(place.path("runs/hang/frames.csv")).unwrap();
    assert_eq!(table.lines().count() as u64, frames + 2, "a header, frame 0 and {frames} frames");
    assert!(!table.contains("NaN") && !table.contains("inf"), "{table}");
}

#[test]
fn a_run_that_blew_up_blows_up_again_when_resumed() {
    let place = Place::new();
    place.muslin(&UNSTABLE).exits(3);
    let before = place.report("runs/hang");
    place.muslin(&["run", "hang", "--resume"]).exits(3);
    let after = place.report("runs/hang");
    for same in ["frames", "stopped", "state_hash"] {
        assert_eq!(before[same], after[same], "`{same}` differs");
    }
}

#[test]
fn quiet_is_quiet_and_json_is_the_report() {
    let place = Place::new();
    let quiet = place.muslin(&args(&["run", "hang", "--quiet"], &SMALL)).exits(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
    let both = place.muslin(&args(&["run", "hang", "--quiet", "--json", "--force"], &SMALL)).exits(0);
    assert_eq!((both.json(), both.stderr.as_str()), (place.report("runs/hang"), ""));
}

#[test]
fn run_without_a_scene_runs_hang() {
    let place = Place::new();
    place.muslin(&args(&["run"], &SMALL)).exits(0);
    assert_eq!(place.report("runs/hang")["scene"], "hang");
}

#[test]
fn force_replaces_the_run_and_leaves_what_the_user_put_there() {
    let place = Place::new();
    place.muslin(&args(&["run", "hang"], &SMALL)).exits(0);
    place.write("runs/hang/notes.txt", "mine");
    let again = ["run", "hang", "--force", "--set", "cloth.0.name=cape", "--set", "probe.0.cloth=cape"];
    place.muslin(&args(&again, &SMALL)).exits(0);
    let files = place.list("runs/hang");
    assert!(files.contains(&"cape.pc2".to_owned()) && !files.contains(&"sheet.pc2".to_owned()), "{files:?}");
    assert!(files.contains(&"notes.txt".to_owned()), "{files:?}");
}

#[test]
fn scenes_that_differ_after_a_dot_have_folders_of_their_own() {
    let place = Place::new();
    for version in ["dress.v1", "dress.v2"] {
        place.write(&format!("{version}.toml"), "[[cloth]]\ngrid = { particles = [3, 3] }\n");
        place.muslin(&["run", &format!("{version}.toml"), "--frames", "1"]).exits(0);
        place.muslin(&["run", &format!("{version}.toml"), "--resume"]).exits(0);
    }
    assert_eq!(place.list("runs"), ["dress.v1", "dress.v2"]);
}
