//! The limiter `certified`: its limit holds after every step, to the bit, whatever holds the cloth and however it is
//! stepped.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::certify::{carried, certified, certified_alone, refused, rope, shaken, watch};
use common::*;
use glam::DVec3;
use muslin::mesh::Diagonals;
use muslin::model::{Damping, Hold, Material, Pin};
use muslin::settings::{Certified, LimitMethod};
use muslin::{Model, State, StepError, Stepper, materials};

const FRAME: f64 = 1.0 / 120.0;

/// A bare sheet that hangs by two corners, flat and taut at the start.
fn hanging(side: u32) -> Model {
    build(vec![sheet(side, bare(), vec![pin(vec![0, side - 1])])])
}

#[test]
fn the_limit_holds_from_a_tenth_to_a_ten_thousandth() {
    for (stretch, side) in [(0.1, 17), (0.01, 17), (0.001, 17), (0.0001, 9)] {
        for (fabric, name) in [(bare(), "bare"), (surface(damped()), "cloth with every resistance")] {
            let model = build(vec![sheet(side, fabric, vec![pin(vec![0, side - 1])])]);
            let run = watch(&format!("{name}, {stretch}"), &model, &certified(stretch, FRAME), 0.6);
            // Looser limits than 1 % take no fewer substeps.
            assert!(run.worst > 0.3 * stretch.min(0.01), "never near the limit: {}", run.worst);
        }
    }
}

/// A strip of length L and weight ρ g L per width that hangs from its upper side is longer by ρ g L²/2Y.
#[test]
fn soft_cloth_stretches_below_its_limit_as_its_springs_let_it() {
    let (density, stiffness) = (1.0, 220.0);
    let damping = Damping { mass: 4.0, ..damped().damping };
    let soft = Material { density, stretch_warp: stiffness, stretch_weft: stiffness, damping, ..elastic() };
    let mut strip = cloth(grid([0.2, 1.0], [5, 21], Diagonals::One), surface(soft), vec![pin((0..5).collect())]);
    let down = |x: &DVec3| DVec3::new(x.x, -x.z, 0.0);
    strip.start = strip.mesh.positions.iter().map(down).collect();
    let model = build(vec![strip]);
    let elongation = |stretch: f64| {
        let end = simulate(&model, &certified(stretch, 1.0 / 60.0), 4.0);
        let lower = end.x[100..].iter().map(|x| -x.y).sum::<f64>() / 5.0;
        lower - 1.0
    };
    let own = density * 9.81 / (2.0 * stiffness);
    for stretch in [0.1, 0.5] {
        let measured = elongation(stretch);
        assert!((measured / own - 1.0).abs() < 0.1, "longer by {measured} m within a limit of {stretch}, not by {own}");
    }
    let limited = elongation(0.01);
    assert!(limited < 0.01, "longer by {limited} m within a limit of 1 %");
}

#[test]
fn the_limit_holds_on_an_irregular_triangulation() {
    for fabric in [bare(), surface(elastic())] {
        let model = build(vec![cloth(irregular(13, 3), fabric, vec![pin(vec![0, 12])])]);
        let run = watch("irregular", &model, &certified(0.01, FRAME), 0.8);
        assert!(run.worst > 0.004, "never near the limit: {}", run.worst);
    }
}

#[test]
fn the_limit_holds_by_a_single_pin_and_by_none() {
    for (stretch, fabric) in [(0.01, bare()), (0.001, surface(elastic()))] {
        let model = build(vec![sheet(13, fabric.clone(), vec![pin(vec![0])])]);
        watch("a single pin", &model, &certified(stretch, FRAME), 0.8);
        let mut free = sheet(13, fabric, vec![]);
        for (x, v) in free.start.iter().zip(&mut free.start_velocity) {
            *v = DVec3::new(1.0, 8.0, 2.0).cross(*x - DVec3::new(0.5, 0.0, 0.5));
        }
        watch("a free spin", &build_weightless(vec![free.clone()]), &certified(stretch, FRAME), 0.8);
        watch("a free fall", &build(vec![free]), &certified(stretch, FRAME), 0.8);
    }
}

#[test]
fn the_limit_holds_at_24_and_at_240_steps_a_second() {
    for rate in [24.0, 240.0] {
        let run = watch(&format!("{rate} steps"), &hanging(15), &certified(0.01, 1.0 / rate), 1.0);
        assert!(run.worst > 0.004, "never near the limit: {}", run.worst);
    }
}

#[test]
fn the_limit_holds_with_a_hem_or_a_yoke_a_thousand_times_as_heavy() {
    for (name, heavy) in [("hem", 110..121), ("yoke", 0..33)] {
        let mut model = hanging(11);
        model.mass[heavy].iter_mut().for_each(|mass| *mass *= 1000.0);
        watch(name, &model, &certified(0.01, FRAME), 1.0);
    }
}

#[test]
fn the_limit_holds_with_light_and_heavy_particles_side_by_side() {
    for rate in [24.0, 30.0, 60.0, 120.0, 240.0] {
        let mut model = hanging(11);
        model.mass.iter_mut().skip(1).step_by(2).for_each(|mass| *mass *= 1000.0);
        watch(&format!("1 : 1000 at {rate} steps"), &model, &certified(0.01, 1.0 / rate), 2.0);
    }
}

#[test]
fn the_limit_holds_with_pins_shaken_at_two_metres_a_second() {
    for direction in [DVec3::X, DVec3::Y, DVec3::Z] {
        let model = build(vec![sheet(13, bare(), vec![carried(vec![0, 12], &shaken(direction))])]);
        watch(&format!("shaken along {direction}"), &model, &certified(0.01, FRAME), 0.8);
    }
    // One pin alone: the sheet goes slack and is pulled taut again, without slack between the pins.
    let pins = vec![pin(vec![0]), carried(vec![12], &shaken(DVec3::NEG_X))];
    watch("jerked", &build(vec![sheet(13, bare(), pins)]), &certified(0.01, FRAME), 0.8);
}

/// A gale of 40 m/s draws at silk with a thousand times its weight, and all of it hangs on the straight row between the
/// pins.
#[test]
fn the_limit_holds_in_a_gale() {
    let silk = surface(materials::find("silk").unwrap().material());
    let mut model = build(vec![sheet(21, silk, vec![pin(vec![0, 20])])]);
    model.air.wind = DVec3::Y * 40.0;
    let run = watch("silk in a gale", &model, &certified(0.01, 1.0 / 240.0), 0.3);
    let middle = run.state.x[220];
    assert!(middle.y > 0.3, "the gale does not lift it: {middle}");
}

#[test]
fn the_limit_holds_on_rails_and_planes_and_they_are_kept() {
    let hold = |particles, hold| Pin { particles, hold, release: None };
    let pins = vec![
        carried(vec![0], &[(0.0, DVec3::ZERO), (0.5, DVec3::new(0.0, 0.3, 0.0))]),
        hold(vec![10], Hold::Line(DVec3::X)),
        hold(vec![120], Hold::Plane(DVec3::Y)),
    ];
    let model = build(vec![sheet(11, bare(), pins)]);
    let end = watch("guided", &model, &certified(0.01, FRAME), 0.8).state;
    // Steps add up positions, each with its rounding: a hundred of them at one metre.
    let off_rail = (end.x[10] - model.start[10]) * DVec3::new(0.0, 1.0, 1.0);
    assert!(off_rail.length() < 1e-13 && end.x[120].y.abs() < 1e-13, "{off_rail}, {}", end.x[120].y);
    assert!((end.x[10] - model.start[10]).length() > 0.01, "the rail's end never moved");
    let curtain = vec![hold((0..11).collect(), Hold::Line(DVec3::X)), pin(vec![60])];
    watch("a curtain", &build(vec![sheet(11, bare(), curtain)]), &certified(0.01, FRAME), 0.8);
}

#[test]
fn the_limit_holds_for_chains_and_for_several_cloths_at_once() {
    let run = watch("a rope", &build(vec![rope(60)]), &certified(0.001, FRAME), 0.8);
    assert!(run.worst > 0.0003, "never near the limit: {}", run.worst);
    let cloths = vec![
        sheet(9, bare(), vec![pin(vec![0, 8])]),
        cloth(irregular(9, 8), surface(elastic()), vec![pin(vec![40])]),
        rope(9),
        sheet(7, surface(damped()), vec![]),
    ];
    // They start in the same place.
    watch("four at once", &build(cloths), &certified_alone(0.01, FRAME), 0.8);
}

#[test]
fn the_limit_holds_with_and_without_tethers_though_the_motion_differs() {
    let with = certified(0.01, FRAME);
    let mut without = with.clone();
    without.limiter.method = LimitMethod::Certified(Certified { tethers: false, ..Certified::default() });
    let pins = || vec![pin(vec![0]), carried(vec![14], &shaken(DVec3::new(-0.5, 0.0, 0.5)))];
    let models = [hanging(15), build(vec![sheet(15, bare(), pins())])];
    for model in models {
        let (with, without) = (watch("with", &model, &with, 0.6), watch("without", &model, &without, 0.6));
        assert!(with.state != without.state, "tethers never did anything");
    }
}

/// A sheet whose second corner is pulled away at half a metre a second.
fn torn() -> Model {
    let away = carried(vec![8], &[(0.0, DVec3::ZERO), (1.0, DVec3::new(0.5, 0.0, 0.0))]);
    build(vec![sheet(9, bare(), vec![pin(vec![0]), away])])
}

#[test]
fn pins_that_cannot_be_reached_are_named_and_the_state_stays_as_it_was() {
    let (model, settings) = (torn(), certified(0.01, FRAME));
    let (mut state, error) = refused(&model, &settings, 0.1);
    let StepError::Unkept { step, limit, edges, apart, .. } = &error else { panic!("{error}") };
    assert_eq!((*step, *limit), (state.step + 1, 0.01));
    assert!(!edges.is_empty() && edges.iter().all(|edge| edge.strain > 0.01), "{edges:?}");
    let apart = apart.unwrap();
    assert_eq!([apart.first.min(apart.second), apart.first.max(apart.second)], [0, 8]);
    assert!((apart.reach - 1.01).abs() < 1e-12 && apart.distance > apart.reach, "{apart:?}");
    // 0.5 m/s for 0.02 s take up the slack of 1 %: steps that end before are kept.
    assert_eq!(state.step, 2, "refused at {} s", state.time);
    assert_eq!(Stepper::new(&model, &settings).step(&model, &mut state, ()), Err(error), "the same error again");
}

#[test]
fn a_flat_taut_start_and_degenerate_starts_give_finite_numbers() {
    for stretch in [0.1, 1e-3] {
        let mut weightless = hanging(9);
        weightless.gravity = DVec3::ZERO;
        watch("taut and weightless", &weightless, &certified(stretch, FRAME), 0.1);
        let mut crumpled = hanging(9);
        for (i, place) in crumpled.start.iter_mut().enumerate() {
            if i != 8 {
                *place = DVec3::ZERO;
            }
        }
        crumpled.start[8] = DVec3::new(0.05, 0.0, 0.0);
        // Cloth that starts tangled cannot be kept from passing through itself.
        watch("all in one point", &crumpled, &certified_alone(stretch, FRAME), 0.5);
    }
}

#[test]
fn a_start_over_the_limit_is_brought_back_by_the_first_step() {
    for scale in [1.02, 1.5] {
        let mut model = build(vec![sheet(9, bare(), vec![pin(vec![0])])]);
        model.start.iter_mut().for_each(|place| *place *= scale);
        watch(&format!("{scale} times as large"), &model, &certified(0.01, FRAME), 0.3);
    }
}

#[test]
fn one_thread_and_two_give_the_same_bits() {
    let model = build(vec![sheet(21, surface(damped()), vec![pin(vec![0, 20])]), rope(9)]);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| simulate(&model, &certified(0.01, FRAME), 0.3).hash())
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn a_new_stepper_at_any_step_gives_the_same_bits() {
    // With a pin that is let go on the way, and pins that move.
    let mut pins = vec![pin(vec![0]), carried(vec![12], &shaken(DVec3::NEG_X))];
    pins[0].release = Some(0.25);
    let model = build(vec![sheet(13, bare(), pins)]);
    let settings = certified(0.01, FRAME);
    let whole = watch("whole", &model, &settings, 0.5).state;
    let mut state = State::start(&model);
    for _ in 0..60 {
        Stepper::new(&model, &settings).step(&model, &mut state, ()).unwrap();
    }
    assert!(state == whole, "they part");
    assert!((whole.x[0] - model.start[0]).length() > 0.05, "the pin still holds");
}

#[test]
fn cloths_side_by_side_move_to_the_same_bits_as_alone() {
    // Of different sizes and limits of their own numbers of substeps, some in trouble: none delays the others.
    let shift = |mut cloth: muslin::model::Cloth, by: f64| {
        cloth.start.iter_mut().for_each(|x| x.z += by);
        cloth
    };
    let jerked = vec![pin(vec![0]), carried(vec![12], &shaken(DVec3::NEG_X))];
    let cloths = [
        sheet(9, bare(), vec![pin(vec![0, 8])]),
        shift(sheet(13, bare(), jerked), 3.0),
        shift(cloth(irregular(9, 8), surface(elastic()), vec![pin(vec![40])]), 6.0),
    ];
    let settings = certified(0.01, FRAME);
    let all = watch("all", &build(cloths.to_vec()), &settings, 0.5).state;
    let mut first = 0;
    for alone in cloths {
        let alone = watch("alone", &build(vec![alone]), &settings, 0.5).state;
        assert_eq!(all.x[first..first + alone.x.len()], alone.x[..]);
        assert_eq!(all.v[first..first + alone.v.len()], alone.v[..]);
        first += alone.x.len();
    }
}
