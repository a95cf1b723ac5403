//! Triangles of the zero of a function, by surface nets: a vertex in every cell of a grid that the surface passes, a
//! quad around every edge of the grid that it cuts. Vertices are then evened out and put onto the surface.

use std::collections::BTreeMap;

use glam::{DVec3, IVec3};

/// Side of a cell [m].
const CELL: f64 = 0.034;
/// Least corner of the grid [m]. Half a cell off the middle, so that mirror images have mirrored cells.
const LOW: DVec3 = DVec3::new(-8.5 * CELL, -0.05, -0.2);
/// Cells along each axis.
const CELLS: IVec3 = IVec3::new(17, 33, 12);
/// Rounds of evening out.
const ROUNDS: usize = 8;
/// Step of differences for the gradient [m].
const DIFFERENCE: f64 = 1e-5;

/// A function whose zero is a surface; negative inside.
type Function = dyn Fn(DVec3) -> f64;

/// Vertices [m] and triangles, counter-clockwise seen from outside.
pub(super) fn polygons(f: &Function) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut cells = BTreeMap::new();
    let mut positions = Vec::new();
    for cell in all(CELLS) {
        if let Some(point) = middle(f, cell) {
            cells.insert(cell.to_array(), positions.len() as u32);
            positions.push(point);
        }
    }
    let quads = quads(f, &cells);
    for _ in 0..ROUNDS {
        positions = even(&positions, &quads).into_iter().map(|point| onto(f, point)).collect();
    }
    let triangles = quads.iter().flat_map(|quad| split(&positions, *quad)).collect();
    (positions, triangles)
}

fn all(count: IVec3) -> impl Iterator<Item = IVec3> {
    (0..count.x).flat_map(move |x| (0..count.y).flat_map(move |y| (0..count.z).map(move |z| IVec3::new(x, y, z))))
}

fn node(at: IVec3) -> DVec3 {
    LOW + at.as_dvec3() * CELL
}

/// The mean of the places where the surface cuts the edges of a cell; none when it does not.
fn middle(f: &Function, cell: IVec3) -> Option<DVec3> {
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    for axis in IVec3::AXES {
        for corner in all(IVec3::splat(2) - axis) {
            let (a, b) = (node(cell + corner), node(cell + corner + axis));
            let (at_a, at_b) = (f(a), f(b));
            if (at_a < 0.0) != (at_b < 0.0) {
                sum += a.lerp(b, at_a / (at_a - at_b));
                count += 1.0;
            }
        }
    }
    (count > 0.0).then(|| sum / count)
}

/// A quad of the four cells around every edge that the surface cuts.
fn quads(f: &Function, cells: &BTreeMap<[i32; 3], u32>) -> Vec<[u32; 4]> {
    let mut quads = Vec::new();
    for at in all(CELLS) {
        for (number, axis) in IVec3::AXES.into_iter().enumerate() {
            let (here, there) = (f(node(at)) < 0.0, f(node(at + axis)) < 0.0);
            if here == there {
                continue;
            }
            let [u, v] = [IVec3::AXES[(number + 1) % 3], IVec3::AXES[(number + 2) % 3]];
            let around = [at, at - u, at - u - v, at - v].map(|cell| cells[&cell.to_array()]);
            let [a, b, c, d] = around;
            // From inside to outside along the axis, the cells go round it by the right-hand rule.
            quads.push(if here { [a, b, c, d] } else { [d, c, b, a] });
        }
    }
    quads
}

/// Every vertex moved half-way to the mean of its neighbours.
fn even(positions: &[DVec3], quads: &[[u32; 4]]) -> Vec<DVec3> {
    let mut sums = vec![(DVec3::ZERO, 0.0); positions.len()];
    for quad in quads {
        for i in 0..4 {
            let (here, next) = (quad[i] as usize, quad[(i + 1) % 4] as usize);
            sums[here].0 += positions[next];
            sums[here].1 += 1.0;
        }
    }
    positions.iter().zip(sums).map(|(point, (sum, count))| point.lerp(sum / count, 0.5)).collect()
}

/// The point of the surface that Newton's steps along the gradient lead to.
fn onto(f: &Function, mut point: DVec3) -> DVec3 {
    for _ in 0..4 {
        let slope = |axis: DVec3| (f(point + DIFFERENCE * axis) - f(point - DIFFERENCE * axis)) / (2.0 * DIFFERENCE);
        let gradient = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
        point -= gradient * (f(point) / gradient.length_squared().max(0.25));
    }
    point
}

/// A quad as two triangles, along its shorter diagonal.
fn split(positions: &[DVec3], [a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    let length = |i: u32, j: u32| positions[i as usize].distance(positions[j as usize]);
    if length(a, c) <= length(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
}
