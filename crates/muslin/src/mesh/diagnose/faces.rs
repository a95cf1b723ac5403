//! Which faces are defective, and how the others meet.

use super::finding::{Finding, FindingKind, MeshPlace};
use crate::mesh::Mesh;
use crate::mesh::connect::{Groups, unordered};
use crate::mesh::topology::polygon::has_area;

/// The faces of a mesh after sewing, and why some are not to be used.
pub(super) struct Faces {
    /// Vertices of each face with sewn ones replaced and sides between sewn ones gone.
    sewn: Vec<Vec<u32>>,
    /// For each face its defect, if it has one.
    defects: Vec<Option<FindingKind>>,
}

impl Faces {
    /// Sewn together as `roots` say, and judged.
    pub(super) fn judge(mesh: &Mesh, roots: &[u32]) -> Self {
        let sewn: Vec<Vec<u32>> = mesh.faces.iter().map(|face| sew(face, roots)).collect();
        let mut defects: Vec<Option<FindingKind>> =
            mesh.faces.iter().zip(&sewn).map(|(face, sewn)| defect(mesh, face, sewn)).collect();
        let sound: Vec<usize> = (0..sewn.len()).filter(|&face| defects[face].is_none()).collect();
        let keys: Vec<Vec<u32>> = sound.iter().map(|&face| canonical(&sewn[face])).collect();
        let keys: Vec<&[u32]> = keys.iter().map(Vec::as_slice).collect();
        for group in Groups::of(&keys).iter() {
            for &copy in &group[1..] {
                defects[sound[copy as usize]] = Some(FindingKind::DuplicateFace);
            }
        }
        Self { sewn, defects }
    }

    /// Faces that are not to be used.
    pub(super) fn dropped(&self) -> Vec<u32> {
        (0..self.defects.len() as u32).filter(|&face| self.defects[face as usize].is_some()).collect()
    }

    /// Faces with one kind of defect.
    pub(super) fn with(&self, kind: FindingKind) -> impl Iterator<Item = MeshPlace> {
        let faces = self.defects.iter().enumerate();
        faces.filter(move |(_, defect)| **defect == Some(kind)).map(|(face, _)| MeshPlace::Face(face as u32))
    }

    /// The vertices of each sound face.
    pub(super) fn sound(&self) -> impl Iterator<Item = &[u32]> {
        self.sewn.iter().zip(&self.defects).filter(|(_, defect)| defect.is_none()).map(|(face, _)| face.as_slice())
    }

    /// Edges where sound faces do not meet as a surface does.
    pub(super) fn meetings(&self) -> [Option<Finding>; 2] {
        let sides: Vec<[u32; 2]> = self.sound().flat_map(sides).collect();
        let pairs: Vec<[u32; 2]> = sides.iter().copied().map(unordered).collect();
        let (mut crowded, mut opposed) = (Vec::new(), Vec::new());
        for group in Groups::of(&pairs).iter() {
            let edge = MeshPlace::Edge(pairs[group[0] as usize]);
            match group {
                &[first, second] if sides[first as usize] == sides[second as usize] => opposed.push(edge),
                [_] | [_, _] => {}
                _ => crowded.push(edge),
            }
        }
        [Finding::of(FindingKind::NonManifoldEdge, crowded), Finding::of(FindingKind::InconsistentWinding, opposed)]
    }
}

/// The sides of a polygon.
pub(super) fn sides(polygon: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    (0..polygon.len()).map(|i| [polygon[i], polygon[(i + 1) % polygon.len()]])
}

/// What is wrong with a face by itself.
fn defect(mesh: &Mesh, face: &[u32], sewn: &[u32]) -> Option<FindingKind> {
    if face.len() < 3 || repeats(face) {
        return Some(FindingKind::RepeatedVertex);
    }
    if sewn.len() < 3 || !has_area(face, &mesh.positions) {
        return Some(FindingKind::DegenerateFace);
    }
    repeats(sewn).then_some(FindingKind::RepeatedVertex)
}

fn repeats(vertices: &[u32]) -> bool {
    let mut sorted = vertices.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

fn sew(face: &[u32], roots: &[u32]) -> Vec<u32> {
    let vertices: Vec<u32> = face.iter().map(|&vertex| roots[vertex as usize]).collect();
    sides(&vertices).filter(|[a, b]| a != b).map(|[a, _]| a).collect()
}

/// The same list for the same polygon, wherever it starts and whichever way it winds.
fn canonical(polygon: &[u32]) -> Vec<u32> {
    let mut list = polygon.to_vec();
    let least = (0..list.len()).min_by_key(|&i| list[i]).unwrap_or(0);
    list.rotate_left(least);
    if list.len() > 2 && list[1] > list[list.len() - 1] {
        list[1..].reverse();
    }
    list
}
