//! `muslin check`: what a run would do and cost, without one.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::time::{Duration, Instant};

use common::{Place, SMALL};

#[test]
fn a_sound_scene_is_described_with_its_cost_and_nothing_is_written() {
    let place = Place::new();
    let done = place.muslin(&["check", "hang", "--set", SMALL[1]]).exits(0);
    for said in ["hang: sound", "121 vertices", "220 structural edges", "90 frames", "cost      about", "MB of caches"]
    {
        assert!(done.stdout.contains(said), "`{said}` is missing: {done:?}");
    }
    assert!(place.list(".").is_empty() && done.stderr.is_empty(), "{done:?}");
}

#[test]
fn programs_get_the_same_in_numbers() {
    let data = Place::new().muslin(&["check", "hang", "--json", "--set", SMALL[1]]).exits(0).json();
    assert_eq!((&data["sound"], &data["frames"], &data["pinned_particles"]), (&true.into(), &90.into(), &2.into()));
    assert_eq!((&data["cloths"][0]["vertices"], &data["cloths"][0]["structural_edges"]), (&121.into(), &220.into()));
    // Three coordinates of four bytes for each vertex of frames 0 to 90.
    assert_eq!(data["cost"]["disk_bytes"], 3 * 4 * 121 * 91);
    assert!(data["cost"]["wall_s"].as_f64().unwrap() > 0.0);
}

#[test]
fn the_trial_is_no_longer_than_the_run() {
    let set = ["--set", SMALL[1], "--set", "time.duration=0.1", "--set", "time.step=\"frame/2\""];
    let data = Place::new().muslin(&[&["check", "hang", "--json"][..], &set].concat()).exits(0).json();
    assert_eq!((&data["steps"], &data["cost"]["measured_steps"]), (&6.into(), &6.into()));
}

#[test]
fn a_step_that_would_take_for_ever_is_cut_short_and_its_cost_is_said_all_the_same() {
    let start = Instant::now();
    let set = ["cloth.0.grid.particles=[101,101]", "limiter.stretch=1e-6", "time.step=\"frame/1\""];
    let command = [&["check", "bench-hang", "--json"][..], &set.map(|set| ["--set", set]).concat()].concat();
    let data = Place::new().muslin(&command).exits(0).json();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let cost = &data["cost"];
    assert_eq!((&cost["measured_steps"], &cost["wall_s_is_at_least"]), (&0.into(), &false.into()), "{cost}");
    // 90 frames of a step each, none of which ends within a second.
    assert!(cost["wall_s"].as_f64().unwrap() > 90.0 && cost["substeps_per_step"].as_f64().unwrap() > 1000.0, "{cost}");
}

#[test]
fn the_cost_of_tiny_cloth_is_reckoned_in_seconds() {
    let tiny = "cloth.0.grid={size=[0.001,0.001],particles=[41,41],diagonals=\"both\"}";
    let start = std::time::Instant::now();
    let done = Place::new().muslin(&["check", "hang", "--set", tiny]).exits(0);
    // Two seconds of stepping at most, and what starting a process takes on a busy machine.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    for said in ["cost      ", "on this machine"] {
        assert!(done.stdout.contains(said), "`{said}` is missing: {done:?}");
    }
}

#[test]
fn a_scene_that_blows_up_in_its_first_steps_is_reported() {
    let set = ["integrator.method=explicit-euler", "time.step=\"frame/4\"", "limiter.method=none", SMALL[1]];
    let command: Vec<&str> =
        ["check", "hang"].into_iter().chain(set.into_iter().flat_map(|set| ["--set", set])).collect();
    let done = Place::new().muslin(&command).exits(1);
    assert!(done.stdout.contains("its first steps FAIL") && done.stdout.contains("trouble   "), "{done:?}");
}

#[test]
fn programs_get_what_is_wrong_as_well() {
    let done = Place::new().muslin(&["check", "hang", "--json", "--set", "limiter.stretch=-1"]).exits(2);
    let data = done.json();
    assert_eq!((&data["sound"], &data["problems"][0]["key"]), (&false.into(), &"limiter.stretch".into()));
    assert!(done.stderr.starts_with("error: `limiter.stretch` must be at least 0"), "{done:?}");
}

#[test]
fn colliders_are_listed_with_what_they_are() {
    let place = Place::new();
    let walker = place.muslin(&["check", "walker"]).exits(0);
    let line =
        "collider  `figure`: deforming mesh, 1976 triangles, watertight, 73 shapes from 1.00 s to 3.40 s, moving";
    assert!(walker.stdout.contains(line), "{walker:?}");
    assert!(walker.stdout.contains("start     clear of all solids"), "{walker:?}");
    let table = place.muslin(&["check", "drape-table", "--json"]).exits(0).json();
    let kinds: Vec<&str> = table["colliders"].as_array().unwrap().iter().filter_map(|c| c["kind"].as_str()).collect();
    assert_eq!(kinds, ["cylinder", "plane"]);
    assert_eq!((&table["colliders"][0]["moving"], &table["start"]["too_near"]), (&false.into(), &0.into()));
    // Level and 2 cm above the table, by subtraction of numbers of that size.
    assert!((table["start"]["min_gap_m"].as_f64().unwrap() - 0.02).abs() < 1e-15, "{}", table["start"]);
}

#[test]
fn cloth_that_starts_inside_a_solid_is_named_with_its_place_and_the_remedy() {
    let place = Place::new();
    let sunk = ["--set", "cloth.0.transform.translate=[-0.5, 0.299, -0.5]", "--set", "cloth.0.grid.particles=[11, 11]"];
    let index = ["--set", "probe.0.index=60", "--set", "probe.2.index=5"];
    let done = place.muslin(&[&["check", "bb08-sphere"][..], &sunk, &index].concat());
    let said = &done.stdout;
    assert!(
        said.contains("1 vertex starts inside a solid, or nearer than the thickness: vertex 60 of `sheet`"),
        "{said}"
    );
    assert!(said.contains("0.00100 m inside `sphere` at (0, 0.299, 0)") && said.contains("will be moved"), "{said}");
    let off = ["--set", "contact.repair=false"];
    let done = place.muslin(&[&["check", "bb08-sphere"][..], &sunk, &index, &off].concat());
    assert!(done.stdout.contains("it is not moved out, because `contact.repair` is false"), "{}", done.stdout);
}
