//! A coarser mesh over the cloth: vertices of the cloth that are far apart, joined to triangles.
//!
//! Three seeds make a triangle where their regions meet: at a triangle of the cloth whose corners belong to the three.
//! Its rest shape is found by unfolding the cloth around that triangle into the plane. Every vertex moves with the
//! three seeds around it, by its barycentric coordinates in that plane, none of them negative. The mass of a seed is
//! the sum of the masses that move with it, each by its fraction, so that linear momentum is kept.
//!
//! What is limited are the sides of these triangles, and only their stretch: no side may be longer than 1 + α times the
//! cloth between its ends. That is all that limits on the cloth's own triangles say of places far apart: three of them
//! come nearer to each other where cloth is wrinkled, and their triangle then looks longer across the wrinkles than any
//! thread is. (Folded along its height, an equilateral triangle of places has σ1 = 2/√3, and no thread is stretched.)

use glam::{DVec2, DVec3};

use super::in_groups;
use super::line::Line;
use super::seeds::Seeds;
use super::surface::{Chart, RestSurface};
use super::triangle::Band;
use crate::drivers::Drivers;
use crate::limit::shared::SharedVectors;
use crate::limit::sweep::sweep;
use crate::model::Model;
use crate::rows::Row;

/// A coarser mesh and its working memory.
#[derive(Debug)]
pub(super) struct Coarse {
    /// The particles that are its vertices.
    pub(super) seeds: Vec<u32>,
    /// Group after group; ends are places in `seeds`.
    sides: Vec<Line>,
    /// Where each group ends.
    ends: Vec<usize>,
    /// For each particle the seeds that it moves with, and by which fractions; none for particles of no triangle.
    interpolations: Vec<Option<Interpolation>>,
    /// Mass that moves with each seed [kg].
    pub(super) mass: Vec<f64>,
    /// Where the seeds are [m].
    places: SharedVectors,
    /// Where they were [m].
    before: Vec<DVec3>,
}

/// Three seeds and the fractions that a particle moves with them by.
#[derive(Debug, Clone, Copy)]
struct Interpolation {
    seeds: [u32; 3],
    fractions: [f64; 3],
}

impl Coarse {
    /// A mesh whose vertices are `spacing` [m] apart; none when that leaves no triangle.
    pub(super) fn new(surface: &RestSurface, model: &Model, spacing: f64) -> Option<Self> {
        let mut pinned = vec![false; model.len()];
        model.pins.iter().flat_map(|pin| &pin.particles).for_each(|&i| pinned[i as usize] = true);
        let seeds = Seeds::choose(surface, &pinned, spacing);
        let (sides, interpolations) = triangulate(surface, &seeds);
        if sides.is_empty() {
            return None;
        }
        let (sides, ends) = in_groups(sides.into_iter().map(Line::new), Line::ends, seeds.vertices.len());
        let mut mass = vec![0.0; seeds.vertices.len()];
        for (i, around) in interpolations.iter().enumerate() {
            for (seed, fraction) in around.iter().flat_map(|around| around.seeds.into_iter().zip(around.fractions)) {
                mass[seed as usize] += fraction * model.mass[i];
            }
        }
        let before = vec![DVec3::ZERO; seeds.vertices.len()];
        let places = SharedVectors::default();
        Some(Self { seeds: seeds.vertices, sides, ends, interpolations, mass, places, before })
    }

    /// Makes the mesh ready for a step.
    pub(super) fn prepare(&mut self, drivers: &Drivers) {
        for side in &mut self.sides {
            side.prepare(|seed| drivers.freedom[self.seeds[seed as usize] as usize], |seed| self.mass[seed as usize]);
        }
    }

    /// One round over the sides, and what it moves the particles by. False when no side was too long.
    pub(super) fn round(&mut self, q: &SharedVectors, drivers: &Drivers, band: Band) -> bool {
        for (before, &seed) in self.before.iter_mut().zip(&self.seeds) {
            *before = q.get(seed);
        }
        self.places.copy_from(&self.before);
        let stretch_only = Band { least: 0.0, ..band };
        let moved = sweep(&self.sides, &self.ends, |side| side.limit(&self.places, stretch_only));
        if moved {
            self.carry(q, drivers);
        }
        moved
    }

    /// Moves every particle with its seeds.
    fn carry(&mut self, q: &SharedVectors, drivers: &Drivers) {
        for (seed, before) in (0..).zip(&mut self.before) {
            *before = self.places.get(seed) - *before;
        }
        for i in 0..self.interpolations.len() {
            q.add(i as u32, drivers.filter(i, self.carried(i, &self.before)));
        }
    }

    /// How a particle moves when the seeds move.
    pub(super) fn carried(&self, particle: usize, seeds: &[DVec3]) -> DVec3 {
        self.interpolations[particle]
            .map_or(DVec3::ZERO, |around| (0..3).map(|k| seeds[around.seeds[k] as usize] * around.fractions[k]).sum())
    }
}

/// The sides of the triangles of seeds, each once, and how particles move with their corners.
fn triangulate(surface: &RestSurface, seeds: &Seeds) -> (Vec<Row>, Vec<Option<Interpolation>>) {
    let alone = |seed: u32| Interpolation { seeds: [seed; 3], fractions: [1.0, 0.0, 0.0] };
    let mut interpolations: Vec<Option<Interpolation>> = seeds.nearest.iter().map(|seed| seed.map(alone)).collect();
    // How deep inside its triangle of seeds each particle is: its least barycentric coordinate.
    let mut depths = vec![f64::NEG_INFINITY; surface.rest.len()];
    let (mut sides, mut chart) = (Vec::new(), Chart::default());
    for (start, corners) in meetings(surface, seeds) {
        let within = |particle: u32| seeds.nearest[particle as usize].is_some_and(|seed| corners.contains(&seed));
        chart.unfold(surface, start, within);
        let [Some(a), Some(b), Some(c)] = corners.map(|seed| chart.place(seeds.vertices[seed as usize])) else {
            continue;
        };
        let [one, two, three] = corners;
        let lengths = [(one, two, a.distance(b)), (one, three, a.distance(c)), (two, three, b.distance(c))];
        sides.extend(lengths.map(|(a, b, rest)| Row { a, b, rest }));
        if (b - a).perp_dot(c - a) == 0.0 {
            continue;
        }
        for &particle in chart.placed.iter().filter(|&&particle| within(particle)) {
            let coordinates = barycentric([a, b, c], chart.place(particle).unwrap_or(a));
            let depth = coordinates.into_iter().fold(f64::INFINITY, f64::min);
            if depth > depths[particle as usize] {
                depths[particle as usize] = depth;
                interpolations[particle as usize] =
                    Some(Interpolation { seeds: corners, fractions: positive(coordinates) });
            }
        }
    }
    // Where the rest shape is not developable, charts differ: of one side's lengths the greatest counts.
    sides.sort_unstable_by(|one, other| (one.a, one.b).cmp(&(other.a, other.b)).then(other.rest.total_cmp(&one.rest)));
    sides.dedup_by_key(|side| (side.a, side.b));
    sides.retain(|side| side.rest > 0.0);
    (sides, interpolations)
}

/// The triangles of the cloth whose corners belong to three seeds, and those seeds; once for any three seeds.
fn meetings(surface: &RestSurface, seeds: &Seeds) -> Vec<(usize, [u32; 3])> {
    let mut found = Vec::new();
    for (number, corners) in surface.triangles.iter().enumerate() {
        let [Some(a), Some(b), Some(c)] = corners.map(|corner| seeds.nearest[corner as usize]) else { continue };
        let mut three = [a, b, c];
        three.sort_unstable();
        if three[0] != three[1] && three[1] != three[2] {
            found.push((three, number));
        }
    }
    found.sort_unstable();
    found.dedup_by_key(|(three, _)| *three);
    found.into_iter().map(|(three, number)| (number, three)).collect()
}

fn barycentric([a, b, c]: [DVec2; 3], at: DVec2) -> [f64; 3] {
    let all = (b - a).perp_dot(c - a);
    let [of_b, of_c] = [(at - a).perp_dot(c - a) / all, (b - a).perp_dot(at - a) / all];
    [1.0 - of_b - of_c, of_b, of_c]
}

/// The same without what is negative: of a place in the plane outside the triangle, one on its border.
fn positive(coordinates: [f64; 3]) -> [f64; 3] {
    let kept = coordinates.map(|coordinate| coordinate.max(0.0));
    let sum: f64 = kept.iter().sum();
    kept.map(|coordinate| coordinate / sum)
}
