//! What `certified` loses and never gains: a bare square metre, limit 1 %, for three seconds in a vacuum, held and stepped in
//! many ways. `gain` is the most that a step has gained in energy beyond the work of pins; `lost` is what is gone at the
//! end, `moved` the greatest kinetic energy on the way, for scale.

mod common;

use common::{bare, cloth, fixed, square};
use glam::{DVec2, DVec3};
use muslin::forces::Air;
use muslin::mesh::{Diagonals, IrregularSpec};
use muslin::model::{Cloth, Ease, Key, Motion, World};
use muslin::settings::{Certified, Contact, Integrator, LimitMethod, Limiter};
use muslin::{Model, Settings, State, Stepper, measure};

/// Particles along a side.
const SIDE: u32 = 21;
/// How long each case runs [s].
const DURATION: f64 = 3.0;

fn main() {
    println!("certified, {SIDE} × {SIDE} particles, limit 1 %, {DURATION} s");
    println!("case                      steps/s  worst strain     gain J     lost J    moved J");
    let corners = || vec![fixed(vec![0, SIDE - 1], Motion::default())];
    let grid = |pins| cloth(square(SIDE, Diagonals::None).build().expect("the grid is sound"), bare(), pins);
    let irregular = IrregularSpec { size: DVec2::ONE, particles: [SIDE; 2], jitter: 0.4, seed: 3 };
    let triangles = cloth(irregular.build().expect("the mesh is sound"), bare(), corners());
    show("two corners", &hung(grid(corners())), 60.0);
    show("two corners", &hung(grid(corners())), 24.0);
    show("two corners", &hung(grid(corners())), 240.0);
    show("irregular triangles", &hung(triangles), 60.0);
    show("a single pin", &hung(grid(vec![fixed(vec![0], Motion::default())])), 60.0);
    show("none: a free spin", &free(spinning(grid(vec![]))), 60.0);
    show("masses 1 : 1000", &uneven(hung(grid(corners()))), 60.0);
    show("pins shaken at 2 m/s", &hung(grid(vec![fixed(vec![0, SIDE - 1], shaken())])), 60.0);
}

/// In a vacuum nothing but gravity and pins does work.
fn hung(cloth: Cloth) -> Model {
    let air = Air { density: 0.0, ..Air::default() };
    Model::build(vec![cloth], World { air, ..World::default() }).expect("the sheet is sound")
}

fn free(cloth: Cloth) -> Model {
    let air = Air { density: 0.0, ..Air::default() };
    Model::build(vec![cloth], World { air, gravity: DVec3::ZERO }).expect("the sheet is sound")
}

fn spinning(mut cloth: Cloth) -> Cloth {
    for (x, v) in cloth.start.iter().zip(&mut cloth.start_velocity) {
        *v = DVec3::new(0.9, 6.0, 0.3).cross(*x - DVec3::new(0.5, 0.0, 0.5));
    }
    cloth
}

/// Every other particle a thousand times as heavy.
fn uneven(mut model: Model) -> Model {
    model.mass.iter_mut().skip(1).step_by(2).for_each(|mass| *mass *= 1000.0);
    model
}

/// To and fro by a decimetre, at 2 m/s.
fn shaken() -> Motion {
    let key = |turn: u32| {
        let translate = DVec3::Z * (0.1 * f64::from(turn % 2));
        Key { time: 0.05 * f64::from(turn), translate, axis: DVec3::Y, angle: 0.0 }
    };
    Motion { keys: (0..=60).map(key).collect(), ease: Ease::Linear, centre: DVec3::ZERO }
}

fn show(name: &str, model: &Model, rate: f64) {
    let method = LimitMethod::Certified(Certified::default());
    let limiter = Limiter { method, stretch: 0.01, compress: None, max_iterations: 600 };
    let settings =
        Settings { step: 1.0 / rate, integrator: Integrator::Substeps, limiter, contact: Contact::default() };
    let (mut state, mut stepper) = (State::start(model), Stepper::new(model, &settings));
    let (mut worst, mut gain, mut work, mut moved) = (0.0_f64, f64::NEG_INFINITY, 0.0, 0.0_f64);
    let start = energy(model, &state);
    for _ in 0..(DURATION * rate).round() as u32 {
        let before = state.clone();
        let report = stepper.step(model, &mut state).expect("the limit can be kept");
        let done = work_of_pins(model, &before, &state, settings.step);
        worst = worst.max(report.worst_strain);
        gain = gain.max(energy(model, &state) - energy(model, &before) - done);
        work += done;
        moved = moved.max(measure::energies(model, &state).kinetic);
    }
    let lost = start + work - energy(model, &state);
    println!("{name:<25} {rate:>7}  {:>11.4}%  {gain:>9.1e}  {lost:>9.4}  {moved:>9.4}", 100.0 * worst);
}

/// Energy without that of what is held, which pins give and take as they like [J].
fn energy(model: &Model, state: &State) -> f64 {
    let of_held: f64 = held(model)
        .map(|i| {
            let fall = model.gravity.dot(state.x[i] - model.start[i]);
            model.mass[i] * (0.5 * state.v[i].length_squared() - fall)
        })
        .sum();
    measure::energies(model, state).total() - of_held
}

/// Work of pins that all move alike, V · (Δp - m g h) [J]: p and m of what they hold up.
fn work_of_pins(model: &Model, before: &State, after: &State, h: f64) -> f64 {
    let Some(first) = held(model).next() else { return 0.0 };
    let velocity = (after.x[first] - before.x[first]) / h;
    let pinned: Vec<usize> = held(model).collect();
    let impulse: DVec3 = (0..model.len())
        .filter(|i| !pinned.contains(i))
        .map(|i| model.mass[i] * (after.v[i] - before.v[i] - model.gravity * h))
        .sum();
    velocity.dot(impulse)
}

/// What is pinned, by number.
fn held(model: &Model) -> impl Iterator<Item = usize> {
    model.pins.iter().flat_map(|pin| pin.particles.iter().map(|&i| i as usize))
}
