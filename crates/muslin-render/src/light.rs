//! Light: a sun with some width and a bright sky, both made of many directional lights.
//!
//! Each light draws a depth map of the stage, and every point that is lit asks each map whether something stands in
//! its light. Averaged over the lights this gives soft shadows and the dim light in folds (ambient occlusion)
//! by one mechanism, without noise, and the same for every frame of an animation.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use crate::camera::Axes;
use crate::raster::{self, Corner};
use crate::stage::Flat;

/// Lights the sun is made of.
const SUN_LIGHTS: usize = 20;
/// Lights the sky is made of.
const SKY_LIGHTS: usize = 72;
/// Pixels of a side of their depth maps.
const SUN_MAP: usize = 768;
const SKY_MAP: usize = 256;
/// Radius of the sun, seen from the stage, as a tangent.
const SUN_RADIUS: f32 = 0.07;
/// Where the sun stands, from the camera's view: to the left of the viewer, and up [degrees].
const SUN_AZIMUTH: f32 = 33.0;
const SUN_ELEVATION: f32 = 49.0;
/// Points that are lit together, so that they stay in the cache from light to light.
const CHUNK: usize = 2048;
/// Maps that are held in memory at a time.
const BATCH: usize = 8;

/// A point that light falls on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    pub(crate) at: Vec3,
    /// Of the side that is seen, of length 1.
    pub(crate) normal: Vec3,
    pub(crate) ground: Ground,
    pub(crate) light: Received,
}

/// What a point lies on, as far as the sun is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ground {
    /// Cloth, which lets some of the sun through from behind.
    Cloth,
    /// Anything else.
    Solid,
}

/// The light that reaches a point, each as a fraction of what an open, facing point receives.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Received {
    /// From the sun, on the side that is seen.
    pub(crate) sun: f32,
    /// From the sun, on the other side.
    pub(crate) behind: f32,
    /// Fraction of the sun that is not hidden, whatever the angle.
    pub(crate) open: f32,
    /// From the sky, on the side that is seen.
    pub(crate) sky: f32,
}

impl Received {
    /// What a level floor receives that nothing stands on.
    pub(crate) fn on_open_floor(lamps: &Lamps) -> Self {
        let mut all = Self::default();
        lamps.suns.iter().chain(&lamps.skies).for_each(|lamp| all.add(lamp, lamp.direction.y, 1.0));
        all
    }

    fn add(&mut self, lamp: &Lamp, cosine: f32, visible: f32) {
        let amount = lamp.fraction * cosine.abs() * visible;
        match (lamp.kind, cosine > 0.0) {
            (Kind::Sun, true) => {
                self.sun += amount;
                self.open += lamp.fraction * visible;
            }
            (Kind::Sun, false) => self.behind += amount,
            (Kind::Sky, true) => self.sky += amount,
            (Kind::Sky, false) => {}
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Sun,
    Sky,
}

#[derive(Debug, Clone, Copy)]
struct Lamp {
    /// Towards the lamp, of length 1.
    direction: Vec3,
    fraction: f32,
    kind: Kind,
}

/// All lights of a picture.
pub(crate) struct Lamps {
    suns: Vec<Lamp>,
    skies: Vec<Lamp>,
    /// Towards the middle of the sun.
    pub(crate) sun: Vec3,
}

impl Lamps {
    /// The lights for a camera that looks in a direction: they turn with it, so that every view is well lit.
    pub(crate) fn for_view(view: &Axes) -> Self {
        let level_right = Vec3::new(view.right.x, 0.0, view.right.z).normalize_or(Vec3::X);
        let towards_viewer = level_right.cross(Vec3::Y);
        let (azimuth, elevation) = (SUN_AZIMUTH.to_radians(), SUN_ELEVATION.to_radians());
        let level = libm::cosf(azimuth) * towards_viewer - libm::sinf(azimuth) * level_right;
        let sun = libm::cosf(elevation) * level + libm::sinf(elevation) * Vec3::Y;
        Self { suns: sun_lamps(sun).collect(), skies: sky_lamps().collect(), sun }
    }

    /// Lets the sun shine on points.
    pub(crate) fn shine(&self, flat: &Flat, points: &mut [Point]) {
        self.suns.chunks(BATCH).for_each(|lamps| cast(lamps, flat, points));
    }

    /// Lets the sky shine on points. Its light changes slowly, so that a few points are enough.
    pub(crate) fn shine_sky(&self, flat: &Flat, points: &mut [Point]) {
        self.skies.chunks(BATCH).for_each(|lamps| cast(lamps, flat, points));
    }
}

/// Lets some lights shine on points.
fn cast(lamps: &[Lamp], flat: &Flat, points: &mut [Point]) {
    let maps: Vec<_> = lamps.par_iter().map(|lamp| DepthMap::of(flat, lamp)).collect();
    points.par_chunks_mut(CHUNK).for_each(|chunk| {
        for (lamp, map) in lamps.iter().zip(&maps) {
            for point in &mut *chunk {
                receive(point, lamp, map);
            }
        }
    });
}

fn receive(point: &mut Point, lamp: &Lamp, map: &DepthMap) {
    let cosine = point.normal.dot(lamp.direction);
    if cosine > 0.0 {
        point.light.add(lamp, cosine, map.visible(point.at, point.normal, cosine));
    } else if point.ground == Ground::Cloth && lamp.kind == Kind::Sun {
        point.light.add(lamp, cosine, map.visible(point.at, -point.normal, -cosine));
    }
}

/// Points of a disc, spread evenly (Vogel's spiral).
fn sun_lamps(sun: Vec3) -> impl Iterator<Item = Lamp> {
    let axes = Axes::looking(-sun);
    (0..SUN_LIGHTS).map(move |index| {
        let radius = SUN_RADIUS * ((index as f32 + 0.5) / SUN_LIGHTS as f32).sqrt();
        let (sin, cos) = libm::sincosf(GOLDEN_ANGLE * index as f32);
        let direction = (sun + radius * (cos * axes.right + sin * axes.up)).normalize();
        Lamp { direction, fraction: 1.0 / SUN_LIGHTS as f32, kind: Kind::Sun }
    })
}

/// Points of the upper half of a sphere, spread evenly; the sky is brighter above than at the horizon.
fn sky_lamps() -> impl Iterator<Item = Lamp> {
    const HORIZON: f32 = 0.4;
    let brightness = |y: f32| HORIZON + (1.0 - HORIZON) * y;
    // So that an open floor receives 1: the mean of brightness · y over the half-sphere.
    let whole = HORIZON / 2.0 + (1.0 - HORIZON) / 3.0;
    (0..SKY_LIGHTS).map(move |index| {
        let y = 1.0 - (index as f32 + 0.5) / SKY_LIGHTS as f32;
        let (sin, cos) = libm::sincosf(GOLDEN_ANGLE * index as f32);
        let level = (1.0 - y * y).sqrt();
        let fraction = brightness(y) / (whole * SKY_LIGHTS as f32);
        Lamp { direction: Vec3::new(level * cos, y, level * sin), fraction, kind: Kind::Sky }
    })
}

/// π (3 − √5): successive points on a spiral with this turn never line up.
const GOLDEN_ANGLE: f32 = 2.399_963_2;

/// How near to a light the nearest surface is, on a square raster across its direction.
struct DepthMap {
    /// From a point to the raster: two rows and the distance to the light, each with a number to add.
    across: (Vec3, f32),
    down: (Vec3, f32),
    towards: Vec3,
    /// Width of a pixel [m].
    pixel: f32,
    side: usize,
    near: Vec<f32>,
}

impl DepthMap {
    fn of(flat: &Flat, lamp: &Lamp) -> Self {
        let side = if lamp.kind == Kind::Sun { SUN_MAP } else { SKY_MAP };
        let axes = Axes::looking(-lamp.direction);
        let seen = || flat.positions.iter().map(|&position| axes.parts(position).truncate());
        let (low, high) = seen().fold((Vec2::MAX, Vec2::MIN), |(low, high), at| (low.min(at), high.max(at)));
        // Two pixels around stay empty, so that borders are compared with nothing.
        let scale = (side as f32 - 4.0) / (high - low).max_element().max(1e-6);
        let mut map = Self {
            across: (axes.right * scale, 2.0 - low.x * scale),
            down: (axes.up * scale, 2.0 - low.y * scale),
            towards: lamp.direction,
            pixel: 1.0 / scale,
            side,
            near: vec![f32::NEG_INFINITY; side * side],
        };
        map.draw(flat);
        map
    }

    fn draw(&mut self, flat: &Flat) {
        let corners: Vec<_> = flat.positions.iter().map(|&position| self.corner(position)).collect();
        let (side, near) = (self.side, &mut self.near);
        for triangle in &flat.triangles {
            raster::fill(side, side, triangle.map(|corner| corners[corner as usize]), |pixel, nearness| {
                if nearness > near[pixel] {
                    near[pixel] = nearness;
                }
            });
        }
    }

    fn corner(&self, point: Vec3) -> Corner {
        let (at, near) = self.place(point);
        Corner::new(at, near)
    }

    /// The place of a point on the raster, and how near to the light it is.
    fn place(&self, point: Vec3) -> (Vec2, f32) {
        let at = Vec2::new(self.across.0.dot(point) + self.across.1, self.down.0.dot(point) + self.down.1);
        (at, self.towards.dot(point))
    }

    /// The fraction of the light that reaches a point on a surface, whose normal on the lit side meets it at an angle
    /// of this cosine; 0 to 1, softened over a pixel of the map.
    fn visible(&self, point: Vec3, normal: Vec3, cosine: f32) -> f32 {
        // A surface must not shade itself. Over the 1.5 pixels that are compared, a plane's depth changes by 1.5 times
        // the tangent; moved along its normal by the sine, a point clears it by the sine over the cosine: the same.
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        let (at, near) = self.place(point + normal * ((1.7 * sine + 0.4) * self.pixel));
        let at = at - 0.5;
        if !(at.min_element() >= 0.0 && at.max_element() < (self.side - 1) as f32) {
            return 1.0;
        }
        let (x, y) = (at.x as u32, at.y as u32);
        let (fx, fy) = (at.x - x as f32, at.y - y as f32);
        let first = y as usize * self.side + x as usize;
        let open = |pixel: usize| if self.near[pixel] <= near { 1.0 } else { 0.0 };
        let upper = open(first) * (1.0 - fx) + open(first + 1) * fx;
        let lower = open(first + self.side) * (1.0 - fx) + open(first + self.side + 1) * fx;
        upper * (1.0 - fy) + lower * fy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::{Look, Surface};

    fn lamps() -> Lamps {
        Lamps::for_view(&Axes::looking(Vec3::new(0.0, -0.3, -1.0)))
    }

    fn square(y: f32, half: f32) -> Surface {
        let positions = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        Surface {
            positions: positions.map(|[x, z]: [f32; 2]| Vec3::new(half * x, y, half * z)).to_vec(),
            triangles: vec![[0, 2, 1], [0, 3, 2]],
            look: Look::Solid { colour: Vec3::ONE },
            coords: None,
            paint: None,
        }
    }

    fn lit(surfaces: &[Surface], at: Vec3) -> Received {
        let mut points = [Point { at, normal: Vec3::Y, ground: Ground::Solid, light: Received::default() }];
        let flat = Flat::of(surfaces);
        lamps().shine(&flat, &mut points);
        lamps().shine_sky(&flat, &mut points);
        points[0].light
    }

    #[test]
    fn an_open_floor_receives_the_whole_sky() {
        let open = Received::on_open_floor(&lamps());
        // The sum over 72 lights of a function that is smooth in y is its mean up to 1/72² or so.
        assert!((open.sky - 1.0).abs() < 1e-3, "{open:?}");
        assert!((open.open - 1.0).abs() < 1e-5, "{open:?}");
    }

    #[test]
    fn a_surface_does_not_shade_itself() {
        let open = Received::on_open_floor(&lamps());
        for (x, z) in [(0.0, 0.0), (0.31, -0.77), (0.999, 0.5)] {
            let light = lit(&[square(0.0, 1.0)], Vec3::new(x, 0.0, z));
            assert!((light.sun - open.sun).abs() < 1e-5 && (light.sky - open.sky).abs() < 1e-5, "{light:?}");
        }
    }

    #[test]
    fn a_roof_keeps_off_the_sun_and_the_sky_it_covers() {
        // A square of half-width 1 at height 1, over its middle: the form factor of a level patch to a parallel square
        // is 4/(2π) · 2 · (a/√(1+a²)) atan(a/√(1+a²)) with a = 1: 0.554 for an evenly bright sky.
        let open = Received::on_open_floor(&lamps());
        let under = lit(&[square(1.0, 1.0)], Vec3::ZERO);
        let covered = 1.0 - under.sky / open.sky;
        assert!(under.sun < 1e-6, "{under:?}");
        // The sky above is brighter than its mean, so somewhat more of it is covered; 72 lights are 1.4 % each.
        assert!((0.55..0.66).contains(&covered), "{covered}");
        let far = lit(&[square(1.0, 1.0)], Vec3::new(40.0, 0.0, 40.0));
        assert!((far.sky - open.sky).abs() < 0.02, "{far:?}");
    }

    #[test]
    fn the_border_of_a_shadow_is_soft_over_the_width_of_the_sun() {
        let roof = [square(1.0, 1.0)];
        let sun = lamps().sun;
        // The border of the roof at x = 1 falls on the floor at x = 1 − sun.x / sun.y.
        let border = 1.0 - sun.x / sun.y;
        let fraction = |offset: f32| lit(&roof, Vec3::new(border + offset, 0.0, -sun.z / sun.y)).open;
        let (inside, middle, outside) = (fraction(-0.3), fraction(0.0), fraction(0.3));
        assert!(inside < 1e-6 && outside > 1.0 - 1e-5, "{inside} {outside}");
        assert!((0.3..0.7).contains(&middle), "{middle}");
    }

    #[test]
    fn light_from_behind_reaches_cloth_only() {
        let sun = lamps().sun;
        for (ground, reached) in [(Ground::Cloth, true), (Ground::Solid, false)] {
            let mut points = [Point { at: Vec3::ZERO, normal: -sun, ground, light: Received::default() }];
            lamps().shine(&Flat::of(&[]), &mut points);
            assert_eq!(points[0].light.behind > 0.9, reached, "{:?}", points[0].light);
            assert_eq!(points[0].light.sun, 0.0);
        }
    }
}
