//! The walking figure of `scenes/walker.toml`: a watertight mesh, and a cache of its vertices while it walks.

mod body;
mod gait;
mod nets;
#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use glam::DVec3;
use muslin_cache::{CacheError, Pc2Writer};

/// The figure, standing, and while it walks.
pub(crate) struct Walker {
    /// Vertices of the standing figure [m].
    pub(crate) positions: Vec<DVec3>,
    /// Corners of its triangles, counter-clockwise seen from outside.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Its vertices at `gait::SHAPES_PER_SECOND` [m]; the first shape stands.
    pub(crate) shapes: Vec<Vec<DVec3>>,
}

impl Walker {
    pub(crate) fn new() -> Self {
        let (positions, triangles) = nets::polygons(&body::distance);
        let shapes = gait::shapes(&positions);
        Self { positions, triangles, shapes }
    }

    /// The mesh as OBJ.
    fn obj(&self) -> String {
        let mut text = String::from("# The walking figure, standing. Metres, y up. Made by `cargo xtask walker`.\n");
        for point in &self.positions {
            let _ = writeln!(text, "v {:.6} {:.6} {:.6}", point.x, point.y, point.z);
        }
        for [a, b, c] in &self.triangles {
            let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
        }
        text
    }

    /// The shapes as PC2.
    fn pc2(&self) -> Result<Vec<u8>, CacheError> {
        let mut cache = Pc2Writer::new(Cursor::new(Vec::new()), Path::new("walker.pc2"), self.positions.len())?;
        self.shapes.iter().try_for_each(|shape| cache.write_frame(shape))?;
        Ok(cache.into_inner().into_inner())
    }
}

/// Writes both files.
pub(crate) fn write() -> Result<(), String> {
    let walker = Walker::new();
    let cache = walker.pc2().map_err(|error| error.to_string())?;
    for (name, content) in [("walker.obj", walker.obj().into_bytes()), ("walker.pc2", cache)] {
        let path = folder().join(name);
        std::fs::write(&path, content).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    eprintln!(
        "{} vertices, {} triangles, {} shapes",
        walker.positions.len(),
        walker.triangles.len(),
        walker.shapes.len()
    );
    Ok(())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/muslin-scene/scenes")
}
