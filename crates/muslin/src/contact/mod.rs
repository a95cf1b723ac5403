//! Contact of cloth with solids: the response. Geometry is in [`collide`](crate::collide), and knows nothing of this.
//!
//! | file | what |
//! |---|---|
//! | `solids` | the colliders during a step: where they are after any share of it, how far a point is from them |

mod solids;

pub use solids::{Solids, Touch};
