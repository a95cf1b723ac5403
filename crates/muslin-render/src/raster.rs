//! Triangles to pixels.
//!
//! Corners are snapped to 1/256 of a pixel and edges are tested in whole numbers, with the usual rule that a pixel on a
//! shared edge belongs to the triangle to its right or below: neighbours leave no gap and share no pixel.

use glam::Vec2;

/// Whole units in a pixel.
const UNITS: f32 = 256.0;

/// Corners further out than this many pixels would overflow; such triangles are cut before.
pub(crate) const FARTHEST: f32 = 30_000.0;

/// A corner on the raster: pixels from the left and the top, and how near it is (greater is nearer; linear on the raster).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner {
    pub(crate) at: Vec2,
    pub(crate) near: f32,
}

/// Calls `plot(pixel, near)` for every pixel whose centre lies in the triangle, whichever way round it is.
#[inline]
pub(crate) fn fill(width: usize, height: usize, corners: [Corner; 3], mut plot: impl FnMut(usize, f32)) {
    let Some(triangle) = Triangle::of(corners) else { return };
    let Some((columns, rows)) = triangle.pixels(width, height) else { return };
    let gradient = Gradient::through(corners);
    for y in rows {
        let mut inside = triangle.edges.map(|edge| edge.at(columns.start as i64, y as i64));
        for x in columns.clone() {
            if (inside[0] | inside[1] | inside[2]) >= 0 {
                plot(y * width + x, gradient.at(x as f32 + 0.5, y as f32 + 0.5));
            }
            for (value, edge) in inside.iter_mut().zip(&triangle.edges) {
                *value += edge.across;
            }
        }
    }
}

/// A half-plane: `across · x + down · y + start ≥ 0` for the pixel (x, y).
#[derive(Debug, Clone, Copy)]
struct Edge {
    across: i64,
    down: i64,
    start: i64,
}

impl Edge {
    /// The side to the left of the way from `a` to `b` (y is down), in units.
    fn between(a: [i64; 2], b: [i64; 2]) -> Self {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        // Pixels on the edge itself belong to one side only.
        let owned = dy < 0 || (dy == 0 && dx > 0);
        let unit = UNITS as i64;
        let (cx, cy) = (unit / 2 - a[0], unit / 2 - a[1]);
        Self { across: -dy * unit, down: dx * unit, start: dx * cy - dy * cx - i64::from(!owned) }
    }

    fn at(self, x: i64, y: i64) -> i64 {
        self.start + self.across * x + self.down * y
    }
}

struct Triangle {
    corners: [[i64; 2]; 3],
    edges: [Edge; 3],
}

impl Triangle {
    /// None when it covers nothing or is not finite.
    fn of(corners: [Corner; 3]) -> Option<Self> {
        if corners.iter().any(|corner| !(corner.at.abs().max_element() < FARTHEST) || !corner.near.is_finite()) {
            return None;
        }
        let mut c = corners.map(|corner| [(corner.at.x * UNITS) as i64, (corner.at.y * UNITS) as i64]);
        let area = (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[1][1] - c[0][1]) * (c[2][0] - c[0][0]);
        match area.cmp(&0) {
            std::cmp::Ordering::Equal => return None,
            std::cmp::Ordering::Less => c.swap(1, 2),
            std::cmp::Ordering::Greater => {}
        }
        let edges = [Edge::between(c[0], c[1]), Edge::between(c[1], c[2]), Edge::between(c[2], c[0])];
        Some(Self { corners: c, edges })
    }

    /// The columns and rows of pixels whose centres may be inside.
    fn pixels(&self, width: usize, height: usize) -> Option<(std::ops::Range<usize>, std::ops::Range<usize>)> {
        let range = |axis: usize, most: usize| {
            let all = self.corners.map(|corner| corner[axis]);
            let (low, high) = (all[0].min(all[1]).min(all[2]), all[0].max(all[1]).max(all[2]));
            let unit = UNITS as i64;
            let first = (low - unit / 2).div_euclid(unit).max(0) as usize;
            let last = ((high - unit / 2).div_euclid(unit) + 1).clamp(0, most as i64) as usize;
            (first < last).then_some(first..last)
        };
        Some((range(0, width)?, range(1, height)?))
    }
}

/// Nearness as a linear function of the place on the raster.
struct Gradient {
    across: f32,
    down: f32,
    origin: Vec2,
    start: f32,
}

impl Gradient {
    fn through([a, b, c]: [Corner; 3]) -> Self {
        let (u, v) = (b.at - a.at, c.at - a.at);
        let area = u.x * v.y - u.y * v.x;
        if area == 0.0 {
            return Self { across: 0.0, down: 0.0, origin: a.at, start: a.near };
        }
        let (p, q) = (b.near - a.near, c.near - a.near);
        Self { across: (p * v.y - q * u.y) / area, down: (q * u.x - p * v.x) / area, origin: a.at, start: a.near }
    }

    fn at(&self, x: f32, y: f32) -> f32 {
        self.start + self.across * (x - self.origin.x) + self.down * (y - self.origin.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f32, y: f32, near: f32) -> Corner {
        Corner { at: Vec2::new(x, y), near }
    }

    fn count(triangles: &[[Corner; 3]], side: usize) -> Vec<u32> {
        let mut hits = vec![0; side * side];
        for &triangle in triangles {
            fill(side, side, triangle, |pixel, _| hits[pixel] += 1);
        }
        hits
    }

    #[test]
    fn a_fan_of_triangles_covers_every_pixel_once_whichever_way_round_they_are() {
        let side = 32;
        let corners = [[0.0, 0.0], [32.0, 0.0], [32.0, 32.0], [0.0, 32.0]].map(|[x, y]| corner(x, y, 1.0));
        // Centres on pixel centres and pixel borders, and somewhere.
        for (x, y) in [(16.0, 16.0), (7.5, 20.5), (13.37, 3.21), (30.002, 31.998)] {
            let centre = corner(x, y, 1.0);
            let fan: Vec<_> = (0..4)
                .map(|k| {
                    let (a, b) = (corners[k], corners[(k + 1) % 4]);
                    if k % 2 == 0 { [centre, a, b] } else { [centre, b, a] }
                })
                .collect();
            assert!(count(&fan, side).iter().all(|&hits| hits == 1), "centre {x}, {y}: {:?}", count(&fan, side));
        }
    }

    #[test]
    fn nearness_is_linear() {
        let near = |x: f32, y: f32| 3.0 + 0.25 * x - 0.125 * y;
        let triangle = [(1.0, 2.0), (29.0, 5.0), (9.0, 31.0)].map(|(x, y)| corner(x, y, near(x, y)));
        let mut pixels = 0;
        fill(32, 32, triangle, |pixel, found| {
            let (x, y) = ((pixel % 32) as f32 + 0.5, (pixel / 32) as f32 + 0.5);
            pixels += 1;
            // A handful of roundings of numbers below 16.
            assert!((found - near(x, y)).abs() < 1e-5, "{found} at {x}, {y}");
        });
        assert!(pixels > 300, "{pixels}");
    }

    #[test]
    fn what_lies_outside_or_is_not_finite_plots_nothing() {
        for x in [-50.0, 40.0, f32::NAN, f32::INFINITY, 1e9] {
            let triangle = [corner(x, 1.0, 1.0), corner(x + 5.0, 1.0, 1.0), corner(x, 9.0, 1.0)];
            assert_eq!(count(&[triangle], 32).iter().sum::<u32>(), 0, "{x}");
        }
    }

    #[test]
    fn a_triangle_that_hangs_over_the_border_is_cut_there() {
        let triangle = [corner(-20.0, -20.0, 1.0), corner(60.0, -20.0, 1.0), corner(-20.0, 60.0, 1.0)];
        let hits = count(&[triangle], 32);
        // x + y < 40 in the middle of pixels.
        let expected = (0..32 * 32).filter(|pixel| pixel % 32 + pixel / 32 + 1 < 40).count();
        assert_eq!(hits.iter().filter(|&&hits| hits == 1).count(), expected);
    }
}
