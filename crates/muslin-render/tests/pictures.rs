//! Pictures that stay as they are, to the bit, on any number of threads.
//!
//! `MUSLIN_PICTURES=write cargo test -p muslin-render --test pictures` rewrites them; look at them before committing.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{ball, cuboid, sheet, strained, turned_up};
use glam::{Vec2, Vec3};
use muslin_render::{
    BACKGROUND, Camera, Legend, LegendPlace, Picture, Stage, StripCell, StripStyle, Surface, draw, strip, write_png,
};

const SIZE: [u32; 2] = [320, 180];
/// A limit of 1 %.
const LIMIT: Legend = Legend::Strain { limit: 0.01 };

/// Surfaces on a floor, all in the picture.
fn framed(surfaces: Vec<Surface>, floor: f32, direction: Vec3, [width, height]: [u32; 2]) -> Stage {
    let points: Vec<_> = surfaces.iter().flat_map(|surface| &surface.positions).copied().collect();
    let camera = Camera::framing(&points, direction, width as f32 / height as f32, 27.0);
    Stage { surfaces, floor: Some(floor), camera }
}

fn folded() -> Stage {
    framed(vec![sheet(49, turned_up)], 0.33, Vec3::new(-0.5, -0.28, -0.87), SIZE)
}

/// The same sheet, most strained at its upper corners, where it is over its limit.
fn folded_and_strained() -> Stage {
    let corner = Vec3::new(0.5, 1.0, 0.0);
    let ratio = |at: Vec3| 0.12 / at.with_x(at.x.abs()).distance(corner).max(0.02);
    framed(vec![strained(sheet(49, turned_up), ratio)], 0.33, Vec3::new(-0.5, -0.28, -0.87), SIZE)
}

/// Cloth over a ball and a box, all made by height above the floor.
fn draped() -> Stage {
    const CLEAR: f32 = 0.012;
    let (middle, radius) = (Vec3::new(-0.18, 0.2, 0.08), 0.2);
    let (low, high) = (Vec3::new(0.12, 0.0, -0.34), Vec3::new(0.38, 0.28, -0.02));
    let over_ball = |x: f32, z: f32| {
        let away = Vec2::new(x - middle.x, z - middle.z).length();
        // Down the side of the ball to 60° from its top, and straight on along its tangent.
        let (sin, cos) = libm::sincosf(60_f32.to_radians());
        let reach = radius + CLEAR;
        if away < reach * sin {
            middle.y + (reach * reach - away * away).sqrt()
        } else {
            middle.y + reach * cos - (away - reach * sin) * sin / cos
        }
    };
    let over_box = |x: f32, z: f32| {
        let outside = Vec2::new((low.x - x).max(x - high.x), (low.z - z).max(z - high.z)).max(Vec2::ZERO).length();
        high.y + CLEAR - 2.5 * (outside - CLEAR).max(0.0)
    };
    let lies = |at: Vec2| {
        let (x, z) = (at.x - 0.5, at.y - 0.5);
        Vec3::new(x, over_ball(x, z).max(over_box(x, z)).max(CLEAR), z)
    };
    // Half of what is beneath stays in sight.
    let cloth = sheet(61, |at| lies(Vec2::new(at.x, 0.62 * at.y + 0.1)));
    let bare = ball(Vec3::new(0.28, 0.09, 0.36), 0.09, 16);
    let surfaces = vec![cloth, ball(middle, radius, 20), cuboid(low, high), bare];
    framed(surfaces, 0.0, Vec3::new(-0.35, -0.5, -0.8), SIZE)
}

/// An eye between the walls of a long box and beside a cloth: triangles reach from far before it to far behind it.
fn inside() -> Stage {
    let mut walls = cuboid(Vec3::new(-1.2, 0.0, -4.0), Vec3::new(1.2, 1.8, 4.0));
    // Turned inside out, and without the roof, the sixth and last pair of the second axis.
    walls.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    walls.triangles.drain(6..8);
    let cloth = sheet(9, |at| Vec3::new(0.25 + 0.3 * at.y, 1.3 - at.y, 3.0 - 5.0 * at.x));
    let block = cuboid(Vec3::new(-0.9, 0.0, -3.0), Vec3::new(-0.3, 0.6, -2.2));
    let camera = Camera { eye: Vec3::new(-0.1, 0.9, 0.6), target: Vec3::new(0.0, 0.6, -2.0), field_of_view: 60.0 };
    Stage { surfaces: vec![walls, cloth, block], floor: None, camera }
}

/// Three moments of a sheet that swings, side by side with their times, coloured by strain.
fn swing() -> Picture {
    const CELL: [u32; 2] = [100, 80];
    let hanging = |angle: f32| {
        let (sin, cos) = libm::sincosf(angle);
        let place = |at: Vec2| Vec3::new(at.x - 0.5, -at.y * cos, at.y * sin + 0.03 * at.y * libm::sinf(12.0 * at.x));
        strained(sheet(25, place), |at| 1.05 * (1.0 - at.y.abs()) * cos)
    };
    let sheets = [1.2, 0.6, 0.0].map(hanging);
    let together = framed(sheets.to_vec(), -1.1, Vec3::new(-0.6, -0.25, -0.75), CELL);
    let cell = |(surface, time): (Surface, f32)| {
        let stage = Stage { surfaces: vec![surface], ..together.clone() };
        StripCell { picture: draw(&stage, CELL[0], CELL[1]), caption: format!("{time:.2} s") }
    };
    let cells: Vec<_> = sheets.into_iter().zip([0.0, 0.2, 0.4]).map(cell).collect();
    strip(&cells, &StripStyle { columns: Some(3), background: BACKGROUND, legend: Some(LIMIT) }).expect("a strip")
}

fn drawn(stage: &Stage) -> Picture {
    draw(stage, SIZE[0], SIZE[1])
}

fn explained(stage: &Stage) -> Picture {
    let mut picture = drawn(stage);
    LIMIT.draw(&mut picture, LegendPlace::default());
    picture
}

#[test]
fn a_folded_sheet_shows_both_sides_its_pattern_and_a_soft_shadow() {
    assert_unchanged("folded", &drawn(&folded()));
}

#[test]
fn the_folded_sheet_by_strain_has_its_legend() {
    assert_unchanged("folded-strain", &explained(&folded_and_strained()));
}

#[test]
fn cloth_lies_over_solids() {
    assert_unchanged("draped", &drawn(&draped()));
}

#[test]
fn a_camera_may_stand_among_large_triangles() {
    assert_unchanged("inside", &drawn(&inside()));
}

#[test]
fn a_strip_has_frames_times_and_a_legend() {
    assert_unchanged("strip", &swing());
}

/// Fails unless a picture is, pixel for pixel, the one that is stored.
#[track_caller]
fn assert_unchanged(name: &str, picture: &Picture) {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pictures/{name}.png"));
    if std::env::var_os("MUSLIN_PICTURES").is_some_and(|wish| wish == "write") {
        write_png(&stored, picture).expect("the picture is written");
        return;
    }
    let found = if stored.exists() { difference(&read(&stored), picture) } else { Some("it is missing".to_owned()) };
    if let Some(difference) = found {
        let new = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
        write_png(&new, picture).expect("the picture is written");
        panic!(
            "the picture `{name}` is not as stored: {difference}\n  stored: {}\n  now:    {}\n\
             look at both; if the new one is right, run the test with MUSLIN_PICTURES=write",
            stored.display(),
            new.display()
        );
    }
}

/// What differs between two pictures; none when nothing does.
fn difference(stored: &Picture, now: &Picture) -> Option<String> {
    let sizes = [stored, now].map(|picture| format!("{} × {}", picture.width, picture.height));
    if sizes[0] != sizes[1] {
        return Some(format!("{} pixels became {}", sizes[0], sizes[1]));
    }
    let furthest = |(a, b): (&[u8; 3], &[u8; 3])| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    let differences: Vec<u8> = stored.pixels.iter().zip(&now.pixels).map(furthest).filter(|&by| by > 0).collect();
    let most = differences.iter().max()?;
    Some(format!("{} of {} pixels differ, by up to {most} of 255", differences.len(), stored.pixels.len()))
}

fn read(path: &Path) -> Picture {
    let file = std::io::BufReader::new(fs::File::open(path).expect("the stored picture opens"));
    let mut reader = png::Decoder::new(file).read_info().expect("the stored picture is a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size that fits")];
    let info = reader.next_frame(&mut bytes).expect("the stored picture is whole");
    assert_eq!(info.color_type, png::ColorType::Rgb, "{} has another kind of pixels", path.display());
    Picture { width: info.width, height: info.height, pixels: bytes.as_chunks().0.to_vec() }
}

#[test]
fn a_changed_pixel_is_counted_and_measured() {
    let one = Picture::filled(4, 3, [9, 9, 9]);
    let mut other = one.clone();
    other.pixels[5] = [9, 2, 10];
    other.pixels[6] = [8, 9, 9];
    assert_eq!(difference(&one, &one), None);
    assert_eq!(difference(&one, &other).as_deref(), Some("2 of 12 pixels differ, by up to 7 of 255"));
    assert_eq!(difference(&one, &Picture::filled(3, 4, [9; 3])).as_deref(), Some("4 × 3 pixels became 3 × 4"));
}

mod slow {
    use super::*;

    #[test]
    fn the_bits_are_the_same_on_any_number_of_threads() {
        let on = |threads: usize, stage: &Stage| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| drawn(stage))
        };
        for stage in [folded(), folded_and_strained(), draped(), inside()] {
            let one = on(1, &stage);
            for threads in [2, 5] {
                if let Some(difference) = difference(&one, &on(threads, &stage)) {
                    panic!("{threads} threads: {difference}");
                }
            }
        }
    }
}
