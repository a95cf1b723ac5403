//! A cloth as it is drawn: what never changes about it, and its surface in a frame.

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
        let coords = coords.map(|coords| match &shape {
            Shape::Smoothed(subdivision) => subdivision.corners(&coords),
            Shape::Plain(_) => coords,
        });
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
