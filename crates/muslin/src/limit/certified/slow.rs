//! Motion given up for energy.

use glam::DVec3;

/// Scales what velocities differ from `calm` by, so that the kinetic energy shrinks by `energy` [J]; returns what is still
/// owed where no scale brings so much [J].
///
/// ```text
/// E(s) = ½ Σ m |c + s (v - c)|² = A s² + B s + C,   E(1) - E(s) = energy,   A = ½ Σ m |v - c|²,   B = Σ m c · (v - c)
/// ```
pub(super) fn slow_down(mass: &[f64], calm: &[DVec3], energy: f64, v: &mut [DVec3]) -> f64 {
    let (mut a, mut b) = (0.0, 0.0);
    for ((mass, calm), v) in mass.iter().zip(calm).zip(&*v) {
        let inner = *v - *calm;
        a += 0.5 * mass * inner.length_squared();
        b += mass * calm.dot(inner);
    }
    if !(energy > 0.0) || !(a > 0.0) {
        return energy.max(0.0);
    }
    let least_at = (-b / (2.0 * a)).clamp(0.0, 1.0);
    let least = (a * least_at + b) * least_at;
    let wanted = a + b - energy;
    let scale = if wanted > least {
        // The root of A s² + B s = wanted between there and 1, in the form in which nothing cancels.
        let root = (b * b + 4.0 * a * wanted).max(0.0).sqrt();
        if b > 0.0 { 2.0 * wanted / (b + root) } else { (root - b) / (2.0 * a) }
    } else {
        least_at
    };
    if scale < 1.0 {
        for (v, calm) in v.iter_mut().zip(calm) {
            *v = *calm + (*v - *calm) * scale;
        }
    }
    (least - wanted).max(0.0)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn exactly_the_energy_asked_for_is_taken_or_all_that_can_be() {
        let mut dice = rand_pcg::Pcg64::seed_from_u64(3);
        for round in 0..1000 {
            let mut vector = || DVec3::from_array([(); 3].map(|()| dice.random_range(-1.0..1.0)));
            let mut v: [DVec3; 5] = [(); 5].map(|()| vector());
            // Calm that goes with the motion, against it, and anyhow.
            let calm = v.map(|v| [0.5 * v, -0.5 * v, vector()][round % 3]);
            let mass = [0.1, 1.0, 2.0, 0.5, 3.0];
            let energy = dice.random_range(0.0..2.0);
            let kinetic = |v: &[DVec3]| mass.iter().zip(v).map(|(m, v)| 0.5 * m * v.length_squared()).sum::<f64>();
            let (before, start) = (kinetic(&v), v);
            let owed = slow_down(&mass, &calm, energy, &mut v);
            let taken = before - kinetic(&v);
            assert!((taken + owed - energy).abs() < 1e-12, "{taken} J taken, {owed} J owed of {energy} J");
            // Where some is owed, no other scale brings more.
            for s in [0.0, 0.1, 0.3, 0.5, 0.7, 0.9] {
                let other: Vec<DVec3> = start.iter().zip(&calm).map(|(v, c)| *c + (*v - *c) * s).collect();
                assert!(owed == 0.0 || kinetic(&other) >= kinetic(&v) - 1e-12, "{s} takes more");
            }
        }
    }
}
