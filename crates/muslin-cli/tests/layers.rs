//! Cloth against cloth after the step: certificate, summary, page, comparison.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::fs;

use common::Place;
use serde_json::Value;

/// Two sheets that fall side by side, so many metres apart, the second one at an angle.
fn sheets(height: f64, degrees: f64) -> String {
    let sheet = |name: &str, transform: &str| {
        format!(
            "[[cloth]]\nname = \"{name}\"\ngrid = {{ size = [0.4, 0.4], particles = [5, 5] }}\n\
             material = \"cotton\"\ntransform = {{ {transform} }}\n\n"
        )
    };
    let tilted = format!("rotate = {{ axis = [1, 0, 0], degrees = {degrees} }}, translate = [0.013, {height}, 0.017]");
    let time = "[time]\nduration = 0.1\nframes_per_second = 30\n\n[air]\ndensity = 0.0\n\n";
    format!("{time}{}{}", sheet("lower", "translate = [0, 0, 0]"), sheet("upper", &tilted))
}

#[test]
fn sheets_near_each_other_are_certified_with_their_gap() {
    let place = Place::new();
    place.write("near.toml", sheets(0.004, 0.0));
    let done = place.muslin(&["run", "near.toml"]).exits(0);
    let words = "cloth     kept: 0 crossings with cloth, least gap of layers 4.00 mm (";
    assert!(done.stdout.contains(words) && !done.stdout.contains("contact   "), "{done:?}");
    let contact = &place.report("runs/near")["contact"];
    assert!((contact["layer_gap"].as_f64().unwrap() - 0.004).abs() < 1e-9, "{contact}");
    assert_eq!(contact["layer_gap"], contact["cloth_gap"]);
    assert_eq!((&contact["kept"], &contact["cloth_promised"]), (&true.into(), &true.into()));
    let mut cloths: Vec<_> = contact["layer_pair"]["cloths"].as_array().unwrap().iter().collect();
    cloths.sort_by_key(ToString::to_string);
    assert_eq!(cloths, ["lower", "upper"]);
    let page = fs::read_to_string(place.path("runs/near/report.html")).unwrap();
    assert!(page.contains("Kept: no cloth crossed cloth. Layers came as near as 4 mm"), "the page does not say so");
}

#[test]
fn crossings_are_counted_whatever_the_limiter_and_break_what_was_promised_only() {
    let place = Place::new();
    place.write("crossed.toml", sheets(0.02, 40.0));
    let without = ["--set", "limiter.method=none", "--frames", "2"];
    let done = place.muslin(&[&["run", "crossed.toml"][..], &without].concat()).exits(0);
    assert!(done.stdout.contains("cloth     measured only, not promised: "), "{done:?}");
    assert!(done.stdout.contains("crossings with cloth, the first edge "), "{done:?}");
    let contact = &place.report("runs/crossed")["contact"];
    let number = |key: &str| contact[key].as_u64().unwrap();
    assert!(number("intersections_cloth") >= 3 * 4 && number("intersections") == number("intersections_cloth"));
    assert!(contact["kept"].is_null() && contact["cloth_gap"] == 0.0 && contact["cloth_pair"]["frame"] == 0);
    let unchecked = [&without[..], &["--set", "contact.verify=false", "--out", "unchecked"]].concat();
    let done = place.muslin(&[&["run", "crossed.toml"][..], &unchecked].concat()).exits(0);
    assert!(!done.stdout.contains("cloth     "), "{done:?}");
    assert!(place.report("unchecked")["contact"]["intersections"].is_null());
}

#[test]
fn a_comparison_has_the_crossings_of_each_method() {
    let place = Place::new();
    place.write("crossed.toml", sheets(0.02, 40.0));
    let done = place.muslin(&["compare", "crossed.toml", "--limiters", "none,bridson", "--frames", "1"]).exits(0);
    assert!(done.stdout.contains("crossings") && !done.stdout.contains("least gap mm"), "{done:?}");
    let text = fs::read(place.path("runs/crossed-compare/compare.json")).unwrap();
    for row in serde_json::from_slice::<Value>(&text).unwrap()["methods"].as_array().unwrap() {
        assert!(row["intersections_cloth"].as_u64().unwrap() > 0 && row["verdict"] == "kept", "{row}");
    }
    let page = fs::read_to_string(place.path("runs/crossed-compare/compare.html")).unwrap();
    assert!(page.contains("Of cloth with cloth") && !page.contains("<th scope=\"col\">Least gap</th>"));
}
