//! Colliders for tests.

use glam::{DQuat, DVec3};
use muslin::Model;
use muslin::collide::{Pose, Shape};
use muslin::model::{Collider, Ease, Key, Motion, Solid, SolidMesh};

/// Corners and triangles of a mesh.
pub type MeshParts = (Vec<DVec3>, Vec<[u32; 3]>);

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

/// A shape at rest; one cloth keeps a millimetre from it.
pub fn shaped(shape: Shape, pose: Pose) -> Collider {
    for_one_cloth(Solid::Shape { shape, pose })
}

/// A mesh at rest; one cloth keeps a millimetre from it.
pub fn meshed((positions, triangles): MeshParts) -> Collider {
    for_one_cloth(Solid::Mesh(SolidMesh { positions, triangles }))
}

fn for_one_cloth(solid: Solid) -> Collider {
    Collider { name: "solid".into(), solid, motion: Motion::default(), thickness: vec![THICKNESS], friction: vec![0.3] }
}

/// The turn by an angle [rad] about an axis.
pub fn turned(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    let v = axis.normalize_or(DVec3::Y) * sin;
    DQuat::from_xyzw(v.x, v.y, v.z, cos)
}

/// The triangles of a box, seen from outside in the order of their corners.
pub fn block_mesh(half: DVec3, centre: DVec3) -> MeshParts {
    let SolidMesh { positions, triangles } = box_mesh(half, centre);
    (positions, triangles)
}

/// The same as a solid.
pub fn box_mesh(half: DVec3, centre: DVec3) -> SolidMesh {
    let SolidMesh { mut positions, triangles } = SolidMesh::of(&Shape::Box { half }, 0);
    for p in &mut positions {
        *p += centre;
    }
    SolidMesh { positions, triangles }
}

/// A ball with so many triangles round its equator, watertight, its lowest corner a pole.
pub fn ball_mesh(radius: f64, centre: DVec3, round: u32) -> MeshParts {
    let (unit, triangles) = globe(round, round / 2 - 1);
    (unit.iter().map(|p| centre + *p * radius).collect(), triangles)
}

/// The unit ball: two poles and `rings` of `round` corners between them.
pub fn globe(round: u32, rings: u32) -> MeshParts {
    let between = (1..=rings).map(|j| {
        let (sin, cos) = libm::sincos(std::f64::consts::PI * f64::from(j) / f64::from(rings + 1));
        [sin, -cos]
    });
    let outline: Vec<[f64; 2]> = [[0.0, -1.0]].into_iter().chain(between).chain([[0.0, 1.0]]).collect();
    let SolidMesh { positions, triangles } = SolidMesh::lathe(&outline, round);
    (positions, triangles)
}
