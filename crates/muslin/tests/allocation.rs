//! A step allocates nothing once the stepper has taken its first ones.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
#![allow(unsafe_code, reason = "counting allocations takes an allocator of one's own")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::certify::certified_alone;
use common::limited::{all_methods, among, floor, limited, moved, patch, resting};
use common::solids::{self, ball_mesh};
use common::{build, cloth, damped, grid, pin, settings, surface};
use muslin::collide::{Bounds, Bvh, Path, Pose, Shape, TriangleSurface, vertex_triangle_impact};
use muslin::mesh::Diagonals;
use muslin::model::{Bending, Material, Shear, Solid, SolidMesh, Surface};
use muslin::settings::{
    Impulse, ImpulseNewton, Inequality, InequalitySolver, Integrator, Isotropic, Iterative, Jacobian, LimitMethod,
    LinearSolver, Newmark, Newton, Preconditioner, Sle, Solver,
};
use muslin::{DQuat, DVec3, Model, Settings, State, Stepper};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are the ones the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Allocations of twenty steps after the first few.
fn allocations(model: &Model, settings: &Settings, first: u32) -> u64 {
    let (mut state, mut stepper) = (State::start(model), Stepper::new(model, settings));
    for _ in 0..first {
        stepper.step(model, &mut state, ()).unwrap();
    }
    let before = ALLOCATIONS.get();
    for _ in 0..20 {
        stepper.step(model, &mut state, ()).unwrap();
    }
    ALLOCATIONS.get() - before
}

fn sheet(fabric: Surface) -> Model {
    build(vec![cloth(grid([1.0, 1.0], [12, 12], Diagonals::Both), fabric, vec![pin(vec![0, 11])])])
}

#[test]
fn steps_after_the_first_allocate_nothing() {
    let integrators = [
        Integrator::ExplicitEuler,
        Integrator::SymplecticEuler,
        Integrator::Exact,
        Integrator::BackwardEuler(Newton::default()),
        Integrator::Newmark(Newmark::default()),
        Integrator::Bdf2(Newton::default()),
    ];
    for (shear, bending) in [(Shear::Diagonals, Bending::Hinges), (Shear::Corners, Bending::ChoiKo)] {
        let model = sheet(Surface { shear, bending, ..surface(Material { drag: 1.0, ..damped() }) });
        for integrator in integrators {
            let isotropic = LimitMethod::Isotropic(Isotropic::default());
            for method in [LimitMethod::None, LimitMethod::Provot, LimitMethod::Bridson, isotropic] {
                let mut settings = settings(integrator, 1e-5);
                settings.limiter.method = method;
                settings.limiter.stretch = 1e-9;
                let made = allocations(&model, &settings, 5);
                assert!(made == 0, "{integrator:?} with {method:?}: {made} allocations in 20 steps");
            }
        }
    }
}

/// Methods whose constraints stand in for springs, with the integrators of their papers.
fn of_papers() -> Vec<(Integrator, LimitMethod)> {
    let (implicit, pcg) = (Integrator::BackwardEuler(Newton::default()), |preconditioner| LinearSolver {
        solver: Solver::Pcg,
        preconditioner,
        ..LinearSolver::default()
    });
    let mut cases = Vec::new();
    for linear in [LinearSolver::default(), pcg(Preconditioner::Jacobi), pcg(Preconditioner::IncompleteCholesky)] {
        cases.push((implicit, LimitMethod::Impulse(Impulse { linear, ..Impulse::default() })));
        cases.push((Integrator::Exact, LimitMethod::Sle(Sle { linear, ..Sle::default() })));
    }
    for jacobian in [Jacobian::Exact, Jacobian::Frozen] {
        let own = ImpulseNewton { jacobian, ..ImpulseNewton::default() };
        cases.push((implicit, LimitMethod::ImpulseNewton(own)));
    }
    cases.push((Integrator::Exact, LimitMethod::Iterative(Iterative::default())));
    for solver in [InequalitySolver::ActiveSet, InequalitySolver::Barrier, InequalitySolver::PrimalDual] {
        let own = Inequality { solver, ..Inequality::default() };
        cases.push((Integrator::Newmark(Newmark::default()), LimitMethod::Inequality(own)));
    }
    cases
}

#[test]
fn the_published_limiters_allocate_nothing_either() {
    let model = sheet(surface(Material { stretch_warp: 0.0, stretch_weft: 0.0, ..damped() }));
    for (integrator, method) in of_papers() {
        let mut settings = settings(integrator, 1.0 / 600.0);
        settings.limiter.method = method;
        settings.limiter.stretch = 0.001;
        let made = allocations(&model, &settings, 30);
        assert!(made == 0, "{integrator:?} with {method:?}: {made} allocations in 20 steps");
    }
}

#[test]
fn contact_allocates_nothing_either() {
    let shape = Shape::Sphere { radius: 0.15 };
    for pair in all_methods() {
        let sphere = resting(shape, Pose::at(DVec3::ZERO), 0.3);
        let model = among(moved(patch(pair.0, 12), DQuat::IDENTITY, DVec3::Y * 0.153), vec![sphere, floor(0.3)]);
        // 0.15 s into the fall over the sphere, when every system has been solved once; vertices still arrive.
        let made = allocations(&model, &limited(pair, 1.0 / 600.0), 90);
        assert!(made == 0, "{pair:?}: {made} allocations in 20 steps");
    }
}

#[test]
fn certified_allocates_nothing_either() {
    let model = sheet(surface(damped()));
    for step in [1.0 / 120.0, 1.0 / 30.0] {
        // Twelve steps into the fall the rows are loaded, and every list has had its size.
        let made = allocations(&model, &certified_alone(0.01, step), 12);
        assert!(made == 0, "{step} s: {made} allocations in 20 steps");
    }
}

#[test]
fn certified_allocates_nothing_in_contact_once_its_lists_have_had_their_size() {
    let (positions, triangles) = ball_mesh(0.3, DVec3::ZERO, 24);
    let solids = [
        Solid::Shape { shape: Shape::Sphere { radius: 0.3 }, pose: Pose::at(DVec3::ZERO) },
        Solid::Shape { shape: Shape::Box { half: DVec3::splat(0.25) }, pose: Pose::at(DVec3::ZERO) },
        Solid::Mesh(SolidMesh { positions, triangles }),
    ];
    for solid in solids {
        let start = moved(
            cloth(grid([1.0, 1.0], [12, 12], Diagonals::Both), surface(damped()), vec![]),
            DQuat::IDENTITY,
            DVec3::new(-0.5, 0.31, -0.5),
        );
        let mut model = among(start, vec![]);
        model.colliders.push(solids::resting(&model, solid.clone(), 0.3));
        // A second after it has begun to fall it hangs around the solid, and still swings.
        let made = allocations(&model, &certified_alone(0.01, 1.0 / 60.0), 60);
        assert!(made == 0, "{solid:?}: {made} allocations in 20 steps");
    }
}

#[test]
fn moved_surfaces_trees_and_impacts_allocate_nothing() {
    let positions: Vec<DVec3> = (0..200).map(|i| DVec3::new(f64::from(i % 20), 0.0, f64::from(i / 20))).collect();
    let triangles: Vec<[u32; 3]> = (0..170).map(|i| [i, i + 1, i + 20]).collect();
    let mut surface = TriangleSurface::new(positions.clone(), triangles);
    let bounds = |i: u32| Bounds::of([positions[i as usize]]).grown(1.1);
    let mut tree = Bvh::new(positions.len(), bounds);
    let before = ALLOCATIONS.get();
    let mut found = 0;
    tree.refit(bounds);
    tree.rebuild(positions.len(), bounds);
    tree.own_pairs(|_, _| found += 1);
    tree.pairs(surface.bvh(), |_, _| found += 1);
    surface.update(&positions);
    found += u32::from(surface.nearest(DVec3::new(3.2, 0.5, 3.1), 1.0).is_some());
    let [a, b, c] = [DVec3::ZERO, DVec3::X, DVec3::Z].map(Path::resting);
    let falling = Path { start: DVec3::new(0.2, 1.0, 0.2), end: DVec3::new(0.2, -1.0, 0.2) };
    found += u32::from(vertex_triangle_impact(falling, [a, b, c], 0.0).is_some());
    assert!(ALLOCATIONS.get() == before, "{} allocations", ALLOCATIONS.get() - before);
    assert!(found > 500, "only {found} found: nothing was put to the test");
}
