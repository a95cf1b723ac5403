//! Whatever a scene file holds, the answer is a scene or an error.

mod common;

use std::path::Path;

use muslin_scene::Scene;
use proptest::prelude::*;

const SCENE: &str = r#"
title = "all keys"
seed = 7
[time]
duration = 0.5
frames_per_second = 24
step = "1/48"
[air]
wind = [1, 0, 0]
[integrator]
method = "newmark"
end_velocity = "half"
[limiter]
method = "provot"
stretch = 0.02
compress = 0.1
[[cloth]]
name = "a"
grid = { size = [1, 1], particles = [4, 4] }
material = { base = "silk", damping = { stretch = 0.1 } }
transform = { rotate = { axis = [1, 0, 0], degrees = 90 } }
pins = [{ corner = [0, 0], release = 1 }, { index = [1, 2], plane = [0, 1, 0] }]
folds = [{ point = [0.5, 0], direction = [0, 1], degrees = 60 }]
[[cloth]]
chain = { from = [0, 0, 0], to = [1, 0, 0], mass = 1, stiffness = 10 }
[contact]
thickness = 0.002
yield = "strain"
[[collider]]
name = "c"
box = { size = [1, 1, 1] }
motion = { spin = { axis = [0, 1, 0], degrees_per_second = 90 } }
friction_with = { a = 0.5 }
[[collider]]
mesh = { file = "shirt.obj", scale = 2 }
thickness = 0.001
[[collider]]
torus_knot = { turns = [2, 3], segments = [16, 5] }
level_set = { cell = 0.1 }
[[probe]]
name = "p"
cloth = "a"
nearest = [0, 0, 0]
[[expect]]
report = "strain.worst"
at_most = 0.1
"#;

fn try_text(text: &str, sets: &[String]) {
    let source = common::source(text, Path::new("tests/files"));
    if let Err(error) = Scene::from_source(&source, sets) {
        assert!(!error.render().is_empty());
    }
}

/// Values that keys are not made for.
fn strange_value() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "nan",
        "-inf",
        "\"\"",
        "[]",
        "{}",
        "true",
        "-1",
        "0",
        "1e308",
        "9223372036854775807",
        "1979-05-27",
        "[[1], 2]",
    ];
    prop_oneof![prop::sample::select(WORDS).prop_map(str::to_owned), "[ -~]{0,12}"]
}

/// A place in the text, at a character's start.
fn place(text: &str, fraction: f64) -> usize {
    let at = (fraction * text.len() as f64) as usize;
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[test]
fn the_scene_that_is_mutated_is_right() {
    assert!(common::try_scene(SCENE, &[]).is_ok(), "{}", common::message(SCENE));
}

proptest! {
    #[test]
    fn any_text_gives_an_answer(text in "\\PC{0,200}") {
        try_text(&text, &[]);
    }

    #[test]
    fn a_cut_or_overwritten_scene_gives_an_answer(
        from in 0.0..1.0,
        length in 0_usize..40,
        new in "[ -~\n]{0,8}|é|\\PC{1,3}",
    ) {
        let start = place(SCENE, from);
        let end = (start + length).min(SCENE.len());
        try_text(&format!("{}{new}{}", &SCENE[..start], &SCENE[end..]), &[]);
    }

    #[test]
    fn a_strange_value_in_any_line_gives_an_answer(line in 0..SCENE.lines().count(), value in strange_value()) {
        let spoil = |(number, text): (usize, &str)| match text.split_once('=') {
            Some((key, _)) if number == line => format!("{key}= {value}"),
            _ => text.to_owned(),
        };
        let text: Vec<String> = SCENE.lines().enumerate().map(spoil).collect();
        try_text(&text.join("\n"), &[]);
    }

    #[test]
    fn any_option_gives_an_answer(
        path in prop_oneof![
            "[a-z_.0-9]{0,20}",
            "(cloth|time|probe|collider|contact)(\\.[0-2])?\\.\
             (grid|name|pins|step|material|box|mesh|friction_with)(\\.[0-9a-z]{1,3})?",
        ],
        value in strange_value(),
    ) {
        try_text(SCENE, &[format!("{path}={value}")]);
        try_text(SCENE, &[path]);
    }
}
