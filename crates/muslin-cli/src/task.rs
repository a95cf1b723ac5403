//! What `muslin run` is to run, and where: a new run of a scene, or the rest of one that a folder holds.

use std::path::{Path, PathBuf};

use muslin_record::{RecordError, RunFolder};
use muslin_scene::{Scene, Source};

use crate::args::{RunOptions, SceneOptions};
use crate::exit::{Exit, Failure};

/// A scene, the folder its run goes to, and its last frame.
pub(crate) struct Task {
    pub(crate) scene: Scene,
    pub(crate) dir: PathBuf,
    pub(crate) frames: u32,
    /// How it meets what is in the folder.
    pub(crate) start: Start,
    /// The command that runs it again, as one would type it.
    pub(crate) command: String,
}

/// How a run meets what is in its folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// It takes an empty folder only.
    Fresh,
    /// It replaces the run that is there.
    Replace,
    /// It continues the run that is there.
    Resume,
}

impl Task {
    pub(crate) fn of(options: &RunOptions) -> Result<Self, Failure> {
        if options.resume { Self::resumed(options) } else { Self::fresh(options) }
    }

    fn fresh(options: &RunOptions) -> Result<Self, Failure> {
        let scene = Scene::load(options.scene.name(), &options.scene.set)?;
        let dir = options.out.clone().unwrap_or_else(|| default_folder(&scene.name));
        let frames = options.frames.unwrap_or(scene.frames);
        let start = if options.force { Start::Replace } else { Start::Fresh };
        let command = scene_command("run", &options.scene, &[], options.frames);
        Ok(Self { scene, dir, frames, start, command })
    }

    /// The run that is in the folder, as it was started; options given again must not change it.
    fn resumed(options: &RunOptions) -> Result<Self, Failure> {
        let bad = |error: RecordError| Failure::record(Exit::BadInput, &error);
        let dir = folder_to_resume(options)?;
        let report = RunFolder::open(&dir).and_then(|folder| folder.report()).map_err(bad)?;
        let scene = Scene::load(&dir.to_string_lossy(), &[])?;
        // Its folder would lend it a name of its own.
        let scene = Scene { name: report.scene, ..scene };
        refuse_another_scene(&options.scene, &scene, &dir)?;
        let frames = options.frames.unwrap_or(u32::try_from(report.frames_planned).unwrap_or(scene.frames));
        if u64::from(frames) < report.frames {
            let message = format!("the run in `{}` has reached frame {} already", dir.display(), report.frames);
            return Err(Failure::new(Exit::BadInput, message)
                .hint(format!("leave out `--frames`, or ask for at least {}", report.frames)));
        }
        // The options it was started with are in its scene by now.
        let command = folder_command(&dir, options.frames);
        Ok(Self { scene, dir, frames, start: Start::Resume, command })
    }
}

/// Where runs of a scene go unless `--out` says otherwise. A file called `...toml` must not lead out of `runs`.
pub(crate) fn default_folder(name: &str) -> PathBuf {
    let only_dots = name.trim_matches('.').is_empty();
    Path::new("runs").join(if only_dots { "scene" } else { name })
}

/// `--out`, a run folder given in place of a scene, or where the scene's runs go.
fn folder_to_resume(options: &RunOptions) -> Result<PathBuf, Failure> {
    let name = options.scene.name();
    match &options.out {
        Some(dir) => Ok(dir.clone()),
        None if Path::new(name).join("scene.toml").is_file() => Ok(name.into()),
        None => Ok(default_folder(&Source::find(name)?.scene_name())),
    }
}

fn refuse_another_scene(given: &SceneOptions, stored: &Scene, dir: &Path) -> Result<(), Failure> {
    let started = format!("the run in `{}` was started with", dir.display());
    if let Some(scene) = given.scene.as_deref().filter(|scene| Path::new(scene) != dir) {
        let name = Source::find(scene)?.scene_name();
        if name != stored.name {
            let failure = Failure::new(Exit::BadInput, format!("{started} the scene `{}`, not `{name}`", stored.name));
            return Err(failure.hint(format!("`muslin run {} --resume` continues it", dir.display())));
        }
    }
    let folder = dir.to_string_lossy();
    let scene = given.scene.as_deref().unwrap_or(&folder);
    if !given.set.is_empty() && Scene::load(scene, &given.set)?.portable_text() != stored.text {
        let failure = Failure::new(Exit::BadInput, format!("{started} other values than those given with `--set`"));
        return Err(failure.hint(
            "leave out `--set` to continue the run as it is, or replace `--resume` by `--force` to start again",
        ));
    }
    Ok(())
}

/// The command that does something with a scene again, as one would type it; `more` options follow those of the scene.
pub(crate) fn scene_command(what: &str, scene: &SceneOptions, more: &[String], frames: Option<u32>) -> String {
    let sets = scene.set.iter().map(|set| format!("--set {}", quoted(set)));
    let words = ["muslin".to_owned(), what.to_owned(), quoted(scene.name())].into_iter().chain(sets);
    words.chain(more.iter().cloned()).chain(frames_option(frames)).collect::<Vec<_>>().join(" ")
}

/// The command that runs the scene of a run folder again.
pub(crate) fn folder_command(dir: &Path, frames: Option<u32>) -> String {
    let words = ["muslin".to_owned(), "run".to_owned(), quoted(&dir.to_string_lossy())];
    words.into_iter().chain(frames_option(frames)).collect::<Vec<_>>().join(" ")
}

fn frames_option(frames: Option<u32>) -> Option<String> {
    frames.map(|frames| format!("--frames {frames}"))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_of_a_scene_leads_out_of_the_folder_of_runs() {
        let folders = ["hang", "hang.v2", "two words", ".", ".."].map(default_folder);
        assert_eq!(
            folders,
            ["runs/hang", "runs/hang.v2", "runs/two words", "runs/scene", "runs/scene"].map(PathBuf::from)
        );
    }
}
