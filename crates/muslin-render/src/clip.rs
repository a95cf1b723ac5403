//! What of a triangle can be in the picture: the part in front of the eye and not far beside the picture.
//!
//! A triangle that reaches from before the eye to behind it has corners on the picture that are as far out as one
//! likes. No raster holds them, and the nearness between them would be lost to rounding.

use glam::{Vec2, Vec3};

/// Corners of a triangle that was cut by five planes.
const MOST_CORNERS: usize = 8;

/// The space in which triangles are kept whole: beyond a least depth, and within a pyramid around what is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Least depth.
    pub(crate) near: f32,
    /// Greatest tangent across and down.
    pub(crate) tangents: Vec2,
}

impl Bounds {
    /// How far inside each of the five planes a point is; negative: outside. Points are right, up and depth, from the
    /// eye.
    fn inside(&self, point: Vec3) -> [f32; 5] {
        let reach = self.tangents * point.z;
        [point.z - self.near, reach.x - point.x, reach.x + point.x, reach.y - point.y, reach.y + point.y]
    }

    /// The part of a triangle that lies inside, as a fan of triangles: none, itself, or some that are cut.
    pub(crate) fn cut(&self, points: [Vec3; 3]) -> impl Iterator<Item = [Vec3; 3]> {
        let mut corners = [Vec3::ZERO; MOST_CORNERS];
        corners[..3].copy_from_slice(&points);
        let mut count = 3;
        let all = points.map(|point| self.inside(point));
        for plane in 0..5 {
            if all.iter().any(|inside| !(inside[plane] >= 0.0)) {
                (corners, count) = self.cut_by(plane, &corners[..count]);
            }
        }
        (2..count).map(move |k| [corners[0], corners[k - 1], corners[k]])
    }

    fn cut_by(&self, plane: usize, corners: &[Vec3]) -> ([Vec3; MOST_CORNERS], usize) {
        let mut kept = [Vec3::ZERO; MOST_CORNERS];
        let mut count = 0;
        let mut keep = |corner: Vec3| {
            // A convex outline gains one corner at most by each cut; numbers that are none could make it more.
            if count < MOST_CORNERS {
                kept[count] = corner;
                count += 1;
            }
        };
        for (k, &a) in corners.iter().enumerate() {
            let b = corners[(k + 1) % corners.len()];
            let (at_a, at_b) = (self.inside(a)[plane], self.inside(b)[plane]);
            if at_a >= 0.0 {
                keep(a);
            }
            // Always from the inner end to the outer one: neighbours that share the edge then find the same point.
            if at_a >= 0.0 && at_b < 0.0 {
                keep(a.lerp(b, at_a / (at_a - at_b)));
            } else if at_b >= 0.0 && at_a < 0.0 {
                keep(b.lerp(a, at_b / (at_b - at_a)));
            }
        }
        (kept, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { near: 0.01, tangents: Vec2::new(2.0, 1.0) };

    fn cut(points: [Vec3; 3]) -> Vec<[Vec3; 3]> {
        BOUNDS.cut(points).collect()
    }

    #[test]
    fn a_triangle_inside_stays_as_it_is_and_one_outside_goes() {
        let inside = [Vec3::new(0.0, 0.0, 1.0), Vec3::new(1.9, 0.0, 1.0), Vec3::new(0.0, -0.9, 1.0)];
        assert_eq!(cut(inside), [inside]);
        for outside in [
            inside.map(|point| -point),
            inside.map(|point| point + 9.0 * Vec3::X),
            inside.map(|point| point - 9.0 * Vec3::Y),
            [Vec3::NAN; 3],
        ] {
            assert!(cut(outside).is_empty(), "{outside:?}");
        }
    }

    #[test]
    fn what_is_left_of_a_ground_that_reaches_behind_the_eye_lies_inside_and_on_the_ground() {
        let ground = [Vec3::new(-50.0, -1.0, -50.0), Vec3::new(50.0, -1.0, -50.0), Vec3::new(0.0, -1.0, 100.0)];
        let parts = cut(ground);
        assert!(parts.len() >= 2, "{parts:?}");
        for corner in parts.iter().flatten() {
            // Some roundings of numbers up to 100.
            assert!(BOUNDS.inside(*corner).iter().all(|&inside| inside > -1e-4), "{corner}");
            assert!((corner.y + 1.0).abs() < 1e-4, "{corner}");
        }
        // Of the ground, seen from above, |x| ≤ 2 z is kept from z = 1 on (|y| ≤ z); its own sides, x = ±(100 − z) / 3,
        // are met at z = 100 / 7. A trapezium up to there, a triangle beyond.
        let area: f32 = parts.iter().map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum();
        let z = 100.0 / 7.0;
        let exact = 2.0 * (z * z - 1.0) + 2.0 * z * (100.0 - z);
        assert!((area - exact).abs() < 1e-3 * exact, "{area} of {exact} m²");
    }

    #[test]
    fn neighbours_are_cut_at_the_same_point() {
        let [a, b] = [Vec3::new(0.3, -0.7, 3.1), Vec3::new(-1.3, -0.9, -2.3)];
        let left = cut([a, b, Vec3::new(-2.0, -0.8, 1.7)]);
        let right = cut([b, a, Vec3::new(2.0, -0.8, 1.9)]);
        let shared = |parts: &[[Vec3; 3]]| {
            let on_edge = |p: &Vec3| *p != a && (p - a).cross(b - a).length() < 1e-5 * (b - a).length_squared();
            parts.iter().flatten().copied().find(on_edge)
        };
        assert!(shared(&left).is_some());
        assert_eq!(shared(&left), shared(&right));
    }
}
