//! The standing figure as the zero of a function: limbs that taper, melted together where they meet.
//!
//! ```text
//! limb: |x - p(t)| - r(t),  p(t) the nearest point of the bone, r from end to end
//! melt(a, b) = min(a, b) - k h²/4,   h = max(1 - |a - b|/k, 0)
//! ```
//!
//! k reach of the melt [m]. It faces +z, is a metre high, and is its own mirror image in x = 0. There are no arms:
//! cloth would be caught under them. Legs melt into the trunk, not into each other, and stand 6 cm apart.

use glam::DVec3;
use muslin::collide::closest_on_segment;

/// Height of the hips' axis above the ground [m].
pub(super) const HIP: f64 = 0.46;
/// Height of the knees [m].
pub(super) const KNEE: f64 = 0.25;
/// Distance of each leg's bone from the middle [m].
const APART: f64 = 0.09;

/// How far from the figure's surface a point is, roughly [m]; negative inside.
pub(super) fn distance(x: DVec3) -> f64 {
    let mirrored = DVec3::new(x.x.abs(), x.y, x.z);
    // The other leg is never nearer.
    melt(trunk(mirrored), leg(mirrored), 0.05)
}

fn trunk(x: DVec3) -> f64 {
    let point = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let belly = limb(x, point(0.0, 0.52), point(0.0, 0.68), 0.115, 0.12);
    let hips = limb(x, point(0.0, 0.49), point(0.07, 0.48), 0.095, 0.085);
    let shoulders = limb(x, point(0.0, 0.72), point(0.12, 0.71), 0.095, 0.075);
    let neck = limb(x, point(0.0, 0.72), point(0.0, 0.86), 0.07, 0.06);
    let head = limb(x, point(0.0, 0.895), point(0.0, 0.91), 0.088, 0.09);
    let chest = melt(melt(belly, hips, 0.05), shoulders, 0.06);
    melt(melt(chest, neck, 0.05), head, 0.04)
}

fn leg(x: DVec3) -> f64 {
    let point = |y: f64, z: f64| DVec3::new(APART, y, z);
    let thigh = limb(x, point(HIP, 0.0), point(KNEE, 0.0), 0.06, 0.052);
    let shin = limb(x, point(KNEE, 0.0), point(0.06, 0.0), 0.052, 0.045);
    let foot = limb(x, point(0.05, -0.01), point(0.045, 0.09), 0.045, 0.04);
    melt(melt(thigh, shin, 0.02), foot, 0.03)
}

/// A bone from `a` to `b` with flesh around it [m].
fn limb(x: DVec3, a: DVec3, b: DVec3, at_a: f64, at_b: f64) -> f64 {
    let t = closest_on_segment(x, a, b);
    x.distance(a + t * (b - a)) - (at_a + t * (at_b - at_a))
}

fn melt(a: f64, b: f64, k: f64) -> f64 {
    let h = (1.0 - (a - b).abs() / k).max(0.0);
    a.min(b) - 0.25 * k * h * h
}
