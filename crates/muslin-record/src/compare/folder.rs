//! The folder of a comparison: `compare.json`, `compare.html`, a strip of pictures and a run folder for each method.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{CompareInfo, Comparison, Trial};
use crate::error::RecordError;
use crate::folder::{RunFolder, is_ours_to_write};
use crate::html::ComparePage;
use crate::report::json;

const TABLE: &str = "compare.json";
const PAGE: &str = "compare.html";
/// The files that every comparison writes.
pub(super) const FILES: [&str; 2] = [TABLE, PAGE];

/// A folder that holds one comparison.
#[derive(Debug, Clone)]
pub struct CompareFolder {
    folder: RunFolder,
}

/// What `compare.json` must contain for its files and folders to count as ours.
#[derive(Deserialize)]
struct Manifest {
    #[expect(dead_code, reason = "its presence distinguishes a comparison of muslin from other JSON")]
    muslin: String,
    files: Vec<String>,
    methods: Vec<ManifestRow>,
}

#[derive(Deserialize)]
struct ManifestRow {
    method: String,
}

impl CompareFolder {
    /// Makes a folder for a new comparison of these methods, or takes an empty one.
    ///
    /// A folder with something in it is refused unless `force` is set; then the comparison that was there is removed:
    /// the files that its `compare.json` lists, and those that the reports of its runs list. Nothing else.
    pub fn create(dir: &Path, methods: &[&str], force: bool) -> Result<Self, RecordError> {
        let folder = Self { folder: RunFolder::at(dir) };
        match fs::read_dir(dir) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    if !force {
                        return Err(RecordError::ComparisonInUse { path: dir.into() });
                    }
                    folder.replace(methods)?;
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

    /// Where the run of a method goes.
    pub fn run_dir(&self, method: &str) -> PathBuf {
        self.folder.path(method)
    }

    /// Where the page is.
    pub fn page_path(&self) -> PathBuf {
        self.folder.path(PAGE)
    }

    /// Reads what a run of the comparison recorded, frame by frame.
    pub fn rows(&self, method: &str, frames: u64) -> Result<Vec<crate::FrameRow>, RecordError> {
        crate::frames::read(&self.run_dir(method).join(crate::folder::names::FRAMES), frames + 1)
    }

    /// Rewrites table and page, and the pictures that are there.
    pub fn write(&self, info: &CompareInfo, trials: &[Trial]) -> Result<Comparison, RecordError> {
        let comparison = Comparison::of(info, trials);
        let text = json::to_text(&comparison)
            .map_err(|error| RecordError::Encode { name: TABLE, problem: error.to_string() })?;
        // The table comes first: it lists the files by which a later `--force` knows them.
        self.folder.write(TABLE, &text)?;
        for trial in trials {
            if let (Some(name), Some(png)) = (trial.strip_name(), &trial.strip) {
                self.folder.write(&name, png)?;
            }
        }
        self.folder.write(PAGE, ComparePage { comparison: &comparison, trials }.render().as_bytes())?;
        Ok(comparison)
    }

    /// Removes the comparison that is there, after making sure that nothing foreign is in the way of the new one.
    fn replace(&self, methods: &[&str]) -> Result<(), RecordError> {
        let old = self.manifest();
        let listed = |name: &str| old.as_ref().is_some_and(|old| old.files.iter().any(|file| file == name));
        let pictures = methods.iter().map(|method| format!("{method}.png"));
        for name in FILES.into_iter().map(str::to_owned).chain(pictures) {
            let path = self.folder.path(&name);
            if path.symlink_metadata().is_ok() && !listed(&name) {
                return Err(RecordError::ForeignFile { path });
            }
        }
        let Some(old) = old else { return Ok(()) };
        for method in old.methods.iter().map(|row| row.method.as_str()).filter(|name| is_plain(name)) {
            self.remove_run(method)?;
        }
        // The table goes last: as long as it is there, a removal that was cut short can be repeated.
        for file in old.files.iter().filter(|file| is_plain(file) && *file != TABLE) {
            self.folder.remove(file)?;
        }
        self.folder.remove(TABLE)
    }

    fn remove_run(&self, method: &str) -> Result<(), RecordError> {
        let dir = self.run_dir(method);
        if dir.is_dir() {
            RunFolder::create(&dir, true)?.clear()?;
            // Fails when the user keeps something there; then it stays.
            let _ = fs::remove_dir(&dir);
        }
        Ok(())
    }

    fn manifest(&self) -> Option<Manifest> {
        let text = fs::read(self.folder.path(TABLE)).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

/// True for a name that stays in the folder.
fn is_plain(name: &str) -> bool {
    is_ours_to_write(name) && !name.contains('/')
}
