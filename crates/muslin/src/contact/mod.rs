//! Contact of cloth with solids: the response. Geometry is in [`collide`](crate::collide), and knows nothing of this.
//!
//! | file | what |
//! |---|---|
//! | `cloth`, `patch` | the cloths as triangles, edges and vertices, each once |
//! | `near`, `pairs` | places of cloth near solids, as planes |
//! | `verify` | whether a straight motion leaves every solid alone |
//! | `solids` | the colliders during a step: where they are after any share of it, how far a point is from them |
//! | `repair` | starts that touch or overlap: cloth pushed out before the first step |
//! | `survey` | the certificate of a moment: least gap, crossings, vertices that are too near |

mod cloth;
mod near;
mod pairs;
mod patch;
pub mod repair;
mod solids;
pub mod survey;
mod verify;

pub(crate) use cloth::ClothSurface;
pub(crate) use near::{Ahead, Finder, Near};
pub use repair::{Repair, repair};
pub use solids::{Solids, Touch};
pub use survey::{Survey, Surveyor, survey};
pub(crate) use verify::{Hit, Stretch, Verifier};
