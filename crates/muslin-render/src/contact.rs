//! How far each vertex of a cloth is from the nearest other surface: a solid, another cloth, or the cloth itself where
//! it comes back to itself in a fold. Only of solids, by their own measure, can it be inside.
//!
//! On one cloth every vertex is near its neighbours, which is no contact. There a triangle counts only when it is much
//! nearer than it is at rest, by [`FOLDED`].

use glam::Vec3;
use muslin::collide::closest_on_triangle;

/// Fraction of their distance at rest below which two parts of one cloth count as folded together.
const FOLDED: f32 = 0.5;

/// A cloth to look at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) positions: &'a [Vec3],
    pub(crate) rest: &'a [Vec3],
    pub(crate) triangles: &'a [[u32; 3]],
}

/// The distance of each vertex of each part to the nearest other surface [m], at most `far`.
pub(crate) fn gaps(parts: &[Part], far: f32) -> Vec<Vec<f32>> {
    let cells = Cells::of(parts, far);
    let gap = |part: usize, vertex: usize| {
        let at = parts[part].positions[vertex];
        let mut least = far;
        cells.around(at, |other, triangle| {
            let corners = parts[other].triangles[triangle].map(|corner| corner as usize);
            let triangle = corners.map(|corner| parts[other].positions[corner].as_dvec3());
            let distance = closest_on_triangle(at.as_dvec3(), triangle).point.as_vec3().distance(at);
            if distance < least && (part != other || is_folded(&parts[part], vertex, corners, distance)) {
                least = distance;
            }
        });
        least
    };
    (0..parts.len()).map(|part| (0..parts[part].positions.len()).map(|vertex| gap(part, vertex)).collect()).collect()
}

/// Takes the gaps to a solid into account, given for the place of each vertex where it is near.
pub(crate) fn narrow(gaps: &mut [f32], positions: &[Vec3], to_solid: impl Fn(Vec3) -> Option<f64>) {
    for (gap, at) in gaps.iter_mut().zip(positions) {
        if let Some(to_solid) = to_solid(*at) {
            *gap = gap.min(to_solid as f32);
        }
    }
}

fn is_folded(part: &Part, vertex: usize, corners: [usize; 3], distance: f32) -> bool {
    let rest = corners.map(|corner| part.rest[corner].distance(part.rest[vertex]));
    distance < FOLDED * rest[0].min(rest[1]).min(rest[2])
}

/// Triangles by the cells of a raster in space that their boxes touch.
struct Cells {
    size: f32,
    reach: f32,
    /// Cell, part, triangle; sorted.
    entries: Vec<([i32; 3], u32, u32)>,
}

impl Cells {
    fn of(parts: &[Part], reach: f32) -> Self {
        let boxes = || {
            parts.iter().enumerate().flat_map(|(part, Part { positions, triangles, .. })| {
                triangles.iter().enumerate().map(move |(triangle, corners)| {
                    let [a, b, c] = corners.map(|corner| positions[corner as usize]);
                    (part, triangle, a.min(b).min(c), a.max(b).max(c))
                })
            })
        };
        let (sum, count) = boxes()
            .fold((0.0, 0), |(sum, count), (_, _, low, high)| (sum + f64::from((high - low).max_element()), count + 1));
        // About as large as a triangle, and no smaller than what is looked for.
        let size = (sum / f64::from(count.max(1))).max(f64::from(reach)) as f32;
        let mut entries = Vec::new();
        for (part, triangle, low, high) in boxes() {
            for_each_cell(low, high, size, |cell| entries.push((cell, part as u32, triangle as u32)));
        }
        entries.sort_unstable();
        Self { size, reach, entries }
    }

    /// Calls back for the triangles that may be within reach of a point, some of them more than once.
    fn around(&self, at: Vec3, mut found: impl FnMut(usize, usize)) {
        for_each_cell(at - self.reach, at + self.reach, self.size, |cell| {
            let first = self.entries.partition_point(|entry| entry.0 < cell);
            for (_, part, triangle) in self.entries[first..].iter().take_while(|entry| entry.0 == cell) {
                found(*part as usize, *triangle as usize);
            }
        });
    }
}

fn for_each_cell(low: Vec3, high: Vec3, size: f32, mut visit: impl FnMut([i32; 3])) {
    let (low, high) = ((low / size).floor().as_ivec3(), (high / size).floor().as_ivec3());
    for x in low.x..=high.x {
        for y in low.y..=high.y {
            for z in low.z..=high.z {
                visit([x, y, z]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: usize = 21;
    const SPACING: f32 = 0.05;

    /// A sheet of one metre, put in place point by point.
    fn sheet(place: impl Fn(f32, f32) -> Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let coordinate = |k: usize| SPACING * k as f32;
        let positions = (0..SIDE * SIDE).map(|k| place(coordinate(k % SIDE), coordinate(k / SIDE))).collect();
        let corner = |x: usize, z: usize| (z * SIDE + x) as u32;
        let cells = (0..SIDE - 1).flat_map(|z| (0..SIDE - 1).map(move |x| (x, z)));
        let triangles = cells.flat_map(|(x, z)| {
            let [a, b, c, d] = [corner(x, z), corner(x, z + 1), corner(x + 1, z + 1), corner(x + 1, z)];
            [[a, b, c], [a, c, d]]
        });
        (positions, triangles.collect())
    }

    fn flat(y: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        sheet(move |x, z| Vec3::new(x, y, z))
    }

    #[test]
    fn a_flat_sheet_touches_nothing() {
        let (positions, triangles) = flat(0.0);
        let part = Part { positions: &positions, rest: &positions, triangles: &triangles };
        assert!(gaps(&[part], 0.02)[0].iter().all(|&gap| gap == 0.02));
    }

    #[test]
    fn two_sheets_are_as_far_apart_as_they_lie() {
        let ((lower, triangles), (upper, _)) = (flat(0.0), flat(0.004));
        let part = |positions| Part { positions, rest: positions, triangles: &triangles };
        for gaps in gaps(&[part(&lower), part(&upper)], 0.02) {
            assert!(gaps.iter().all(|gap| (gap - 0.004).abs() < 1e-6), "{gaps:?}");
        }
    }

    #[test]
    fn a_folded_sheet_touches_itself_away_from_the_fold() {
        let (rest, triangles) = flat(0.0);
        // Folded over at x = 0.5, the upper half 3 mm above the lower one.
        let fold = |x: f32, z: f32| if x <= 0.5 { Vec3::new(x, 0.0, z) } else { Vec3::new(1.0 - x, 0.003, z) };
        let (folded, _) = sheet(fold);
        let gaps = &gaps(&[Part { positions: &folded, rest: &rest, triangles: &triangles }], 0.02)[0];
        let at = |x: usize| gaps[10 * SIDE + x];
        assert!((at(2) - 0.003).abs() < 1e-6 && (at(18) - 0.003).abs() < 1e-6, "{} {}", at(2), at(18));
        assert_eq!(at(10), 0.02, "the fold itself is no contact");
    }
}
