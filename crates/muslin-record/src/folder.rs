//! The folder of a run: made without touching what is not ours, written so that no file is ever half there.

use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::RecordError;
use crate::report::Report;

/// Names of the files that every run writes.
pub(crate) mod names {
    pub(crate) const SCENE: &str = "scene.toml";
    pub(crate) const FRAMES: &str = "frames.csv";
    pub(crate) const REPORT: &str = "report.json";
    pub(crate) const PAGE: &str = "report.html";
    pub(crate) const CHECKPOINT: &str = "checkpoint.bin";
    pub(crate) const INPUTS: &str = "inputs";
    pub(crate) const ALL: [&str; 5] = [SCENE, FRAMES, REPORT, PAGE, CHECKPOINT];
}

/// A file that the scene reads, to be copied into the run folder as `inputs/NAME`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    /// Its name under `inputs/`.
    pub name: String,
    /// What it holds; read before the folder is made, since a run may take its inputs from the folder it replaces.
    pub contents: Vec<u8>,
}

/// A folder that holds one run.
#[derive(Debug, Clone)]
pub struct RunFolder {
    dir: PathBuf,
    /// Files of the run that a new one replaces; they go when the new one starts.
    replaces: Vec<String>,
}

/// What `report.json` must contain for its files to count as ours.
#[derive(Deserialize)]
struct Manifest {
    #[expect(dead_code, reason = "its presence distinguishes a report of muslin from other JSON")]
    muslin: String,
    files: Vec<String>,
}

impl RunFolder {
    /// A folder as it is, without a look at it.
    pub(crate) fn at(dir: &Path) -> Self {
        Self { dir: dir.into(), replaces: Vec::new() }
    }

    /// Makes a folder for a new run, or takes an empty one.
    ///
    /// A folder with something in it is refused unless `force` is set; then the files of the run that was there are
    /// removed once the new run starts: those its `report.json` lists, and no others.
    pub fn create(dir: &Path, force: bool) -> Result<Self, RecordError> {
        let mut folder = Self::at(dir);
        match fs::read_dir(dir) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    if !force {
                        return Err(RecordError::FolderInUse { path: dir.into() });
                    }
                    folder.replaces = folder.manifest().map(|manifest| manifest.files).unwrap_or_default();
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::create_dir_all(dir).map_err(RecordError::io("create the folder", dir))?;
            }
            Err(error) if error.kind() == ErrorKind::NotADirectory && dir.exists() => {
                return Err(RecordError::NotAFolder { path: dir.into() });
            }
            Err(error) => return Err(RecordError::io("read the folder", dir)(error)),
        }
        Ok(folder)
    }

    /// Opens the folder of a run that is to be resumed.
    pub fn open(dir: &Path) -> Result<Self, RecordError> {
        let folder = Self::at(dir);
        if folder.path(names::CHECKPOINT).is_file() {
            Ok(folder)
        } else {
            Err(RecordError::NothingToResume { path: dir.into() })
        }
    }

    /// Opens the folder of a run to look at it, whether the run has ended or not.
    pub fn open_recorded(dir: &Path) -> Result<Self, RecordError> {
        let folder = Self::at(dir);
        if folder.path(names::REPORT).is_file() { Ok(folder) } else { Err(RecordError::NotARun { path: dir.into() }) }
    }

    /// Where the scene is that runs it again.
    pub fn scene_path(&self) -> PathBuf {
        self.path(names::SCENE)
    }

    /// The report that is there.
    pub fn report(&self) -> Result<Report, RecordError> {
        let path = self.path(names::REPORT);
        let text = fs::read(&path).map_err(RecordError::io("read", &path))?;
        serde_json::from_slice(&text).map_err(|error| RecordError::Report { path, problem: error.to_string() })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where a file of the folder is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Writes a file so that, at any moment, either the old one or the new one is there in whole.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        let (path, under_way) = (self.path(name), self.path(&temporary(name)));
        fs::write(&under_way, bytes).map_err(RecordError::io("write", &under_way))?;
        fs::rename(&under_way, &path).map_err(RecordError::io("write", &path))
    }

    /// The same for what need not be in memory as a whole: `fill` writes it.
    pub(crate) fn write_with(
        &self,
        name: &str,
        fill: impl FnOnce(&mut BufWriter<File>) -> Result<(), RecordError>,
    ) -> Result<(), RecordError> {
        let (path, under_way) = (self.path(name), self.path(&temporary(name)));
        let file = File::create(&under_way).map_err(RecordError::io("create", &under_way))?;
        let mut buffered = BufWriter::new(file);
        fill(&mut buffered)?;
        buffered.flush().map_err(RecordError::io("write", &under_way))?;
        drop(buffered);
        fs::rename(&under_way, &path).map_err(RecordError::io("write", &path))
    }

    /// Copies the files that the scene reads under `inputs/`.
    pub fn copy_inputs(&self, inputs: &[InputFile]) -> Result<(), RecordError> {
        if inputs.is_empty() {
            return Ok(());
        }
        let dir = self.path(names::INPUTS);
        fs::create_dir_all(&dir).map_err(RecordError::io("create the folder", &dir))?;
        for input in inputs {
            let to = dir.join(&input.name);
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).map_err(RecordError::io("create the folder", parent))?;
            }
            fs::write(&to, &input.contents).map_err(RecordError::io("write", &to))?;
        }
        Ok(())
    }

    /// Fails when one of the files is there already, or cannot be a file's name, or comes twice.
    pub(crate) fn claim(&self, files: &[String]) -> Result<(), RecordError> {
        let mut seen = std::collections::BTreeSet::new();
        for file in files {
            if !is_ours_to_write(file) {
                return Err(RecordError::BadName { name: file.clone() });
            }
            // Some file systems do not distinguish upper and lower case.
            if !seen.insert(file.to_lowercase()) {
                return Err(RecordError::SameName { name: file.clone() });
            }
            let path = self.path(file);
            if path.symlink_metadata().is_ok() && !self.replaces.contains(file) {
                return Err(RecordError::ForeignFile { path });
            }
        }
        Ok(())
    }

    /// Removes the run that is to be replaced, if there is one. Claim the new run's files before: what cannot start
    /// must not cost the user the old run.
    pub(crate) fn clear(&mut self) -> Result<(), RecordError> {
        let replaced = std::mem::take(&mut self.replaces);
        if replaced.is_empty() {
            return Ok(());
        }
        // The report goes last: as long as it is there, a removal that was cut short can be repeated.
        let files = replaced.iter().filter(|file| is_ours_to_write(file) && *file != names::REPORT);
        for file in files {
            self.remove(file)?;
        }
        for file in names::ALL {
            self.remove(&temporary(file))?;
        }
        let is_mdd = |file: &str| Path::new(file).extension().is_some_and(|end| end == "mdd");
        for cache in replaced.iter().filter(|file| is_ours_to_write(file) && is_mdd(file)) {
            self.remove(&temporary(cache))?;
        }
        // Fails when the user keeps something there; then it stays.
        let _ = fs::remove_dir(self.path(names::INPUTS).join("start-from"));
        let _ = fs::remove_dir(self.path(names::INPUTS));
        self.remove(names::REPORT)
    }

    /// Removes a file, if it is there.
    pub(crate) fn remove(&self, name: &str) -> Result<(), RecordError> {
        let path = self.path(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(RecordError::io("remove", &path)(error)),
            _ => Ok(()),
        }
    }

    fn manifest(&self) -> Option<Manifest> {
        let text = fs::read(self.path(names::REPORT)).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

/// The name of a file while it is being written.
fn temporary(name: &str) -> String {
    format!(".{name}.part")
}

/// True for a plain file name, or one under `inputs/` or `inputs/start-from/`: nothing that could lead out of the
/// folder or hide in it.
pub(crate) fn is_ours_to_write(file: &str) -> bool {
    let name = file.strip_prefix("inputs/").unwrap_or(file);
    let name = name.strip_prefix("start-from/").unwrap_or(name);
    let stem = name.split('.').next().unwrap_or_default();
    !stem.is_empty() && !name.contains(['/', '\\', ':']) && !name.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    #[test]
    fn a_folder_with_something_in_it_is_refused_with_a_way_out() {
        let dir = tempdir().unwrap();
        fs::write(dir.path().join("notes.txt"), "mine").unwrap();
        let error = RunFolder::create(dir.path(), false).unwrap_err();
        assert!(matches!(error, RecordError::FolderInUse { .. }), "{error}");
        let hint = error.hint().unwrap();
        assert!(["--force", "--resume", "--out"].iter().all(|option| hint.contains(option)), "{hint}");
    }

    #[test]
    fn force_removes_what_the_report_lists_and_nothing_else() {
        let dir = tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("inputs")).unwrap();
        for name in ["sheet.obj", "sheet.pc2", "frames.csv", "dress.obj", "scene.toml", "inputs/a.obj", "inputs/b.obj"]
        {
            fs::write(at(name), "x").unwrap();
        }
        let listed =
            r#"["report.json", "sheet.obj", "sheet.pc2", "frames.csv", "inputs/a.obj", "gone.csv", "../up.txt"]"#;
        fs::write(at("report.json"), format!(r#"{{"muslin": "0.1.0", "files": {listed}}}"#)).unwrap();
        RunFolder::create(dir.path(), true).unwrap().clear().unwrap();
        for gone in ["sheet.obj", "sheet.pc2", "frames.csv", "inputs/a.obj", "report.json"] {
            assert!(!at(gone).exists(), "{gone} is still there");
        }
        for kept in ["dress.obj", "scene.toml", "inputs/b.obj"] {
            assert!(at(kept).exists(), "{kept} is gone");
        }
    }

    #[test]
    fn force_in_a_folder_that_is_no_run_removes_nothing_and_overwrites_nothing() {
        let dir = tempdir().unwrap();
        fs::write(dir.path().join("sheet.obj"), "the artist's mesh").unwrap();
        fs::write(dir.path().join("report.json"), r#"{"files": ["sheet.obj"]}"#).unwrap();
        let folder = RunFolder::create(dir.path(), true).unwrap();
        let error = folder.claim(&["sheet.obj".to_owned()]).unwrap_err();
        assert!(matches!(error, RecordError::ForeignFile { .. }), "{error}");
        assert_eq!(fs::read_to_string(dir.path().join("sheet.obj")).unwrap(), "the artist's mesh");
    }

    #[test]
    fn a_file_in_place_of_the_folder_is_named() {
        let dir = tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "x").unwrap();
        assert!(matches!(RunFolder::create(&path, true).unwrap_err(), RecordError::NotAFolder { .. }));
    }

    #[test]
    fn names_that_lead_elsewhere_or_collide_are_refused() {
        let dir = tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), false).unwrap();
        for name in ["../x.obj", "a/b.obj", ".hidden.obj", ".obj", "inputs/../x", "c:x.obj", "line\nbreak.obj"] {
            let error = folder.claim(&[name.to_owned()]).unwrap_err();
            assert!(matches!(error, RecordError::BadName { .. }), "{name}: {error}");
        }
        let error = folder.claim(&["A.obj".to_owned(), "a.obj".to_owned()]).unwrap_err();
        assert!(matches!(error, RecordError::SameName { .. }), "{error}");
    }

    #[test]
    fn writing_replaces_a_file_and_leaves_nothing_beside_it() {
        let dir = tempdir().unwrap();
        let folder = RunFolder::create(&dir.path().join("deep/run"), false).unwrap();
        folder.write("report.json", b"old").unwrap();
        folder.write("report.json", b"new").unwrap();
        assert_eq!(fs::read(folder.path("report.json")).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.dir()).unwrap().count(), 1);
    }

    #[test]
    fn inputs_are_copied_under_their_names() {
        let dir = tempdir().unwrap();
        let contents = b"v 0 0 0".to_vec();
        let folder = RunFolder::create(&dir.path().join("run"), false).unwrap();
        folder.copy_inputs(&[InputFile { name: "start-from/dress.obj".to_owned(), contents }]).unwrap();
        assert_eq!(fs::read_to_string(folder.path("inputs/start-from/dress.obj")).unwrap(), "v 0 0 0");
    }
}
