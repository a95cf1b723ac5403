//! Meshes of solids: polygons split, vertices that lie in the same place sewn, so that what looks closed is closed.

use std::path::Path;

use glam::DVec3;
use muslin::Mesh;
use muslin::collide::TriangleSurface;
use muslin::mesh::{Diagnosis, Finding, FindingKind, Topology};

use crate::error::Problem;
use crate::mesh_file;
use crate::plan::SolidFile;

/// How far vertices that lie in the same place may come apart and still count as sewn, as a fraction of the mesh's
/// size: caches are written in single precision.
const STILL_SEWN: f64 = 1e-6;

/// The triangles of a solid, over some of the vertices of a file.
#[derive(Debug)]
pub(super) struct Sewn {
    /// The file's vertices that are used, in its order.
    pub(super) vertices: Vec<u32>,
    /// Corners of each triangle, as places in `vertices`.
    pub(super) triangles: Vec<[u32; 3]>,
}

/// The faces of a mesh file, which alone make a solid.
pub(super) fn read(path: &Path, key: &str) -> Result<Mesh, Problem> {
    let mesh = mesh_file::read(path).map_err(|error| {
        let help = "check that the file is whole: export it again, as OBJ or PLY";
        Problem::at(key, error.to_string()).label("this file").help(help)
    })?;
    Ok(Mesh { positions: mesh.positions, faces: mesh.faces, ..Mesh::default() })
}

/// A point of a file in metres, y up.
pub(super) fn in_metres(file: &SolidFile, point: DVec3) -> DVec3 {
    let point = if file.z_up { DVec3::new(point.x, point.z, -point.y) } else { point };
    point * file.scale
}

/// The triangles of a mesh. It is left as it is when it is watertight so; else vertices that lie in the same place are
/// sewn, if they stay together in all `shapes` that it takes, and faces without area left out; the notes say so.
pub(super) fn sewn(
    mesh: &Mesh,
    shapes: &[Vec<DVec3>],
    name: &str,
    key: &str,
    notes: &mut Vec<String>,
) -> Result<Sewn, Problem> {
    let unusable = |why: String| {
        let message = format!("the mesh of collider \"{name}\" cannot be used: {why}");
        Problem::at(key, message).label("this mesh").help("repair it in the program it was made with")
    };
    if mesh.faces.is_empty() {
        return Err(unusable("it has no face".into()));
    }
    let diagnosis = Diagnosis::of(mesh);
    let fatal: Vec<String> = diagnosis.findings.iter().filter(|f| f.is_fatal()).map(Finding::message).collect();
    if !fatal.is_empty() {
        return Err(unusable(fatal.join("; ")));
    }
    let as_it_is = Topology::of(mesh).triangles;
    if is_watertight(mesh, &as_it_is) {
        return Ok(compact(mesh.positions.len(), &as_it_is));
    }
    let mut repaired = diagnosis.repair(mesh).map_err(|error| unusable(error.to_string()))?;
    let remedy = |finding: &Finding| match finding.kind {
        FindingKind::InconsistentWinding | FindingKind::NonManifoldEdge => "kept as it is, without an inside",
        _ => finding.remedy(),
    };
    let messages =
        diagnosis.findings.iter().map(|finding| format!("{name}: {}; {}", finding.message(), remedy(finding)));
    notes.extend(messages);
    let apart = part(&mut repaired, shapes);
    if apart > 0 {
        notes.push(format!("{name}: {apart} vertices that lie on others come apart later, so they are not sewn"));
    }
    let triangles = Topology::of(&repaired).triangles;
    if triangles.is_empty() {
        return Err(unusable("it has no face".into()));
    }
    if !is_watertight(&repaired, &triangles) {
        notes.push(format!("{name}: the mesh is open, so it has no inside; cloth meets it alike from both sides"));
    }
    Ok(compact(repaired.positions.len(), &triangles))
}

/// Takes back the seams whose vertices do not stay together in all shapes; how many.
fn part(mesh: &mut Mesh, shapes: &[Vec<DVec3>]) -> usize {
    let (before, positions) = (mesh.welds.len(), &mesh.positions);
    let reach = STILL_SEWN * positions.iter().map(|point| point.distance(positions[0])).fold(0.0, f64::max);
    let near = |shape: &Vec<DVec3>, [a, b]: [u32; 2]| shape[a as usize].distance(shape[b as usize]) <= reach;
    mesh.welds.retain(|&weld| shapes.iter().all(|shape| near(shape, weld)));
    before - mesh.welds.len()
}

fn is_watertight(mesh: &Mesh, triangles: &[[u32; 3]]) -> bool {
    TriangleSurface::new(mesh.positions.clone(), triangles.to_vec()).is_watertight()
}

/// Leaves out the vertices that no triangle has.
fn compact(count: usize, triangles: &[[u32; 3]]) -> Sewn {
    let mut place = vec![u32::MAX; count];
    triangles.as_flattened().iter().for_each(|&vertex| place[vertex as usize] = 0);
    let vertices: Vec<u32> = (0..count as u32).filter(|&vertex| place[vertex as usize] == 0).collect();
    for (number, &vertex) in vertices.iter().enumerate() {
        place[vertex as usize] = number as u32;
    }
    let triangles = triangles.iter().map(|triangle| triangle.map(|vertex| place[vertex as usize])).collect();
    Sewn { vertices, triangles }
}
