//! Contact of cloth with solids: the response. Geometry is in [`collide`](crate::collide), and knows nothing of this.
//!
//! | file | what |
//! |---|---|
//! | `solids` | the colliders during a step: where they are after any share of it, how far a point is from them |
//! | `repair` | starts that touch or overlap: cloth pushed out before the first step |
//! | `survey` | the certificate of a moment: least gap, crossings, vertices that are too near |

pub mod repair;
mod solids;
pub mod survey;

pub use repair::{Repair, repair};
pub use solids::{Solids, Touch};
pub use survey::{Survey, Surveyor, survey};
