//! Two ways to drag a corner: as a pin, which goes where it is put or the step is refused, and by a pull, which does
//! what it can.
//!
//! `cargo run --release -p muslin --example drag`

use muslin::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let knit = materials::find("knit").ok_or("no knit")?.material();
    let sheet = Cloth::new("sheet", GridSpec::square(1.0, 15).build()?, knit);
    let sheet = sheet.pinned(&Select::Corner(DVec2::ZERO))?.pinned(&Select::Corner(DVec2::X))?;
    let mut builder = Simulation::builder();
    let sheet = builder.cloth(sheet);
    let mut simulation = builder.build()?;
    let hand = simulation.model().pins_of(sheet).nth(1).ok_or("no second pin")?;

    // The second corner follows the hand: towards the first one, and up.
    let mut inputs = Inputs::default();
    for step in 1..=60 {
        inputs.clear();
        inputs.shift_pin(hand, DVec3::new(-0.5, 0.3, 0.0) * (f64::from(step) / 60.0));
        simulation.step(&inputs)?;
    }
    println!("the corner was taken to {:.3}", simulation.positions(sheet)[14]);

    // A metre further than the cloth between the pins reaches: no motion can do that, and the state stays as it was.
    let before = simulation.snapshot();
    inputs.clear();
    inputs.shift_pin(hand, DVec3::new(1.0, 0.0, 0.0));
    match simulation.step(&inputs) {
        Err(error @ StepError::Unkept { .. }) => println!("refused: {error}"),
        other => return Err(format!("not refused: {other:?}").into()),
    }
    assert_eq!(*simulation.state(), before);

    // A free corner, pulled to the same kind of place: it comes as near as the limit allows.
    let corner = simulation.model().particle(sheet, 14 * 15);
    let target = DVec3::new(0.0, 0.0, 2.0);
    for _ in 0..60 {
        inputs.clear();
        inputs.pull(Pull::new(corner, target, 1.0));
        let report = simulation.step(&inputs)?;
        assert!(report.worst_strain <= 0.01);
    }
    println!("the pull left the corner {:.3} m from its target", simulation.state().x[corner].distance(target));
    Ok(())
}
