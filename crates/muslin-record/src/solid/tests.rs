use glam::{DQuat, DVec3};
use muslin::collide::{Pose, Shape};
use muslin::model::{Collider, Motion, Solid};

use super::SolidForm;
use crate::testing;

fn plane(pose: Pose) -> Collider {
    Collider {
        name: "floor".to_owned(),
        solid: Solid::Shape { shape: Shape::Plane, pose },
        motion: Motion::default(),
        thickness: vec![0.001; 2],
        friction: vec![0.3; 2],
    }
}

#[test]
fn a_plane_is_shown_as_a_square_around_the_scene() {
    let mut model = testing::two_cloths();
    let rotation = DQuat::from_rotation_z(0.4);
    model.colliders.push(plane(Pose { position: DVec3::new(70.0, -1.0, 5.0), rotation }));
    let form = SolidForm::of(&model, &model.colliders[0]);
    let corners = form.positions(&model.colliders[0], 0.0);
    let normal = rotation * DVec3::Y;
    let middle = corners.iter().sum::<DVec3>() / 4.0;
    // The chains go from 0 to 3 m along x: the middle of the square is the foot of their middle.
    let foot = DVec3::X * 1.5 - normal * normal.dot(DVec3::X * 1.5 - DVec3::new(70.0, -1.0, 5.0));
    assert!(middle.distance(foot) < 1e-12, "{middle}, not {foot}");
    for corner in &corners {
        // Twice the diagonal of 3 m to each side; roundings of 70 m.
        assert!((corner.distance(middle) - 6.0 * 2_f64.sqrt()).abs() < 1e-12, "{corner}");
    }
    let [a, b, c] = form.triangles[0].map(|corner| corners[corner as usize]);
    assert!((b - a).cross(c - a).dot(normal) > 0.0, "its front is where cloth is");
}

#[test]
fn a_plane_below_nothing_is_a_square_of_two_metres() {
    let mut model = testing::model(&[("point", 1)]);
    model.colliders.push(plane(Pose::at(DVec3::ZERO)));
    let corners = SolidForm::of(&model, &model.colliders[0]).positions(&model.colliders[0], 0.0);
    assert!(corners.iter().all(|corner| corner.abs() == DVec3::new(1.0, 0.0, 1.0)), "{corners:?}");
}
