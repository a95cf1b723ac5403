//! `muslin compare`: one scene by several limiters.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::fs;

use common::{Place, args};
use serde_json::Value;

/// `hang` small enough to take no time.
const SMALL: [&str; 4] = ["--set", "cloth.0.grid.particles=[9,9]", "--frames", "2"];

/// A limit that the springs alone do not keep even in two frames.
const TIGHT: [&str; 2] = ["--set", "limiter.stretch=1e-4"];

#[track_caller]
fn comparison(place: &Place, folder: &str) -> Value {
    serde_json::from_slice(&fs::read(place.path(folder).join("compare.json")).unwrap()).unwrap()
}

#[track_caller]
fn verdicts(comparison: &Value) -> Vec<(&str, &str)> {
    let rows = comparison["methods"].as_array().unwrap();
    rows.iter().map(|row| (row["method"].as_str().unwrap(), row["verdict"].as_str().unwrap())).collect()
}

/// The table by cells, so that its columns' widths do not depend on how long it took; times become `#`.
fn without_times(table: &str) -> String {
    let mut cpu = None;
    let line = |line: &str| {
        let mut cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        if cells.first() == Some(&"limiter") {
            cpu = cells.iter().position(|cell| *cell == "CPU ms/s");
        } else if let Some(cell) = cpu.and_then(|cpu| cells.get_mut(cpu)) {
            *cell = "#";
        }
        cells.join(" | ")
    };
    table.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_table_shows_the_result_of_each_limiter() {
    let place = Place::new();
    let done = place.muslin(&[&["compare", "hang", "--limiters", "none,provot,bridson"][..], &SMALL, &TIGHT].concat());
    insta::assert_snapshot!(without_times(&done.exits(0).stdout));
}

#[test]
fn a_comparison_holds_a_run_folder_for_each_limiter() {
    let place = Place::new();
    let done = place.muslin(&args(&["compare", "hang", "--limiters", "provot,none"], &SMALL)).exits(0);
    assert!(done.stderr.contains("provot (1 of 2)") && done.stderr.contains("none (2 of 2)"), "{done:?}");
    let files = ["compare.html", "compare.json", "none", "none.png", "provot", "provot.png"];
    assert_eq!(place.list("runs/hang-compare"), files);
    for method in ["none", "provot"] {
        let run = format!("runs/hang-compare/{method}");
        assert_eq!(place.report(&run)["limiter"]["method"], method);
        assert!(place.path(&run).join("report.html").is_file());
        place.muslin(&["render", &run, "--size", "96x54"]).exits(0);
    }
    // The same scene by the same method in a run of its own comes to the same bits.
    place.muslin(&args(&["run", "hang", "--set", "limiter.method=provot", "--out", "alone"], &SMALL)).exits(0);
    assert_eq!(place.report("alone")["state_hash"], place.report("runs/hang-compare/provot")["state_hash"]);
}

#[test]
fn json_has_the_documented_keys_and_is_the_file() {
    let place = Place::new();
    let done = place.muslin(&args(&["compare", "hang", "--limiters", "bridson", "--json", "--quiet"], &SMALL)).exits(0);
    let printed = done.json();
    assert_eq!((&printed, done.stderr.as_str()), (&comparison(&place, "runs/hang-compare"), ""));
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    insta::assert_json_snapshot!((keys(&printed), keys(&printed["methods"][0])));
    let guide = include_str!("../../../docs/guide.md");
    for key in keys(&printed).iter().chain(&keys(&printed["methods"][0])) {
        assert!(guide.contains(&format!("`{key}`")), "the guide does not describe `{key}`");
    }
}

#[test]
fn a_method_that_stops_early_is_a_row_and_the_rest_goes_on() {
    let place = Place::new();
    // Springs far too stiff for the explicit step: nothing but a limiter could hold them.
    let unstable = ["--set", "integrator.method=explicit-euler", "--set", "time.step=\"frame/4\""];
    let head = ["compare", "hang", "--limiters", "none,bridson", "--set", "cloth.0.grid.particles=[11,11]"];
    let done = place.muslin(&[&head[..], &unstable, &["--frames", "90"]].concat()).exits(0);
    let comparison = comparison(&place, "runs/hang-compare");
    let [("none", "stopped"), ("bridson", ran)] = verdicts(&comparison)[..] else { panic!("{comparison}") };
    assert_ne!(ran, "not-run");
    let why = comparison["methods"][0]["why"].as_str().unwrap();
    assert!(why.starts_with("after frame ") && why.contains("not finite"), "{why}");
    assert!(done.stdout.contains(&format!("none     stopped: {why}")), "{done:?}");
    // JSON has no infinity: a figure that is none would be null.
    assert!(comparison["methods"][0]["worst_strain"].is_f64() && comparison["methods"][0]["energy_end_j"].is_f64());
}

#[test]
fn parameters_of_other_limiters_are_left_out_and_named() {
    let place = Place::new();
    let options =
        ["--set", "limiter.compress=0.05", "--set", "limiter.tethers=false", "--set", "integrator.max_newton=9"];
    let head = ["compare", "hang", "--limiters", "none,provot"];
    let done = place.muslin(&[&head[..], &options, &SMALL].concat()).exits(0);
    for note in ["`limiter.compress`, `limiter.tethers` left out: \"none\"", "`limiter.tethers` left out: \"provot\""] {
        assert!(done.stderr.contains(note), "{done:?}");
    }
    assert_eq!(place.report("runs/hang-compare/provot")["limiter"]["compress"], 0.05);
    let notes = &place.report("runs/hang-compare/none")["notes"];
    assert!(notes[0].as_str().unwrap().contains("left out"), "{notes}");
    assert_eq!(comparison(&place, "runs/hang-compare")["methods"][0]["notes"], *notes);
}

#[test]
fn spin_and_energy_are_reported_where_they_mean_something() {
    let place = Place::new();
    place.write(
        "spin.toml",
        "[time]\nduration = 0.2\nstep = \"frame/8\"\n[air]\ndensity = 0.0\n[world]\ngravity = [0, 0, 0]\n\
         [[cloth]]\ngrid = { particles = [5, 5], diagonals = \"none\" }\nmaterial = \"bare\"\n\
         start = { spin = { axis = [0, 1, 0], degrees_per_second = 90 } }\n",
    );
    place.muslin(&["compare", "spin.toml", "--limiters", "none", "--quiet"]).exits(0);
    place.muslin(&args(&["compare", "hang", "--limiters", "none", "--quiet"], &SMALL)).exits(0);
    let (spinning, hanging) = (comparison(&place, "runs/spin-compare"), comparison(&place, "runs/hang-compare"));
    let row = &spinning["methods"][0];
    let fraction = row["energy_ratio"].as_f64().unwrap();
    // An implicit method of second order at 240 steps a second: it loses a little, gains nothing, and keeps nearly all.
    assert!((0.9..=1.000_001).contains(&fraction), "{fraction}");
    assert!(row["angular_momentum_drift"].as_f64().unwrap() < 0.05, "{row}");
    for unknown in ["energy_ratio", "angular_momentum_drift"] {
        assert!(hanging["methods"][0][unknown].is_null(), "{unknown}: {hanging}");
    }
}

#[test]
fn a_folder_in_use_is_refused_and_force_replaces_the_comparison() {
    let place = Place::new();
    place.muslin(&args(&["compare", "hang", "--limiters", "none,provot", "--quiet"], &SMALL)).exits(0);
    let before = comparison(&place, "runs/hang-compare");
    let again = args(&["compare", "hang", "--limiters", "bridson"], &SMALL);
    let refused = place.muslin(&again).exits(2);
    assert!(refused.stderr.contains("is not empty") && refused.stderr.contains("--force"), "{refused:?}");
    assert_eq!(comparison(&place, "runs/hang-compare"), before);
    place.muslin(&args(&again, &["--force", "--quiet"])).exits(0);
    assert_eq!(place.list("runs/hang-compare"), ["bridson", "bridson.png", "compare.html", "compare.json"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_comparison_keeps_what_is_done() {
    use std::process::Command;
    use std::time::{Duration, Instant};

    let place = Place::new();
    let endless = ["--set", "cloth.0.grid.particles=[9,9]", "--frames", "1000000"];
    let mut child = place.start(&args(&["compare", "hang", "--limiters", "none,provot", "--out", "cut"], &endless));
    let deadline = Instant::now() + Duration::from_mins(1);
    while fs::read_to_string(place.path("cut/none/frames.csv")).map_or(0, |table| table.lines().count()) < 4 {
        assert!(Instant::now() < deadline && child.try_wait().unwrap().is_none(), "no frames");
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    let comparison = comparison(&place, "cut");
    assert_eq!(verdicts(&comparison), [("none", "stopped"), ("provot", "not-run")]);
    assert_eq!(comparison["completed"], false);
    assert!(comparison["methods"][0]["why"].as_str().unwrap().contains("interrupted"), "{comparison}");
    let frames = comparison["methods"][0]["frames"].as_u64().unwrap();
    let more = (frames + 2).to_string();
    place.muslin(&["run", "cut/none", "--resume", "--frames", &more, "--quiet"]);
    assert_eq!(place.report("cut/none")["frames"].as_u64(), Some(frames + 2));
}

mod slow {
    use super::*;

    #[test]
    fn all_limiters_run_whatever_comes_of_each() {
        let place = Place::new();
        let options = ["compare", "hang", "--limiters", "all", "--out", "all", "--json", "--quiet", "--frames", "1"];
        let printed = place.muslin(&args(&options, &["--set", "cloth.0.grid.particles=[5,5]"])).exits(0).json();
        let methods = place.muslin(&["methods", "--json"]).json();
        let listed: Vec<_> =
            methods["limiters"].as_array().unwrap().iter().map(|limiter| limiter["name"].clone()).collect();
        let compared: Vec<_> = printed["methods"].as_array().unwrap().iter().map(|row| row["method"].clone()).collect();
        let once: Vec<_> =
            compared.iter().filter(|name| !name.as_str().unwrap().ends_with("-printed")).cloned().collect();
        assert_eq!(once, listed);
        assert_eq!(compared.len() - once.len(), 5, "both readings of five documents: {compared:?}");
        assert_eq!(printed["completed"], true);
        for method in compared.iter().filter_map(Value::as_str) {
            assert!(place.path("all").join(method).join("report.html").is_file(), "{method}");
        }
        let page = fs::read_to_string(place.path("all/compare.html")).unwrap();
        // A reason may name what is not finite; no figure is.
        let drawn = page
            .lines()
            .filter(|line| ["<polyline", "<line", "<circle", "<tr", "<span"].iter().any(|tag| line.starts_with(tag)));
        for line in drawn {
            assert!(!line.contains("NaN") && !line.contains("inf"), "{line}");
        }
    }
}
