//! The geometry of a run folder: an OBJ file and a point cache for each cloth, an OBJ file for each collider, and a point
//! cache for each collider that moves or deforms.
//!
//! A collider at rest has no cache: its OBJ file is where it is, in all frames, and needs no modifier to be shown.

#[cfg(test)]
mod tests;

use muslin::model::Collider;
use muslin::{Model, State};
use muslin_cache::{CacheError, Pc2Writer};

use crate::error::RecordError;
use crate::folder::RunFolder;
use crate::obj::{write_obj, write_solid_obj};
use crate::solid::SolidForm;

/// The point caches under way.
#[derive(Debug)]
pub(super) struct Caches {
    cloths: Vec<Pc2Writer>,
    solids: Vec<MovingSolid>,
}

/// A collider that moves.
#[derive(Debug)]
struct MovingSolid {
    /// Its number among the model's colliders.
    collider: usize,
    form: SolidForm,
    cache: Pc2Writer,
}

/// Names of all these files.
pub(super) fn files(model: &Model) -> impl Iterator<Item = String> {
    let cloths = model.cloths.iter().flat_map(|cloth| [obj_name(&cloth.name), cache_name(&cloth.name)]);
    let solids = model.colliders.iter().flat_map(|collider| {
        let cache = (!collider.rests()).then(|| cache_name(&collider.name));
        std::iter::once(obj_name(&collider.name)).chain(cache)
    });
    cloths.chain(solids)
}

impl Caches {
    /// Writes all shapes, and starts caches that hold no frame yet.
    pub(super) fn create(folder: &RunFolder, model: &Model) -> Result<Self, RecordError> {
        let (mut cloths, mut solids) = (Vec::new(), Vec::new());
        for cloth in &model.cloths {
            let cache = cache_name(&cloth.name);
            let mut obj = Vec::new();
            write_obj(&cloth.mesh, &cache, &mut obj).map_err(RecordError::io("write", folder.dir()))?;
            folder.write(&obj_name(&cloth.name), &obj)?;
            cloths.push(Pc2Writer::create(&folder.path(&cache), cloth.particles.len())?);
        }
        for (index, collider) in model.colliders.iter().enumerate() {
            let form = SolidForm::of(model, collider);
            let points = write_shape(folder, collider, &form)?;
            if !collider.rests() {
                let cache = Pc2Writer::create(&folder.path(&cache_name(&collider.name)), points)?;
                solids.push(MovingSolid { collider: index, form, cache });
            }
        }
        Ok(Self { cloths, solids })
    }

    /// Goes on with the caches of a folder after their first `frames` frames.
    pub(super) fn open_at(folder: &RunFolder, model: &Model, frames: u64) -> Result<Self, RecordError> {
        let open = |name: &str, points: usize| Pc2Writer::open_at(&folder.path(&cache_name(name)), points, frames);
        let cloths = model.cloths.iter().map(|cloth| open(&cloth.name, cloth.particles.len()));
        let moving = model.colliders.iter().enumerate().filter(|(_, collider)| !collider.rests());
        let solids = moving.map(|(index, collider)| {
            let form = SolidForm::of(model, collider);
            let points = form.positions(collider, 0.0).len();
            Ok(MovingSolid { collider: index, form, cache: open(&collider.name, points)? })
        });
        Ok(Self { cloths: cloths.collect::<Result<_, _>>()?, solids: solids.collect::<Result<_, CacheError>>()? })
    }

    /// Adds a frame to all of them.
    pub(super) fn write_frame(&mut self, model: &Model, state: &State) -> Result<(), RecordError> {
        for (cloth, cache) in model.cloths.iter().zip(&mut self.cloths) {
            cache.write_frame(&state.x[cloth.particles.clone()])?;
        }
        for MovingSolid { collider, form, cache } in &mut self.solids {
            cache.write_frame(&form.positions(&model.colliders[*collider], state.time))?;
        }
        Ok(())
    }
}

/// Writes a collider as it starts; gives back the number of its vertices.
fn write_shape(folder: &RunFolder, collider: &Collider, form: &SolidForm) -> Result<usize, RecordError> {
    let cache = (!collider.rests()).then(|| cache_name(&collider.name));
    let positions = form.positions(collider, 0.0);
    let mut obj = Vec::new();
    write_solid_obj(&positions, &form.triangles, cache.as_deref(), &mut obj)
        .map_err(RecordError::io("write", folder.dir()))?;
    folder.write(&obj_name(&collider.name), &obj)?;
    Ok(positions.len())
}

fn obj_name(name: &str) -> String {
    format!("{name}.obj")
}

fn cache_name(name: &str) -> String {
    format!("{name}.pc2")
}
