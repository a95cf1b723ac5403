//! Hangs a sheet by two corners, pulls a third a metre past its reach, and shows that no step was over the limit.
//!
//! `cargo run --release -p muslin --example hang`

use muslin::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = GridSpec::square(1.0, 21).build()?;
    let cotton = materials::find("cotton").ok_or("no cotton")?.material();
    let sheet = Cloth::new("sheet", mesh, cotton);
    let sheet = sheet.pinned(&Select::Corner(DVec2::ZERO))?.pinned(&Select::Corner(DVec2::X))?;

    let mut builder = Simulation::builder();
    let sheet = builder.cloth(sheet);
    let mut simulation = builder.limit(0.01).build()?;

    let corner = simulation.model().particle(sheet, 21 * 21 - 1);
    let target = simulation.model().start[corner] + DVec3::new(0.0, 0.0, 1.0);
    let (mut worst, mut inputs) = (0.0_f64, Inputs::default());
    for _ in 0..120 {
        inputs.clear();
        inputs.pull(Pull::new(corner, target, 2.0));
        worst = worst.max(simulation.step(&inputs)?.worst_strain);
    }
    assert!(worst <= 0.01);
    println!("no step was over the limit of 1 %: the worst strain was {:.4} %", 100.0 * worst);
    Ok(())
}
