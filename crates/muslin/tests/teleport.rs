//! Cloth and solids put elsewhere at once.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::built::hung;
use muslin::inputs::Placement;
use muslin::prelude::*;
use muslin::settings::Certified;

const FAR: DVec3 = DVec3::new(100.0, 0.0, -40.0);

/// A sheet that hangs by two corners on a ball, after pins and ball have been moved by hand.
fn in_motion(method: LimitMethod) -> (Simulation, ClothId, ColliderId) {
    let (mut builder, sheet, ball) = hung();
    builder.collider(Collider::shape("post", Shape::Box { half: DVec3::splat(0.05) }, DVec3::new(0.5, -0.8, 0.1)));
    builder.limiter(Limiter { method, ..Limiter::default() });
    let mut simulation = builder.build().unwrap();
    let pin = simulation.model().pins_of(sheet).next().unwrap();
    for step in 0..40 {
        let mut inputs = Inputs::default();
        if step < 10 {
            inputs.shift_pin(pin, DVec3::new(0.002, 0.001, 0.0) * f64::from(step));
            inputs.pose_collider(ball, Pose::at(DVec3::new(0.5, -0.3 + 0.002 * f64::from(step), 0.6)));
        }
        simulation.step(&inputs).unwrap();
    }
    (simulation, sheet, ball)
}

#[test]
fn all_of_it_moves_on_elsewhere_as_if_nothing_had_happened_at_the_same_cost() {
    let turned = Pose { position: FAR, rotation: DQuat::from_rotation_y(2.0) };
    for method in [LimitMethod::Certified(Certified::default()), LimitMethod::Bridson] {
        let (stayed, sheet, _) = in_motion(method);
        for by in [Pose::at(FAR), turned] {
            let (mut stayed, mut gone) = (stayed.fork(), stayed.fork());
            gone.teleport(by).unwrap();
            let mut total = 0;
            for step in 0..5 {
                let (here, there) = (stayed.step(()).unwrap(), gone.step(()).unwrap());
                assert_eq!(there.work.limiter.rounds, here.work.limiter.rounds, "step {step} of {method:?}");
                let contacts = [here, there].map(|report| report.work.contact.contacts);
                assert_eq!(contacts[0], contacts[1], "step {step} of {method:?}");
                total += contacts[0];
            }
            assert!(total > 0, "the sheet does not lie on the ball");
            let apart = |here: &[DVec3], there: &[DVec3], put: &dyn Fn(DVec3) -> DVec3| {
                here.iter().zip(there).map(|(here, there)| put(*here).distance(*there)).fold(0.0, f64::max)
            };
            let places = apart(stayed.positions(sheet), gone.positions(sheet), &|x| by.world(x));
            let speeds = apart(stayed.velocities(sheet), gone.velocities(sheet), &|v| by.rotation * v);
            // A coordinate of 100 m has its last bit at 1e-14 m, of which a velocity makes 1e-12 m/s and hundreds of
            // sweeps more.
            assert!(places < 1e-9 && speeds < 1e-7, "{method:?}: {places} m, {speeds} m/s apart");
        }
    }
}

#[test]
fn a_cloth_alone_leaves_the_others_and_the_solids_behind() {
    let (mut simulation, sheet, ball) = in_motion(LimitMethod::Certified(Certified::default()));
    let (before, by) = (simulation.positions(sheet).to_vec(), Pose::at(FAR));
    simulation.record();
    simulation.teleport_cloth(sheet, by).unwrap();
    assert!(simulation.recording().is_none());
    assert!(simulation.positions(sheet).iter().zip(&before).all(|(now, before)| *now == *before + FAR));
    let report = simulation.step(()).unwrap();
    assert_eq!(report.work.contact.contacts, 0);
    assert_eq!(simulation.positions(sheet)[0], before[0] + FAR);
    let placed = simulation.state().given.collider(ball).unwrap();
    assert!(matches!(placed, Placement::Pose(pose) if pose.position.x < 1.0), "{placed:?}");
    // Back into the ball: found there, and refused.
    let middle = simulation.positions(sheet)[60];
    let Placement::Pose(Pose { position, .. }) = *placed else { panic!("{placed:?}") };
    simulation.teleport_cloth(sheet, Pose::at(position - middle)).unwrap();
    assert!(matches!(simulation.step(()), Err(StepError::Blocked { .. })));
}

#[test]
fn a_solid_that_is_put_across_cloth_pushes_nothing() {
    let (mut simulation, sheet, ball) = in_motion(LimitMethod::Certified(Certified::default()));
    let mut swept = simulation.fork();
    // From under the cloth to far above it.
    let path = DVec3::Y * 20.0;
    simulation.teleport_collider(ball, Pose::at(path)).unwrap();
    let report = simulation.step(()).unwrap();
    assert_eq!(report.work.contact.contacts, 0);
    let Placement::Pose(pose) = *swept.state().given.collider(ball).unwrap() else { panic!() };
    let mut inputs = Inputs::default();
    inputs.pose_collider(ball, Pose { position: pose.position + path, ..pose });
    let pushed = swept.step(&inputs).map_or(u32::MAX, |report| report.work.limiter.rounds);
    assert!(report.work.limiter.rounds < pushed, "{} rounds, {pushed} when swept", report.work.limiter.rounds);
    assert!(simulation.positions(sheet).iter().all(|x| x.is_finite()));
}

#[test]
fn poses_and_handles_that_are_none_are_refused() {
    let (mut simulation, sheet, _) = in_motion(LimitMethod::Certified(Certified::default()));
    let before = simulation.snapshot();
    let lost = Pose::at(DVec3::splat(f64::NAN));
    assert!(matches!(simulation.teleport(lost), Err(StateError::Number(_))));
    assert!(matches!(simulation.teleport_cloth(sheet, lost), Err(StateError::Number(_))));
    let mut other = Simulation::builder();
    let third =
        (0..3).map(|i| other.collider(Collider::shape(i.to_string(), Shape::Plane, DVec3::ZERO))).last().unwrap();
    let unknown = InputError::Unknown { what: "collider", number: 2, count: 2 };
    assert_eq!(simulation.teleport_collider(third, Pose::at(FAR)), Err(StateError::Given(unknown)));
    assert_eq!(*simulation.state(), before);
}
