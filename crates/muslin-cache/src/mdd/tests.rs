use std::path::Path;

use glam::DVec3;

use super::{Mdd, MddWriter};
use crate::{CacheError, CacheProblem};

/// Two points whose coordinates f32 does not hold exactly, different in every frame.
fn points(frame: u64) -> [DVec3; 2] {
    [DVec3::new(0.1 * frame as f64, 0.7, -1.3), DVec3::new(1e300, -0.0, 0.3)]
}

fn path() -> &'static Path {
    Path::new("sheet.mdd")
}

fn written(frames: u64) -> Vec<u8> {
    let times: Vec<f64> = (0..frames).map(|frame| frame as f64 / 30.0).collect();
    let mut writer = MddWriter::new(Vec::new(), path(), times.into_iter(), 2).unwrap();
    (0..frames).for_each(|frame| writer.write_frame(&points(frame)).unwrap());
    writer.finish().unwrap()
}

fn problem(error: CacheError) -> CacheProblem {
    match error {
        CacheError::Wrong { problem, .. } => problem,
        other @ CacheError::Io { .. } => panic!("another error: {other}"),
    }
}

#[test]
fn frames_and_times_come_back_as_f32_holds_them() {
    let read = Mdd::from_bytes(&written(4), path()).unwrap();
    let single = |number: f64| f64::from((number as f32).clamp(f32::MIN, f32::MAX));
    let wanted = |frame| points(frame).map(|point| DVec3::from(point.to_array().map(single))).to_vec();
    assert_eq!(read.frames, (0..4).map(wanted).collect::<Vec<_>>());
    assert_eq!(read.times, [0.0, 1.0 / 30.0, 2.0 / 30.0, 3.0 / 30.0].map(single));
    assert!((read.interval().unwrap() - 1.0 / 30.0).abs() < 1e-8, "{:?}", read.interval());
}

#[test]
fn the_bytes_are_those_other_programs_read() {
    let mut writer = MddWriter::new(Vec::new(), path(), [0.0, 0.5].into_iter(), 1).unwrap();
    writer.write_frame(&[DVec3::new(1.0, 2.0, 3.0)]).unwrap();
    writer.write_frame(&[DVec3::new(4.0, 5.0, 6.0)]).unwrap();
    let mut wanted = vec![0, 0, 0, 2, 0, 0, 0, 1];
    wanted.extend([0.0_f32, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0].into_iter().flat_map(f32::to_be_bytes));
    assert_eq!(writer.finish().unwrap(), wanted);
}

#[test]
fn a_cache_that_is_cut_off_or_too_long_is_refused() {
    let bytes = written(3);
    let longer = [&bytes[..], &[0; 4]].concat();
    for spoiled in [&bytes[..bytes.len() - 1], &bytes[..6], &longer] {
        let error = Mdd::from_bytes(spoiled, path()).unwrap_err();
        assert!(error.to_string().contains("sheet.mdd"), "{error}");
        assert_eq!(problem(error), CacheProblem::NotMdd { length: spoiled.len() as u64 });
    }
}

#[test]
fn a_writer_takes_exactly_the_frames_it_was_started_for() {
    let mut writer = MddWriter::new(Vec::new(), path(), [0.0, 1.0].into_iter(), 2).unwrap();
    writer.write_frame(&points(0)).unwrap();
    let other_mesh = writer.write_frame(&points(0)[..1]).unwrap_err();
    assert_eq!(problem(other_mesh), CacheProblem::Points { found: 2, wanted: 1 });
    writer.write_frame(&points(1)).unwrap();
    let too_many = writer.write_frame(&points(2)).unwrap_err();
    assert_eq!(problem(too_many), CacheProblem::NoFrame { frame: 2, count: 2 });
    let missing = MddWriter::new(Vec::new(), path(), [0.0].into_iter(), 2).unwrap().finish().unwrap_err();
    assert_eq!(problem(missing), CacheProblem::CutOff { found: 0, wanted: 1 });
}
