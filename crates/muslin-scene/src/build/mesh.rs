//! Meshes: generated or read, repaired where that is safe, and said.

use std::path::Path;

use glam::DVec3;
use muslin::Mesh;
use muslin::mesh::{Diagnosis, Finding, MeshError};

use crate::error::Problem;
use crate::mesh_file;
use crate::plan::{ClothPlan, FileSource, MeshSource};

/// A cloth's rest shape, and the shape its start pose is made from.
#[derive(Debug)]
pub(super) struct Shapes {
    /// The rest shape.
    pub(super) rest: Mesh,
    /// The vertices before they are placed [m].
    pub(super) start: Vec<DVec3>,
}

pub(super) fn shapes(plan: &ClothPlan, path: &str, notes: &mut Vec<String>) -> Result<Shapes, Problem> {
    let generated = match &plan.source {
        MeshSource::Grid(spec) => spec.build(),
        MeshSource::Disc(spec) => spec.build(),
        MeshSource::Tube(spec) => spec.build(),
        MeshSource::Irregular(spec) => spec.build(),
        MeshSource::Block(spec) => spec.build(),
        MeshSource::Chain(spec) => spec.build(),
        MeshSource::File(file) => return imported(plan, file, path, notes),
    };
    let mut rest = generated.map_err(|error| parameter(path, &error))?;
    scale(&mut rest.positions, plan.placement.scale);
    Ok(Shapes { start: rest.positions.clone(), rest })
}

/// A mesh that could not be generated, at the key to blame.
fn parameter(path: &str, error: &MeshError) -> Problem {
    match error {
        MeshError::Parameter { what, must, value } => {
            let key = format!("{path}.{what}");
            Problem::at(&key, format!("`{key}` must be {must}, but is {value}")).label(format!("must be {must}"))
        }
        error => Problem::at(path, format!("`{path}`: {error}")).label("this cloth"),
    }
}

fn imported(plan: &ClothPlan, file: &FileSource, path: &str, notes: &mut Vec<String>) -> Result<Shapes, Problem> {
    let key = format!("{path}.mesh");
    let mut rest = read(file, &file.path, &key)?;
    scale(&mut rest.positions, plan.placement.scale);
    let start = rest.positions.clone();
    if let Some(other) = &plan.rest {
        let mut shape = read(file, other, &format!("{path}.rest"))?;
        scale(&mut shape.positions, plan.placement.scale);
        if shape.positions.len() != start.len() {
            let message = format!("the rest shape has {} vertices, the mesh {}", shape.positions.len(), start.len());
            let help = "both must be the same mesh in two poses: the same vertices in the same order";
            return Err(Problem::at(format!("{path}.rest"), message).help(help));
        }
        rest.positions = shape.positions;
    }
    if let Some(vertex) = start.iter().position(|position| !position.is_finite()) {
        let message = format!("vertex {vertex} of {} is not finite", file.path.display());
        return Err(Problem::at(key, message).help("export the mesh again"));
    }
    Ok(Shapes { rest: repaired(plan, rest, &key, notes)?, start })
}

fn read(file: &FileSource, path: &Path, key: &str) -> Result<Mesh, Problem> {
    let mut mesh = mesh_file::read(path).map_err(|error| {
        let help = "check that the file is whole: export it again, as OBJ or PLY";
        Problem::at(key, error.to_string()).label("this file").help(help)
    })?;
    if file.z_up {
        mesh = mesh.with_up_axis_z();
    }
    scale(&mut mesh.positions, file.scale);
    mesh.diagonals.clear();
    mesh.add_diagonals(file.diagonals);
    Ok(mesh)
}

/// The mesh without the defects that can be repaired safely; each is noted.
fn repaired(plan: &ClothPlan, mesh: Mesh, key: &str, notes: &mut Vec<String>) -> Result<Mesh, Problem> {
    let diagnosis = Diagnosis::of(&mesh);
    if diagnosis.findings.is_empty() {
        return Ok(mesh);
    }
    let fatal: Vec<String> =
        diagnosis.findings.iter().filter(|finding| finding.is_fatal()).map(Finding::message).collect();
    if !fatal.is_empty() {
        let message = format!("the mesh of cloth \"{}\" cannot be used: {}", plan.name, fatal.join("; "));
        return Err(Problem::at(key, message).label("this mesh").help("repair it in the program it was made with"));
    }
    let note = |finding: &Finding| format!("{}: {}; {}", plan.name, finding.message(), finding.remedy());
    notes.extend(diagnosis.findings.iter().map(note));
    let unusable = |error| Problem::at(key, format!("the mesh of cloth \"{}\" cannot be used: {error}", plan.name));
    diagnosis.repair(&mesh).map_err(unusable)
}

fn scale(positions: &mut [DVec3], factor: f64) {
    if factor != 1.0 {
        for position in positions {
            *position *= factor;
        }
    }
}
