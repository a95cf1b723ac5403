use glam::{DVec2, DVec3};

use super::*;
use crate::State;
use crate::drivers::Drivers;
use crate::mesh::{Diagonals, GridSpec};
use crate::model::{Bending, Body, Cloth, Damping, Material, Shear, Surface, World};
use crate::settings::{Contact, Integrator, Settings};

fn free_sheet(side: u32) -> Model {
    let spec = GridSpec { size: DVec2::ONE, particles: [side; 2], diagonals: Diagonals::One, triangles: true };
    let mesh = spec.build().unwrap();
    let material = Material {
        density: 0.15,
        stretch_warp: 0.0,
        stretch_weft: 0.0,
        shear: 0.0,
        bending: 0.0,
        damping: Damping::default(),
        drag: 0.0,
        skin_drag: 0.0,
    };
    let surface =
        Surface { material, shear: Shear::Diagonals, bending: Bending::Hinges, weak_springs: 0.0, folds: vec![] };
    let (start, start_velocity) = (mesh.positions.clone(), vec![DVec3::ZERO; mesh.positions.len()]);
    let cloth =
        Cloth { name: "sheet".into(), mesh, start, start_velocity, body: Body::Surface(surface), pins: Vec::new() };
    Model::build(vec![cloth], vec![], World::default()).unwrap()
}

#[test]
fn multipliers_are_never_negative_and_only_limits_that_are_reached_have_any() {
    let model = free_sheet(9);
    let (state, mut drivers) = (State::start(&model), Drivers::default());
    drivers.update(&model, &state.x, 0.01);
    let context = StepContext {
        model: &model,
        state: &state,
        drivers: &drivers,
        h: 0.01,
        interrupt: &crate::Interrupt::default(),
    };
    let limiter = Limiter { compress: Some(0.05), ..Limiter::default() };
    let mut sets = ActiveSets::new(Inequality::default(), &limiter, &model);
    // Blown apart from one corner, pressed together at the other.
    let mut velocity: Vec<DVec3> =
        state.x.iter().map(|x| DVec3::new(30.0 * x.x * x.x, x.z, 8.0 * (x.z - 0.5))).collect();
    let settings = Settings { step: 0.01, integrator: Integrator::Exact, limiter, contact: Contact::default() };
    let (mut contacts, solids) = (Contacts::new(&settings, &model), Solids::new(&model));
    let work = sets.apply(&limiter, context, (&mut contacts, &solids), &mut velocity);
    assert!(!work.unfinished && work.rounds > 1, "{work:?}");
    let pulling = sets.multipliers.iter().filter(|multiplier| **multiplier > 0.0).count();
    assert!(pulling > 10, "only {pulling} limits pull");
    for (constraint, multiplier) in sets.constraints.iter().zip(&sets.multipliers) {
        let value = constraint.value(&sets.preview);
        assert!(*multiplier >= 0.0, "a limit pushes: {multiplier}");
        // A row that pulled at an early target may end inside its limit; one that is far inside must never have pulled.
        assert!(*multiplier == 0.0 || value > -0.2, "pulls at {value}");
    }
}
