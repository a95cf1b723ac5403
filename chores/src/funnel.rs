//! The funnel of `scenes/funnel.toml`: a profile turned about the y axis, watertight.

use std::f64::consts::TAU;
use std::fmt::Write;
use std::path::Path;

/// Points around.
const AROUND: usize = 48;
/// Half the width of the throat [m].
const THROAT: f64 = 0.03;
/// Radius of the arc from cone to throat [m].
const ROUND: f64 = 0.04;
/// Segments of that arc.
const ARC: usize = 8;
/// Slope of the cone against the level [rad].
const SLOPE: f64 = std::f64::consts::FRAC_PI_4;
/// Radius of the cone's rim [m].
const RIM: f64 = 0.14;
/// Length of the throat [m].
const LENGTH: f64 = 0.06;
/// Thickness of the wall [m].
const WALL: f64 = 0.01;

/// The profile as radius and height [m]: down inside, up outside. The arc begins at height 0.
fn profile() -> Vec<[f64; 2]> {
    let (sin, cos) = libm::sincos(SLOPE);
    let centre = THROAT + ROUND;
    let on_arc = |radius: f64, angle: f64| {
        let (sin, cos) = libm::sincos(angle);
        [centre - radius * cos, radius * sin]
    };
    let steep = std::f64::consts::FRAC_PI_2 - SLOPE;
    let angles = || (0..=ARC).map(move |step| steep * step as f64 / ARC as f64);
    let rise = (RIM - on_arc(ROUND, steep)[0]) / cos;
    let [x, y] = on_arc(ROUND, steep);
    let rim = [x + rise * cos, y + rise * sin];
    let mut points = vec![rim];
    points.extend(angles().rev().map(|angle| on_arc(ROUND, angle)));
    points.extend([[THROAT, -LENGTH], [THROAT + WALL, -LENGTH]]);
    points.extend(angles().map(|angle| on_arc(ROUND - WALL, angle)));
    points.push([rim[0] + WALL * sin, rim[1] - WALL * cos]);
    points
}

/// The mesh as OBJ.
fn obj() -> String {
    let profile = profile();
    let mut text = String::from("# A funnel of 60 mm. Metres, y up. Made by `cargo xtask funnel`.\n");
    for [radius, height] in &profile {
        for k in 0..AROUND {
            let (sin, cos) = libm::sincos(TAU * k as f64 / AROUND as f64);
            let _ = writeln!(text, "v {:.6} {:.6} {:.6}", radius * cos, height, radius * sin);
        }
    }
    let vertex = |ring: usize, k: usize| (ring % profile.len()) * AROUND + k % AROUND + 1;
    for ring in 0..profile.len() {
        for k in 0..AROUND {
            let [a, b] = [vertex(ring, k), vertex(ring + 1, k)];
            let [c, d] = [vertex(ring + 1, k + 1), vertex(ring, k + 1)];
            let _ = writeln!(text, "f {a} {d} {c}\nf {a} {c} {b}");
        }
    }
    text
}

/// Writes the file.
pub(crate) fn write() -> Result<(), String> {
    std::fs::write(path(), obj()).map_err(|error| format!("cannot write {}: {error}", path().display()))
}

fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/muslin-scene/scenes/funnel.obj")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_what_the_chore_writes() {
        let stored = std::fs::read_to_string(path()).unwrap_or_default();
        assert!(stored == obj(), "make it again: cargo xtask funnel");
    }
}
