//! Input files: on disk, or inside muslin.
//!
//! A path that begins with `muslin:` names a file of `scenes/` that is part of the binary, so that built-in scenes work
//! from any folder.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::Path;

use crate::builtin;

/// How paths of files inside muslin begin.
pub(crate) const INSIDE: &str = "muslin:";

/// A file that is open for reading.
pub(crate) trait Readable: Read + Seek + std::fmt::Debug {}

impl<T: Read + Seek + std::fmt::Debug> Readable for T {}

/// Whether a path as written names a file inside muslin.
pub(crate) fn is_inside(written: &str) -> bool {
    written.starts_with(INSIDE)
}

/// Whether there is such a file.
pub(crate) fn exists(path: &Path) -> bool {
    match name_inside(path) {
        Some(name) => builtin::file(name).is_some(),
        None => path.is_file(),
    }
}

/// All of a file.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    match name_inside(path) {
        Some(name) => inside(name).map(<[u8]>::to_vec),
        None => std::fs::read(path),
    }
}

/// Opens a file.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn Readable>> {
    Ok(match name_inside(path) {
        Some(name) => Box::new(Cursor::new(inside(name)?)),
        None => Box::new(File::open(path)?),
    })
}

/// The name of a file as a run folder keeps it.
pub(crate) fn stored_name(path: &Path) -> String {
    let name = name_inside(path).map(str::to_owned);
    name.or_else(|| Some(path.file_name()?.to_string_lossy().into_owned())).unwrap_or_default()
}

fn name_inside(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix(INSIDE)
}

fn inside(name: &str) -> io::Result<&'static [u8]> {
    builtin::file(name).ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "muslin has no such file inside"))
}
