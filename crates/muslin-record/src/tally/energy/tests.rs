use std::f64::consts::TAU;

use muslin::ClothEnergy;
use muslin::stuck::Imbalance;
use muslin::{Model, State};

use super::{ClothTally, LONG_SPAN, Moment, SHORT_SPAN, Scale};
use crate::tally::balance::StillTally;
use crate::testing;

/// A cloth of 10 N and 1 m: 1 mJ is allowed without any motion.
const SCALE: Scale = Scale { mass: 1.0, weight: 10.0, size: 1.0 };
const STEP: f64 = 1.0 / 120.0;

/// Kinetic energy, potential energy and work of a step at a time.
type Series<'a> = &'a dyn Fn(f64) -> (f64, f64, Option<f64>);

fn energy((kinetic, potential, work): (f64, f64, Option<f64>)) -> ClothEnergy {
    ClothEnergy { kinetic, potential, springs: 0.0, work }
}

fn add(tally: &mut ClothTally, steps: std::ops::RangeInclusive<u64>, series: Series<'_>) {
    for step in steps {
        let time = step as f64 * STEP;
        tally.step(Moment { frame: step.div_ceil(4), step, time }, &energy(series(time)));
    }
}

/// Watches a series for a time [s].
fn watch(duration: f64, series: Series<'_>) -> ClothTally {
    let mut tally = ClothTally::new(SCALE, 0.0, &energy(series(0.0)));
    add(&mut tally, 1..=(duration / STEP).round() as u64, series);
    tally
}

/// A swing of 1 J and 1 Hz whose energy is more than it should be by so much [J], with no work done on it.
fn swing(time: f64, more: f64) -> (f64, f64, Option<f64>) {
    let kinetic = square((TAU * time).sin());
    (kinetic, 1.0 - kinetic + more, Some(0.0))
}

fn square(value: f64) -> f64 {
    value * value
}

#[test]
fn a_swing_whose_energy_oscillates_is_kept() {
    // Up and down by 0.4 %, as with a good method; the total falls slowly.
    let tally = watch(20.0, &|t| swing(t, 0.004 * (3.0 * TAU * t).sin() - 1e-3 * t));
    assert_eq!((tally.kept(), tally.judged_steps, tally.unjudged_steps), (Some(true), 2400, 0));
}

#[test]
fn a_single_hop_is_found_with_its_step_and_frame() {
    let tally = watch(8.0, &|t| swing(t, if t >= 3.0 { 0.03 } else { 0.0 }));
    let worst = tally.worst.unwrap();
    assert_eq!((tally.kept(), worst.within, worst.step, worst.frame), (Some(false), SHORT_SPAN, 360, 90));
    assert!((worst.rise - 0.03).abs() < 1e-9 && (worst.allowed - 0.01).abs() < 1e-9, "{worst:?}");
}

#[test]
fn what_is_allowed_follows_the_motion_of_the_last_five_seconds() {
    // The same 1.5 mJ: next to nothing after a swing of 1 J, too much for what has been at rest for longer.
    let hop = |at: f64| move |t: f64| (if t < 1.0 { 1.0 } else { 0.0 }, if t >= at { 0.0015 } else { 0.0 }, Some(0.0));
    let start_fell = |at: f64| {
        move |t: f64| {
            let (kinetic, hop, work) = hop(at)(t);
            (kinetic, 1.0 - kinetic + hop, work)
        }
    };
    assert_eq!(watch(10.0, &start_fell(5.0)).kept(), Some(true));
    assert_eq!(watch(10.0, &start_fell(7.0)).kept(), Some(false));
}

#[test]
fn energy_that_creeps_up_is_found_over_seconds() {
    // 2 % of the kinetic energy in 10 s is never more than 0.1 % in half a second, and 1 % in five.
    assert_eq!(watch(20.0, &|t| swing(t, 0.002 * t)).kept(), Some(true));
    let tally = watch(20.0, &|t| swing(t, 0.006 * t));
    let worst = tally.worst.unwrap();
    assert_eq!((tally.kept(), worst.within), (Some(false), LONG_SPAN));
    // Found as soon as there is a half second to compare with, five seconds earlier.
    assert!((worst.rise - 0.03).abs() < 0.004 && worst.time < 20.1, "{worst:?}");
}

#[test]
fn work_from_outside_explains_what_energy_does() {
    // Lifted by 2 J/s; slowed down by drag of 1 J/s.
    for power in [2.0, -1.0] {
        let known = watch(8.0, &|t| (0.1, power * t, Some(power * STEP)));
        assert_eq!(known.kept(), Some(true));
        let silent = watch(8.0, &|t| (0.1, power * t, Some(0.0)));
        assert_eq!(silent.kept(), Some(power < 0.0));
    }
    // Work that is said to have been done on a cloth and has taken energy from it instead breaks nothing; the reverse
    // does.
    assert_eq!(watch(8.0, &|t| (0.1, -t, Some(STEP))).kept(), Some(true));
    assert_eq!(watch(8.0, &|_| (0.1, 0.0, Some(-STEP))).kept(), Some(false));
}

#[test]
fn springs_hold_what_the_motion_has_given_them() {
    let with_springs =
        |kinetic: f64, springs: f64| ClothEnergy { kinetic, potential: springs, springs, work: Some(0.0) };
    let watch = |series: &dyn Fn(f64) -> ClothEnergy| {
        let mut tally = ClothTally::new(SCALE, 0.0, &series(0.0));
        for step in 1..=960_u64 {
            let time = step as f64 * STEP;
            tally.step(Moment { frame: step.div_ceil(4), step, time }, &series(time));
        }
        tally.kept()
    };
    // Motion and springs pass 1 J to and fro.
    assert_eq!(watch(&|t| with_springs(square((TAU * t).sin()), square((TAU * t).cos()))), Some(true));
    // The same with springs that hold a fifth more than they were given.
    assert_eq!(watch(&|t| with_springs(square((TAU * t).cos()), 1.2 * square((TAU * t).sin()))), Some(true));
    // Springs claim 0.5 J that no motion gave them, and keep it or lose it.
    assert_eq!(watch(&|t| with_springs(1.0, if t > 2.0 { 0.5 } else { 0.0 })), Some(true));
    assert_eq!(watch(&|t| with_springs(1.0, if t > 2.0 && t < 4.0 { 0.5 } else { 0.0 })), Some(true));
    // The same, and the motion gets it.
    assert_eq!(
        watch(&|t| with_springs(if t < 4.0 { 1.0 } else { 1.5 }, if t > 2.0 && t < 4.0 { 0.5 } else { 0.0 })),
        Some(false)
    );
    // What is stored at the start may come back.
    assert_eq!(watch(&|t| with_springs(if t < 4.0 { 0.0 } else { 1.0 }, if t < 4.0 { 1.0 } else { 0.0 })), Some(true));
}

#[test]
fn steps_without_account_are_not_judged_and_the_comparison_starts_over() {
    let carried = |t: f64| (0.0, t, (t > 2.0).then_some(0.0).filter(|_| t > 4.0));
    let tally = watch(4.0, &carried);
    assert_eq!((tally.kept(), tally.judged_steps, tally.unjudged_steps), (None, 0, 480));
    // Let go at 4 s: from then on it has to keep what it has.
    let tally = watch(8.0, &|t: f64| (0.0, t.min(4.0), (t > 4.0 + 1e-9).then_some(0.0)));
    assert_eq!((tally.kept(), tally.judged_steps, tally.unjudged_steps), (Some(true), 480, 480));
    assert_eq!(watch(8.0, &carried).kept(), Some(false));
}

#[test]
fn long_steps_are_compared_with_the_step_before() {
    let mut tally = ClothTally::new(SCALE, 0.0, &energy((0.0, 0.0, None)));
    for step in 1..=8 {
        let (time, kinetic) = (step as f64, if step == 4 { 1.0 } else { 0.0 });
        tally.step(Moment { frame: step, step, time }, &energy((kinetic, 0.0, Some(0.0))));
    }
    assert_eq!((tally.kept(), tally.worst.unwrap().step), (Some(false), 4));
}

#[test]
fn huge_energies_stay_numbers() {
    let tally = watch(1.0, &|t| (if t > 0.5 { f64::INFINITY } else { 0.0 }, 0.0, Some(0.0)));
    let worst = tally.worst.unwrap();
    assert!(tally.kept() == Some(false) && worst.rise.is_finite() && worst.allowed.is_finite(), "{worst:?}");
}

#[test]
fn a_tally_that_was_stored_goes_on_as_if_it_had_not_been() {
    let series = |t: f64| swing(t, 0.004 * t + 0.002 * (7.0 * t).sin());
    let whole = watch(12.0, &series);
    let first = watch(6.7, &series);
    let bytes = postcard::to_allocvec(&first).unwrap();
    let mut parts: ClothTally = postcard::from_bytes(&bytes).unwrap();
    add(&mut parts, (6.7 / STEP).round() as u64 + 1..=(12.0 / STEP).round() as u64, &series);
    assert_eq!(parts, whole);
}

/// Thirty frames a second that are out of balance by these fractions; none: moving.
fn stand(fractions: &[Option<f64>]) -> StillTally {
    let model: Model = testing::two_cloths();
    let mut state = State::start(&model);
    let mut tally = StillTally::default();
    for (frame, fraction) in fractions.iter().enumerate() {
        state.time = frame as f64 / 30.0;
        tally.frame(frame as u64, &state, fraction.map(|fraction| Imbalance { fraction, particle: 2 }));
    }
    tally
}

#[test]
fn cloth_is_stuck_after_half_a_second_out_of_balance() {
    let (moving, calm, out) = (None, Some(0.01), Some(0.3));
    let spell = |count: usize| std::iter::repeat_n(out, count);
    let fractions = |first, count| [first; 10].into_iter().chain(spell(count)).collect::<Vec<_>>();
    assert_eq!(stand(&fractions(moving, 15)).stuck, None);
    for first in [moving, calm] {
        let stuck = stand(&fractions(first, 16)).stuck.unwrap();
        assert_eq!((stuck.frame, stuck.imbalance, stuck.particle), (10, 0.3, 2));
        assert!((stuck.since - 1.0 / 3.0).abs() < 1e-12);
    }
    // Out of balance for a moment, as at the turn of a swing, again and again.
    let turns: Vec<_> = (0..8).flat_map(|_| spell(12).chain([moving])).collect();
    assert_eq!(stand(&turns).stuck, None);
}

#[test]
fn only_cloth_that_hardly_moves_is_asked_for_its_balance() {
    let tally = StillTally::default();
    assert!(tally.asks(0.9e-6, 1.0) && !tally.asks(1.1e-6, 1.0) && tally.asks(0.0, 0.0));
}
