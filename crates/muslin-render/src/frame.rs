//! A picture from a stage, top to bottom: what is seen, how much light falls there, what colour it has.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use crate::camera::Lens;
use crate::clip::Bounds;
use crate::colour::{linear_from_srgb, srgb_from_linear};
use crate::floor::Floor;
use crate::light::{Ground, Lamps, Point, Received};
use crate::picture::Picture;
use crate::raster::{self, Corner};
use crate::shade::{self, Seen};
use crate::sky::{self, SkyLight};
use crate::stage::{Flat, Look, Stage};

/// The background, and the floor where it is lit.
pub const BACKGROUND: [u8; 3] = [250, 249, 246];

/// Where in a pixel it is looked at: one in every row and column of an 8 × 8 raster, none on a diagonal with its
/// neighbour.
const SAMPLES: [[f32; 2]; 8] = [
    [0.5625, 0.3125],
    [0.4375, 0.6875],
    [0.8125, 0.5625],
    [0.3125, 0.1875],
    [0.1875, 0.8125],
    [0.0625, 0.4375],
    [0.6875, 0.9375],
    [0.9375, 0.0625],
];

/// Fraction of a picture's width and height over which the floor's shadows fade out at its borders.
const BORDER: f32 = 0.04;

/// Nearer than this fraction of the stage's size to the eye, nothing is drawn.
const NEAR: f32 = 1e-4;

/// Triangles are cut where they are this many times further out than the picture's border.
const BESIDE: f32 = 2.0;

/// No triangle here.
const NOTHING: u32 = u32::MAX;

/// Draws a stage.
pub fn draw(stage: &Stage, width: u32, height: u32) -> Picture {
    let flat = Flat::of(&stage.surfaces);
    let lens = stage.camera.lens(width, height);
    let lamps = Lamps::for_view(&lens.axes);
    let floor = stage.floor.and_then(|height| Floor::under(&flat, height, &lamps));
    let sky = SkyLight::on_cloth(&flat, &lamps);
    let eye = Eye { flat: &flat, lens: &lens, sky, floor, size: [width as usize, height as usize] };
    let seen: Vec<_> = SAMPLES.par_iter().map(|&place| eye.look(Vec2::from_array(place))).collect();
    let mut view = eye.gather(&seen);
    lamps.shine(&flat, &mut view.points);
    view.add_sky_on_solids(&flat, &lamps);
    view.develop(&eye, &lamps)
}

/// What the camera looks at.
struct Eye<'a> {
    flat: &'a Flat<'a>,
    lens: &'a Lens,
    sky: SkyLight,
    floor: Option<Floor>,
    size: [usize; 2],
}

impl Eye<'_> {
    /// The triangle that each pixel sees at a place inside it.
    fn look(&self, place: Vec2) -> Vec<u32> {
        let [width, height] = self.size;
        let mut nearest = vec![0.0; width * height];
        let mut triangles = vec![NOTHING; width * height];
        // Pixels are tested in their middle: what is at `place` must come there.
        let shift = Vec2::splat(0.5) - place;
        let seen: Vec<_> = self.flat.positions.iter().map(|&position| self.lens.seen(position)).collect();
        let farthest = seen.iter().map(|point| point.z).fold(0.0, f32::max);
        let bounds = Bounds { near: NEAR * farthest, tangents: BESIDE * self.lens.tangents() };
        let corner = |point: Vec3| Corner::new(self.lens.project(point) + shift, 1.0 / point.z);
        for (triangle, corners) in self.flat.triangles.iter().enumerate() {
            let mut plot = |pixel: usize, near: f32| {
                if near > nearest[pixel] {
                    nearest[pixel] = near;
                    triangles[pixel] = triangle as u32;
                }
            };
            let points = corners.map(|corner| seen[corner as usize]);
            for part in bounds.cut(points) {
                raster::fill(width, height, part.map(corner), &mut plot);
            }
        }
        triangles
    }

    /// Points to be lit: for each pixel those of its samples that differ in kind, side or direction.
    fn gather(&self, seen: &[Vec<u32>]) -> View {
        let [width, height] = self.size;
        let rows: Vec<_> = (0..height)
            .into_par_iter()
            .map(|y| {
                let (mut points, mut spots, mut ends) = (Vec::new(), Vec::new(), Vec::with_capacity(width));
                for x in 0..width {
                    self.gather_pixel(seen, x, y, &mut points, &mut spots);
                    ends.push(spots.len());
                }
                (points, spots, ends)
            })
            .collect();
        let mut view = View { points: Vec::new(), spots: Vec::new(), ends: Vec::with_capacity(width * height) };
        for (points, spots, ends) in rows {
            let before = view.spots.len();
            view.points.extend(points);
            view.spots.extend(spots);
            view.ends.extend(ends.iter().map(|end| before + end));
        }
        view
    }

    fn gather_pixel(&self, seen: &[Vec<u32>], x: usize, y: usize, points: &mut Vec<Point>, spots: &mut Vec<Spot>) {
        let pixel = y * self.size[0] + x;
        if seen.iter().all(|triangles| triangles[pixel] == NOTHING) {
            // Nothing but floor: its middle stands for all of it.
            let middle = self.lens.ray(Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
            if let Some((point, albedo, kind)) = self.hit_floor(middle) {
                points.push(point);
                spots.push(Spot { albedo, samples: SAMPLES.len() as f32, kind });
            }
            return;
        }
        let first = spots.len();
        for (triangles, place) in seen.iter().zip(SAMPLES) {
            let ray = self.lens.ray(Vec2::new(x as f32 + place[0], y as f32 + place[1]));
            let hit = match triangles[pixel] {
                NOTHING => self.hit_floor(ray),
                triangle => Some(self.hit(triangle, ray)),
            };
            let Some((point, albedo, kind)) = hit else { continue };
            let alike = |index: &usize| spots[*index].kind == kind && points[*index].normal.dot(point.normal) > 0.9;
            if let Some(index) = (first..spots.len()).find(alike) {
                spots[index].albedo += albedo;
                spots[index].samples += 1.0;
            } else {
                points.push(point);
                spots.push(Spot { albedo, samples: 1.0, kind });
            }
        }
    }

    fn hit_floor(&self, ray: Vec3) -> Option<(Point, Vec3, Kind)> {
        let at = self.floor.as_ref()?.hit(self.lens.eye, ray)?;
        let point = Point { at, normal: Vec3::Y, ground: Ground::Solid, light: Received::default() };
        Some((point, Vec3::ZERO, Kind::Floor))
    }

    fn hit(&self, triangle: u32, ray: Vec3) -> (Point, Vec3, Kind) {
        let found = self.flat.find(triangle);
        let corners = found.corners.map(|corner| self.flat.positions[corner]);
        let (weights, depth) = meet(corners, self.lens.eye, ray);
        let [a, b, c] = found.corners.map(|corner| self.flat.normals[corner]);
        let geometric = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let front = geometric.dot(ray) < 0.0;
        let smooth = (a * weights.x + b * weights.y + c * weights.z).normalize_or(geometric.normalize_or_zero());
        let normal = if front { smooth } else { -smooth };
        let tilt = (normal.dot(ray) / ray.length()).abs().max(0.2);
        let albedo = shade::albedo(&found, weights, front, depth * self.lens.pixel() / tilt);
        let cloth = matches!(found.surface.look, Look::Fabric { .. });
        let at = corners[0] * weights.x + corners[1] * weights.y + corners[2] * weights.z;
        let kind = Kind::Surface { cloth, front, painted: found.surface.paint.is_some() };
        let (ground, sky) =
            if cloth { (Ground::Cloth, self.sky.at(&found, weights, front)) } else { (Ground::Solid, 0.0) };
        (Point { at, normal, ground, light: Received { sky, ..Received::default() } }, albedo, kind)
    }
}

/// Where a ray meets a triangle: the weights of its corners, and the depth.
fn meet([a, b, c]: [Vec3; 3], eye: Vec3, ray: Vec3) -> (Vec3, f32) {
    let (u, v, from) = (b - a, c - a, eye - a);
    let (across, along) = (ray.cross(v), from.cross(u));
    let volume = u.dot(across);
    let (second, third) = (from.dot(across) / volume, ray.dot(along) / volume);
    // No volume: the triangle is seen edge on. One beyond the range of numbers: cloth that has blown up.
    if !(second.is_finite() && third.is_finite()) {
        return (Vec3::splat(1.0 / 3.0), (a - eye).dot(ray) / ray.length_squared());
    }
    // A sample may lie outside by rounding, or behind a triangle that is seen edge on.
    let second = second.clamp(0.0, 1.0);
    let third = third.clamp(0.0, 1.0 - second);
    (Vec3::new(1.0 - second - third, second, third), v.dot(along) / volume)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Floor,
    Surface { cloth: bool, front: bool, painted: bool },
}

/// Samples of a pixel that are shaded together.
struct Spot {
    /// The sum over the samples.
    albedo: Vec3,
    samples: f32,
    kind: Kind,
}

/// Everything that the picture shows, before its light is known.
struct View {
    points: Vec<Point>,
    /// One for each point.
    spots: Vec<Spot>,
    /// For each pixel, where its spots end.
    ends: Vec<usize>,
}

impl View {
    fn add_sky_on_solids(&mut self, flat: &Flat, lamps: &Lamps) {
        let Self { points, spots, .. } = self;
        sky::add(flat, lamps, points, |index| matches!(spots[index].kind, Kind::Surface { cloth: false, .. }));
    }

    fn develop(&self, eye: &Eye, lamps: &Lamps) -> Picture {
        let [width, height] = eye.size;
        let background = linear_from_srgb(BACKGROUND);
        let open = Received::on_open_floor(lamps);
        let pixel = |index: usize| {
            let first = if index == 0 { 0 } else { self.ends[index - 1] };
            if first == self.ends[index] {
                return BACKGROUND;
            }
            let mut sum = Vec3::ZERO;
            let mut rest = SAMPLES.len() as f32;
            for (point, spot) in self.points[first..self.ends[index]].iter().zip(&self.spots[first..self.ends[index]]) {
                let colour = match spot.kind {
                    Kind::Surface { cloth, painted, .. } => shade_surface(point, spot, eye, lamps, [cloth, painted]),
                    Kind::Floor => shade_floor(point, eye, background, open, to_border(index, eye.size)),
                };
                sum += spot.samples * colour;
                rest -= spot.samples;
            }
            srgb_from_linear((sum + rest * background) / SAMPLES.len() as f32)
        };
        let pixels = (0..width * height).into_par_iter().with_min_len(width).map(pixel).collect();
        Picture { width: width as u32, height: height as u32, pixels }
    }
}

fn shade_surface(point: &Point, spot: &Spot, eye: &Eye, lamps: &Lamps, [cloth, painted]: [bool; 2]) -> Vec3 {
    let view = (eye.lens.eye - point.at).normalize_or_zero();
    let albedo = spot.albedo / spot.samples;
    let seen = Seen { albedo, normal: point.normal, view, light: point.light, cloth, painted };
    shade::colour(&seen, lamps.sun)
}

fn shade_floor(point: &Point, eye: &Eye, background: Vec3, open: Received, shown: f32) -> Vec3 {
    let Some(floor) = &eye.floor else { return background };
    let light = Received { sky: floor.sky(point.at), ..point.light };
    shade::floor(background, light, open, shown * floor.fade(point.at))
}

/// How much of the floor's shadows a pixel shows: they fade out at the borders left, right and below, so that pictures
/// stand side by side without seams.
fn to_border(pixel: usize, [width, height]: [usize; 2]) -> f32 {
    let (x, y) = (pixel % width, pixel / width);
    let across = x.min(width - 1 - x) as f32 / width as f32;
    let below = (height - 1 - y) as f32 / height as f32;
    (across.min(below) / BORDER).min(1.0)
}
