use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use muslin::collide::{Pose, Shape, TriangleSurface};
use muslin::model::{Collider, Motion, Solid};

use super::{SolidForm, Tessellation, tessellate};
use crate::testing;

const BALL: Shape = Shape::Sphere { radius: 0.5 };
const PILL: Shape = Shape::Capsule { radius: 0.2, half_length: 0.3 };
const DRUM: Shape = Shape::Cylinder { radius: 0.4, half_length: 0.25 };
const CRATE: Shape = Shape::Box { half: DVec3::new(0.1, 0.2, 0.3) };

/// Volume by the divergence theorem: positive when triangles are counter-clockwise seen from outside.
fn volume(Tessellation { vertices, triangles }: &Tessellation) -> f64 {
    let at = |corner: u32| vertices[corner as usize];
    triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c))) / 6.0).sum()
}

#[test]
fn round_shapes_are_watertight_turn_outwards_and_hold_their_volume() {
    let sphere = |radius: f64| 4.0 / 3.0 * PI * radius.powi(3);
    let exact = [
        (BALL, sphere(0.5)),
        (PILL, sphere(0.2) + PI * 0.04 * 0.6),
        (DRUM, PI * 0.16 * 0.5),
        (CRATE, 8.0 * 0.1 * 0.2 * 0.3),
    ];
    for (shape, exact) in exact {
        let mesh = tessellate::of(&shape);
        let share = volume(&mesh) / exact;
        // Inscribed: of 64 sides 0.16 % is missing around, and of 32 over the poles once more three quarters of 0.64 %.
        assert!((0.993..=1.0 + 1e-12).contains(&share), "{shape:?}: {share} of its volume");
        assert!(TriangleSurface::new(mesh.vertices, mesh.triangles).is_watertight(), "{shape:?}");
    }
}

#[test]
fn vertices_lie_on_the_surface_and_triangles_close_to_it() {
    for shape in [BALL, PILL, DRUM, CRATE] {
        let Tessellation { vertices, triangles } = tessellate::of(&shape);
        for vertex in &vertices {
            // Rounding of lengths below 1 m.
            assert!(shape.nearest(*vertex).distance.abs() < 1e-15 * 4.0, "{shape:?}: {vertex}");
        }
        for corners in &triangles {
            let middle = corners.iter().map(|&corner| vertices[corner as usize]).sum::<DVec3>() / 3.0;
            let off = shape.nearest(middle).distance;
            // Chords of 1/64 of a turn both ways: 0.12 % of the radius each.
            assert!((-0.0025 * 0.5..1e-15).contains(&off), "{shape:?}: {off} m");
        }
    }
}

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
