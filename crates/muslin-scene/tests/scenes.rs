//! Scenes from file to model.

mod common;

use std::fs;
use std::path::Path;

use muslin::model::{Body, Hold, Motion};
use muslin::{DVec3, Mesh};
use muslin_scene::{Scene, SceneError};

fn scene_in(text: &str, folder: &Path) -> Scene {
    shown(Scene::from_source(&common::source(text, folder), &[]))
}

fn scene(text: &str) -> Scene {
    scene_in(text, Path::new("tests/files"))
}

fn shown<T>(result: Result<T, SceneError>) -> T {
    result.unwrap_or_else(|error| panic!("{}", error.render()))
}

#[test]
fn hang_is_the_sheet_it_is_said_to_be() {
    let scene = shown(Scene::load("hang", &[]));
    assert_eq!((scene.name.as_str(), scene.frames, scene.frames_per_second), ("hang", 90, 30.0));
    let built = shown(scene.build());
    assert_eq!(built.model.len(), 41 * 41);
    assert!((built.model.total_mass() - 0.15).abs() < 1e-12, "{} kg, rounding aside 0.15", built.model.total_mass());
    let held: Vec<u32> = built.model.pins.iter().flat_map(|pin| pin.particles.clone()).collect();
    assert_eq!(held, [0, 40]);
    assert_eq!(built.model.start[40], DVec3::new(1.0, 0.0, 0.0));
    assert_eq!(built.probes, [("free corner".to_owned(), 41 * 41 - 1)]);
    assert!(built.model.start.iter().all(|point| point.y == 0.0), "flat and level");
}

#[test]
fn bench_hang_is_bare() {
    let built = shown(shown(Scene::load("bench-hang", &[])).build());
    assert_eq!(built.model.springs.len(), 2 * 41 * 40, "structural edges only");
    assert!(built.model.hinges.is_empty() && built.model.corners.is_empty());
}

#[test]
fn a_transform_places_the_start_and_scales_both_shapes() {
    let text = "[[cloth]]\ngrid = { particles = [2, 2] }\n\
                transform = { scale = 2.0, rotate = { axis = [0, 0, 3], degrees = 90 }, translate = [0, 0, 5] }\n\
                start = { scale = [1.5, 1, 1], velocity = [0, 1, 0], \
                spin = { axis = [0, 0, 1], degrees_per_second = 180, centre = [0, 0, 0] } }\n";
    let built = shown(scene(text).build());
    let near = |a: DVec3, b: DVec3| assert!((a - b).length() < 1e-14, "{a} is not {b}, but for rounding");
    near(built.model.cloths[0].mesh.positions[3], DVec3::new(2.0, 0.0, 2.0));
    near(built.model.start[3], DVec3::new(0.0, 3.0, 7.0));
    near(built.model.start_velocity[3], DVec3::new(-3.0 * std::f64::consts::PI, 1.0, 0.0));
}

#[test]
fn noise_depends_on_the_seed_and_stays_within_its_bound() {
    let text = |seed: u32| {
        format!("seed = {seed}\n[[cloth]]\ngrid = {{ particles = [20, 20] }}\nstart = {{ noise = 0.01 }}\n")
    };
    let start = |seed| shown(scene(&text(seed)).build()).model.start;
    let rest = shown(scene("[[cloth]]\ngrid = { particles = [20, 20] }\n").build()).model.start;
    assert_eq!(start(1), start(1));
    assert_ne!(start(1), start(2));
    let moved: Vec<f64> = start(1).iter().zip(&rest).map(|(a, b)| (*a - *b).abs().max_element()).collect();
    let most = moved.iter().copied().fold(0.0, f64::max);
    assert!(most <= 0.01 && most > 0.009, "400 vertices come near the bound: {most}");
}

#[test]
fn velocity_noise_depends_on_the_seed_and_leaves_places_alone() {
    let text = |seed: u32, noise: f64| {
        format!(
            "seed = {seed}\n[[cloth]]\ngrid = {{ particles = [20, 20] }}\nstart = {{ velocity_noise = {noise:.1} }}\n"
        )
    };
    let model = |seed, noise| shown(scene(&text(seed, noise)).build()).model;
    let (still, shaken) = (model(1, 0.0), model(1, 0.5));
    assert_eq!(still.start, shaken.start);
    assert_eq!(shaken.start_velocity, model(1, 0.5).start_velocity);
    assert_ne!(shaken.start_velocity, model(2, 0.5).start_velocity);
    let most = shaken.start_velocity.iter().map(|v| v.abs().max_element()).fold(0.0, f64::max);
    assert!(most <= 0.5 && most > 0.45, "400 vertices come near the bound: {most}");
}

#[test]
fn pins_carry_their_hold_motion_and_release() {
    let text = r#"
[[cloth]]
grid = { particles = [3, 3] }
pins = [
  { corner = [0, 0], motion = { keys = [{ time = 0 }, { time = 1, translate = [0, 1, 0] }], ease = "linear" } },
  { index = [4, 5], plane = [0, 2, 0], release = 1.5 },
  { box = { min = [-1, -1, 0.9], max = [2, 1, 2] }, line = [1, 0, 0] },
]
"#;
    let pins = shown(scene(text).build()).model.pins;
    let Hold::Fixed(motion) = &pins[0].hold else { panic!("fixed") };
    assert_eq!(motion.place(DVec3::ZERO, 0.5), DVec3::new(0.0, 0.5, 0.0));
    assert_eq!((&pins[1].hold, pins[1].release), (&Hold::Plane(DVec3::Y), Some(1.5)));
    assert_eq!((&pins[2].hold, pins[2].particles.as_slice()), (&Hold::Line(DVec3::X), &[6, 7, 8][..]));
    assert_ne!(pins[0].hold, Hold::Fixed(Motion::default()));
}

#[test]
fn pulls_draw_from_when_until_when_with_no_more_than_their_cap() {
    // Every particle of a sheet that nothing else moves is drawn with 0.01 N to a place far above.
    let text = "[time]\nduration = 1\n[world]\ngravity = [0, 0, 0]\n[air]\ndensity = 0\n\
                [[cloth]]\nname = \"still\"\ngrid = { particles = [3, 3] }\n\
                [[cloth]]\nname = \"sheet\"\ngrid = { size = [0.3, 0.3], particles = [7, 7] }\n\
                transform = { translate = [3, 0, 0] }\n\
                [[pull]]\ncloth = \"sheet\"\nbox = { min = [2, -1, -1], max = [4, 1, 1] }\n\
                motion = { keys = [{ time = 0, translate = [0, 100, 0] }] }\n\
                cap = 0.01\ndamping = 0\nfrom = 0.25\nuntil = 0.75\n";
    let mut simulation = shown(scene(text).prepare());
    let model = simulation.model().clone();
    let (still, sheet) = (model.cloth("still").unwrap(), model.cloth("sheet").unwrap());
    for _ in 0..60 {
        simulation.step(()).unwrap();
    }
    // a = 49 · 0.01 N / (0.15 kg/m² · 0.09 m²) for half a second, then as fast as it is for a quarter.
    let a = 0.49 / (0.15 * 0.09);
    let expected = 0.5 * a * 0.5 * 0.5 + a * 0.5 * 0.25;
    let drawn = simulation.positions(sheet);
    let mean = drawn.iter().map(|x| x.y).sum::<f64>() / drawn.len() as f64;
    // Particles at the border are lighter and pull at the others, so that it is their centre of mass that goes so.
    assert!((mean - expected).abs() < 0.01 * expected, "{mean} m, wanted {expected} m");
    assert!(simulation.positions(still).iter().all(|x| x.y == 0.0), "nothing draws the other");
}

#[test]
fn a_pull_without_numbers_is_the_librarys() {
    let text = "[[cloth]]\ngrid = { particles = [3, 3] }\n[[pull]]\nindex = [0, 8]\n";
    let built = shown(scene(text).build());
    let (own, library) = (&built.model.pulls[0], muslin::Pull::new(0, DVec3::ZERO, 0.5));
    assert_eq!(own.particles, [0, 8]);
    assert_eq!([own.cap, own.stiffness, own.damping], [library.cap, library.stiffness, library.damping]);
    assert_eq!((own.from, own.until), (0.0, None));
}

#[test]
fn every_kind_of_mesh_builds() {
    for source in [
        "grid = { diagonals = \"alternating\", triangles = true }",
        "disc = {}",
        "tube = {}",
        "irregular = {}",
        "block = {}",
        "chain = { from = [0, 0, 0], to = [0, 1, 0], particles = 5, mass = 1, stiffness = 100 }",
        "mesh = \"shirt.obj\"",
        "mesh = { file = \"shirt.obj\", up = \"z\", scale = 0.5, diagonals = \"one\" }\nrest = \"shirt.obj\"",
    ] {
        let built = shown(scene(&format!("[[cloth]]\n{source}\n")).build());
        assert!(built.model.total_mass() > 0.0, "{source}");
    }
}

#[test]
fn a_pendulum_may_hang_on_a_rod_without_mass() {
    let text =
        "[[cloth]]\nchain = { from = [0, 0, 0], to = [1, 0, 0], bob = 1, stiffness = 5e4 }\npins = [{ index = 0 }]\n";
    let scene = scene(text);
    assert!(matches!(scene.cloths[0].body, Body::Chain(chain) if chain.bob == 1.0));
    shown(scene.build());
}

#[test]
fn a_scene_moved_into_a_run_folder_builds_the_same_model() {
    let (home, run) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in ["a", "b"] {
        fs::create_dir(home.path().join(folder)).unwrap();
        fs::copy("tests/files/shirt.obj", home.path().join(folder).join("shirt.obj")).unwrap();
    }
    let text = "[[cloth]]\nmesh = \"a/shirt.obj\" # the first\n\
                [[cloth]]\nmesh = { file = \"b/shirt.obj\", scale = 2.0 }\nrest = \"a/shirt.obj\"\n";
    let scene = scene_in(text, home.path());
    let stored: Vec<String> = scene.inputs().iter().map(|input| input.stored_as.clone()).collect();
    assert_eq!(stored, ["inputs/shirt.obj", "inputs/2-shirt.obj"]);
    store(&scene, run.path()).unwrap();
    drop(home);
    let again = shown(Scene::load(run.path().to_str().unwrap(), &[]));
    assert!(again.text.contains("# the first"), "{}", again.text);
    assert_eq!(shown(again.build()).model.cloths[1].mesh.positions.len(), 4);
    assert_eq!(again.portable_text(), again.text, "a second move changes nothing more");
}

/// Writes what a run folder keeps of a scene.
fn store(scene: &Scene, run: &Path) -> std::io::Result<()> {
    fs::create_dir_all(run.join("inputs/start-from"))?;
    for input in scene.inputs() {
        fs::write(run.join(&input.stored_as), input.contents()?)?;
    }
    fs::write(run.join("scene.toml"), scene.portable_text())
}

/// A cache of frames by a formula for each vertex's height.
fn cache(mesh: &Mesh, frames: u32, height: impl Fn(f64) -> f64) -> Vec<u8> {
    let mut bytes = b"POINTCACHE2\0".to_vec();
    for word in [1, mesh.positions.len() as u32, 0, 1_f32.to_bits(), frames] {
        bytes.extend(word.to_le_bytes());
    }
    for frame in 0..frames {
        for point in &mesh.positions {
            for value in [point.x, height(f64::from(frame)), point.z] {
                bytes.extend((value as f32).to_le_bytes());
            }
        }
    }
    bytes
}

#[test]
fn a_run_starts_from_a_frame_of_an_earlier_one_also_after_a_move() {
    let (home, moved) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let cloth = "[[cloth]]\nname = \"s\"\ngrid = { particles = [2, 2] }\n";
    let mesh = shown(scene(cloth).build()).model.cloths[0].mesh.clone();
    let earlier = home.path().join("runs/fall");
    fs::create_dir_all(&earlier).unwrap();
    fs::write(earlier.join("scene.toml"), format!("time = {{ frames_per_second = 10 }}\n{cloth}")).unwrap();
    // Free fall with 2 m/s²: second-order differences of a parabola are exact but for f32.
    let fall = |frame: f64| -(frame / 10.0) * (frame / 10.0);
    fs::write(earlier.join("s.pc2"), cache(&mesh, 9, fall)).unwrap();
    for frame in [5, 8] {
        let text = format!("{cloth}[start_from]\nrun = \"runs/fall\"\nframe = {frame}\n");
        let scene = scene_in(&text, home.path());
        let model = shown(scene.build()).model;
        let (height, speed) = (fall(f64::from(frame)), -0.2 * f64::from(frame));
        assert!((model.start[3] - DVec3::new(1.0, height, 1.0)).length() < 1e-7, "{}", model.start[3]);
        // f32 positions of 1 m are off by 6e-8, times 10 frames per second and the weights of the difference.
        assert!((model.start_velocity[3].y - speed).abs() < 4e-6, "{} is not {speed}", model.start_velocity[3].y);
        store(&scene, moved.path()).unwrap();
        let again = shown(shown(Scene::load(moved.path().to_str().unwrap(), &[])).build()).model;
        assert_eq!((again.start, again.start_velocity), (model.start, model.start_velocity));
    }
    let at_rest = format!("{cloth}[start_from]\nrun = \"runs/fall\"\nframe = 5\nat_rest = true\n");
    let model = shown(scene_in(&at_rest, home.path()).build()).model;
    assert!(model.start_velocity.iter().all(|velocity| *velocity == DVec3::ZERO));
}

#[test]
fn a_start_from_that_cannot_be_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let cloth = "[[cloth]]\nname = \"s\"\ngrid = { particles = [3, 3] }\n";
    let mesh = shown(scene(cloth).build()).model.cloths[0].mesh.clone();
    fs::write(home.path().join("s.pc2"), cache(&mesh, 2, |_| 0.0)).unwrap();
    fs::write(home.path().join("junk.pc2"), b"not a cache").unwrap();
    let refused = |cloth: &str, start: &str| {
        let text = format!("{cloth}[start_from]\nrun = \".\"\n{start}\n");
        let scene = Scene::from_source(&common::source(&text, home.path()), &[]);
        scene.and_then(|scene| scene.build()).map(|_| ()).unwrap_err().problems()[0].message.clone()
    };
    assert!(refused(cloth, "frame = 2\nat_rest = true").contains("has 2 frames"));
    assert!(refused(cloth, "frame = 1").contains("how many frames per second"));
    let other = cloth.replace("[3, 3]", "[4, 4]");
    assert!(refused(&other, "frame = 1\nat_rest = true").contains("16 vertices, but 9"));
    let junk = cloth.replace("\"s\"", "\"junk\"");
    assert!(refused(&junk, "frame = 0\nat_rest = true").contains("is not a PC2 point cache"));
    let unknown = cloth.replace("\"s\"", "\"t\"");
    assert!(refused(&unknown, "frame = 0\nat_rest = true").contains("no cloth \"t\""));
}

#[test]
fn a_camera_is_where_the_scene_says_and_moves_with_it() {
    let grid = "[[cloth]]\ngrid = { particles = [2, 2] }\n";
    assert_eq!(scene(grid).camera, None);
    let text = format!("{grid}[camera]\neye = [0, 5, 0]\ntarget = [0, 0, 0]\n");
    let camera = scene(&text).camera.unwrap();
    assert_eq!((camera.eye, camera.target), (DVec3::new(0.0, 5.0, 0.0), DVec3::ZERO), "straight from above is allowed");
    assert_eq!(camera.field_of_view, 35.0);
    let wider = format!("{text}field_of_view = 50\n");
    let moved = scene(&scene(&wider).portable_text()).camera.unwrap();
    assert_eq!(moved.field_of_view, 50.0);
}
