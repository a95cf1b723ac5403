use std::fs;
use std::path::Path;

use glam::{DVec2, DVec3};
use muslin::mesh::{BlockSpec, Diagonals, GridSpec, TubeSpec, UvMap};
use muslin::model::{Hold, Motion, Pin};
use muslin::{Mesh, Model};
use muslin_cache::CacheProblem;
use tempfile::tempdir;

use super::{Ground, PinnedVertices, Playback, PlayedEdge, strain};
use crate::RecordError;
use crate::folder::RunFolder;
use crate::testing::{self, record};

fn grid(particles: [u32; 2]) -> Mesh {
    GridSpec { size: DVec2::new(2.0, 1.0), particles, diagonals: Diagonals::Both, triangles: false }.build().unwrap()
}

fn open(dir: &Path, model: &Model) -> Result<Playback, RecordError> {
    let folder = RunFolder::open_recorded(dir)?;
    let report = folder.report()?;
    Playback::open(&folder, model, &report)
}

/// A run of a few frames, opened again.
fn recorded(model: &Model) -> Playback {
    let dir = tempdir().unwrap();
    record(dir.path(), model, 3);
    open(dir.path(), model).unwrap()
}

#[test]
fn a_run_without_checkpoint_and_page_plays_every_frame() {
    let dir = tempdir().unwrap();
    let model = testing::two_cloths();
    let states = record(dir.path(), &model, 5);
    for name in ["checkpoint.bin", "report.html", "frames.csv"] {
        fs::remove_file(dir.path().join(name)).unwrap();
    }
    let mut playback = open(dir.path(), &model).unwrap();
    assert_eq!((playback.last_frame, playback.limit), (5, 0.01));
    assert!((playback.frame_s - testing::STEPS as f64 * testing::STEP).abs() < 1e-15, "{}", playback.frame_s);
    for (frame, state) in (0..).zip(&states) {
        let rod = playback.cloths[1].positions(frame).unwrap();
        // f32 holds 24 bits.
        assert!(rod[2].distance(state.x[6]) < 1e-6, "frame {frame}: {} and {}", rod[2], state.x[6]);
    }
    assert!(playback.cloths[0].positions(6).is_err());
}

#[test]
fn a_run_that_was_stopped_plays_the_frames_its_report_speaks_of() {
    let dir = tempdir().unwrap();
    let model = testing::two_cloths();
    record(dir.path(), &model, 2);
    // Killed in the middle of a frame.
    let path = dir.path().join("sheet.pc2");
    let bytes = [fs::read(&path).unwrap(), vec![1; 13]].concat();
    fs::write(path, bytes).unwrap();
    assert_eq!(open(dir.path(), &model).unwrap().last_frame, 2);
}

#[test]
fn what_is_no_run_or_does_not_fit_is_refused_for_the_right_reason() {
    let dir = tempdir().unwrap();
    let model = testing::two_cloths();
    let error = open(dir.path(), &model).unwrap_err();
    assert!(error.to_string().contains("is not a run folder"), "{error}");
    assert!(error.hint().is_some_and(|hint| hint.contains("muslin run")));
    record(dir.path(), &model, 2);
    let error = open(dir.path(), &testing::model(&[("sheet", 5), ("rod", 3)])).unwrap_err();
    let RecordError::Cache { path, problem } = &error else { panic!("another error: {error}") };
    assert_eq!((path.file_name().unwrap().to_str(), *problem), (Some("sheet.pc2"), points(4, 5)));
    let cache = dir.path().join("rod.pc2");
    // One frame less, by header and by length: 3 particles of 3 numbers of 4 bytes.
    let mut bytes = fs::read(&cache).unwrap();
    bytes.truncate(bytes.len() - 36);
    bytes[28..32].copy_from_slice(&2_i32.to_le_bytes());
    fs::write(&cache, bytes).unwrap();
    let error = open(dir.path(), &model).unwrap_err();
    assert!(error.to_string().contains("rod.pc2` is cut off: 3 frames should be there, 2 are"), "{error}");
    fs::remove_file(cache).unwrap();
    let error = open(dir.path(), &model).unwrap_err();
    assert!(error.to_string().contains("cannot open") && error.to_string().contains("rod.pc2"), "{error}");
}

fn points(found: u64, wanted: u64) -> CacheProblem {
    CacheProblem::Points { found, wanted }
}

#[test]
fn sheets_are_drawn_as_triangles_and_chains_as_lines_and_the_inside_of_a_block_not_at_all() {
    let block = BlockSpec { size: DVec3::ONE, particles: [3, 3, 3] }.build().unwrap();
    assert!(!block.lines.is_empty());
    let model = testing::meshes(vec![("sheet", grid([4, 3])), ("block", block)]);
    let playback = recorded(&model);
    let [sheet, block] = &playback.cloths[..] else { panic!("two cloths") };
    assert_eq!((sheet.triangles.len(), sheet.lines.len(), sheet.rest.len()), (12, 0, 12));
    // Six sides of four quads; 54 edges of a 3 × 3 × 3 lattice, all limited.
    assert_eq!((block.triangles.len(), block.lines.len(), block.edges.len()), (48, 0, 54));
    let chain = &recorded(&testing::two_cloths()).cloths[1];
    assert_eq!((chain.triangles.len(), &chain.lines[..]), (0, &[[0, 1], [1, 2]][..]));
    assert!(chain.coords.is_none() && block.coords.is_none());
    // The second cloth's edges are in its own numbering.
    assert_eq!(chain.edges[1], PlayedEdge { vertices: [1, 2], rest: 1.0 });
}

#[test]
fn coordinates_in_the_cloth_are_metres_whatever_the_texture_was_scaled_by() {
    let mut mesh = grid([5, 4]);
    let map = mesh.uvs.as_mut().unwrap();
    map.coords.iter_mut().for_each(|uv| *uv = *uv * DVec2::new(7.0, 0.3) + DVec2::new(0.5, -2.0));
    let cloth = recorded(&testing::meshes(vec![("sheet", mesh)])).cloths.remove(0);
    let coords = cloth.coords.unwrap();
    for (triangle, coords) in cloth.triangles.iter().zip(&coords) {
        for (side, next) in [(0, 1), (1, 2), (2, 0)] {
            let rest = cloth.rest[triangle[side] as usize].distance(cloth.rest[triangle[next] as usize]);
            let printed = coords[side].distance(coords[next]);
            // A flat sheet is met exactly, up to the rounding of the fit.
            assert!((rest - printed).abs() < 1e-12, "{rest} m is printed as {printed} m");
        }
    }
}

#[test]
fn a_seam_keeps_both_coordinates_of_its_vertices() {
    let tube = TubeSpec { radius: 0.1, length: 0.5, particles: [24, 3], diagonals: Diagonals::Both }.build().unwrap();
    let cloth = recorded(&testing::meshes(vec![("tube", tube)])).cloths.remove(0);
    let coords = cloth.coords.unwrap();
    let at_vertex_0 = cloth.triangles.iter().zip(&coords).flat_map(|(triangle, coords)| triangle.iter().zip(coords));
    let mut across: Vec<f64> = at_vertex_0.filter(|(vertex, _)| **vertex == 0).map(|(_, coords)| coords.x).collect();
    across.sort_by(f64::total_cmp);
    across.dedup();
    // Around along 24 chords of 2 r sin(π / 24).
    let around = 24.0 * 0.2 * (std::f64::consts::PI / 24.0).sin();
    assert_eq!(across.len(), 2);
    assert!(across[0] == 0.0 && (across[1] - around).abs() < 1e-9, "{across:?}, {around} m around");
}

#[test]
fn sewn_vertices_are_drawn_as_one_and_keep_the_coordinates_of_their_pieces() {
    // Two squares, cut out side by side 0.5 apart in the texture, sewn along x = 1: vertices 4 and 7 to 1 and 2.
    let square = |x: f64| [[x, 0.0], [x + 1.0, 0.0], [x + 1.0, 1.0], [x, 1.0]];
    let corners = |x: f64| square(x).map(DVec2::from);
    let mut mesh = Mesh {
        positions: corners(0.0).iter().chain(&corners(1.0)).map(|p| DVec3::new(p.x, 0.0, p.y)).collect(),
        faces: vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]],
        welds: vec![[4, 1], [7, 2]],
        ..Mesh::default()
    };
    mesh.uvs = Some(UvMap {
        coords: corners(0.0).into_iter().chain(corners(1.5)).collect(),
        corners: vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]],
    });
    let cloth = recorded(&testing::meshes(vec![("sewn", mesh)])).cloths.remove(0);
    assert_eq!(cloth.triangles, [[0, 1, 2], [0, 2, 3], [1, 5, 6], [1, 6, 2]]);
    let coords = cloth.coords.unwrap();
    // Vertex 1 in the first triangle, and in the third.
    assert!(coords[0][1].distance(DVec2::new(1.0, 0.0)) < 1e-12, "{}", coords[0][1]);
    assert!(coords[2][0].distance(DVec2::new(1.5, 0.0)) < 1e-12, "{}", coords[2][0]);
}

#[test]
fn a_texture_that_says_nothing_of_lengths_gives_no_coordinates() {
    let mut flat = grid([3, 3]);
    flat.uvs.as_mut().unwrap().coords.iter_mut().for_each(|uv| uv.y = uv.x);
    let mut point = grid([3, 3]);
    point.uvs.as_mut().unwrap().coords.fill(DVec2::ONE);
    let playback = recorded(&testing::meshes(vec![("flat", flat), ("point", point)]));
    assert!(playback.cloths.iter().all(|cloth| cloth.coords.is_none()));
}

#[test]
fn what_is_fixed_or_on_a_rail_counts_as_pinned_and_only_for_its_own_cloth() {
    let mut model = testing::meshes(vec![("a", grid([2, 2])), ("b", grid([2, 2]))]);
    let pin = |particles: &[u32], hold| Pin { particles: particles.to_vec(), hold, release: Some(0.5) };
    model.pins.push(pin(&[1, 6], Hold::Fixed(Motion::default())));
    model.pins.push(pin(&[2], Hold::Line(DVec3::Y)));
    model.pins.push(pin(&[3], Hold::Plane(DVec3::Y)));
    let playback = recorded(&model);
    let pinned = |vertex: u32| PinnedVertices { vertices: vec![vertex], release: Some(0.5) };
    assert_eq!(
        (&playback.cloths[0].pinned[..], &playback.cloths[1].pinned[..]),
        (&[pinned(1), pinned(2)][..], &[pinned(2)][..])
    );
}

#[test]
fn a_pin_holds_through_the_frame_that_ends_at_its_release() {
    let free_from = |release| PinnedVertices { vertices: vec![0], release }.free_from_frame(0.1);
    assert_eq!(free_from(None), None);
    assert_eq!(free_from(Some(0.0)), Some(1));
    assert_eq!(free_from(Some(0.25)), Some(3));
    // 0.3 is one rounding less than three times 0.1.
    assert_eq!((free_from(Some(0.3)), free_from(Some(0.1 * 3.0))), (Some(4), Some(4)));
    assert_eq!(free_from(Some(-1.0)), Some(0));
}

#[test]
fn an_edge_at_its_limit_is_not_over_it_after_rounding_wherever_it_lies() {
    let limit = 0.001;
    let mut over = 0;
    for i in 0..2000 {
        let turn = f64::from(i);
        let rest = 0.001 + 0.01 * (0.37 * turn).sin().abs();
        let direction = DVec3::new((1.1 * turn).sin(), (0.7 * turn).cos(), (2.3 * turn).sin()).normalize();
        let place = DVec3::new(3.0 * (0.9 * turn).sin(), -40.0, 7.0 * (1.7 * turn).cos());
        let ends = [place, place + (1.0 + limit) * rest * direction];
        let stored = ends.map(|end| end.as_vec3().as_dvec3());
        over += u32::from(stored[0].distance(stored[1]) / rest - 1.0 > limit * 1.001);
        let strains = strain::of_vertices(&[PlayedEdge { vertices: [0, 1], rest }], &stored, limit);
        assert!(strains[0] <= limit && strains[1] <= limit, "edge {i}: {strains:?}");
    }
    // The test is worth something only if rounding does push edges over.
    assert!(over > 500, "{over} of 2000 were over the limit as stored");
}

#[test]
fn a_strain_over_the_limit_by_more_than_rounding_stays_what_it_is() {
    let edges = [PlayedEdge { vertices: [0, 1], rest: 0.5 }, PlayedEdge { vertices: [1, 2], rest: 1.0 }];
    // 24 bits of 1 m: half a unit is 6e-8 m, twice that over a rest length of 0.5 m is 1.2e-7.
    let x = [DVec3::ZERO, DVec3::X * 0.5 * (1.01 + 3e-7), DVec3::X * 1.4, DVec3::ZERO];
    let strains = strain::of_vertices(&edges, &x, 0.01);
    assert!((strains[0] - (0.01 + 3e-7)).abs() < 1e-12, "{strains:?}");
    assert_eq!(strains[1], strains[0]);
    // Compressed, and free of edges.
    assert!(strains[2] < -0.1 && strains[3] == 0.0, "{strains:?}");
}

#[test]
fn solids_are_where_their_formulas_and_caches_say() {
    let model = testing::with_solids(testing::two_cloths());
    let mut playback = recorded(&model);
    assert_eq!(playback.ground(), Ground::Plane { solid: 0, height: -3.0 });
    let time = 3.0 * playback.frame_s;
    let point = DVec3::new(0.0, -1.3, 2.0 * time);
    let gaps: Vec<_> =
        playback.solids.iter_mut().map(|solid| solid.measure(3, time).unwrap().gap(point, 1.0)).collect();
    // The floor is 1.7 m below; the ball has come to lie under the point.
    assert_eq!((gaps[0], gaps[2], gaps[3]), (None, None, None));
    assert!((gaps[1].unwrap() - 0.2).abs() < 1e-12, "{gaps:?}");
    let inside = DVec3::new(5.1, -1.9, 0.1);
    let jelly = playback.solids[2].measure(3, time).unwrap();
    // Nearest is the side at x = 5 m or one of the other two, all 0.1 m off; caches have f32 of metres.
    assert!((jelly.gap(inside, 0.02).unwrap() + 0.1).abs() < 1e-6, "deep inside is inside, however short the reach");
}

#[test]
fn a_solid_whose_cache_is_gone_or_foreign_is_named() {
    let dir = tempdir().unwrap();
    let model = testing::with_solids(testing::two_cloths());
    record(dir.path(), &model, 2);
    fs::copy(dir.path().join("jelly.pc2"), dir.path().join("ball.pc2")).unwrap();
    let error = open(dir.path(), &model).unwrap_err();
    assert!(error.to_string().contains("ball.pc2") && error.to_string().contains("has 4 vertices"), "{error}");
    fs::remove_file(dir.path().join("ball.pc2")).unwrap();
    let error = open(dir.path(), &model).unwrap_err();
    assert!(matches!(error, RecordError::Io { .. }) && error.to_string().contains("ball.pc2"), "{error}");
}
