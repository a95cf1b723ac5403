//! What is packed comes back.

mod decode;
mod solids;

use glam::{DVec2, DVec3};
use muslin::mesh::{Diagonals, GridSpec, TubeSpec};
use muslin::model::{Hold, Motion, Pin};
use muslin::{Mesh, Model};
use serde_json::json;
use tempfile::tempdir;

use super::{CameraView, Payload, encode};
use crate::folder::RunFolder;
use crate::playback::Playback;
use crate::playback::strain_code;
use crate::report::Report;
use crate::testing::{self, record};
use decode::{Decoded, decode};

const PLENTY: usize = 1_000_000;

fn grid(particles: [u32; 2]) -> Mesh {
    GridSpec { size: DVec2::new(0.7, 1.3), particles, diagonals: Diagonals::Both, triangles: false }.build().unwrap()
}

fn tube() -> Mesh {
    TubeSpec { radius: 0.1, length: 0.5, particles: [12, 5], diagonals: Diagonals::One }.build().unwrap()
}

/// A run that has been recorded; the folder goes with it, but its caches stay open.
struct Recorded {
    playback: Playback,
    report: Report,
}

impl Recorded {
    fn of(model: &Model, frames: u64) -> Self {
        let dir = tempdir().unwrap();
        record(dir.path(), model, frames);
        let folder = RunFolder::open_recorded(dir.path()).unwrap();
        let report = folder.report().unwrap();
        Self { playback: Playback::open(&folder, model, &report).unwrap(), report }
    }

    fn encode(&mut self, budget: usize) -> Option<Payload> {
        encode(&mut self.playback, &self.report, None, budget).unwrap()
    }

    /// Fails unless all stored frames come back as the caches have them.
    fn compare(&mut self, decoded: &Decoded) {
        let limit = self.playback.limit;
        for ((cloth, read), part) in
            self.playback.cloths.iter_mut().zip(&decoded.cloths).zip(decoded.header["cloths"].as_array().unwrap())
        {
            let size = DVec3::from([0, 1, 2].map(|axis| part["box"]["size"][axis].as_f64().unwrap()));
            // Half a step of the box, and the rounding of the sums.
            let allowed = size / 65535.0 / 2.0 + DVec3::splat(1e-12);
            for (index, &frame) in decoded.frames.iter().enumerate() {
                let positions = cloth.positions(frame).unwrap();
                for (stored, read) in positions.iter().zip(&read.positions[index]) {
                    assert!(
                        (*stored - *read).abs().cmple(allowed).all(),
                        "frame {frame}: {stored} came back as {read}"
                    );
                }
                let strains = cloth.vertex_strains(&positions, limit);
                let codes: Vec<u8> = strains.iter().map(|strain| strain_code(*strain, limit)).collect();
                assert_eq!(read.strains[index], codes, "frame {frame}");
            }
        }
    }
}

#[test]
fn sheets_tubes_and_chains_come_back_within_half_a_step_of_their_boxes() {
    let chain = Mesh {
        positions: (0..9).map(|i| DVec3::new(0.3 * f64::from(i), 2.0, 0.5)).collect(),
        lines: (1..9).map(|i| [i - 1, i]).collect(),
        ..Mesh::default()
    };
    let model = testing::meshes(vec![("sheet", grid([6, 8])), ("tube", tube()), ("chain", chain)]);
    let mut run = Recorded::of(&model, 12);
    let decoded = decode(&run.encode(PLENTY).unwrap());
    assert_eq!(decoded.frames, (0..=12).collect::<Vec<_>>());
    run.compare(&decoded);
    let chain = &decoded.cloths[2];
    assert_eq!((chain.triangles.len(), chain.lines.len(), &chain.lines[..4]), (0, 16, &[0, 1, 1, 2][..]));
    // The made-up motion stretches the chain far over its limit, so all ranges of codes were met.
    let codes = || chain.strains.iter().flatten();
    assert!(codes().any(|code| *code == 0) && codes().any(|code| *code > 128));
    // A chain along x that swings along y has no extent along z: all its codes there are 0.
    assert_eq!(decoded.header["cloths"][2]["box"]["size"][2], json!(0.0));
    assert!(chain.positions.iter().flatten().all(|position| position.z == 0.5));
}

#[test]
fn a_sheet_that_lies_flat_comes_back_flat() {
    let mut run = Recorded::of(&testing::meshes(vec![("sheet", grid([4, 4]))]), 0);
    let decoded = decode(&run.encode(PLENTY).unwrap());
    run.compare(&decoded);
    assert_eq!(decoded.frames, [0]);
    assert!(decoded.cloths[0].positions[0].iter().all(|position| position.y == 0.0));
}

#[test]
fn a_seam_is_split_and_keeps_the_coordinates_of_both_sides() {
    let mut run = Recorded::of(&testing::meshes(vec![("tube", tube())]), 2);
    let decoded = decode(&run.encode(PLENTY).unwrap());
    let (cloth, read) = (&run.playback.cloths[0], &decoded.cloths[0]);
    // A column of five vertices closes the tube.
    assert_eq!((cloth.rest.len(), read.origins.len()), (60, 65));
    assert!(read.origins[..60].iter().copied().eq(0..60), "vertices keep their numbers");
    let corners = cloth.triangles.as_flattened().iter().zip(cloth.coords.as_ref().unwrap().as_flattened());
    for ((vertex, coords), &display) in corners.zip(&read.triangles) {
        let display = display as usize;
        assert_eq!(read.origins[display], *vertex);
        let decoded = DVec2::new(read.coords[2 * display].into(), read.coords[2 * display + 1].into());
        // Metres in f32.
        assert!(decoded.distance(*coords) < 1e-7, "{coords} m came back as {decoded} m");
    }
}

#[test]
fn a_mesh_without_texture_has_no_coordinates_and_no_copies() {
    let mesh = Mesh { uvs: None, ..grid([3, 3]) };
    let mut run = Recorded::of(&testing::meshes(vec![("sheet", mesh)]), 1);
    let decoded = decode(&run.encode(PLENTY).unwrap());
    assert_eq!((decoded.header["cloths"][0]["coords"].as_bool(), decoded.cloths[0].coords.len()), (Some(false), 0));
    assert_eq!(decoded.cloths[0].triangles, run.playback.cloths[0].triangles.as_flattened());
}

#[test]
fn thinned_runs_keep_their_budget_and_their_first_worst_and_last_frame() {
    let mut run = Recorded::of(&testing::meshes(vec![("sheet", grid([25, 25]))]), 41);
    // A frame that no stride but 1 meets.
    let worst = 13;
    run.report.strain.worst_frame = worst;
    let length = |payload: &Payload| payload.header.len() + payload.frames.len();
    let mut counts = Vec::new();
    let mut budget = length(&run.encode(PLENTY).unwrap());
    while let Some(payload) = run.encode(budget) {
        assert!(length(&payload) <= budget, "{} bytes in a budget of {budget}", length(&payload));
        let decoded = decode(&payload);
        for frame in [0, worst, 41] {
            assert!(decoded.frames.contains(&frame), "frame {frame} is missing in {:?}", decoded.frames);
        }
        assert!(decoded.frames.is_sorted());
        assert_eq!(decoded.header["thinned"].is_null(), decoded.frames.len() == 42);
        run.compare(&decoded);
        counts.push(decoded.frames.len());
        budget = length(&payload) - 1;
    }
    // Frames at strides of 1, 2, 3, 4, 6, 8, and the worst and the last; further on the sizes are close to each other.
    assert_eq!(counts[..6], [42, 23, 16, 13, 9, 8]);
    assert_eq!(counts.last(), Some(&3));
    assert!(run.encode(0).is_none());
}

#[test]
fn the_header_says_what_the_contract_says() {
    let mut model = testing::meshes(vec![("sheet", grid([2, 3])), ("rope", grid([2, 2]))]);
    let hold = Hold::Fixed(Motion::default());
    model.pins.push(Pin { particles: vec![0, 1], hold: hold.clone(), release: None });
    model.pins.push(Pin { particles: vec![6], hold, release: Some(0.1) });
    let mut run = Recorded::of(&model, 6);
    let camera = CameraView { eye: DVec3::new(1.0, 2.0, 3.0), target: DVec3::ZERO, field_of_view_deg: 35.0 };
    let payload = encode(&mut run.playback, &run.report, Some(&camera), PLENTY).unwrap().unwrap();
    let mut header = decode(&payload).header;
    let worst = run.report.strain.worst;
    assert_eq!(header["worst"]["strain"].as_f64(), Some(worst));
    let lowest = run.playback.cloths[0].positions(6).unwrap()[0].y;
    // Six frames of 1/30 s: the swing has come to its lowest at the end, and the sheet is 1.3 m long.
    let ground = header["ground_y"].as_f64().unwrap();
    assert!(ground < lowest && ground > lowest - 0.5, "{ground}");
    for changing in ["ground_y", "worst", "frame_s", "cloths"] {
        header[changing] = match changing {
            "cloths" => json!([header["cloths"][0]["pinned"], header["cloths"][1]["pinned"]]),
            "worst" => json!([header["worst"]["cloth"], header["worst"]["vertices"]]),
            _ => json!(null),
        };
    }
    let expected = json!({
        "format": 1, "scene": "strips", "frame_s": null, "last_frame": 6, "frames": [0, 1, 2, 3, 4, 5, 6],
        "thinned": null, "strain_limit": 0.01,
        "camera": { "eye": [1.0, 2.0, 3.0], "target": [0.0, 0.0, 0.0], "field_of_view_deg": 35.0 },
        "ground_y": null,
        "cloths": [[{ "vertices": [0, 1], "until_frame": null }], [{ "vertices": [0], "until_frame": 4 }]],
        "colliders": [],
        "worst": [1, header["worst"][1]],
    });
    assert_eq!(header, expected);
}

#[test]
fn no_name_can_end_the_script_that_the_header_stands_in() {
    let mut run = Recorded::of(&testing::two_cloths(), 1);
    let evil = "</script><!-- <script>alert(1)</script>";
    run.playback.cloths[0].name = evil.to_owned();
    run.report.scene = evil.to_owned();
    let payload = run.encode(PLENTY).unwrap();
    assert!(!payload.header.contains('<') && !payload.frames.contains('<'));
    let header = decode(&payload).header;
    assert_eq!((header["scene"].as_str(), header["cloths"][0]["name"].as_str()), (Some(evil), Some(evil)));
}
