//! Scenes from strings.
#![allow(dead_code, reason = "every test binary uses another part")]

use std::path::Path;

use muslin_scene::{Scene, SceneError, Source};

/// Folder of the files that scenes under test name.
const FOLDER: &str = "tests/files";

/// A scene in a folder.
pub(crate) fn source(text: &str, folder: &Path) -> Source {
    Source { name: "scene-under-test.toml".into(), text: text.into(), base_dir: folder.into() }
}

/// Checks and builds a scene.
pub(crate) fn try_scene(text: &str, sets: &[&str]) -> Result<(), SceneError> {
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    Scene::from_source(&source(text, Path::new(FOLDER)), &sets)?.build().map(|_| ())
}

/// The error of a scene that is wrong.
pub(crate) fn error(text: &str, sets: &[&str]) -> SceneError {
    try_scene(text, sets).expect_err("the scene is wrong")
}

/// The message of a scene that is wrong.
pub(crate) fn message(text: &str) -> String {
    error(text, &[]).render()
}

/// The message of a scene that options make wrong.
pub(crate) fn message_with_sets(text: &str, sets: &[&str]) -> String {
    error(text, sets).render()
}
