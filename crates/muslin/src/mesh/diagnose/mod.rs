//! What is wrong with a mesh, and what can safely be done about it.

mod coincident;
mod faces;
mod finding;

use std::collections::HashSet;

use faces::{Faces, sides};
pub use finding::{Finding, FindingKind, MeshPlace};

use super::{Mesh, MeshError, unordered};

/// All defects of a mesh, the fatal ones first.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// What was found; at most one finding of each kind.
    pub findings: Vec<Finding>,
    /// Faces that repair leaves out, in rising order.
    dropped_faces: Vec<u32>,
    /// Welds that repair adds.
    new_welds: Vec<[u32; 2]>,
}

impl Diagnosis {
    /// Looks for defects. With fatal ones the search ends early, because others could not be distinguished from their
    /// consequences.
    ///
    /// ```
    /// use muslin::DVec2;
    /// use muslin::mesh::{Diagnosis, Diagonals, GridSpec};
    ///
    /// let spec = GridSpec { size: DVec2::ONE, particles: [3, 3], diagonals: Diagonals::None, triangles: false };
    /// let mut mesh = spec.build()?;
    /// mesh.faces[2] = vec![3, 3, 4, 7];
    /// let diagnosis = Diagnosis::of(&mesh);
    /// assert_eq!(diagnosis.findings[0].message(), "1 face or line repeats a vertex: face 2 (counted from 0)");
    /// assert_eq!(diagnosis.repair(&mesh)?.faces.len(), 3);
    /// # Ok::<(), muslin::mesh::MeshError>(())
    /// ```
    pub fn of(mesh: &Mesh) -> Self {
        let fatal = unusable(mesh);
        if !fatal.is_empty() {
            return Self { findings: fatal, dropped_faces: Vec::new(), new_welds: Vec::new() };
        }

        let mut sets = mesh.weld_sets();
        let before = sets.clone().into_lowest();
        coincident::join_coincident(&mesh.positions, &mut sets);
        let roots = sets.into_lowest();
        let new_welds: Vec<[u32; 2]> = (0..roots.len() as u32)
            .filter(|&vertex| before[vertex as usize] == vertex && roots[vertex as usize] != vertex)
            .map(|vertex| [vertex, roots[vertex as usize]])
            .collect();

        let faces = Faces::judge(mesh, &roots);
        let self_lines = self_lines(mesh).map(|line| MeshPlace::Line(line as u32));
        let [crowded, opposed] = faces.meetings();
        let on = new_welds.iter().map(|&[vertex, other]| MeshPlace::VertexOn(vertex, other));
        let findings = [
            is_empty(mesh, &faces, &roots).then(Finding::empty),
            Finding::of(FindingKind::RepeatedVertex, faces.with(FindingKind::RepeatedVertex).chain(self_lines)),
            Finding::of(FindingKind::DegenerateFace, faces.with(FindingKind::DegenerateFace)),
            Finding::of(FindingKind::DuplicateFace, faces.with(FindingKind::DuplicateFace)),
            crowded,
            opposed,
            Finding::of(FindingKind::ZeroLengthEdge, zero_edges(mesh, &before, &roots)),
            Finding::of(FindingKind::CoincidentVertex, on),
            Finding::of(FindingKind::LooseVertex, loose(mesh, &faces, &roots)),
        ];
        Self { findings: findings.into_iter().flatten().collect(), dropped_faces: faces.dropped(), new_welds }
    }

    /// An error for a mesh whose lists do not belong together, of which nothing can be derived.
    pub(crate) fn check_usable(mesh: &Mesh) -> Result<(), MeshError> {
        refuse(unusable(mesh).iter())
    }

    /// Whether the mesh cannot be used, even repaired.
    pub fn is_fatal(&self) -> bool {
        self.findings.iter().any(Finding::is_fatal)
    }

    /// The mesh this diagnosis is of, without the defects that can safely be removed. Vertices keep their number, order
    /// and place, and the faces that stay keep their texture coordinates, so caches still fit the maker's mesh.
    pub fn repair(&self, mesh: &Mesh) -> Result<Mesh, MeshError> {
        refuse(self.findings.iter().filter(|finding| finding.is_fatal()))?;
        let mut mesh = mesh.clone();
        self.drop_diagonals(&mut mesh);
        drop_listed(&mut mesh.faces, &self.dropped_faces);
        if let Some(uvs) = &mut mesh.uvs {
            drop_listed(&mut uvs.corners, &self.dropped_faces);
        }
        mesh.lines.retain(|[a, b]| a != b);
        mesh.welds.extend(&self.new_welds);
        Ok(mesh)
    }

    /// Takes away the shear pairs that lie in dropped faces only.
    fn drop_diagonals(&self, mesh: &mut Mesh) {
        if self.dropped_faces.is_empty() {
            return;
        }
        let is_dropped = |face: usize| self.dropped_faces.binary_search(&(face as u32)).is_ok();
        let chords = |dropped: bool| -> HashSet<[u32; 2]> {
            let quads = mesh
                .faces
                .iter()
                .enumerate()
                .filter(|(face, corners)| corners.len() == 4 && is_dropped(*face) == dropped);
            quads.flat_map(|(_, c)| [unordered([c[0], c[2]]), unordered([c[1], c[3]])]).collect()
        };
        let (gone, kept) = (chords(true), chords(false));
        mesh.diagonals.retain(|&pair| !gone.contains(&unordered(pair)) || kept.contains(&unordered(pair)));
    }
}

/// Defects that keep others from being looked for.
fn unusable(mesh: &Mesh) -> Vec<Finding> {
    [non_finite(mesh), out_of_range(mesh), texture_mismatch(mesh)].into_iter().flatten().collect()
}

fn refuse<'f>(findings: impl Iterator<Item = &'f Finding>) -> Result<(), MeshError> {
    let messages: Vec<String> = findings.map(Finding::message).collect();
    if messages.is_empty() { Ok(()) } else { Err(MeshError::Defect(messages.join("; "))) }
}

/// Removes the entries with the given numbers.
fn drop_listed<T>(list: &mut Vec<T>, numbers: &[u32]) {
    let mut number = 0;
    list.retain(|_| {
        number += 1;
        numbers.binary_search(&(number - 1)).is_err()
    });
}

fn non_finite(mesh: &Mesh) -> Option<Finding> {
    let vertices = mesh.positions.iter().enumerate().filter(|(_, p)| !p.is_finite());
    Finding::of(FindingKind::NonFinite, vertices.map(|(vertex, _)| MeshPlace::Vertex(vertex as u32)))
}

fn out_of_range(mesh: &Mesh) -> Option<Finding> {
    let missing = |vertices: &[u32]| vertices.iter().any(|&vertex| vertex as usize >= mesh.positions.len());
    let pairs = |list: &[[u32; 2]], place: fn(u32) -> MeshPlace| -> Vec<MeshPlace> {
        (0..list.len()).filter(|&i| missing(&list[i])).map(|i| place(i as u32)).collect()
    };
    let faces =
        (0..mesh.faces.len()).filter(|&face| missing(&mesh.faces[face])).map(|face| MeshPlace::Face(face as u32));
    let places = faces
        .chain(pairs(&mesh.lines, MeshPlace::Line))
        .chain(pairs(&mesh.diagonals, MeshPlace::Diagonal))
        .chain(pairs(&mesh.welds, MeshPlace::Weld));
    Finding::of(FindingKind::OutOfRange, places)
}

fn texture_mismatch(mesh: &Mesh) -> Option<Finding> {
    let uvs = mesh.uvs.as_ref()?;
    let is_good = |uv: &u32| uvs.coords.get(*uv as usize).is_some_and(|uv| uv.is_finite());
    let fits = |face: usize| match (mesh.faces.get(face), uvs.corners.get(face)) {
        (Some(vertices), Some(corners)) => vertices.len() == corners.len() && corners.iter().all(is_good),
        _ => false,
    };
    let count = mesh.faces.len().max(uvs.corners.len());
    let misfits = (0..count).filter(|&face| !fits(face));
    Finding::of(FindingKind::TextureMismatch, misfits.map(|face| MeshPlace::Face(face as u32)))
}

fn self_lines(mesh: &Mesh) -> impl Iterator<Item = usize> {
    mesh.lines.iter().enumerate().filter(|(_, [a, b])| a == b).map(|(line, _)| line)
}

/// Sides and lines between different vertices that repair sews together; each once.
fn zero_edges(mesh: &Mesh, before: &[u32], after: &[u32]) -> Vec<MeshPlace> {
    let all = mesh.faces.iter().flat_map(|face| sides(face)).chain(mesh.lines.iter().copied()).map(unordered);
    let differs = |[a, b]: [u32; 2], roots: &[u32]| roots[a as usize] != roots[b as usize];
    let mut zero: Vec<[u32; 2]> = all.filter(|&edge| differs(edge, before) && !differs(edge, after)).collect();
    zero.sort_unstable();
    zero.dedup();
    zero.into_iter().map(MeshPlace::Edge).collect()
}

fn is_empty(mesh: &Mesh, faces: &Faces, roots: &[u32]) -> bool {
    let has_line = mesh.lines.iter().any(|&[a, b]| roots[a as usize] != roots[b as usize]);
    !has_line && faces.sound().next().is_none()
}

fn loose(mesh: &Mesh, faces: &Faces, roots: &[u32]) -> Vec<MeshPlace> {
    let mut used = vec![false; roots.len()];
    let on_lines = mesh.lines.iter().filter(|[a, b]| roots[*a as usize] != roots[*b as usize]).flatten();
    for &vertex in faces.sound().flatten().chain(on_lines) {
        used[roots[vertex as usize] as usize] = true;
    }
    let is_loose = |&vertex: &u32| roots[vertex as usize] == vertex && !used[vertex as usize];
    (0..roots.len() as u32).filter(is_loose).map(MeshPlace::Vertex).collect()
}
