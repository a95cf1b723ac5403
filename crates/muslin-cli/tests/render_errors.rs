//! What `muslin render` refuses: exit code 2, a message that one can act on, and nothing written.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::fs;

use common::{Place, args};

/// A folder with a short run in `run`.
fn with_run(particles: &str, frames: &str) -> Place {
    let place = Place::new();
    let particles = format!("cloth.0.grid.particles={particles}");
    place.muslin(&["run", "hang", "--out", "run", "--set", &particles, "--frames", frames, "--quiet"]).exits(0);
    place
}

/// Renders what must be refused and must leave everything as it was; gives back what standard error says.
#[track_caller]
fn refused(place: &Place, options: &[&str]) -> String {
    let before = (place.list("."), place.path("run").is_dir().then(|| place.list("run")));
    let done = place.muslin(&args(&["render"], options)).exits(2);
    let after = (place.list("."), place.path("run").is_dir().then(|| place.list("run")));
    assert_eq!(before, after, "{options:?} wrote something");
    assert!(done.stdout.is_empty() && !done.stderr.contains('\u{1b}'), "{done:?}");
    done.stderr
}

/// Holds what is said of options that do not fit a run.
macro_rules! wrong_options {
    ($($name:ident: $($argument:literal)*;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(refused(&with_run("[5,5]", "2"), &["run", $($argument),*]));
        }
    )*};
}

wrong_options! {
    frame_beyond_the_end: "--frame" "3";
    frame_that_is_no_number: "--frame" "last";
    unknown_color: "--color" "stress";
    size_without_height: "--size" "640";
    size_of_nothing: "--size" "0x540";
    strip_of_nothing: "--strip" "0";
    strip_and_gif: "--gif" "--strip" "3";
    strip_and_a_name_of_a_gif: "--out" "x.gif" "--strip" "3";
    frame_and_a_name_of_a_video: "--out" "x.mp4" "--frame" "1";
    gif_and_mp4: "--gif" "--mp4";
    name_of_another_kind: "--out" "x.bmp";
    name_without_kind: "--out" "x";
    name_and_switch_that_differ: "--out" "x.png" "--gif";
    folder_of_the_picture_missing: "--out" "pictures/x.png";
    subdivision_beyond_the_option: "--subdivide" "7";
    strip_and_frame: "--strip" "3" "--frame" "1";
}

#[test]
fn a_folder_that_is_missing_is_named() {
    insta::assert_snapshot!(refused(&Place::new(), &["run"]));
}

#[test]
fn a_folder_that_is_no_run_is_named() {
    let place = Place::new();
    place.write("run/notes.txt", "mine");
    insta::assert_snapshot!(refused(&place, &["run"]));
    place.write("hang.toml", "[[cloth]]\ngrid = {}\n");
    insta::assert_snapshot!("a_scene_is_no_run", refused(&place, &["hang.toml"]));
}

#[test]
fn a_folder_in_place_of_the_picture_is_named() {
    let place = with_run("[5,5]", "2");
    fs::create_dir(place.path("x.png")).unwrap();
    insta::assert_snapshot!(refused(&place, &["run", "--out", "x.png"]));
}

#[test]
fn a_strip_beyond_all_measure_is_refused_before_anything_is_drawn() {
    // Drawn first, five pictures of 67 million pixels would take minutes.
    insta::assert_snapshot!(refused(&with_run("[5,5]", "4"), &["run", "--strip", "5", "--size", "8192x8192"]));
}

#[test]
fn no_run_at_all() {
    insta::assert_snapshot!(refused(&Place::new(), &[]));
}

#[test]
fn too_many_triangles_are_refused_with_the_most_that_would_do() {
    // 1152 triangles, times 4⁶: 4.7 million.
    let place = with_run("[25,25]", "1");
    insta::assert_snapshot!(refused(&place, &["run", "--subdivide", "6"]));
}

/// Spoils a file of a run, then renders it.
fn spoiled(file: &str, spoil: impl Fn(Vec<u8>) -> Option<Vec<u8>>) -> String {
    let place = with_run("[5,5]", "2");
    let path = place.path("run").join(file);
    match spoil(fs::read(&path).unwrap()) {
        Some(bytes) => fs::write(path, bytes).unwrap(),
        None => fs::remove_file(path).unwrap(),
    }
    refused(&place, &["run"])
}

/// Holds what is said of a file of the run that is missing or damaged.
macro_rules! spoiled {
    ($($name:ident: $file:literal $spoil:expr;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(spoiled($file, $spoil));
        }
    )*};
}

spoiled! {
    missing_cache: "sheet.pc2" |_| None;
    cache_cut_off: "sheet.pc2" |bytes| Some(bytes[..bytes.len() - 40].to_vec());
    cache_of_nothing: "sheet.pc2" |_| Some(Vec::new());
    cache_of_another_kind: "sheet.pc2" |bytes| Some(vec![b'x'; bytes.len()]);
    missing_scene: "scene.toml" |_| None;
    scene_of_another_mesh: "scene.toml" |bytes| {
        Some(String::from_utf8(bytes).unwrap().replace("5, 5", "6, 6").replace("[5,5]", "[6,6]").into_bytes())
    };
    report_that_is_no_report: "report.json" |_| Some(b"{}".to_vec());
}

#[test]
fn everything_but_report_scene_and_caches_may_be_gone() {
    let place = with_run("[5,5]", "2");
    for name in ["checkpoint.bin", "report.html", "frames.csv", "sheet.obj"] {
        fs::remove_file(place.path("run").join(name)).unwrap();
    }
    place.muslin(&["render", "run", "--size", "96x54"]).exits(0);
}
