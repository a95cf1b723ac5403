//! Scene files of muslin: read, checked, and turned into models.
//!
//! A file goes through four stages, each in one place: the text with `--set` applied ([`read`]), the file as typed
//! ([`typed`], whose schema the text is compared with), the checked [`Scene`], and what it builds ([`Built`]). Errors
//! of all stages are [`SceneError`]s that quote the line and say what to do.

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod build;
pub mod builtin;
mod check;
mod document;
mod error;
mod example;
mod expect;
mod files;
mod generate;
pub mod mesh_file;
pub mod methods;
pub mod parameters;
pub mod plan;
mod point_cache;
pub mod portable;
pub mod read;
mod scene;
mod schema;
mod set;
mod shape;
mod suggest;
pub mod typed;
mod variant;

pub use build::{Built, Ready};
pub use error::{Problem, SceneError};
pub use expect::{Expectation, Judged};
pub use generate::TorusKnotSpec;
pub use portable::Input;
pub use read::Source;
pub use scene::{Scene, StepChoice};
pub use schema::schema;
pub use variant::Variant;
