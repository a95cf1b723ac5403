//! Simulations made by their builder, without any file.

use muslin::prelude::*;

/// A sheet that hangs by two corners over a ball.
pub fn hung() -> (Builder, ClothId, ColliderId) {
    let cotton = materials::find("cotton").unwrap().material();
    let mesh = GridSpec::square(1.0, 11).build().unwrap();
    let corners = [DVec2::ZERO, DVec2::X];
    let sheet = corners
        .into_iter()
        .fold(Cloth::new("sheet", mesh, cotton), |sheet, corner| sheet.pinned(&Select::Corner(corner)).unwrap());
    let mut builder = Simulation::builder();
    let sheet = builder.cloth(sheet);
    let ball = builder.collider(Collider::shape("ball", Shape::Sphere { radius: 0.1 }, DVec3::new(0.5, -0.3, 0.6)));
    (builder, sheet, ball)
}
