//! Lengths in textures.

use glam::DVec2;

/// Metres per unit of u and of v, fitted over the sides of faces, each given by the square of its length [m²] and its
/// course in the texture.
///
/// With a and b the squares of the result, the least of Σ (|Δx|² − a Δu² − b Δv²)²: a texture is often stretched over
/// its cloth. None when there is nothing to fit: all coordinates on one line, or a map so sheared that a or b would
/// have to be zero or less.
pub fn texture_scale(sides: impl Iterator<Item = (f64, DVec2)>) -> Option<DVec2> {
    let (mut uu, mut uv, mut vv, mut lu, mut lv) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (length, course) in sides {
        let DVec2 { x: u, y: v } = course * course;
        uu += u * u;
        uv += u * v;
        vv += v * v;
        lu += length * u;
        lv += length * v;
    }
    let determinant = uu * vv - uv * uv;
    // Zero but for rounding.
    if determinant <= 1e-12 * uu * vv {
        return None;
    }
    let squares = DVec2::new(lu * vv - lv * uv, lv * uu - lu * uv) / determinant;
    let usable = squares.is_finite() && squares.min_element() > 0.0;
    usable.then(|| DVec2::new(squares.x.sqrt(), squares.y.sqrt()))
}
