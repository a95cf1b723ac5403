//! Solids under cloth, and every limiter but `certified` with the integrator that goes with it.

use glam::{DQuat, DVec3};
use muslin::collide::{Pose, Shape};
use muslin::mesh::Diagonals;
use muslin::model::{Cloth, Collider, Material, Motion, Solid};
use muslin::settings::{
    Contact, Impulse, ImpulseNewton, Inequality, Integrator, Isotropic, Iterative, LimitMethod, Limiter, Newmark,
    Newton, Sle,
};
use muslin::{Model, Settings};

use super::{build, cloth, damped, elastic, grid, surface};

/// The distance that cloth keeps from every solid here [m].
pub const XI: f64 = 0.002;

/// Every limiter but `certified`, with the integrator that scenes give it.
pub fn all_methods() -> [(LimitMethod, Integrator); 9] {
    let (implicit, bdf2) = (Integrator::BackwardEuler(Newton::default()), Integrator::Bdf2(Newton::default()));
    [
        (LimitMethod::None, bdf2),
        (LimitMethod::Provot, bdf2),
        (LimitMethod::Bridson, bdf2),
        (LimitMethod::Impulse(Impulse::default()), implicit),
        (LimitMethod::ImpulseNewton(ImpulseNewton::default()), implicit),
        (LimitMethod::Iterative(Iterative::default()), Integrator::Exact),
        (LimitMethod::Sle(Sle::default()), Integrator::Exact),
        (LimitMethod::Inequality(Inequality::default()), Integrator::Newmark(Newmark::default())),
        (LimitMethod::Isotropic(Isotropic::default()), bdf2),
    ]
}

/// Settings with a limit of 1 %; rounds are those of scenes.
pub fn limited((method, integrator): (LimitMethod, Integrator), step: f64) -> Settings {
    Settings { step, integrator, limiter: Limiter::new(method), contact: Contact::default() }
}

/// Half a metre of cloth in the plane y = 0, around the origin; without threads of its own where the method stands in
/// for them.
pub fn patch(method: LimitMethod, side: u32) -> Cloth {
    let material = if method.replaces_springs() {
        Material { stretch_warp: 0.0, stretch_weft: 0.0, shear: 0.0, bending: 0.0, ..elastic() }
    } else {
        Material { stretch_warp: 1000.0, stretch_weft: 1000.0, ..damped() }
    };
    let mut patch = cloth(grid([0.5, 0.5], [side, side], Diagonals::One), surface(material), vec![]);
    for x in &mut patch.start {
        *x -= DVec3::new(0.25, 0.0, 0.25);
    }
    patch
}

/// Puts a cloth elsewhere: turned first, then moved.
pub fn moved(mut cloth: Cloth, turn: DQuat, shift: DVec3) -> Cloth {
    for x in &mut cloth.start {
        *x = turn * *x + shift;
    }
    cloth
}

/// A solid at rest.
pub fn resting(shape: Shape, pose: Pose, friction: f64) -> Collider {
    let solid = Solid::Shape { shape, pose };
    Collider { name: "solid".into(), solid, motion: Motion::default(), thickness: vec![XI], friction: vec![friction] }
}

/// The floor y = 0.
pub fn floor(friction: f64) -> Collider {
    resting(Shape::Plane, Pose::at(DVec3::ZERO), friction)
}

/// One cloth among solids.
pub fn among(cloth: Cloth, colliders: Vec<Collider>) -> Model {
    let mut model = build(vec![cloth]);
    model.colliders = colliders;
    model
}
