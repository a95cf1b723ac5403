use glam::DVec3;
use muslin::report::{Energies, StepReport, Strain};
use muslin::{Model, State};

use super::{Page, Player, STYLE, compare, player};
use crate::frames::FrameRow;
use crate::payload::Payload;
use crate::recorder::{Outcome, RunInfo};
use crate::report::{Builder, Expectation, Report};
use crate::tally::{Probe, Tally};
use crate::testing;

/// A run that looks like a hanging sheet: falls, swings, comes to rest; `worst` is the greatest strain it reaches.
pub(super) struct Hanging {
    pub(super) model: Model,
    info: RunInfo,
    pub(super) tally: Tally,
    pub(super) rows: Vec<FrameRow>,
}

impl Hanging {
    pub(super) fn run(frames: u64, worst: f64, info: RunInfo) -> Self {
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
        let mut step = StepReport::default();
        (step.step, step.time, step.centre) = (10 * frame, t, report.centre);
        (step.worst_strain, step.worst_edge) = (report.strain.worst, Some(12));
        step.least_strain = -report.strain.compressed_worst;
        self.tally.step(&self.model, &step, &[], &state);
        self.tally.frame(frame, &self.model, &state, &report, &strains);
        self.row(frame);
    }

    pub(super) fn row(&mut self, frame: u64) {
        let probes = vec![DVec3::new(1.0, self.tally.last.centre.y, 0.2); self.info.probes.len()];
        let contact = self.tally.contact.last;
        self.rows.push(FrameRow { frame, report: self.tally.last, wall_s: 0.0, cpu_s: 0.0, contact, probes });
    }

    pub(super) fn report(&self, outcome: &Outcome) -> Report {
        let Self { model, info, tally, .. } = self;
        let timings = testing::timings(900);
        let frame = self.rows.len() as u64 - 1;
        Builder { model, info, tally, timings: &timings, frame, state_hash: 0x1234, files: &[] }.build(outcome)
    }

    pub(super) fn page(&self, outcome: &Outcome) -> String {
        self.page_with(outcome, Player::Ready(&payload()))
    }

    fn page_with(&self, outcome: &Outcome, player: Player) -> String {
        let report = &self.report(outcome);
        let Self { info, rows, .. } = self;
        let RunInfo { probes, scene_text, command, .. } = info;
        Page { report, rows, probes, scene_text, command, player }.render()
    }
}

/// Stands for a run: what is inside matters to the player only.
fn payload() -> Payload {
    Payload { header: "{\"format\":1}".to_owned(), frames: "AAAA".to_owned() }
}

/// What Rust wrote of a page: the player's program and style are built elsewhere.
fn without_program(page: &str) -> String {
    page.replace(player::PROGRAM, "").replace(player::STYLE, "")
}

pub(super) fn quiet() -> RunInfo {
    RunInfo { probes: Vec::new(), ..testing::info() }
}

pub(super) fn completed() -> Outcome {
    Outcome { completed: true, ..Outcome::default() }
}

/// The page's structure, a line for every tag: numbers become `#`, the style sheet, grids and data are left out.
fn structure(page: &str) -> String {
    let empty = ["line", "path", "polyline"].map(|name| format!("></{name}>"));
    let page = empty.iter().fold(without_program(page), |page, end| page.replace(end, "/>"));
    let page = page.replace("><", ">\n<");
    let body = page.split_once("<body>").map_or(page.as_str(), |(_, body)| body);
    let data = ["<polyline", "<rect", "<title>", "</rect", "<line class=\"grid\"", "<line class=\"tick\"", "<text x="];
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
    let link = "<a class=\"goto\" href=\"#player\" data-frame=\"89\" data-cloth=\"sheet\" data-edge=\"12-13\">";
    let words = "edge 12–13 of <code>sheet</code> stretched 3.2 % in frame 89</a>; the limit is 1 %.";
    assert!(page.contains(&format!("Broken: {link}{words}")), "{page}");
    let page = Hanging::run(90, 0.009, quiet()).page(&completed());
    assert!(page.contains("Kept: no edge stretched more than 1 %."));
    assert!(page.contains(&format!("The most was 0.9 %: {link}edge 12–13 of <code>sheet</code> in frame 89</a>.")));
    assert!(page.contains("There are no solids.") && page.contains("Contact of cloth with cloth was not checked."));
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
    let mut run = Hanging::run(2, 0.009, info);
    // The first cloth is the one that the verdict names.
    run.model.cloths[0].name = "\"</code></a><script>alert(1)</script>".to_owned();
    let own = without_program(&run.page(&outcome));
    assert!(!own.contains("<script>") && !own.contains("\"</code>"), "{own}");
    for element in ["title", "script", "a", "code"] {
        let opened = own.matches(&format!("<{element}>")).count() + own.matches(&format!("<{element} ")).count();
        assert_eq!(own.matches(&format!("</{element}>")).count(), opened, "<{element}>");
    }
    assert_eq!(own.matches("<script ").count(), 3);
}

#[test]
fn names_read_as_they_were_typed() {
    let (name, escaped) = ("<b>&\"x\"", "&lt;b&gt;&amp;&quot;x&quot;");
    let probes = vec![Probe { name: name.to_owned(), particle: 0 }];
    let mut run = Hanging::run(90, 0.032, RunInfo { scene: name.to_owned(), probes, ..testing::info() });
    run.model.cloths[0].name = name.to_owned();
    let page = without_program(&run.page(&completed()));
    for place in [
        format!("<title>{escaped} · muslin</title>"),
        format!("<h1>{escaped} <a "),
        format!("data-cloth=\"{escaped}\" data-edge=\"12-13\">edge 12–13 of <code>{escaped}</code>"),
        format!("<figcaption>Probe {escaped}</figcaption>"),
        format!("<title id=\"probe-0-title\">Probe {escaped}</title>"),
        format!("<th scope=\"row\">{escaped} x</th>"),
    ] {
        assert!(page.contains(&place), "{place} is not in {page}");
    }
    assert!(!page.contains("<b>") && !page.contains(name), "{page}");
}

#[test]
fn the_run_and_the_program_follow_the_page_and_the_player_comes_first() {
    let page = Hanging::run(2, 0.009, quiet()).page(&completed());
    let order = [
        "<header>",
        "<section id=\"player\" aria-label=\"Playback of the run\"><p class=\"note\">",
        "class=\"verdict",
        "<h2>Charts</h2>",
        "<h2>Summary</h2>",
        "<h2>Run it again</h2>",
        "</main>",
        "<script type=\"application/json\" id=\"muslin-run\">{\"format\":1}</script>",
        "<script type=\"application/octet-stream\" id=\"muslin-frames\">AAAA</script>",
        "<script type=\"module\">",
    ];
    let places: Vec<_> = order.iter().map(|part| page.find(part).ok_or(part)).collect();
    assert!(places.iter().all(Result::is_ok) && places.is_sorted(), "{places:?}");
}

#[test]
fn a_page_with_nothing_to_play_says_why_and_has_no_scripts() {
    let page = Hanging::run(2, 0.009, quiet()).page_with(&Outcome::default(), Player::Absent("Not `yet`."));
    assert!(page.contains("<p class=\"note\">Not <code>yet</code>.</p>"), "{page}");
    assert!(!page.contains("<script") && !page.contains(player::STYLE));
}

#[test]
fn charts_over_time_say_which_time_lies_where() {
    let page = Hanging::run(90, 0.009, testing::info()).page(&completed());
    let charts = page.split("<svg class=\"chart\"").skip(1).filter_map(|chart| chart.split('>').next());
    let (over_time, others): (Vec<&str>, Vec<&str>) = charts.partition(|chart| chart.contains("data-chart=\"time\""));
    // Strain, energy, height and a probe; the histograms of the last and the worst frame.
    assert_eq!((over_time.len(), others.len()), (4, 2));
    for chart in over_time {
        assert!(chart.contains("data-x-min=\"0\" data-x-max=\"3\""), "{chart}");
        assert!(chart.contains("data-right=\"384\" data-top=\"36\" data-bottom=\"204\""), "{chart}");
        let left = chart.split_once("data-left=\"").and_then(|(_, rest)| rest.split_once('"')).unwrap().0;
        assert!((12.0..120.0).contains(&left.parse::<f64>().unwrap()), "{chart}");
    }
}

#[test]
fn program_and_style_sheets_cannot_end_the_elements_they_stand_in() {
    let program = player::PROGRAM.to_lowercase();
    assert!(!program.contains("</script") && !program.contains("<!--"));
    for style in [STYLE, player::STYLE, compare::STYLE] {
        assert!(!style.to_lowercase().contains("</style"));
    }
}

#[test]
fn a_run_that_has_just_started_has_a_page_without_broken_numbers() {
    let page = Hanging::run(0, 0.0, testing::info()).page_with(&Outcome::default(), Player::Absent("Not yet."));
    for wrong in ["NaN", "inf", "e308"] {
        assert!(!page.contains(wrong), "{wrong} in {page}");
    }
    assert!(page.contains("<circle class=\"dot dot-0\""));
    assert!(page.contains("Not finished: frame 0 of 6."));
}

#[test]
fn the_page_needs_nothing_from_elsewhere_and_stays_light() {
    let page = without_program(&Hanging::run(20_000, 0.009, testing::info()).page(&completed()));
    for wrong in ["http:", "https:", "src=", "@import", "url(", "<link"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    // 12 lines of at most 1000 points of 12 letters, and the rest.
    assert!(page.len() < 250_000, "{} bytes", page.len());
}
