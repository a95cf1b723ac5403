//! Small solids that stand for what has no surface: tubes for chains, balls for pins. They are made for every picture,
//! so they are made in place and in its single precision, not from the meshes of shapes.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;
use muslin::model::band;

use crate::camera::Axes;
use crate::stage::{Look, Paint, Surface};

/// Sides of a tube, and half the sides of a ball.
const SIDES: usize = 12;

/// A surface under construction.
#[derive(Debug, Default)]
pub(crate) struct Solids {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Place in a table of colours, one for each vertex.
    codes: Vec<f32>,
}

impl Solids {
    /// Adds an open tube between two points; of no length: nothing.
    pub(crate) fn tube(&mut self, from: Vec3, to: Vec3, radius: f32, code: f32) {
        if from == to {
            return;
        }
        let axes = Axes::looking(to - from);
        let rings = [from, to].map(|middle| {
            self.ring(SIDES, |angle| {
                let (sin, cos) = libm::sincosf(angle);
                middle + radius * (cos * axes.right - sin * axes.up)
            })
        });
        let [from, to] = rings;
        self.triangles.extend(band(from, to));
        self.codes.resize(self.positions.len(), code);
    }

    /// Adds a ball.
    pub(crate) fn ball(&mut self, middle: Vec3, radius: f32, code: f32) {
        let around = 2 * SIDES;
        let mut last = None;
        // Rings from the lower to the upper pole; at the poles they are points.
        for k in 0..=SIDES {
            let (height, width) = libm::sincosf(std::f32::consts::PI * (k as f32 / SIDES as f32 - 0.5));
            let ring = self.ring(around, |angle| {
                let (sin, cos) = libm::sincosf(angle);
                middle + radius * Vec3::new(width * sin, height, width * cos)
            });
            if let Some(below) = last {
                self.triangles.extend(band(below, ring.clone()));
            }
            last = Some(ring);
        }
        self.codes.resize(self.positions.len(), code);
    }

    /// The surface, if there is any: of one colour, or by the codes and a table.
    pub(crate) fn surface(self, colour: Vec3, table: Option<Arc<[Vec3; 256]>>) -> Option<Surface> {
        let Self { positions, triangles, codes } = self;
        let paint = table.map(|table| Paint { codes, table });
        let look = Look::Solid { colour };
        (!triangles.is_empty()).then_some(Surface { positions, triangles, look, coords: None, paint })
    }

    /// Adds points around a circle; gives back their numbers.
    fn ring(&mut self, sides: usize, point: impl Fn(f32) -> Vec3) -> Range<u32> {
        let first = self.positions.len() as u32;
        self.positions.extend((0..sides).map(|k| point(std::f32::consts::TAU * k as f32 / sides as f32)));
        first..self.positions.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume by the divergence theorem: positive when triangles are counter-clockwise seen from outside.
    fn volume(solids: &Solids) -> f32 {
        let corner = |triangle: &[u32; 3], k: usize| solids.positions[triangle[k] as usize];
        let part = |t: &[u32; 3]| corner(t, 0).dot(corner(t, 1).cross(corner(t, 2))) / 6.0;
        solids.triangles.iter().map(part).sum()
    }

    #[test]
    fn a_ball_is_round_and_turns_its_front_outwards() {
        let mut ball = Solids::default();
        ball.ball(Vec3::new(1.0, 2.0, 3.0), 0.5, 0.0);
        let exact = 4.0 / 3.0 * std::f32::consts::PI * 0.125;
        // A polyhedron of 24 × 12 sides holds a few per cent less.
        assert!((0.93..1.0).contains(&(volume(&ball) / exact)), "{}", volume(&ball) / exact);
    }

    #[test]
    fn a_tube_turns_its_front_outwards() {
        let mut tube = Solids::default();
        tube.tube(Vec3::ZERO, Vec3::new(0.3, -0.5, 1.0), 0.1, 0.0);
        let [a, b, c] = tube.triangles[0].map(|corner| tube.positions[corner as usize]);
        let middle = (a + b + c) / 3.0;
        let axis = Vec3::new(0.3, -0.5, 1.0).normalize();
        let outwards = middle - axis * axis.dot(middle);
        assert!((b - a).cross(c - a).dot(outwards) > 0.0);
    }

    #[test]
    fn a_tube_without_length_is_nothing() {
        let mut tube = Solids::default();
        tube.tube(Vec3::ONE, Vec3::ONE, 0.1, 0.0);
        assert!(tube.surface(Vec3::ONE, None).is_none());
    }
}
