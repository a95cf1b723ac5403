//! `Simulation`: made without any file, it runs, is looked into, stored, forked and put back.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::built::hung;
use muslin::model::ColliderProblem;
use muslin::prelude::*;
use muslin::settings::Certified;

/// A sheet of four particles, held by a corner.
fn small(name: &str) -> Cloth {
    let mesh = GridSpec::square(0.1, 2).build().unwrap();
    let cotton = materials::find("cotton").unwrap().material();
    Cloth::new(name, mesh, cotton).pinned(&Select::Corner(DVec2::ZERO)).unwrap()
}

fn run(simulation: &mut Simulation, steps: u32) {
    for _ in 0..steps {
        let report = simulation.step(()).unwrap();
        assert!(report.worst_strain <= simulation.settings().limiter.stretch);
    }
}

#[test]
fn what_is_not_said_is_what_scenes_have() {
    let (builder, sheet, _) = hung();
    let simulation = builder.build().unwrap();
    let Settings { step, integrator, limiter, contact } = simulation.settings().clone();
    assert_eq!((step, integrator), (1.0 / 60.0, Integrator::Substeps));
    assert_eq!(limiter.method, LimitMethod::Certified(Certified::default()));
    assert_eq!((limiter.stretch, contact), (0.01, Contact::default()));
    assert_eq!(simulation.model().colliders[0].rules(0), (0.001, 0.3));
    assert_eq!(simulation.model().pins_of(sheet).count(), 2);
    assert_eq!(simulation.repair().map(|repair| repair.moved), Some(0));
}

#[test]
fn a_published_limiter_runs_with_its_own_integrator() {
    for method in common::limited::all_methods().map(|(method, _)| method) {
        let mut builder = Simulation::builder();
        let cotton = materials::find("cotton").unwrap().material();
        let mesh = GridSpec::square(1.0, 5).build().unwrap();
        builder.cloth(Cloth::new("sheet", mesh, cotton).pinned(&Select::Corner(DVec2::ZERO)).unwrap());
        builder.limiter(Limiter { method, max_iterations: 50, ..Limiter::default() });
        let mut simulation = builder.build().unwrap();
        assert_eq!(simulation.settings().integrator, Integrator::partner_of(&method));
        for _ in 0..5 {
            simulation.step(()).unwrap();
        }
        assert!(simulation.state().x.iter().any(|x| x.y < -1e-6), "{method:?} does not fall");
    }
}

#[test]
fn cloth_that_starts_in_a_solid_is_moved_out() {
    let (mut builder, sheet, _) = hung();
    builder.collider(Collider::shape("in the way", Shape::Sphere { radius: 0.05 }, DVec3::new(0.5, -0.04, 0.5)));
    let mut simulation = builder.build().unwrap();
    assert!(simulation.repair().unwrap().moved > 0);
    let before = simulation.positions(sheet)[60];
    assert!(before.y > 0.0, "{before}");
    run(&mut simulation, 3);
    builder.contact(Contact { repair: false, ..Contact::default() });
    let mut refused = builder.build().unwrap();
    assert!(matches!(refused.step(()), Err(StepError::Blocked { .. })));
}

#[test]
fn a_fork_and_a_stored_state_go_on_to_the_same_bits() {
    let (builder, ..) = hung();
    let mut simulation = builder.build().unwrap();
    run(&mut simulation, 20);
    let (mut fork, snapshot, bytes) = (simulation.fork(), simulation.snapshot(), simulation.save());
    run(&mut simulation, 20);
    run(&mut fork, 20);
    let end = simulation.state().clone();
    assert_eq!(*fork.state(), end);
    simulation.restore(snapshot).unwrap();
    assert_eq!(simulation.state().step, 20);
    run(&mut simulation, 20);
    assert_eq!(*simulation.state(), end);
    let mut loaded = builder.build().unwrap();
    loaded.load(&bytes).unwrap();
    run(&mut loaded, 20);
    assert_eq!(*loaded.state(), end);
}

#[test]
fn a_recording_replays_a_run_driven_by_hand_from_a_stored_state_too() {
    let (builder, _, ball) = hung();
    let mut simulation = builder.build().unwrap();
    simulation.record();
    let say = |step: u32, path: f64| {
        let mut inputs = Inputs::default();
        if step.is_multiple_of(2) {
            inputs.pose_collider(ball, Pose::at(DVec3::new(0.5, -0.3 + path * f64::from(step), 0.6)));
        }
        inputs.pull(Pull::new(60, DVec3::Y, 0.05));
        if step.is_multiple_of(5) { Inputs::default() } else { inputs }
    };
    let drive = |simulation: &mut Simulation, steps: std::ops::Range<u32>, path: f64| {
        for step in steps {
            simulation.step(say(step, path)).unwrap();
        }
    };
    drive(&mut simulation, 0..10, 0.002);
    let (stored, middle) = (simulation.save(), simulation.snapshot());
    drive(&mut simulation, 10..20, 0.002);
    // Back, and on another course: what was recorded of the first one is gone.
    simulation.restore(middle).unwrap();
    drive(&mut simulation, 10..20, -0.001);
    let recording = simulation.recording().unwrap();
    assert_eq!(recording.len(), 16);
    let stored_recording = postcard::to_stdvec(recording).unwrap();
    let recording: Recording = postcard::from_bytes(&stored_recording).unwrap();
    for start in [None, Some(stored)] {
        let mut again = builder.build().unwrap();
        if let Some(bytes) = start {
            again.load(&bytes).unwrap();
        }
        while again.state().step < 20 {
            again.step(recording.at(again.state().step)).unwrap();
        }
        assert_eq!(again.state(), simulation.state());
    }
    assert!(builder.build().unwrap().recording().is_none());
}

#[test]
fn positions_and_velocities_can_be_set() {
    let (builder, sheet, _) = hung();
    let mut simulation = builder.build().unwrap();
    let moving = vec![DVec3::new(0.0, 0.0, 0.3); 121];
    simulation.set_velocities(sheet, &moving).unwrap();
    assert_eq!(simulation.velocities(sheet), moving);
    let lower: Vec<DVec3> = simulation.positions(sheet).iter().map(|x| *x * 0.9).collect();
    simulation.set_positions(sheet, &lower).unwrap();
    assert_eq!(simulation.positions(sheet), lower);
    run(&mut simulation, 3);
    let before = simulation.snapshot();
    assert_eq!(simulation.set_positions(sheet, &[]), Err(StateError::Size { found: 0, wanted: 121 }));
    let lost = vec![DVec3::NAN; 121];
    assert_eq!(simulation.set_velocities(sheet, &lost), Err(StateError::NotFinite { particle: 0 }));
    assert_eq!(*simulation.state(), before);
    // Cloth put into a solid is found there, not passed by.
    let inside: Vec<DVec3> = lower.iter().map(|x| *x - DVec3::Y * 0.3).collect();
    let mut free = simulation.fork();
    free.set_positions(sheet, &inside).unwrap();
    assert!(free.step(()).is_err());
}

#[test]
fn a_handle_of_another_model_is_called_so() {
    let mut builder = Simulation::builder();
    let [_, second] = ["one", "two"].map(|name| builder.cloth(small(name)));
    let (single, ..) = hung();
    let mut single = single.build().unwrap();
    let unknown = InputError::Unknown { what: "cloth", number: 1, count: 1 };
    assert_eq!(single.set_positions(second, &[]), Err(StateError::Given(unknown)));
    let message = |panics: &dyn Fn()| {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).unwrap_err();
        caught.downcast_ref::<String>().unwrap().clone()
    };
    let expected = "cloth 1 of a model with 1: the handle is of another model";
    assert_eq!(message(&|| _ = single.positions(second)), expected);
    assert_eq!(message(&|| _ = single.model().pins_of(second).count()), expected);
}

#[test]
fn states_of_other_models_are_refused() {
    let (builder, ..) = hung();
    let mut simulation = builder.build().unwrap();
    let mut other = Simulation::builder();
    other.cloth(small("other"));
    let other = other.build().unwrap();
    assert_eq!(simulation.restore(other.snapshot()), Err(StateError::Size { found: 4, wanted: 121 }));
    assert_eq!(simulation.load(b"something else"), Err(StateError::Bytes));
    let mut cut = simulation.save();
    cut.truncate(cut.len() / 2);
    assert_eq!(simulation.load(&cut), Err(StateError::Damaged));
    assert_eq!(simulation.load(b"MUSLINST3"), Err(StateError::Damaged));
    assert_eq!(simulation.state().step, 0);
}

#[test]
fn no_flipped_bit_of_a_saved_state_goes_unseen() {
    let mut builder = Simulation::builder();
    builder.cloth(small("flag"));
    let mut simulation = builder.build().unwrap();
    run(&mut simulation, 3);
    let mut bytes = simulation.save();
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let refused = simulation.load(&bytes);
        assert!(matches!(refused, Err(StateError::Bytes | StateError::Damaged)), "bit {bit}: {refused:?}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    simulation.load(&bytes).unwrap();
}

#[test]
fn a_saved_state_is_that_of_its_own_model_and_of_no_other() {
    let make = |side: f64, name: &str, pin: DVec2, gravity: f64| {
        let cotton = materials::find("cotton").unwrap().material();
        let sheet = Cloth::new(name, GridSpec::square(side, 5).build().unwrap(), cotton);
        let mut builder = Simulation::builder();
        builder.cloth(sheet.pinned(&Select::Corner(pin)).unwrap());
        builder.gravity(DVec3::NEG_Y * gravity);
        builder.build().unwrap()
    };
    let saved = make(1.0, "sheet", DVec2::ZERO, 9.81).save();
    let others = [
        make(3.0, "sheet", DVec2::ZERO, 9.81),
        make(1.0, "flag", DVec2::ZERO, 9.81),
        make(1.0, "sheet", DVec2::X, 9.81),
    ];
    for mut other in others {
        assert_eq!(other.load(&saved), Err(StateError::OtherModel));
    }
    // It may go on where things weigh less.
    make(1.0, "sheet", DVec2::ZERO, 1.62).load(&saved).unwrap();
}

#[test]
fn what_makes_no_simulation_is_named() {
    let (builder, ..) = hung();
    let refuse = |change: &dyn Fn(&mut Builder)| {
        let mut builder = builder.clone();
        change(&mut builder);
        builder.build().unwrap_err()
    };
    let range = |error| matches!(error, BuildError::Settings(SettingsError::Range { .. }));
    assert!(range(refuse(&|builder| _ = builder.step(0.0))));
    assert!(range(refuse(&|builder| _ = builder.step(f64::NAN))));
    assert!(range(refuse(&|builder| _ = builder.limit(0.0))));
    let pair = refuse(&|builder| _ = builder.integrator(Integrator::SymplecticEuler));
    assert_eq!(pair, BuildError::Settings(SettingsError::Pair));
    let problem = |collider: Collider| match refuse(&|builder| _ = builder.collider(collider.clone())) {
        BuildError::Model(ModelError::Collider { problem, .. }) => problem,
        other => panic!("{other}"),
    };
    let ball = Collider::shape("ball", Shape::Sphere { radius: -1.0 }, DVec3::ZERO);
    let message = problem(ball.clone()).to_string();
    assert_eq!(message, "its shape is Sphere { radius: -1.0 } [m], but has to be of finite, positive sizes");
    let thick = Collider { thickness: vec![0.001; 2], ..ball };
    assert_eq!(problem(thick), ColliderProblem::Cloths { what: "thickness", given: 2, cloths: 1 });
    let mesh = SolidMesh { positions: vec![DVec3::ZERO; 3], triangles: vec![[0, 1, 3]] };
    let open = Collider::new("mesh", Solid::Mesh(mesh));
    assert_eq!(problem(open), ColliderProblem::Vertex { triangle: 0, vertex: 3, count: 3 });
    let nothing = Collider::new("mesh", Solid::Mesh(SolidMesh::default()));
    assert_eq!(problem(nothing), ColliderProblem::Empty);
}

#[test]
fn a_state_with_things_that_a_model_has_not_is_refused() {
    let (builder, sheet, ball) = hung();
    let mut simulation = builder.build().unwrap();
    let second = simulation.model().pins_of(sheet).nth(1).unwrap();
    let mut inputs = Inputs::default();
    inputs.shift_pin(second, DVec3::Y * 0.01).pose_collider(ball, Pose::at(DVec3::NEG_Y));
    simulation.step(&inputs).unwrap();
    let cotton = materials::find("cotton").unwrap().material();
    let mut other = Simulation::builder();
    let mesh = GridSpec::square(1.0, 11).build().unwrap();
    other.cloth(Cloth::new("sheet", mesh, cotton).pinned(&Select::Corner(DVec2::ZERO)).unwrap());
    let mut other = other.build().unwrap();
    let refused = other.restore(simulation.snapshot()).unwrap_err();
    assert_eq!(refused, StateError::Given(InputError::Unknown { what: "pin", number: 1, count: 1 }));
    assert!(other.load(&simulation.save()).is_err());
    other.step(()).unwrap();
}

#[test]
fn the_order_in_which_things_are_placed_makes_no_other_state() {
    let (builder, sheet, _) = hung();
    let simulation = builder.build().unwrap();
    let pins: Vec<PinId> = simulation.model().pins_of(sheet).collect();
    let [one, other] = [[0, 1], [1, 0]].map(|order| {
        let (mut simulation, mut inputs) = (simulation.fork(), Inputs::default());
        for pin in order {
            inputs.shift_pin(pins[pin], DVec3::Y * 0.01);
        }
        simulation.step(&inputs).unwrap();
        simulation.snapshot()
    });
    assert_eq!(one, other);
    assert_eq!(one.hash(), other.hash());
}

#[test]
fn numbers_that_no_step_could_work_with_are_named_with_their_value() {
    let refuse = |change: &dyn Fn(&mut Builder)| {
        let (mut builder, ..) = hung();
        change(&mut builder);
        builder.build().unwrap_err().to_string()
    };
    let of_air = |air: Air| refuse(&|builder| _ = builder.air(air));
    let of_cloth = |change: &dyn Fn(&mut Material)| {
        let mut cotton = materials::find("cotton").unwrap().material();
        change(&mut cotton);
        let mesh = GridSpec::square(1.0, 3).build().unwrap();
        refuse(&|builder| _ = builder.cloth(Cloth::new("flag", mesh.clone(), cotton)))
    };
    let of_ball = |thickness: f64, friction: f64| {
        let ball = Collider::shape("second", Shape::Sphere { radius: 0.1 }, DVec3::NEG_Y);
        let ball = Collider { thickness: vec![thickness], friction: vec![friction], ..ball };
        refuse(&|builder| _ = builder.collider(ball.clone()))
    };
    let amount = "but has to be finite and at least 0";
    assert_eq!(
        refuse(&|builder| _ = builder.gravity(DVec3::new(f64::NAN, -9.81, 0.0))),
        "gravity is [NaN, -9.81, 0] m/s², but has to be finite"
    );
    assert_eq!(
        of_air(Air { density: -1.2, ..Air::default() }),
        format!("the density of the air is -1.2 kg/m³, {amount}")
    );
    let gale = Air { wind: DVec3::X * f64::INFINITY, ..Air::default() };
    assert_eq!(of_air(gale), "the wind is [inf, NaN, NaN] m/s, but has to be finite");
    assert_eq!(of_air(Air { gust: f64::NAN, ..Air::default() }), format!("the gust fraction is NaN, {amount}"));
    assert_eq!(refuse(&|builder| _ = builder.step(-0.1)), "the step is -0.1, but has to be finite and more than 0 s");
    assert_eq!(
        refuse(&|builder| _ = builder.limit(-0.01)),
        "the strain limit of `certified` is -0.01, but has to be at least 1e-6"
    );
    assert!(refuse(&|builder| _ = builder.limit(f64::NAN)).contains("the strain limit of `certified` is NaN"));
    assert_eq!(
        of_cloth(&|cotton| cotton.density = -0.1),
        format!("cloth `flag`: the density of its material is -0.1 kg/m², {amount}")
    );
    assert!(of_cloth(&|cotton| cotton.density = f64::NAN).contains("is NaN kg/m²"));
    assert!(of_cloth(&|cotton| cotton.bending = f64::INFINITY).contains("its bending rigidity is inf N·m"));
    assert_eq!(of_ball(0.001, -0.3), format!("collider `second`: its friction is -0.3, {amount}"));
    assert!(of_ball(f64::NAN, 0.3).contains("its thickness is NaN m, but has to be finite and more than 0"));
    assert!(of_ball(1e-9, 0.3).contains("its thickness is 0.000000001 m, but has to be at least 1e-5 m"));
}

#[test]
fn cloth_that_is_none_and_names_that_mean_two_things_are_refused() {
    let refuse = |cloths: &[Cloth], names: &[&str]| {
        let mut builder = Simulation::builder();
        for cloth in cloths {
            builder.cloth(cloth.clone());
        }
        for name in names {
            builder.collider(Collider::shape(*name, Shape::Plane, DVec3::NEG_Y));
        }
        builder.build().unwrap_err().to_string()
    };
    assert_eq!(refuse(&[], &["floor"]), "there is no cloth: a simulation needs at least one");
    let empty = Cloth::new("flag", Mesh::default(), materials::find("cotton").unwrap().material());
    assert_eq!(refuse(&[empty], &[]), "cloth `flag`: the mesh has no vertices");
    let mut broken = small("flag");
    broken.mesh.faces[0][1] = 7;
    let message = refuse(&[broken], &[]);
    assert!(message.starts_with("cloth `flag`: ") && message.contains("face 0"), "{message}");
    let mut lost = small("flag");
    lost.start[2].y = f64::NAN;
    let message = refuse(&[lost], &[]);
    assert!(
        message.starts_with("cloth `flag`: the place where vertex 2 starts is [") && message.contains("NaN"),
        "{message}"
    );
    let two = [small("flag"), small("flag")];
    assert_eq!(refuse(&two, &[]), "two cloths are called `flag`: each needs a name of its own");
    let message = refuse(&two[..1], &["floor", "floor"]);
    assert_eq!(message, "two colliders are called `floor`: each needs a name of its own");
    // A model that was changed after it was built is looked at again.
    let (builder, ..) = hung();
    let simulation = builder.build().unwrap();
    let mut model = simulation.model().clone();
    model.gravity.z = f64::NAN;
    let refused = Simulation::new(model, simulation.settings().clone()).unwrap_err();
    assert!(refused.to_string().contains("gravity"), "{refused}");
}
