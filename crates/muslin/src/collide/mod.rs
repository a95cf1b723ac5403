//! Geometry of contact, apart from any response: how far things are from each other, what is near, when they would
//! meet.
//!
//! | question | answer |
//! |---|---|
//! | how far from a plane, sphere, box, capsule, cylinder? | [`Shape::nearest`], [`Shape::nearest_on_edge`], [`Shape::nearest_on_triangle`] |
//! | where is that shape during a step, how fast is its surface? | [`RigidMotion`] |
//! | how far, as a grid of distances has it? | [`LevelSet`] |
//! | nearest points of two triangles' parts | [`closest_on_triangle`], [`closest_of_edges`], [`closest_of_triangles`] |
//! | how far from a triangle mesh, inside or outside? | [`TriangleSurface`] |
//! | what is near what? | [`Bvh`] over [`Bounds`], [`Shape::swept_bounds`] |
//! | how much of a step is safe among meshes? | [`vertex_triangle_impact`], [`edge_edge_impact`] |
//! | and near a solid? | [`particle_shape_impact`], [`edge_shape_impact`], [`triangle_shape_impact`] |
//! | does an edge pierce a triangle, exactly? | [`edge_meets_triangle`] |
//!
//! Positions within a step are `start + s (end - start)`, with s from 0 to 1. Nothing here knows particles, masses or
//! time; nothing allocates but what is built once. Of numbers that are not finite an impact comes at once, so that no
//! contact vanishes; trees may pass over them.
//!
//! ```
//! use muslin::DVec3;
//! use muslin::collide::{Path, Pose, RigidMotion, Shape, particle_shape_impact};
//!
//! // A ball of 10 cm flies 4 m in one step, through a particle at rest.
//! let ball = Shape::Sphere { radius: 0.1 };
//! let flight = RigidMotion::between(Pose::at(DVec3::new(-2.0, 0.0, 0.0)), Pose::at(DVec3::new(2.0, 0.0, 0.0)));
//! let particle = Path::resting(DVec3::new(0.0, 0.05, 0.0));
//! let impact = particle_shape_impact(&ball, &flight, particle, 0.001).expect("it is in the way");
//! let gap = ball.nearest(flight.pose(impact.time).local(particle.at(impact.time))).distance;
//! assert!(gap > 0.001 && impact.time > 0.4 && impact.time < 0.5);
//! ```

mod bounds;
mod bvh;
mod closest;
mod crossing;
mod impact;
mod level_set;
mod motion;
mod shape;
mod shape_impact;
mod shape_nearest;
mod shells;
mod surface;

pub use bounds::Bounds;
pub use bvh::Bvh;
pub use closest::{
    BetweenEdges, BetweenTriangles, Feature, OnTriangle, closest_of_edges, closest_of_triangles, closest_on_segment,
    closest_on_triangle, parted_by_plane,
};
pub use crossing::{Meeting, edge_meets_triangle, separated};
pub use impact::{Impact, Path, edge_edge_impact, vertex_triangle_impact};
pub use level_set::LevelSet;
pub use motion::{Pose, RigidMotion};
pub use shape::{Nearest, Shape};
pub use shape_impact::{edge_shape_impact, particle_shape_impact, triangle_shape_impact};
pub use shape_nearest::NearestOnEdge;
pub use surface::{OnSurface, TriangleSurface};
