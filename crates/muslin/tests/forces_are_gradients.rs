//! Every elastic element: force = -∇energy, Hessian = -∂force, by central differences at random poses; the coordinate's
//! gradient likewise; and internal forces that add up to nothing, in force and in torque.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::Dice;
use glam::{DMat3, DVec3};
use muslin::forces::{AirTriangle, ChoiKo, Corner, Element, Hinge, Spring, SpringKind, half_angle_sine};

/// Step of the central differences [m]. Their error is of order 1e-11 relative for elements of size 1; rounding adds
/// 1e-16/1e-5, so 1e-6 relative is far above both and far below any wrong term.
const NUDGE: f64 = 1e-5;
const TOLERANCE: f64 = 1e-6;

fn nudged<const N: usize>(x: &[DVec3; N], particle: usize, axis: usize, by: f64) -> [DVec3; N] {
    let mut moved = *x;
    moved[particle][axis] += by;
    moved
}

fn check<const N: usize>(name: &str, element: &impl Element<N>, x: &[DVec3; N]) {
    let (force, hessian) = (element.force(x), element.hessian(x));
    let force_scale = force.iter().map(|f| f.length()).fold(1e-3, f64::max);
    let hessian_scale = hessian.iter().flatten().flat_map(DMat3::to_cols_array).fold(1e-3, |a: f64, b| a.max(b.abs()));
    for j in 0..N {
        for axis in 0..3 {
            let (plus, minus) = (nudged(x, j, axis, NUDGE), nudged(x, j, axis, -NUDGE));
            let slope = (element.energy(&plus) - element.energy(&minus)) / (2.0 * NUDGE);
            let gap = (force[j][axis] + slope).abs() / force_scale;
            assert!(gap < TOLERANCE, "{name}: force {} against -∇E {} at {x:?}", force[j][axis], -slope);
            let (after, before) = (element.force(&plus), element.force(&minus));
            for i in 0..N {
                let derivative = (after[i] - before[i]) / (-2.0 * NUDGE);
                let gap = (hessian[i][j].col(axis) - derivative).length() / hessian_scale;
                assert!(gap < TOLERANCE, "{name}: Hessian {i},{j} {} against {derivative}", hessian[i][j].col(axis));
            }
        }
    }
    check_momentum(name, &force, x);
    check_damper(name, element, x);
    check_safe_hessian(name, element, x);
}

fn check_momentum<const N: usize>(name: &str, force: &[DVec3; N], x: &[DVec3; N]) {
    let scale = force.iter().map(|f| f.length()).fold(1e-3, f64::max);
    let sum: DVec3 = force.iter().sum();
    let torque: DVec3 = force.iter().zip(x).map(|(f, x)| x.cross(*f)).sum();
    assert!(sum.length() < 1e-12 * scale, "{name}: forces add up to {sum}");
    assert!(torque.length() < 1e-11 * scale, "{name}: torques add up to {torque}");
}

/// The damper's force is the derivative of -½ c (dq/dt)² by velocity, and rigid motion feels none of it.
fn check_damper<const N: usize>(name: &str, element: &impl Element<N>, x: &[DVec3; N]) {
    let mut dice = Dice::new(7);
    let (drift, spin) = (dice.vector(1.0), dice.vector(1.0));
    let rigid = x.map(|x| drift + spin.cross(x));
    let gradient = element.gradient(x);
    let size = gradient.iter().map(|g| g.length()).fold(0.0, f64::max);
    for f in element.damping_force(x, &rigid) {
        assert!(f.length() < 1e-11 * (1.0 + size * size), "{name}: rigid motion is damped by {f}");
    }
    let v: [DVec3; N] = std::array::from_fn(|_| dice.vector(1.0));
    let power: f64 = element.damping_force(x, &v).iter().zip(&v).map(|(f, v)| f.dot(*v)).sum();
    let rate: f64 = gradient.iter().zip(&v).map(|(g, v)| g.dot(*v)).sum();
    assert!((power + element.damping() * rate * rate).abs() < 1e-9 * (1.0 + power.abs()), "{name}: power {power}");
}

/// Symmetric, and positive semidefinite along random directions.
fn check_safe_hessian<const N: usize>(name: &str, element: &impl Element<N>, x: &[DVec3; N]) {
    let safe = element.safe_hessian(x);
    let scale = safe.iter().flatten().flat_map(DMat3::to_cols_array).fold(1e-3, |a: f64, b| a.max(b.abs()));
    let mut dice = Dice::new(8);
    for _ in 0..50 {
        let d: [DVec3; N] = std::array::from_fn(|_| dice.vector(1.0));
        let curvature: f64 =
            (0..N).flat_map(|i| (0..N).map(move |j| (i, j))).map(|(i, j)| d[i].dot(safe[i][j] * d[j])).sum();
        assert!(curvature >= -1e-9 * scale, "{name}: curvature {curvature}");
    }
    for i in 0..N {
        for j in 0..N {
            let gap = safe[i][j] - safe[j][i].transpose();
            assert!(gap.to_cols_array().iter().all(|e| e.abs() < 1e-9 * scale), "{name}: unsymmetric at {i},{j}");
        }
    }
}

fn random_points<const N: usize>(dice: &mut Dice) -> [DVec3; N] {
    std::array::from_fn(|_| dice.vector(1.0))
}

#[test]
fn springs_of_any_rest_length() {
    let mut dice = Dice::new(1);
    for rest in [0.0, 0.1, 0.7, 2.5] {
        for _ in 0..50 {
            let x = random_points(&mut dice);
            let spring = Spring { a: 0, b: 1, rest, stiffness: 30.0, damping: 2.0, kind: SpringKind::Stretch };
            check("spring", &spring, &x);
        }
    }
}

#[test]
fn choi_ko_connections_stretched_and_buckled() {
    let mut dice = Dice::new(2);
    let element = ChoiKo::new(0, 1, 1.0, 0.02, 0.1);
    for _ in 0..200 {
        let from = dice.vector(1.0);
        // Clear of the two kinks, where the Hessian jumps: the rest length and the end of the passage, near 0.99.
        let length = if dice.number(0.0, 1.0) < 0.7 { dice.number(0.05, 0.98) } else { dice.number(1.001, 1.5) };
        check("choi-ko", &element, &[from, from + dice.vector(1.0).normalize() * length]);
    }
}

#[test]
fn choi_ko_force_is_continuous_and_has_the_buckling_load() {
    let (rest, bending) = (0.3, 0.004);
    let element = ChoiKo::new(0, 1, rest, bending, 0.0);
    let tension = |length: f64| element.force(&[DVec3::ZERO, DVec3::X * length])[0].x;
    let load = -12.0 * bending / (rest * rest);
    // A hundredth of compression brings the full load; from there the arc takes over, a little stiffer.
    assert!((tension(0.989 * rest) / load - 1.0).abs() < 0.01, "{} against {load}", tension(0.989 * rest));
    let lengths: Vec<f64> = (1..3000).map(|k| 0.0004 * rest * f64::from(k)).collect();
    for pair in lengths.windows(2) {
        let jump = (tension(pair[1]) - tension(pair[0])).abs();
        assert!(jump < 0.1 * load.abs(), "jump of {jump} N at {} m", pair[0]);
    }
    // Closed to a circle of circumference l0 (ends together): κ = 2π/l0 and f_b = -k_b κ².
    let kappa = std::f64::consts::TAU / rest;
    assert!((tension(1e-9) / (-bending * kappa * kappa) - 1.0).abs() < 1e-6);
}

#[test]
fn corners_at_any_angle() {
    let mut dice = Dice::new(3);
    for _ in 0..100 {
        check("corner", &Corner { particles: [0, 1, 2], stiffness: 2.0, damping: 0.3 }, &random_points(&mut dice));
    }
}

#[test]
fn hinges_with_any_rest_angle() {
    let mut dice = Dice::new(4);
    let mut tried = 0;
    while tried < 200 {
        let x: [DVec3; 4] = random_points(&mut dice);
        let hinge = Hinge { particles: [0, 1, 2, 3], stiffness: 1.5, rest_sine: dice.number(-0.9, 0.9), damping: 0.2 };
        // Poses with a thin triangle or folded onto itself (where the sign of the angle jumps) have no derivative
        // there.
        let heights = [(x[0] - x[2]).cross(x[0] - x[3]).length(), (x[1] - x[3]).cross(x[1] - x[2]).length()];
        let thin = heights.iter().any(|h| *h < 0.3) || (x[3] - x[2]).length() < 0.3;
        if thin || half_angle_sine(&x).unwrap().abs() > 0.98 {
            continue;
        }
        check("hinge", &hinge, &x);
        tried += 1;
    }
}

#[test]
fn hinges_that_are_flat_or_nearly_so() {
    for angle in [0.0, 1e-9, 1e-6, 1e-3, 0.999e-3, 1.001e-3, 0.01] {
        let x = [
            DVec3::new(-1.0, 0.1, 0.0),
            DVec3::new(libm::cos(angle), 0.2 + 0.0 * angle, libm::sin(angle)),
            DVec3::ZERO,
            DVec3::Y,
        ];
        let sine = half_angle_sine(&x).unwrap();
        assert!((sine.abs() - libm::sin(0.5 * angle)).abs() < 1e-15, "{sine} at {angle}");
        check("flat hinge", &Hinge { particles: [0, 1, 2, 3], stiffness: 1.0, rest_sine: 0.0, damping: 0.0 }, &x);
    }
}

#[test]
fn degenerate_elements_exert_no_force() {
    let p = DVec3::new(0.3, 0.2, 0.1);
    let spring = Spring { a: 0, b: 1, rest: 1.0, stiffness: 1.0, damping: 1.0, kind: SpringKind::Stretch };
    assert_eq!(spring.force(&[p; 2]), [DVec3::ZERO; 2]);
    assert_eq!(spring.safe_hessian(&[p; 2]), [[DMat3::ZERO; 2]; 2]);
    let corner = Corner { particles: [0, 1, 2], stiffness: 1.0, damping: 1.0 };
    assert_eq!(corner.force(&[p, p * 2.0, p * 3.0]), [DVec3::ZERO; 3]);
    assert_eq!(corner.force(&[p, p, p]), [DVec3::ZERO; 3]);
    let hinge = Hinge { particles: [0, 1, 2, 3], stiffness: 1.0, rest_sine: 0.5, damping: 1.0 };
    assert_eq!(hinge.force(&[p, p * 2.0, p * 3.0, DVec3::ZERO]), [DVec3::ZERO; 4]);
    assert_eq!(hinge.energy(&[p; 4]), 0.0);
}

#[test]
fn air_drag_takes_energy_and_follows_the_square_of_speed() {
    let mut dice = Dice::new(5);
    let triangle = AirTriangle { particles: [0, 1, 2], drag: 1.1, skin_drag: 0.02 };
    for _ in 0..50 {
        let x = random_points(&mut dice);
        let v = dice.vector(3.0);
        let drag = |v: DVec3| triangle.drag_matrix(1.2, &x, v) * v;
        assert!(drag(v).dot(v) >= 0.0, "the air gives energy");
        assert!((drag(2.0 * v) - 4.0 * drag(v)).length() < 1e-12 * drag(v).length().max(1.0));
    }
    // Head-on: ½ ρ C A v².
    let x = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let force = triangle.drag_matrix(1.2, &x, DVec3::Z * 3.0) * (DVec3::Z * 3.0);
    assert!((force - DVec3::Z * (0.5 * 1.2 * 1.1 * 0.5 * 9.0)).length() < 1e-12, "{force}");
}
