//! Reads the certificate of every step: strain, contact, energy, and what it took.
//!
//! `cargo run --release -p muslin --example certificate`

use muslin::contact::survey;
use muslin::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let denim = materials::find("denim").ok_or("no denim")?.material();
    let mut builder = Simulation::builder();
    let above = Pose::at(DVec3::new(-0.3, 0.3, -0.3));
    builder.cloth(Cloth::new("patch", GridSpec::square(0.6, 17).build()?, denim).placed(above));
    builder.collider(Collider::shape("ball", Shape::Sphere { radius: 0.2 }, DVec3::ZERO));
    let mut simulation = builder.build()?;

    println!("time s  worst strain %  gap mm  kinetic J  energy less work J  substeps  repairs");
    let mut work = 0.0;
    for step in 1..=60 {
        let report = simulation.step(())?;
        let survey = survey(simulation.model(), &simulation.state().x, simulation.state());
        let energy = simulation.energies()[0];
        // Work of pins, solids and air: what is left of energy without it never rises, but for a small part.
        work += energy.work.unwrap_or(0.0);
        assert!(report.worst_strain <= 0.01 && survey.is_clear());
        if step % 6 == 0 {
            println!(
                "{:6.2}  {:14.4}  {:6.2}  {:9.5}  {:18.5}  {:8}  {:7}",
                report.time,
                100.0 * report.worst_strain,
                1000.0 * survey.min_gap().unwrap_or(f64::NAN),
                energy.kinetic,
                energy.total() - work,
                report.work.limiter.rounds,
                report.work.limiter.velocity_rounds,
            );
        }
    }
    Ok(())
}
