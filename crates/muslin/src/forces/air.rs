//! The air: wind and drag per triangle, drag per particle.
//!
//! ```text
//! triangle of area A [m²], normal n, velocity v = mean of its corners - wind:
//! F = -½ ρ A (C_n |v_n| v_n + C_t |v_t| v_t),   v_n = (v·n) n,  v_t = v - v_n,   a third on each corner
//! particle of area A_i:  f = -c A_i (v_i - wind)
//! ```
//!
//! ρ [kg/m³], C_n, C_t [1], c [N·s/m³]. A is the area of one side: C_t = 2 C_f counts the friction C_f of both. Across,
//! C_n is that of a plate at right angles to the stream ([Hoe65]); along, C_f is that of a flat plate ([Bla08]).
//! Departures: C_n and C_t are constants, while C_f falls with speed and length, as 1/√Re if laminar. Each triangle
//! is on its own: no lee, no lift linear in a small angle of incidence, no added mass (docs/methods/forces.md).
//!
//! Written as F = -D(v) v with the symmetric, positive semidefinite D = ½ ρ A (C_n |v_n| n nᵀ + C_t |v_t| (I - n nᵀ)),
//! so that an implicit integrator can freeze D and stay stable.

use glam::{DMat3, DVec3};
use libm::sin;
use std::f64::consts::TAU;

use super::outer;

/// The air and its wind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Air {
    /// Density ρ [kg/m³].
    pub density: f64,
    /// Mean wind [m/s].
    pub wind: DVec3,
    /// Fraction by which gusts strengthen and weaken the wind: 0 is steady, 0.3 is ±30 %.
    pub gust: f64,
    /// Period of the slowest gusts [s].
    pub gust_period: f64,
    /// Linear drag per particle and area c [N·s/m³].
    pub particle_drag: f64,
    /// Seed of the gusts.
    pub seed: u64,
}

impl Default for Air {
    fn default() -> Self {
        Self { density: 1.2, wind: DVec3::ZERO, gust: 0.0, gust_period: 1.0, particle_drag: 0.0, seed: 0 }
    }
}

/// The waves of gusty wind: frequency against the slowest, and fraction of the strength. The ratios 1 : φ : √7 are
/// irrational.
const WAVES: [(f64, f64); 3] = [(1.0, 0.5), (1.618_033_988_749_895, 0.3), (2.645_751_311_064_590_7, 0.2)];

impl Air {
    /// The wind at a time [m/s]: three waves whose periods never meet again, with seeded phases.
    pub fn wind_at(&self, time: f64) -> DVec3 {
        if self.gust == 0.0 {
            return self.wind;
        }
        let sum: f64 = WAVES
            .iter()
            .zip(0..)
            .map(|((speed, fraction), k)| fraction * sin(TAU * (speed * time / self.gust_period + phase(self.seed, k))))
            .sum();
        self.wind * (1.0 + self.gust * sum)
    }
}

/// A number in 0..1 from a seed and an index (the finaliser of splitmix64).
fn phase(seed: u64, index: u64) -> f64 {
    let mut z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A triangle that feels the air.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AirTriangle {
    /// Its particles.
    pub particles: [u32; 3],
    /// C_n: drag across the cloth.
    pub drag: f64,
    /// C_t: drag along the cloth, both sides together.
    pub skin_drag: f64,
}

impl AirTriangle {
    /// The force of the air F [N] at positions `x` [m] and the triangle's velocity through the air `v` [m/s].
    #[inline]
    pub fn force(&self, density: f64, x: &[DVec3; 3], v: DVec3) -> DVec3 {
        // |N| = 2 A, and v_n = (v·N) N/|N|².
        let normal = (x[1] - x[0]).cross(x[2] - x[0]);
        let square = normal.length_squared();
        if !(square > 0.0) {
            return DVec3::ZERO;
        }
        let (twice_area, along_normal) = (square.sqrt(), v.dot(normal));
        let across = normal * (along_normal / square);
        let along = v - across;
        // Times 2 A: |v_n| |N| = |v·N|.
        let pressure = across * (self.drag * along_normal.abs());
        let friction = along * (self.skin_drag * along.length() * twice_area);
        (pressure + friction) * (-0.25 * density)
    }

    /// The matrix D [N·s/m] at positions `x` [m] and the triangle's velocity through the air `v` [m/s].
    pub fn drag_matrix(&self, density: f64, x: &[DVec3; 3], v: DVec3) -> DMat3 {
        let cross = (x[1] - x[0]).cross(x[2] - x[0]);
        let area = 0.5 * cross.length();
        let n = cross.normalize_or_zero();
        let across = v.dot(n);
        let along = (v - n * across).length();
        let nn = outer(n, n);
        (nn * (self.drag * across.abs()) + (DMat3::IDENTITY - nn) * (self.skin_drag * along)) * (0.5 * density * area)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_force_is_what_the_matrix_says() {
        let x = [DVec3::new(0.1, 0.2, 0.0), DVec3::new(0.4, 0.1, 0.3), DVec3::new(-0.1, 0.5, 0.2)];
        for (drag, skin_drag) in [(1.2, 0.0), (0.0, 0.1), (1.2, 0.1)] {
            let triangle = AirTriangle { particles: [0, 1, 2], drag, skin_drag };
            for v in [DVec3::new(1.0, -2.0, 0.5), DVec3::new(-0.3, 0.0, 4.0), DVec3::ZERO] {
                let (force, expected) = (triangle.force(1.2, &x, v), -(triangle.drag_matrix(1.2, &x, v) * v));
                assert!((force - expected).length() <= 1e-14 * expected.length(), "{force} N, not {expected} N");
            }
            assert_eq!(triangle.force(1.2, &[x[0]; 3], DVec3::X), DVec3::ZERO);
        }
    }
}
