//! Colliders from files: meshes sewn, caches that deform them, and what a run folder keeps.

mod common;

use std::fs;
use std::path::Path;

use muslin::DVec3;
use muslin::collide::TriangleSurface;
use muslin::model::{Collider, Solid};
use muslin_scene::{Built, Scene, SceneError};

const SHEET: &str = "[[cloth]]\nname = \"sheet\"\ngrid = { particles = [3, 3] }\n";

/// A unit cube whose six quads have vertices of their own, as exporters write meshes with sharp edges.
const SPLIT_CUBE: &str = "\
v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 1 1 1\nv 0 1 1\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n\
v 0 0 1\nv 0 1 1\nv 1 1 1\nv 1 0 1\nv 0 0 0\nv 0 1 0\nv 0 1 1\nv 0 0 1\nv 1 0 0\nv 1 0 1\nv 1 1 1\nv 1 1 0\n\
f 4 3 2 1\nf 8 7 6 5\nf 12 11 10 9\nf 16 15 14 13\nf 20 19 18 17\nf 24 23 22 21\n";

fn shown<T>(result: Result<T, SceneError>) -> T {
    result.unwrap_or_else(|error| panic!("{}", error.render()))
}

fn scene_in(text: &str, folder: &Path) -> Scene {
    shown(Scene::from_source(&common::source(&format!("{SHEET}{text}"), folder), &[]))
}

fn built_in(text: &str, folder: &Path) -> Built {
    shown(scene_in(text, folder).build())
}

/// The message of a scene that is wrong with files of a folder.
fn refused(text: &str, folder: &Path) -> String {
    let source = common::source(&format!("{SHEET}{text}"), folder);
    let result = Scene::from_source(&source, &[]).and_then(|scene| scene.build());
    result.map(|_| ()).expect_err("the scene is wrong").problems()[0].message.clone()
}

fn is_watertight(collider: &Collider) -> bool {
    let mesh = collider.mesh().expect("a mesh");
    TriangleSurface::new(mesh.positions.clone(), mesh.triangles.clone()).is_watertight()
}

/// A PC2 cache of so many shapes, each moved by a formula of its number.
fn pc2(points: &[DVec3], shapes: u32, moved: impl Fn(f32, DVec3) -> DVec3) -> Vec<u8> {
    let mut bytes = b"POINTCACHE2\0".to_vec();
    for word in [1, points.len() as u32, 0, 1_f32.to_bits(), shapes] {
        bytes.extend(word.to_le_bytes());
    }
    for shape in 0..shapes {
        let moved = points.iter().flat_map(|point| moved(shape as f32, *point).to_array());
        moved.for_each(|coordinate| bytes.extend((coordinate as f32).to_le_bytes()));
    }
    bytes
}

/// The same as an MDD cache with a shape at each time [s].
fn mdd(points: &[DVec3], times: &[f32], moved: impl Fn(f32, DVec3) -> DVec3) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend((times.len() as i32).to_be_bytes());
    bytes.extend((points.len() as i32).to_be_bytes());
    bytes.extend(times.iter().flat_map(|time| time.to_be_bytes()));
    for shape in 0..times.len() {
        let moved = points.iter().flat_map(|point| moved(shape as f32, *point).to_array());
        moved.for_each(|coordinate| bytes.extend((coordinate as f32).to_be_bytes()));
    }
    bytes
}

/// The vertices of an OBJ text.
fn vertices(obj: &str) -> Vec<DVec3> {
    let numbers = |line: &str| line.split(' ').filter_map(|word| word.parse().ok()).collect::<Vec<f64>>();
    obj.lines().filter(|line| line.starts_with('v')).map(|line| DVec3::from_slice(&numbers(line))).collect()
}

#[test]
fn a_mesh_with_split_vertices_is_sewn_and_counts_as_watertight() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("cube.obj"), SPLIT_CUBE).unwrap();
    let text = "[[collider]]\nname = \"cube\"\nmesh = { file = \"cube.obj\", scale = 0.5 }\n\
                transform = { translate = [0, 1, 0] }\n";
    let built = built_in(text, home.path());
    let collider = &built.model.colliders[0];
    let mesh = collider.mesh().unwrap();
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (8, 12), "24 vertices sewn to 8, quads split");
    assert!(is_watertight(collider));
    assert!(mesh.positions.contains(&DVec3::new(0.5, 1.5, 0.5)), "{:?}", mesh.positions);
    let notes = built.notes.join("\n");
    assert!(notes.contains("cube: ") && notes.contains("16 vertices"), "{notes}");
    assert!(!notes.contains("open"), "{notes}");
}

#[test]
fn an_open_mesh_is_taken_and_said_to_be_open() {
    let built = built_in("[[collider]]\nname = \"rag\"\nmesh = \"shirt.obj\"\n", Path::new("tests/files"));
    assert!(!is_watertight(&built.model.colliders[0]));
    assert!(built.notes.iter().any(|note| note.starts_with("rag: the mesh is open")), "{:?}", built.notes);
}

#[test]
fn z_up_files_are_turned_for_mesh_and_cache_alike() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("cube.obj"), SPLIT_CUBE).unwrap();
    let up = |shape: f32, point: DVec3| point + f64::from(shape) * DVec3::Z;
    fs::write(home.path().join("cube.pc2"), pc2(&vertices(SPLIT_CUBE), 2, up)).unwrap();
    let text = "[[collider]]\nmesh = { file = \"cube.obj\", up = \"z\" }\n\
                deform = { file = \"cube.pc2\", frames_per_second = 1 }\n";
    let collider = &built_in(text, home.path()).model.colliders[0];
    let mut positions = Vec::new();
    collider.positions(1.0, &mut positions);
    let lowest = positions.iter().map(|point| point.y).fold(f64::INFINITY, f64::min);
    assert_eq!(lowest, 1.0, "what rises along z in the file rises along y");
}

#[test]
fn caches_of_every_format_move_the_mesh_alike() {
    let home = tempfile::tempdir().unwrap();
    let cube = vertices(SPLIT_CUBE);
    let grow = |shape: f32, point: DVec3| point * (1.0 + f64::from(shape));
    fs::write(home.path().join("cube.obj"), SPLIT_CUBE).unwrap();
    fs::write(home.path().join("a.pc2"), pc2(&cube, 3, grow)).unwrap();
    fs::write(home.path().join("a.mdd"), mdd(&cube, &[0.0, 0.5, 1.0], grow)).unwrap();
    for shape in 0..3_u8 {
        let lines = cube.iter().map(|point| grow(f32::from(shape), *point));
        let text: Vec<String> = lines.map(|point| format!("v {} {} {}\n", point.x, point.y, point.z)).collect();
        fs::write(home.path().join(format!("a_{:04}.obj", shape + 9)), text.concat()).unwrap();
    }
    let cases = [
        "{ file = \"a.pc2\", frames_per_second = 2, start = 1 }",
        "{ file = \"a.mdd\", start = 1 }",
        "{ file = \"a_####.obj\", frames_per_second = 2, start = 1 }",
    ];
    for case in cases {
        let text = format!(
            "[[collider]]\nmesh = \"cube.obj\"\ndeform = {case}\ntransform = {{ scale = 2, translate = [0, 1, 0] }}\n"
        );
        let built = built_in(&text, home.path());
        let collider = &built.model.colliders[0];
        assert!(is_watertight(collider) && !collider.rests(), "{case}");
        let mut positions = Vec::new();
        for (time, size) in [(0.0, 2.0), (1.0, 2.0), (1.25, 3.0), (1.5, 4.0), (2.0, 6.0), (9.0, 6.0)] {
            collider.positions(time, &mut positions);
            let highest = positions.iter().map(|point| point.y).fold(f64::NEG_INFINITY, f64::max);
            assert_eq!(highest, 1.0 + size, "{case} at {time} s");
        }
    }
}

#[test]
fn a_cache_goes_at_the_scenes_frame_rate_unless_it_says_otherwise() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("cube.obj"), SPLIT_CUBE).unwrap();
    fs::write(home.path().join("a.pc2"), pc2(&vertices(SPLIT_CUBE), 2, |_, point| point)).unwrap();
    let text = "[[collider]]\nmesh = \"cube.obj\"\ndeform = { file = \"a.pc2\" }\n[time]\nframes_per_second = 25\n";
    let built = built_in(text, home.path());
    let Solid::Deforming { cache, .. } = &built.model.colliders[0].solid else { panic!("deforming") };
    assert_eq!((cache.interval, cache.start), (0.04, 0.0));
}

#[test]
fn vertices_that_come_apart_later_are_not_sewn() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("cube.obj"), SPLIT_CUBE).unwrap();
    let cube = vertices(SPLIT_CUBE);
    // The lid, vertices 4 to 7 of the file, opens.
    let mut bytes = pc2(&cube, 2, |_, point| point);
    let lid = 32 + (cube.len() + 4) * 12 + 4;
    bytes[lid..lid + 4].copy_from_slice(&1.5_f32.to_le_bytes());
    fs::write(home.path().join("a.pc2"), bytes).unwrap();
    let text = "[[collider]]\nname = \"chest\"\nmesh = \"cube.obj\"\ndeform = { file = \"a.pc2\" }\n";
    let built = built_in(text, home.path());
    assert!(!is_watertight(&built.model.colliders[0]));
    assert!(built.notes.iter().any(|note| note.contains("come apart later")), "{:?}", built.notes);
}

#[test]
fn colliders_moved_into_a_run_folder_build_the_same() {
    let (home, run) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let cube = vertices(SPLIT_CUBE);
    let grow = |shape: f32, point: DVec3| point * (1.0 + f64::from(shape));
    fs::create_dir(home.path().join("walk")).unwrap();
    fs::write(home.path().join("cube.obj"), SPLIT_CUBE).unwrap();
    fs::write(home.path().join("walk/a.pc2"), pc2(&cube, 3, grow)).unwrap();
    for shape in 1..4 {
        fs::write(home.path().join(format!("walk/a_{shape}.obj")), SPLIT_CUBE).unwrap();
    }
    let text = "[[collider]]\nmesh = \"cube.obj\" # short form\ndeform = { file = \"walk/a.pc2\" }\n\
                [[collider]]\nmesh = { file = \"cube.obj\", scale = 2.0 }\ndeform.file = \"walk/a_#.obj\"\n";
    let scene = scene_in(text, home.path());
    let before = shown(scene.build()).model.colliders;
    fs::create_dir(run.path().join("inputs")).unwrap();
    for input in scene.inputs() {
        fs::write(run.path().join(&input.stored_as), input.contents().unwrap()).unwrap();
    }
    fs::write(run.path().join("scene.toml"), scene.portable_text()).unwrap();
    drop(home);
    let again = shown(Scene::load(run.path().to_str().unwrap(), &[]));
    let after = shown(again.build()).model.colliders;
    for (one, other) in before.iter().zip(&after) {
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
    }
    assert_eq!(again.portable_text(), again.text, "a second move changes nothing more");
}

#[test]
fn caches_and_meshes_that_cannot_be_used_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let cube = vertices(SPLIT_CUBE);
    let write = |name: &str, content: &[u8]| fs::write(folder.join(name), content).unwrap();
    write("cube.obj", SPLIT_CUBE.as_bytes());
    write("few.pc2", &pc2(&cube[..7], 2, |_, point| point));
    write("nan.pc2", &pc2(&cube, 2, |_, _| DVec3::splat(f64::NAN)));
    write("none.pc2", &pc2(&cube, 0, |_, point| point));
    write("junk.pc2", b"not a cache");
    let three = pc2(&cube, 3, |_, point| point);
    write("half.pc2", &three[..three.len() - 12]);
    write("more.pc2", &[&three[..], b"junk"].concat());
    write("far.pc2", &pc2(&cube, 2, |_, _| DVec3::splat(1e30)));
    write("far.obj", SPLIT_CUBE.replacen("v ", "v 1e30 0 0\nv ", 1).as_bytes());
    write("line.obj", b"v 0 0 0\nv 1 0 0\nl 1 2\n");
    write("junk.mdd", b"\x7f\xff\xff\xff\x7f\xff\xff\xff");
    write("late.mdd", &mdd(&cube, &[0.0, 0.1, 0.5], |_, point| point));
    write("gap_1.obj", SPLIT_CUBE.as_bytes());
    write("gap_3.obj", SPLIT_CUBE.as_bytes());
    write("points.obj", b"v 0 0 0\nv 1 0 0\n");
    let deform = |file: &str| format!("[[collider]]\nmesh = \"cube.obj\"\ndeform = {{ file = \"{file}\" }}\n");
    for (text, expected) in [
        (deform("few.pc2"), "has 7 vertices, the mesh 24"),
        (deform("nan.pc2"), "vertex 0 of shape 0 of this cache is not finite"),
        (deform("none.pc2"), "holds no shape"),
        (deform("half.pc2"), "is not as long as its header says: it holds 2 whole frames"),
        (deform("more.pc2"), "is not as long as its header says: it holds 3 whole frames"),
        (deform("far.pc2"), "vertex 0 of shape 0 of this cache is beyond 1e12"),
        ("[[collider]]\nmesh = \"far.obj\"\n".to_owned(), "expected a number up to 1e12, found `1e30`"),
        ("[[collider]]\nmesh = \"line.obj\"\n".to_owned(), "it has no face"),
        ("[[collider]]\nmesh = { file = \"cube.obj\", scale = 1e-300 }\n".to_owned(), "m large"),
        (deform("junk.pc2"), "is not a PC2 point cache"),
        (deform("junk.mdd"), "is not an MDD point cache"),
        (deform("late.mdd"), "not equally spaced"),
        (deform("gap_#.obj"), "goes from \"gap_1.obj\" to \"gap_3.obj\""),
        (deform("missing_####.obj"), "no file fits"),
        (deform("missing.pc2"), "does not exist"),
        (deform("cube.obj"), "is no cache that muslin reads"),
        ("[[collider]]\nmesh = \"points.obj\"\n".into(), "cannot be used"),
        ("[[collider]]\nmesh = \"muslin:nothing.obj\"\n".into(), "inside muslin"),
    ] {
        let message = refused(&text, folder);
        assert!(message.contains(expected), "{message}");
    }
}
