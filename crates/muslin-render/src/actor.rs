//! A cloth as it is drawn: what never changes about it, and its surface in a frame.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3, Vec2, Vec3};
use muslin_record::PlayedCloth;

use crate::crease::Split;
use crate::film::FilmError;
use crate::stage::{Paint, Surface};
use crate::subdivide::Subdivision;
use crate::wardrobe;

/// What never changes about a cloth.
#[derive(Debug)]
pub(crate) struct Actor {
    pub(crate) rest: Vec<Vec3>,
    shape: Shape,
    coords: Option<Vec<[Vec2; 3]>>,
    spacing: f32,
}

/// The triangles that are drawn: smoothed, or as they are with their creases.
#[derive(Debug)]
enum Shape {
    Smoothed(Subdivision),
    Plain(Split),
}

impl Actor {
    /// Prepares a cloth for so many levels of subdivision.
    pub(crate) fn of(cloth: &PlayedCloth, levels: u32) -> Result<Self, FilmError> {
        let rest: Vec<_> = cloth.rest.iter().copied().map(DVec3::as_vec3).collect();
        let shape = if levels == 0 {
            Shape::Plain(Split::at_creases(&rest, &cloth.triangles))
        } else {
            let subdivision = Subdivision::new(&rest, &cloth.triangles, levels)
                .map_err(|problem| FilmError::Subdivision { cloth: cloth.name.clone(), problem })?;
            Shape::Smoothed(subdivision)
        };
        let single = |corners: &[DVec2; 3]| corners.map(DVec2::as_vec2);
        let coords: Option<Vec<_>> = cloth.coords.as_ref().map(|coords| coords.iter().map(single).collect());
        let spacing = coords.as_ref().map_or(1.0, |coords| wardrobe::spacing(coords));
        let coords =
            if levels == 0 { coords } else { coords.map(|coords| smooth_coords(&cloth.triangles, &coords, levels)) };
        Ok(Self { rest, shape, coords, spacing })
    }

    /// Its surface when its vertices are there; `index` is its place in the scene.
    pub(crate) fn surface(&self, positions: &[Vec3], paint: Option<Paint>, index: usize) -> Surface {
        let (positions, triangles) = match &self.shape {
            Shape::Smoothed(smooth) => (smooth.positions(positions), smooth.triangles()),
            Shape::Plain(split) => (split.copied(positions), &split.triangles[..]),
        };
        let codes = |codes: &[f32]| match &self.shape {
            Shape::Smoothed(smooth) => smooth.scalars(codes),
            Shape::Plain(split) => split.copied(codes),
        };
        Surface {
            positions,
            triangles: triangles.to_vec(),
            look: wardrobe::fabric(index, self.spacing),
            coords: self.coords.clone(),
            paint: paint.map(|Paint { codes: given, table }| Paint { codes: codes(&given), table }),
        }
    }
}

/// Coordinates in the cloth, subdivided by the same rules as its shape: where vertices of the shape move along the
/// surface, those of the pattern go with them, and straight threads stay straight. Seams are borders of the pattern.
fn smooth_coords(triangles: &[[u32; 3]], coords: &[[Vec2; 3]], levels: u32) -> Vec<[Vec2; 3]> {
    let mut numbers = BTreeMap::new();
    let mut flat = Vec::new();
    let mut number = |vertex: u32, at: Vec2| {
        *numbers.entry((vertex, at.x.to_bits(), at.y.to_bits())).or_insert_with(|| {
            flat.push(at.extend(0.0));
            flat.len() as u32 - 1
        })
    };
    let corners = triangles.iter().zip(coords);
    let triangles: Vec<[u32; 3]> =
        corners.map(|(vertices, at)| std::array::from_fn(|k| number(vertices[k], at[k]))).collect();
    // As many triangles as the shape has, so what was no error there is none here.
    let Ok(pattern) = Subdivision::new(&flat, &triangles, levels) else { return Vec::new() };
    let flat = pattern.positions(&flat);
    pattern.triangles().iter().map(|corners| corners.map(|corner| flat[corner as usize].truncate())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: u32 = 5;

    /// A sheet of cells whose diagonals alternate, as grids have them: Loop's rules move its vertices about.
    fn chessboard() -> Vec<[u32; 3]> {
        let corner = |x: u32, y: u32| y * SIDE + x;
        let cells = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| (x, y)));
        let triangles = cells.flat_map(|(x, y)| {
            let [a, b, c, d] = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
            if (x + y) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
        });
        triangles.collect()
    }

    fn place(vertex: u32) -> Vec2 {
        Vec2::new((vertex % SIDE) as f32, (vertex / SIDE) as f32)
    }

    #[test]
    fn threads_of_a_flat_sheet_stay_straight() {
        let triangles = chessboard();
        let rest: Vec<_> = (0..SIDE * SIDE).map(|vertex| place(vertex).extend(0.0)).collect();
        let coords: Vec<_> = triangles.iter().map(|corners| corners.map(place)).collect();
        let shape = Subdivision::new(&rest, &triangles, 2).unwrap();
        let (positions, pattern) = (shape.positions(&rest), smooth_coords(&triangles, &coords, 2));
        assert_eq!(pattern.len(), shape.triangles().len());
        for (corners, printed) in shape.triangles().iter().zip(&pattern) {
            assert_eq!(corners.map(|corner| positions[corner as usize].truncate()), *printed);
        }
    }

    #[test]
    fn a_seam_stays_a_seam() {
        let triangles = [[0, 1, 2], [2, 1, 3]];
        let apart = Vec2::new(10.0, 0.0);
        let coords = [[Vec2::ZERO, Vec2::X, Vec2::Y], [Vec2::Y + apart, Vec2::X + apart, Vec2::ONE + apart]];
        let pattern = smooth_coords(&triangles, &coords, 1);
        assert!(pattern[..4].iter().flatten().all(|at| at.x <= 1.0), "{pattern:?}");
        assert!(pattern[4..].iter().flatten().all(|at| at.x >= 10.0), "{pattern:?}");
    }
}
