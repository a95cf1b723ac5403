//! Colliders for tests.

use glam::{DQuat, DVec3};
use muslin::Model;
use muslin::collide::{Pose, Shape};
use muslin::model::{Collider, Ease, Key, Motion, Solid, SolidMesh};

/// The distance that cloth keeps in tests [m].
pub const THICKNESS: f64 = 1e-3;

/// A collider at rest, for every cloth of the model alike.
pub fn resting(model: &Model, solid: Solid, friction: f64) -> Collider {
    let cloths = model.cloths.len();
    Collider {
        name: format!("solid {}", model.colliders.len() + 1),
        solid,
        motion: Motion::default(),
        thickness: vec![THICKNESS; cloths],
        friction: vec![friction; cloths],
    }
}

pub fn shape(shape: Shape, position: DVec3) -> Solid {
    Solid::Shape { shape, pose: Pose::at(position) }
}

/// The ground, turned about z by an angle [rad]: it falls towards -x for a positive one.
pub fn ground(tilt: f64) -> Solid {
    let rotation = DQuat::from_rotation_z(tilt);
    Solid::Shape { shape: Shape::Plane, pose: Pose { position: DVec3::ZERO, rotation } }
}

/// Straight motion through places, each given with its time [s] and displacement [m].
pub fn along(places: &[(f64, DVec3)]) -> Motion {
    let key = |&(time, translate): &(f64, DVec3)| Key { time, translate, axis: DVec3::Y, angle: 0.0 };
    Motion { keys: places.iter().map(key).collect(), ease: Ease::Linear, centre: DVec3::ZERO }
}

/// The surface of a box as twelve triangles.
pub fn box_mesh(half: DVec3, centre: DVec3) -> SolidMesh {
    let corner = |i: u32| {
        let side = |bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
        centre + half * DVec3::new(side(1), side(2), side(4))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    SolidMesh {
        positions: (0..8).map(corner).collect(),
        triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}
