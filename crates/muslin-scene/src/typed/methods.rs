//! Limiter and integrator, as typed.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value};

pub use crate::methods::{IntegratorMethod, LimiterMethod};
use crate::parameters::{self, Method};

/// How far structural edges may stretch, and the method that limits it.
pub type Limiter = Chosen<LimiterMethod>;

/// How positions and velocities advance.
pub type Integrator = Chosen<IntegratorMethod>;

/// A method and what is given of its parameters, which [`crate::parameters`] describes.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Chosen<M> {
    /// The method.
    #[serde(default)]
    pub method: M,
    /// Parameters by key, with values that the schema allows. They get their types in the core's settings.
    #[serde(flatten)]
    pub given: Map<String, Value>,
}

impl<M: Method> JsonSchema for Chosen<M> {
    fn schema_name() -> Cow<'static, str> {
        M::TABLE.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        parameters::schema::<M>()
    }
}
