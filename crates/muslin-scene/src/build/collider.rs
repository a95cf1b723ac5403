//! Colliders: shapes as they are; meshes read, sewn, placed, and given their deformation or their grid.

use std::sync::Arc;

use glam::DVec3;
use muslin::collide::{LevelSet, Pose, TriangleSurface};
use muslin::model::{Collider, Solid, SolidMesh};

use super::{deform, solid_mesh};
use crate::error::Problem;
use crate::plan::{ColliderPlan, SolidSource};

/// What is smaller than this is no solid but a mistake [m].
const SMALLEST: f64 = 1e-9;
/// Most nodes of a grid of distances: 8 bytes each, and a search for the nearest triangle.
const MOST_NODES: f64 = 8e6;

/// The collider that a plan describes, at the path that messages name.
pub(super) fn build(plan: &ColliderPlan, path: &str, notes: &mut Vec<String>) -> Result<Collider, Problem> {
    Ok(Collider {
        name: plan.name.clone(),
        solid: solid(plan, path, notes)?,
        motion: plan.motion.clone(),
        thickness: plan.thickness.clone(),
        friction: plan.friction.clone(),
    })
}

fn solid(plan: &ColliderPlan, path: &str, notes: &mut Vec<String>) -> Result<Solid, Problem> {
    let place = &plan.placement;
    let mesh = match &plan.source {
        SolidSource::Shape(shape) => {
            let pose = Pose { position: place.translate, rotation: place.rotate };
            return Ok(Solid::Shape { shape: *shape, pose });
        }
        SolidSource::TorusKnot(spec) => {
            let thickest = spec.thickest_rope();
            if spec.rope >= thickest {
                let key = format!("{path}.torus_knot.rope");
                let message = format!("`{key}` of {} m makes the rope meet itself", spec.rope);
                let help = format!("make it less than {thickest:.3}, or change `turns`, `radius` or `winding`");
                return Err(Problem::at(key, message).label("too thick").help(help));
            }
            let mut mesh = spec.build();
            mesh.positions.iter_mut().for_each(|point| *point = placed(plan, *point));
            mesh
        }
        SolidSource::File(file) => {
            let read = solid_mesh::read(&file.path, &format!("{path}.mesh"))?;
            if let Some(deform) = &plan.deform {
                return deform::deforming(plan, file, deform, &read, path, notes);
            }
            let sewn = solid_mesh::sewn(&read, &[], &plan.name, &format!("{path}.mesh"), notes)?;
            let point = |&vertex: &u32| placed(plan, solid_mesh::in_metres(file, read.positions[vertex as usize]));
            SolidMesh { positions: sewn.vertices.iter().map(point).collect(), triangles: sewn.triangles }
        }
    };
    let (low, high) = bounds(&mesh.positions);
    let size = (high - low).max_element();
    if size < SMALLEST {
        let message = format!("collider \"{}\" is only {size:.1e} m large", plan.name);
        let help = "look at `scale`, of the file and of `transform`: after it, coordinates are metres";
        return Err(Problem::at(format!("{path}.mesh"), message).label("this mesh").help(help));
    }
    match plan.level_set {
        Some(cell) => level_set(plan, mesh, cell, path),
        None => Ok(Solid::Mesh(mesh)),
    }
}

/// A point of a solid where its placement puts it [m].
pub(super) fn placed(plan: &ColliderPlan, point: DVec3) -> DVec3 {
    let place = &plan.placement;
    place.translate + place.rotate * (place.scale * point)
}

fn level_set(plan: &ColliderPlan, mesh: SolidMesh, cell: f64, path: &str) -> Result<Solid, Problem> {
    let key = format!("{path}.level_set");
    let (low, high) = bounds(&mesh.positions);
    // A little more than the grid's own margin.
    let nodes = |cell: f64| ((high - low) / cell + 8.0).ceil().element_product();
    if nodes(cell) > MOST_NODES {
        let mut least = cell;
        while nodes(least) > MOST_NODES {
            least *= 1.1;
        }
        let message = format!("`{key}.cell` of {cell:?} m makes a grid of {:.1e} nodes", nodes(cell));
        let help = format!("make it at least {least:.1e}, or leave out `level_set`: triangles are met exactly");
        return Err(Problem::at(format!("{key}.cell"), message).label("too fine").help(help));
    }
    let surface = TriangleSurface::new(mesh.positions.clone(), mesh.triangles.clone());
    let Some(grid) = LevelSet::of(&surface, cell) else {
        let message = format!("the mesh of collider \"{}\" is open: it has no inside for a level set", plan.name);
        let help = "close its holes in the program it was made with, or leave out `level_set`";
        return Err(Problem::at(key, message).label("needs a watertight mesh").help(help));
    };
    let narrowest = (high - low).min_element();
    if cell > 0.5 * narrowest {
        let message = format!("`{key}.cell` of {cell:?} m is too coarse for a mesh that is {narrowest:.3e} m wide");
        let help = format!("a tenth of what is to be seen of it is good, for example {:.1e}", 0.1 * narrowest);
        return Err(Problem::at(format!("{key}.cell"), message).label("too coarse").help(help));
    }
    Ok(Solid::LevelSet { mesh, grid: Arc::new(grid) })
}

fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    points.iter().fold(empty, |(low, high), point| (low.min(*point), high.max(*point)))
}
