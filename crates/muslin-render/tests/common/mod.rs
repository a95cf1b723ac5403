//! Things to draw, by formulas whose bits are the same everywhere.

#![allow(dead_code, reason = "each test file uses its part of this module")]

pub(crate) mod recorded;

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use glam::{Vec2, Vec3};
use muslin::model::band;
use muslin_record::strain_code;
use muslin_render::{Look, Paint, StrainScale, Surface};

/// A blue-green fabric with a sand-coloured back and lines every 10 cm.
pub(crate) const FABRIC: Look =
    Look::Fabric { front: Vec3::new(0.07, 0.25, 0.30), back: Vec3::new(0.62, 0.48, 0.30), spacing: 0.1 };

/// Dull grey.
pub(crate) const STONE: Look = Look::Solid { colour: Vec3::new(0.42, 0.42, 0.45) };

/// One square metre of cloth of `side` × `side` vertices, each put in its place by where it is in the cloth at
/// rest [m]. Seen from its front, the first coordinate goes right and the second down.
pub(crate) fn sheet(side: usize, place: impl Fn(Vec2) -> Vec3) -> Surface {
    let at_rest = |vertex: usize| Vec2::new((vertex % side) as f32, (vertex / side) as f32) / (side - 1) as f32;
    let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
    let triangles: Vec<[u32; 3]> = cells
        .flat_map(|a| {
            let [a, b, c, d] = [a, a + side, a + side + 1, a + 1].map(|vertex| vertex as u32);
            [[a, b, c], [a, c, d]]
        })
        .collect();
    Surface {
        positions: (0..side * side).map(|vertex| place(at_rest(vertex))).collect(),
        coords: Some(triangles.iter().map(|corners| corners.map(|corner| at_rest(corner as usize))).collect()),
        triangles,
        look: FABRIC,
        paint: None,
    }
}

/// Where a sheet hangs whose lower part is turned up towards the viewer (+z), so that both sides are seen.
pub(crate) fn turned_up(at: Vec2) -> Vec3 {
    const TURN: f32 = 0.08;
    const DOWN: f32 = 0.55;
    let waves = 0.035 * (0.3 + at.y) * libm::sinf(19.0 * at.x + 2.0 * at.y);
    let around = PI * TURN;
    let beyond = at.y - DOWN;
    let (y, z) = if beyond < 0.0 {
        (-at.y, 0.0)
    } else if beyond < around {
        let (sin, cos) = libm::sincosf(beyond / TURN);
        (-DOWN - TURN * sin, TURN * (1.0 - cos))
    } else {
        (beyond - around - DOWN, 2.0 * TURN + 0.4 * (beyond - around))
    };
    Vec3::new(at.x - 0.5, 1.0 + y, z + waves)
}

/// The same surface, coloured by the ratio of a strain to its limit at each vertex.
pub(crate) fn strained(mut surface: Surface, ratio: impl Fn(Vec3) -> f32) -> Surface {
    let code = |&position: &Vec3| f32::from(strain_code(f64::from(ratio(position)), 1.0));
    let codes = surface.positions.iter().map(code).collect();
    surface.paint = Some(Paint { codes, table: Arc::new(StrainScale::embedded().linear_table()) });
    surface
}

/// A box of twelve triangles, its six sides apart so that its edges are sharp.
pub(crate) fn cuboid(low: Vec3, high: Vec3) -> Surface {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        for upper in [false, true] {
            let first = positions.len() as u32;
            // Around the side as seen from outside.
            let around = if upper { [[0, 0], [1, 0], [1, 1], [0, 1]] } else { [[0, 0], [0, 1], [1, 1], [1, 0]] };
            for [along, across] in around {
                let mut corner = [0; 3];
                corner[axis] = u8::from(upper);
                corner[(axis + 1) % 3] = along;
                corner[(axis + 2) % 3] = across;
                positions.push(low + (high - low) * Vec3::from_array(corner.map(f32::from)));
            }
            triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        }
    }
    Surface { positions, triangles, look: STONE, coords: None, paint: None }
}

/// A ball with `rings` rings of twice as many sides.
pub(crate) fn ball(middle: Vec3, radius: f32, rings: u32) -> Surface {
    let around = 2 * rings;
    let point = |ring: u32, k: u32| {
        let (height, width) = libm::sincosf(PI * (ring as f32 / rings as f32 - 0.5));
        let (sin, cos) = libm::sincosf(TAU * k as f32 / around as f32);
        middle + radius * Vec3::new(width * sin, height, width * cos)
    };
    let numbers = |ring: u32| ring * around..(ring + 1) * around;
    Surface {
        positions: (0..=rings).flat_map(|ring| (0..around).map(move |k| point(ring, k))).collect(),
        triangles: (0..rings).flat_map(|ring| band(numbers(ring), numbers(ring + 1))).collect(),
        look: STONE,
        coords: None,
        paint: None,
    }
}
