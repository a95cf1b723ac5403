//! Every built-in scene, run by the command to its end and judged by what it states.

use std::path::Path;
use std::process::Command;

use muslin_scene::{Scene, builtin};
use serde_json::Value;

const MUSLIN: &str = env!("CARGO_BIN_EXE_muslin");

/// Scenes that end with exit code 1, and only because edges stretch past 1 %: methods that go round a limited number of
/// times a step do not suffice where few edges carry the whole weight.
const STRETCHED_TOO_FAR: [(&str, &str); 12] = [
    ("bb08-10", "the published iteration is cut off, and its bound does not hold for a taut row"),
    ("bb08-20", "as `bb08-10`"),
    ("bb08-30", "as `bb08-10`"),
    ("bb08-40", "as `bb08-10`"),
    ("bb08-50", "as `bb08-10`"),
    ("bb08-scrambled", "it starts as a wreck"),
    ("bb08-tolerance", "the edges beside the pins carry all the weight, and rounds are cut off"),
    ("ye08-corners", "one linear solve a step leaves the turn of edges within it"),
    ("ye08-realtime", "as ye08-corners, when the hand turns"),
    ("ye08-rugged", "that is the artefact it shows"),
    ("ye08-steps", "as ye08-corners, at three times its step"),
    ("ywg05-hang", "Newton's rounds find no impulses along the start directions where edges turn fast"),
];

/// Scenes that ask for what cannot be: they must stop with exit code 3, and say why in these words.
const MUST_STOP: [(&str, &str); 1] = [("pinch", "`lower` and `upper`")];

#[test]
fn every_built_in_scene_keeps_what_it_states() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let judged = builtin::list().iter().map(|scene| judge(scene.name, &home.path().join(scene.name)));
    let failures: Vec<String> = judged.filter_map(Result::err).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn scenes_excused_for_strain_are_built_in() {
    for (name, reason) in STRETCHED_TOO_FAR {
        assert!(builtin::find(name).is_some(), "there is no scene `{name}` to be excused because {reason}");
    }
}

/// Runs a scene; the error says what it did not keep.
fn judge(name: &str, folder: &Path) -> Result<(), String> {
    let excused = STRETCHED_TOO_FAR.iter().any(|(excused, _)| *excused == name);
    let (code, report) = run(name, folder)?;
    if let Some((_, blame)) = MUST_STOP.iter().find(|(stopping, _)| *stopping == name) {
        return judge_stopped(name, code, &report, blame);
    }
    if report["completed"] != true {
        return Err(format!("{name}: did not come to its end: {}", report["stopped"]));
    }
    let broken = broken_expectations(&report)?;
    if !broken.is_empty() {
        return Err(format!("{name}: {}", broken.join("\n    ")));
    }
    let (wanted, kept) = (i32::from(excused), !excused);
    if code != Some(wanted) || report["strain"]["kept"] != kept {
        let worst = &report["strain"]["worst_step"];
        return Err(format!("{name}: exit code {code:?}, worst strain {worst}; wanted {wanted} and kept = {kept}"));
    }
    Ok(())
}

/// A scene that had to stop. A report of what is not complete judges no expectations, so they are judged here.
fn judge_stopped(name: &str, code: Option<i32>, report: &Value, blame: &str) -> Result<(), String> {
    let stopped = report["stopped"].as_str().unwrap_or_default();
    if code != Some(3) || !stopped.contains(blame) {
        return Err(format!("{name}: exit code {code:?}, \"{stopped}\"; wanted 3, and {blame} to blame"));
    }
    let scene = Scene::load(name, &[]).map_err(|error| error.render())?;
    let judged = scene.expectations.iter().map(|expectation| expectation.judge(report));
    let broken = judged.filter(|judged| !judged.held);
    let broken: Vec<String> =
        broken.map(|judged| format!("{} is {:?}, wanted {}", judged.what, judged.measured, judged.wanted)).collect();
    if broken.is_empty() { Ok(()) } else { Err(format!("{name}: {}", broken.join("\n    "))) }
}

/// The exit code and the report.
fn run(name: &str, folder: &Path) -> Result<(Option<i32>, Value), String> {
    let output = Command::new(MUSLIN)
        .args(["run", name, "--quiet", "--out"])
        .arg(folder)
        .output()
        .map_err(|error| format!("{name}: cannot run muslin: {error}"))?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = std::fs::read_to_string(folder.join("report.json"))
        .map_err(|error| format!("{name}: no report ({error}); it told: {told}"))?;
    let report = serde_json::from_str(&text).map_err(|error| format!("{name}: a report that is no JSON: {error}"))?;
    Ok((output.status.code(), report))
}

/// The expectations that did not hold, in words.
fn broken_expectations(report: &Value) -> Result<Vec<String>, String> {
    let expectations = report["expectations"].as_array().filter(|list| !list.is_empty());
    let expectations = expectations.ok_or_else(|| format!("{}: nothing was expected of it", report["scene"]))?;
    let broken = expectations.iter().filter(|expectation| expectation["held"] != true);
    Ok(broken.map(|e| format!("{} is {}, wanted {}", e["what"], e["measured"], e["wanted"])).collect())
}
