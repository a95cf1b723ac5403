//! How surfaces look: the colour of cloth with its pattern, and what light makes of it.

use glam::{Vec2, Vec3};

use crate::light::Received;
use crate::stage::{Found, Look};

/// Brightness of the sun and the sky on a white surface that faces them.
const SUN: Vec3 = Vec3::new(0.85, 0.825, 0.78);
const SKY: Vec3 = Vec3::new(0.43, 0.445, 0.475);
/// Light that comes back from the floor, on what faces down.
const BOUNCE: Vec3 = Vec3::new(0.115, 0.11, 0.10);
/// Fraction of the light from behind that cloth lets through.
const THROUGH: f32 = 0.28;
/// Width of the pattern's lines, as a fraction of their distance, and how much darker they are.
const LINE_WIDTH: f32 = 0.07;
const LINE_DEPTH: f32 = 0.30;
/// Fine lines between two lines of the pattern.
const FINE_LINES: f32 = 5.0;
const FINE_DEPTH: f32 = 0.10;
/// Threads between two fine lines.
const THREADS: f32 = 8.0;
const THREAD_DEPTH: f32 = 0.22;
/// Fuzz of cloth: seen against the light and at grazing angles.
const SHEEN: f32 = 0.22;
/// The broad highlight of threads.
const GLOSS: f32 = 0.10;
/// Fraction of the light on colours that stand for numbers which is the same everywhere.
const EVEN: f32 = 0.5;
/// What stays of the pattern on cloth that is coloured by numbers.
const FAINT: f32 = 0.5;

/// The part of light that a point of a surface throws back: linear, 0 to 1.
pub(crate) fn albedo(found: &Found, weights: Vec3, front: bool, footprint: f32) -> Vec3 {
    let surface = found.surface;
    let (plain, spacing) = match surface.look {
        Look::Solid { colour } => (colour, None),
        Look::Fabric { front: colour, spacing, .. } if front => (colour, Some(spacing)),
        Look::Fabric { back, spacing, .. } => (back, Some(spacing)),
    };
    let painted = surface.paint.as_ref().map(|paint| {
        let codes = found.corners.map(|corner| paint.codes[corner - found.first_vertex]);
        let code = Vec3::from_array(codes).dot(weights).clamp(0.0, 255.0);
        paint.table[code as usize]
    });
    let strength = if painted.is_some() { FAINT } else { 1.0 };
    let pattern = match (spacing, &surface.coords) {
        (Some(spacing), Some(coords)) => {
            let [a, b, c] = coords[found.triangle];
            let at = a * weights.x + b * weights.y + c * weights.z;
            1.0 - strength * woven(at / spacing, footprint / spacing)
        }
        _ => 1.0,
    };
    painted.unwrap_or(plain) * pattern
}

/// How much darker the woven pattern is at a place, in units of its lines' distance, averaged over a width.
fn woven(at: Vec2, width: f32) -> f32 {
    let lines = |scale: f32| {
        let [x, y] = [at.x, at.y].map(|x| covered(x * scale, width * scale));
        x + y - x * y
    };
    let fine = lines(FINE_LINES);
    // Threads pass over and under each other: a chessboard, gone when a pixel holds several.
    let threads = at * (FINE_LINES * THREADS);
    let odd = (threads.x.floor() + threads.y.floor()).rem_euclid(2.0);
    let visible = (1.0 - 1.5 * width * FINE_LINES * THREADS).max(0.0);
    LINE_DEPTH * lines(1.0) + FINE_DEPTH * fine + THREAD_DEPTH * (odd - 0.5) * visible
}

/// The fraction of a window around `x` that lies on lines, one at each whole number.
fn covered(x: f32, window: f32) -> f32 {
    let window = window.max(1e-4);
    // The length of lines from 0 to x.
    let lines_to = |x: f32| {
        let x = x + 0.5 * LINE_WIDTH;
        x.floor() * LINE_WIDTH + (x - x.floor()).min(LINE_WIDTH)
    };
    ((lines_to(x + 0.5 * window) - lines_to(x - 0.5 * window)) / window).clamp(0.0, 1.0)
}

/// A point as it is seen.
pub(crate) struct Seen {
    pub(crate) albedo: Vec3,
    pub(crate) normal: Vec3,
    /// Towards the eye, of length 1.
    pub(crate) view: Vec3,
    pub(crate) light: Received,
    pub(crate) cloth: bool,
    /// True when its colour stands for a number.
    pub(crate) painted: bool,
}

/// The linear colour of a point of a surface.
pub(crate) fn colour(seen: &Seen, sun: Vec3) -> Vec3 {
    let Seen { albedo, normal, view, light, cloth, painted } = seen;
    let bounce = BOUNCE * (0.5 - 0.5 * normal.y) * (0.3 + 0.7 * light.sky.min(1.0));
    let falls = SUN * light.sun + SKY * light.sky + bounce;
    if *painted {
        // In a deep shadow a colour would look like another one of its scale.
        return toned(*albedo * (EVEN + (1.0 - EVEN) * falls));
    }
    if !*cloth {
        return toned(*albedo * falls + Vec3::splat(gloss(*normal, *view, sun, 5) * 0.12 * light.open));
    }
    // What comes through is coloured twice.
    let through = *albedo * albedo.max_element().sqrt() * SUN * (THROUGH * light.behind);
    let facing = normal.dot(*view).clamp(0.0, 1.0);
    let rim = (1.0 - facing) * (1.0 - facing) * (1.0 - facing);
    let fuzz = albedo.lerp(Vec3::ONE, 0.35) * (SHEEN * rim) * (SKY * light.sky + 0.35 * SUN * light.open);
    let threads = albedo.lerp(Vec3::ONE, 0.5) * (GLOSS * gloss(*normal, *view, sun, 3) * light.open) * SUN;
    toned(*albedo * falls + through + fuzz + threads)
}

/// A highlight where a mirror would show the sun; squaring it more often makes it smaller.
fn gloss(normal: Vec3, view: Vec3, sun: Vec3, squarings: u32) -> f32 {
    let half = (view + sun).normalize_or_zero();
    let facing = normal.dot(half).max(0.0);
    (0..squarings).fold(facing, |power, _| power * power) * normal.dot(sun).max(0.0)
}

/// Keeps colours as they are up to a brightness of 0.75 and bends what is above, so that nothing burns out.
fn toned(colour: Vec3) -> Vec3 {
    const KNEE: f32 = 0.75;
    let bend = |x: f32| if x <= KNEE { x } else { KNEE + (x - KNEE) / (1.0 + (x - KNEE) / (1.0 - KNEE)) };
    Vec3::new(bend(colour.x), bend(colour.y), bend(colour.z))
}

/// The floor's colour: the background's, darker by the light that it misses.
pub(crate) fn floor(background: Vec3, light: Received, open: Received, fade: f32) -> Vec3 {
    let full = SUN * open.sun + SKY * open.sky;
    let fraction = (SUN * light.sun + SKY * light.sky) / full;
    // Shadows on a studio's floor are lit up by the room.
    background * (1.0 - 0.55 * fade * (Vec3::ONE - fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_pixel_sees_the_mean_of_the_pattern() {
        for x in [0.0, 0.3, 17.77] {
            assert!((covered(x, 50.0) - LINE_WIDTH).abs() < 0.01, "{}", covered(x, 50.0));
        }
        // f32 at 3 over a window of 0.01.
        assert!((covered(3.0, 0.01) - 1.0).abs() < 1e-3);
        assert_eq!(covered(3.5, 0.01), 0.0);
        // Half a line in the window.
        assert!((covered(3.0 + 0.5 * LINE_WIDTH, 0.02) - 0.5).abs() < 1e-3);
    }

    #[test]
    fn bright_colours_are_bent_and_never_burn_out() {
        assert_eq!(toned(Vec3::splat(0.5)), Vec3::splat(0.5));
        let bright = toned(Vec3::new(0.76, 2.0, 100.0));
        assert!(bright.x > 0.75 && bright.x < bright.y && bright.y < bright.z && bright.z < 1.0, "{bright}");
    }

    #[test]
    fn an_open_floor_has_the_colour_of_the_background() {
        let open = Received { sun: 0.7, behind: 0.0, open: 1.0, sky: 1.0 };
        let background = Vec3::new(0.9, 0.8, 0.7);
        assert_eq!(floor(background, open, open, 1.0), background);
        assert!(floor(background, Received::default(), open, 1.0).x < 0.5);
    }
}
