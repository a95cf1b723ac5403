//! Pictures of recorded runs: which frames, from where, and what they must not show.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::recorded::{FRAME, LIMIT, chain, film, model, sheet};
use glam::{DVec3, Vec3};
use muslin::model::{Hold, Motion, Pin};
use muslin_render::{Camera, Colours, FilmError, FilmOptions, Picture, spread};

#[test]
fn frames_are_spread_from_the_first_to_the_last() {
    assert_eq!(spread(90, 6), [0, 18, 36, 54, 72, 90]);
    assert_eq!(spread(5, 3), [0, 3, 5]);
    assert_eq!(spread(2, 100), [0, 1, 2]);
    assert_eq!((spread(7, 1), spread(7, 0), spread(0, 6)), (vec![7], vec![7], vec![0]));
    for last in 1..40 {
        for most in 2..50 {
            let frames = spread(last, most);
            assert_eq!(frames.len(), most.min(last as usize + 1), "{last}, {most}");
            assert_eq!((frames[0], frames[frames.len() - 1]), (0, last), "{last}, {most}");
            let steps: Vec<u64> = frames.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let (least, most) = (steps.iter().min().unwrap(), steps.iter().max().unwrap());
            assert!(*least > 0 && most - least <= 1, "{last}: {frames:?}");
        }
    }
}

/// Where a camera shows a point: from the left and from the top, each 0 to 1.
fn shown(camera: Camera, aspect: f32, point: Vec3) -> [f32; 2] {
    let forward = (camera.target - camera.eye).normalize();
    let right = forward.cross(Vec3::Y).normalize();
    let from = point - camera.eye;
    let half = (0.5 * camera.field_of_view.to_radians()).tan() * forward.dot(from);
    assert!(half > 0.0, "{point} is behind {camera:?}");
    [0.5 + 0.5 * right.dot(from) / (half * aspect), 0.5 - 0.5 * right.cross(forward).dot(from) / half]
}

#[test]
fn the_camera_sees_every_vertex_of_every_frame_it_was_asked_for_and_comes_near() {
    let model = model(sheet(), Vec::new());
    // It is thrown away, turning, over some metres.
    let thrown = |frame: u64, start: DVec3| {
        let t = frame as f64 * FRAME;
        let (sin, cos) = (4.0 * t).sin_cos();
        DVec3::new(cos * start.x + 3.0 * t, sin * start.x + 2.0 * t - 4.9 * t * t, start.z - t)
    };
    let mut film = film(&model, 8, FilmOptions::default(), &thrown);
    for frames in [vec![0], vec![8], vec![2, 5], spread(8, 9)] {
        for wish in [Some(16.0 / 9.0), Some(0.5), None] {
            let (camera, aspect) = film.camera(&frames, wish).unwrap();
            assert!(wish.is_none_or(|wish| wish == aspect));
            let points = frames.iter().flat_map(|&frame| model.start.iter().map(move |&start| thrown(frame, start)));
            let places: Vec<_> = points.map(|point| shown(camera, aspect, point.as_vec3())).collect();
            let all = || places.iter().flatten();
            assert!(all().all(|place| (0.0..=1.0).contains(place)), "{frames:?}, {wish:?}: {places:?}");
            let extent = |k: usize| {
                let (low, high) = places.iter().fold((1.0_f32, 0.0_f32), |(l, h), p| (l.min(p[k]), h.max(p[k])));
                high - low
            };
            // All but the margin is used, across or down.
            let used = extent(0).max(extent(1));
            assert!(used > 0.9, "{frames:?}, {wish:?}: only {used} of the picture is used");
        }
    }
}

#[test]
fn a_frame_that_is_not_there_is_named() {
    let mut film = film(&model(sheet(), Vec::new()), 2, FilmOptions::default(), &|_, start| start);
    let error = film.still(3, [32, 18]).unwrap_err();
    assert!(matches!(error, FilmError::NoSuchFrame { frame: 3, last: 2 }), "{error}");
    assert_eq!(film.last_frame(), 2);
    // Sums of 0.1 s.
    assert!((film.time(2) - 0.2).abs() < 1e-12, "{}", film.time(2));
}

#[test]
fn a_pin_is_gone_from_the_frame_after_its_release() {
    let pin = |particle: u32, release: Option<f64>| Pin {
        particles: vec![particle],
        hold: Hold::Fixed(Motion::default()),
        release,
    };
    let model = model(sheet(), vec![pin(0, None), pin(35, Some(2.0 * FRAME))]);
    let mut film = film(&model, 4, FilmOptions::default(), &|_, start| start);
    // Nothing moves: all that can change is the pin.
    let stills: Vec<_> = (0..=4).map(|frame| film.still(frame, [240, 135]).unwrap()).collect();
    assert!(stills[0] == stills[1] && stills[1] == stills[2], "held through the frame that ends at its release");
    assert!(stills[3] == stills[4]);
    let pairs = stills[2].pixels.iter().zip(&stills[3].pixels).enumerate();
    // Shadow maps fit the stage: without the pin the bits of light everywhere are a little different.
    let clearly = |a: &[u8; 3], b: &[u8; 3]| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 60);
    let changed: Vec<_> = pairs.filter(|(_, (a, b))| clearly(a, b)).map(|(at, _)| [at % 240, at / 240]).collect();
    assert!(!changed.is_empty(), "the pin is not seen");
    for axis in 0..2 {
        let places = || changed.iter().map(|place| place[axis]);
        let extent = places().max().unwrap() - places().min().unwrap();
        assert!(extent < 12, "more than a pin has changed: {changed:?}");
    }
}

/// Pixels in colours of strains over the limit: orange to red. Those within it are grey to blue.
fn over(picture: &Picture) -> usize {
    picture.pixels.iter().filter(|[red, _, blue]| *red > blue.saturating_add(60)).count()
}

#[test]
fn cloth_at_its_limit_is_not_drawn_as_over_it_and_cloth_over_it_is() {
    // Far from the origin, so that caches in f32 round lengths up and down.
    let stretched = |by: f64| {
        move |frame: u64, start: DVec3| DVec3::new(37.0, 5.3, -21.0) + start * if frame == 0 { 1.0 } else { 1.0 + by }
    };
    let options = FilmOptions { colours: Colours::Strain, ..FilmOptions::default() };
    for mesh in [sheet, chain] {
        for subdivide in [0, 2] {
            let options = FilmOptions { subdivide, ..options };
            let picture = |by: f64| {
                let mut film = film(&model(mesh(), Vec::new()), 1, options, &stretched(by));
                let (camera, _) = film.camera(&[1], Some(16.0 / 9.0)).unwrap();
                film.picture(1, camera, 240, 135).unwrap()
            };
            let (at, beyond) = (over(&picture(LIMIT)), over(&picture(1.1 * LIMIT)));
            assert_eq!(at, 0, "pixels over the limit, of cloth at it");
            assert!(beyond > 100, "{beyond} pixels over the limit, of cloth over it");
        }
    }
}

#[test]
fn the_pictures_of_an_animation_are_seen_from_one_place() {
    let falling = |frame: u64, start: DVec3| start - DVec3::Y * (0.2 * frame as f64);
    let mut film = film(&model(sheet(), Vec::new()), 3, FilmOptions::default(), &falling);
    let pictures: Vec<_> = film.animation(&[0, 1, 2, 3], [96, 96]).unwrap().collect::<Result<_, _>>().unwrap();
    // Rows in which the cloth is, by its colour.
    let first_row = |picture: &Picture| {
        let cloth = |pixel: &[u8; 3]| pixel.iter().max().unwrap() - pixel.iter().min().unwrap() > 30;
        picture.pixels.chunks(96).position(|row| row.iter().any(cloth)).unwrap()
    };
    let rows: Vec<_> = pictures.iter().map(first_row).collect();
    assert!(rows.windows(2).all(|pair| pair[1] > pair[0] + 5), "it should fall from picture to picture: {rows:?}");
}
