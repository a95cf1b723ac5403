//! The ribbons of `scenes/ribbon-knot.toml`: one loop that opens to the left and one that opens to the right, laid
//! through each other as in a reef knot, and the straight strip that both are at rest.
//!
//! A ribbon stands on edge over a plan curve, and rises and sinks between its crossings with the other. Laid flat it
//! would be a strip that is bent in its own plane by no more than its height does.

use std::f64::consts::PI;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Distance of the legs from the middle at their ends [m].
const NARROW: f64 = 0.084;
/// Radius of the loop [m].
const WIDE: f64 = 0.21;
/// Where the loop's half circle begins [m].
const CENTRE: f64 = 0.14;
/// Where the legs begin to widen [m].
const SPREAD: f64 = -0.35;
/// Where the legs end [m].
const END: f64 = -0.7;
/// How far the ribbons rise and sink at crossings [m].
const LIFT: f64 = 0.008;
/// Width of the ribbons [m].
const WIDTH: f64 = 0.012;
/// Length of a cell [m].
const CELL: f64 = 0.006;
/// Vertices across.
const ACROSS: usize = 3;
/// Pieces of the curve's legs and of its half circle.
const PIECES: usize = 20_000;

/// The plan curve of the loop that opens to the left.
struct Curve {
    /// Its points, x and z [m].
    points: Vec<[f64; 2]>,
    /// Length up to each [m].
    lengths: Vec<f64>,
    /// Length up to the crossings on its first half [m]: with the other's loop, leg, and at its own loop.
    crossings: [f64; 3],
}

impl Curve {
    fn new() -> Self {
        let leg = (0..=PIECES).map(|piece| {
            let x = END + (CENTRE - END) * piece as f64 / PIECES as f64;
            let u = ((x - SPREAD) / (CENTRE - SPREAD)).clamp(0.0, 1.0);
            [x, NARROW + (WIDE - NARROW) * 0.5 * (1.0 - libm::cos(PI * u))]
        });
        let leg: Vec<[f64; 2]> = leg.collect();
        let turn = (1..=PIECES).map(|piece| {
            let (sin, cos) = libm::sincos(PI * piece as f64 / PIECES as f64);
            [CENTRE + WIDE * sin, WIDE * cos]
        });
        let back = leg[..PIECES].iter().rev().map(|[x, z]| [*x, -z]);
        let points: Vec<[f64; 2]> = leg.iter().copied().chain(turn).chain(back).collect();
        let mut lengths = vec![0.0];
        for pair in points.windows(2) {
            let step = libm::hypot(pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
            lengths.push(lengths[lengths.len() - 1] + step);
        }
        let loop_at = CENTRE + (WIDE * WIDE - NARROW * NARROW).sqrt();
        let first = |there: &dyn Fn(&[f64; 2]) -> bool| lengths[points.iter().position(there).unwrap_or_default()];
        let crossings =
            [first(&|[x, _]| *x >= -loop_at), first(&|[x, _]| *x >= 0.0), first(&|[x, z]| *x > CENTRE && *z <= NARROW)];
        Self { points, lengths, crossings }
    }

    fn length(&self) -> f64 {
        self.lengths[self.lengths.len() - 1]
    }

    /// The point after a length s [m].
    fn at(&self, s: f64) -> [f64; 2] {
        let i = (self.lengths.partition_point(|length| *length <= s).max(1) - 1).min(self.points.len() - 2);
        let t = (s - self.lengths[i]) / (self.lengths[i + 1] - self.lengths[i]);
        let [from, to] = [self.points[i], self.points[i + 1]];
        [0, 1].map(|k| from[k] + t * (to[k] - from[k]))
    }

    /// Height of the ribbon's middle after a length s [m]: over, under, over; over, under, over.
    fn height(&self, s: f64) -> f64 {
        let s = s.min(self.length() - s);
        let [first, second, third] = self.crossings;
        if s < first || s >= third {
            LIFT
        } else if s < second {
            LIFT * libm::cos(PI * ((s - first) / (second - first)))
        } else {
            -LIFT * libm::cos(PI * ((s - second) / (third - second)))
        }
    }
}

/// The three files: name, content.
fn files() -> [(&'static str, String); 3] {
    let curve = Curve::new();
    let rows = (curve.length() / CELL).round() as usize + 1;
    let place = |row: usize, column: usize| {
        let s = curve.length() * row as f64 / (rows - 1) as f64;
        (s, (column as f64 - 1.0) * WIDTH / 2.0)
    };
    let vertices = || (0..rows).flat_map(|row| (0..ACROSS).map(move |column| (row, column)));
    let laid = |row, column| {
        let (s, up) = place(row, column);
        let [x, z] = curve.at(s);
        [x, curve.height(s) + up, z]
    };
    let left: Vec<[f64; 3]> = vertices().map(|(row, column)| laid(row, column)).collect();
    let right: Vec<[f64; 3]> = left.iter().map(|[x, y, z]| [-x, -y, *z]).collect();
    let straight: Vec<[f64; 3]> =
        vertices().map(|(row, column)| place(row, column)).map(|(s, up)| [s, up, 0.0]).collect();
    [
        ("ribbon-left.obj", obj(&left, "laid as a loop that opens to the left")),
        ("ribbon-right.obj", obj(&right, "laid as a loop that opens to the right")),
        ("ribbon-rest.obj", obj(&straight, "straight")),
    ]
}

fn obj(vertices: &[[f64; 3]], what: &str) -> String {
    let mut text = format!("# A ribbon of `ribbon-knot`, {what}. Metres, y up. Made by `cargo xtask ribbon`.\n");
    for [x, y, z] in vertices {
        let _ = writeln!(text, "v {x:.6} {y:.6} {z:.6}");
    }
    for row in 0..vertices.len() / ACROSS - 1 {
        for column in 1..ACROSS {
            let a = ACROSS * row + column;
            let _ = writeln!(text, "f {} {} {} {}", a, a + 1, a + ACROSS + 1, a + ACROSS);
        }
    }
    text
}

/// Writes the files.
pub(crate) fn write() -> Result<(), String> {
    files().into_iter().try_for_each(|(name, content)| {
        let path = path(name);
        std::fs::write(&path, content).map_err(|error| format!("cannot write {}: {error}", path.display()))
    })
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/muslin-scene/scenes").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_what_the_chore_writes() {
        for (name, content) in files() {
            let stored = std::fs::read_to_string(path(name)).unwrap_or_default();
            assert!(stored == content, "{name}: make it again: cargo xtask ribbon");
        }
    }
}
