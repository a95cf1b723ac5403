//! Why a step failed, in terms of the user's meshes, and what to do about it.

use muslin::error::{Apart, Bond, blocked_by};
use muslin::measure::EdgeStrain;
use muslin::{Model, StepError};

/// A step's error in words; `time` is that of the last good state [s], `repair` whether starts are repaired.
pub(crate) fn describe(error: &StepError, model: &Model, time: f64, repair: bool) -> String {
    match error {
        StepError::NotFinite { particle, .. } => {
            format!(
                "not finite: {error} ({}); a shorter `time.step`, or \"auto\", may help",
                vertices(model, &[*particle])
            )
        }
        StepError::Interrupted { .. } => "interrupted; `--resume` continues it".to_owned(),
        StepError::Unkept { limit, edges, apart, pressing, .. } => {
            let remedy = remedy(apart.is_some(), !pressing.is_empty());
            let apart = apart.map(|Apart { first, second, distance, reach }| {
                let pair = vertices(model, &[first, second]);
                format!("pins hold {pair} {distance:.4} m apart, but the cloth between them reaches only {reach:.4} m")
            });
            let pressing = pressing.iter().map(|name| format!("`{name}` presses against the cloth"));
            let edges = (!edges.is_empty()).then(|| format!("edges {} would exceed it", over(model, edges)));
            let reasons: Vec<String> = apart.into_iter().chain(pressing).chain(edges).collect();
            let percent = limit * 100.0;
            format!("the limit of {percent} % cannot be kept at {time:.4} s: {}; {remedy}", reasons.join("; "))
        }
        StepError::Blocked { cloth, vertex, bond, place, colliders, .. } => {
            let [x, y, z] = place.to_array();
            let remedy = match bond {
                Bond::Free => "leave room between the solids, or choose with `contact.yield` what is given up",
                Bond::Pinned => "keep the solid and the pin apart",
                Bond::Entangled if repair => {
                    "`contact.repair` cannot move it out within the strain limit: start the cloth elsewhere"
                }
                Bond::Entangled => "start the cloth outside, or set `contact.repair = true`",
            };
            let (how, clause) = (blocked_by(colliders), bond.describe());
            format!(
                "cloth `{cloth}` is {how} at vertex {vertex}{clause}, near ({x:.4}, {y:.4}, {z:.4}) m, at {time:.4} s; \
                 {remedy}"
            )
        }
        other => other.to_string(),
    }
}

fn remedy(apart: bool, pressing: bool) -> &'static str {
    if apart {
        "bring the pins closer together, or raise `limiter.stretch`"
    } else if pressing {
        "let solids and pins move more slowly, raise `limiter.stretch`, or choose with `contact.yield` what is given up"
    } else {
        "let the pins move more slowly, or raise `limiter.stretch`"
    }
}

/// Edges with their strains, worst first.
fn over(model: &Model, edges: &[EdgeStrain]) -> String {
    let one = |over: &EdgeStrain| {
        let (edge, percent) = (&model.edges[over.edge], over.strain * 100.0);
        match (model.owner(edge.a as usize), model.owner(edge.b as usize)) {
            (Some((cloth, a)), Some((_, b))) => format!("{a}–{b} of `{}` ({percent:.3} %)", cloth.name),
            _ => format!("{}–{} ({percent:.3} %)", edge.a, edge.b),
        }
    };
    edges.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// One or two particles as the user knows them.
fn vertices(model: &Model, particles: &[usize]) -> String {
    let owners: Vec<_> = particles.iter().filter_map(|&particle| model.owner(particle)).collect();
    match owners.as_slice() {
        [(cloth, vertex)] => format!("vertex {vertex} of cloth `{}`", cloth.name),
        [(one, a), (other, b)] if one.name == other.name => format!("vertices {a} and {b} of cloth `{}`", one.name),
        [(one, a), (other, b)] => {
            format!("vertex {a} of cloth `{}` and vertex {b} of cloth `{}`", one.name, other.name)
        }
        _ => format!("particles {particles:?}"),
    }
}
