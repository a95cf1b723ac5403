//! Scene files.

pub mod mesh_file;
