//! Meshes from files, as their makers left them: vertex count, vertex order, polygons and texture coordinates stay as
//! in the file, so that what muslin writes fits the mesh it was given.
//!
//! Wavefront OBJ and PLY are read here, by readers of our own: others re-index the vertices, drop those that no face
//! uses, or cannot say in which line the trouble is.

mod obj;
mod ply;
#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use muslin::Mesh;
use muslin::mesh::Diagonals;

use crate::files;
use crate::shape::GREATEST_NUMBER;

/// Why a mesh file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum MeshFileError {
    /// The file could not be opened or read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file's name does not have the ending of a format that muslin reads.
    #[error("{} is not a mesh file that muslin can read: only .obj and .ply", path.display())]
    Extension {
        /// The file.
        path: PathBuf,
    },
    /// The file's content is no mesh.
    #[error("{}, {place}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        place: FilePlace,
        /// What was found, and what should be there.
        message: String,
    },
}

/// A place in a mesh file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilePlace {
    /// A line, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(usize),
    /// The end.
    End,
}

impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::End => write!(f, "at the end of the file"),
        }
    }
}

/// Something in a file's content that makes no mesh.
#[derive(Debug, Clone, PartialEq)]
struct Fault {
    place: FilePlace,
    message: String,
}

impl Fault {
    fn new(place: FilePlace, message: impl Into<String>) -> Self {
        Self { place, message: message.into() }
    }

    fn at_line(line: usize, message: impl Into<String>) -> Self {
        Self::new(FilePlace::Line(line), message)
    }
}

/// Reads a mesh file, `.obj` or `.ply`. Positions are as in the file, in whatever unit and up axis it uses. Quads carry
/// both of their diagonals as shear pairs. Defects of the mesh itself are for
/// [`Diagnosis`](muslin::mesh::Diagnosis) to find.
pub fn read(path: &Path) -> Result<Mesh, MeshFileError> {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    let parse = match extension.as_str() {
        "obj" => obj::parse,
        "ply" => ply::parse,
        _ => return Err(MeshFileError::Extension { path: path.to_owned() }),
    };
    let bytes = files::read(path).map_err(|source| MeshFileError::Read { path: path.to_owned(), source })?;
    let content = |Fault { place, message }| MeshFileError::Content { path: path.to_owned(), place, message };
    let mut mesh = parse(&bytes).map_err(content)?;
    mesh.add_diagonals(Diagonals::Both);
    Ok(mesh)
}

/// What was found, short enough for a message and printable whatever the file holds.
fn quoted(found: &str) -> String {
    const LONGEST: usize = 40;
    let short: String = found.chars().take(LONGEST).collect();
    let more = if found.chars().nth(LONGEST).is_some() { "…" } else { "" };
    format!("`{}{more}`", short.escape_debug())
}

/// A number that can be reckoned with.
fn finite_number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.abs() <= GREATEST_NUMBER => Ok(number),
        Ok(number) if number.is_finite() => {
            Err(format!("expected a number up to {GREATEST_NUMBER:e}, found {}", quoted(text)))
        }
        Ok(_) => Err(format!("expected a finite number, found {}", quoted(text))),
        Err(_) => Err(format!("expected a number, found {}", quoted(text))),
    }
}
