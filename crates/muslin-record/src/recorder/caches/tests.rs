use std::fs;

use glam::DVec3;
use muslin::State;
use muslin_cache::{Mdd, Pc2};
use tempfile::tempdir;

use crate::folder::RunFolder;
use crate::recorder::{Recorder, RunInfo};
use crate::testing;

#[test]
fn solids_have_a_shape_and_when_they_move_a_cache() {
    let dir = tempdir().unwrap();
    testing::record(dir.path(), &testing::with_solids(testing::two_cloths()), 6);
    let caches = ["floor", "ball", "jelly", "crate"].map(|name| dir.path().join(format!("{name}.pc2")));
    assert_eq!(caches.clone().map(|path| path.is_file()), [false, true, true, false]);
    let listed = RunFolder::open_recorded(dir.path()).unwrap().report().unwrap().files;
    for name in ["floor.obj", "ball.obj", "ball.pc2", "jelly.obj", "jelly.pc2", "crate.obj"] {
        assert!(listed.iter().any(|file| file == name) && dir.path().join(name).is_file(), "{name}");
    }
    let (ball, jelly) = (Pc2::read(&caches[1]).unwrap(), Pc2::read(&caches[2]).unwrap());
    assert_eq!((ball.len(), jelly.len()), (7, 7));
    for (frame, (ball, jelly)) in ball.iter().zip(&jelly).enumerate() {
        let time = frame as f64 / 30.0;
        let middle = ball.iter().sum::<DVec3>() / ball.len() as f64;
        // f32 of metres.
        assert!(middle.distance(DVec3::new(0.0, -2.0, 2.0 * time)) < 1e-6, "frame {frame}: {middle}");
        assert!((jelly[3].y - (time - 1.0)).abs() < 1e-6, "frame {frame}: {}", jelly[3]);
    }
}

#[test]
fn mdd_caches_hold_what_pc2_caches_hold_and_the_time_of_each_frame() {
    let dir = tempdir().unwrap();
    let model = testing::with_solids(testing::two_cloths());
    let info = RunInfo { probes: Vec::new(), mdd_frames_per_second: Some(30.0), ..testing::info() };
    testing::record_with(dir.path(), &model, 6, info);
    let listed = RunFolder::open_recorded(dir.path()).unwrap().report().unwrap().files;
    for name in ["sheet", "rod", "ball", "jelly"] {
        let mdd = Mdd::read(&dir.path().join(format!("{name}.mdd"))).unwrap();
        assert_eq!(mdd.frames, Pc2::read(&dir.path().join(format!("{name}.pc2"))).unwrap(), "{name}");
        let times: Vec<f64> = (0..7).map(|frame| f64::from((f64::from(frame) / 30.0) as f32)).collect();
        assert_eq!(mdd.times, times, "{name}");
        assert!(listed.contains(&format!("{name}.mdd")), "{listed:?}");
    }
    assert!(!dir.path().join("floor.mdd").exists(), "it does not move");
}

#[test]
fn a_run_that_replaces_another_removes_its_mdd_caches_and_halves_of_them() {
    let dir = tempdir().unwrap();
    let model = testing::two_cloths();
    let info = RunInfo { probes: Vec::new(), mdd_frames_per_second: Some(30.0), ..testing::info() };
    testing::record_with(dir.path(), &model, 1, info);
    fs::write(dir.path().join(".rod.mdd.part"), "half").unwrap();
    RunFolder::create(dir.path(), true).unwrap().clear().unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "something is left");
}

#[test]
fn shapes_stand_where_solids_start_and_say_whether_they_move() {
    let dir = tempdir().unwrap();
    testing::record(dir.path(), &testing::with_solids(testing::two_cloths()), 1);
    let text = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    let ball = text("ball.obj");
    let first = ball.lines().find(|line| line.starts_with("v ")).unwrap();
    assert_eq!(first, "v 0 -2.5 0", "its lower pole");
    assert!(ball.contains("ball.pc2 beside it holds the motion"));
    let corners = text("crate.obj").lines().filter(|line| line.starts_with("v ")).count();
    assert_eq!((corners, text("crate.obj").contains("does not move")), (8, true));
    assert!(text("floor.obj").ends_with("f 1 2 3\nf 1 3 4\n"), "{}", text("floor.obj"));
}

#[test]
fn a_solid_and_a_cloth_of_one_name_are_refused() {
    let dir = tempdir().unwrap();
    let mut model = testing::with_solids(testing::two_cloths());
    let state = State::start(&model);
    let (frame, strains) = (testing::frame(&model, &state), testing::strains(&model, &state));
    for (name, wanted) in [("Sheet", "both be stored as `Sheet.obj`"), ("a/b", "cannot be the name")] {
        model.colliders[0].name = name.to_owned();
        let folder = RunFolder::create(dir.path(), false).unwrap();
        let error = Recorder::start(folder, &model, &state, &frame, &strains, testing::info()).unwrap_err();
        assert!(error.to_string().contains(wanted), "{error}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "nothing is written");
    }
}
