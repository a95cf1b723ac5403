//! From the file as typed to the checked scene, in one place. What the schema can say is checked before
//! ([`crate::shape`]); here is what needs two keys, the file system, or arithmetic.

mod camera;
mod cloth;
mod collider;
mod deform;
mod fabric;
mod methods;
mod motion;
mod names;
mod outcome;
mod output;
mod pins;
mod pulls;
mod source;
mod start_from;
mod time;

use std::path::{Path, PathBuf};

use glam::{DQuat, DVec2, DVec3};
use muslin::model::World;
use muslin::settings::Contact;

use crate::error::Problem;
use crate::read::Source;
use crate::scene::Scene;
use crate::{files, typed};

/// What the checks share: the scene's folder and seed, and the problems found so far.
pub(crate) struct Checker<'a> {
    pub(crate) base_dir: &'a Path,
    pub(crate) seed: u64,
    pub(crate) problems: Vec<Problem>,
}

impl Checker<'_> {
    pub(crate) fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// A direction of length one; zero has none.
    pub(crate) fn direction(&mut self, key: &str, vector: [f64; 3]) -> DVec3 {
        DVec3::from(vector).try_normalize().unwrap_or_else(|| {
            let message = format!("`{key}` must be a direction, but has no length");
            self.report(Problem::at(key, message).help("for example [0, 1, 0], which points up"));
            DVec3::Y
        })
    }

    /// A rotation. Sines by libm, so that every platform starts from the same bits.
    pub(crate) fn rotation(&mut self, key: &str, rotate: &typed::Rotate) -> DQuat {
        let axis = self.direction(&format!("{key}.axis"), rotate.axis);
        let (sin, cos) = libm::sincos(0.5 * rotate.degrees.to_radians());
        DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
    }

    /// A path in the scene, relative to the scene's folder, unless it is inside muslin.
    pub(crate) fn path(&self, written: &str) -> PathBuf {
        if files::is_inside(written) { PathBuf::from(written) } else { self.base_dir.join(written) }
    }
}

/// Checks a file; all problems at once.
pub(crate) fn scene(source: &Source, origin: &str, text: &str, file: typed::File) -> Result<Scene, Vec<Problem>> {
    let name = source.scene_name();
    let mut check = Checker { base_dir: &source.base_dir, seed: file.seed, problems: Vec::new() };
    let time = time::check(&mut check, &file.time);
    let integrator = methods::integrator(&mut check, &file.integrator, file.limiter.method);
    let limiter = methods::limiter(&mut check, &file.limiter);
    let names = names::check(&mut check, &file);
    let cloths = cloth::check_all(&mut check, &file, &names.cloths);
    let colliders = collider::check_all(&mut check, &file, &names);
    let pulls = pulls::check_all(&mut check, &file.pull, &cloths);
    let probes = outcome::probes(&mut check, &file.probe, &cloths);
    let expectations = outcome::expectations(&mut check, &file.expect, &file.probe);
    let start_from = file.start_from.as_ref().and_then(|start| start_from::check(&mut check, start, &cloths));
    let mdd = output::check(&mut check, &file.output);
    let camera = file.camera.as_ref().map(|camera| camera::check(&mut check, camera));
    if !check.problems.is_empty() {
        return Err(check.problems);
    }
    Ok(Scene {
        title: file.title.unwrap_or_else(|| name.clone()),
        name,
        origin: origin.to_owned(),
        description: file.description.unwrap_or_default(),
        seed: file.seed,
        text: text.to_owned(),
        base_dir: source.base_dir.clone(),
        frames: time.frames,
        frames_per_second: file.time.frames_per_second,
        step: time.step,
        steps_per_frame: time.steps_per_frame,
        world: World { gravity: DVec3::from(file.world.gravity), air: fabric::air(&file.air, file.seed) },
        integrator,
        limiter,
        contact: Contact {
            yields: file.contact.yields,
            repair: file.contact.repair,
            verify: file.contact.verify,
            own: file.contact.own,
        },
        cloths,
        colliders,
        pulls,
        probes,
        expectations,
        start_from,
        mdd,
        camera,
    })
}

/// The names of those options that are there.
pub(crate) fn present<'k>(options: &[(&'k str, bool)]) -> Vec<&'k str> {
    options.iter().filter(|(_, there)| *there).map(|(key, _)| *key).collect()
}

/// A corner of the texture square, which has only four.
pub(crate) fn corner(check: &mut Checker<'_>, key: &str, corner: [f64; 2]) -> DVec2 {
    if corner.iter().any(|&coordinate| coordinate != 0.0 && coordinate != 1.0) {
        let message = format!("`{key}` must be a corner, but is [{}, {}]", corner[0], corner[1]);
        let help = "corners are [0, 0], [1, 0], [0, 1] and [1, 1]; for other places use `nearest` or `index`";
        check.report(Problem::at(key, message).help(help));
    }
    DVec2::from(corner)
}
