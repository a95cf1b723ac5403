//! Why a step had to be refused: the edges over their limit, pins that are further apart than cloth can reach, or
//! solids that leave no room.

use glam::DVec3;

use super::paths::Graph;
use crate::contact::{Hit, Near, survey};
use crate::drivers::Freedom;
use crate::error::{Apart, Bond, StepError};
use crate::integrate::StepContext;
use crate::measure::{EdgeStrain, edge_strain};
use crate::rows::edge_rows;

/// The error for a step whose limits could not be met; `x` is as near as it came [m], `found` what is near solids
/// there.
pub(super) fn refuse(context: StepContext<'_>, limit: f64, x: &[DVec3], found: &[Near]) -> StepError {
    let model = context.model;
    let strains = model.edges.iter().enumerate().filter_map(|(edge, limited)| {
        let strain = edge_strain(limited, x)?;
        (!(strain <= limit)).then_some(EdgeStrain { edge, strain })
    });
    let mut edges: Vec<EdgeStrain> = strains.collect();
    edges.sort_by(|one, other| other.strain.total_cmp(&one.strain));
    let apart = furthest_apart(context, limit);
    // Where pins leap far out of reach substeps burst, and edges longer than the pins ask for say nothing.
    edges.retain(|edge| apart.is_none_or(|apart| edge.strain < apart.distance / apart.reach));
    // More would only be read by a program.
    edges.truncate(5);
    let in_contact = found.iter().filter(|near| apart.is_none() && near.gap < 1.5 * near.thickness);
    let pressing = names(context, in_contact.map(|near| near.collider as usize).collect());
    StepError::Unkept { step: context.state.step + 1, limit, edges, apart, pressing }
}

/// The error for a step in which cloth is trapped by solids; `found` is what was near.
pub(super) fn blocked(context: StepContext<'_>, hit: &Hit, found: &[Near]) -> StepError {
    let model = context.model;
    let near = found.iter().filter(|near| near.particles.iter().any(|i| hit.particles.contains(i)));
    let colliders = names(context, near.map(|near| near.collider as usize).chain([hit.collider]).collect());
    let pinned = |i: &&u32| context.drivers.freedom[**i as usize] == Freedom::Fixed;
    let (particle, bond) = match hit.particles.iter().find(pinned) {
        Some(&particle) => (particle as usize, Bond::Pinned),
        None => (hit.particles[0] as usize, Bond::Free),
    };
    let (cloth, vertex) =
        model.owner(particle).map_or((String::new(), particle), |(part, vertex)| (part.name.clone(), vertex));
    let place = context.state.x[particle];
    StepError::Blocked { step: context.state.step + 1, cloth, vertex, bond, place, colliders }
}

/// The names of colliders, each once.
fn names(context: StepContext<'_>, mut colliders: Vec<usize>) -> Vec<String> {
    colliders.sort_unstable();
    colliders.dedup();
    colliders.into_iter().map(|number| context.model.colliders[number].name.clone()).collect()
}

/// An error when a step starts with cloth in a solid, or through one. Distances of vertices to triangles and of edges
/// to edges, which motions are verified by, say nothing of an edge that goes through a triangle already.
pub(super) fn entangled(context: StepContext<'_>) -> Result<(), StepError> {
    let StepContext { model, state, .. } = context;
    let survey = survey(model, &state.x, state);
    let deepest = survey.nearest.filter(|place| place.gap < 0.0);
    let Some(place) = deepest.or(survey.first_crossings.first().copied()) else { return Ok(()) };
    let (cloth, vertex) = (&model.cloths[place.cloth], place.part.vertices()[0] as usize);
    Err(StepError::Blocked {
        step: state.step + 1,
        cloth: cloth.name.clone(),
        vertex,
        bond: Bond::Entangled,
        place: state.x[cloth.particles.start + vertex],
        colliders: vec![model.colliders[place.collider].name.clone()],
    })
}

/// The two pinned particles that are furthest beyond what the cloth between them can reach.
pub(super) fn furthest_apart(context: StepContext<'_>, limit: f64) -> Option<Apart> {
    let graph = Graph::of(&edge_rows(context.model), context.model.len());
    let fixed: Vec<bool> = context.drivers.freedom.iter().map(|freedom| *freedom == Freedom::Fixed).collect();
    let place = &context.drivers.target;
    let mut worst: Option<Apart> = None;
    for group in graph.groups(&fixed) {
        for &from in &group {
            for (to, nearest) in graph.nearest(&[from]).into_iter().enumerate().filter(|(to, _)| fixed[*to]) {
                let Some((_, path)) = nearest else { continue };
                let (distance, reach) = (place[from as usize].distance(place[to]), path * (1.0 + limit));
                if distance > reach && worst.is_none_or(|worst| distance - reach > worst.distance - worst.reach) {
                    worst = Some(Apart { first: from as usize, second: to, distance, reach });
                }
            }
        }
    }
    worst
}
