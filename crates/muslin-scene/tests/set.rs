//! `--set KEY=VALUE`.

mod common;

use std::path::Path;

use muslin::settings::LimitMethod;
use muslin_scene::Scene;

const SCENE: &str = r#"# The sheet.
seed = 3

[limiter] # who limits
method = "bridson" # the baseline
stretch = 0.01

[[cloth]]
grid = { size = [1, 1], particles = [5, 5] }
material = "wool" # warm
pins = [{ corner = [0, 0] }, { index = 4 }]
"#;

fn set(sets: &[&str]) -> Scene {
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    match Scene::from_source(&common::source(SCENE, Path::new(".")), &sets) {
        Ok(scene) => scene,
        Err(error) => panic!("{}", error.render()),
    }
}

#[test]
fn words_need_no_quotes_and_comments_stay() {
    let scene = set(&["limiter.method=none"]);
    assert_eq!(scene.limiter.method, LimitMethod::None);
    assert_eq!(scene.text, SCENE.replace("\"bridson\"", "\"none\""));
}

#[test]
fn lists_are_reached_by_index() {
    let scene = set(&["cloth.0.grid.particles=[9, 7]", "cloth.0.pins.1.index=8", "cloth.0.grid.size.1=2.5"]);
    assert!(scene.text.contains("grid = { size = [1, 2.5], particles = [9, 7] }"), "{}", scene.text);
    assert!(scene.text.contains("pins = [{ corner = [0, 0] }, { index = 8 }]"), "{}", scene.text);
    assert_eq!(scene.text.lines().count(), SCENE.lines().count(), "no line may move");
}

#[test]
fn missing_tables_are_created() {
    let scene = set(&["air.wind=[4, 0, 0]", "time.duration=1", "cloth.0.start.noise=0.001"]);
    assert_eq!(scene.world.air.wind.x, 4.0);
    assert_eq!(scene.frames, 30);
    assert_eq!(scene.cloths[0].start.noise, 0.001);
    assert!(scene.text.starts_with(SCENE.split("pins").next().unwrap()), "{}", scene.text);
}

#[test]
fn a_key_inside_a_short_form_unfolds_it() {
    let scene = set(&["cloth.0.material.density=0.5"]);
    assert!(scene.text.contains("material = { base = \"wool\", density = 0.5 } # warm"), "{}", scene.text);
    let muslin::model::Body::Surface(surface) = &scene.cloths[0].body else { panic!("a sheet") };
    assert_eq!(surface.material.density, 0.5);
    assert_eq!(surface.material.bending, 1.5e-5, "the rest is wool");
}

#[test]
fn later_options_win_and_values_may_hold_equal_signs() {
    let scene = set(&["title=a=b", "seed=1", "seed=2"]);
    assert_eq!((scene.title.as_str(), scene.seed), ("a=b", 2));
}

#[test]
fn fractions_of_a_second_are_text() {
    assert_eq!(set(&["time.step=1/120"]).steps_per_frame, Some(4));
    assert_eq!(set(&["time.step=frame/7"]).steps_per_frame, Some(7));
}
