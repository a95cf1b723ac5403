//! Files that are whole or not there.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use super::EncodeError;

/// A file under way, beside the one it will become. Dropped before its end, it is removed.
#[derive(Debug)]
pub(super) struct Beside {
    target: PathBuf,
    partial: PathBuf,
    finished: bool,
}

/// Where a file is written before it gets its name; code that ends the program early may remove it.
pub fn unfinished_path(target: &Path) -> PathBuf {
    let mut name = target.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".part");
    target.with_file_name(name)
}

impl Beside {
    pub(super) fn new(target: &Path) -> Self {
        Self { target: target.to_owned(), partial: unfinished_path(target), finished: false }
    }

    /// Where to write.
    pub(super) fn path(&self) -> &Path {
        &self.partial
    }

    pub(super) fn create(&self) -> Result<fs::File, EncodeError> {
        fs::File::create(&self.partial).map_err(|source| self.error(source))
    }

    /// Gives the file its name.
    pub(super) fn finish(mut self) -> Result<(), EncodeError> {
        fs::rename(&self.partial, &self.target).map_err(|source| self.error(source))?;
        self.finished = true;
        Ok(())
    }

    /// The error, with the name of the file as its user knows it.
    pub(super) fn error(&self, source: io::Error) -> EncodeError {
        EncodeError::Write { path: self.target.clone(), source }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing to be done if even this fails; often there is no file yet.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<OsString> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn a_file_given_up_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.gif");
        fs::write(&target, "old").unwrap();
        let beside = Beside::new(&target);
        fs::write(beside.path(), "half").unwrap();
        drop(beside);
        assert_eq!((names(folder.path()), fs::read_to_string(&target).unwrap()), (vec!["a.gif".into()], "old".into()));
    }

    #[test]
    fn a_finished_file_takes_the_place() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.gif");
        fs::write(&target, "old").unwrap();
        let beside = Beside::new(&target);
        fs::write(beside.path(), "whole").unwrap();
        beside.finish().unwrap();
        assert_eq!(
            (names(folder.path()), fs::read_to_string(&target).unwrap()),
            (vec!["a.gif".into()], "whole".into())
        );
    }

    #[test]
    fn errors_name_the_file_that_was_asked_for() {
        let error = Beside::new(Path::new("no-such-folder/a.gif")).create().unwrap_err().to_string();
        assert!(error.starts_with("cannot write no-such-folder/a.gif: "), "{error}");
    }
}
