//! Models shared by the tests.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part of these helpers")]

pub mod built;
pub mod certify;
pub mod limited;
pub mod solids;

use glam::{DVec2, DVec3};
use muslin::collide::Shape;
use muslin::mesh::{ChainSpec, Diagonals, GridSpec, IrregularSpec};
use muslin::model::{
    Bending, Body, Chain, Cloth, Damping, Hold, Key, Material, Motion, Pin, Shear, Skin, Surface, World,
};
use muslin::settings::{Contact, Integrator, LimitMethod, Limiter, Newton};
use muslin::{Mesh, Model, Settings, State, StepReport, Stepper};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A material with every kind of resistance, but no damping and no air.
pub fn elastic() -> Material {
    Material {
        density: 0.15,
        stretch_warp: 1500.0,
        stretch_weft: 1000.0,
        shear: 40.0,
        bending: 1e-5,
        damping: Damping::default(),
        drag: 0.0,
        skin_drag: 0.0,
    }
}

/// The same with damping of every kind.
pub fn damped() -> Material {
    Material { damping: Damping { stretch: 0.05, shear: 0.04, bending: 0.03, mass: 0.0 }, ..elastic() }
}

/// Cloth of nothing but mass: the limiter alone holds it together.
pub fn bare() -> Surface {
    surface(Material { stretch_warp: 0.0, stretch_weft: 0.0, shear: 0.0, bending: 0.0, ..elastic() })
}

pub fn surface(material: Material) -> Surface {
    Surface { material, shear: Shear::Diagonals, bending: Bending::Hinges, weak_springs: 0.0, folds: vec![] }
}

pub fn grid(size: [f64; 2], particles: [u32; 2], diagonals: Diagonals) -> Mesh {
    GridSpec { size: DVec2::from(size), particles, diagonals, triangles: false }.build().unwrap()
}

pub fn irregular(particles: u32, seed: u64) -> Mesh {
    IrregularSpec { size: DVec2::ONE, particles: [particles; 2], jitter: 0.4, seed }.build().unwrap()
}

pub fn cloth(mesh: Mesh, surface: Surface, pins: Vec<Pin>) -> Cloth {
    let start = mesh.positions.clone();
    let start_velocity = vec![DVec3::ZERO; start.len()];
    Cloth {
        name: "sheet".into(),
        mesh,
        start,
        start_velocity,
        body: Body::Surface(surface),
        pins,
        skin: Skin::default(),
    }
}

/// A square metre in the plane y = 0; the corners of its first row are particles 0 and `side` - 1.
pub fn sheet(side: u32, fabric: Surface, pins: Vec<Pin>) -> Cloth {
    cloth(grid([1.0, 1.0], [side, side], Diagonals::One), fabric, pins)
}

/// A free, weightless square metre that turns about its middle at `spin` [rad/s] and moves on at `drift` [m/s].
pub fn spinning(mut cloth: Cloth, spin: DVec3, drift: DVec3) -> Model {
    for (x, v) in cloth.start.iter().zip(&mut cloth.start_velocity) {
        *v = spin.cross(*x - DVec3::new(0.5, 0.0, 0.5)) + drift;
    }
    build_weightless(vec![cloth])
}

/// Two or more particles on a line, the first pinned.
pub fn chain(from: DVec3, to: DVec3, particles: u32, chain: Chain) -> Cloth {
    let mesh = ChainSpec { from, to, particles }.build().unwrap();
    let start = mesh.positions.clone();
    let start_velocity = vec![DVec3::ZERO; start.len()];
    Cloth {
        name: "chain".into(),
        mesh,
        start,
        start_velocity,
        body: Body::Chain(chain),
        pins: vec![pin(vec![0])],
        skin: Skin::default(),
    }
}

pub fn pin(particles: Vec<u32>) -> Pin {
    Pin { particles, hold: Hold::Fixed(Motion::default()), release: None }
}

/// A sheet of 11 × 11 particles that is shaken by one corner, with the second on a rail and the third in a plane.
pub fn guided_sheet() -> Model {
    let key = |time: f64, y: f64| Key { time, translate: DVec3::new(0.0, y, 0.0), axis: DVec3::Y, angle: 0.0 };
    let shaken = Motion { keys: vec![key(0.0, 0.0), key(0.5, 0.3)], ..Motion::default() };
    let pins = vec![
        Pin { particles: vec![0], hold: Hold::Fixed(shaken), release: None },
        Pin { particles: vec![10], hold: Hold::Line(DVec3::X), release: None },
        Pin { particles: vec![120], hold: Hold::Plane(DVec3::Y), release: None },
    ];
    build(vec![sheet(11, bare(), pins)])
}

pub fn build(cloths: Vec<Cloth>) -> Model {
    Model::build(cloths, vec![], World::default()).unwrap()
}

pub fn build_weightless(cloths: Vec<Cloth>) -> Model {
    Model::build(cloths, vec![], World { gravity: DVec3::ZERO, ..World::default() }).unwrap()
}

pub fn settings(integrator: Integrator, step: f64) -> Settings {
    Settings {
        step,
        integrator,
        limiter: Limiter { method: LimitMethod::None, ..Limiter::default() },
        contact: Contact::default(),
    }
}

pub fn accurate() -> Newton {
    Newton { max_newton: 50, tolerance: 1e-10, max_cg: 10_000 }
}

/// Steps a model from its start for a time; returns the end state.
pub fn simulate(model: &Model, settings: &Settings, duration: f64) -> State {
    observe(model, settings, duration, |_, _| {})
}

/// The same, handing the report of every step to `see`.
pub fn observe(model: &Model, settings: &Settings, duration: f64, mut see: impl FnMut(&StepReport, &Stepper)) -> State {
    let mut state = State::start(model);
    let mut stepper = Stepper::new(model, settings);
    for _ in 0..(duration / settings.step).round() as u64 {
        let report = stepper.step(model, &mut state, ()).unwrap();
        see(&report, &stepper);
    }
    state
}

/// Rank by elimination with row pivots; what is below 1e-9 of the greatest entry counts as rounding.
pub fn rank(mut rows: Vec<Vec<f64>>) -> usize {
    let columns = rows.first().map_or(0, Vec::len);
    let rounding = 1e-9 * rows.iter().flatten().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    let mut rank = 0;
    for column in 0..columns {
        let pivot = (rank..rows.len()).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let Some(pivot) = pivot.filter(|&pivot| rows[pivot][column].abs() > rounding) else { continue };
        rows.swap(rank, pivot);
        let (done, rest) = rows.split_at_mut(rank + 1);
        let pivot = &done[rank];
        for row in rest.iter_mut().filter(|row| row[column] != 0.0) {
            let factor = row[column] / pivot[column];
            for (entry, pivot) in row[column..].iter_mut().zip(&pivot[column..]).filter(|(_, pivot)| **pivot != 0.0) {
                *entry -= factor * pivot;
            }
        }
        rank += 1;
    }
    rank
}

/// By what fraction the period of a pendulum is off, in the mean over 25 s. It is 1 m long and let go at 90°.
pub fn period_error(settings: &Settings) -> f64 {
    // 4 K √(l/g), K = 1.8540747 the complete elliptic integral for the modulus sin 45° [s].
    let exact = 2.36784;
    let rod = Chain { mass: 0.0, bob: 1.0, stiffness: 0.0, rest_length: None, damping: 0.0 };
    let model = build(vec![chain(DVec3::ZERO, DVec3::X, 2, rod)]);
    let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, settings));
    let mut passages = Vec::new();
    while state.time < 25.0 {
        let before = state.x[1].x;
        stepper.step(&model, &mut state, ()).unwrap();
        let now = state.x[1].x;
        if before < 0.0 && now >= 0.0 {
            passages.push(state.time - settings.step * now / (now - before));
        }
    }
    let mean = (passages[passages.len() - 1] - passages[0]) / (passages.len() - 1) as f64;
    mean / exact - 1.0
}

/// A seeded source of random vectors.
pub struct Dice(Pcg64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    pub fn number(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.number(-size, size), self.number(-size, size), self.number(-size, size))
    }

    pub fn vectors(&mut self, count: usize, size: f64) -> Vec<DVec3> {
        (0..count).map(|_| self.vector(size)).collect()
    }

    /// A shape of every kind, of about a metre, some thin.
    pub fn shapes(&mut self) -> [Shape; 7] {
        let mut size = || self.number(0.1, 1.0);
        [
            Shape::Plane,
            Shape::Sphere { radius: size() },
            Shape::Box { half: DVec3::new(size(), size(), size()) },
            Shape::Box { half: DVec3::new(size(), size() * 1e-4, size()) },
            Shape::Capsule { radius: size(), half_length: size() },
            Shape::Capsule { radius: size() * 1e-3, half_length: size() },
            Shape::Cylinder { radius: size(), half_length: size() },
        ]
    }
}
