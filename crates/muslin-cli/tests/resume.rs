//! Interrupted and killed runs: nothing is lost but the frame under way, and the rest comes to the same bits.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{Place, SMALL, args, assert_same_run, send};
use muslin_record::{Mdd, Pc2};

/// A run of about half a second: long enough to be struck in the middle. With caches of both formats.
const LONGER: [&str; 6] =
    ["--set", "cloth.0.grid.particles=[15,15]", "--frames", "60", "--set", "output.caches=[\"pc2\", \"mdd\"]"];

const LAST_FRAME: u64 = 60;

/// The last frame that the certificate of a run speaks of; none while there is no run.
fn frames_reported(place: &Place, run: &str) -> Option<u64> {
    let text = fs::read(place.path(run).join("report.json")).ok()?;
    serde_json::from_slice::<serde_json::Value>(&text).unwrap()["frames"].as_u64()
}

/// Waits until a run has reported a frame, and gives back the last one seen.
fn wait_for_frame(place: &Place, run: &str, frame: u64) -> u64 {
    let start = Instant::now();
    loop {
        if let Some(seen) = frames_reported(place, run).filter(|seen| *seen >= frame) {
            return seen;
        }
        assert!(start.elapsed() < Duration::from_mins(1), "no frame {frame} after a minute");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// An uninterrupted run, as `whole`.
fn undisturbed(place: &Place) {
    place.muslin(&args(&["run", "hang", "--out", "whole", "--quiet"], &LONGER)).exits(0);
}

/// Fails unless the MDD cache of a run holds the frames of its PC2 cache.
#[track_caller]
fn assert_same_in_both_formats(run: &Path) {
    let (mdd, pc2) = (Mdd::read(&run.join("sheet.mdd")).unwrap(), Pc2::read(&run.join("sheet.pc2")).unwrap());
    assert!(mdd.frames == pc2, "{} frames of MDD, {} of PC2, or others", mdd.frames.len(), pc2.len());
    let interval = mdd.interval().unwrap();
    assert!((interval - 1.0 / 30.0).abs() < 1e-6, "{interval} s from frame to frame");
}

/// Fails unless two runs left the same MDD caches, and these what the PC2 caches hold.
#[track_caller]
fn assert_same_mdd(a: &Path, b: &Path) {
    let bytes = |run: &Path| fs::read(run.join("sheet.mdd")).unwrap();
    assert!(bytes(a) == bytes(b), "`sheet.mdd` differs");
    assert_same_in_both_formats(b);
}

#[test]
fn ctrl_c_ends_with_3_and_resume_comes_to_the_same_bits() {
    let place = Place::new();
    undisturbed(&place);
    for signal in ["-INT", "-TERM"] {
        let mut child = place.start(&args(&["run", "hang", "--out", "cut", "--force"], &LONGER));
        wait_for_frame(&place, "cut", 5);
        send(signal, &child);
        assert_eq!(child.wait().unwrap().code(), Some(3));

        let report = place.report("cut");
        let frames = report["frames"].as_u64().unwrap();
        assert!((5..LAST_FRAME).contains(&frames), "stopped at frame {frames}, not in the middle");
        assert_eq!((&report["completed"], &report["frames_planned"]), (&false.into(), &LAST_FRAME.into()));
        assert!(report["stopped"].as_str().unwrap().contains("--resume"), "{}", report["stopped"]);
        assert_eq!(Pc2::open(&place.path("cut/sheet.pc2")).unwrap().frames(), frames + 1);
        assert!(place.path("cut/checkpoint.bin").is_file());
        assert_same_in_both_formats(&place.path("cut"));

        place.muslin(&["run", "hang", "--out", "cut", "--resume"]).exits(0);
        assert_same_run(&place.path("whole"), &place.path("cut"), "sheet");
        assert_same_mdd(&place.path("whole"), &place.path("cut"));
        fs::remove_dir_all(place.path("cut")).unwrap();
    }
}

#[test]
fn a_finished_run_that_is_resumed_stays_as_it_is() {
    let place = Place::new();
    place.muslin(&args(&["run", "hang"], &SMALL)).exits(0);
    let before = place.report("runs/hang");
    place.muslin(&["run", "hang", "--resume"]).exits(0);
    assert_eq!(before, place.report("runs/hang"));
}

#[test]
fn more_frames_can_be_added_and_fewer_are_refused() {
    let place = Place::new();
    let grid = ["--set", "cloth.0.grid.particles=[11,11]"];
    place.muslin(&args(&["run", "hang", "--out", "whole", "--frames", "9"], &grid)).exits(0);
    place.muslin(&args(&["run", "hang", "--out", "parts", "--frames", "4"], &grid)).exits(0);
    place.muslin(&["run", "--out", "parts", "--resume", "--frames", "9"]).exits(0);
    assert_same_run(&place.path("whole"), &place.path("parts"), "sheet");
    insta::assert_snapshot!(place.muslin(&["run", "parts", "--resume", "--frames", "5"]).exits(2).stderr);
}

#[test]
fn a_run_by_bdf2_comes_to_the_same_bits_by_the_step_before_in_its_checkpoint() {
    let place = Place::new();
    let bdf2 = ["--set", "cloth.0.grid.particles=[11,11]", "--set", "limiter.method=none"];
    place.muslin(&args(&["run", "hang", "--out", "whole", "--frames", "9", "--quiet"], &bdf2));
    place.muslin(&args(&["run", "hang", "--out", "parts", "--frames", "4", "--quiet"], &bdf2));
    place.muslin(&["run", "--out", "parts", "--resume", "--frames", "9", "--quiet"]);
    assert_eq!(place.report("parts")["frames"], 9);
    assert_same_run(&place.path("whole"), &place.path("parts"), "sheet");
}

#[test]
fn options_that_would_change_a_run_are_refused() {
    let place = Place::new();
    place.muslin(&args(&["run", "hang"], &SMALL)).exits(0);
    let before = place.report("runs/hang");
    place.muslin(&args(&["run", "hang", "--resume"], &SMALL)).exits(0);
    let other_set = place.muslin(&["run", "hang", "--resume", "--set", "limiter.stretch=0.5"]).exits(2);
    insta::assert_snapshot!("resume_with_another_set", other_set.stderr);
    let other_scene = place.muslin(&["run", "bench-hang", "--resume", "--out", "runs/hang"]).exits(2);
    insta::assert_snapshot!("resume_with_another_scene", other_scene.stderr);
    assert_eq!(before, place.report("runs/hang"));
}

#[test]
fn a_damaged_checkpoint_is_named() {
    let place = Place::new();
    place.muslin(&args(&["run", "hang"], &SMALL)).exits(0);
    let mut bytes = fs::read(place.path("runs/hang/checkpoint.bin")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    place.write("runs/hang/checkpoint.bin", bytes);
    insta::assert_snapshot!(place.muslin(&["run", "hang", "--resume"]).exits(2).stderr);
}

mod slow {
    use super::*;

    #[test]
    fn a_kill_at_any_moment_loses_at_most_the_frame_under_way() {
        let place = Place::new();
        undisturbed(&place);
        // Moments spread over the run by a fixed rule: a frame to wait for, then some microseconds more.
        let mut seed = 20_240_607_u64;
        for moment in 0..6 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (frame, delay) = (1 + (seed >> 33) % 40, Duration::from_micros((seed >> 20) % 8000));
            let run = format!("killed-{moment}");
            let mut child = place.start(&args(&["run", "hang", "--out", &run], &LONGER));
            wait_for_frame(&place, &run, frame);
            std::thread::sleep(delay);
            let seen = frames_reported(&place, &run).unwrap();
            child.kill().unwrap();
            assert_eq!(child.wait().unwrap().signal(), Some(9), "the run was over before the kill");

            let cache = Pc2::read(&place.path(&run).join("sheet.pc2")).unwrap();
            assert!(cache.len() as u64 > seen, "frame {seen} was reported, {} are in the cache", cache.len());
            assert_eq!(place.report(&run)["completed"], false);
            assert!(!place.path(&run).join("sheet.mdd").exists(), "it is made at the end, as a whole");
            let done = place.muslin(&["run", &run, "--resume"]).exits(0);
            let first = done.stderr.lines().next().unwrap_or_default().to_owned();
            let resumed: u64 = first["frame ".len()..].split('/').next().unwrap().parse().unwrap();
            assert!(resumed > seen, "frame {seen} was there, and it went on with {first}");
            assert_same_run(&place.path("whole"), &place.path(&run), "sheet");
            assert_same_mdd(&place.path("whole"), &place.path(&run));
        }
    }
}
