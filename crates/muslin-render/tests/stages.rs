//! What pictures owe to physics, and stages that no one should make but someone will.

mod common;

use common::{FABRIC, STONE, ball, cuboid, sheet, strained, turned_up};
use glam::{Vec2, Vec3};
use muslin_render::{BACKGROUND, Camera, Look, Picture, Stage, Surface, draw, linear_from_srgb};

const CAMERA: Camera = Camera { eye: Vec3::new(0.0, 1.0, 4.0), target: Vec3::ZERO, field_of_view: 30.0 };

fn stage(surfaces: Vec<Surface>) -> Stage {
    Stage { surfaces, floor: Some(-0.6), camera: CAMERA }
}

/// Mean linear light over some of the pixels, by column and row.
#[track_caller]
fn mean_light(picture: &Picture, wanted: impl Fn(u32, u32) -> bool) -> f32 {
    let places = (0..).map(|index| (index % picture.width, index / picture.width));
    let chosen = picture.pixels.iter().zip(places).filter(|(_, (x, y))| wanted(*x, *y));
    let lights: Vec<f32> = chosen.map(|(&pixel, _)| linear_from_srgb(pixel).element_sum() / 3.0).collect();
    assert!(lights.len() > 50, "{} pixels are too few to judge", lights.len());
    lights.iter().sum::<f32>() / lights.len() as f32
}

#[test]
fn a_stage_with_nothing_on_it_is_all_background() {
    let empty = Surface {
        triangles: Vec::new(),
        positions: Vec::new(),
        coords: Some(Vec::new()),
        ..cuboid(Vec3::ZERO, Vec3::ONE)
    };
    let vertices_only = Surface { triangles: Vec::new(), ..ball(Vec3::ZERO, 0.3, 4) };
    let behind = ball(Vec3::new(0.0, 1.0, 9.0), 0.3, 4);
    for surfaces in [vec![], vec![empty.clone()], vec![empty, vertices_only]] {
        let picture = draw(&stage(surfaces), 64, 36);
        assert!(picture.pixels.iter().all(|&pixel| pixel == BACKGROUND));
    }
    let nothing_seen = draw(&Stage { floor: None, ..stage(vec![behind]) }, 64, 36);
    assert!(nothing_seen.pixels.iter().all(|&pixel| pixel == BACKGROUND));
}

#[test]
fn broken_positions_and_triangles_of_no_size_do_no_harm() {
    for broken in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE] {
        let mut one = sheet(5, turned_up);
        one.positions[7].y = broken;
        let all = Surface { positions: vec![Vec3::splat(broken); 25], ..sheet(5, turned_up) };
        for surface in [one, all] {
            let painted = strained(surface.clone(), |at| at.y);
            let solid = Surface { look: STONE, ..surface.clone() };
            let picture = draw(&stage(vec![surface, painted, solid]), 64, 36);
            assert_eq!(picture.pixels.len(), 64 * 36);
        }
    }
    let point = sheet(3, |_| Vec3::ZERO);
    let line = sheet(3, |at| Vec3::X * at.x);
    assert_eq!(draw(&stage(vec![point, line]), 64, 36).pixels.len(), 64 * 36);
}

#[test]
fn one_broken_vertex_takes_away_its_own_triangles_only() {
    let whole = draw(&stage(vec![sheet(9, turned_up)]), 96, 54);
    let mut torn = sheet(9, turned_up);
    torn.positions[4].x = f32::NAN;
    let torn = draw(&stage(vec![torn]), 96, 54);
    let cloth = |picture: &Picture| picture.pixels.iter().filter(|&&[red, _, blue]| red.abs_diff(blue) > 20).count();
    let (whole, torn) = (cloth(&whole), cloth(&torn));
    // Three of 128 triangles meet at a vertex of the upper border; their neighbours lose their normals, and stay.
    assert!(torn < whole && torn > whole * 3 / 4, "{torn} of {whole} pixels are left");
}

/// A tent of cloth whose ridge points at a camera in this direction.
fn tent(azimuth: f32) -> Stage {
    let (sin, cos) = libm::sincosf(azimuth);
    let turned = |x: f32, y: f32, z: f32| Vec3::new(cos * x + sin * z, y, cos * z - sin * x);
    let cloth = sheet(21, |at| turned(at.x - 0.5, 0.3 - 1.2 * (at.x - 0.5).abs(), at.y - 0.5));
    let camera = Camera { eye: turned(0.0, 3.0, 3.0), target: Vec3::ZERO, field_of_view: 22.0 };
    Stage { surfaces: vec![cloth], floor: Some(-0.31), camera }
}

#[test]
fn the_side_of_a_tent_that_faces_the_sun_is_brighter_from_wherever_one_looks() {
    for azimuth in [0.0, 1.0, 2.5, 4.0] {
        let picture = draw(&tent(azimuth), 160, 90);
        let middle_rows = |y: u32| (30..55).contains(&y);
        let left = mean_light(&picture, |x, y| middle_rows(y) && (66..76).contains(&x));
        let right = mean_light(&picture, |x, y| middle_rows(y) && (84..94).contains(&x));
        // The sun stands to the left: by its cosines on slopes of 50° the left gets several times as much of it; the
        // sky shines on both.
        assert!(left > 1.6 * right, "from {azimuth}: {left} on the left, {right} on the right");
    }
}

#[test]
fn shadows_fall_away_from_the_sun_and_the_open_floor_has_none() {
    let above = ball(Vec3::new(0.0, 0.35, 0.0), 0.15, 16);
    let camera = Camera { eye: Vec3::new(0.0, 4.0, 1.5), target: Vec3::ZERO, field_of_view: 30.0 };
    let picture = draw(&Stage { surfaces: vec![above], floor: Some(0.0), camera }, 160, 90);
    let floor = |x: f32, z: f32| {
        // The camera's plane is nearly level: find the pixel of a point on the floor.
        let (right, up) = (x, -z * 0.936);
        let depth = 4.27 - 0.351 * z;
        let scale = 45.0 / 0.268 / depth;
        let (column, row) = (80.0 + right * scale, 45.0 - up * scale);
        mean_light(&picture, |x, y| Vec2::new(x as f32 - column, y as f32 - row).length() < 4.5)
    };
    // The sun is 44° up, 42° to the left of the viewer: the shadow of what is 0.35 m up lies 0.36 m away, to the right
    // (0.24 m) and away from the viewer (0.27 m).
    let (shadow, mirrored) = (floor(0.24, -0.27), floor(-0.4, 0.4));
    let open = linear_from_srgb(BACKGROUND).element_sum() / 3.0;
    assert!(shadow < 0.75 * open, "{shadow} in the shadow, {open} in the open");
    assert!(mirrored > 0.9 * open, "{mirrored} on the sun's side, {open} in the open");
}

#[test]
fn a_roof_takes_light_from_what_is_under_it() {
    let low = || sheet(9, |at| Vec3::new(at.x - 0.5, 0.0, at.y - 0.5));
    let roof = cuboid(Vec3::new(-1.5, 0.5, -1.5), Vec3::new(1.5, 0.52, 1.5));
    let camera = Camera { eye: Vec3::new(0.0, 0.4, 3.0), target: Vec3::ZERO, field_of_view: 14.0 };
    let light = |surfaces: Vec<Surface>| {
        let picture = draw(&Stage { surfaces, floor: Some(-0.05), camera }, 160, 90);
        mean_light(&picture, |x, y| (60..100).contains(&x) && (43..48).contains(&y))
    };
    let (open, covered) = (light(vec![low()]), light(vec![low(), roof]));
    assert!(covered < 0.5 * open, "{covered} under the roof, {open} without");
}

#[test]
fn the_sun_shines_through_cloth_and_not_through_solids() {
    let white = Vec3::splat(0.6);
    // Seen from below, in the sun from above.
    let camera = Camera { eye: Vec3::new(0.0, -3.0, 0.5), target: Vec3::ZERO, field_of_view: 12.0 };
    let light = |look: Look| {
        let surface = Surface { look, coords: None, ..sheet(9, |at| Vec3::new(at.x - 0.5, 0.0, at.y - 0.5)) };
        mean_light(&draw(&Stage { surfaces: vec![surface], floor: None, camera }, 64, 36), |_, _| true)
    };
    let cloth = light(Look::Fabric { front: white, back: white, spacing: 0.1 });
    let solid = light(Look::Solid { colour: white });
    assert!(cloth > 1.3 * solid, "{cloth} through cloth, {solid} under a solid");
}

#[test]
fn each_side_of_cloth_has_its_own_colour() {
    let Look::Fabric { front, back, .. } = FABRIC else { panic!("a fabric") };
    let hanging = |turn: f32| sheet(9, move |at| Vec3::new(turn * (at.x - 0.5), 0.5 - at.y, 0.0));
    let hue = |surface: Surface| {
        let picture = draw(&Stage { floor: None, ..stage(vec![surface]) }, 64, 36);
        let middle = linear_from_srgb(picture.pixels[18 * 64 + 32]);
        middle.x / middle.z
    };
    let (seen_front, seen_back) = (hue(hanging(1.0)), hue(hanging(-1.0)));
    // Light is nearly white, and sheen is too: the ratio of red to blue stays on its side of 1.
    assert!(front.x < front.z && seen_front < 0.6, "{seen_front}");
    assert!(back.x > back.z && seen_back > 1.3, "{seen_back}");
}

mod slow {
    use super::*;

    #[test]
    fn odd_cameras_and_sizes_do_no_harm() {
        let cameras = [
            Camera { eye: Vec3::ZERO, target: Vec3::ZERO, ..CAMERA },
            Camera { eye: Vec3::Y, target: Vec3::ZERO, ..CAMERA },
            Camera { eye: Vec3::NEG_Y, target: Vec3::ZERO, ..CAMERA },
            Camera { eye: Vec3::NAN, ..CAMERA },
            Camera { target: Vec3::INFINITY, ..CAMERA },
            Camera { field_of_view: 0.0, ..CAMERA },
            Camera { field_of_view: 180.0, ..CAMERA },
            Camera::framing(&[], Vec3::NEG_Z, 1.5, 30.0),
        ];
        for camera in cameras {
            for (width, height) in [(32, 18), (1, 1), (0, 0), (5, 0)] {
                let stage = Stage { camera, ..stage(vec![sheet(5, turned_up), ball(Vec3::ZERO, 0.2, 4)]) };
                assert_eq!(draw(&stage, width, height).pixels.len(), (width * height) as usize, "{camera:?}");
            }
        }
    }
}
