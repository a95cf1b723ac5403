//! A force of your own: a magnet under the middle of a sheet, which draws particles by the inverse square of their
//! distance.
//!
//! `cargo run --release -p muslin --example own_force`

use muslin::prelude::*;

/// The force of the magnet on a particle [N].
fn magnet(x: DVec3) -> DVec3 {
    let away = DVec3::new(0.5, -0.3, 0.5) - x;
    away.normalize_or_zero() * (1e-5 / away.length_squared().max(1e-3))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let silk = materials::find("silk").ok_or("no silk")?.material();
    let sides = Select::Box { min: DVec3::splat(-0.001), max: DVec3::new(1.001, 0.001, 0.001) };
    let far = Select::Box { min: DVec3::new(-0.001, -0.001, 0.999), max: DVec3::new(1.001, 0.001, 1.001) };
    let sheet = Cloth::new("sheet", GridSpec::square(1.0, 21).build()?, silk).pinned(&sides)?.pinned(&far)?;
    let mut builder = Simulation::builder();
    let sheet = builder.cloth(sheet);
    let mut simulation = builder.gravity(DVec3::ZERO).build()?;

    let mut inputs = Inputs::default();
    for _ in 0..120 {
        inputs.clear();
        for (particle, x) in simulation.state().x.iter().enumerate() {
            inputs.push(particle, magnet(*x));
        }
        simulation.step(&inputs)?;
    }
    let middle = simulation.positions(sheet)[10 * 21 + 10];
    println!("the middle of the sheet was drawn to {:.1} mm below its sides", -1000.0 * middle.y);
    assert!(middle.y < -0.001);
    Ok(())
}
