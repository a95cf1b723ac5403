//! Splitting polygons into triangles.

use glam::DVec3;

/// Area of a polygon times its normal [m²]; for one that is not plane, of its projection along the mean normal
/// (Newell).
fn area_vector(polygon: &[u32], positions: &[DVec3]) -> DVec3 {
    let Some(&first) = polygon.first() else { return DVec3::ZERO };
    // Relative to one corner, so that a mesh far from the origin loses no digits.
    let origin = positions[first as usize];
    let corner = |i: usize| positions[polygon[i % polygon.len()] as usize] - origin;
    (0..polygon.len()).map(|i| 0.5 * corner(i).cross(corner(i + 1))).sum()
}

/// Square of the longest side of a polygon [m²].
fn longest_side_squared(polygon: &[u32], positions: &[DVec3]) -> f64 {
    let corner = |i: usize| positions[polygon[i % polygon.len()] as usize];
    (0..polygon.len()).map(|i| corner(i).distance_squared(corner(i + 1))).fold(0.0, f64::max)
}

/// A polygon with less area than this fraction of its longest side squared has none.
const NO_AREA: f64 = 1e-12;

/// Whether a polygon has an area worth the name.
pub(in crate::mesh) fn has_area(polygon: &[u32], positions: &[DVec3]) -> bool {
    area_vector(polygon, positions).length() > NO_AREA * longest_side_squared(polygon, positions)
}

/// Appends the triangles of a polygon, wound as it is.
///
/// A quad is split from its first to its third corner, unless it is so bent in that one of the halves would lie
/// outside. Polygons of more corners lose one ear after another, so they need not be convex.
pub(super) fn triangulate(polygon: &[u32], positions: &[DVec3], triangles: &mut Vec<[u32; 3]>) {
    match *polygon {
        [a, b, c] => triangles.push([a, b, c]),
        [a, b, c, d] => {
            let plane = Projection::of(polygon, positions);
            let (first, other) = ([[a, b, c], [a, c, d]], [[b, c, d], [b, d, a]]);
            let worst = |halves: [[u32; 3]; 2]| plane.area(halves[0]).min(plane.area(halves[1]));
            let fits = worst(first) > plane.no_area || worst(first) >= worst(other);
            triangles.extend(if fits { first } else { other });
        }
        _ => clip_ears(polygon, positions, triangles),
    }
}

/// A polygon seen along its normal.
struct Projection<'a> {
    positions: &'a [DVec3],
    normal: DVec3,
    /// Areas up to here count as none [m²].
    no_area: f64,
}

impl<'a> Projection<'a> {
    fn of(polygon: &[u32], positions: &'a [DVec3]) -> Self {
        let normal = area_vector(polygon, positions).normalize_or_zero();
        Self { positions, normal, no_area: NO_AREA * longest_side_squared(polygon, positions) }
    }

    /// Area of a triangle, negative when it winds against the polygon [m²].
    fn area(&self, [a, b, c]: [u32; 3]) -> f64 {
        let [a, b, c] = [a, b, c].map(|vertex| self.positions[vertex as usize]);
        0.5 * (b - a).cross(c - a).dot(self.normal)
    }

    /// Whether a vertex lies in a triangle or on its border.
    fn contains(&self, [a, b, c]: [u32; 3], vertex: u32) -> bool {
        [[a, b, vertex], [b, c, vertex], [c, a, vertex]].into_iter().all(|part| self.area(part) >= 0.0)
    }

    /// Whether the corner in the middle can be cut off: it has an area and no other corner lies in it.
    fn is_ear(&self, ear: [u32; 3], rest: &[u32]) -> bool {
        let blocks = |&&vertex: &&u32| !ear.contains(&vertex) && self.contains(ear, vertex);
        self.area(ear) > self.no_area && rest.iter().find(blocks).is_none()
    }
}

/// Cuts off ears until a triangle is left. Goes round the polygon rather than start over, which keeps the triangles
/// of a convex polygon from all meeting in one corner.
fn clip_ears(polygon: &[u32], positions: &[DVec3], triangles: &mut Vec<[u32; 3]>) {
    let plane = Projection::of(polygon, positions);
    let mut rest = polygon.to_vec();
    let mut from = 0;
    while rest.len() > 3 {
        let n = rest.len();
        let corner = |tip: usize| [rest[(tip + n - 1) % n], rest[tip % n], rest[(tip + 1) % n]];
        let round = (from..from + n).map(|tip| tip % n);
        let largest = || round.clone().max_by(|&s, &t| plane.area(corner(s)).total_cmp(&plane.area(corner(t))));
        // A polygon that crosses itself may have no ear; then the largest corner goes, so that it ends in any case.
        let Some(tip) = round.clone().find(|&tip| plane.is_ear(corner(tip), &rest)).or_else(largest) else { break };
        triangles.push(corner(tip));
        rest.remove(tip);
        from = (tip + 1) % rest.len();
    }
    triangles.push([rest[0], rest[1], rest[2]]);
}
