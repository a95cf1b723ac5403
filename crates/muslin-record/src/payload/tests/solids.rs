use glam::{DQuat, DVec3};
use muslin::Model;
use muslin::collide::{Pose, Shape};
use muslin::model::Solid;
use serde_json::json;

use super::decode::{Decoded, decode};
use super::{PLENTY, Recorded};
use crate::testing;

fn packed(model: &Model) -> (Recorded, Decoded) {
    let mut run = Recorded::of(model, 9);
    let decoded = decode(&run.encode(PLENTY).unwrap());
    (run, decoded)
}

#[test]
fn solids_come_back_where_they_are_in_every_frame() {
    let (mut run, decoded) = packed(&testing::with_solids(testing::two_cloths()));
    run.compare(&decoded);
    let moves: Vec<_> = decoded.header["colliders"].as_array().unwrap().iter().map(|part| &part["moves"]).collect();
    assert_eq!(moves, [&json!(false), &json!(true), &json!(true), &json!(false)]);
    for (solid, read) in run.playback.solids.iter_mut().zip(&decoded.solids) {
        assert_eq!(read.triangles, solid.triangles.as_flattened());
        assert_eq!(read.positions.len(), if solid.moves { 10 } else { 1 }, "{}", solid.name);
        for (frame, places) in read.positions.iter().enumerate() {
            let stored = solid.positions(frame as u64).unwrap();
            for (stored, read) in stored.iter().zip(places) {
                // Half a step of a box of at most 37 m: the square of the plane.
                assert!(stored.distance(*read) < 37.0 / 65535.0, "{}: {stored} came back as {read}", solid.name);
            }
        }
    }
}

#[test]
fn a_level_plane_is_the_floor_and_its_square_takes_no_room() {
    let (_, decoded) = packed(&testing::with_solids(testing::two_cloths()));
    assert_eq!(decoded.header["ground_y"], json!(-3.0));
    let parts: Vec<_> = decoded.header["colliders"].as_array().unwrap().iter().map(|part| &part["part"]).collect();
    assert_eq!(parts, [&json!("floor"), &json!("thing"), &json!("thing"), &json!("thing")]);
}

#[test]
fn a_plane_that_is_not_level_has_no_floor_cut_through_it() {
    let mut model = testing::with_solids(testing::two_cloths());
    let pose = Pose { position: DVec3::Y * -3.0, rotation: DQuat::from_rotation_z(0.4636) };
    model.colliders[0].solid = Solid::Shape { shape: Shape::Plane, pose };
    let (_, decoded) = packed(&model);
    assert_eq!((&decoded.header["ground_y"], &decoded.header["colliders"][0]["part"]), (&json!(null), &json!("plane")));
}

#[test]
fn without_a_plane_solids_stand_on_the_floor() {
    let mut model = testing::with_solids(testing::two_cloths());
    model.colliders.remove(0);
    let (_, decoded) = packed(&model);
    // The ball goes down to -2.5 m, the cloth only to -2 m; f32 of metres.
    let ground = decoded.header["ground_y"].as_f64().unwrap();
    assert!((ground + 2.5).abs() < 1e-6, "{ground}");
}
