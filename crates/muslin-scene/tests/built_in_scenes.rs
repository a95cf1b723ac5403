//! Every built-in scene: what it says of itself, whether it builds, and whether every limiter can run it. A test for
//! each.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::collections::BTreeSet;
use std::fs;

use muslin_scene::typed::LimiterMethod;
use muslin_scene::{Scene, SceneError, Source, builtin};

/// A test for each scene, named as it is but for `_` in place of `-`, and their names.
macro_rules! scenes {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                examine(&scene_of(stringify!($name)));
            }
        )*

        const TESTED: &[&str] = &[$(stringify!($name)),*];
    };
}

scenes! {
    bb08_10 bb08_20 bb08_30 bb08_40 bb08_50 bb08_scrambled bb08_sphere bb08_tolerance bench_hang block buckling
    curtain_pull curtain_rod dampers drape_mesh drape_table flag fold funnel hang hang_release incline isotropic_meshes
    jlgf17_against jlgf17_against_equality jlgf17_against_two_sided jlgf17_along jlgf17_along_equality
    jlgf17_along_two_sided jlgf17_bending jlgf17_cross jlgf17_histogram jlgf17_no_cross jlgf17_unstructured
    jlgf17_unstructured_equality jlgf17_unstructured_two_sided laundry needles pendulum pinch ribbon_knot sculpted_fold
    selfdrape shear_ladder spin_sphere spring spring_constants stack_10 twist walker ye08_ball ye08_corners
    ye08_explicit ye08_realtime ye08_rugged ye08_steps ywg05_hang
}

#[test]
fn every_file_in_scenes_is_built_in_and_has_its_test() {
    let files = fs::read_dir("scenes").unwrap().map(|entry| entry.unwrap().path());
    let scenes = files.filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let files: BTreeSet<String> = scenes.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    let built_in: Vec<&str> = builtin::list().iter().map(|scene| scene.name).collect();
    assert_eq!(built_in, Vec::from_iter(&files), "the list in builtin.rs and the folder scenes/ differ");
    let tested: Vec<String> = TESTED.iter().map(|name| scene_of(name)).collect();
    assert_eq!(tested, built_in, "the tests in this file and the built-in scenes differ");
}

/// The scene that a test is named after.
fn scene_of(test: &str) -> String {
    test.replace('_', "-")
}

fn shown<T>(result: Result<T, SceneError>) -> T {
    result.unwrap_or_else(|error| panic!("{}", error.render()))
}

fn examine(name: &str) {
    let (title, description) = builtin::find(name).unwrap().about();
    assert!(!title.is_empty() && !description.is_empty(), "it does not say what it is");
    let scene = shown(Scene::load(name, &[]));
    assert!(!scene.expectations.is_empty(), "it does not state what must hold at its end");
    shown(scene.build());
    let source = Source::find(name).unwrap();
    for method in LimiterMethod::ALL {
        let variant = Scene::with_limiter(&source, &[], method);
        let variant = variant.unwrap_or_else(|error| panic!("{method:?}: {}", error.render()));
        assert_eq!(variant.scene.limiter.stretch, scene.limiter.stretch, "{method:?}");
    }
}

/// The turned grid of `isotropic-meshes` is a square metre whose sides run at 45° to its borders, along which they end.
#[test]
fn the_turned_grid_is_at_45_degrees_to_its_borders() {
    let model = Scene::load("isotropic-meshes", &[]).unwrap().build().unwrap().model;
    let turned = &model.cloths[1];
    let places = &turned.mesh.positions;
    let on_border = |at: f64| at == 0.0 || at == 1.0;
    for edge in &turned.topology.edges {
        let [a, b] = [edge.a, edge.b].map(|vertex| places[vertex as usize]);
        let along = (b - a).abs();
        let border = (a.x == b.x && on_border(a.x)) || (a.z == b.z && on_border(a.z));
        assert!(border || (along.x - along.z).abs() < 1e-8, "{a} to {b}");
    }
    let doubled = |[a, b, c]: [u32; 3]| {
        let [a, b, c] = [a, b, c].map(|vertex| places[vertex as usize]);
        (b - a).cross(c - a).y
    };
    let area = 0.5 * turned.topology.triangles.iter().map(|corners| doubled(*corners)).sum::<f64>();
    assert!((area - 1.0).abs() < 1e-8, "{area} m²");
}
