//! `docs/methods/documents.md`: what the documents say of their experiments beside what was measured, from run folders.

mod experiments;

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use self::experiments::{EXPERIMENTS, TO_COME};
use crate::{Outcome, root, target};

const HEAD: &str = "\
# The documents' experiments

Written by `cargo xtask documents`, which runs every line below and reads its report. Keys in brackets are those of
[references.bib](../references.bib). *Intended* and *printed* are the two readings of a method (`limiter.reading`); its
page says what they have different. Where nothing is said, the reading is *intended*. A line is one run,
`muslin run SCENE` with what stands behind it. Strains are in per cent of the rest length, over all steps unless it says
*at rest*; times are CPU seconds on one thread of the machine that wrote this page: only their ratios mean something.
";

/// An experiment of a document.
#[derive(Debug)]
struct Experiment {
    document: &'static str,
    /// Where in the document.
    place: &'static str,
    /// What the text says.
    says: &'static str,
    trials: &'static [Trial],
    /// The verdict when all bounds of its trials hold, and when one does not.
    verdict: [&'static str; 2],
}

/// A run.
#[derive(Debug)]
struct Trial {
    scene: &'static str,
    /// What is set, as `--set` has it.
    sets: &'static [&'static str],
    figures: &'static [Figure],
}

/// A number of a report.
#[derive(Debug)]
struct Figure {
    /// What it is called in the table.
    name: &'static str,
    /// Where the report has it.
    key: &'static str,
    unit: Unit,
    bound: Bound,
}

#[derive(Debug, Clone, Copy)]
enum Unit {
    /// A fraction, shown in per cent.
    Percent,
    /// Metres, shown as they are.
    Metres,
    Millimetres,
    /// CPU seconds.
    Seconds,
    Count,
}

/// What the document's claim asks of a number.
#[derive(Debug, Clone, Copy)]
enum Bound {
    AtMost(f64),
    AtLeast(f64),
    /// A closed form, and how near to it.
    Near(f64, f64),
    /// It is only shown.
    Free,
}

/// What came of a run.
struct Measured {
    text: String,
    holds: bool,
}

/// Runs all experiments and writes the page.
pub(crate) fn write() -> Outcome {
    let mut page = HEAD.to_owned();
    for document in EXPERIMENTS.chunk_by(|one, next| one.document == next.document) {
        let _ = write!(page, "\n## {}\n\n", document[0].document);
        page += "| where | what the text says | measured | verdict |\n|---|---|---|---|\n";
        for experiment in document {
            page += &row(experiment)?;
        }
    }
    page += "\n## To come\n\nThese need garments, self-collision or free bodies:\n\n";
    for (document, what) in TO_COME {
        let _ = writeln!(page, "- {document}: {what}");
    }
    let path = root().join("docs/methods/documents.md");
    fs::write(&path, page).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn row(experiment: &Experiment) -> Result<String, String> {
    let measured = experiment.trials.iter().enumerate().map(|(number, trial)| {
        eprintln!("{} {}: {} {}", experiment.document, experiment.place, trial.scene, trial.sets.join(" "));
        let name = format!("{}-{}-{number}", experiment.document, experiment.place);
        let folder = target().join("documents").join(name.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
        trial.measure(&report_of(trial.scene, trial.sets, &folder)?)
    });
    let measured = measured.collect::<Result<Vec<_>, String>>()?;
    let [holds, fails] = experiment.verdict;
    let verdict = if measured.iter().all(|measured| measured.holds) { holds } else { fails };
    let lines: Vec<_> = measured.iter().map(|measured| measured.text.as_str()).collect();
    Ok(format!("| {} | {} | {} | {verdict} |\n", experiment.place, experiment.says, lines.join("<br>")))
}

/// Runs a scene on one thread with what is set, and reads its report: runs that stop early have one too.
pub(crate) fn report_of(scene: &str, sets: &[&str], folder: &Path) -> Result<Value, String> {
    let mut command = Command::new(target().join("release").join(format!("muslin{}", std::env::consts::EXE_SUFFIX)));
    command.args(["run", scene, "--quiet", "--force", "--threads", "1", "--out"]).arg(folder);
    for set in sets {
        command.args(["--set", set]);
    }
    let done = command.stderr(Stdio::null()).status().map_err(|error| format!("muslin does not start: {error}"))?;
    let path = folder.join("report.json");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error} ({done})", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

impl Trial {
    fn measure(&self, report: &Value) -> Result<Measured, String> {
        let completed = report["completed"] == true;
        let claims = self.figures.iter().any(|figure| !matches!(figure.bound, Bound::Free));
        let mut holds = completed || !claims;
        let mut shown = Vec::new();
        for Figure { name, key, unit, bound } in self.figures {
            let pointer = format!("/{}", key.replace('.', "/"));
            let value = report.pointer(&pointer).and_then(Value::as_f64);
            let value = value.ok_or_else(|| format!("{}: its report has no number `{key}`", self.scene))?;
            holds &= bound.admits(value);
            shown.push(format!("{name} {}", unit.show(value)));
        }
        if !completed {
            let time = report["simulated_s"].as_f64().unwrap_or_default();
            shown = vec![format!("stopped at {time:.2} s: no longer finite, or not solvable")];
        }
        let mut run = format!("`{}`", self.scene);
        for set in self.sets {
            let _ = write!(run, " `--set {set}`");
        }
        Ok(Measured { text: format!("{run}: {}", shown.join(", ")), holds })
    }
}

impl Bound {
    fn admits(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
            Self::Near(known, within) => (value - known).abs() <= within,
            Self::Free => true,
        }
    }
}

impl Unit {
    fn show(self, value: f64) -> String {
        match self {
            Self::Percent if value.abs() < 10.0 => format!("{:.2} %", 100.0 * value),
            Self::Percent => format!("{:.1e} %", 100.0 * value),
            Self::Metres => format!("{value:.3} m"),
            Self::Millimetres => format!("{:.3} mm", 1000.0 * value),
            Self::Seconds => format!("{value:.2} s"),
            Self::Count => format!("{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_claim_holds_only_where_the_run_ended_and_its_bounds_do() {
        let figures = &[Figure { name: "worst", key: "strain.worst", unit: Unit::Percent, bound: Bound::AtMost(0.01) }];
        let trial = Trial { scene: "hang", sets: &[], figures };
        for (worst, completed, expected) in [(0.01, true, true), (0.011, true, false), (0.01, false, false)] {
            let report = json!({ "completed": completed, "simulated_s": 1.0, "strain": { "worst": worst } });
            assert_eq!(trial.measure(&report).map(|measured| measured.holds), Ok(expected), "{worst} {completed}");
        }
        assert!(trial.measure(&json!({ "completed": true })).is_err());
    }

    /// Scenes and settings that the table names exist, and no experiment is without a figure.
    #[test]
    fn experiments_can_be_run() {
        for trial in EXPERIMENTS.iter().flat_map(|experiment| experiment.trials) {
            assert!(!trial.figures.is_empty(), "{}", trial.scene);
            let sets: Vec<String> = trial.sets.iter().map(ToString::to_string).collect();
            muslin_scene::Scene::load(trial.scene, &sets).unwrap_or_else(|error| panic!("{}: {error}", trial.scene));
        }
    }

    #[test]
    fn the_page_has_a_row_for_every_experiment() {
        let page = fs::read_to_string(root().join("docs/methods/documents.md")).unwrap_or_default();
        for experiment in EXPERIMENTS {
            let row = format!("| {} | {} |", experiment.place, experiment.says);
            assert!(page.contains(&row), "documents.md is stale: run `cargo xtask documents`; it lacks {row}");
        }
    }
}
