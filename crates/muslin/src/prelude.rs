//! What most programs need: `use muslin::prelude::*;`.

pub use crate::collide::{Pose, Shape};
pub use crate::contact::survey;
pub use crate::inputs::{AsInputs, InputError, Recording};
pub use crate::materials;
pub use crate::mesh::{Diagonals, DiscSpec, GridSpec, Mesh, MeshError, TubeSpec};
pub use crate::model::{
    Air, Cloth, ClothId, Collider, ColliderId, Material, Model, ModelError, Pin, PinId, Select, SelectError, Solid,
    SolidMesh,
};
pub use crate::settings::{Contact, Integrator, LimitMethod, Limiter, Settings, SettingsError, Yield};
pub use crate::simulation::{BuildError, Builder};
pub use crate::state::StateError;
pub use crate::{
    DQuat, DVec2, DVec3, Inputs, Interrupt, Pull, Simulation, State, StepError, StepReport, Stepper, measure,
};
