//! The camera, and how it finds a good place by itself.

use glam::{Vec2, Vec3};

/// Vertical field of view that the camera chooses for itself [degrees]: that of a 75 mm lens, calm perspective.
pub const FIELD_OF_VIEW: f32 = 27.0;

/// Fraction of the picture that is left free around what is shown.
const MARGIN: f32 = 0.07;

/// Height from which the camera looks down when it may choose [degrees].
const ELEVATION: f32 = 16.0;

/// Where one looks from, and where to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Place of the eye [m].
    pub eye: Vec3,
    /// What is in the middle of the picture [m].
    pub target: Vec3,
    /// Angle between the upper and the lower border [degrees].
    pub field_of_view: f32,
}

impl Camera {
    /// Looks along a direction, as close as all points stay in the picture. `aspect` is width over height.
    pub fn framing(points: &[Vec3], direction: Vec3, aspect: f32, field_of_view: f32) -> Self {
        let view = Axes::looking(direction);
        let tan_y = half_tangent(field_of_view) * (1.0 - MARGIN);
        let tan_x = tan_y * aspect;
        // The eye's place along an axis and back from it, so that the two border planes touch the outermost points.
        let place = |axis: Vec3, tan: f32| {
            let plus = greatest(points, |p| axis.dot(p) - tan * view.forward.dot(p));
            let minus = greatest(points, |p| -axis.dot(p) - tan * view.forward.dot(p));
            (0.5 * (plus - minus), -(plus + minus) / (2.0 * tan))
        };
        let (x, back_x) = place(view.right, tan_x);
        let (y, back_y) = place(view.up, tan_y);
        let back = back_x.min(back_y);
        let eye = x * view.right + y * view.up + back * view.forward;
        let middle = 0.5 * (greatest(points, |p| view.forward.dot(p)) - greatest(points, |p| -view.forward.dot(p)));
        // Something that is a point has no size to keep away from.
        let distance = (middle - back).max(1e-3);
        let eye = if middle - back < 1e-3 { eye - (distance - middle + back) * view.forward } else { eye };
        Self { eye, target: eye + distance * view.forward, field_of_view }
    }

    /// Its axes.
    pub(crate) fn axes(&self) -> Axes {
        Axes::looking(self.target - self.eye)
    }

    /// The camera made ready for a picture of a size.
    pub(crate) fn lens(&self, width: u32, height: u32) -> Lens {
        let scale = 0.5 * height as f32 / half_tangent(self.field_of_view);
        let centre = Vec2::new(0.5 * width as f32, 0.5 * height as f32);
        Lens { eye: self.eye, axes: self.axes(), scale, centre }
    }
}

/// Directions to choose from: a ring, offset so that cloth in the plane of two axes is seen at three quarters.
const CHOICES: usize = 6;

/// How much more the front of a triangle counts than its back.
const FRONT: f64 = 1.05;

/// The direction to look in that shows the most of some triangles, given as vectors of twice their area [m²].
pub fn best_direction(areas: &[Vec3]) -> Vec3 {
    let direction = |choice: usize| {
        let azimuth = (30.0 + 360.0 / CHOICES as f32 * choice as f32).to_radians();
        let elevation = ELEVATION.to_radians();
        let level = libm::cosf(elevation);
        -Vec3::new(level * libm::sinf(azimuth), libm::sinf(elevation), level * libm::cosf(azimuth))
    };
    let worth = |area: &Vec3, direction: Vec3| {
        let away = f64::from(area.dot(direction));
        if away < 0.0 { -away * FRONT } else { away }
    };
    let shown = |direction: Vec3| areas.iter().map(|area| worth(area, direction)).sum::<f64>();
    let mut best = (direction(0), shown(direction(0)));
    for choice in (1..CHOICES).map(direction) {
        // Views that show the same differ by rounding only; the first stays.
        if shown(choice) > 1.001 * best.1 {
            best = (choice, shown(choice));
        }
    }
    best.0
}

/// Width over height of the smallest picture that shows all points when looking in a direction from afar.
pub fn natural_aspect(points: &[Vec3], direction: Vec3) -> f32 {
    let view = Axes::looking(direction);
    let extent = |axis: Vec3| greatest(points, |p| axis.dot(p)) + greatest(points, |p| -axis.dot(p));
    let (width, height) = (extent(view.right), extent(view.up));
    if height > 0.0 { width / height } else { 1.0 }
}

fn greatest(points: &[Vec3], value: impl Fn(Vec3) -> f32) -> f32 {
    points.iter().map(|&point| value(point)).fold(f32::NEG_INFINITY, f32::max)
}

fn half_tangent(degrees: f32) -> f32 {
    libm::tanf(0.5 * degrees.to_radians())
}

/// An orthonormal frame that looks somewhere.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axes {
    pub(crate) right: Vec3,
    pub(crate) up: Vec3,
    pub(crate) forward: Vec3,
}

impl Axes {
    /// Upright as far as possible; looking straight down, the picture's upper border is towards −z, straight up,
    /// towards +z.
    pub(crate) fn looking(direction: Vec3) -> Self {
        let forward = direction.try_normalize().unwrap_or(Vec3::NEG_Z);
        let right = forward.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        Self { right, up: right.cross(forward), forward }
    }

    /// A vector's parts along the axes.
    pub(crate) fn parts(&self, vector: Vec3) -> Vec3 {
        Vec3::new(self.right.dot(vector), self.up.dot(vector), self.forward.dot(vector))
    }
}

/// A camera and a picture's size: between points and pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lens {
    pub(crate) eye: Vec3,
    pub(crate) axes: Axes,
    /// Pixels per unit of tangent.
    scale: f32,
    centre: Vec2,
}

impl Lens {
    /// A point relative to the eye: right, up, depth.
    pub(crate) fn seen(&self, point: Vec3) -> Vec3 {
        self.axes.parts(point - self.eye)
    }

    /// The place on the picture of a point with positive depth.
    pub(crate) fn project(&self, seen: Vec3) -> Vec2 {
        self.centre + Vec2::new(seen.x, -seen.y) * (self.scale / seen.z)
    }

    /// The direction, of depth 1, that a place on the picture looks in.
    pub(crate) fn ray(&self, at: Vec2) -> Vec3 {
        let offset = (at - self.centre) / self.scale;
        self.axes.forward + offset.x * self.axes.right - offset.y * self.axes.up
    }

    /// Tangents of the angles from the middle of the picture to its right and to its upper border.
    pub(crate) fn tangents(&self) -> Vec2 {
        self.centre / self.scale
    }

    /// Width of a pixel at depth 1.
    pub(crate) fn pixel(&self) -> f32 {
        1.0 / self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(low: Vec3, high: Vec3) -> Vec<Vec3> {
        (0..8).map(|k| Vec3::select(glam::BVec3::new(k & 1 > 0, k & 2 > 0, k & 4 > 0), low, high)).collect()
    }

    #[test]
    fn what_is_framed_fills_the_picture_up_to_the_margin() {
        let points = corners(Vec3::new(-1.0, 0.2, 3.0), Vec3::new(2.0, 0.9, 3.5));
        for direction in [Vec3::NEG_Z, Vec3::new(-0.4, -0.3, -0.8), Vec3::NEG_Y, Vec3::X] {
            let camera = Camera::framing(&points, direction, 16.0 / 9.0, 30.0);
            let lens = camera.lens(1600, 900);
            let places: Vec<_> = points.iter().map(|&p| lens.project(lens.seen(p))).collect();
            let low = places.iter().copied().reduce(Vec2::min).unwrap();
            let high = places.iter().copied().reduce(Vec2::max).unwrap();
            let fraction = ((high - low) / Vec2::new(1600.0, 900.0)).max_element();
            // f32 at distances of some ten metres.
            assert!((fraction - (1.0 - MARGIN)).abs() < 1e-3, "{direction}: {fraction}");
            assert!(low.min_element() > 0.0 && high.x < 1600.0 && high.y < 900.0, "{direction}: {low} {high}");
        }
    }

    #[test]
    fn a_single_point_can_be_framed() {
        let camera = Camera::framing(&[Vec3::ONE], Vec3::NEG_Z, 1.0, 30.0);
        assert!(camera.eye.is_finite() && camera.eye != camera.target, "{camera:?}");
    }

    #[test]
    fn rays_and_projection_are_inverse() {
        let camera = Camera { eye: Vec3::new(3.0, 2.0, 4.0), target: Vec3::new(0.0, 0.5, 0.0), field_of_view: 35.0 };
        let lens = camera.lens(640, 480);
        for place in [Vec2::new(1.0, 1.0), Vec2::new(320.0, 240.0), Vec2::new(600.0, 30.0)] {
            let point = lens.eye + 5.0 * lens.ray(place);
            assert!((lens.project(lens.seen(point)) - place).length() < 1e-2);
        }
    }

    #[test]
    fn cloth_is_looked_at_from_where_most_of_it_is_seen() {
        let upright_along_x = [Vec3::Z];
        assert!(best_direction(&upright_along_x).z.abs() > 0.7);
        let upright_along_z = [Vec3::X];
        assert!(best_direction(&upright_along_z).x.abs() > 0.7);
    }

    #[test]
    fn the_front_of_cloth_is_preferred_to_its_back() {
        for normal in [Vec3::Z, Vec3::NEG_Z, Vec3::X, Vec3::NEG_X] {
            assert!(best_direction(&[normal]).dot(normal) < -0.7, "{normal}");
        }
    }
}
