//! Meshes as artists make them: what `check` says of them, and what becomes of them in a run.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::fs;

use common::Place;
use muslin_record::Pc2;

/// Two quads and a triangle, with everything that is wrong with real meshes: the quads are cut apart along a seam
/// (vertices 3 and 4 lie on 1 and 2), vertex 8 is in no face, and of the last two faces one repeats a vertex and one
/// has its corners on a line.
const ARTIST: &str = "\
v 0 0 0\nv 1 0 0\nv 1 0 1\nv 1 0 0\nv 1 0 1\nv 2 0 0\nv 2 0 1\nv 0 0 1\nv 5 5 5\nv 2 0 2
vt 0 0\nvt 0.5 0\nvt 0.5 1\nvt 0 1\nvt 0.6 0\nvt 1 0\nvt 1 1\nvt 0.6 1\nvt 1 0.5
f 1/1 8/4 3/3 2/2
f 4/5 5/8 7/7 6/6
f 5/8 10/9 7/7
f 1/1 2/2 1/1
f 1/1 2/2 6/6
";

const SCENE: &str =
    "[time]\nduration = 0.2\n[[cloth]]\nname = \"dress\"\nmesh = \"dress.obj\"\npins = [{ index = 0 }]\n";

fn place_with(obj: &str) -> Place {
    let place = Place::new();
    place.write("dress.obj", obj);
    place.write("dress.toml", SCENE);
    place
}

#[test]
fn check_names_every_defect_and_what_becomes_of_it() {
    let place = place_with(ARTIST);
    let said = place.muslin(&["check", "dress.toml"]).exits(0).stdout;
    let notes: Vec<&str> = said.lines().filter(|line| line.starts_with("note")).collect();
    insta::assert_snapshot!(notes.join("\n"));
    let data = place.muslin(&["check", "dress.toml", "--json"]).exits(0).json();
    assert_eq!(data["notes"].as_array().unwrap().len(), notes.len());
}

#[test]
fn vertex_count_order_and_texture_coordinates_survive_a_run() {
    let place = place_with(ARTIST);
    let done = place.muslin(&["run", "dress.toml"]).exits(0);
    assert!(done.stderr.contains("note: "), "{done:?}");
    let stored = fs::read_to_string(place.path("runs/dress/dress.obj")).unwrap();
    let of_kind = |text: &str, kind: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with(kind)).map(str::to_owned).collect()
    };
    assert_eq!(of_kind(&stored, "v "), of_kind(ARTIST, "v "));
    assert_eq!(of_kind(&stored, "vt "), of_kind(ARTIST, "vt "));
    assert_eq!(of_kind(&stored, "f "), of_kind(ARTIST, "f ")[..3], "faces without area are left out, quads stay quads");

    let frames = Pc2::read(&place.path("runs/dress/dress.pc2")).unwrap();
    assert_eq!(frames[0].len(), 10);
    let (first, last) = (&frames[0], &frames[frames.len() - 1]);
    assert_eq!((last[3], last[4]), (last[1], last[2]), "the seam stays closed");
    assert_eq!((first[8], first[0]), (last[8], last[0]), "the loose vertex and the pin stay where they are");
    assert!(last[9].y < -0.01, "the free end falls: {}", last[9]);
}

#[test]
fn another_programs_mesh_is_scaled_and_turned_upright() {
    let place = place_with("v 0 0 0\nv 100 0 0\nv 100 0 -100\nv 0 0 -100\nf 1 2 3 4\n");
    let set = ["--set", "cloth.0.mesh={file = \"dress.obj\", scale = 0.01, up = \"z\"}"];
    place.muslin(&[&["run", "dress.toml"][..], &set].concat()).exits(0);
    let stored = fs::read_to_string(place.path("runs/dress/dress.obj")).unwrap();
    assert!(
        stored.contains("\nv 1 -1 0\n") || stored.contains("\nv 1 -1 -0\n"),
        "a metre down, not a hundred along z: {stored}"
    );
}

/// Holds what is said of a mesh that cannot be used.
macro_rules! unusable {
    ($($name:ident: $obj:expr;)*) => {$(
        #[test]
        fn $name() {
            let place = place_with($obj);
            let run = place.muslin(&["run", "dress.toml"]).exits(2);
            assert_eq!(place.list("."), ["dress.obj", "dress.toml"], "something was written");
            assert_eq!(run.stderr, place.muslin(&["check", "dress.toml"]).exits(2).stderr);
            insta::assert_snapshot!(run.stderr);
        }
    )*};
}

unusable! {
    nan_coordinate: "v 0 0 0\nv 1 nan 0\nv 0 0 1\nf 1 2 3\n";
    index_out_of_range: "v 0 0 0\nv 1 0 0\nv 0 0 1\n\nf 1 2 4\n";
    text_for_a_number: "v 0 0 zero\n";
    no_faces: "v 0 0 0\nv 1 0 0\nv 0 0 1\n";
    empty_file: "";
}
