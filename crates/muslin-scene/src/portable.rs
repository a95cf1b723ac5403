//! A scene that can be moved: its text with every path pointing into `inputs/`, and the files that belong there.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml_edit::DocumentMut;

use crate::plan::{CacheFiles, ColliderPlan, MeshSource, SolidSource};
use crate::point_cache::{self, neighbourhood};
use crate::scene::Scene;
use crate::{files, set};

/// Folder of input files, inside a run folder.
const FOLDER: &str = "inputs";
/// Folder of the frames a scene starts from, inside a run folder.
const START: &str = "inputs/start-from";

/// A file that a scene reads and a run folder keeps a copy of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Where the copy belongs, relative to the run folder, with `/`.
    pub stored_as: String,
    /// The file it is made from.
    pub origin: PathBuf,
    /// The only frames needed, when it is a point cache.
    frames: Option<Range<u64>>,
}

impl Input {
    /// What the copy holds. Read all of them before a run folder is cleared: it may be the one they come from.
    pub fn contents(&self) -> io::Result<Vec<u8>> {
        match &self.frames {
            None => files::read(&self.origin),
            Some(frames) => {
                let mut cache = point_cache::open(&self.origin).map_err(io::Error::other)?;
                cache.cut(frames.clone()).map_err(io::Error::other)
            }
        }
    }
}

/// A path in the text, and what it becomes.
struct Redirect {
    key: String,
    stored_as: String,
}

impl Scene {
    /// The files this scene reads.
    pub fn inputs(&self) -> Vec<Input> {
        self.mesh_inputs().0.into_iter().chain(self.start_inputs()).collect()
    }

    /// The text as it belongs into a run folder: beside it, `inputs/` holds what [`Scene::inputs`] lists.
    pub fn portable_text(&self) -> String {
        let redirects = self.mesh_inputs().1;
        if redirects.is_empty() && self.start_from.is_none() {
            return self.text.clone();
        }
        // The text was parsed and checked when the scene was made, so neither this nor the paths below can fail.
        let Ok(mut text) = self.text.parse::<DocumentMut>() else { return self.text.clone() };
        let mut change = |key: &str, value: toml_edit::Value| {
            let changed = set::put(&mut text, key, value);
            debug_assert!(changed.is_ok(), "`{key}` is in the text: {changed:?}");
        };
        for Redirect { key, stored_as } in redirects {
            change(&key, stored_as.into());
        }
        if let Some(start) = &self.start_from {
            change("start_from.run", START.into());
            let first = neighbourhood(u64::from(start.frame), u64::MAX).start;
            change("start_from.frame", (i64::from(start.frame) - first as i64).into());
            change("start_from.frames_per_second", start.frames_per_second.into());
        }
        text.to_string()
    }

    fn mesh_inputs(&self) -> (Vec<Input>, Vec<Redirect>) {
        let (mut inputs, mut redirects) = (Vec::new(), Vec::new());
        for (number, cloth) in self.cloths.iter().enumerate() {
            if let MeshSource::File(file) = &cloth.source {
                let stored_as = store(&mut inputs, &file.path);
                // `mesh.file` unfolds the short form `mesh = "…"`.
                redirects.push(Redirect { key: format!("cloth.{number}.mesh.file"), stored_as });
            }
            if let Some(rest) = &cloth.rest {
                let stored_as = store(&mut inputs, rest);
                redirects.push(Redirect { key: format!("cloth.{number}.rest"), stored_as });
            }
        }
        for (number, collider) in self.colliders.iter().enumerate() {
            collider_inputs(number, collider, &mut inputs, &mut redirects);
        }
        (inputs, redirects)
    }

    fn start_inputs(&self) -> Vec<Input> {
        let Some(start) = &self.start_from else { return Vec::new() };
        let input = |name: &str| {
            let origin = start.folder.join(format!("{name}.pc2"));
            let frames = point_cache::open(&origin).map_or(u64::MAX, |cache| cache.frames());
            let frames = Some(neighbourhood(u64::from(start.frame), frames));
            Input { stored_as: format!("{START}/{name}.pc2"), origin, frames }
        };
        self.cloths.iter().map(|cloth| input(&cloth.name)).collect()
    }
}

fn collider_inputs(number: usize, plan: &ColliderPlan, inputs: &mut Vec<Input>, redirects: &mut Vec<Redirect>) {
    if let SolidSource::File(file) = &plan.source {
        let stored_as = store(inputs, &file.path);
        redirects.push(Redirect { key: format!("collider.{number}.mesh.file"), stored_as });
    }
    let Some(deform) = &plan.deform else { return };
    let stored_as = match &deform.files {
        CacheFiles::Pc2(path) | CacheFiles::Mdd(path) => store(inputs, path),
        CacheFiles::Sequence(paths) => store_sequence(inputs, number, paths),
    };
    redirects.push(Redirect { key: format!("collider.{number}.deform.file"), stored_as });
}

/// Adds the files of a sequence, under names that no other file has; says how a scene names them.
fn store_sequence(inputs: &mut Vec<Input>, number: usize, paths: &[PathBuf]) -> String {
    let name = |shape: &str, end: &str| format!("{FOLDER}/collider-{number}-shape-{shape}.{end}");
    let mut end = String::new();
    for (shape, path) in paths.iter().enumerate() {
        end = path.extension().map(|end| end.to_string_lossy().into_owned()).unwrap_or_default();
        let stored_as = name(&format!("{shape:08}"), &end);
        inputs.push(Input { stored_as, origin: path.clone(), frames: None });
    }
    name("########", &end)
}

/// Adds a file unless it is there already; files of one name from several folders get numbers.
fn store(inputs: &mut Vec<Input>, path: &Path) -> String {
    if let Some(known) = inputs.iter().find(|input| input.origin == path) {
        return known.stored_as.clone();
    }
    let name = files::stored_name(path);
    let taken = |stored: &str| inputs.iter().any(|input| input.stored_as == stored);
    let mut stored_as = format!("{FOLDER}/{name}");
    let mut number = 2;
    while taken(&stored_as) {
        stored_as = format!("{FOLDER}/{number}-{name}");
        number += 1;
    }
    inputs.push(Input { stored_as: stored_as.clone(), origin: path.to_owned(), frames: None });
    stored_as
}
