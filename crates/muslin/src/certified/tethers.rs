//! Tethers: how far a particle can be from a pin at all.
//!
//! ```text
//! |x_i - x_pin| <= g_i (1 + α)         g_i: shortest path along edges from the pin to particle i, at rest [m]
//! ```
//!
//! This follows from the edges' limits, so it is not one more thing to keep; but a tether carries the pull of a pin to
//! its particle at once, where edges pass it on one by one. Particles that are pinned side by side form one group; a
//! particle gets one tether to the nearest pin of each group.
//!
//! They leave a slack, about what rows are longer under load. Without it they would take the load from the rows when a
//! sheet is straight and give it back when it bends, twice in a swing and each time without bounce: leather then loses
//! a sixth of its swing in 10 s. Columns under a pin carry more load than others and are longer, so particles that hang
//! get twice as much. A row of edges that goes straight from pin to pin would sag too little without any, and swings of
//! soft fabrics would last too long; with much more it would sag too far, for no other row holds it up.

use super::paths::{Graph, NearestSource};
use crate::model::Model;
use crate::rows::edge_rows;

/// A particle is between two groups when the path through it is longer than the shortest by at most this fraction. With
/// 0 irregular meshes have no particle between, with far more all of them are.
const DETOUR: f64 = 0.01;

/// Slack of tethers of particles that hang, by that of others. With 1 leather loses its swing.
const HANGING: f64 = 2.0;

/// A limit of the distance between a particle and a fixed one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tether {
    /// The particle.
    pub(crate) particle: u32,
    /// The fixed one.
    pub(crate) pin: u32,
    /// What it aims at [m].
    pub(crate) longest: f64,
}

/// The tethers of all cloths without slack, by particle.
pub(crate) fn tethers_of(model: &Model, fixed: &[bool]) -> Vec<Tether> {
    tethers(&Graph::of(&edge_rows(model), model.len()), fixed, 0.0)
}

/// The tethers of all particles that move: first each particle's shortest, then each one's second, and so on; group by
/// group sheets would not move the same on both sides. They are longer than their paths by a `slack`, as a fraction.
pub(super) fn tethers(graph: &Graph, fixed: &[bool], slack: f64) -> Vec<Tether> {
    let groups = graph.groups(fixed);
    let nearest: Vec<_> = groups.iter().map(|group| graph.nearest(group)).collect();
    let between = between(&groups, &nearest, fixed.len());
    let mut shortest: Vec<Vec<Tether>> = vec![Vec::new(); fixed.len()];
    for nearest in &nearest {
        for (particle, nearest) in nearest.iter().enumerate() {
            let Some((pin, distance)) = *nearest else { continue };
            // One edge away the edge's own limit suffices.
            let by_edge = graph.neighbours(particle).iter().any(|&(next, _)| next == pin);
            if !fixed[particle] && !by_edge {
                let longest = distance * (1.0 + if between[particle] { slack } else { HANGING * slack });
                let own = &mut shortest[particle];
                let place = own.partition_point(|tether| tether.longest <= longest);
                own.insert(place, Tether { particle: particle as u32, pin, longest });
            }
        }
    }
    (0..groups.len()).flat_map(|rank| shortest.iter().filter_map(move |own| own.get(rank).copied())).collect()
}

/// Whether each particle is on a shortest path from one group of pins to another.
fn between(groups: &[Vec<u32>], nearest: &[Vec<NearestSource>], particles: usize) -> Vec<bool> {
    let mut between = vec![false; particles];
    for (number, group) in groups.iter().enumerate() {
        for other in &nearest[..number] {
            let distances = group.iter().filter_map(|&pin| other[pin as usize]).map(|(_, distance)| distance);
            let apart = distances.fold(f64::INFINITY, f64::min);
            for (particle, between) in between.iter_mut().enumerate() {
                if let (Some((_, one)), Some((_, two))) = (nearest[number][particle], other[particle]) {
                    *between |= one + two <= apart * (1.0 + DETOUR);
                }
            }
        }
    }
    between
}
