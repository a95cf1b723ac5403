//! From a name or path, and `--set` options, to a checked scene.

use std::path::{Path, PathBuf};

use crate::error::{Problem, SceneError};
use crate::scene::Scene;
use crate::{builtin, check, document, schema, set, shape, suggest, typed};

/// The text of a scene and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What messages call it: the path as given, or the built-in scene's name.
    pub name: String,
    /// The text, TOML.
    pub text: String,
    /// The folder that paths in the scene are relative to.
    pub base_dir: PathBuf,
}

impl Source {
    /// Finds a scene: a file, a run folder (its `scene.toml`), or a built-in name.
    pub fn find(name_or_path: &str) -> Result<Self, SceneError> {
        let path = Path::new(name_or_path);
        if path.is_dir() && path.join("scene.toml").is_file() {
            return Self::read(&path.join("scene.toml"));
        }
        if path.is_file() {
            return if is_mesh(path) {
                Err(SceneError::without_text(mesh_for_scene(name_or_path)))
            } else {
                Self::read(path)
            };
        }
        match builtin::find(name_or_path) {
            Some(scene) => Ok(Self { name: scene.name.into(), text: scene.text.into(), base_dir: PathBuf::from(".") }),
            None => Err(SceneError::without_text(not_found(name_or_path))),
        }
    }

    fn read(path: &Path) -> Result<Self, SceneError> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| {
            let problem = Problem::general(format!("cannot read {name}: {error}"));
            SceneError::without_text(problem.help("check the path, and that you have permission to read the file"))
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let problem = Problem::general(format!("{name} is not text: byte {at} is not UTF-8"));
            SceneError::without_text(problem.help("scene files are TOML, which is UTF-8 text"))
        })?;
        let base_dir = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self { name, text, base_dir })
    }

    /// What messages call the text with options applied: the lines quoted are not quite those of the file.
    pub(crate) fn origin(&self, sets: &[String]) -> String {
        if sets.is_empty() { self.name.clone() } else { format!("{} with --set", self.name) }
    }

    /// The scene's own name: the file's stem, or the run folder's name.
    pub fn scene_name(&self) -> String {
        let path = Path::new(&self.name);
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        if stem != "scene" {
            return stem;
        }
        let folder = self.base_dir.canonicalize().ok();
        folder.and_then(|folder| Some(folder.file_name()?.to_string_lossy().into_owned())).unwrap_or(stem)
    }
}

/// Whether a file is a mesh by its name.
fn is_mesh(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("obj") || end.eq_ignore_ascii_case("ply"))
}

fn mesh_for_scene(name: &str) -> Problem {
    let help = format!(
        "write a scene file (TOML) with a `[[cloth]]` that has `name`, `material` and `mesh = \"{name}\"`, and give \
         that"
    );
    Problem::general(format!("`{name}` is a mesh, not a scene")).help(help)
}

fn not_found(name: &str) -> Problem {
    let path = Path::new(name);
    let files = scene_files(path.parent().unwrap_or(Path::new("")));
    let names = builtin::list().iter().map(|scene| scene.name);
    let near = suggest::nearest(name, names.chain(files.iter().map(String::as_str)).collect::<Vec<_>>());
    let message = if path.is_dir() {
        format!("the folder `{name}` holds no `scene.toml`")
    } else if path.components().count() > 1 || path.extension().is_some() {
        format!("there is no scene file `{name}`")
    } else {
        format!("there is no scene `{name}`: neither a file nor a built-in scene")
    };
    let help = match near {
        Some(near) => format!("did you mean `{near}`? `muslin scenes` lists all built-in scenes"),
        None => {
            "give a scene file, a run folder or a built-in scene; `muslin scenes` lists the built-in ones".to_owned()
        }
    };
    Problem::general(message).help(help)
}

fn scene_files(folder: &Path) -> Vec<String> {
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(place) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let scenes = names.filter(|name| Path::new(name).extension().is_some_and(|end| end == "toml"));
    let mut files: Vec<String> = scenes.map(|name| folder.join(name).display().to_string()).collect();
    files.sort();
    files
}

impl Scene {
    /// Loads a scene by file, run folder or built-in name, with `--set` options (`KEY=VALUE`) applied.
    ///
    /// ```
    /// use muslin_scene::Scene;
    ///
    /// let scene = Scene::load("hang", &["time.duration=1.0".into()])?;
    /// assert_eq!(scene.frames, 30);
    /// # Ok::<(), muslin_scene::SceneError>(())
    /// ```
    pub fn load(name_or_path: &str, sets: &[String]) -> Result<Self, SceneError> {
        Self::from_source(&Source::find(name_or_path)?, sets)
    }

    /// Checks a scene whose text is at hand.
    pub fn from_source(source: &Source, sets: &[String]) -> Result<Self, SceneError> {
        let text = set::apply(source, sets)?;
        Self::from_text(source, &source.origin(sets), &text)
    }

    /// Checks a text made from a source; messages call it `origin`.
    pub(crate) fn from_text(source: &Source, origin: &str, text: &str) -> Result<Self, SceneError> {
        let error = |problems| SceneError::in_text(origin, text, problems);
        let file = typed_file(text).map_err(error)?;
        check::scene(source, origin, text, file).map_err(error)
    }
}

/// The text as typed, or everything about its shape that is wrong.
pub(crate) fn typed_file(text: &str) -> Result<typed::File, Vec<Problem>> {
    let document = document::parse(text).map_err(|problem| vec![problem])?;
    let problems = shape::problems(schema::shared(), text, document.get_ref());
    if !problems.is_empty() {
        return Err(problems);
    }
    // The schema and the structs are one, so this fails only for what a schema cannot say.
    toml::from_str(text).map_err(|error| {
        let mut problem = Problem::general(error.message().to_owned()).label("here");
        problem.span = error.span();
        vec![problem]
    })
}
