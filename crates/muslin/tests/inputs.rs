//! Inputs at run time: what is moved by hand moves as what is moved by keys, and no pull breaks a promise.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::certify::{carried, certified, certified_alone};
use common::limited::{all_methods, among, limited, patch, resting};
use common::{build, damped, pin, sheet, surface};
use glam::{DQuat, DVec3};
use muslin::collide::{Pose, Shape};
use muslin::contact::survey;
use muslin::inputs::InputError;
use muslin::model::{Hold, Pin};
use muslin::{Inputs, Model, Pull, State, StepError, Stepper};

const LIMIT: f64 = 0.01;
const STEP: f64 = 1.0 / 60.0;

/// A level sheet of a metre, pinned at its first particle and at its last of the first row.
fn hung(side: u32) -> Model {
    build(vec![sheet(side, surface(damped()), vec![pin(vec![0]), pin(vec![side - 1])])])
}

/// Steps with inputs of each step's number and time, and looks at each state.
fn drive(
    model: &Model,
    steps: u32,
    mut inputs: impl FnMut(u32, f64) -> Inputs,
    mut see: impl FnMut(&State, &Stepper),
) -> State {
    let mut stepper = Stepper::new(model, &certified(LIMIT, STEP));
    let mut state = State::start(model);
    for step in 0..steps {
        let inputs = inputs(step, f64::from(step) * STEP + STEP);
        let report = stepper.step(model, &mut state, &inputs).unwrap();
        assert!(report.worst_strain <= LIMIT, "step {step}: {}", report.worst_strain);
        see(&state, &stepper);
    }
    state
}

#[test]
fn nothing_is_the_same_as_empty_inputs() {
    let model = hung(9);
    let (mut by_hand, mut alone) = (State::start(&model), State::start(&model));
    let mut steppers = [(); 2].map(|()| Stepper::new(&model, &certified(LIMIT, STEP)));
    for _ in 0..30 {
        steppers[0].step(&model, &mut by_hand, Inputs::default()).unwrap();
        steppers[1].step(&model, &mut alone, ()).unwrap();
    }
    assert_eq!(by_hand, alone);
}

#[test]
fn a_pin_moved_by_hand_goes_where_keys_take_it_to_the_bit() {
    let path = DVec3::new(0.2, 0.1, 0.3);
    let keyed = build(vec![sheet(
        9,
        surface(damped()),
        vec![carried(vec![0], &[(0.0, DVec3::ZERO), (0.5, path)]), pin(vec![8])],
    )]);
    let by_keys = drive(&keyed, 60, |_, _| Inputs::default(), |_, _| {});
    let model = hung(9);
    let first = model.pins_of(model.cloth("sheet").unwrap()).next().unwrap();
    let by_hand = drive(
        &model,
        60,
        |_, time| {
            let mut inputs = Inputs::default();
            // Said no more once it is there.
            if time < 0.52 {
                inputs.shift_pin(first, DVec3::ZERO.lerp(path, (time / 0.5).min(1.0)));
            }
            inputs
        },
        |_, _| {},
    );
    assert_eq!(by_hand.x, by_keys.x);
    assert_eq!(by_hand.v, by_keys.v);
}

#[test]
fn every_particle_of_a_pin_may_have_a_place_of_its_own() {
    let model = build(vec![sheet(9, surface(damped()), vec![pin(vec![0, 8])])]);
    let both = model.pins_of(model.cloth("sheet").unwrap()).next().unwrap();
    let [left, right] = [0, 8].map(|i| model.start[i]);
    let nearer = |time: f64| DVec3::X * (0.4 * time.min(0.5));
    let state = drive(
        &model,
        40,
        |_, time| {
            let mut inputs = Inputs::default();
            inputs.place_pin(both, [left + nearer(time), right - nearer(time)]);
            inputs
        },
        |_, _| {},
    );
    assert_eq!([state.x[0], state.x[8]], [left + DVec3::X * 0.2, right - DVec3::X * 0.2]);
}

/// A patch level above a ball, and the ball's pose after a time: it comes up and turns.
fn above_a_ball() -> (Model, impl Fn(f64) -> Pose) {
    let method = certified(LIMIT, STEP).limiter.method;
    let ball = resting(Shape::Sphere { radius: 0.2 }, Pose::at(DVec3::new(0.0, -0.25, 0.0)), 0.5);
    let rising = |time: f64| Pose {
        position: DVec3::new(0.0, -0.25 + 0.8 * time.min(0.6), 0.0),
        rotation: DQuat::from_rotation_y(3.0 * time.min(0.6)),
    };
    (among(patch(method, 13), vec![ball]), rising)
}

#[test]
fn a_solid_moved_by_hand_pushes_and_is_not_passed() {
    let (model, rising) = above_a_ball();
    let ball = model.collider("solid").unwrap();
    let mut lifted = 0.0_f64;
    drive(
        &model,
        60,
        |_, time| {
            let mut inputs = Inputs::default();
            inputs.pose_collider(ball, rising(time));
            inputs
        },
        |state, stepper| {
            let seen = survey(&model, &state.x, state);
            assert!(seen.is_clear(), "at {} s: {seen:?}", state.time);
            lifted = lifted.max(stepper.energies()[0].work.unwrap());
        },
    );
    assert!(lifted > 1e-3, "the ball did no work");
}

#[test]
fn a_run_driven_by_hand_goes_on_from_a_stored_state_to_the_same_bits() {
    let (model, rising) = above_a_ball();
    let ball = model.collider("solid").unwrap();
    let say = |step: u32| {
        let mut inputs = Inputs::default();
        // Every third step says nothing: the ball stays where it was put, not where it started.
        if step % 3 != 2 {
            inputs.pose_collider(ball, rising(f64::from(step + 1) * STEP)).blow(DVec3::new(0.0, 0.0, 2.0));
        }
        inputs.pull(Pull::new(0, DVec3::new(0.0, 0.3, 0.0), 0.05));
        inputs
    };
    let settings = certified(LIMIT, STEP);
    let mut state = State::start(&model);
    let mut stepper = Stepper::new(&model, &settings);
    let mut resumed = None;
    for step in 0..40 {
        if step == 20 {
            resumed = Some((Stepper::new(&model, &settings), state.clone()));
        }
        let inputs = say(step);
        stepper.step(&model, &mut state, &inputs).unwrap();
        if let Some((stepper, state)) = &mut resumed {
            stepper.step(&model, state, &inputs).unwrap();
        }
    }
    let (_, resumed) = resumed.unwrap();
    assert_eq!(resumed, state);
    assert_eq!(resumed.hash(), state.hash());
}

#[test]
fn a_pin_out_of_reach_is_refused_and_the_state_stays() {
    let model = hung(9);
    let first = model.pins_of(model.cloth("sheet").unwrap()).next().unwrap();
    let mut stepper = Stepper::new(&model, &certified(LIMIT, STEP));
    let mut state = State::start(&model);
    stepper.step(&model, &mut state, ()).unwrap();
    let before = state.clone();
    let mut inputs = Inputs::default();
    inputs.shift_pin(first, DVec3::NEG_X);
    let error = stepper.step(&model, &mut state, &inputs).unwrap_err();
    assert!(matches!(error, StepError::Unkept { apart: Some(_), .. }), "{error}");
    assert_eq!(state, before);
    stepper.step(&model, &mut state, ()).unwrap();
    assert_eq!(state.x[0], model.start[0]);
}

#[test]
fn a_pull_out_of_reach_is_never_refused_whatever_its_cap() {
    let model = hung(9);
    // The corner opposite of the pins, drawn to a metre beyond all that it can reach.
    let corner = model.particle(model.cloth("sheet").unwrap(), 80);
    let target = model.start[corner] * 3.0;
    let far = |inputs: &Inputs| drive(&model, 30, |_, _| inputs.clone(), |_, _| {}).x[corner].distance(target);
    let free = far(&Inputs::default());
    for cap in [0.5, 50.0, 1e6] {
        let mut inputs = Inputs::default();
        inputs.pull(Pull::new(corner, target, cap));
        let pulled = far(&inputs);
        assert!(pulled < 0.95 * free, "{cap} N: {pulled} m from its target, and {free} m without a pull");
    }
}

#[test]
fn pulls_that_were_too_much_are_counted_for_their_cloth_alone() {
    let hung = || sheet(9, surface(damped()), vec![pin(vec![0]), pin(vec![8])]);
    let model = build(vec![hung(), hung()]);
    // They start in the same place.
    let mut stepper = Stepper::new(&model, &certified_alone(LIMIT, STEP));
    let mut state = State::start(&model);
    let (gentle, second) = (DVec3::Y * 0.1, 81);
    let mut inputs = Inputs::default();
    inputs.push(80, DVec3::X * 1e9).push(76, gentle).push(second + 80, gentle);
    // A pinned particle feels no pull at all.
    inputs.push(0, gentle);
    let alone = stepper.step(&model, &mut State::start(&model), ()).unwrap();
    assert_eq!(alone.work.pulls_dropped, 0);
    let report = stepper.step(&model, &mut state, &inputs).unwrap();
    assert_eq!(report.work.pulls_dropped, 2);
    assert!(state.v[second + 80].y > state.v[76].y, "the gentle pull on the other cloth did not act");
    inputs.clear();
    inputs.push(76, gentle);
    assert_eq!(stepper.step(&model, &mut state, &inputs).unwrap().work.pulls_dropped, 0);
}

#[test]
fn pulls_give_the_energy_that_they_say() {
    let model = hung(17);
    let corner = 16 * 17;
    let (mut work, mut highest, mut drawn) = (0.0, f64::NEG_INFINITY, 0.0_f64);
    drive(
        &model,
        120,
        |_, time| {
            let mut inputs = Inputs::default();
            let place = model.start[corner] + DVec3::new(0.0, libm::sin(4.0 * time), 0.5 * time);
            inputs.pull(Pull::new(corner, place, 1.0));
            inputs
        },
        |_, stepper| {
            let energy = stepper.energies()[0];
            work += energy.work.unwrap();
            drawn = drawn.max(work);
            let left = energy.total() - work;
            assert!(left < highest.max(0.0) + 0.003, "{left} J, {highest} J before");
            highest = highest.max(left);
        },
    );
    assert!(drawn > 0.02, "{drawn} J");
}

#[test]
fn a_pull_by_any_method_balances_a_weight_where_its_spring_says() {
    let mut balanced = 0;
    for method in all_methods() {
        let mut settings = limited(method, 0.005);
        settings.limiter.stretch = 0.5;
        let cloth = patch(method.0, 2);
        let model = build(vec![cloth]);
        let mut stepper = Stepper::new(&model, &settings);
        let mut state = State::start(&model);
        let weight = model.total_mass() * 9.81;
        let pulls: Vec<Pull> = (0..model.len())
            .map(|particle| Pull {
                particle,
                target: model.start[particle],
                stiffness: 100.0 * weight / model.len() as f64,
                damping: 10.0 * weight / model.len() as f64,
                force: DVec3::ZERO,
                cap: weight,
            })
            .collect();
        for _ in 0..400 {
            let mut inputs = Inputs::default();
            for pull in &pulls {
                inputs.pull(*pull);
            }
            stepper.step(&model, &mut state, &inputs).unwrap();
        }
        // k s = m g: a centimetre.
        let sag = model.start[0].y - state.x.iter().map(|x| x.y).sum::<f64>() / model.len() as f64;
        assert!((sag - 0.01).abs() < 5e-4, "{method:?}: {sag} m");
        balanced += 1;
    }
    assert_eq!(balanced, 9);
}

#[test]
fn wind_made_by_hand_blows_until_it_is_left_to_the_model() {
    let mut material = damped();
    material.drag = 1.0;
    let mut model = build(vec![sheet(9, surface(material), vec![pin((0..9).collect())])]);
    model.air.density = 1.2;
    let drift = |blow: bool| {
        let state = drive(
            &model,
            40,
            |step, _| {
                let mut inputs = Inputs::default();
                match step {
                    0 if blow => inputs.blow(DVec3::new(0.0, 5.0, 0.0)),
                    20 if blow => inputs.blow_as_before(),
                    _ => &mut inputs,
                };
                inputs
            },
            |_, _| {},
        );
        (state.x[80] - model.start[80]).y
    };
    assert!(drift(true) > drift(false) + 0.05, "{} m, {} m without", drift(true), drift(false));
    let mut state = State::start(&model);
    let mut stepper = Stepper::new(&model, &certified(LIMIT, STEP));
    let mut inputs = Inputs::default();
    inputs.blow(DVec3::X);
    stepper.step(&model, &mut state, &inputs).unwrap();
    assert_eq!(state.given.wind(&model.air, 1.0), DVec3::X);
    inputs.clear();
    assert!(inputs.is_empty());
    stepper.step(&model, &mut state, inputs.blow_as_before()).unwrap();
    assert_eq!(state.given.wind(&model.air, 1.0), DVec3::ZERO);
}

#[test]
fn inputs_that_cannot_be_followed_are_named_and_change_nothing() {
    let guided = Pin { particles: vec![4], hold: Hold::Line(DVec3::Y), release: None };
    let released = Pin { release: Some(0.0), ..pin(vec![8]) };
    let model = build(vec![sheet(9, surface(damped()), vec![pin(vec![0]), guided, released])]);
    let [first, line, gone] = model.pins_of(model.cloth("sheet").unwrap()).collect::<Vec<_>>()[..] else { panic!() };
    let say = |say: &dyn Fn(&mut Inputs)| {
        let mut inputs = Inputs::default();
        say(&mut inputs);
        let mut state = State::start(&model);
        let before = state.clone();
        let error = Stepper::new(&model, &certified(LIMIT, STEP)).step(&model, &mut state, &inputs).unwrap_err();
        assert_eq!(state, before);
        let StepError::Input(error) = error else { panic!("{error}") };
        error
    };
    let (nan, far) = (DVec3::splat(f64::NAN), Pull::new(81, DVec3::ZERO, 1.0));
    assert!(matches!(say(&|inputs| _ = inputs.place_pin(first, [])), InputError::Count { given: 0, wanted: 1, .. }));
    assert!(matches!(say(&|inputs| _ = inputs.shift_pin(line, DVec3::X)), InputError::Guide { .. }));
    assert!(matches!(say(&|inputs| _ = inputs.shift_pin(gone, DVec3::X)), InputError::Released { .. }));
    assert!(matches!(say(&|inputs| _ = inputs.pull(far)), InputError::Unknown { number: 81, count: 81, .. }));
    let message = |say_it: &dyn Fn(&mut Inputs)| say(say_it).to_string();
    assert_eq!(
        message(&|inputs| _ = inputs.shift_pin(first, nan)),
        "the shift of pin 0 is [NaN, NaN, NaN] m, but has to be finite"
    );
    assert_eq!(
        message(&|inputs| _ = inputs.place_pin(first, [DVec3::X * f64::INFINITY])),
        "place 0 of pin 0 is [inf, NaN, NaN] m, but has to be finite"
    );
    let sound = Pull::new(3, DVec3::ZERO, 1.0);
    let second = |pull: Pull| message(&|inputs| _ = inputs.pull(sound).pull(pull));
    assert_eq!(
        second(Pull { cap: -1.0, ..sound }),
        "the cap of pull 1, on particle 3, is -1 N, but has to be at least 0, and may be infinite"
    );
    assert_eq!(
        second(Pull { damping: -2.0, ..sound }),
        "the damping of pull 1, on particle 3, is -2 N s/m, but has to be finite and at least 0"
    );
    assert_eq!(
        second(Pull::new(3, DVec3::ZERO, f64::INFINITY)),
        "the stiffness of pull 1, on particle 3, is inf N/m, but has to be finite and at least 0"
    );
    assert_eq!(message(&|inputs| _ = inputs.blow(nan)), "the wind is [NaN, NaN, NaN] m/s, but has to be finite");
}

#[test]
fn a_pose_that_is_none_is_named_with_its_collider() {
    let (model, _) = above_a_ball();
    let ball = model.collider("solid").unwrap();
    let pose = Pose { position: DVec3::ZERO, rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0) };
    let mut inputs = Inputs::default();
    inputs.pose_collider(ball, pose);
    let mut stepper = Stepper::new(&model, &certified(LIMIT, STEP));
    let refused = stepper.step(&model, &mut State::start(&model), &inputs).unwrap_err().to_string();
    assert_eq!(
        refused,
        "the pose of collider `solid` is at [0, 0, 0] m, turned by [0, 0, 0, 2], but has to be finite, with a rotation \
         of length 1"
    );
}

#[test]
fn a_pull_without_a_cap_pulls() {
    let model = hung(9);
    let mut stepper = Stepper::new(&model, &certified(LIMIT, STEP));
    let mut inputs = Inputs::default();
    inputs.pull(Pull { cap: f64::INFINITY, ..Pull::new(80, model.start[80] + DVec3::Y, 0.5) });
    let (mut pulled, mut free) = (State::start(&model), State::start(&model));
    stepper.step(&model, &mut pulled, &inputs).unwrap();
    stepper.step(&model, &mut free, ()).unwrap();
    assert!(pulled.v[80].y > free.v[80].y, "{} m/s, {} m/s without", pulled.v[80], free.v[80]);
}

#[test]
fn a_force_against_gravity_keeps_cloth_where_it_is_by_any_method() {
    for method in all_methods() {
        let model = build(vec![patch(method.0, 5)]);
        let mut stepper = Stepper::new(&model, &limited(method, 0.005));
        let mut state = State::start(&model);
        let mut inputs = Inputs::default();
        for (particle, mass) in model.mass.iter().enumerate() {
            inputs.push(particle, DVec3::Y * (9.81 * mass));
        }
        for _ in 0..100 {
            stepper.step(&model, &mut state, &inputs).unwrap();
        }
        let moved = state.x.iter().zip(&model.start).map(|(x, start)| x.distance(*start)).fold(0.0, f64::max);
        // The first half push of `certified`, and the tolerance of the implicit solvers.
        assert!(moved < 2e-3, "{method:?}: {moved} m in half a second");
    }
}
