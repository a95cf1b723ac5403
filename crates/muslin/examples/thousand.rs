//! A thousand small simulations on all cores: one model, a thousand states, each pulled in another direction.
//!
//! `cargo run --release -p muslin --example thousand`

use muslin::prelude::*;
use rayon::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cotton = materials::find("cotton").ok_or("no cotton")?.material();
    let swatch = Cloth::new("swatch", GridSpec::square(0.2, 6).build()?, cotton);
    let mut builder = Simulation::builder();
    let swatch = builder.cloth(swatch.pinned(&Select::Corner(DVec2::ZERO))?);
    let first = builder.build()?;
    let corner = first.model().particle(swatch, 35);

    let ends: Vec<DVec3> = (0..1000)
        .into_par_iter()
        .map(|number| {
            let mut simulation = first.fork();
            let angle = std::f64::consts::TAU * f64::from(number) / 1000.0;
            let target = DQuat::from_rotation_y(angle) * DVec3::new(0.2, 0.0, 0.0);
            let mut inputs = Inputs::default();
            inputs.pull(Pull::new(corner, target, 0.01));
            for _ in 0..30 {
                simulation.step(&inputs)?;
            }
            Ok(simulation.positions(swatch)[35])
        })
        .collect::<Result<_, StepError>>()?;
    let mean = ends.iter().sum::<DVec3>() / ends.len() as f64;
    println!("{} corners were pulled around; on average they are at {mean:.4}", ends.len());
    Ok(())
}
