//! Every built-in scene, run by the command to its end and judged by what it states: a test for each.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::Place;
use muslin_scene::{Scene, builtin};
use serde_json::Value;

use self::Ending::{Begins, Keeps, Stops, Stretches};

/// How a scene has to end.
enum Ending {
    /// With exit code 0.
    Keeps,
    /// With exit code 1, and only because edges stretch past 1 %: methods that iterate a limited number of times a
    /// step do not suffice where few edges carry the whole weight. With the reason.
    Stretches(&'static str),
    /// What takes minutes: so many frames keep limit and contact. `cargo xtask torture contact` runs it to its end.
    Begins(u32),
    /// With exit code 3, because it asks for what cannot be. With words that the message has to have.
    Stops(&'static str),
}

/// A test for each scene, named as it is but for `_` in place of `-`, and their names.
macro_rules! scenes {
    ($($name:ident: $ending:expr,)*) => {
        $(
            #[test]
            fn $name() {
                judge(&scene_of(stringify!($name)), &$ending);
            }
        )*

        pub(crate) const TESTED: &[&str] = &[$(stringify!($name)),*];
    };
}

scenes! {
    bb08_scrambled: Keeps,
    bench_hang: Keeps,
    block: Keeps,
    curtain_rod: Keeps,
    dampers: Keeps,
    incline: Keeps,
    jlgf17_cross: Keeps,
    jlgf17_unstructured_equality: Keeps,
    pendulum: Keeps,
    sculpted_fold: Keeps,
    spring: Keeps,
    spring_constants: Keeps,
    ye08_rugged: Stretches("that is the artefact it shows"),
}

/// Those that `cargo xtask test --quick` leaves out.
mod slow {
    use super::*;

    scenes! {
        bb08_10: Keeps,
        bb08_20: Keeps,
        bb08_30: Keeps,
        bb08_40: Keeps,
        bb08_50: Keeps,
        bb08_sphere: Keeps,
        bb08_tolerance: Keeps,
        buckling: Keeps,
        curtain_pull: Keeps,
        drape_mesh: Keeps,
        drape_table: Keeps,
        flag: Keeps,
        fold: Keeps,
        funnel: Begins(20),
        hang: Keeps,
        hang_release: Keeps,
        isotropic_meshes: Keeps,
        jlgf17_against: Keeps,
        jlgf17_against_equality: Keeps,
        jlgf17_against_two_sided: Keeps,
        jlgf17_along: Keeps,
        jlgf17_along_equality: Keeps,
        jlgf17_along_two_sided: Keeps,
        jlgf17_bending: Keeps,
        jlgf17_histogram: Keeps,
        jlgf17_no_cross: Keeps,
        jlgf17_unstructured: Keeps,
        jlgf17_unstructured_two_sided: Keeps,
        laundry: Begins(18),
        needles: Begins(20),
        pinch: Stops("`lower` and `upper`"),
        ribbon_knot: Begins(12),
        selfdrape: Keeps,
        shear_ladder: Keeps,
        spin_sphere: Keeps,
        stack_10: Begins(6),
        twist: Begins(8),
        walker: Keeps,
        ye08_ball: Keeps,
        ye08_corners: Stretches("one linear solve a step leaves the turn of edges within it"),
        ye08_explicit: Stretches("as ye08-corners"),
        ye08_realtime: Keeps,
        ye08_steps: Stretches("as ye08-corners"),
        ywg05_hang: Keeps,
    }
}

#[test]
fn every_built_in_scene_has_its_test() {
    let mut tested: Vec<String> = TESTED.iter().chain(slow::TESTED).map(|name| scene_of(name)).collect();
    tested.sort();
    let built_in: Vec<&str> = builtin::list().iter().map(|scene| scene.name).collect();
    assert_eq!(tested, built_in, "the tests in this file and the built-in scenes differ");
}

/// The scene that a test is named after.
fn scene_of(test: &str) -> String {
    test.replace('_', "-")
}

/// Runs a scene; fails unless it ends as it has to, and with everything as it states.
fn judge(name: &str, ending: &Ending) {
    let place = Place::new();
    // One thread gives the same bits, and leaves the others to the scenes that are tested beside this one.
    let run = ["run", name, "--quiet", "--threads", "1", "--out", "run"];
    if let Begins(frames) = ending {
        return judge_begun(&place, &run, &frames.to_string());
    }
    let done = place.muslin(&run);
    let report = place.report("run");
    let (code, kept) = match ending {
        Begins(_) => return,
        Stops(blame) => return judge_stopped(name, done.code, &report, blame),
        Keeps => (0, true),
        Stretches(_) => (1, false),
    };
    assert_eq!(report["completed"], true, "did not come to its end: {}", report["stopped"]);
    let expectations = report["expectations"].as_array().filter(|list| !list.is_empty());
    for one in expectations.expect("something is expected of it") {
        assert_eq!(one["held"], true, "{} is {}, wanted {}", one["what"], one["measured"], one["wanted"]);
    }
    let why = if let Stretches(reason) = ending { reason } else { "it keeps its limit" };
    let found = (done.code, &report["strain"]["kept"]);
    assert_eq!(found, (Some(code), &kept.into()), "{why}; worst strain {}", report["strain"]["worst_step"]);
}

/// The first frames of a scene keep limit and contact, whatever is expected of its end.
fn judge_begun(place: &Place, run: &[&str], frames: &str) {
    let done = place.muslin(&[run, &["--frames", frames]].concat());
    let report = place.report("run");
    assert!(matches!(done.code, Some(0 | 1)), "{done:?}");
    for promise in ["/strain/kept", "/contact/kept"] {
        assert_eq!(report.pointer(promise), Some(&true.into()), "{promise}: {done:?}");
    }
    assert_eq!(report["contact"]["intersections"], 0, "{done:?}");
}

/// A scene that had to stop. A report of what is not complete judges no expectations, so they are judged here.
fn judge_stopped(name: &str, code: Option<i32>, report: &Value, blame: &str) {
    let stopped = report["stopped"].as_str().unwrap_or_default();
    assert!(code == Some(3) && stopped.contains(blame), "exit code {code:?}, \"{stopped}\"; {blame} are to blame");
    let scene = Scene::load(name, &[]).unwrap_or_else(|error| panic!("{}", error.render()));
    for judged in scene.expectations.iter().map(|expectation| expectation.judge(report)) {
        assert!(judged.held, "{} is {:?}, wanted {}", judged.what, judged.measured, judged.wanted);
    }
}
