//! What contact costs under `certified`: a square metre that hangs and swings with solids far from it, and one that
//! falls over solids. `over none` is the CPU time of a step over that of the same motion without solids, the least of
//! several rounds taken in turns.

mod common;

use common::{bare, cloth, hanging, square, woven};
use cpu_time::ProcessTime;
use glam::DVec3;
use muslin::collide::{Pose, Shape};
use muslin::mesh::Diagonals;
use muslin::model::{Collider, Material, Motion, Solid, SolidMesh, World};
use muslin::settings::{Contact, Integrator, Limiter};
use muslin::{Model, Settings, State, Stepper};

const STEP: f64 = 1.0 / 60.0;
/// Rounds over all cases.
const ROUNDS: usize = 5;
/// Steps of a case.
const STEPS: u32 = 60;

fn main() {
    println!("nothing near, 41 × 41, 1 %, {STEPS} steps of 1/60 s, least of {ROUNDS} rounds");
    println!("fabric  solids               ms/step  over none");
    for (fabric, material) in [("bare", bare()), ("woven", woven(2000.0))] {
        let cases = far_away(material);
        let mut least = vec![f64::INFINITY; cases.len()];
        for _ in 0..ROUNDS {
            for ((_, model), least) in cases.iter().zip(&mut least) {
                *least = least.min(milliseconds(model));
            }
        }
        for ((name, _), time) in cases.iter().zip(&least) {
            println!("{fabric:<7} {name:<20} {time:>7.3}  {:>9.3}", time / least[0]);
        }
    }
    println!("\ncloth falls over a solid, 1 %, {STEPS} steps of 1/60 s");
    println!("solid                 side  ms/step  CPU s per s");
    for (name, solid) in solids(DVec3::ZERO) {
        for side in [21, 41, 71] {
            let time = milliseconds(&falling(side, solid.clone()));
            println!("{name:<20} {side:>5}  {time:>7.3}  {:>11.3}", time / 1000.0 / STEP);
        }
    }
}

/// CPU time of a step, the mean of a run.
fn milliseconds(model: &Model) -> f64 {
    let limiter = Limiter::default();
    let settings = Settings { step: STEP, integrator: Integrator::Substeps, limiter, contact: Contact::default() };
    let (mut state, mut stepper) = (State::start(model), Stepper::new(model, &settings));
    // The first one lays lists out, and surveys the start.
    stepper.step(model, &mut state, ()).expect("the cloth is not trapped");
    let start = ProcessTime::now();
    for _ in 0..STEPS {
        stepper.step(model, &mut state, ()).expect("the cloth is not trapped");
    }
    start.elapsed().as_secs_f64() * 1000.0 / f64::from(STEPS)
}

/// The same sheet with solids that it never comes near to.
fn far_away(material: Material) -> Vec<(&'static str, Model)> {
    let alone = hanging(&square(41, Diagonals::Both), material);
    let beside = solids(DVec3::new(0.0, -5.0, 0.0)).into_iter().map(|(name, solid)| {
        let mut model = alone.clone();
        model.colliders.push(collider(solid));
        (name, model)
    });
    let beside: Vec<_> = beside.collect();
    [("none", alone)].into_iter().chain(beside).collect()
}

/// A sheet that falls from 5 cm above a solid at the origin.
fn falling(side: u32, solid: Solid) -> Model {
    let mesh = square(side, Diagonals::Both).build().expect("the grid is sound");
    let mut sheet = cloth(mesh, woven(2000.0), vec![]);
    sheet.start.iter_mut().for_each(|x| *x += DVec3::new(-0.5, 0.35, -0.5));
    let mut model = Model::build(vec![sheet], vec![], World::default()).expect("the sheet is sound");
    model.colliders.push(collider(solid));
    model
}

fn collider(solid: Solid) -> Collider {
    Collider { name: "solid".into(), solid, motion: Motion::default(), thickness: vec![0.001], friction: vec![0.3] }
}

fn solids(place: DVec3) -> Vec<(&'static str, Solid)> {
    let shape = |shape| Solid::Shape { shape, pose: Pose::at(place) };
    vec![
        ("plane", shape(Shape::Plane)),
        ("sphere", shape(Shape::Sphere { radius: 0.3 })),
        ("box", shape(Shape::Box { half: DVec3::splat(0.3) })),
        ("10,000 triangles", Solid::Mesh(ball(0.3, place, 100))),
    ]
}

/// A ball of about `round`² triangles.
fn ball(radius: f64, centre: DVec3, round: u32) -> SolidMesh {
    let SolidMesh { mut positions, triangles } = SolidMesh::of(&Shape::Sphere { radius }, round);
    for p in &mut positions {
        *p += centre;
    }
    SolidMesh { positions, triangles }
}
