//! Pins: from choices of vertices to vertices.

use glam::DVec3;
use muslin::Mesh;
use muslin::model::select::SelectError;
use muslin::model::{Pin, Select};

use crate::error::Problem;
use crate::plan::ClothPlan;

pub(super) fn resolve(
    plan: &ClothPlan,
    path: &str,
    mesh: &Mesh,
    start: &[DVec3],
    problems: &mut Vec<Problem>,
) -> Vec<Pin> {
    let mut pins = Vec::new();
    for (number, pin) in plan.pins.iter().enumerate() {
        match pin.select.resolve(mesh, start) {
            Ok(particles) => pins.push(Pin { particles, hold: pin.hold.clone(), release: pin.release }),
            Err(error) => problems.push(problem(&format!("{path}.pins.{number}"), &pin.select, &error)),
        }
    }
    pins
}

/// What is wrong with a choice of vertices, at the key that made it.
pub(super) fn problem(path: &str, select: &Select, error: &SelectError) -> Problem {
    let key = match select {
        Select::Corner(_) => "corner",
        Select::Index(_) => "index",
        Select::Box { .. } => "box",
        Select::Nearest(_) => "nearest",
    };
    let key = format!("{path}.{key}");
    let problem = Problem::at(&key, format!("`{key}`: {error}"));
    match error {
        SelectError::Index { count: 0, .. } => problem.label("not in the mesh"),
        SelectError::Index { count, .. } => problem.label("not in the mesh").help(format!("use 0 to {}", count - 1)),
        SelectError::EmptyBox { .. } => problem.label("holds no vertex").help(
            "boxes are in world coordinates of the start pose, after `transform`; give flat boxes a little thickness",
        ),
        SelectError::NoTexture => problem.label("no corners").help("use `index`, `box` or `nearest`"),
        _ => problem,
    }
}
