//! What the physics needs to know of a mesh, derived from it once.

mod bending;
mod edges;
mod hinges;
pub(super) mod polygon;
mod threads;

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::Mesh;
use super::connect::{Groups, unordered};
pub use bending::BendingPlace;

/// Everything derived from a mesh. Indices are the mesh's own; a vertex sewn to another is replaced by that other one.
///
/// All lists are in an order that depends on the mesh alone: first by face, then by line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Topology {
    /// Structural edges: every side of every face and every line, once.
    pub edges: Vec<Edge>,
    /// Shear pairs, as in the mesh, once each; pairs that are structural edges too are left out.
    pub diagonals: Vec<[u32; 2]>,
    /// Second neighbours along a thread, `[end, middle, end]`. Where two triangles share an edge and no thread passes,
    /// the ends are the vertices opposite the edge and the middle is one of the edge's own.
    pub bend_pairs: Vec<[u32; 3]>,
    /// The corners of quads, `[x1, x2, x3]` with the corner at `x3`.
    pub corners: Vec<[u32; 3]>,
    /// Pairs of triangles `(x1, x3, x4)` and `(x2, x4, x3)` that share the edge x3–x4.
    pub hinges: Vec<[u32; 4]>,
    /// Where bending elements sit, with their fractions; on triangle meshes these are the hinges.
    pub bending: Vec<BendingPlace>,
    /// The faces, split into triangles.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle, the face it came from.
    pub triangle_face: Vec<u32>,
    /// Vertices in no face, on no line, and not sewn to another.
    pub loose: Vec<u32>,
}

/// A structural edge of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// First vertex, the smaller number.
    pub a: u32,
    /// Second vertex.
    pub b: u32,
    /// Along which threads it runs.
    pub direction: ThreadDirection,
}

/// Along which threads an edge runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThreadDirection {
    /// Along the warp (texture direction v).
    Warp,
    /// Along the weft (texture direction u).
    Weft,
    /// Along neither, or the mesh does not know.
    #[default]
    Bias,
}

impl Topology {
    /// Derives everything from a mesh.
    ///
    /// # Panics
    ///
    /// When an index is out of range or the texture coordinates do not fit the faces. [`Diagnosis`](super::Diagnosis)
    /// calls such meshes fatal.
    pub fn of(mesh: &Mesh) -> Self {
        let roots = mesh.weld_roots();
        let polygons = sewn_polygons(mesh, &roots);
        let lines = sewn_lines(&mesh.lines, &roots);
        let edges = edges::structural(mesh, &polygons, &lines);
        let (triangles, triangle_face) = split(mesh, &polygons);
        let hinges = hinges::between(&triangles, &mesh.positions);
        let mut bend_pairs = threads::along(mesh.positions.len(), &polygons, &edges);
        bend_pairs.extend(threads::across(mesh, &polygons, &triangle_face, &hinges));
        let hinges: Vec<[u32; 4]> = hinges.into_iter().map(|hinge| hinge.vertices).collect();
        Self {
            bending: bending::places(&polygons, &hinges, &mesh.positions),
            diagonals: edges::shear_pairs(&mesh.diagonals, &roots, &edges),
            bend_pairs,
            corners: quad_corners(&polygons),
            hinges,
            triangles,
            triangle_face,
            loose: loose(&roots, &polygons, &lines),
            edges,
        }
    }

    /// The two vertices opposite each hinge's edge: the cross edges.
    pub fn cross_edges(&self) -> Vec<[u32; 2]> {
        self.hinges.iter().map(|&[x1, x2, _, _]| unordered([x1, x2])).collect()
    }
}

/// A face after sewing.
struct Polygon {
    /// The mesh's face.
    face: u32,
    /// Its vertices, at least three; neighbours differ.
    vertices: Vec<u32>,
    /// Their texture coordinates; empty when the mesh has none.
    uvs: Vec<DVec2>,
}

impl Polygon {
    /// Its sides, each with the place where it starts.
    fn sides(&self) -> impl Iterator<Item = (usize, [u32; 2])> + Clone {
        let n = self.vertices.len();
        (0..n).map(move |i| (i, [self.vertices[i], self.vertices[(i + 1) % n]]))
    }
}

/// The faces with sewn vertices replaced. A side whose ends are sewn together is no side any more, and a face that has
/// fewer than three sides left is no face.
fn sewn_polygons(mesh: &Mesh, roots: &[u32]) -> Vec<Polygon> {
    let mut polygons = Vec::with_capacity(mesh.faces.len());
    for (face, vertices) in mesh.faces.iter().enumerate() {
        let vertices: Vec<u32> = vertices.iter().map(|&vertex| roots[vertex as usize]).collect();
        let n = vertices.len();
        let kept: Vec<usize> = (0..n).filter(|&i| vertices[i] != vertices[(i + 1) % n]).collect();
        if kept.len() < 3 {
            continue;
        }
        let uvs = mesh.uvs.as_ref().map_or_else(Vec::new, |uvs| {
            let corners = &uvs.corners[face];
            kept.iter().map(|&i| uvs.coords[corners[i] as usize]).collect()
        });
        polygons.push(Polygon { face: face as u32, vertices: kept.iter().map(|&i| vertices[i]).collect(), uvs });
    }
    polygons
}

/// The lines with sewn vertices replaced, without those whose ends are sewn together.
fn sewn_lines(lines: &[[u32; 2]], roots: &[u32]) -> Vec<[u32; 2]> {
    lines.iter().map(|line| line.map(|vertex| roots[vertex as usize])).filter(|[a, b]| a != b).collect()
}

/// The triangles of all faces, and the mesh's face each came from.
fn split(mesh: &Mesh, polygons: &[Polygon]) -> (Vec<[u32; 3]>, Vec<u32>) {
    let mut triangles = Vec::new();
    let mut faces = Vec::new();
    for polygon in polygons {
        polygon::triangulate(&polygon.vertices, &mesh.positions, &mut triangles);
        faces.resize(triangles.len(), polygon.face);
    }
    (triangles, faces)
}

fn quad_corners(polygons: &[Polygon]) -> Vec<[u32; 3]> {
    let quads = polygons.iter().filter_map(|polygon| <[u32; 4]>::try_from(polygon.vertices.as_slice()).ok());
    quads.flat_map(|[a, b, c, d]| [[d, b, a], [a, c, b], [b, d, c], [c, a, d]]).collect()
}

fn loose(roots: &[u32], polygons: &[Polygon], lines: &[[u32; 2]]) -> Vec<u32> {
    let mut used = vec![false; roots.len()];
    let in_faces = polygons.iter().flat_map(|polygon| &polygon.vertices);
    for &vertex in in_faces.chain(lines.as_flattened()) {
        used[vertex as usize] = true;
    }
    (0..roots.len() as u32).filter(|&vertex| roots[vertex as usize] == vertex && !used[vertex as usize]).collect()
}
