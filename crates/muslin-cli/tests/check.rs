//! `muslin check`: what a run would do and cost, without one.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

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
    assert_eq!((&data["sound"], &data["frames"], &data["held_particles"]), (&true.into(), &90.into(), &2.into()));
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
fn a_scene_that_blows_up_in_its_first_steps_is_told_so() {
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
