//! Pictures of runs with solids: they are there, where they are, and do not push the cloth out of the picture.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::recorded::{film, model, sheet};
use glam::{DQuat, DVec3, Vec3};
use muslin::Model;
use muslin::collide::{Pose, Shape};
use muslin::model::{Collider, Ease, Key, Motion, Solid};
use muslin_render::{Camera, Colours, Film, FilmOptions, Picture};

const SIZE: [u32; 2] = [160, 120];

/// A sheet at rest over solids, at the given height above its start.
fn over(solids: &[(Shape, Pose, Motion)]) -> Model {
    let mut model = model(sheet(), Vec::new());
    for (index, (shape, pose, motion)) in solids.iter().enumerate() {
        model.colliders.push(Collider {
            name: format!("solid {index}"),
            solid: Solid::Shape { shape: *shape, pose: *pose },
            motion: motion.clone(),
            thickness: vec![0.001],
            friction: vec![0.3],
        });
    }
    model
}

fn still(model: &Model, height: f64, colours: Colours, frame: u64) -> Picture {
    raised(model, height, colours).still(frame, SIZE).unwrap()
}

fn raised(model: &Model, height: f64, colours: Colours) -> Film {
    film(model, 2, FilmOptions { colours, ..FilmOptions::default() }, &|_, start| start + DVec3::Y * height)
}

/// Pixels that look alike to a test.
fn count(picture: &Picture, is_meant: impl Fn([i32; 3]) -> bool) -> usize {
    picture.pixels.iter().filter(|pixel| is_meant(pixel.map(i32::from))).count()
}

/// Cloth is coloured; solids, floor and background are grey.
fn is_cloth([red, green, blue]: [i32; 3]) -> bool {
    red.max(green).max(blue) - red.min(green).min(blue) > 30
}

/// Orange: the colour of what is inside a solid.
fn is_inside([red, green, blue]: [i32; 3]) -> bool {
    red > green + 50 && green > blue + 30
}

fn ball(radius: f64, at: DVec3, motion: Motion) -> (Shape, Pose, Motion) {
    (Shape::Sphere { radius }, Pose::at(at), motion)
}

fn floor() -> (Shape, Pose, Motion) {
    (Shape::Plane, Pose::at(DVec3::ZERO), Motion::default())
}

#[test]
fn a_solid_is_drawn_and_framed_with_the_cloth() {
    let under = DVec3::new(0.0, -0.5, 0.0);
    let bare = still(&over(&[]), 0.0, Colours::Material, 0);
    let with = still(&over(&[ball(0.4, under, Motion::default())]), 0.0, Colours::Material, 0);
    // The cloth makes room for the ball, but is still there.
    let [before, after] = [&bare, &with].map(|picture| count(picture, is_cloth));
    assert!(after > 300 && after < before, "{before} and {after} pixels of cloth");
    let mut shown = raised(&over(&[ball(0.4, under, Motion::default())]), 0.0, Colours::Material);
    let (camera, aspect) = shown.camera(&[0], Some(1.0)).unwrap();
    let forward = (camera.target - camera.eye).normalize();
    let from = under.as_vec3() - camera.eye;
    let half = (0.5 * camera.field_of_view.to_radians()).tan() * forward.dot(from) * aspect;
    // The middle of the ball, and its radius around, are inside the picture.
    assert!((from - forward * forward.dot(from)).length() + 0.4 < 1.5 * half, "{camera:?}");
}

#[test]
fn planes_and_other_scenery_do_not_blow_up_the_framing() {
    let wall = (Shape::Box { half: DVec3::splat(30.0) }, Pose::at(DVec3::Y * -31.0), Motion::default());
    let tilted = Pose { position: DVec3::Y * -0.7, rotation: DQuat::from_rotation_z(0.4636) };
    let camera = |solids: &[(Shape, Pose, Motion)]| {
        raised(&over(solids), 0.5, Colours::Material).camera(&[0, 1, 2], Some(1.5)).unwrap().0
    };
    let bare = camera(&[]);
    for solids in [vec![floor()], vec![wall], vec![(Shape::Plane, tilted, Motion::default())]] {
        assert_eq!(camera(&solids), bare, "{solids:?}");
    }
}

#[test]
fn a_moving_solid_is_in_another_place_in_another_frame() {
    let key = |time: f64, x: f64| Key { time, translate: DVec3::X * x, axis: DVec3::Y, angle: 0.0 };
    let ride = Motion { keys: vec![key(0.0, 0.0), key(0.2, 0.5)], ease: Ease::Linear, centre: DVec3::ZERO };
    let model = over(&[ball(0.2, DVec3::new(-0.3, -0.4, 0.3), ride)]);
    let mut film = raised(&model, 0.0, Colours::Material);
    let pictures: Vec<_> = film.animation(&[0, 2], SIZE).unwrap().map(Result::unwrap).collect();
    let changed = pictures[0].pixels.iter().zip(&pictures[1].pixels).filter(|(a, b)| a[0].abs_diff(b[0]) > 20).count();
    assert!(changed > 100, "{changed} pixels differ");
}

#[test]
fn cloth_is_coloured_by_its_gap_to_solids() {
    let colours = Colours::Contact;
    // Purple where it touches, near white where it is far.
    let touching = |[red, green, blue]: [i32; 3]| blue > green + 30 && red < 190;
    let [far, near] = [0.5, 0.001].map(|height| still(&over(&[floor()]), height, colours, 0));
    assert_eq!([count(&far, touching), count(&far, is_inside)], [0, 0]);
    assert!(count(&near, touching) > 500 && count(&near, is_inside) == 0, "{}", count(&near, touching));
    // Cloth inside a solid is hidden by it; a floor is not seen from below.
    let camera = Camera { eye: Vec3::new(0.0, -3.0, 0.5), target: Vec3::ZERO, field_of_view: 30.0 };
    let options = FilmOptions { colours, camera: Some(camera), ..FilmOptions::default() };
    let mut sunk = film(&over(&[floor()]), 1, options, &|_, start| start - DVec3::Y * 0.001);
    let inside = count(&sunk.still(1, SIZE).unwrap(), is_inside);
    assert!(inside > 500, "{inside} pixels");
}
