use std::f64::consts::TAU;

use muslin::State;
use muslin::report::StepReport;

use super::{Histogram, MotionTally, Probe, Tally, within_limit};
use crate::testing;

const G: f64 = 9.81;

/// The centre of mass follows `height`, in steps of `h`, for `duration`.
fn watch(height: impl Fn(f64) -> f64, h: f64, duration: f64) -> MotionTally {
    let mut tally = MotionTally::new(0.0, height(0.0));
    for step in 1..=(duration / h).round() as u64 {
        let time = step as f64 * h;
        tally.step(time, height(time));
    }
    tally
}

#[test]
fn free_fall_takes_the_time_of_the_formula() {
    let fall = watch(|t| 3.0 - 0.5 * G * t * t, 1e-3, 1.0).fall_s().unwrap();
    let exact = (0.5 / G).sqrt();
    // A chord of a parabola is off by at most g h²/8, at a speed of g t: h²/(8 t).
    let tolerance = 1e-6 / (8.0 * exact);
    assert!((fall - exact).abs() < tolerance, "{fall} instead of {exact}");
}

#[test]
fn what_does_not_fall_has_no_fall_and_no_rebound() {
    let tally = watch(|t| 0.1 * t, 0.01, 2.0);
    assert_eq!((tally.fall_s(), tally.rebound()), (None, None));
}

#[test]
fn rebound_is_the_fraction_of_the_fall_that_comes_back() {
    // Falls 1 m in 0.5 s, rises 0.6 m in the next 0.5 s.
    let height = |t: f64| if t <= 0.5 { -2.0 * t } else { -1.0 + 1.2 * (t - 0.5) };
    let rebound = watch(height, 0.01, 1.0).rebound().unwrap();
    assert!((rebound - 0.6).abs() < 1e-9, "{rebound}");
}

#[test]
fn rebound_follows_later_rises_and_forgets_lower_points_after_the_interval() {
    // Lowest of the first 0.9 s: -1 at 0.5 s. Then -1.5 at 1.5 s, and at last up to -0.2.
    let height = |t: f64| match t {
        t if t <= 0.5 => -2.0 * t,
        t if t <= 0.7 => -1.0 + (t - 0.5),
        t if t <= 1.5 => -0.8 - 0.875 * (t - 0.7),
        t => -1.5 + 1.3 * (t - 1.5),
    };
    let rebound = watch(height, 0.01, 2.5).rebound().unwrap();
    assert!((rebound - 0.8).abs() < 1e-9, "{rebound}");
}

#[test]
fn a_run_shorter_than_the_interval_has_no_rebound() {
    assert_eq!(watch(|t| -t, 0.01, 0.89).rebound(), None);
    // 90 sums of 0.01 need not be 0.9 to the last bit: the interval's last step still counts.
    assert_eq!(watch(|t| -t, 0.01, 0.9).rebound(), Some(0.0));
}

/// Follows one particle whose z is a cosine of the given period, for `duration`, in steps of `h`.
fn swing(period: f64, h: f64, duration: f64) -> Tally {
    let model = testing::model(&[("rod", 2)]);
    let mut state = State::start(&model);
    state.x[1].z = 1.0;
    let probe = Probe { name: "bob".to_owned(), particle: 1 };
    let first = testing::frame(&model, &state);
    let mut tally = Tally::new(&model, &state, 0.01, vec![probe], &first, &[0.0]);
    for step in 1..=(duration / h).round() as u64 {
        let time = step as f64 * h;
        let (sin, cos) = (TAU * time / period).sin_cos();
        state.x[1].z = cos;
        state.v[1].z = -TAU / period * sin;
        let mut report = StepReport::default();
        (report.step, report.time) = (step, time);
        tally.step(&model, &report, &[], &state);
    }
    tally
}

#[test]
fn a_cosine_has_its_period() {
    let tally = swing(2.36784, 1.0 / 300.0, 12.0);
    let [x, _, z] = tally.probes[0].swings;
    assert_eq!((x.period_s(), x.passages), (None, 0));
    assert_eq!(z.passages, 5);
    // A cosine is nearly straight in its middle: interpolation is off by less than h³ω²/10, and the middle itself,
    // known only from the steps, by less than h²ω²/8.
    let period = z.period_s().unwrap();
    assert!((period - 2.36784).abs() < 1e-5, "{period}");
}

#[test]
fn one_passage_makes_no_period() {
    let tally = swing(2.0, 0.01, 3.0);
    assert_eq!((tally.probes[0].swings[2].passages, tally.probes[0].swings[2].period_s()), (1, None));
}

#[test]
fn a_probe_knows_its_extremes_between_frames() {
    let probe = &swing(2.0, 0.01, 3.5).probes[0];
    assert!((probe.max.z - 1.0).abs() < 1e-12 && (probe.min.z + 1.0).abs() < 1e-12, "{probe:?}");
    assert!(probe.last.z.abs() < 1e-12, "{probe:?}");
}

#[test]
fn bins_cover_all_strains_and_split_at_zero() {
    let strains = [-0.004, -1e-9, 0.0, 0.0099, 0.01, 0.0101];
    let histogram = Histogram::of(&strains, 0.01, 3);
    assert_eq!(histogram.total(), 6);
    assert_eq!(histogram.width, 0.00125);
    assert_eq!(histogram.from, -4.0 * 0.00125);
    assert_eq!(histogram.counts, [1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 2]);
    assert_eq!(histogram.over_limit, 1);
}

#[test]
fn bins_widen_until_the_worst_edge_fits() {
    let histogram = Histogram::of(&[0.0, 3.7], 0.01, 0);
    assert!(histogram.counts.len() <= 64, "{}", histogram.counts.len());
    assert_eq!(histogram.counts.last(), Some(&1));
    assert_eq!(Histogram::of(&[], 0.0, 0).total(), 0);
}

#[test]
fn the_limit_has_room_for_rounding_only() {
    assert!(within_limit(0.01 + 1e-15, 0.01));
    assert!(within_limit(2e-16, 0.0));
    assert!(!within_limit(0.010_001, 0.01));
}

#[test]
fn the_worst_step_counts_even_between_frames() {
    let model = testing::two_cloths();
    let mut state = State::start(&model);
    let first = testing::frame(&model, &state);
    let mut tally = Tally::new(&model, &state, 0.01, Vec::new(), &first, &testing::strains(&model, &state));
    assert!(tally.strain.kept());
    let mut report = testing::step(&model, &mut state);
    report.worst_strain = 0.02;
    report.worst_edge = Some(3);
    tally.step(&model, &report, &[], &state);
    assert_eq!((tally.strain.worst.strain, tally.strain.worst_step.strain), (0.0, 0.02));
    assert_eq!((tally.strain.worst_step.at, tally.strain.worst_step.edge), (1, Some(3)));
    assert!(!tally.strain.kept());
}

#[test]
fn energy_out_of_nowhere_is_found_and_huge_values_stay_numbers() {
    let model = testing::two_cloths();
    let state = State::start(&model);
    let mut frame = testing::frame(&model, &state);
    let mut tally = Tally::new(&model, &state, 0.01, Vec::new(), &frame, &[]);
    for (number, kinetic) in [(1, 2.0), (2, 1.0), (3, 1.5), (4, 4.5), (5, 0.0)] {
        frame.energies.kinetic = kinetic;
        tally.frame(number, &model, &state, &frame, &[]);
    }
    assert_eq!((tally.energy.greatest_rise, tally.energy.greatest_rise_frame), (3.0, Some(4)));
    frame.energies.kinetic = f64::INFINITY;
    frame.energies.stretch = f64::INFINITY;
    tally.frame(6, &model, &state, &frame, &[]);
    assert!(tally.last.energies.total().is_finite());
    assert!(tally.energy.greatest_rise.is_finite());
}
