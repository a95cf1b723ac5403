//! `certified` through the command: a lively sheet within its limit, and what is printed when the limit cannot be kept.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::fs;

use common::{Place, args};
use muslin_record::Pc2;
use serde_json::Value;

/// `bench-hang` of 21 × 21 particles by `certified`, with a limit.
fn bench_hang(stretch: &str) -> Value {
    let place = Place::new();
    let stretch = format!("limiter.stretch={stretch}");
    let run = ["run", "bench-hang", "--json", "--quiet", "--set", "limiter.method=certified", "--set", &stretch];
    place.muslin(&args(&run, &["--set", "cloth.0.grid.particles=[21,21]"])).exits(0).json()
}

#[test]
fn the_standard_sheet_keeps_its_limit_and_falls_and_swings_as_if_undamped() {
    for stretch in ["0.01", "0.001"] {
        let report = bench_hang(stretch);
        let limit: f64 = stretch.parse().unwrap();
        let figure = |path: &str| report.pointer(path).and_then(Value::as_f64).unwrap();
        for worst in ["/strain/worst", "/strain/worst_step"] {
            assert!(figure(worst) <= limit, "{stretch}: {worst} is {}", figure(worst));
        }
        // Without damping the centre of mass drops 0.25 m in 0.255 to 0.261 s, and most of the first fall comes back;
        // half a hundredth of a second is what finite stretch and mesh may add.
        let (fall, rebound) = (figure("/motion/fall_s"), figure("/motion/rebound"));
        assert!((0.250..=0.265).contains(&fall), "{stretch}: falls in {fall} s");
        assert!((0.80..=1.0).contains(&rebound), "{stretch}: rebounds by {rebound}");
    }
}

/// A sheet whose second corner is pulled away: 5 % beyond what its edges can reach, after 0.3 s.
const TORN: &str = r#"
[time]
duration = 1.0
frames_per_second = 30

[limiter]
method = "certified"
stretch = 0.01

[[cloth]]
name = "sheet"
grid = { size = [1.0, 1.0], particles = [9, 9] }
pins = [
  { corner = [0, 0] },
  { corner = [1, 0], motion = { keys = [{ time = 0.2 }, { time = 0.3, translate = [0.06, 0, 0] }] } },
]
"#;

#[test]
fn pins_beyond_reach_end_the_run_with_3_and_are_named() {
    let place = Place::new();
    place.write("torn.toml", TORN);
    let done = place.muslin(&["run", "torn.toml"]).exits(3);
    let report = place.report("runs/torn");
    let stopped = report["stopped"].as_str().unwrap();
    assert!(done.stderr.contains(&format!("stopped: {stopped}")), "{done:?}");
    let expected = [
        "the limit of 1 % cannot be kept at 0.2",
        " would exceed it",
        "pins hold vertices 0 and 8 of cloth `sheet`",
        "but the cloth between them reaches only 1.0100 m",
        "bring the pins closer together, or raise `limiter.stretch`",
    ];
    for part in expected {
        assert!(stopped.contains(part), "`{part}` is missing: {stopped}");
    }
}

#[test]
fn pins_beyond_reach_leave_every_good_frame_and_its_certificate() {
    let place = Place::new();
    place.write("torn.toml", TORN);
    place.muslin(&["run", "torn.toml"]).exits(3);
    let report = place.report("runs/torn");
    assert_eq!((&report["completed"], &report["strain"]["kept"]), (&false.into(), &true.into()));
    // Until 0.2 s nothing moves, at 0.3 s all is over: the last good frame is the sixth, seventh or eighth.
    let frames = report["frames"].as_u64().unwrap();
    assert!((6..9).contains(&frames), "{frames} frames");
    let cache = Pc2::read(&place.path("runs/torn/sheet.pc2")).unwrap();
    assert_eq!(cache.len() as u64, frames + 1);
    assert!(cache.iter().flatten().all(|position| position.is_finite()));
    let table = fs::read_to_string(place.path("runs/torn/frames.csv")).unwrap();
    assert_eq!(table.lines().count() as u64, frames + 2, "a header, frame 0 and {frames} frames");
    // It ends there again when resumed.
    place.muslin(&["run", "torn.toml", "--resume"]).exits(3);
    let again = place.report("runs/torn");
    for same in ["frames", "stopped", "state_hash"] {
        assert_eq!(report[same], again[same], "`{same}` differs");
    }
}

#[test]
fn a_cloth_let_go_in_mid_swing_keeps_its_limit() {
    let place = Place::new();
    let text = TORN.replace("{ corner = [1, 0], motion", "{ corner = [1, 0], release = 0.2, motion");
    assert_ne!(text, TORN);
    place.write("let-go.toml", text);
    place.muslin(&["run", "let-go.toml"]).exits(0);
    let strain = &place.report("runs/let-go")["strain"];
    assert!(strain["worst_step"].as_f64().unwrap() <= 0.01, "{strain}");
}
