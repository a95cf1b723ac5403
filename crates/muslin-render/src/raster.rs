//! Triangles to pixels.
//!
//! Corners are snapped to 1/256 of a pixel and edges are tested in whole numbers, with the usual rule that a pixel on a
//! shared edge belongs to the triangle to its right or below: neighbours leave no gap and share no pixel.

use std::ops::Range;

use glam::Vec2;

/// Whole units in a pixel.
const UNITS: i32 = 256;

/// Corners further out than this many pixels are cut off: what is seen of their triangles may be bent, far outside.
const FARTHEST: f32 = 100_000.0;

/// A corner on the raster.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner {
    /// From the left and the top, in units.
    x: i32,
    y: i32,
    /// How near it is: greater is nearer; linear on the raster.
    near: f32,
}

impl Corner {
    /// A corner at so many pixels from the left and the top. What is not a number ends up at the top left.
    pub(crate) fn new(at: Vec2, near: f32) -> Self {
        let at = at.clamp(Vec2::splat(-FARTHEST), Vec2::splat(FARTHEST)) * UNITS as f32;
        Self { x: at.x as i32, y: at.y as i32, near }
    }
}

/// Calls `plot(pixel, near)` for every pixel whose centre lies in the triangle, whichever way round it is.
#[inline]
pub(crate) fn fill(width: usize, height: usize, corners: [Corner; 3], mut plot: impl FnMut(usize, f32)) {
    // Most small triangles hold no pixel's centre: they must cost little.
    let (columns, rows) =
        (pixels(corners.map(|corner| corner.x), width), pixels(corners.map(|corner| corner.y), height));
    if columns.is_empty() || rows.is_empty() {
        return;
    }
    let Some(edges) = edges(corners) else { return };
    let gradient = Gradient::through(corners);
    for y in rows {
        let mut inside = edges.map(|edge| edge.at(columns.start as i64, y as i64));
        for x in columns.clone() {
            if (inside[0] | inside[1] | inside[2]) >= 0 {
                plot(y * width + x, gradient.at(x as f32 + 0.5, y as f32 + 0.5));
            }
            for (value, edge) in inside.iter_mut().zip(&edges) {
                *value += edge.across;
            }
        }
    }
}

/// The pixels along an axis whose centres lie between three coordinates, given in units.
fn pixels([a, b, c]: [i32; 3], most: usize) -> Range<usize> {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let first = (low + UNITS / 2 - 1).div_euclid(UNITS).max(0);
    let end = ((high - UNITS / 2).div_euclid(UNITS) + 1).min(most as i32);
    first as usize..end.max(first) as usize
}

/// A half-plane: `across · x + down · y + start ≥ 0` for the pixel (x, y).
#[derive(Debug, Clone, Copy)]
struct Edge {
    across: i64,
    down: i64,
    start: i64,
}

impl Edge {
    /// The side to the left of the line from `a` to `b` (y is down), in units.
    fn between(a: Corner, b: Corner) -> Self {
        let (dx, dy) = (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
        // Pixels on the edge itself belong to one side only.
        let owned = dy < 0 || (dy == 0 && dx > 0);
        let unit = i64::from(UNITS);
        let (cx, cy) = (unit / 2 - i64::from(a.x), unit / 2 - i64::from(a.y));
        Self { across: -dy * unit, down: dx * unit, start: dx * cy - dy * cx - i64::from(!owned) }
    }

    fn at(self, x: i64, y: i64) -> i64 {
        self.start + self.across * x + self.down * y
    }
}

/// The edges of a triangle with its inside to the left; none when it has no area.
fn edges([a, b, c]: [Corner; 3]) -> Option<[Edge; 3]> {
    let along = |p: i32, q: i32| i64::from(q) - i64::from(p);
    let area = along(a.x, b.x) * along(a.y, c.y) - along(a.y, b.y) * along(a.x, c.x);
    let (b, c) = if area < 0 { (c, b) } else { (b, c) };
    (area != 0).then(|| [Edge::between(a, b), Edge::between(b, c), Edge::between(c, a)])
}

/// Nearness as a linear function of the place on the raster, in pixels.
struct Gradient {
    across: f32,
    down: f32,
    origin: Vec2,
    start: f32,
}

impl Gradient {
    /// Through the corners of a triangle that has some area.
    fn through(corners: [Corner; 3]) -> Self {
        let [a, b, c] = corners.map(|corner| Vec2::new(corner.x as f32, corner.y as f32) / UNITS as f32);
        let (u, v) = (b - a, c - a);
        let (p, q) = (corners[1].near - corners[0].near, corners[2].near - corners[0].near);
        let scale = 1.0 / (u.x * v.y - u.y * v.x);
        let (across, down) = ((p * v.y - q * u.y) * scale, (q * u.x - p * v.x) * scale);
        Self { across, down, origin: a, start: corners[0].near }
    }

    fn at(&self, x: f32, y: f32) -> f32 {
        self.start + self.across * (x - self.origin.x) + self.down * (y - self.origin.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f32, y: f32, near: f32) -> Corner {
        Corner::new(Vec2::new(x, y), near)
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
        for x in [-50.0, 40.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e9] {
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
