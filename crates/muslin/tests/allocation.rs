//! A step allocates nothing once the stepper has taken its first ones.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
#![allow(unsafe_code, reason = "counting allocations takes an allocator of one's own")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::{build, cloth, damped, grid, pin, settings, surface};
use muslin::mesh::Diagonals;
use muslin::model::{Bending, Material, Shear, Surface};
use muslin::settings::{Integrator, LimitMethod, Newmark, Newton};
use muslin::{State, Stepper};

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
        let fabric = Surface { shear, bending, ..surface(Material { drag: 1.0, ..damped() }) };
        let model = build(vec![cloth(grid([1.0, 1.0], [12, 12], Diagonals::Both), fabric, vec![pin(vec![0, 11])])]);
        for integrator in integrators {
            for method in [LimitMethod::None, LimitMethod::Provot, LimitMethod::Bridson] {
                let mut settings = settings(integrator, 1e-5);
                settings.limiter.method = method;
                settings.limiter.stretch = 1e-9;
                let mut state = State::start(&model);
                let mut stepper = Stepper::new(&model, &settings);
                for _ in 0..5 {
                    stepper.step(&model, &mut state).unwrap();
                }
                let before = ALLOCATIONS.get();
                for _ in 0..20 {
                    stepper.step(&model, &mut state).unwrap();
                }
                let made = ALLOCATIONS.get() - before;
                assert!(made == 0, "{integrator:?} with {method:?}: {made} allocations in 20 steps");
            }
        }
    }
}
