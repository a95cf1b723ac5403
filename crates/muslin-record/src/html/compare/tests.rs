use glam::DVec3;
use muslin::State;
use muslin::report::{Energies, FrameReport, Momenta, Strain};

use super::ComparePage;
use crate::compare::{CompareInfo, Comparison, RanTrial, Trial, TrialResult};
use crate::frames::FrameRow;
use crate::recorder::Outcome;
use crate::report::{Builder, Report};
use crate::tally::{FrameContact, Tally};
use crate::testing;

const METHODS: [&str; 9] =
    ["none", "provot", "bridson", "impulse", "impulse-newton", "iterative", "sle", "inequality", "certified"];

fn report(completed: bool) -> Report {
    let model = testing::two_cloths();
    let state = State::start(&model);
    let strains = testing::strains(&model, &state);
    let tally = Tally::new(&model, &state, 0.01, Vec::new(), &testing::frame(&model, &state), &strains);
    let (info, timings) = (testing::info(), testing::timings(40));
    let builder =
        Builder { model: &model, info: &info, tally: &tally, timings: &timings, frame: 30, state_hash: 0, files: &[] };
    builder.build(&Outcome { completed, ..Outcome::default() })
}

/// A run of 31 frames that falls and swings; `growth` multiplies everything from frame to frame.
fn trial(method: &str, growth: f64) -> Trial {
    let row = |frame: u64| {
        let t = frame as f64 / 30.0;
        let scale = growth.powi(frame as i32);
        let report = FrameReport {
            time: t,
            steps: 4 * frame,
            strain: Strain { worst: 0.02 * t * scale, ..Strain::default() },
            energies: Energies { kinetic: t * scale, gravity: -2.0 * t, ..Energies::default() },
            momenta: Momenta::default(),
            centre: DVec3::Y * (-0.5 * t * scale),
        };
        FrameRow { frame, report, wall_s: 0.0, cpu_s: 0.0, contact: FrameContact::default(), probes: Vec::new() }
    };
    let ran = RanTrial { report: report(growth == 1.0), rows: (0..=30).map(row).collect() };
    Trial { result: TrialResult::Ran(Box::new(ran)), ..Trial::new(method, Vec::new()) }
}

fn page(scene: &str, trials: &[Trial]) -> String {
    let info = CompareInfo {
        scene: scene.to_owned(),
        command: format!("muslin compare {scene}"),
        frames_planned: 30,
        threads: 1,
        limit: 0.01,
        least_spin: None,
    };
    ComparePage { comparison: &Comparison::of(&info, trials), trials }.render()
}

#[test]
fn all_limiters_have_a_row_a_colour_a_bar_and_a_link() {
    let trials = METHODS.map(|method| trial(method, 1.0));
    let page = page("hang", &trials);
    for (index, method) in METHODS.into_iter().enumerate() {
        assert!(page.contains(&format!("<a href=\"#{method}\">{method}</a>")), "{method}");
        assert!(page.contains(&format!("<h3 id=\"{method}\">")), "{method}");
        assert!(page.contains(&format!("href=\"{method}/report.html\"")), "{method}");
        for part in [format!(".line-{index} {{"), format!(".fill-{index} {{"), format!(".dot-{index} {{")] {
            assert!(page.contains(&part), "{part} has no style");
        }
        // A key in the legend and a line, in three charts.
        assert_eq!(page.matches(&format!("class=\"line line-{index}\"")).count(), 6, "{method}");
    }
    assert_eq!(page.matches("role=\"img\"").count(), 3);
}

#[test]
fn one_that_blows_up_is_cut_off_and_the_page_says_so() {
    let trials = [trial("none", 1.0), trial("provot", 1.0), trial("sle", 1e9)];
    let page = page("hang", &trials);
    assert_eq!(page.matches("<code>sle</code> leaves the picture").count(), 2, "height and energy");
    assert!(!page.contains("<code>none</code> leaves"));
    // The axis of heights ends where the calm ones do.
    let height = page.split("id=\"height-title\"").nth(1).and_then(|rest| rest.split("</svg>").next()).unwrap();
    assert!(height.contains(">−0.5</text>") && !height.contains("e2"), "{height}");
    for wrong in ["NaN", "inf<", "inf "] {
        assert!(!page.contains(wrong), "{wrong}");
    }
}

#[test]
fn the_strain_chart_is_logarithmic_and_marks_the_limit() {
    let page = page("hang", &[trial("none", 1.0), trial("sle", 1e9)]);
    let strain = page.split("id=\"strain-title\"").nth(1).and_then(|rest| rest.split("</svg>").next()).unwrap();
    for tick in ["0.001", "0.01", "0.1", "1", "10", "100", "1000", "10000"] {
        assert!(strain.contains(&format!(">{tick}</text>")), "{tick}: {strain}");
    }
    assert!(strain.contains("limit 1 %"), "{strain}");
}

#[test]
fn what_has_not_run_is_said_and_makes_no_broken_numbers() {
    let failed = Trial { result: TrialResult::Failed("no `memory`".to_owned()), ..Trial::new("sle", Vec::new()) };
    let page = page("hang", &[failed, Trial::new("none", vec!["`a` left out".to_owned()])]);
    assert!(page.contains("No <code>memory</code>") && page.contains("<code>a</code> left out"));
    assert!(page.contains("Stopped early: <code>sle</code>") && page.contains("Not run: <code>none</code>"));
    assert!(!page.contains("report.html") && !page.contains("NaN") && !page.contains("e308"));
}

#[test]
fn what_stopped_early_has_kept_its_limit_only_so_far() {
    let cell = |growth: f64| {
        let page = page("hang", &[trial("sle", growth)]);
        let cell = page.split("data-name=\"limit kept\">").nth(1).and_then(|rest| rest.split('<').next());
        cell.unwrap().to_owned()
    };
    assert_eq!([cell(1.0), cell(1.1)], ["yes", "so far"]);
}

#[test]
fn pictures_are_in_the_page_and_described() {
    let shown = Trial { strip: Some(vec![1, 2, 3]), ..trial("none", 1.0) };
    let page = page("hang", &[shown]);
    assert!(page.contains("src=\"data:image/png;base64,AQID\"") && page.contains("alt=\"The cloth by none at several"));
    for wrong in ["http:", "https:", "@import", "url(", "<link", "<script"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
}

#[test]
fn what_users_name_and_type_is_escaped() {
    let evil = "</title><script>alert(1)</script>";
    let named = Trial { notes: vec![evil.to_owned()], ..Trial::new(evil, Vec::new()) };
    let page = page(evil, &[named]);
    assert!(!page.contains("<script>"), "{page}");
    assert_eq!(page.matches("</title>").count(), 4, "the page's and those of three charts");
}

#[test]
fn names_read_as_they_were_typed() {
    let (name, escaped) = ("<b>&\"x\"", "&lt;b&gt;&amp;&quot;x&quot;");
    let failed = TrialResult::Failed(format!("cloth `{name}` is trapped"));
    let shown = Trial { strip: Some(vec![1, 2, 3]), ..trial(name, 1.0) };
    let page = page(name, &[shown, Trial { result: failed, ..Trial::new("none", Vec::new()) }]);
    for place in [
        format!("<title>{escaped}: limiters compared · muslin</title>"),
        format!("<h1>{escaped}: 2 limiters compared</h1>"),
        format!("<a href=\"#{escaped}\">{escaped}</a>"),
        format!("</svg>{escaped}</li>"),
        format!("<th scope=\"row\">{escaped}</th><td class=\"stage\">"),
        format!("<h3 id=\"{escaped}\"><code>{escaped}</code>"),
        format!("alt=\"The cloth by {escaped} at several times"),
        format!("<a href=\"{escaped}/report.html\">Report of {escaped}, with"),
        format!("Cloth <code>{escaped}</code> is trapped"),
        format!("<code>muslin compare {escaped}</code>"),
    ] {
        assert!(page.contains(&place), "{place} is not in {page}");
    }
    assert!(!page.contains("<b>") && !page.contains(name), "{page}");
}
