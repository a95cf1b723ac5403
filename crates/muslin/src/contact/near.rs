//! Which vertices are near which solids.
//!
//! Vertices are taken in runs of neighbours in the list, each with a ball around it. A distance changes by no more than
//! the way gone, so a solid further from a ball's centre than radius + reach is further than reach from all of the run.
//! Whole cloths are asked first, runs next, vertices last: where nothing is near, one question a cloth and solid is
//! all. Distances of a level set are interpolated: their slope along each axis is at most 1, so at most √3 in all.

use glam::DVec3;

use super::Touch;
use super::solids::{Moving, Solids};
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
        // A hair more: the centre is rounded.
        Self { centre, radius: (bounds.max - centre).length() * (1.0 + 1e-12) }
    }
}

/// A vertex near a solid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
    pub(super) collider: usize,
    pub(super) cloth: usize,
    pub(super) particle: usize,
    pub(super) touch: Touch,
}

/// Working memory of the search: balls around whole cloths and around runs.
#[derive(Debug, Default)]
pub(super) struct Search {
    cloths: Vec<Ball>,
    runs: Vec<Ball>,
}

impl Search {
    /// Calls `found` for every vertex that is nearer to a solid, where the solids are placed, than `reach` times the
    /// distance ξ it keeps: solid by solid, vertices in rising order. Vertices are at `at(particle)` [m].
    pub(super) fn each(
        &mut self,
        model: &Model,
        solids: &Solids,
        reach: f64,
        at: impl Fn(usize) -> DVec3,
        mut found: impl FnMut(Near),
    ) {
        self.enclose(model, &at);
        for (collider, solid) in model.colliders.iter().enumerate() {
            let slope = if matches!(solids.moving()[collider], Moving::LevelSet(..)) { LEVEL_SET_SLOPE } else { 1.0 };
            let mut runs = 0;
            for (cloth, part) in model.cloths.iter().enumerate() {
                let reach = reach * solid.thickness[cloth];
                let near = |ball: &Ball| solids.touch(collider, ball.centre, slope * ball.radius + reach).is_some();
                let own = &self.runs[runs..][..part.particles.len().div_ceil(RUN)];
                runs += own.len();
                if !near(&self.cloths[cloth]) {
                    continue;
                }
                for (run, _) in own.iter().enumerate().filter(|(_, ball)| near(ball)) {
                    let first = part.particles.start + run * RUN;
                    for particle in first..(first + RUN).min(part.particles.end) {
                        if let Some(touch) = solids.touch(collider, at(particle), reach) {
                            found(Near { collider, cloth, particle, touch });
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
