//! What `report.json` says can be recomputed from `NAME.obj` and `NAME.pc2`.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::collections::BTreeSet;
use std::fs;

use common::{Place, SMALL, args};
use muslin::DVec3;
use muslin_record::Pc2;
use serde_json::Value;

/// A mesh as other programs see it: vertices, and the edges of its faces and lines.
struct Obj {
    vertices: Vec<DVec3>,
    edges: BTreeSet<[usize; 2]>,
}

impl Obj {
    fn read(text: &str) -> Self {
        let mut obj = Self { vertices: Vec::new(), edges: BTreeSet::new() };
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let kind = words.next().unwrap_or_default();
            let words: Vec<&str> = words.collect();
            let corner = |word: &&str| word.split('/').next().unwrap().parse::<usize>().unwrap() - 1;
            match kind {
                "v" => {
                    obj.vertices.push(DVec3::from_slice(&words.iter().map(|w| w.parse().unwrap()).collect::<Vec<_>>()));
                }
                "f" | "l" => {
                    let corners: Vec<usize> = words.iter().map(corner).collect();
                    let closing = (kind == "f").then(|| [corners[corners.len() - 1], corners[0]]);
                    obj.edges
                        .extend(corners.array_windows().copied().chain(closing).map(|[a, b]| [a.min(b), a.max(b)]));
                }
                _ => {}
            }
        }
        obj
    }

    /// Strains of all edges in a pose.
    fn strains<'a>(&'a self, pose: &'a [DVec3]) -> impl Iterator<Item = f64> + 'a {
        let length = |points: &[DVec3], [a, b]: [usize; 2]| points[a].distance(points[b]);
        self.edges.iter().map(move |&edge| length(pose, edge) / length(&self.vertices, edge) - 1.0)
    }

    /// What the rounding of coordinates to f32 may change of a strain: positions of size L move by at most 2⁻²⁴ L on
    /// each axis, so both ends of an edge of length l by 2 √3 2⁻²⁴ L together, which is that over l of strain.
    fn rounding(&self, frames: &[Vec<DVec3>]) -> f64 {
        let size = frames.iter().flatten().map(|p| p.abs().max_element()).fold(0.0, f64::max);
        let shortest =
            self.edges.iter().map(|&[a, b]| self.vertices[a].distance(self.vertices[b])).fold(f64::MAX, f64::min);
        2.0 * 3_f64.sqrt() * 2_f64.powi(-24) * size / shortest
    }
}

/// Runs a scene and compares the strain of its report with its caches.
fn certificate_holds(place: &Place, run: &[&str]) -> Value {
    let done = place.muslin(&args(run, &["--out", "run", "--quiet"]));
    assert!(matches!(done.code, Some(0 | 1)), "{done:?}");
    let report = place.report("run");
    let strain = &report["strain"];
    let cloth =
        report["files"].as_array().unwrap().iter().filter_map(Value::as_str).find_map(|f| f.strip_suffix(".pc2"));
    let cloth = cloth.unwrap();
    let obj = Obj::read(&fs::read_to_string(place.path(&format!("run/{cloth}.obj"))).unwrap());
    let frames = Pc2::read(&place.path(&format!("run/{cloth}.pc2"))).unwrap();
    assert_eq!(frames.len() as u64, report["frames"].as_u64().unwrap() + 1);
    assert_eq!(report["size"]["edges"], obj.edges.len(), "structural edges");

    let worst: Vec<f64> = frames.iter().map(|pose| obj.strains(pose).fold(f64::MIN, f64::max)).collect();
    let tolerance = obj.rounding(&frames);
    let reported = strain["worst"].as_f64().unwrap();
    let recomputed = worst.iter().copied().fold(f64::MIN, f64::max);
    assert!(
        (reported - recomputed).abs() <= tolerance,
        "{reported} reported, {recomputed} in the caches, ± {tolerance}"
    );
    assert!(reported > 1e-4, "nothing stretches, so nothing is tested: {reported}");
    let in_worst_frame = worst[strain["worst_frame"].as_u64().unwrap() as usize];
    assert!((in_worst_frame - reported).abs() <= tolerance, "{in_worst_frame} in the frame named, not {reported}");
    table_agrees(place, &worst, tolerance);
    assert_eq!(strain["kept"], within(strain, "worst_step"), "{strain}");
    let after_the_start = worst[1..].iter().copied().fold(f64::MIN, f64::max);
    assert!(strain["worst_step"].as_f64().unwrap() >= after_the_start - tolerance, "{strain}");
    report
}

/// Whether a strain of the report is within its limit, but for the slack that the report allows for rounding.
fn within(strain: &Value, which: &str) -> bool {
    let limit = strain["limit"].as_f64().unwrap();
    strain[which].as_f64().unwrap() <= limit + 1e-9 * (1.0 + limit)
}

/// `frames.csv` has a row for every frame, and its worst strain is the caches'.
fn table_agrees(place: &Place, worst: &[f64], tolerance: f64) {
    let table = fs::read_to_string(place.path("run/frames.csv")).unwrap();
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = header.iter().position(|name| *name == "strain_worst").unwrap();
    let rows: Vec<f64> = lines.map(|row| row[column].parse().unwrap()).collect();
    assert_eq!(rows.len(), worst.len());
    for (frame, (row, cache)) in rows.iter().zip(worst).enumerate() {
        // The table counts compression apart: a frame without any stretch has 0 there.
        assert!((row - cache.max(0.0)).abs() <= tolerance, "frame {frame}: {row} in the table, {cache} in the cache");
    }
}

#[test]
fn of_a_grid() {
    certificate_holds(&Place::new(), &args(&["run", "hang"], &SMALL));
}

#[test]
fn of_a_grid_that_breaks_its_promise() {
    let report = certificate_holds(
        &Place::new(),
        &args(&["run", "hang", "--set", "limiter.method=none", "--set", "limiter.stretch=1e-4"], &SMALL),
    );
    assert_eq!(report["strain"]["kept"], false);
}

/// Runs a scene of one cloth for half a second.
fn certificate_of(cloth: &str) -> Value {
    let place = Place::new();
    place.write("scene.toml", format!("[time]\nduration = 0.5\n[limiter]\nmethod = \"provot\"\n[[cloth]]\n{cloth}\n"));
    certificate_holds(&place, &["run", "scene.toml"])
}

#[test]
fn of_a_disc_far_from_the_origin() {
    certificate_of(
        "disc = { rings = 6 }\ntransform = { translate = [0, 10, -30] }\npins = [{ nearest = [0.5, 10, -30] }]",
    );
}

#[test]
fn of_an_irregular_sheet_of_another_size() {
    certificate_of(
        "irregular = { particles = [9, 9] }\ntransform = { scale = 0.5 }\n\
         pins = [{ corner = [0, 0] }, { corner = [1, 0] }]",
    );
}

#[test]
fn of_a_block() {
    certificate_of("block = { particles = [4, 4, 4] }\npins = [{ box = { min = [-1, 0.19, -1], max = [1, 1, 1] } }]");
}

#[test]
fn of_a_chain() {
    certificate_of(
        "chain = { from = [0, 0, 0], to = [1, 0, 0], particles = 8, mass = 0.1, stiffness = 50 }\n\
         pins = [{ index = 0 }]",
    );
}

#[test]
fn of_a_chain_that_is_shorter_at_rest() {
    certificate_of(
        "chain = { from = [0, 0, 0], to = [1, 0, 0], particles = 8, mass = 0.1, stiffness = 50, rest_length = 0.8 }\n\
         pins = [{ index = 0 }]",
    );
}

#[test]
fn of_a_sheet_that_starts_stretched() {
    certificate_of("grid = { particles = [7, 7] }\nstart = { scale = [1.1, 1, 1] }\npins = [{ corner = [0, 0] }]");
}

#[test]
fn the_report_has_every_name_of_the_contract() {
    let place = Place::new();
    let report =
        place.muslin(&args(&["run", "hang", "--json"], &["--set", SMALL[1], "--frames", "20"])).exits(0).json();
    for name in [
        "muslin scene completed frames steps simulated_s wall_s cpu_s process_wall_s process_cpu_s threads limiter \
         strain contact motion stages state_hash",
        "strain.limit strain.worst strain.worst_step strain.worst_frame strain.worst_edge strain.p99 strain.kept",
        "strain.compressed_worst contact.thickness contact.min_gap contact.intersections contact.kept",
        "contact.cloth_gap contact.intersections_cloth contact.divided",
        "contact.truncated_steps motion.fall_s motion.rebound motion.kinetic_j motion.potential_j",
        "motion.linear_momentum motion.angular_momentum limiter.method limiter.stretch",
    ]
    .iter()
    .flat_map(|line| line.split(' '))
    {
        assert!(report.pointer(&format!("/{}", name.replace('.', "/"))).is_some(), "`{name}` is missing");
    }
    assert!(report["wall_s"].as_f64().unwrap() > 0.0 && report["cpu_s"].as_f64().unwrap() > 0.0);
    // Scene, measures and files take time besides the steps; stages are parts of the steps, on the same clock.
    let seconds = |key: &str| report[key].as_f64().unwrap();
    assert!(seconds("process_wall_s") > seconds("wall_s"), "{} s", seconds("process_wall_s"));
    assert!(seconds("process_cpu_s") > seconds("cpu_s"), "{} s", seconds("process_cpu_s"));
    let stages: f64 = report["stages"].as_object().unwrap().values().filter_map(Value::as_f64).sum();
    assert!(stages > 0.5 * seconds("wall_s") && stages <= seconds("wall_s"), "{stages} s in stages");
    // In free fall 0.25 m take √(2 · 0.25 / 9.81) = 0.226 s; a sheet pinned at one side falls more slowly.
    let fall = report["motion"]["fall_s"].as_f64().unwrap();
    assert!((0.226..0.5).contains(&fall), "{fall}");
    assert_eq!(report["state_hash"].as_str().unwrap().len(), 16);
}
