use glam::{DVec2, DVec3};

use super::*;
use crate::State;
use crate::drivers::Drivers;
use crate::mesh::{ChainSpec, Diagonals, GridSpec};
use crate::model::{Bending, Body, Chain, Cloth, Damping, Hold, Material, Motion, Pin, Shear, Skin, Surface, World};
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
    let cloth = Cloth {
        name: "sheet".into(),
        mesh,
        start,
        start_velocity,
        body: Body::Surface(surface),
        pins: Vec::new(),
        skin: Skin::default(),
    };
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

/// What a solver makes of the previews `wanted` [m], from the start positions in a step of 10 ms: positions, and
/// multipliers where it has them.
fn solved(model: &Model, own: Inequality, wanted: &[DVec3]) -> (Vec<DVec3>, Vec<f64>, LimiterWork) {
    let h = 0.01;
    let (state, mut drivers) = (State::start(model), Drivers::default());
    drivers.update(model, &state.x, h);
    let context = StepContext { model, state: &state, drivers: &drivers, h, interrupt: &crate::Interrupt::default() };
    let limiter = Limiter::new(crate::settings::LimitMethod::Inequality(own));
    let settings = Settings { step: h, integrator: Integrator::Exact, limiter, contact: Contact::default() };
    let (mut contacts, solids) = (Contacts::new(&settings, model), Solids::new(model));
    let mut velocity: Vec<DVec3> = wanted.iter().zip(&state.x).map(|(to, from)| (*to - *from) / h).collect();
    let mut one_sided = OneSided::new(own, &limiter, model);
    let work = one_sided.apply(&limiter, context, (&mut contacts, &solids), &mut velocity);
    let x = state.x.iter().zip(&velocity).map(|(x, v)| *x + *v * h).collect();
    (x, one_sided.multipliers().to_vec(), work)
}

fn by(solver: InequalitySolver) -> Inequality {
    // Goals of solvers follow the tolerance: tight, so that what differs is not where they stop.
    Inequality { solver, tolerance: 1e-6, ..Inequality::default() }
}

/// A sheet that is pulled apart, sheared and bent, its longest edges over their limit by about `size`.
fn pulled(model: &Model, size: f64) -> Vec<DVec3> {
    let at = |x: &DVec3| DVec3::new(x.x * x.x, 0.3 * x.z * x.x, x.z * x.x) * (0.5 * size) + *x * 1.01;
    model.start.iter().map(at).collect()
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn three_solvers_find_one_minimiser() {
    let model = free_sheet(7);
    for size in [0.02, 0.005] {
        let wanted = pulled(&model, size);
        let (exact, _, work) = solved(&model, by(InequalitySolver::PrimalDual), &wanted);
        assert!(!work.unfinished && work.rounds > 2, "{work:?}");
        let correction = farthest(&exact, &wanted);
        assert!(correction > 0.1 * size, "nothing to correct: {correction}");
        let (barrier, _, work) = solved(&model, by(InequalitySolver::Barrier), &wanted);
        assert!(!work.unfinished, "{work:?}");
        let off = farthest(&barrier, &exact) / correction;
        // Both stop at a gap that allows 1e-4 edges root mean square: 2e-5 m of a correction of 1e-3 m and more.
        assert!(off < 0.02, "{size}: the barrier is off by {off} of the correction");
        let (active, _, work) = solved(&model, by(InequalitySolver::ActiveSet), &wanted);
        assert!(!work.unfinished, "{work:?}");
        let off = farthest(&active, &exact) / correction;
        // Its impulses point along directions on the path: an error of second order in the correction, and rows that
        // pulled at an early target are not all taken back.
        assert!(off < 0.2, "{size}: active sets are off by {off} of the correction");
    }
}

#[test]
fn the_primal_dual_solution_satisfies_the_conditions_of_karush_kuhn_and_tucker() {
    let model = free_sheet(7);
    let wanted = pulled(&model, 0.02);
    let own = by(InequalitySolver::PrimalDual);
    let (x, multipliers, work) = solved(&model, own, &wanted);
    assert!(!work.unfinished, "{work:?}");
    let (constraints, mean_rest) = lengths(&own, &Limiter::default(), &model);
    let mut balance: Vec<DVec3> = x.iter().zip(&wanted).zip(&model.mass).map(|((x, q), m)| (*x - *q) * *m).collect();
    let (mut pulling, mut slack) = (0, 0.0_f64);
    let most = multipliers.iter().copied().fold(0.0, f64::max);
    for (constraint, multiplier) in constraints.iter().zip(&multipliers) {
        let [a, b] = constraint.ends().map(|end| end as usize);
        assert!(*multiplier >= 0.0 && constraint.value(&x) <= own.tolerance, "{multiplier}, {}", constraint.value(&x));
        slack = slack.max(multiplier / most * -constraint.value(&x));
        pulling += u32::from(*multiplier > 1e-3 * most);
        let pull = (x[b] - x[a]).normalize() * (multiplier / constraint.limit());
        balance[b] += pull;
        balance[a] -= pull;
    }
    assert!(pulling > 20, "only {pulling} limits pull");
    // s·z ends at half the sheet's mass times (1e-4 edges)²: a row's part of it, as a fraction of λ.
    assert!(slack < 1e-4, "a limit pulls and is not reached: {slack}");
    let force = x.iter().zip(&wanted).zip(&model.mass).map(|((x, q), m)| x.distance(*q) * m).fold(0.0, f64::max);
    let off = balance.iter().map(|rest| rest.length()).fold(0.0, f64::max) / force;
    // Impulses of limits that pull little are not along their edges yet: as above.
    assert!(off < 1e-2, "M (x - x̂) + Jᵀλ is {off} of the greatest impulse; edges of {mean_rest} m");
}

/// A chain of 1 m edges, its first particle pinned.
fn chain(particles: u32) -> Model {
    let length = f64::from(particles - 1);
    let mesh = ChainSpec { from: DVec3::ZERO, to: DVec3::X * length, particles }.build().unwrap();
    let body = Body::Chain(Chain { mass: 1.0, bob: 0.0, stiffness: 0.0, rest_length: None, damping: 0.0 });
    let (start, start_velocity) = (mesh.positions.clone(), vec![DVec3::ZERO; mesh.positions.len()]);
    let pins = vec![Pin { particles: vec![0], hold: Hold::Fixed(Motion::default()), release: None }];
    Model::build(
        vec![Cloth { name: "chain".into(), mesh, start, start_velocity, body, pins, skin: Skin::default() }],
        vec![],
        World::default(),
    )
    .unwrap()
}

#[test]
fn one_edge_ends_at_the_nearest_point_of_its_ball() {
    let model = chain(2);
    let wanted = [DVec3::ZERO, DVec3::new(1.1, 0.3, -0.2)];
    for solver in [InequalitySolver::ActiveSet, InequalitySolver::Barrier, InequalitySolver::PrimalDual] {
        let (x, _, work) = solved(&model, by(solver), &wanted);
        let nearest = wanted[1].normalize() * 1.01;
        // Gaps of (1e-4)² root mean square; active sets within the tolerance.
        assert!(!work.unfinished && x[1].distance(nearest) < 2e-4, "{solver:?}: {} is not {nearest}", x[1]);
    }
}

#[test]
fn a_barriers_minimiser_approaches_the_exact_one_in_proportion_to_its_weight() {
    let model = chain(6);
    let wanted: Vec<DVec3> = model.start.iter().map(|x| *x * 1.05 + DVec3::Y * (0.02 * x.x * x.x)).collect();
    let own = Inequality { tolerance: 1e-9, ..Inequality::default() };
    let (exact, ..) = solved(&model, own, &wanted);
    let error = |barrier: f64| {
        let (x, _, work) = solved(&model, Inequality { solver: InequalitySolver::Barrier, barrier, ..own }, &wanted);
        assert!(!work.unfinished, "{work:?}");
        farthest(&x, &exact)
    };
    let errors = [1e-4, 5e-5, 2.5e-5].map(error);
    for pair in errors.windows(2) {
        let order = libm::log2(pair[0] / pair[1]);
        assert!((order - 1.0).abs() < 0.1, "order {order} of {errors:?}");
    }
}

#[test]
fn a_barrier_left_standing_loses_wrinkles_that_violate_nothing() {
    let model = free_sheet(17);
    // Waves of six edges, 1 cm high, in cloth that is 4 % shorter for them.
    let wave = |x: &DVec3| DVec3::new(0.96 * x.x, 0.01 * libm::sin(x.x * 16.0 / 6.0 * std::f64::consts::TAU), x.z);
    let wanted: Vec<DVec3> = model.start.iter().map(wave).collect();
    let height = |own: Inequality| {
        let (x, ..) = solved(&model, own, &wanted);
        let squares: f64 = x.iter().map(|x| x.y * x.y).sum();
        (squares / wanted.iter().map(|x| x.y * x.y).sum::<f64>()).sqrt()
    };
    let barrier = |barrier: f64| Inequality { solver: InequalitySolver::Barrier, barrier, ..Inequality::default() };
    for solver in [InequalitySolver::ActiveSet, InequalitySolver::PrimalDual, InequalitySolver::Barrier] {
        let kept = height(Inequality { solver, ..Inequality::default() });
        assert!((kept - 1.0).abs() < 1e-12, "{solver:?} changes what violates nothing: {kept}");
    }
    let kept = [1e-3, 1e-2, 1e-1].map(|weight| height(barrier(weight)));
    println!("height of wrinkles after a step, barrier 1e-3, 1e-2, 1e-1: {kept:?}");
    assert!(kept[0] > 0.9 && kept[1] < kept[0] && kept[2] < 0.5, "{kept:?}");
}
