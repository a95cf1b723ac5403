//! The physics of muslin: cloth that does not stretch past its limit, with a certificate after every step.
//!
//! A [`Model`] never changes during a run, a [`State`] is what changes, a [`Stepper`] is how. All numbers are `f64` in SI
//! units; y is up. The crate knows no files, no command line and no clock but the one that times its stages.

pub mod collide;
pub mod contact;
pub mod drivers;
pub mod energy;
pub mod error;
pub mod forces;
pub mod integrate;
mod interrupt;
pub mod limit;
pub mod linalg;
pub mod measure;
pub mod mesh;
pub mod model;
pub mod report;
pub mod settings;
mod simd;
pub mod state;
pub mod step;
pub mod stuck;
pub mod timing;

pub use energy::ClothEnergy;
pub use error::{Stage, StepError};
pub use glam::{DQuat, DVec2, DVec3};
pub use interrupt::Interrupt;
pub use mesh::Mesh;
pub use model::Model;
pub use report::StepReport;
pub use settings::Settings;
pub use state::State;
pub use step::Stepper;
