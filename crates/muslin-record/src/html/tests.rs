use glam::DVec3;
use muslin::report::{Energies, Strain, Work};
use muslin::{Model, State};

use super::Page;
use crate::frames::FrameRow;
use crate::recorder::{Outcome, RunInfo};
use crate::report::{Builder, Expectation, Report};
use crate::tally::{Probe, Tally};
use crate::testing;

/// A run that looks like a hanging sheet: falls, swings, comes to rest; `worst` is the greatest strain it reaches.
struct Hanging {
    model: Model,
    info: RunInfo,
    tally: Tally,
    rows: Vec<FrameRow>,
}

impl Hanging {
    fn run(frames: u64, worst: f64, info: RunInfo) -> Self {
        let model = testing::model(&[("sheet", 1000), ("rod <b>", 40)]);
        let state = State::start(&model);
        let first = testing::frame(&model, &state);
        let calm = vec![0.0; model.edges.len()];
        let tally = Tally::new(&model, &state, 0.01, info.probes.clone(), &first, &calm);
        let mut run = Self { model, info, tally, rows: Vec::new() };
        run.row(0);
        for frame in 1..=frames {
            run.frame(frame, worst, state.clone());
        }
        run
    }

    fn frame(&mut self, frame: u64, worst: f64, mut state: State) {
        let t = frame as f64 / 30.0;
        let swing = (-0.8 * t).exp() * (5.0 * t).cos();
        let strain_now = worst * (1.0 - (-3.0 * t).exp()) * (0.9 + 0.1 * (9.0 * t).sin());
        state.time = t;
        state.x.iter_mut().for_each(|x| x.y = 0.5 * (swing - 1.0));
        let strains: Vec<_> = (0..self.model.edges.len())
            .map(|edge| strain_now * ((edge as f64 * 0.618).fract().powi(6) - 0.05))
            .collect();
        let mut report = testing::frame(&self.model, &state);
        report.steps = 10 * frame;
        report.strain = Strain {
            worst: strain_now,
            worst_edge: Some(12),
            p99: 0.8 * strain_now,
            mean: 0.1 * strain_now,
            compressed_worst: 0.05 * strain_now,
            compressed_edge: Some(3),
        };
        report.energies = Energies {
            kinetic: 0.4 * (1.0 - swing.abs()) * (-0.6 * t).exp(),
            gravity: 0.98 * 0.5 * (swing - 1.0),
            stretch: 0.3 * (1.0 - (-2.0 * t).exp()),
            shear: 0.05 * (1.0 - (-t).exp()),
            bending: 0.02,
        };
        let step = muslin::report::StepReport {
            step: 10 * frame,
            time: t,
            worst_strain: report.strain.worst,
            worst_edge: Some(12),
            least_strain: -report.strain.compressed_worst,
            centre: report.centre,
            work: Work::default(),
        };
        self.tally.step(&self.model, &step, &state);
        self.tally.frame(frame, &self.model, &state, &report, &strains);
        self.row(frame);
    }

    fn row(&mut self, frame: u64) {
        let probes = vec![DVec3::new(1.0, self.tally.last.centre.y, 0.2); self.info.probes.len()];
        self.rows.push(FrameRow { frame, report: self.tally.last, wall_s: 0.0, cpu_s: 0.0, probes });
    }

    fn report(&self, outcome: &Outcome) -> Report {
        let Self { model, info, tally, .. } = self;
        let timings = testing::timings(900);
        let frame = self.rows.len() as u64 - 1;
        Builder { model, info, tally, timings: &timings, frame, state_hash: 0x1234, files: &[] }.build(outcome)
    }

    fn page(&self, outcome: &Outcome) -> String {
        let report = self.report(outcome);
        let Self { info, rows, .. } = self;
        Page { report: &report, rows, probes: &info.probes, scene_text: &info.scene_text, command: &info.command }
            .render()
    }
}

fn quiet() -> RunInfo {
    RunInfo { probes: Vec::new(), ..testing::info() }
}

fn completed() -> Outcome {
    Outcome { completed: true, ..Outcome::default() }
}

/// The page's structure: numbers become `#`, the style sheet, grids and data are left out.
fn structure(page: &str) -> String {
    let body = page.split_once("<body>").map_or(page, |(_, body)| body);
    let data = ["<polyline", "<rect", "<line class=\"grid\"", "<line class=\"tick\""];
    let lines = body.lines().filter(|line| !data.iter().any(|start| line.starts_with(start)));
    lines.map(without_numbers).collect::<Vec<_>>().join("\n")
}

/// Digits that follow a letter belong to a name, such as `h2`, and stay.
fn without_numbers(line: &str) -> String {
    let mut out = String::new();
    for letter in line.chars() {
        let last = out.chars().next_back().unwrap_or(' ');
        if (letter.is_ascii_digit() || letter == '.') && last == '#' {
            continue;
        }
        let number = letter.is_ascii_digit() && !last.is_ascii_alphanumeric();
        out.push(if number { '#' } else { letter });
    }
    out
}

#[test]
fn the_page_has_the_structure_it_always_had() {
    let expectation = Expectation {
        what: "motion.fall_s".to_owned(),
        held: false,
        measured: serde_json::json!(0.31),
        wanted: "0.258 within 0.003".to_owned(),
    };
    let outcome = Outcome { expectations: vec![expectation], ..completed() };
    let notes = vec!["`sheet`: 2 loose vertices were left out".to_owned()];
    let info = RunInfo { notes, ..testing::info() };
    insta::assert_snapshot!(structure(&Hanging::run(90, 0.032, info).page(&outcome)));
}

#[test]
fn the_verdict_says_what_broke_where_and_when() {
    let page = Hanging::run(90, 0.032, quiet()).page(&completed());
    assert!(page.contains("Broken: edge 12–13 of <code>sheet</code> stretched 3.2 % in frame 89"), "{page}");
    assert!(page.contains("; the limit is 1 %."));
    let page = Hanging::run(90, 0.009, quiet()).page(&completed());
    assert!(page.contains("Kept: no edge stretched more than 1 %."));
    assert!(page.contains("Contact was not checked."));
}

#[test]
fn a_run_that_stopped_says_why_and_is_not_called_kept() {
    let outcome = Outcome { stopped: Some("interrupted <by hand>".to_owned()), ..Outcome::default() };
    let page = Hanging::run(3, 0.009, quiet()).page(&outcome);
    assert!(page.contains("Stopped after frame 3 of 6: interrupted &lt;by hand&gt;"));
    assert!(page.contains("class=\"verdict unfinished\""));
}

#[test]
fn what_users_name_and_type_is_escaped() {
    let evil = "</title><script>alert(1)</script>";
    let info = RunInfo {
        scene: evil.to_owned(),
        scene_text: evil.to_owned(),
        command: evil.to_owned(),
        notes: vec![evil.to_owned()],
        probes: vec![Probe { name: evil.to_owned(), particle: 0 }],
        ..testing::info()
    };
    let expectation =
        Expectation { what: evil.to_owned(), held: true, measured: serde_json::json!(evil), wanted: evil.to_owned() };
    let outcome = Outcome { stopped: Some(evil.to_owned()), expectations: vec![expectation], ..Outcome::default() };
    let page = Hanging::run(2, 0.009, info).page(&outcome);
    assert!(!page.contains("<script"), "{page}");
    let titles = page.matches("<title>").count() + page.matches("<title id=").count();
    assert_eq!(page.matches("</title>").count(), titles);
}

#[test]
fn a_run_that_has_just_started_has_a_page_without_broken_numbers() {
    let page = Hanging::run(0, 0.0, testing::info()).page(&Outcome::default());
    for wrong in ["NaN", "inf", "e308"] {
        assert!(!page.contains(wrong), "{wrong} in {page}");
    }
    assert!(page.contains("<circle class=\"dot dot-0\""));
    assert!(page.contains("Not finished: frame 0 of 6."));
}

#[test]
fn the_page_needs_nothing_from_elsewhere_and_stays_light() {
    let page = Hanging::run(20_000, 0.009, testing::info()).page(&completed());
    for wrong in ["http:", "https:", "src=", "@import", "url(", "<link"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    // 12 lines of at most 1000 points of 12 letters, and the rest.
    assert!(page.len() < 250_000, "{} bytes", page.len());
}
