//! Contact of cloth with solids: the response. Geometry is in [`collide`](crate::collide), and does not depend on this
//! module.
//!
//! | file | what |
//! |---|---|
//! | `solids`, `moving_mesh` | the colliders during a step: where they are after any fraction of it, how far a point is from them |
//! | `cloth`, `patch` | the cloths as triangles, edges and vertices, each once |
//! | `exempt` | elements that are left out near pins on or inside of solids |
//! | `near`, `pairs` | for `certified`: places of cloth near solids, as planes |
//! | `verify`, `passing` | for `certified`: whether a straight motion leaves every solid alone |
//! | `vertices` | for every other limiter: which vertices are near which solids |
//! | `row`, `response`, `finish` | push and friction at those vertices, during a step and at its end |
//! | `repair` | starts in contact, or that overlap: cloth pushed out before the first step |
//! | `survey` | the certificate of a moment: least gap, crossings, vertices that are too near; cloth against cloth |

mod cloth;
mod exempt;
mod finish;
mod layers;
mod moving_mesh;
mod near;
mod pairs;
mod passing;
mod patch;
pub mod repair;
mod response;
mod row;
mod solids;
pub mod survey;
mod verify;
mod vertices;

pub(crate) use cloth::ClothSurface;
pub use exempt::{Exempted, Exemptions};
pub(crate) use layers::{BetweenLayers, Interval, Layers, NEAR, Sheet};
pub(crate) use near::{Ahead, Finder, Near};
pub use repair::{Repair, repair};
pub(crate) use response::Contacts;
pub(crate) use row::ContactRow;
pub use solids::{Separation, Solids};
pub use survey::{ClothSurvey, LeftOut, Survey, Surveyor, survey, survey_cloth};
pub(crate) use verify::{FLOOR, Hit, Segment, Verifier};
