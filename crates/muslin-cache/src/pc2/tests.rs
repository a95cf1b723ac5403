use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use glam::DVec3;
use tempfile::{TempDir, tempdir};

use super::{Pc2, Pc2Writer};
use crate::{CacheError, CacheProblem};

/// Three points whose coordinates f32 holds exactly, different in every frame.
fn points(frame: u64) -> Vec<DVec3> {
    (0..3).map(|i| DVec3::new(f64::from(i), 0.5 * frame as f64, -0.25)).collect()
}

fn problem(error: CacheError) -> CacheProblem {
    match error {
        CacheError::Wrong { problem, .. } => problem,
        other @ CacheError::Io { .. } => panic!("another error: {other}"),
    }
}

/// A cache of so many frames, in a folder that is deleted with the first of the two.
fn cache(frames: u64) -> (TempDir, PathBuf) {
    let dir = tempdir().unwrap();
    let path = dir.path().join("sheet.pc2");
    let mut writer = Pc2Writer::create(&path, 3).unwrap();
    (0..frames).for_each(|frame| writer.write_frame(&points(frame)).unwrap());
    (dir, path)
}

#[test]
fn frames_come_back_as_they_were_written() {
    let (_dir, path) = cache(4);
    assert_eq!(Pc2::read(&path).unwrap(), (0..4).map(points).collect::<Vec<_>>());
    let mut reader = Pc2::open(&path).unwrap();
    assert_eq!(reader.frame(2).unwrap(), points(2));
    assert_eq!(problem(reader.frame(4).unwrap_err()), CacheProblem::NoFrame { frame: 4, count: 4 });
}

#[test]
fn the_header_is_the_one_other_programs_read() {
    let (_dir, path) = cache(1);
    let bytes = fs::read(&path).unwrap();
    let mut wanted = b"POINTCACHE2\0".to_vec();
    wanted.extend([1, 0, 0, 0, 3, 0, 0, 0]);
    wanted.extend([0, 0, 0, 0]);
    wanted.extend(1.0_f32.to_le_bytes());
    wanted.extend([1, 0, 0, 0]);
    assert_eq!(bytes[..32], wanted);
    assert_eq!(bytes.len(), 32 + 36);
}

#[test]
fn a_kill_in_the_middle_of_a_frame_leaves_all_whole_frames_readable_and_continuable() {
    let (_dir, path) = cache(2);
    // What a kill leaves: half of frame 2, and a count that does not know of it.
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend([7; 17]);
    fs::write(&path, &bytes).unwrap();
    assert_eq!(Pc2::read(&path).unwrap().len(), 2);

    let mut writer = Pc2Writer::open_at(&path, 3, 2).unwrap();
    writer.write_frame(&points(2)).unwrap();
    assert_eq!(Pc2::read(&path).unwrap(), (0..3).map(points).collect::<Vec<_>>());
}

#[test]
fn going_on_from_an_earlier_frame_drops_the_later_ones() {
    let (_dir, path) = cache(5);
    let writer = Pc2Writer::open_at(&path, 3, 2).unwrap();
    assert_eq!(writer.frames(), 2);
    assert_eq!(Pc2::read(&path).unwrap().len(), 2);
    assert_eq!(fs::metadata(&path).unwrap().len(), 32 + 2 * 36);
}

#[test]
fn a_cache_that_lost_frames_is_refused_by_name() {
    let (_dir, path) = cache(2);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let error = Pc2::read(&path).unwrap_err();
    assert!(error.to_string().contains("sheet.pc2"), "{error}");
    assert_eq!(problem(error), CacheProblem::CutOff { found: 1, wanted: 2 });
}

#[test]
fn of_a_cache_that_is_cut_off_whole_frames_can_still_be_read() {
    let (_dir, path) = cache(2);
    let bytes = fs::read(&path).unwrap();
    let mut cache = Pc2::from_source(Cursor::new(&bytes[..bytes.len() - 1]), &path).unwrap();
    assert_eq!(cache.read_all().unwrap(), [points(0)]);
    assert_eq!(problem(cache.frame(1).unwrap_err()), CacheProblem::NoFrame { frame: 1, count: 1 });
    assert_eq!(problem(cache.exact().unwrap_err()), CacheProblem::Length { frames: 1 });
}

#[test]
fn a_few_frames_cut_out_are_a_cache_of_their_own() {
    let path = Path::new("sheet.pc2");
    let mut writer = Pc2Writer::new(Cursor::new(Vec::new()), path, 3).unwrap();
    (0..5).for_each(|frame| writer.write_frame(&points(frame)).unwrap());
    let bytes = Pc2::from_source(writer.into_inner(), path).unwrap().cut(1..4).unwrap();
    let mut cut = Pc2::from_source(Cursor::new(bytes), path).unwrap().exact().unwrap();
    assert_eq!(cut.read_all().unwrap(), (1..4).map(points).collect::<Vec<_>>());
}

#[test]
fn going_on_needs_the_frames_and_the_mesh_to_be_the_same() {
    let (_dir, path) = cache(1);
    let missing = Pc2Writer::open_at(&path, 3, 2).unwrap_err();
    assert_eq!(problem(missing), CacheProblem::CutOff { found: 1, wanted: 2 });
    let other = Pc2Writer::open_at(&path, 4, 1).unwrap_err();
    assert_eq!(problem(other), CacheProblem::Points { found: 3, wanted: 4 });
}

#[test]
fn foreign_files_and_later_versions_are_distinguished() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("notes.pc2");
    fs::write(&path, "not a cache").unwrap();
    assert_eq!(problem(Pc2::open(&path).unwrap_err()), CacheProblem::NotPc2);
    let mut bytes = b"POINTCACHE2\0".to_vec();
    bytes.extend([2, 0, 0, 0]);
    bytes.extend([0; 16]);
    fs::write(&path, bytes).unwrap();
    assert_eq!(problem(Pc2::open(&path).unwrap_err()), CacheProblem::Version(2));
}
