//! A floor around what stands above it: it has the background's colour and shows nothing but shadows.

use glam::{Vec2, Vec3};

use crate::light::{Ground, Lamps, Point, Received};
use crate::stage::Flat;

/// Points on a side of the raster on which the light of the sky is found.
const SIDE: usize = 128;

pub(crate) struct Floor {
    height: f32,
    middle: Vec2,
    /// Further away no shadow is shown.
    radius: f32,
    /// Light of the sky on a square around the middle, row by row.
    sky: Vec<f32>,
}

impl Floor {
    /// None when nothing is there that could throw a shadow.
    pub(crate) fn under(flat: &Flat, height: f32, lamps: &Lamps) -> Option<Self> {
        let low = flat.positions.iter().copied().reduce(Vec3::min)?;
        let high = flat.positions.iter().copied().reduce(Vec3::max)?;
        let middle = 0.5 * (low + high);
        let radius = 0.5 * (high - low).length() + 2.5 * (high.y - height).max(0.0);
        let mut floor = Self { height, middle: Vec2::new(middle.x, middle.z), radius, sky: Vec::new() };
        let mut points: Vec<_> = (0..SIDE * SIDE).map(|index| floor.raster_point(index)).collect();
        lamps.shine_sky(flat, &mut points);
        floor.sky = points.iter().map(|point| point.light.sky).collect();
        Some(floor)
    }

    fn raster_point(&self, index: usize) -> Point {
        let place = |index: usize| self.radius * (2.0 * index as f32 / (SIDE - 1) as f32 - 1.0);
        let at = self.middle + Vec2::new(place(index % SIDE), place(index / SIDE));
        let at = Vec3::new(at.x, self.height, at.y);
        Point { at, normal: Vec3::Y, ground: Ground::Solid, light: Received::default() }
    }

    /// Where a ray meets the part that is shown, from above.
    pub(crate) fn hit(&self, eye: Vec3, ray: Vec3) -> Option<Vec3> {
        let at = eye + (self.height - eye.y) / ray.y * ray;
        (eye.y > self.height && ray.y < 0.0 && self.distance(at) < 1.0).then_some(at)
    }

    /// How much of its shadows is shown: all around the middle, nothing at the rim.
    pub(crate) fn fade(&self, at: Vec3) -> f32 {
        ((1.0 - self.distance(at)) * 2.5).clamp(0.0, 1.0)
    }

    /// Light of the sky.
    pub(crate) fn sky(&self, at: Vec3) -> f32 {
        let most = (SIDE - 1) as f32;
        let place = (Vec2::new(at.x, at.z) - self.middle) / self.radius;
        let place = ((place + 1.0) * (0.5 * most)).clamp(Vec2::ZERO, Vec2::splat(most - 1e-3));
        let (x, y) = (place.x as usize, place.y as usize);
        let (fx, fy) = (place.x - x as f32, place.y - y as f32);
        let row = |y: usize| self.sky[y * SIDE + x] * (1.0 - fx) + self.sky[y * SIDE + x + 1] * fx;
        row(y) * (1.0 - fy) + row(y + 1) * fy
    }

    /// From the middle, as a fraction of the radius.
    fn distance(&self, at: Vec3) -> f32 {
        (Vec2::new(at.x, at.z) - self.middle).length() / self.radius
    }
}
