use std::fs;
use std::path::Path;

use muslin::contact::survey;
use muslin::model::Solid;
use muslin::settings::{Certified, LimitMethod, Limiter};
use muslin::{Model, Settings, State, energy};
use muslin_cache::Pc2;
use tempfile::tempdir;

use super::{Outcome, Recorder, RunInfo};
use crate::RecordError;
use crate::checkpoint::CheckpointProblem;
use crate::folder::{InputFile, RunFolder};
use crate::html::{PAGE_LIMIT, Player};
use crate::playback::Playback;
use crate::report::{Expectation, Report, Timings};
use crate::testing::{self, STEPS};

fn start(dir: &Path, info: RunInfo) -> (Model, State, Recorder) {
    start_of(testing::two_cloths(), dir, info)
}

fn start_of(model: Model, dir: &Path, info: RunInfo) -> (Model, State, Recorder) {
    let state = State::start(&model);
    let folder = RunFolder::create(dir, false).unwrap();
    let (frame, strains) = (testing::frame(&model, &state), testing::strains(&model, &state));
    let recorder = Recorder::start(folder, &model, &state, &frame, &strains, info).unwrap();
    (model, state, recorder)
}

/// Simulates frames; times are counted from `from_step`, as a process that has just resumed would.
fn frames(model: &Model, state: &mut State, recorder: &mut Recorder, count: u64, from_step: u64) {
    for _ in 0..count {
        for _ in 0..STEPS {
            let report = testing::step(model, state);
            recorder.step(model, &report, &energy::at(model, state), state);
        }
        let (frame, strains) = (testing::frame(model, state), testing::strains(model, state));
        let timings = testing::timings(state.step - from_step);
        recorder.frame(model, state, &frame, &strains, &timings).unwrap();
    }
}

fn done() -> Outcome {
    let expectation = Expectation {
        what: "probes.bob.max".to_owned(),
        held: true,
        measured: serde_json::json!(0.0),
        wanted: "at most 0".to_owned(),
    };
    Outcome { completed: true, stopped: None, expectations: vec![expectation] }
}

fn read_report(dir: &Path) -> Report {
    serde_json::from_slice(&fs::read(dir.join("report.json")).unwrap()).unwrap()
}

#[test]
fn a_small_run_reports_as_it_always_did() {
    let dir = tempdir().unwrap();
    let (model, mut state, mut recorder) = start(dir.path(), testing::info());
    frames(&model, &mut state, &mut recorder, 6, 0);
    let report = recorder.finish(&model, &done()).unwrap();
    assert_eq!(read_report(dir.path()), report);
    // The made-up motion uses sines, whose last bits differ between platforms: numbers are shown to nine digits.
    let mut json = serde_json::to_value(&report).unwrap();
    json["state_hash"] = "(depends on the last bit)".into();
    round(&mut json);
    insta::assert_json_snapshot!(json);
}

fn round(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Array(values) => values.iter_mut().for_each(round),
        serde_json::Value::Object(map) => map.values_mut().for_each(round),
        serde_json::Value::Number(number) if number.is_f64() => {
            *value = serde_json::json!((number.as_f64().unwrap_or(0.0) * 1e9).round() / 1e9);
        }
        _ => {}
    }
}

#[test]
fn a_run_folder_holds_a_cache_with_every_frame_of_every_cloth() {
    let dir = tempdir().unwrap();
    let (model, mut state, mut recorder) = start(dir.path(), testing::info());
    frames(&model, &mut state, &mut recorder, 3, 0);
    recorder.finish(&model, &done()).unwrap();
    let rod = Pc2::read(&dir.path().join("rod.pc2")).unwrap();
    assert_eq!((rod.len(), rod[0].len()), (4, 3));
    // f32 holds 24 bits.
    assert!(rod[3][2].distance(state.x[6]) < 1e-6);
    for file in read_report(dir.path()).files {
        assert!(dir.path().join(&file).is_file(), "{file} is missing");
    }
    assert_eq!(fs::read_to_string(dir.path().join("scene.toml")).unwrap(), testing::info().scene_text);
}

#[test]
fn every_frame_is_surveyed_and_the_least_gap_is_that_of_the_states() {
    let dir = tempdir().unwrap();
    let mut model = testing::with_solids(testing::two_cloths());
    // Everything swings down to -2 m: through the top of a floor at -1.9 m.
    model.colliders.truncate(1);
    if let Solid::Shape { pose, .. } = &mut model.colliders[0].solid {
        pose.position.y = -1.9;
    }
    let states = testing::record(dir.path(), &model, 12);
    let gaps: Vec<f64> = states.iter().filter_map(|state| survey(&model, &state.x, state.time).min_gap()).collect();
    let least = gaps.iter().copied().reduce(f64::min).unwrap();
    let report = read_report(dir.path());
    assert_eq!((gaps.len(), report.contact.min_gap, report.contact.checked), (13, Some(least), true));
    assert!(least < -0.09, "{least}");
    let pair = report.contact.worst_pair.unwrap();
    assert_eq!((pair.collider.as_str(), gaps[pair.frame as usize]), ("floor", least));
    let rows = crate::frames::read(&dir.path().join("frames.csv"), 13).unwrap();
    assert!(rows.iter().map(|row| row.contact.min_gap.unwrap()).eq(gaps), "the table has them all");
    assert_eq!(
        (report.contact.kept, crate::Verdict::of(&read_report(dir.path()))),
        (Some(false), crate::Verdict::Broken)
    );
}

/// A run of a free cloth that hangs in the air for a second and does not fall; stopped and resumed after each of these
/// frames.
fn stands_in_the_air(limiter: Limiter, stops: &[u64]) -> Report {
    let dir = tempdir().unwrap();
    let info = || {
        let settings = Settings { limiter, ..testing::info().settings };
        RunInfo { settings, frames_planned: 30, ..testing::info() }
    };
    let (model, mut state, mut recorder) = start(dir.path(), info());
    for frame in 1..=30 {
        for _ in 0..STEPS {
            state.step += 1;
            state.time = state.step as f64 * testing::STEP;
            let mut report = testing::step(&model, &mut state.clone());
            (report.worst_strain, report.worst_edge, report.least_strain) = (0.0, None, 0.0);
            (report.step, report.time) = (state.step, state.time);
            recorder.step(&model, &report, &energy::at(&model, &state), &state);
        }
        let (measured, strains) = (testing::frame(&model, &state), testing::strains(&model, &state));
        recorder.frame(&model, &state, &measured, &strains, &Timings::default()).unwrap();
        if stops.contains(&frame) {
            drop(recorder);
            let folder = RunFolder::open(dir.path()).unwrap();
            (recorder, state) = Recorder::resume(folder, &model, info()).unwrap();
        }
    }
    recorder.finish(&model, &Outcome { completed: true, ..Outcome::default() }).unwrap()
}

#[test]
fn cloth_that_stands_in_the_air_is_stuck_and_breaks_a_promise_of_certified() {
    let certified =
        Limiter { method: LimitMethod::Certified(Certified::default()), ..testing::info().settings.limiter };
    let report = stands_in_the_air(certified, &[]);
    let stuck = report.stuck.clone().unwrap();
    assert_eq!((stuck.cloth.as_str(), stuck.frame, stuck.since_s), ("sheet", 1, 1.0 / 30.0));
    assert!((stuck.imbalance - 1.0).abs() < 1e-9, "{stuck:?}");
    assert_eq!((report.energy.kept, crate::Verdict::of(&report)), (None, crate::Verdict::Broken));
    assert_eq!(stands_in_the_air(certified, &[3, 9]).stuck, report.stuck);
    // Others do not promise how cloth moves.
    let report = stands_in_the_air(testing::info().settings.limiter, &[]);
    assert_eq!((crate::Verdict::of(&report), report.stuck.map(|stuck| stuck.frame)), (crate::Verdict::Kept, Some(1)));
}

#[test]
fn a_resumed_run_equals_one_that_was_never_stopped() {
    let dir = tempdir().unwrap();
    let (whole, parts) = (dir.path().join("whole"), dir.path().join("parts"));
    let scene = || testing::with_solids(testing::two_cloths());
    let info = || RunInfo { mdd_frames_per_second: Some(30.0), ..testing::info() };
    let (model, mut state, mut recorder) = start_of(scene(), &whole, info());
    frames(&model, &mut state, &mut recorder, 6, 0);
    recorder.finish(&model, &done()).unwrap();

    let (model, mut state, mut recorder) = start_of(scene(), &parts, info());
    frames(&model, &mut state, &mut recorder, 3, 0);
    // Killed in the middle of frame 4: steps done, half a frame in a cache, a row cut off.
    let report = testing::step(&model, &mut state);
    recorder.step(&model, &report, &energy::at(&model, &state), &state);
    drop(recorder);
    for (name, rest) in [("sheet.pc2", &[1_u8; 13][..]), ("ball.pc2", &[2_u8; 9000][..]), ("frames.csv", b"4,0.13")] {
        let path = parts.join(name);
        let bytes = [fs::read(&path).unwrap(), rest.to_vec()].concat();
        fs::write(path, bytes).unwrap();
    }

    // Or killed while the caches of an earlier, stopped part were made: one is old, one is not whole.
    fs::write(parts.join("sheet.mdd"), b"old").unwrap();
    fs::write(parts.join(".rod.mdd.part"), [3; 5000]).unwrap();

    let (mut recorder, mut state) = Recorder::resume(RunFolder::open(&parts).unwrap(), &model, info()).unwrap();
    assert_eq!((recorder.last_frame(), state.step), (3, 3 * STEPS));
    frames(&model, &mut state, &mut recorder, 3, 3 * STEPS);
    recorder.finish(&model, &done()).unwrap();

    let shapes = ["sheet.obj", "scene.toml", "floor.obj"];
    let caches = ["sheet.pc2", "rod.pc2", "ball.pc2", "jelly.pc2", "sheet.mdd", "rod.mdd", "ball.mdd", "jelly.mdd"];
    for name in shapes.iter().chain(&caches) {
        assert!(fs::read(whole.join(name)).unwrap() == fs::read(parts.join(name)).unwrap(), "{name} differs");
    }
    assert!(!parts.join(".rod.mdd.part").exists());
    // Times of two runs never agree to the bit; here they are made up, and only their sums round differently.
    let (mut a, mut b) = (read_report(&whole), read_report(&parts));
    assert!((a.wall_s - b.wall_s).abs() < 1e-12 && (a.stages["limit"] - b.stages["limit"]).abs() < 1e-12);
    assert!((a.process_wall_s - b.process_wall_s).abs() < 1e-12 && (a.process_cpu_s - b.process_cpu_s).abs() < 1e-12);
    for report in [&mut a, &mut b] {
        (report.wall_s, report.cpu_s) = (0.0, 0.0);
        (report.process_wall_s, report.process_cpu_s) = (0.0, 0.0);
        report.stages.clear();
    }
    assert_eq!(a, b);
}

#[test]
fn the_page_plays_the_run_once_it_has_ended() {
    let dir = tempdir().unwrap();
    let (model, mut state, mut recorder) = start(dir.path(), testing::info());
    let page = || fs::read_to_string(dir.path().join("report.html")).unwrap();
    assert!(page().contains("can be played here once it has ended") && !page().contains("muslin-frames"));
    frames(&model, &mut state, &mut recorder, 3, 0);
    let stopped = Outcome { stopped: Some("interrupted".to_owned()), ..Outcome::default() };
    recorder.finish(&model, &stopped).unwrap();
    assert!(page().contains("id=\"muslin-frames\"") && page().contains("\"frames\":[0,1,2,3]"));
}

#[test]
fn a_run_is_packed_into_what_the_rest_of_the_page_leaves() {
    let dir = tempdir().unwrap();
    let (model, mut state, mut recorder) = start(dir.path(), testing::info());
    frames(&model, &mut state, &mut recorder, 40, 0);
    let report = recorder.report(&model);
    let mut playback = Playback::open(recorder.folder(), &model, &report).unwrap();
    let mut size = |limit: usize| {
        let payload = recorder.pack(&report, &mut playback, limit).unwrap()?;
        Some(recorder.page(&report, Player::Ready(&payload)).render().len())
    };
    let whole = size(PAGE_LIMIT).unwrap();
    assert_eq!(size(whole), Some(whole));
    let thinned = size(whole - 1).unwrap();
    assert!(thinned < whole, "{thinned} and {whole} bytes");
    assert_eq!(size(whole / 2), None);
}

#[test]
fn a_killed_run_leaves_a_report_that_does_not_claim_to_be_complete() {
    let dir = tempdir().unwrap();
    let (model, mut state, mut recorder) = start(dir.path(), testing::info());
    frames(&model, &mut state, &mut recorder, 2, 0);
    drop(recorder);
    let report = read_report(dir.path());
    assert_eq!((report.completed, report.frames, report.frames_planned), (false, 2, 6));
    assert_eq!(report.state_hash, format!("{:016x}", state.hash()));
}

#[test]
fn the_worst_edge_is_named_in_the_numbering_of_its_cloth() {
    let dir = tempdir().unwrap();
    let (model, mut state, mut recorder) = start(dir.path(), testing::info());
    frames(&model, &mut state, &mut recorder, 6, 0);
    let strain = recorder.report(&model).strain;
    let edge = strain.worst_edge.unwrap();
    assert_eq!((edge.cloth.as_str(), edge.edge, edge.vertices), ("rod", 1, [1, 2]));
    assert!(!strain.kept);
    assert!(strain.place.starts_with("edge 1–2 of `rod` in frame "), "{}", strain.place);
}

#[test]
fn checkpoints_that_do_not_fit_are_refused_for_the_right_reason() {
    let dir = tempdir().unwrap();
    let (model, mut state, mut recorder) = start(dir.path(), testing::info());
    frames(&model, &mut state, &mut recorder, 1, 0);
    drop(recorder);
    let path = dir.path().join("checkpoint.bin");
    let good = fs::read(&path).unwrap();
    let resume = |bytes: &[u8], info: RunInfo, model: &Model| {
        fs::write(&path, bytes).unwrap();
        match Recorder::resume(RunFolder::open(dir.path()).unwrap(), model, info) {
            Err(RecordError::Checkpoint { problem, .. }) => problem,
            Err(other) => panic!("another error: {other}"),
            Ok(_) => panic!("resumed"),
        }
    };
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    assert_eq!(resume(&flipped, testing::info(), &model), CheckpointProblem::Damaged);
    for length in [8, 11, 14, good.len() / 2, good.len() - 1] {
        assert_eq!(resume(&good[..length], testing::info(), &model), CheckpointProblem::Damaged, "{length} bytes");
    }
    assert_eq!(resume(b"something else", testing::info(), &model), CheckpointProblem::Foreign);
    let mut format = good.clone();
    format[8] = 200;
    assert!(matches!(resume(&format, testing::info(), &model), CheckpointProblem::OtherFormat { found: 200, .. }));
    let other_scene = RunInfo { scene_text: "other".to_owned(), ..testing::info() };
    assert_eq!(resume(&good, other_scene, &model), CheckpointProblem::OtherScene);
    let other_model = testing::model(&[("sheet", 4), ("rod", 4)]);
    let problem = resume(&good, testing::info(), &other_model);
    assert_eq!(problem, CheckpointProblem::OtherModel { found: 7, own: 8 });
}

#[test]
fn a_checkpoint_of_another_version_names_both() {
    let dir = tempdir().unwrap();
    drop(start(dir.path(), testing::info()));
    let path = dir.path().join("checkpoint.bin");
    let mut bytes = fs::read(&path).unwrap();
    bytes[16] = b'9';
    let body = bytes.len() - 8;
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[..body]);
    bytes[body..].copy_from_slice(&checksum.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    let model = testing::two_cloths();
    let error = Recorder::resume(RunFolder::open(dir.path()).unwrap(), &model, testing::info()).unwrap_err();
    let own = env!("CARGO_PKG_VERSION");
    let message = error.to_string();
    assert!(message.contains(&format!("muslin 9{}", &own[1..])) && message.contains(own), "{message}");
}

#[test]
fn a_folder_without_a_run_cannot_be_resumed() {
    let dir = tempdir().unwrap();
    assert!(matches!(RunFolder::open(dir.path()).unwrap_err(), RecordError::NothingToResume { .. }));
}

#[test]
fn force_replaces_a_run_and_keeps_what_the_user_put_beside_it() {
    let dir = tempdir().unwrap();
    let run = dir.path().join("run");
    let mesh = InputFile { name: "dress.obj".to_owned(), contents: b"v 0 0 0".to_vec() };
    let info = RunInfo { inputs: vec![mesh], ..testing::info() };
    drop(start(&run, info));
    fs::write(run.join("thoughts.txt"), "keep").unwrap();
    RunFolder::create(&run, true).unwrap().clear().unwrap();
    let left: Vec<_> = fs::read_dir(&run).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["thoughts.txt"]);
}

#[test]
fn a_cloth_whose_name_leads_out_of_the_folder_is_refused_before_anything_is_written() {
    let dir = tempdir().unwrap();
    for name in ["../sheet", "inputs/sheet", ".sheet"] {
        let model = testing::model(&[(name, 2)]);
        let state = State::start(&model);
        let (frame, strains) = (testing::frame(&model, &state), testing::strains(&model, &state));
        let folder = RunFolder::create(dir.path(), false).unwrap();
        let info = RunInfo { probes: Vec::new(), ..testing::info() };
        let error = Recorder::start(folder, &model, &state, &frame, &strains, info).unwrap_err();
        assert!(matches!(error, RecordError::BadName { .. }), "{name}: {error}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
