//! Wrong input: exit code 2, a message that one can act on, and nothing written.

mod common;

use common::{Done, Place, SMALL, args};

/// A scene that is right, for cases that spoil one thing.
const CLOTH: &str = "[[cloth]]\ngrid = { size = [1, 1], particles = [5, 5] }\n";

/// Runs a wrong scene file and gives back what standard error says.
fn refused(text: &str) -> String {
    let place = Place::new();
    place.write("wrong.toml", text);
    let run = refused_in(&place, &["run", "wrong.toml"], &["wrong.toml"]);
    let check = refused_in(&place, &["check", "wrong.toml"], &["wrong.toml"]);
    assert_eq!(run.stderr, check.stderr, "run and check must say the same");
    run.stderr
}

/// Runs a command that must be refused and must leave the folder as it was.
#[track_caller]
fn refused_in(place: &Place, command: &[&str], files: &[&str]) -> Done {
    let done = place.muslin(command).exits(2);
    assert_eq!(place.list("."), files, "{command:?} wrote something");
    assert!(done.stdout.is_empty() && !done.stderr.contains('\u{1b}'), "{done:?}");
    done
}

/// Holds the message of a wrong scene file.
macro_rules! wrong {
    ($($name:ident: $text:expr;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(refused(&$text));
        }
    )*};
}

wrong! {
    not_toml: format!("[limiter]\nmethod = bridson\n{CLOTH}");
    not_toml_but_json: "{ \"time\": { \"duration\": 3 } }";
    unknown_key: format!("{CLOTH}[limiter]\nstrech = 0.01\n");
    wrong_type: format!("{CLOTH}[time]\nduration = \"three seconds\"\n");
    unknown_method: format!("{CLOTH}[limiter]\nmethod = \"bridsen\"\n");
    limit_below_zero: format!("{CLOTH}[limiter]\nstretch = -0.01\n");
    step_longer_than_a_frame: format!("{CLOTH}[time]\nframes_per_second = 30\nstep = 0.05\n");
    missing_mesh: "[[cloth]]\nmesh = \"shirt.obj\"\n";
    pin_outside_the_mesh: "[[cloth]]\ngrid = { particles = [5, 5] }\npins = [{ index = [3, 25] }]\n";
    no_cloth: "[time]\nduration = 1\n";
    two_cloths_of_one_name: format!("{CLOTH}name = \"a\"\n{CLOTH}name = \"A\"\n");
    unknown_material: "[[cloth]]\ngrid = {}\nmaterial = \"coton\"\n";
    cloth_that_would_leave_the_folder: format!("{CLOTH}name = \"../up\"\n");
    three_things_at_once: "[time]\nduration = -1\n\n[limiter]\nstrech = 0.1\n\n[[cloth]]\ngrid = { size = [1, 0] }\n";
}

/// Checks the message for a wrong command line.
macro_rules! wrong_command {
    ($($name:ident: $($argument:literal)*;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(refused_in(&Place::new(), &[$($argument),*], &[]).stderr);
        }
    )*};
}

wrong_command! {
    unknown_option: "run" "hang" "--frame" "3";
    unknown_command: "simulate" "hang";
    unknown_shell: "completions" "tcsh";
    no_frames: "run" "--frames" "0";
    frames_beyond_measure: "run" "--frames" "4000000000";
    no_threads: "run" "--threads" "0";
    resume_and_force: "run" "--resume" "--force";
    resume_of_nothing: "run" "hang" "--resume";
    set_without_value: "run" "--set" "limiter.stretch";
    set_of_an_unknown_key: "run" "--set" "limiter.strech=1";
    set_below_a_value: "run" "--set" "seed.0.x=1";
}

/// Holds what is said of a `--set` that only the whole scene shows to be wrong. The scene is the test's own: the
/// built-in ones change.
macro_rules! wrong_set {
    ($($name:ident: $set:literal;)*) => {$(
        #[test]
        fn $name() {
            let place = Place::new();
            place.write("right.toml", CLOTH);
            let done = refused_in(&place, &["run", "right.toml", "--set", $set], &["right.toml"]);
            insta::assert_snapshot!(done.stderr);
        }
    )*};
}

wrong_set! {
    set_of_a_wrong_word: "limiter.method=non";
    set_with_a_bracket_missing: "cloth.0.grid.particles=[81,81";
}

#[test]
fn an_unknown_scene_gets_the_nearest_name_as_a_hint() {
    let done = refused_in(&Place::new(), &["run", "hnag"], &[]);
    for said in ["error: there is no scene `hnag`", "did you mean `hang`?", "`muslin scenes` lists"] {
        assert!(done.stderr.contains(said), "`{said}` is missing: {done:?}");
    }
}

#[test]
fn odd_set_options_are_refused_without_a_panic() {
    let place = Place::new();
    let odd = [
        "",
        "=",
        "=1",
        ".",
        "..=1",
        "seed=",
        "cloth.=1",
        "cloth.99999999999999999999.name=1",
        "cloth.-1.name=a",
        "é=1",
        "cloth.0.name=\"\\u{0}\"",
        "cloth.0.name=a/b",
        "seed=[[[[[[",
        "seed=1e999",
        "time.duration=nan",
        "a\nb=c",
        "seed=-1",
    ];
    for set in odd {
        let done = refused_in(&place, &["run", "--set", set], &[]);
        assert!(done.stderr.starts_with("error: "), "{set}: {done:?}");
    }
}

#[test]
fn a_folder_in_use_stays_as_it_is() {
    let place = Place::new();
    place.muslin(&args(&["run", "hang", "--out", "run"], &SMALL)).exits(0);
    let (files, report) = (place.list("run"), place.report("run"));
    let done = place.muslin(&args(&["run", "bench-hang", "--out", "run"], &SMALL)).exits(2);
    insta::assert_snapshot!(done.stderr);
    assert_eq!((place.list("run"), place.report("run")), (files, report));
}

#[test]
fn a_file_in_place_of_the_folder_is_named() {
    let place = Place::new();
    place.write("taken", "mine");
    let done = refused_in(&place, &args(&["run", "--out", "taken"], &SMALL), &["taken"]);
    insta::assert_snapshot!(done.stderr);
    let done = refused_in(&place, &args(&["run", "--out", "taken/deeper"], &SMALL), &["taken"]);
    insta::assert_snapshot!("a_file_in_the_way_of_the_folder_is_named", done.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_made_is_named() {
    // Nobody, not even root, can make folders there.
    let done = refused_in(&Place::new(), &args(&["run", "--out", "/proc/muslin"], &SMALL), &[]);
    assert!(done.stderr.starts_with("error: cannot create the folder `/proc/muslin`: "), "{done:?}");
}

#[test]
fn a_replaced_run_survives_when_a_file_of_the_user_is_in_the_way() {
    let place = Place::new();
    place.muslin(&args(&["run", "hang", "--out", "run"], &SMALL)).exits(0);
    place.write("run/cape.obj", "the artist's");
    let files = place.list("run");
    let renamed =
        ["run", "hang", "--out", "run", "--force", "--set", "cloth.0.name=cape", "--set", "probe.0.cloth=cape"];
    let done = place.muslin(&args(&renamed, &SMALL)).exits(2);
    assert!(done.stderr.contains("cape.obj") && done.stderr.contains("hint: "), "{done:?}");
    assert_eq!(place.list("run"), files);
}
