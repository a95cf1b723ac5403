//! Solids after the step: files, certificate, pictures, comparisons.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::fs;

use common::Place;
use serde_json::Value;

/// A small sheet over a floor far below and a ball that moves beside it.
const CLEAR: &str = r#"
[time]
duration = 0.1
frames_per_second = 30

[[cloth]]
name = "sheet"
grid = { size = [0.4, 0.4], particles = [5, 5] }
material = "cotton"

[[collider]]
name = "floor"
plane = {}
transform = { translate = [0.0, -2.0, 0.0] }

[[collider]]
name = "ball"
sphere = { radius = 0.1 }
transform = { translate = [0.8, 0.0, 0.2] }
motion = { keys = [{ time = 0.0 }, { time = 0.1, translate = [0.0, 0.3, 0.0] }] }
"#;

/// The same with the sheet in the middle of a block, without repair.
fn sunk() -> String {
    let block = "\n[[collider]]\nname = \"block\"\nbox = { size = [1.0, 0.2, 1.0] }\n\n[contact]\nrepair = false\n";
    format!("{CLEAR}{block}\n[limiter]\nmethod = \"none\"\n")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

#[test]
fn a_run_beside_solids_stores_them_and_certifies_the_gap() {
    let place = Place::new();
    place.write("clear.toml", CLEAR);
    let done = place.muslin(&["run", "clear.toml"]).exits(0);
    assert!(done.stdout.contains("contact   kept: least gap"), "{done:?}");
    let files = ["ball.obj", "ball.pc2", "floor.obj", "sheet.obj", "sheet.pc2"];
    let there = place.list("runs/clear");
    assert!(files.iter().all(|file| there.iter().any(|name| name == file)), "{there:?}");
    assert!(!there.iter().any(|name| name == "floor.pc2"), "{there:?}");
    let contact = &place.report("runs/clear")["contact"];
    assert_eq!(
        (&contact["kept"], &contact["intersections"], &contact["checked"]),
        (&true.into(), &0.into(), &true.into())
    );
    // The sheet ends at x = 0.4 m, the ball starts at 0.7 m; both move up or down by some centimetres.
    assert!((number(&contact["min_gap"]) - 0.3).abs() < 0.01, "{contact}");
    assert_eq!(contact["worst_pair"]["collider"], "ball");
    let table = fs::read_to_string(place.path("runs/clear/frames.csv")).unwrap();
    let columns = ",gap_min_m,crossings,contacts_mean,contacts_most,truncated_steps,cloth_gap_min_m,layer_gap_min_m,\
                   crossings_cloth";
    assert!(table.lines().next().unwrap().ends_with(columns), "{table}");
    let page = fs::read_to_string(place.path("runs/clear/report.html")).unwrap();
    assert!(page.contains("Kept: nothing passed into a solid.") && page.contains("Least gap to solids"));
}

#[test]
fn cloth_inside_a_solid_ends_with_1_and_says_which() {
    let place = Place::new();
    place.write("sunk.toml", sunk());
    let done = place.muslin(&["run", "sunk.toml", "--frames", "1"]).exits(1);
    assert!(done.stdout.contains("contact   BROKEN: least gap -100 mm") && done.stdout.contains("`block`"), "{done:?}");
    let report = place.report("runs/sunk");
    assert_eq!((&report["completed"], &report["contact"]["kept"]), (&true.into(), &false.into()));
    // In the middle of a block of 0.2 m.
    assert!((number(&report["contact"]["min_gap"]) + 0.1).abs() < 1e-9, "{}", report["contact"]);
    assert_eq!(report["contact"]["worst_pair"]["collider"], "block");
}

#[test]
fn cloth_pinned_in_a_solid_runs_and_what_is_left_out_is_said() {
    let place = Place::new();
    let rod = "pins = [{ index = [0, 1, 2, 3, 4] }]\n\n[[collider]]\nname = \"rod\"\n\
               capsule = { radius = 0.02, length = 0.6 }\n\
               transform = { rotate = { axis = [0, 0, 1], degrees = 90 }, translate = [0.2, 0, 0] }\n";
    place.write(
        "rod.toml",
        CLEAR.replace("\n[[collider]]\nname = \"floor\"", &format!("{rod}\n[[collider]]\nname = \"floor\"")),
    );
    let words = "left out near 5 pins on or inside of `rod`: 5 vertices, 13 edges, 8 triangles";
    let check = place.muslin(&["check", "rod.toml"]).exits(0);
    assert!(check.stdout.contains(&format!("start     {words}")), "{check:?}");
    assert!(check.stdout.contains("start     clear of all solids"), "{check:?}");
    let done = place.muslin(&["run", "rod.toml"]).exits(0);
    assert!(done.stdout.contains("contact   kept") && done.stdout.contains(words), "{done:?}");
    let contact = &place.report("runs/rod")["contact"];
    let pinned = &contact["pinned"];
    assert_eq!((&contact["intersections"], &contact["kept"], &pinned["pins"]), (&0.into(), &true.into(), &5.into()));
    // Four frames, with at least the 13 edges that have an end in the rod.
    assert!(pinned["crossings"].as_u64().unwrap() >= 52, "{pinned}");
    assert_eq!((number(&pinned["min_gap"]), &pinned["colliders"]), (-0.02, &serde_json::json!(["rod"])));
    let page = fs::read_to_string(place.path("runs/rod/report.html")).unwrap();
    assert!(page.contains("left out near 5 pins on or inside of <code>rod</code>"), "the page does not say so");
}

#[test]
fn contact_that_is_not_to_be_verified_is_not_judged() {
    let place = Place::new();
    place.write("sunk.toml", sunk());
    let done = place.muslin(&["run", "sunk.toml", "--frames", "1", "--set", "contact.verify=false"]).exits(0);
    assert!(done.stdout.contains("contact   not checked"), "{done:?}");
    let contact = &place.report("runs/sunk")["contact"];
    assert!(contact["kept"].is_null() && contact["min_gap"].is_null() && contact["intersections"].is_null());
}

#[test]
fn a_start_that_is_repaired_is_reported() {
    let place = Place::new();
    // The sheet lies half a millimetre over the floor, and has to keep one.
    place.write("low.toml", CLEAR.replace("[0.0, -2.0, 0.0]", "[0.0, -0.0005, 0.0]"));
    let done = place.muslin(&["run", "low.toml", "--frames", "1"]);
    assert!(done.stdout.contains("start     25 vertices moved out of solids"), "{done:?}");
    let repair = &place.report("runs/low")["contact"]["repair"];
    assert_eq!((&repair["moved"], &repair["left"]), (&25.into(), &0.into()));
    // Half a millimetre, and at most as much again for what the repair leaves between.
    assert!((0.0005..0.001).contains(&number(&repair["furthest_m"])), "{repair}");
}

#[test]
fn pictures_and_comparisons_show_solids() {
    let place = Place::new();
    place.write("clear.toml", CLEAR);
    place.muslin(&["run", "clear.toml"]).exits(0);
    let small = ["--size", "64x48"];
    for colour in ["material", "contact"] {
        place.muslin(&[&["render", "runs/clear", "--frame", "1", "--color", colour][..], &small].concat()).exits(0);
    }
    fs::remove_file(place.path("runs/clear/ball.pc2")).unwrap();
    let done = place.muslin(&["render", "runs/clear"]).exits(2);
    assert!(done.stderr.contains("ball.pc2"), "{done:?}");

    place.write("sunk.toml", sunk());
    let done = place.muslin(&["compare", "sunk.toml", "--limiters", "none", "--frames", "1"]).exits(0);
    assert!(done.stdout.contains("contact") && done.stdout.contains("least gap mm"), "{done:?}");
    assert!(done.stdout.contains("100 mm inside a solid"), "{done:?}");
    let text = fs::read(place.path("runs/sunk-compare/compare.json")).unwrap();
    let row = &serde_json::from_slice::<Value>(&text).unwrap()["methods"][0];
    assert_eq!((&row["contact_kept"], &row["verdict"]), (&false.into(), &"broken".into()));
}
