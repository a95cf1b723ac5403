//! Contact of cloth with solids: the response. Geometry is in [`collide`](crate::collide), and knows nothing of this.
//!
//! | file | what |
//! |---|---|
//! | `solids` | the colliders during a step: where they are after any share of it, how far a point is from them |
//! | `near` | which vertices are near which solids |
//! | `row` | a vertex near a solid: push and friction |
//! | `response` | all of them during a step, for every limiter but `certified` |
//! | `finish` | their end: velocities, and what is reported |

mod finish;
mod near;
mod response;
mod row;
mod solids;

pub(crate) use response::Contacts;
pub(crate) use row::Row;
pub use solids::{Solids, Touch};
