//! Which vertices are near which solids.
//!
//! Vertices are taken in runs of neighbours in the list, each with a ball around it. A distance changes by no more than
//! the path, so a solid further from a ball's centre than radius + reach is further than reach from all of the run.
//! Whole cloths are asked first, runs next, vertices last: where nothing is near, one question a cloth and solid is
//! all. Vertices that are left out near pins (`exempt`) are not found. Distances of a level set are interpolated: their
//! slope along each axis is at most 1, so at most √3 in all.

use glam::DVec3;

use super::Separation;
use super::exempt::Exemptions;
use super::solids::{MovingCollider, Solids};
use crate::collide::Bounds;
use crate::model::Model;

/// Vertices in a run.
const RUN: usize = 32;
/// Greatest slope of an interpolated distance: a little over √3.
const LEVEL_SET_SLOPE: f64 = 1.74;

/// A ball around vertices.
#[derive(Debug, Clone, Copy)]
struct Ball {
    centre: DVec3,
    radius: f64,
}

impl Ball {
    fn around(bounds: Bounds) -> Self {
        let centre = bounds.min.midpoint(bounds.max);
        // Plus an epsilon: the centre is rounded.
        Self { centre, radius: (bounds.max - centre).length() * (1.0 + 1e-12) }
    }
}

/// A vertex near a solid.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearVertex {
    pub(super) collider: usize,
    pub(super) cloth: usize,
    pub(super) particle: usize,
    pub(super) separation: Separation,
}

/// A search with its working memory: balls around whole cloths and around runs.
#[derive(Debug)]
pub(super) struct VertexSearch {
    cloths: Vec<Ball>,
    runs: Vec<Ball>,
    exempt: Exemptions,
}

impl VertexSearch {
    pub(super) fn new(model: &Model) -> Self {
        Self { cloths: Vec::new(), runs: Vec::new(), exempt: Exemptions::of(model) }
    }

    /// Calls `found` for every vertex that is nearer to a solid, where the solids are placed, than `reach` times the
    /// distance ξ it keeps: solid by solid, vertices in rising order. Vertices are at `at(particle)` [m].
    pub(super) fn each(
        &mut self,
        model: &Model,
        solids: &Solids,
        reach: f64,
        at: impl Fn(usize) -> DVec3,
        mut found: impl FnMut(NearVertex),
    ) {
        self.enclose(model, &at);
        for (collider, solid) in model.colliders.iter().enumerate() {
            let slope =
                if matches!(solids.moving()[collider], MovingCollider::LevelSet(..)) { LEVEL_SET_SLOPE } else { 1.0 };
            let mut runs = 0;
            for (cloth, part) in model.cloths.iter().enumerate() {
                let reach = reach * solid.thickness[cloth];
                let near =
                    |ball: &Ball| solids.separation(collider, ball.centre, slope * ball.radius + reach).is_some();
                let own = &self.runs[runs..][..part.particles.len().div_ceil(RUN)];
                runs += own.len();
                if !near(&self.cloths[cloth]) {
                    continue;
                }
                for (run, _) in own.iter().enumerate().filter(|(_, ball)| near(ball)) {
                    let first = part.particles.start + run * RUN;
                    for particle in first..(first + RUN).min(part.particles.end) {
                        if self.exempt.contains(collider, [particle as u32; 3]) {
                            continue;
                        }
                        if let Some(separation) = solids.separation(collider, at(particle), reach) {
                            found(NearVertex { collider, cloth, particle, separation });
                        }
                    }
                }
            }
        }
    }

    fn enclose(&mut self, model: &Model, at: impl Fn(usize) -> DVec3) {
        self.cloths.clear();
        self.runs.clear();
        for part in &model.cloths {
            let mut whole = Bounds::EMPTY;
            for first in part.particles.clone().step_by(RUN) {
                let bounds = Bounds::of((first..(first + RUN).min(part.particles.end)).map(&at));
                self.runs.push(Ball::around(bounds));
                whole = whole.union(bounds);
            }
            self.cloths.push(Ball::around(whole));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::{DQuat, DVec2};

    use super::*;
    use crate::collide::{LevelSet, Pose, Shape, TriangleSurface};
    use crate::mesh::{Diagonals, GridSpec};
    use crate::model::{Body, Chain, Cloth, Collider, Motion, Skin, Solid, SolidMesh, World};

    /// A tetrahedron with an edge of about a metre.
    fn tetrahedron() -> SolidMesh {
        let positions = vec![DVec3::ZERO, DVec3::X, DVec3::new(0.4, 1.0, 0.1), DVec3::new(0.3, 0.2, 0.9)];
        SolidMesh { positions, triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] }
    }

    fn solids() -> Vec<Solid> {
        let mesh = tetrahedron();
        let surface = TriangleSurface::new(mesh.positions.clone(), mesh.triangles.clone());
        let grid = Arc::new(LevelSet::of(&surface, 0.07).expect("it is watertight"));
        let pose = Pose { position: DVec3::new(0.2, -0.3, 0.1), rotation: DQuat::from_xyzw(0.6, 0.0, 0.0, 0.8) };
        let shapes = [
            Shape::Plane,
            Shape::Sphere { radius: 0.3 },
            Shape::Box { half: DVec3::new(0.3, 0.1, 0.2) },
            Shape::Capsule { radius: 0.1, half_length: 0.3 },
        ];
        let shapes = shapes.map(|shape| Solid::Shape { shape, pose });
        shapes.into_iter().chain([Solid::Mesh(mesh.clone()), Solid::LevelSet { mesh, grid }]).collect()
    }

    #[test]
    fn the_search_finds_what_brute_force_finds() {
        let spec = GridSpec { size: DVec2::ONE, particles: [9, 15], diagonals: Diagonals::None, triangles: false };
        let mesh = spec.build().expect("a grid");
        let own = Chain { mass: 1.0, bob: 0.0, stiffness: 0.0, rest_length: None, damping: 0.0 };
        let start_velocity = vec![DVec3::ZERO; mesh.positions.len()];
        let cloth = Cloth {
            name: "cloud".into(),
            start: mesh.positions.clone(),
            mesh,
            start_velocity,
            body: Body::Chain(own),
            pins: vec![],
            skin: Skin::default(),
        };
        let mut model = Model::build(vec![cloth.clone(), cloth], vec![], World::default()).expect("a model");
        let collider = |solid| Collider {
            name: String::new(),
            solid,
            motion: Motion::default(),
            thickness: vec![0.02, 0.06],
            friction: vec![0.0; 2],
        };
        model.colliders = solids().into_iter().map(collider).collect();
        let placed = Solids::new(&model);
        let mut search = VertexSearch::new(&model);
        let mut all = 0;
        for shift in [-3.0, -0.5, -0.2, 0.0, 0.1, 0.4, 0.8, 2.0] {
            let at = |i: usize| {
                model.start[i] + DVec3::new(0.3 * shift, shift, -0.2 * shift) + DVec3::Y * 0.01 * (i % 7) as f64
            };
            let (mut found, mut expected) = (Vec::new(), Vec::new());
            search.each(&model, &placed, 2.0, at, |near| found.push((near.collider, near.particle)));
            for (k, collider) in model.colliders.iter().enumerate() {
                for i in 0..model.len() {
                    let xi = collider.thickness[usize::from(i >= model.cloths[1].particles.start)];
                    expected.extend(placed.separation(k, at(i), 2.0 * xi).map(|_| (k, i)));
                }
            }
            assert_eq!(found, expected, "shifted by {shift} m");
            all += found.len();
        }
        assert!(all > 200, "only {all} found: nothing was put to the test");
    }
}
