//! Drapes a sheet over a ball that a program moves, as a game would: the pose of the ball is an input of every step.
//!
//! `cargo run --release -p muslin --example moving_ball`

use muslin::contact::survey;
use muslin::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let silk = materials::find("silk").ok_or("no silk")?.material();
    let mesh = GridSpec::square(0.8, 21).build()?;
    let above = Pose::at(DVec3::new(-0.4, 0.25, -0.4));

    let mut builder = Simulation::builder();
    builder.cloth(Cloth::new("sheet", mesh, silk).placed(above));
    builder.collider(Collider::shape("floor", Shape::Plane, DVec3::ZERO));
    let ball = builder.collider(Collider::shape("ball", Shape::Sphere { radius: 0.1 }, DVec3::Y * 0.12));
    let mut simulation = builder.build()?;

    let (mut gap, mut inputs) = (f64::INFINITY, Inputs::default());
    for step in 0..120 {
        // It circles, and turns about itself.
        let angle = 0.05 * f64::from(step);
        let rotation = DQuat::from_rotation_y(angle);
        let position = DVec3::new(0.0, 0.12, 0.1) + rotation * DVec3::new(0.0, 0.0, -0.1);
        inputs.clear();
        inputs.pose_collider(ball, Pose { position, rotation });
        simulation.step(&inputs)?;
        let survey = survey(simulation.model(), &simulation.state().x, simulation.state());
        assert!(survey.is_clear(), "cloth is in the ball");
        gap = gap.min(survey.min_gap().unwrap_or(f64::INFINITY));
    }
    println!("cloth was never nearer to ball or floor than {:.3} mm", 1000.0 * gap);
    Ok(())
}
