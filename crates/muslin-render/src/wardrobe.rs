//! What things in pictures of runs look like.

use std::sync::LazyLock;

use glam::{Vec2, Vec3};
use serde::Deserialize;

use crate::colour::{HexColour, linear_from_srgb};
use crate::stage::Look;

/// Colours of a cloth's two sides.
#[derive(Deserialize)]
struct Sides {
    front: HexColour,
    back: HexColour,
}

/// Colours of cloths in scene order, the same as the player's. None is a colour of the strain scale.
static FABRICS: LazyLock<Vec<Sides>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("fabrics.json")).expect("the embedded fabrics are tested to be readable")
});

/// Lines of the pattern across a cloth, about.
const LINES: f32 = 20.0;

/// The fabric of a cloth by its place in the scene.
pub(crate) fn fabric(index: usize, spacing: f32) -> Look {
    let Sides { front, back } = &FABRICS[index % FABRICS.len()];
    Look::Fabric { front: linear_from_srgb(front.0), back: linear_from_srgb(back.0), spacing }
}

/// Colour of a pin.
pub(crate) fn pin() -> Vec3 {
    linear_from_srgb([70, 66, 62])
}

/// Colour of a solid that cloth meets: neutral, near the player's.
pub(crate) fn solid() -> Vec3 {
    linear_from_srgb([206, 202, 194])
}

/// Colour of a chain.
pub(crate) fn chain() -> Vec3 {
    linear_from_srgb([120, 134, 138])
}

/// A round distance for the pattern's lines, so that some [`LINES`] cross the cloth [m]: 1, 2 or 5 times a power of
/// ten.
pub(crate) fn spacing(coords: &[[Vec2; 3]]) -> f32 {
    let all = || coords.iter().flatten().copied();
    let (low, high) = all().fold((Vec2::MAX, Vec2::MIN), |(low, high), at| (low.min(at), high.max(at)));
    let wanted = (high - low).max_element() / LINES;
    if !(wanted > 1e-6 && wanted.is_finite()) {
        return 1.0;
    }
    let power = libm::powf(10.0, libm::floorf(libm::log10f(wanted)));
    let factor = wanted / power;
    power
        * if factor < 1.5 {
            1.0
        } else if factor < 3.5 {
            2.0
        } else if factor < 7.5 {
            5.0
        } else {
            10.0
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_pattern_are_a_round_distance_apart() {
        for (size, expected) in [(1.0, 0.05), (0.3, 0.02), (2.0, 0.1), (8.0, 0.5), (0.02, 0.001)] {
            let corners = [[Vec2::ZERO, Vec2::new(size, 0.0), Vec2::new(0.0, 0.5 * size)]];
            let found = spacing(&corners);
            // f32 powers of ten.
            assert!((found / expected - 1.0).abs() < 1e-5, "{size}: {found}");
        }
    }

    #[test]
    fn cloths_side_by_side_differ_and_so_do_their_sides() {
        let fabrics = [0, 1, 2, 3].map(|index| fabric(index, 0.05));
        for (index, first) in fabrics.iter().enumerate() {
            assert!(fabrics[index + 1..].iter().all(|second| first != second), "{first:?}");
            assert!(matches!(first, Look::Fabric { front, back, .. } if front.distance(*back) > 0.1), "{first:?}");
        }
    }

    #[test]
    fn a_cloth_without_extent_still_has_a_pattern() {
        assert_eq!(spacing(&[[Vec2::ZERO; 3]]), 1.0);
    }
}
