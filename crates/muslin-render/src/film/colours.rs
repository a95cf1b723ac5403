//! The numbers that colours of a film show.

use glam::Vec3;
use muslin_record::PlayedCloth;
use muslin_record::strain_code;

use super::{Colours, FAR, Film, FilmError};
use crate::contact::{self, Part};
use crate::scale::ContactScale;
use crate::stage::Paint;

impl Film {
    /// The numbers that colours show, by cloth.
    pub(super) fn paints(&mut self, positions: &[Vec<Vec3>], frame: u64) -> Result<Vec<Option<Paint>>, FilmError> {
        Ok(match self.options.colours {
            Colours::Material => vec![None; positions.len()],
            Colours::Strain => {
                let cloths = self.playback.cloths.iter().zip(positions);
                cloths.map(|(cloth, positions)| Some(self.strain_paint(cloth, positions))).collect()
            }
            Colours::Contact => {
                let gaps = self.gaps(positions, frame)?;
                let scale = ContactScale::new(FAR);
                let code = |gap: &f32| f32::from(scale.code(*gap));
                let paint = |gaps: &Vec<f32>| Paint {
                    codes: gaps.iter().map(code).collect(),
                    table: self.contact_table.clone(),
                };
                gaps.iter().map(|gaps| Some(paint(gaps))).collect()
            }
        })
    }

    /// How far each vertex of each cloth is from what is nearest, solids included [m].
    fn gaps(&mut self, positions: &[Vec<Vec3>], frame: u64) -> Result<Vec<Vec<f32>>, FilmError> {
        let parts = self.playback.cloths.iter().zip(&self.actors).zip(positions);
        let parts: Vec<_> = parts
            .map(|((cloth, actor), positions)| Part { positions, rest: &actor.rest, triangles: &cloth.triangles })
            .collect();
        let mut gaps = contact::gaps(&parts, FAR);
        let time = self.time(frame);
        for solid in &mut self.playback.solids {
            let measure = solid.measure(frame, time)?;
            for (gaps, positions) in gaps.iter_mut().zip(positions) {
                contact::narrow(gaps, positions, |at| measure.gap(at.as_dvec3(), f64::from(FAR)));
            }
        }
        Ok(gaps)
    }

    fn strain_paint(&self, cloth: &PlayedCloth, positions: &[Vec3]) -> Paint {
        let limit = self.playback.limit;
        // Caches hold single precision: the conversion loses nothing.
        let positions: Vec<_> = positions.iter().map(|position| position.as_dvec3()).collect();
        let strains = cloth.vertex_strains(&positions, limit);
        let code = |strain: &f64| f32::from(strain_code(*strain, limit));
        Paint { codes: strains.iter().map(code).collect(), table: self.strain_table.clone() }
    }
}
