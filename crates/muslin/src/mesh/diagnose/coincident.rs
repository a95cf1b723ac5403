//! Vertices in the same place.

use std::collections::HashMap;

use glam::DVec3;

use crate::mesh::DisjointSets;
use crate::mesh::edit::bounds;

/// Vertices nearer to each other than this fraction of the mesh's size are in the same place.
const SAME_PLACE: f64 = 1e-9;

/// Cells are this many times wider than the distance searched, so that nearly every vertex looks into one cell only.
const CELL_WIDTH: f64 = 1000.0;

/// Joins vertices that lie in the same place, directly or through others.
pub(super) fn join_coincident(positions: &[DVec3], sets: &mut DisjointSets) {
    let Some((min, max)) = bounds(positions) else { return };
    let reach = SAME_PLACE * (max - min).length();
    // Half a cell off, because the vertices of regular meshes tend to lie on the borders of cells that start with them.
    let cell = |p: DVec3| ((p - min) / (CELL_WIDTH * reach) + 0.5).floor().as_i64vec3();
    if reach == 0.0 {
        (1..positions.len() as u32).for_each(|vertex| sets.join(0, vertex));
        return;
    }
    // Only looked up, never walked through: results do not depend on its order.
    let mut earlier: HashMap<[i64; 3], Vec<u32>> = HashMap::with_capacity(positions.len());
    for (vertex, &p) in positions.iter().enumerate() {
        let (from, to) = (cell(p - reach), cell(p + reach));
        for x in from.x..=to.x {
            for y in from.y..=to.y {
                for z in from.z..=to.z {
                    let near = earlier.get(&[x, y, z]).into_iter().flatten();
                    for &other in near.filter(|&&other| positions[other as usize].distance(p) <= reach) {
                        sets.join(other, vertex as u32);
                    }
                }
            }
        }
        earlier.entry(cell(p).to_array()).or_default().push(vertex as u32);
    }
}
