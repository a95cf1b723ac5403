//! The walk: legs that swing about the hips and bend at the knees, by angles that fade in along the leg.
//!
//! ```text
//! hip: θ = ∓A m sin φ     knee: κ = K m ((1 ± cos φ)/2)²     φ = 2π f t     m(t) = smooth(t/T)
//! x' = turn(hip, w_leg(y) θ) turn(knee, w_shin(y) κ) x + bob + v ∫m
//! ```
//!
//! A, K greatest angles [rad], f strides a second [1/s], T time of setting off [s], upper signs for the left leg, at
//! positive x. All turns are about axes along x, so that x never changes and the legs stay apart. The weights w fade
//! over so long a path that no part of the surface folds over another: greatest slope of an angle times distance from
//! the axis stays under 1. v is the mean speed at which the foot on the ground goes back.

use std::f64::consts::TAU;

use glam::DVec3;

use super::body::{HIP, KNEE};

/// Shapes of the cache per second [1/s].
pub(super) const SHAPES_PER_SECOND: f64 = 30.0;
/// Length of the walk [s].
const DURATION: f64 = 2.4;
/// Strides a second [1/s].
const STRIDES: f64 = 0.7;
/// Greatest angle at the hip [rad].
const SWING: f64 = 0.34;
/// Greatest angle at the knee [rad].
const BEND: f64 = 0.7;
/// Time to set off [s].
const SETTING_OFF: f64 = 0.8;

/// The vertices at every moment of the cache [m].
pub(super) fn shapes(standing: &[DVec3]) -> Vec<Vec<DVec3>> {
    let count = (DURATION * SHAPES_PER_SECOND).round() as u32;
    (0..=count).map(|shape| shape_at(standing, f64::from(shape) / SHAPES_PER_SECOND)).collect()
}

fn shape_at(standing: &[DVec3], time: f64) -> Vec<DVec3> {
    let m = smooth(time / SETTING_OFF);
    let (sin, cos) = libm::sincos(TAU * STRIDES * time);
    let lifted = |phase: f64| BEND * m * (0.5 * (1.0 + phase)) * (0.5 * (1.0 + phase));
    let left = (-SWING * m * sin, lifted(cos));
    let right = (SWING * m * sin, lifted(-cos));
    // The leg on the ground is straight: the hips sink as it slants.
    let bob = -HIP * (1.0 - libm::cos(SWING * m * sin));
    let shift = DVec3::new(0.0, bob, distance(time));
    standing.iter().map(|&x| shift + posed(x, left, right)).collect()
}

/// A vertex of the standing figure when each leg has its angles at hip and knee [rad].
fn posed(x: DVec3, left: (f64, f64), right: (f64, f64)) -> DVec3 {
    let fraction = smooth(0.5 + x.x / 0.06);
    let mix = |left: f64, right: f64| fraction * left + (1.0 - fraction) * right;
    let leg = smooth((0.54 - x.y) / 0.16);
    let shin = smooth((KNEE + 0.07 - x.y) / 0.14);
    let bent = turned(x, KNEE, shin * mix(left.1, right.1));
    turned(bent, HIP, leg * mix(left.0, right.0))
}

/// Turned about an axis along x at a height [m]; positive angles take what is below the axis backwards.
fn turned(x: DVec3, height: f64, angle: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(angle);
    let y = x.y - height;
    DVec3::new(x.x, height + y * cos - x.z * sin, y * sin + x.z * cos)
}

/// How far it has walked [m]: v times the integral of m, which is s³ - s⁴/2 times T while it sets off.
fn distance(time: f64) -> f64 {
    let speed = 4.0 * HIP * libm::sin(SWING) * STRIDES;
    let s = (time / SETTING_OFF).min(1.0);
    speed * (SETTING_OFF * s * s * s * (1.0 - 0.5 * s) + (time - SETTING_OFF).max(0.0))
}

/// From 0 to 1 as s does, with level ends.
fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}
