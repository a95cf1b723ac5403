//! Creases: edges that are sharp in the rest shape, as a block's, are drawn sharp. A fold that cloth makes while it
//! moves is not one of them.

use glam::Vec3;
use muslin::mesh::{DisjointSets, SortedSides};

/// Cosine of the angle between two neighbours' normals from which on their edge is sharp: 40°.
const SHARP: f32 = 0.766;

/// A surface whose vertices are split along creases: smooth normals stay apart there.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Split {
    pub(crate) triangles: Vec<[u32; 3]>,
    /// For each vertex, the one it is a copy of.
    pub(crate) copy_of: Vec<u32>,
}

impl Split {
    /// Splits the vertices of triangles that lie so at rest.
    pub(crate) fn at_creases(rest: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let normals: Vec<_> = triangles.iter().map(|&corners| normal(rest, corners)).collect();
        let mut groups = DisjointSets::new(3 * triangles.len());
        for (ends, sides) in SortedSides::of(triangles).by_edge() {
            for (k, first) in sides.iter().enumerate() {
                for second in &sides[k + 1..] {
                    if normals[first.triangle()].dot(normals[second.triangle()]) > SHARP {
                        for end in ends {
                            groups.join(first.corner_at(triangles, end), second.corner_at(triangles, end));
                        }
                    }
                }
            }
        }
        Self::by_group(triangles, &mut groups)
    }

    /// Makes a vertex of each group of corners.
    fn by_group(triangles: &[[u32; 3]], groups: &mut DisjointSets) -> Self {
        let mut vertex_of_group = vec![u32::MAX; 3 * triangles.len()];
        let mut copy_of = Vec::new();
        let mut split = Vec::with_capacity(triangles.len());
        for (triangle, corners) in triangles.iter().enumerate() {
            split.push(std::array::from_fn(|k| {
                let vertex = &mut vertex_of_group[groups.lowest((3 * triangle + k) as u32) as usize];
                if *vertex == u32::MAX {
                    *vertex = copy_of.len() as u32;
                    copy_of.push(corners[k]);
                }
                *vertex
            }));
        }
        Self { triangles: split, copy_of }
    }

    /// A number for each vertex, from those of the vertices they are copies of.
    pub(crate) fn copied<T: Copy>(&self, values: &[T]) -> Vec<T> {
        self.copy_of.iter().map(|&vertex| values[vertex as usize]).collect()
    }
}

fn normal(rest: &[Vec3], corners: [u32; 3]) -> Vec3 {
    let [a, b, c] = corners.map(|corner| rest[corner as usize]);
    (b - a).cross(c - a).normalize_or_zero()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares that meet at an edge, the second turned up by an angle.
    fn hinge(degrees: f32) -> Split {
        let (sin, cos) = libm::sincosf(degrees.to_radians());
        let rest = [[0.0, 0.0], [1.0, 0.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
        let far = |z: f32| Vec3::new(1.0 + cos, sin, z);
        let rest = [rest[0], rest[1], rest[1] + Vec3::Z, rest[0] + Vec3::Z, far(0.0), far(1.0)];
        Split::at_creases(&rest, &[[0, 2, 1], [0, 3, 2], [1, 2, 5], [1, 5, 4]])
    }

    #[test]
    fn a_flat_or_bent_sheet_stays_whole() {
        for degrees in [0.0, 30.0] {
            let split = hinge(degrees);
            assert_eq!(split.copy_of.len(), 6, "{split:?}");
        }
    }

    #[test]
    fn a_sharp_edge_is_split_and_nothing_else() {
        let split = hinge(90.0);
        let mut copies = split.copy_of.clone();
        copies.sort_unstable();
        assert_eq!(copies, [0, 1, 1, 2, 2, 3, 4, 5]);
    }

    #[test]
    fn triangles_keep_their_corners() {
        let split = hinge(90.0);
        let back: Vec<_> = split.triangles.iter().map(|t| t.map(|vertex| split.copy_of[vertex as usize])).collect();
        assert_eq!(back, [[0, 2, 1], [0, 3, 2], [1, 2, 5], [1, 5, 4]]);
        assert_eq!(split.copied(&[10, 11, 12, 13, 14, 15])[split.triangles[2][0] as usize], 11);
    }
}
