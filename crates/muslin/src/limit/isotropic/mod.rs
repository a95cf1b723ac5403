//! Stretch of triangles in all directions alike, on a hierarchy of coarser meshes.
//!
//! ```text
//! q = x + h v
//! each round:   for each coarser mesh, from the coarsest: its sides, one after the other; q += what that moves
//!               for each triangle of the cloth: 1 - c <= σ2 and σ1 <= 1 + α
//! until a round finds no triangle out of this band;   v += Δq/h
//! ```
//!
//! q preview [m], x and v positions [m] and mean velocity [m/s] of the step, h step [s], σ1 >= σ2 singular values of a
//! triangle's deformation gradient F (3 × 2, [`triangle`]), α `stretch`, c `compress`. An edge vector of a triangle is
//! F times what it was at rest, so no edge is stretched by more than σ1: limits on triangles imply those on edges.
//! Edges that no triangle has are limited by their length ([`line`]).
//!
//! Source: Wang, O'Brien & Ramamoorthi 2010 [WOR10], by its abstract; the text was not at hand. The abstract has
//! singular values of the deformation gradient of each element, limits enforced by a non-linear Gauss–Seidel procedure,
//! and limits fitted to each level of a non-conforming hierarchy. What is ours:
//!
//! - the correction of a triangle ([`triangle`]): impulses along the principal directions, which keep both momenta;
//! - how meshes are coarsened and what is limited on them ([`coarse`]);
//! - a value that is out of the band is put inside it by `tolerance`, so that rounds end and the limit is kept.
//!
//! The limit of angles between triangles, which the abstract names, is not part of this: bending is a force here.
//!
//! Triangles are solved group by group, no two of a group sharing a particle, in parallel where groups are large. The
//! result does not depend on the number of threads.

mod coarse;
mod line;
mod seeds;
mod surface;
#[cfg(test)]
mod tests;
mod triangle;

use glam::DVec3;

use self::coarse::Coarse;
use self::line::Line;
use self::surface::RestSurface;
use self::triangle::{Band, Triangle};
use super::shared::SharedVectors;
use super::sweep::sweep;
use crate::integrate::StepContext;
use crate::mesh::unordered;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::rows::{Colouring, Row, edge_rows};
use crate::settings::{Isotropic, Limiter};

/// The meshes, and working memory.
#[derive(Debug)]
pub(super) struct Levels {
    own: Isotropic,
    /// From the coarsest.
    coarse: Vec<Coarse>,
    /// The triangles of the cloth, group after group.
    triangles: Vec<Triangle>,
    /// Where each group ends.
    triangle_ends: Vec<usize>,
    /// The edges that no triangle has, likewise.
    lines: Vec<Line>,
    line_ends: Vec<usize>,
    /// Preview positions [m].
    preview: SharedVectors,
    /// The same before and after the method [m].
    moved: Vec<DVec3>,
}

impl Levels {
    pub(super) fn new(own: Isotropic, model: &Model) -> Self {
        let surface = RestSurface::of(model);
        let own_triangles =
            surface.triangles.iter().filter_map(|&corners| Triangle::new(corners, surface.flat(corners)));
        let (triangles, triangle_ends) = in_groups(own_triangles, |triangle| triangle.corners, model.len());
        let lines = lines_without(&triangles, edge_rows(model)).map(Line::new);
        let (lines, line_ends) = in_groups(lines, Line::ends, model.len());
        Self {
            own,
            coarse: coarser_meshes(own.levels, &surface, model),
            triangles,
            triangle_ends,
            lines,
            line_ends,
            preview: SharedVectors::default(),
            moved: Vec::new(),
        }
    }

    pub(super) fn apply(&mut self, limiter: &Limiter, context: StepContext<'_>, velocity: &mut [DVec3]) -> LimiterWork {
        let StepContext { state, drivers, h, .. } = context;
        self.prepare(context);
        self.moved.clear();
        self.moved.extend(velocity.iter().zip(&state.x).map(|(v, x)| *x + *v * h));
        self.preview.copy_from(&self.moved);
        let work = self.limit(limiter, context);
        for (i, (v, before)) in velocity.iter_mut().zip(&self.moved).enumerate() {
            *v += drivers.filter(i, self.preview.get(i as u32) - *before) / h;
        }
        work
    }

    /// Makes all elements ready for a step.
    fn prepare(&mut self, context: StepContext<'_>) {
        let StepContext { model, drivers, .. } = context;
        let (freedom, mass) = (|i: u32| drivers.freedom[i as usize], |i: u32| model.mass[i as usize]);
        self.triangles.iter_mut().for_each(|triangle| triangle.prepare(freedom, mass));
        self.lines.iter_mut().for_each(|line| line.prepare(freedom, mass));
        self.coarse.iter_mut().for_each(|level| level.prepare(drivers));
    }

    /// Rounds over all levels, from the coarsest, until nothing of the cloth's own mesh is out of the band.
    fn limit(&mut self, limiter: &Limiter, context: StepContext<'_>) -> LimiterWork {
        let band = self.band(limiter);
        for round in 0..limiter.max_iterations {
            for level in &mut self.coarse {
                level.round(&self.preview, context.drivers, band);
            }
            if !self.round(band) {
                return LimiterWork { rounds: round, ..LimiterWork::default() };
            }
            if context.interrupt.asked() {
                break;
            }
        }
        LimiterWork { rounds: limiter.max_iterations, unfinished: true, ..LimiterWork::default() }
    }

    /// One round over all elements of the cloth's own mesh; false when none was out of the band.
    fn round(&self, band: Band) -> bool {
        let triangles = sweep(&self.triangles, &self.triangle_ends, |triangle| triangle.limit(&self.preview, band));
        sweep(&self.lines, &self.line_ends, |line| line.limit(&self.preview, band)) | triangles
    }

    fn band(&self, limiter: &Limiter) -> Band {
        let (least, most) = (limiter.compress.map_or(0.0, |compress| 1.0 - compress), 1.0 + limiter.stretch);
        Band { least, most, tolerance: self.own.tolerance.min(0.5 * (most - least)) }
    }
}

/// Meshes that are coarser than the cloth's own, the coarsest first, each with sides twice as long as the next; fewer
/// than asked for where a cloth is too small for them.
fn coarser_meshes(levels: u32, surface: &RestSurface, model: &Model) -> Vec<Coarse> {
    let spacings = std::iter::successors(Some(2.0 * surface.side), |spacing| Some(2.0 * spacing));
    let mut meshes: Vec<_> =
        (1..levels).zip(spacings).map_while(|(_, spacing)| Coarse::new(surface, model, spacing)).collect();
    meshes.reverse();
    meshes
}

/// The edges that are no side of any of some triangles.
fn lines_without(triangles: &[Triangle], edges: Vec<Row>) -> impl Iterator<Item = Row> {
    let sides = triangles.iter().flat_map(|triangle| {
        let [a, b, c] = triangle.corners;
        [[a, b], [b, c], [c, a]].map(unordered)
    });
    let mut sides: Vec<_> = sides.collect();
    sides.sort_unstable();
    edges.into_iter().filter(move |edge| sides.binary_search(&unordered([edge.a, edge.b])).is_err())
}

/// Elements in groups of which no two share a particle, and where each group ends.
fn in_groups<T, const N: usize>(
    elements: impl Iterator<Item = T>,
    particles_of: impl Fn(&T) -> [u32; N],
    particles: usize,
) -> (Vec<T>, Vec<usize>) {
    let elements: Vec<T> = elements.collect();
    let colouring = Colouring::of_elements(elements.iter().map(particles_of), particles);
    let mut elements: Vec<Option<T>> = elements.into_iter().map(Some).collect();
    let ordered = colouring.order.iter().filter_map(|&number| elements[number as usize].take());
    (ordered.collect(), colouring.ends)
}
