//! Colliders from scene to model: shapes, motions, contact, generated meshes.

mod common;

use std::path::Path;

use muslin::DVec3;
use muslin::collide::{Shape, TriangleSurface};
use muslin::model::{Collider, Solid};
use muslin::settings::Yield;
use muslin_scene::{Scene, SceneError};

const SHEET: &str = "[[cloth]]\nname = \"sheet\"\ngrid = { particles = [3, 3] }\n";

fn shown<T>(result: Result<T, SceneError>) -> T {
    result.unwrap_or_else(|error| panic!("{}", error.render()))
}

fn scene_in(text: &str, folder: &Path) -> Scene {
    shown(Scene::from_source(&common::source(&format!("{SHEET}{text}"), folder), &[]))
}

fn colliders(text: &str) -> Vec<Collider> {
    shown(scene_in(text, Path::new("tests/files")).build()).model.colliders
}

fn is_watertight(collider: &Collider) -> bool {
    let mesh = collider.mesh().expect("a mesh");
    TriangleSurface::new(mesh.positions.clone(), mesh.triangles.clone()).is_watertight()
}

fn near(a: DVec3, b: DVec3) {
    assert!((a - b).length() < 1e-12, "{a} is not {b}, but for rounding");
}

#[test]
fn contact_keys_reach_settings_and_colliders() {
    let text = "[contact]\nthickness = 0.002\nfriction = 0.4\nrepair = false\nverify = false\nyield = \"strain\"\n\
                [[cloth]]\nname = \"thick\"\ngrid = {}\nthickness = 0.005\n\
                [[collider]]\nplane = {}\nthickness = 0.001\n\
                [[collider]]\nsphere = { radius = 1 }\nfriction = 0.7\nfriction_with = { thick = 0.2 }\n";
    let scene = scene_in(text, Path::new("."));
    let contact = scene.settings(1).contact;
    assert_eq!((contact.yields, contact.repair, contact.verify), (Yield::Strain, false, false));
    let colliders = shown(scene.build()).model.colliders;
    assert_eq!(colliders[0].thickness, [0.003, 0.006], "the cloth's own and the collider's, added");
    assert_eq!(colliders[0].friction, [0.4, 0.4]);
    assert_eq!(colliders[1].thickness, [0.002, 0.005]);
    assert_eq!(colliders[1].friction, [0.7, 0.2], "a single cloth goes before all cloths");
    assert_eq!((colliders[0].name.as_str(), colliders[1].name.as_str()), ("collider", "collider-2"));
}

#[test]
fn without_contact_keys_the_defaults_are_those_of_the_reference() {
    let scene = scene_in("[[collider]]\nplane = {}\n", Path::new("."));
    assert_eq!(scene.settings(1).contact, muslin::settings::Contact::default());
    let colliders = shown(scene.build()).model.colliders;
    assert_eq!((colliders[0].thickness[0], colliders[0].friction[0]), (0.001, 0.3));
}

#[test]
fn shapes_have_their_sizes_and_places() {
    let text = "[[collider]]\nplane = {}\ntransform = { rotate = { axis = [0, 0, 1], degrees = 90 } }\n\
                [[collider]]\nsphere = { radius = 0.5 }\ntransform = { scale = 2, translate = [1, 2, 3] }\n\
                [[collider]]\nbox = { size = [1, 2, 4] }\n\
                [[collider]]\ncapsule = { radius = 0.1, length = 0.6 }\n\
                [[collider]]\ncylinder = { radius = 0.1, length = 0.6 }\n";
    let found: Vec<_> = colliders(text).into_iter().map(|collider| collider.solid).collect();
    let shapes = found.iter().map(|solid| match solid {
        Solid::Shape { shape, pose } => (*shape, *pose),
        other => panic!("{other:?}"),
    });
    let shapes: Vec<_> = shapes.collect();
    near(shapes[0].1.rotation * DVec3::Y, DVec3::NEG_X);
    assert_eq!((shapes[1].0, shapes[1].1.position), (Shape::Sphere { radius: 1.0 }, DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!(shapes[2].0, Shape::Box { half: DVec3::new(0.5, 1.0, 2.0) });
    assert_eq!(shapes[3].0, Shape::Capsule { radius: 0.1, half_length: 0.3 }, "length is that of the straight part");
    assert_eq!(shapes[4].0, Shape::Cylinder { radius: 0.1, half_length: 0.3 });
}

#[test]
fn a_collider_moves_by_keys_about_its_own_place() {
    let text = "[[collider]]\nbox = { size = [1, 1, 1] }\ntransform = { translate = [5, 0, 0] }\n\
                motion = { keys = [{ time = 0 }, { time = 1, translate = [0, 1, 0], \
                rotate = { axis = [0, 1, 0], degrees = 90 } }], ease = \"linear\" }\n";
    let pose = colliders(text)[0].pose(1.0);
    near(pose.position, DVec3::new(5.0, 1.0, 0.0));
    near(pose.rotation * DVec3::X, DVec3::NEG_Z);
}

#[test]
fn a_spin_goes_on_at_its_speed_from_its_start() {
    let text = "[[collider]]\nsphere = { radius = 1 }\ntransform = { translate = [0, 3, 0] }\n\
                motion = { spin = { axis = [0, 2, 0], degrees_per_second = 90, start = 1 } }\n\
                [[collider]]\nsphere = { radius = 1 }\n\
                motion = { spin = { axis = [0, 1, 0], degrees_per_second = 90 }, centre = [1, 0, 0] }\n";
    let colliders = colliders(text);
    assert!(!colliders[0].rests());
    near(colliders[0].pose(1.0).rotation * DVec3::X, DVec3::X);
    near(colliders[0].pose(2.0).rotation * DVec3::X, DVec3::NEG_Z);
    near(colliders[0].pose(2.0).position, DVec3::new(0.0, 3.0, 0.0));
    // After 250 turns the angle is still right to rounding of numbers of its own size.
    assert!((colliders[0].pose(1001.0).rotation * DVec3::X - DVec3::X).length() < 1e-11);
    near(colliders[1].pose(2.0).position, DVec3::new(2.0, 0.0, 0.0));
}

#[test]
fn a_level_set_knows_the_distance_of_its_mesh() {
    let text = "[[collider]]\ntorus_knot = {}\nlevel_set = { cell = 0.02 }\n";
    let Solid::LevelSet { mesh, grid } = colliders(text).remove(0).solid else { panic!("a level set") };
    let surface = TriangleSurface::new(mesh.positions.clone(), mesh.triangles.clone());
    let point = DVec3::new(0.4, 0.05, 0.0);
    let exact = surface.nearest(point, 1.0).unwrap().distance;
    // Between nodes the grid is off by at most a cell.
    assert!((grid.nearest(point).distance - exact).abs() < 0.02, "{} is not {exact}", grid.nearest(point).distance);
}

/// Edges that pass through triangles they do not touch, by the exact predicate.
fn crossings(mesh: &muslin::model::SolidMesh) -> usize {
    use muslin::collide::{Meeting, edge_meets_triangle};
    let surface = TriangleSurface::new(mesh.positions.clone(), mesh.triangles.clone());
    let at = |i: u32| mesh.positions[i as usize];
    let mut found = 0;
    for &[a, b] in surface.edges() {
        let (low, high) = (at(a).min(at(b)), at(a).max(at(b)));
        for triangle in &mesh.triangles {
            let corners = triangle.map(at);
            let (least, most) =
                (corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2]));
            if triangle.contains(&a) || triangle.contains(&b) || low.cmpgt(most).any() || high.cmplt(least).any() {
                continue;
            }
            found += usize::from(edge_meets_triangle([at(a), at(b)], corners) != Meeting::Apart);
        }
    }
    found
}

#[test]
fn options_reach_into_colliders() {
    let text = format!("{SHEET}[[collider]]\nsphere = {{ radius = 1 }}\n");
    let source = common::source(&text, Path::new("."));
    let sets = ["collider.0.sphere.radius=2", "collider.0.friction_with.sheet=0.9", "contact.thickness=0.004"];
    let scene = shown(Scene::from_source(&source, &sets.map(String::from)));
    let collider = shown(scene.build()).model.colliders.remove(0);
    assert!(matches!(collider.solid, Solid::Shape { shape: Shape::Sphere { radius: 2.0 }, .. }));
    assert_eq!((collider.friction[0], collider.thickness[0]), (0.9, 0.004));
}

mod slow {
    use super::*;

    #[test]
    fn the_knot_is_watertight_and_does_not_meet_itself() {
        for knot in ["", "turns = [3, 2]", "turns = [2, 5], rope = 0.03, segments = [300, 12]"] {
            let collider = colliders(&format!("[[collider]]\ntorus_knot = {{ {knot} }}\n")).remove(0);
            assert!(is_watertight(&collider), "{knot}");
            let mesh = collider.mesh().unwrap();
            let volume: f64 = mesh
                .triangles
                .iter()
                .map(|t| t.map(|i| mesh.positions[i as usize]))
                .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
                .sum();
            assert!(volume > 0.0, "its corners go round seen from outside: {volume}");
            assert_eq!(crossings(mesh), 0, "{knot}");
        }
    }
}
