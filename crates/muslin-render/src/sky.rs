//! Light of the sky on surfaces. It changes slowly: on cloth it is found at the vertices, on both sides, and on solids,
//! whose triangles may be large, at each point that is seen.

use glam::Vec3;

use crate::light::{Ground, Lamps, Point, Received};
use crate::stage::{Flat, Found, Look};

/// Light of the sky at the vertices of cloth: on its front, then on its back.
pub(crate) struct SkyLight {
    of_vertex: Vec<[f32; 2]>,
}

impl SkyLight {
    pub(crate) fn on_cloth(flat: &Flat, lamps: &Lamps) -> Self {
        let is_cloth = flat.surfaces.iter().flat_map(|surface| {
            let cloth = matches!(surface.look, Look::Fabric { .. });
            std::iter::repeat_n(cloth, surface.positions.len())
        });
        let vertices: Vec<_> = is_cloth.enumerate().filter_map(|(vertex, cloth)| cloth.then_some(vertex)).collect();
        let sides = |&vertex: &usize| {
            [flat.normals[vertex], -flat.normals[vertex]].map(|normal| unlit(flat.positions[vertex], normal))
        };
        let mut points: Vec<_> = vertices.iter().flat_map(sides).collect();
        lamps.shine_sky(flat, &mut points);
        let mut of_vertex = vec![[0.0; 2]; flat.positions.len()];
        for (vertex, sides) in vertices.into_iter().zip(points.as_chunks().0) {
            of_vertex[vertex] = sides.map(|point: Point| point.light.sky);
        }
        Self { of_vertex }
    }

    /// At a point of a triangle of cloth, given by the weights of its corners.
    pub(crate) fn at(&self, found: &Found, weights: Vec3, front: bool) -> f32 {
        Vec3::from_array(found.corners.map(|corner| self.of_vertex[corner][usize::from(!front)])).dot(weights)
    }
}

/// Adds the light of the sky to those points that are wanted.
pub(crate) fn add(flat: &Flat, lamps: &Lamps, points: &mut [Point], wanted: impl Fn(usize) -> bool) {
    let (places, mut lit): (Vec<_>, Vec<_>) = points.iter().copied().enumerate().filter(|(k, _)| wanted(*k)).unzip();
    lamps.shine_sky(flat, &mut lit);
    for (place, point) in places.into_iter().zip(lit) {
        points[place] = point;
    }
}

fn unlit(at: Vec3, normal: Vec3) -> Point {
    Point { at, normal, ground: Ground::Solid, light: Received::default() }
}
