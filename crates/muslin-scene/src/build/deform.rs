//! Deforming meshes: the shapes of a cache, in the mesh's own order of vertices.

use std::path::PathBuf;
use std::sync::Arc;

use glam::DVec3;
use muslin::Mesh;
use muslin::model::{ShapeCache, Solid, SolidMesh};
use muslin_cache::{CacheError, Mdd, Pc2};

use super::collider::placed;
use super::solid_mesh::{self, in_metres};
use crate::error::Problem;
use crate::plan::{CacheFiles, ColliderPlan, DeformPlan, SolidFile};
use crate::shape::GREATEST_NUMBER;
use crate::{files, point_cache};

/// The shapes of a cache as its files have them, and the time from one to the next as far as they say [s].
struct Shapes {
    shapes: Vec<Vec<DVec3>>,
    interval: Option<f64>,
}

pub(super) fn deforming(
    plan: &ColliderPlan,
    file: &SolidFile,
    deform: &DeformPlan,
    mesh: &Mesh,
    path: &str,
    notes: &mut Vec<String>,
) -> Result<Solid, Problem> {
    let key = format!("{path}.deform.file");
    let Shapes { shapes, interval } = read(&deform.files, &key)?;
    check(&shapes, mesh.positions.len(), &key)?;
    let interval = deform.frames_per_second.map(|rate| 1.0 / rate).or(interval).ok_or_else(|| {
        let message = "the shapes of this cache are not equally spaced in time".to_owned();
        Problem::at(&key, message).help("say how many there are a second: `frames_per_second = 30`")
    })?;
    let sewn = solid_mesh::sewn(mesh, &shapes, &plan.name, &format!("{path}.mesh"), notes)?;
    let place = |shape: &Vec<DVec3>| -> Vec<DVec3> {
        sewn.vertices.iter().map(|&vertex| placed(plan, in_metres(file, shape[vertex as usize]))).collect()
    };
    let shapes: Vec<Vec<DVec3>> = shapes.iter().map(place).collect();
    let mesh = SolidMesh { positions: shapes[0].clone(), triangles: sewn.triangles };
    Ok(Solid::Deforming { mesh, cache: Arc::new(ShapeCache { start: deform.start, interval, shapes }) })
}

fn read(files: &CacheFiles, key: &str) -> Result<Shapes, Problem> {
    let unreadable = |error: CacheError| {
        Problem::at(key, error.to_string()).label("this cache").help("check that the file is whole: export it again")
    };
    match files {
        CacheFiles::Pc2(path) => {
            let mut cache = point_cache::open(path).and_then(Pc2::exact).map_err(unreadable)?;
            // Frames without vertices have no bytes: a file of no length may claim any number of them.
            let shapes = if cache.points() == 0 { vec![Vec::new()] } else { cache.read_all().map_err(unreadable)? };
            Ok(Shapes { shapes, interval: None })
        }
        CacheFiles::Mdd(path) => {
            let unread = |source| CacheError::Io { doing: "read", path: path.clone(), source };
            let bytes = files::read(path).map_err(|error| unreadable(unread(error)))?;
            let cache = Mdd::from_bytes(&bytes, path).map_err(unreadable)?;
            Ok(Shapes { interval: cache.interval(), shapes: cache.frames })
        }
        CacheFiles::Sequence(paths) => {
            let shape = |path: &PathBuf| solid_mesh::read(path, key).map(|mesh| mesh.positions);
            Ok(Shapes { shapes: paths.iter().map(shape).collect::<Result<_, _>>()?, interval: None })
        }
    }
}

/// Every shape must have the mesh's vertices, all of them numbers that can be reckoned with.
fn check(shapes: &[Vec<DVec3>], count: usize, key: &str) -> Result<(), Problem> {
    if shapes.is_empty() {
        let message = "this cache holds no shape".to_owned();
        return Err(Problem::at(key, message).label("empty").help("export it again"));
    }
    for (number, shape) in shapes.iter().enumerate() {
        if shape.len() != count {
            let message = format!("shape {number} of this cache has {} vertices, the mesh {count}", shape.len());
            let help = "a cache belongs to one mesh: the same vertices in the same order";
            return Err(Problem::at(key, message).label("another mesh's").help(help));
        }
        // What is not a number is not within bounds either.
        if let Some(vertex) = shape.iter().position(|point| !(point.abs().max_element() <= GREATEST_NUMBER)) {
            let message = if shape[vertex].is_finite() {
                format!("vertex {vertex} of shape {number} of this cache is beyond {GREATEST_NUMBER:e}")
            } else {
                format!("vertex {vertex} of shape {number} of this cache is not finite")
            };
            return Err(Problem::at(key, message).label("this cache").help("export it again"));
        }
    }
    Ok(())
}
