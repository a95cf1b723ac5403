//! The same bits for any number of threads, and for a run folder that is run again.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::fs;

use common::{Place, SMALL, args, assert_same_run, without_times};

/// Runs with one thread and with two, and compares everything.
fn threads_do_not_matter(place: &Place, run: &[&str]) {
    for threads in ["1", "2"] {
        let done = place.muslin(&args(run, &["--threads", threads, "--out", threads, "--quiet"]));
        assert!(matches!(done.code, Some(0 | 1)), "{done:?}");
        assert_eq!(place.report(threads)["threads"].to_string(), threads);
    }
    assert_same_run(&place.path("1"), &place.path("2"), "sheet");
}

// What is divided among threads and decides over bits: groups of `iterative` from 4096 rows on, which 101 × 101
// particles have, and cloths of `certified`. Sums of implicit integrators have a test beside them, in the core.

#[test]
fn iterative_on_a_large_sheet() {
    let sets = ["cloth.0.grid.particles=[101,101]", "integrator.method=exact", "limiter.method=iterative"];
    let sets = sets.map(|set| ["--set", set]).concat();
    threads_do_not_matter(&Place::new(), &args(&["run", "bench-hang", "--frames", "1"], &sets));
}

#[test]
fn certified_with_several_cloths() {
    let place = Place::new();
    let cloth = |name: &str, particles: u32| {
        format!(
            "[[cloth]]\nname = \"{name}\"\ngrid = {{ particles = [{particles}, {particles}] }}\n\
             pins = [{{ corner = [0, 0] }}]\n"
        )
    };
    place.write("two.toml", cloth("sheet", 15) + &cloth("other", 11));
    threads_do_not_matter(&place, &["run", "two.toml", "--frames", "6"]);
}

#[test]
fn the_report_counts_the_threads_that_stepping_could_use() {
    let place = Place::new();
    let cloth = |name: &str| format!("[[cloth]]\nname = \"{name}\"\ngrid = {{ particles = [4, 4] }}\n");
    place.write("one.toml", cloth("a"));
    let beside = "transform = { translate = [3, 0, 0] }\n";
    place.write("two.toml", cloth("a") + &cloth("b") + beside);
    let cases = [
        ("one.toml", "3", "certified", 1),
        ("two.toml", "3", "certified", 2),
        ("two.toml", "1", "certified", 1),
        ("one.toml", "3", "bridson", 3),
    ];
    for (scene, threads, method, wanted) in cases {
        let method = format!("limiter.method={method}");
        let run = ["run", scene, "--frames", "1", "--force", "--out", "run", "--threads", threads, "--set", &method];
        place.muslin(&run).exits(0);
        assert_eq!(place.report("run")["threads"], wanted, "{run:?}");
    }
}

#[test]
fn a_run_folder_runs_again_to_the_same_bits() {
    let place = Place::new();
    place.muslin(&args(&["run", "hang", "--out", "first"], &SMALL)).exits(0);
    place.muslin(&["run", "first", "--frames", "6", "--out", "second"]).exits(0);
    let run = |name: &str| {
        let mut report = without_times(place.report(name));
        report["scene"] = "the name of its folder".into();
        report
    };
    assert_eq!(run("first"), run("second"));
    assert_eq!(fs::read(place.path("first/sheet.pc2")).unwrap(), fs::read(place.path("second/sheet.pc2")).unwrap());
}

/// A strip of three quads.
const STRIP: &str = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nv 0 0 2\nv 1 0 2\nv 0 0 3\nv 1 0 3\n\
                     f 1 3 4 2\nf 3 5 6 4\nf 5 7 8 6\n";

#[test]
fn a_run_of_a_mesh_file_runs_again_elsewhere_when_the_mesh_is_gone() {
    let place = Place::new();
    place.write("work/meshes/strip.obj", STRIP);
    place.write(
        "work/strip.toml",
        "[time]\nduration = 0.2\n[[cloth]]\nname = \"strip\"\nmesh = { file = \"meshes/strip.obj\", scale = 0.1 }\n\
         pins = [{ index = [0, 1] }]\n",
    );
    place.muslin(&["run", "work/strip.toml", "--out", "run"]).exits(0);
    fs::remove_dir_all(place.path("work")).unwrap();
    fs::create_dir(place.path("moved")).unwrap();
    fs::rename(place.path("run"), place.path("moved/away")).unwrap();
    place.muslin(&["run", "moved/away", "--out", "again"]).exits(0);
    assert_eq!(place.report("moved/away")["state_hash"], place.report("again")["state_hash"]);
    assert_eq!(fs::read_to_string(place.path("again/inputs/strip.obj")).unwrap(), STRIP);
    place.muslin(&["run", "moved/away", "--resume"]).exits(0);
}

#[test]
fn a_run_that_starts_from_another_runs_again_when_that_one_is_gone() {
    let place = Place::new();
    let sheet = "[[cloth]]\nname = \"sheet\"\ngrid = { particles = [9, 9] }\npins = [{ corner = [0, 0] }]\n";
    place.write("drop.toml", format!("[time]\nduration = 0.2\n{sheet}"));
    place.write("on.toml", format!("[time]\nduration = 0.2\n[start_from]\nrun = \"runs/drop\"\nframe = 4\n{sheet}"));
    place.muslin(&["run", "drop.toml"]).exits(0);
    place.muslin(&["run", "on.toml", "--out", "first"]).exits(0);
    fs::remove_dir_all(place.path("runs")).unwrap();
    place.muslin(&["run", "first", "--out", "second"]).exits(0);
    assert_eq!(place.report("first")["state_hash"], place.report("second")["state_hash"]);
    assert_eq!(fs::read(place.path("first/sheet.pc2")).unwrap(), fs::read(place.path("second/sheet.pc2")).unwrap());
}

#[test]
fn a_run_with_pulls_goes_on_to_the_same_bits() {
    let place = Place::new();
    place.write(
        "drawn.toml",
        "[[cloth]]\nname = \"sheet\"\ngrid = { particles = [9, 9] }\npins = [{ corner = [0, 0] }]\n\
         [[pull]]\ncorner = [1, 1]\nfrom = 0.1\nuntil = 0.3\n\
         motion = { keys = [{ time = 0 }, { time = 0.4, translate = [0.2, 0.5, 0] }] }\n",
    );
    place.muslin(&["run", "drawn.toml", "--frames", "12", "--out", "whole"]).exits(0);
    place.muslin(&["run", "drawn.toml", "--frames", "5", "--out", "part"]).exits(0);
    place.muslin(&["run", "part", "--resume", "--frames", "12"]).exits(0);
    assert_eq!(place.report("whole")["state_hash"], place.report("part")["state_hash"]);
    assert_eq!(fs::read(place.path("whole/sheet.pc2")).unwrap(), fs::read(place.path("part/sheet.pc2")).unwrap());
}
