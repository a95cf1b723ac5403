//! A solid as it is drawn.

use glam::Vec3;
use muslin_record::PlayedSolid;

use crate::crease::Split;
use crate::stage::{Look, Surface};
use crate::wardrobe;

/// Half the side of the square that is drawn of a plane, as a multiple of the diagonal of the run.
const SQUARE: f32 = 0.6;

/// What never changes about a solid.
#[derive(Debug)]
pub(crate) struct Prop {
    split: Split,
    /// Of a plane, what the square is drawn around: middle and half the side [m].
    around: Option<(Vec3, f32)>,
}

impl Prop {
    /// Prepares a solid of a run in which everything that is framed stays within a box.
    pub(crate) fn of(solid: &PlayedSolid, run: [Vec3; 2]) -> Self {
        let start: Vec<_> = solid.start().iter().map(|place| place.as_vec3()).collect();
        let around = solid.is_plane.then(|| (run[0].midpoint(run[1]), SQUARE * run[0].distance(run[1]).max(1e-3)));
        Self { split: Split::at_creases(&start, &solid.triangles), around }
    }

    /// Its surface when its vertices are there.
    pub(crate) fn surface(&self, positions: &[Vec3]) -> Surface {
        let square = self.around.and_then(|(middle, half)| square(positions, middle, half));
        Surface {
            positions: self.split.copied(square.as_deref().unwrap_or(positions)),
            triangles: self.split.triangles.clone(),
            look: Look::Solid { colour: wardrobe::solid() },
            coords: None,
            paint: None,
        }
    }
}

/// A square of a plane, around the foot of a point: the plane has no end, and what a cache has of it may be larger than
/// shadows can be drawn on.
fn square(corners: &[Vec3], middle: Vec3, half: f32) -> Option<Vec<Vec3>> {
    let &[a, b, _, d] = corners else { return None };
    let (along, across) = ((b - a).try_normalize()?, (d - a).try_normalize()?);
    let normal = along.cross(across);
    let foot = middle - normal * normal.dot(middle - a);
    let corner = |x: f32, y: f32| foot + half * (x * along + y * across);
    Some(vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frames::extent;

    #[test]
    fn the_square_of_a_plane_lies_in_it_below_the_middle_and_keeps_its_front() {
        let tilted = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [8.0, 4.0, 9.0], [8.0, 4.0, 0.0]].map(Vec3::from);
        let small = square(&tilted, Vec3::new(2.0, 3.0, 1.0), 0.5).unwrap();
        let normal = (tilted[1] - tilted[0]).cross(tilted[2] - tilted[0]).normalize();
        let own = (small[1] - small[0]).cross(small[2] - small[0]).normalize();
        // Some roundings of numbers below 10.
        assert!(own.distance(normal) < 1e-5, "{own} and {normal}");
        assert!(small.iter().all(|corner| normal.dot(*corner).abs() < 1e-5), "{small:?}");
        let [low, high] = extent(&small);
        let foot = low.midpoint(high);
        assert!((foot - Vec3::new(2.0, 3.0, 1.0)).cross(normal).length() < 1e-5, "{foot}");
        assert!((small[0].distance(small[1]) - 1.0).abs() < 1e-5);
    }
}
