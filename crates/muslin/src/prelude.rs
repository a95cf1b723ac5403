//! What most programs need: `use muslin::prelude::*;`.

pub use crate::collide::{Pose, Shape};
pub use crate::inputs::{AsInputs, InputError, Recording};
pub use crate::materials;
pub use crate::mesh::{Diagonals, DiscSpec, GridSpec, Mesh, TubeSpec};
pub use crate::model::{
    Air, Cloth, ClothId, Collider, ColliderId, Material, Model, Pin, PinId, Select, Solid, SolidMesh,
};
pub use crate::settings::{Contact, Integrator, LimitMethod, Limiter, Settings, Yield};
pub use crate::simulation::{BuildError, Builder};
pub use crate::{
    DQuat, DVec2, DVec3, Inputs, Interrupt, Pull, Simulation, State, StepError, StepReport, Stepper, measure,
};
