//! Creases: edges that are sharp in the rest shape, as a block's, are drawn sharp. A fold that cloth makes while it moves
//! is not one of them.

use glam::Vec3;

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
        let mut groups = Groups::new(3 * triangles.len());
        for pair in sorted_edges(triangles).chunk_by(|a, b| a.vertices == b.vertices) {
            for (k, first) in pair.iter().enumerate() {
                for second in &pair[k + 1..] {
                    if normals[first.triangle].dot(normals[second.triangle]) > SHARP {
                        groups.join(first.corners[0], second.corners[0]);
                        groups.join(first.corners[1], second.corners[1]);
                    }
                }
            }
        }
        Self::by_group(triangles, &mut groups)
    }

    /// Makes a vertex of each group of corners.
    fn by_group(triangles: &[[u32; 3]], groups: &mut Groups) -> Self {
        let mut vertex_of_group = vec![u32::MAX; 3 * triangles.len()];
        let mut copy_of = Vec::new();
        let mut split = Vec::with_capacity(triangles.len());
        for (triangle, corners) in triangles.iter().enumerate() {
            split.push(std::array::from_fn(|k| {
                let vertex = &mut vertex_of_group[groups.first(3 * triangle + k)];
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

/// An edge of a triangle: its vertices, lower one first, and the corners of the triangle that they are.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct EdgeOfTriangle {
    vertices: [u32; 2],
    triangle: usize,
    corners: [usize; 2],
}

fn sorted_edges(triangles: &[[u32; 3]]) -> Vec<EdgeOfTriangle> {
    let of_triangle = |(triangle, vertices): (usize, &[u32; 3])| {
        let vertices = *vertices;
        (0..3).map(move |k| {
            let (a, b) = (k, (k + 1) % 3);
            let (low, high) = if vertices[a] < vertices[b] { (a, b) } else { (b, a) };
            EdgeOfTriangle {
                vertices: [vertices[low], vertices[high]],
                triangle,
                corners: [3 * triangle + low, 3 * triangle + high],
            }
        })
    };
    let mut edges: Vec<_> = triangles.iter().enumerate().flat_map(of_triangle).collect();
    edges.sort_unstable();
    edges
}

/// Sets that grow together.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn new(count: usize) -> Self {
        Self { parent: (0..count).collect() }
    }

    fn first(&mut self, mut member: usize) -> usize {
        while self.parent[member] != member {
            self.parent[member] = self.parent[self.parent[member]];
            member = self.parent[member];
        }
        member
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.parent[a.max(b)] = a.min(b);
    }
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
