use std::fs;
use std::path::Path;

use glam::DVec3;
use muslin::model::{Hold, Pin, World};
use muslin::report::{Energies, FrameReport, Momenta, Strain};
use tempfile::tempdir;

use super::{CompareFolder, CompareInfo, Comparison, RanTrial, Trial, TrialResult, Verdict, least_spin, spin};
use crate::error::RecordError;
use crate::folder::RunFolder;
use crate::frames::FrameRow;
use crate::report::{EnergyParts, Expectation};
use crate::tally::FrameContact;
use crate::testing;

fn info() -> CompareInfo {
    CompareInfo {
        scene: "strips".to_owned(),
        command: "muslin compare strips --limiters none".to_owned(),
        frames_planned: 6,
        threads: 2,
        limit: 0.01,
        least_spin: None,
    }
}

/// The made-up motion, recorded as the run of a method; its worst edge stretches 5 %.
fn ran(folder: &CompareFolder, method: &str) -> Trial {
    let dir = folder.run_dir(method);
    testing::record(&dir, &testing::two_cloths(), 6);
    let report = RunFolder::open_recorded(&dir).unwrap().report().unwrap();
    let rows = folder.rows(method, report.frames).unwrap();
    Trial { result: TrialResult::Ran(Box::new(RanTrial { report, rows })), ..Trial::new(method, Vec::new()) }
}

fn run_of(trial: &mut Trial) -> &mut RanTrial {
    match &mut trial.result {
        TrialResult::Ran(ran) => ran,
        other => panic!("not a run: {other:?}"),
    }
}

fn trial_in(dir: &Path) -> Trial {
    ran(&CompareFolder::create(dir, &["none"], false).unwrap(), "none")
}

/// A frame with nothing in it but momenta, a centre and kinetic energy.
fn row(linear: DVec3, angular: DVec3, centre: DVec3, kinetic: f64) -> FrameRow {
    let report = FrameReport {
        time: 0.0,
        steps: 0,
        strain: Strain::default(),
        energies: Energies { kinetic, ..Energies::default() },
        momenta: Momenta { linear, angular },
        centre,
    };
    FrameRow { frame: 0, report, wall_s: 0.0, cpu_s: 0.0, contact: FrameContact::default(), probes: Vec::new() }
}

#[test]
fn figures_are_those_of_the_report() {
    let dir = tempdir().unwrap();
    let trial = trial_in(dir.path());
    let comparison = Comparison::of(&info(), std::slice::from_ref(&trial));
    let (row, report) = (&comparison.methods[0], &trial.ran().unwrap().report);
    assert_eq!((row.verdict, row.strain_kept, row.frames), (Verdict::Broken, Some(false), Some(6)));
    assert_eq!((row.worst_strain_step, row.fall_s), (Some(report.strain.worst_step), report.motion.fall_s));
    assert_eq!((row.rounds_per_step, row.most_rounds), (Some(3.0), Some(3)));
    assert_eq!(row.integrator.as_deref(), Some("symplectic-euler"));
    // A millisecond a step of 1/120 s.
    assert!((row.cpu_ms_per_simulated_s.unwrap() - 120.0).abs() < 1e-9, "{:?}", row.cpu_ms_per_simulated_s);
    let why = row.why.as_ref().unwrap();
    assert!(why.contains("of `rod`") && why.contains("limit 1 %"), "{why}");
}

#[test]
fn the_verdict_names_everything_that_was_broken() {
    let dir = tempdir().unwrap();
    let mut trial = trial_in(dir.path());
    let report = &mut run_of(&mut trial).report;
    report.work.unsolved_steps = report.steps;
    let missed = |what: &str, held| Expectation {
        what: what.to_owned(),
        held,
        measured: serde_json::Value::Null,
        wanted: String::new(),
    };
    report.expectations = vec![missed("motion.fall_s", false), missed("completed", true)];
    let why = Comparison::of(&info(), &[trial]).methods[0].why.clone().unwrap();
    for part in ["stretched", "24 of 24 steps not solved", "1 expectation of the scene does not hold: `motion.fall_s`"]
    {
        assert!(why.contains(part), "`{part}` is missing: {why}");
    }
    assert!(!why.contains("completed"), "{why}");
}

#[test]
fn a_run_that_stopped_says_when_and_why_first() {
    let dir = tempdir().unwrap();
    let mut trial = trial_in(dir.path());
    let report = &mut run_of(&mut trial).report;
    (report.completed, report.stopped, report.frames) = (false, Some("not finite: …".to_owned()), 4);
    let row = &Comparison::of(&info(), &[trial]).methods[0];
    assert_eq!(row.verdict, Verdict::Stopped);
    assert!(row.why.as_ref().unwrap().starts_with("after frame 4: not finite: …; edge"), "{:?}", row.why);
}

#[test]
fn methods_without_a_run_are_rows_too() {
    let failed = Trial { result: TrialResult::Failed("no memory".to_owned()), ..Trial::new("sle", Vec::new()) };
    let comparison = Comparison::of(&info(), &[failed.clone(), Trial::new("none", vec!["a note".to_owned()])]);
    let [sle, none] = &comparison.methods[..] else { panic!("two rows: {comparison:?}") };
    assert_eq!((sle.verdict, sle.why.as_deref()), (Verdict::Stopped, Some("no memory")));
    assert_eq!((none.verdict, none.worst_strain, none.notes.len()), (Verdict::NotRun, None, 1));
    assert!(!comparison.completed && Comparison::of(&info(), &[failed]).completed);
}

#[test]
fn energy_is_a_fraction_of_the_start_only_where_the_start_has_some() {
    let dir = tempdir().unwrap();
    let mut trial = trial_in(dir.path());
    let ran = run_of(&mut trial);
    let total = |total_j: f64| EnergyParts { total_j, ..EnergyParts::from(&Energies::default()) };
    ran.rows = vec![row(DVec3::ZERO, DVec3::ZERO, DVec3::ZERO, 1.0); 2];
    (ran.report.energy.start, ran.report.energy.end) = (total(2.0), total(1.5));
    let mut wild = trial.clone();
    run_of(&mut wild).rows[1].report.energies.kinetic = 1e9;
    let fraction = |trials: &[Trial]| Comparison::of(&info(), trials).methods[0].energy_ratio;
    assert_eq!(fraction(std::slice::from_ref(&trial)), Some(0.75));
    assert_eq!(fraction(&[trial.clone(), wild]), Some(0.75), "a method that blows up is no measure");
    run_of(&mut trial).report.energy.start = total(0.01);
    assert_eq!(fraction(&[trial]), None);
}

#[test]
fn a_body_that_falls_beside_the_origin_keeps_its_spin() {
    // 2 kg at x = 3 m, spinning about z, after falling for a second: the momentum about the origin has changed.
    let (spun, centre) = (DVec3::new(0.0, 0.0, 0.5), DVec3::new(3.0, 1.0, 0.0));
    let linear = DVec3::new(0.0, -19.62, 0.0);
    let fallen = centre - DVec3::Y * 4.905;
    let rows = [row(DVec3::ZERO, spun, centre, 1.0), row(linear, spun + fallen.cross(linear), fallen, 1.0)];
    // Rounding of a momentum of 59 kg m²/s, as a fraction of 0.5.
    assert!(spin::drift(&rows, 1e-6).unwrap() < 1e-13);
    let slower = [rows[0].clone(), row(DVec3::ZERO, 0.83 * spun, centre, 1.0)];
    assert!((spin::drift(&slower, 1e-6).unwrap() - 0.17).abs() < 1e-15);
    assert_eq!(spin::drift(&rows, 1.0), None, "half a unit of spin is less than what counts");
}

#[test]
fn spin_means_something_only_where_nothing_outside_turns_the_cloth() {
    let still = testing::two_cloths();
    assert_eq!(least_spin(&still), None, "nothing moves");
    let mut free = still;
    free.start_velocity.iter_mut().enumerate().for_each(|(i, v)| v.y = i as f64);
    assert!(least_spin(&free).is_some_and(|least| least > 0.0));
    let mut braked = free.clone();
    braked.damping_rate[0] = 0.1;
    assert_eq!(least_spin(&braked), None);
    let mut pinned = free.clone();
    pinned.pins.push(Pin { particles: vec![0], hold: Hold::Line(DVec3::X), release: None });
    assert_eq!(least_spin(&pinned), None);
    // Chains feel the air by particle only.
    assert!(World::default().air.density > 0.0 && free.air_triangles.is_empty());
}

#[test]
fn a_folder_in_use_is_refused_and_force_replaces_what_is_ours_and_nothing_else() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let folder = CompareFolder::create(dir.path(), &["none", "sle"], false).unwrap();
    let mut trials = vec![ran(&folder, "none"), ran(&folder, "sle")];
    trials[0].strip = Some(b"a picture".to_vec());
    folder.write(&info(), &trials).unwrap();
    fs::write(at("notes.txt"), "mine").unwrap();
    fs::write(at("sle/notes.txt"), "mine").unwrap();
    let error = CompareFolder::create(dir.path(), &["none"], false).unwrap_err();
    assert!(matches!(error, RecordError::ComparisonInUse { .. }), "{error}");
    let hint = error.hint().unwrap();
    assert!(hint.contains("--force") && !hint.contains("--resume"), "{hint}");
    CompareFolder::create(dir.path(), &["provot"], true).unwrap();
    for gone in ["compare.json", "compare.html", "none.png", "none", "sle/report.json", "sle/rod.pc2"] {
        assert!(!at(gone).exists(), "{gone} is still there");
    }
    for kept in ["notes.txt", "sle/notes.txt"] {
        assert!(at(kept).exists(), "{kept} is gone");
    }
}

#[test]
fn force_overwrites_no_file_that_a_comparison_did_not_write() {
    for foreign in ["compare.html", "compare.json", "none.png"] {
        let dir = tempdir().unwrap();
        fs::write(dir.path().join(foreign), "mine").unwrap();
        let error = CompareFolder::create(dir.path(), &["none"], true).unwrap_err();
        assert!(matches!(error, RecordError::ForeignFile { .. }), "{error}");
        assert_eq!(fs::read_to_string(dir.path().join(foreign)).unwrap(), "mine");
    }
}

#[test]
fn a_table_that_names_other_places_removes_nothing_there() {
    let dir = tempdir().unwrap();
    let (inside, outside) = (dir.path().join("compare"), dir.path().join("keep.txt"));
    fs::create_dir(&inside).unwrap();
    fs::write(&outside, "mine").unwrap();
    let table = r#"{"muslin": "0", "files": ["../keep.txt", "compare.json"], "methods": [{"method": ".."}]}"#;
    fs::write(inside.join("compare.json"), table).unwrap();
    CompareFolder::create(&inside, &["none"], true).unwrap();
    assert!(outside.exists() && !inside.join("compare.json").exists());
}

#[test]
fn the_table_reads_back() {
    let dir = tempdir().unwrap();
    let folder = CompareFolder::create(dir.path(), &["none"], false).unwrap();
    let written = folder.write(&info(), &[ran(&folder, "none")]).unwrap();
    let text = fs::read(dir.path().join("compare.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Comparison>(&text).unwrap(), written);
}
