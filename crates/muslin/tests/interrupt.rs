//! Steps that are asked to stop, and the integrator that `certified` brings with it.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::limited::{all_methods, limited};
use common::*;
use muslin::settings::{Certified, Integrator, LimitMethod, Newton};
use muslin::{Model, State, StepError, Stepper};

fn hung() -> Model {
    build(vec![sheet(11, surface(damped()), vec![pin(vec![0, 10])])])
}

#[test]
fn an_interrupted_step_leaves_the_state_alone_whatever_the_method() {
    let model = hung();
    let certified = (LimitMethod::Certified(Certified::default()), Integrator::Substeps);
    for method in all_methods().into_iter().chain([certified]) {
        let settings = limited(method, 1.0 / 480.0);
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
        for _ in 0..3 {
            stepper.step(&model, &mut state, ()).unwrap();
        }
        let before = state.clone();
        stepper.interrupt().ask();
        let error = stepper.step(&model, &mut state, ()).unwrap_err();
        assert_eq!(error, StepError::Interrupted { step: 4 }, "{method:?}");
        assert_eq!(state, before, "{method:?}");
        // Once: the same stepper goes on as if nothing had happened, and as a new one would.
        assert!(!stepper.interrupt().asked(), "{method:?}");
        stepper.step(&model, &mut state, ()).unwrap();
        let mut again = before;
        Stepper::new(&model, &settings).step(&model, &mut again, ()).unwrap();
        assert_eq!(state, again, "{method:?}");
    }
}

#[test]
fn certified_moves_to_the_same_bits_whatever_integrator_the_settings_name() {
    let model = hung();
    let end = |integrator: Integrator| {
        let method = LimitMethod::Certified(Certified::default());
        simulate(&model, &limited((method, integrator), 1.0 / 60.0), 0.2)
    };
    let own = end(Integrator::Substeps);
    for other in [Integrator::Bdf2(Newton::default()), Integrator::Exact] {
        assert_eq!(end(other), own, "{other:?}");
    }
}
