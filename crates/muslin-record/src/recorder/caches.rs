//! The geometry of a run folder: an OBJ file and a point cache for each cloth, an OBJ file for each collider, and a
//! point cache for each collider that moves or deforms. Point caches are PC2; MDD is made of them at the end.
//!
//! A collider at rest has no cache: its OBJ file is where it is, in all frames, and needs no modifier to be shown.

#[cfg(test)]
mod tests;

use muslin::model::Collider;
use muslin::{Model, State};
use muslin_cache::{CacheError, MddWriter, Pc2, Pc2Writer};

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

/// Names of all these files; `mdd` says whether there are MDD caches.
pub(super) fn files(model: &Model, mdd: bool) -> impl Iterator<Item = String> {
    let cloths = model.cloths.iter().flat_map(|cloth| [obj_name(&cloth.name), cache_name(&cloth.name)]);
    let solids = model.colliders.iter().flat_map(|collider| {
        let cache = (!collider.rests()).then(|| cache_name(&collider.name));
        std::iter::once(obj_name(&collider.name)).chain(cache)
    });
    cloths.chain(solids).chain(moving(model).filter(move |_| mdd).map(mdd_name))
}

/// Writes the MDD caches of a run that has ended or was stopped, from its PC2 caches.
///
/// An MDD cache cannot grow frame by frame and be valid in between, because all times stand in front. Made in one go it
/// is there as a whole or not at all, and a resumed run comes to the same bytes because its PC2 caches do.
pub(super) fn write_mdd(folder: &RunFolder, model: &Model, frames_per_second: f64) -> Result<(), RecordError> {
    for name in moving(model) {
        let mut cache = Pc2::open(&folder.path(&cache_name(name)))?;
        let (mdd, points) = (mdd_name(name), cache.points() as usize);
        let path = folder.path(&mdd);
        // The format counts frames by an i32.
        let frames = 0..cache.frames() as u32;
        folder.write_with(&mdd, |file| {
            let times = frames.clone().map(|frame| f64::from(frame) / frames_per_second);
            let mut writer = MddWriter::new(file, &path, times, points)?;
            for frame in frames {
                writer.write_frame(&cache.frame(u64::from(frame))?)?;
            }
            writer.finish()?;
            Ok(())
        })?;
    }
    Ok(())
}

/// Names of all that has point caches.
fn moving(model: &Model) -> impl Iterator<Item = &str> {
    let colliders = model.colliders.iter().filter(|collider| !collider.rests());
    model.cloths.iter().map(|cloth| cloth.name.as_str()).chain(colliders.map(|collider| collider.name.as_str()))
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

fn mdd_name(name: &str) -> String {
    format!("{name}.mdd")
}
