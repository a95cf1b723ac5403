//! Impulses in Jacobi rounds.
//!
//! ```text
//! for each edge whose preview length |q_b - q_a| is beyond its limit L:   n = (q_b - q_a)/|q_b - q_a|
//! p = (|q_b - q_a| - L) / (h (nᵀC_a n/m_a + nᵀC_b n/m_b));   v_a += C_a n p/m_a,  v_b -= C_b n p/m_b
//! ```
//!
//! p [N·s]. Source: Bridson, Fedkiw & Anderson 2002, as told in [Ye08] §2. In a round all impulses are found from the same
//! preview and applied at once; where several edges pull at a particle they are averaged, or they would overshoot.
//! Departure: an edge's impulse is divided by the greater number of pulling edges at its two ends, not by each end's own,
//! so that it stays equal and opposite and momentum is kept. Rounds go on until nothing is out of bounds or
//! `max_iterations` is reached.

use glam::DVec3;

use crate::integrate::StepContext;
use crate::model::LimitedEdge;
use crate::settings::Limiter;

pub(super) fn apply(
    limiter: &Limiter,
    context: StepContext<'_>,
    change: &mut [DVec3],
    crowd: &mut [u32],
    velocity: &mut [DVec3],
) -> u32 {
    for round in 0..limiter.max_iterations {
        count_pulling_edges(limiter, context, crowd, velocity);
        if crowd.iter().all(|&count| count == 0) {
            return round;
        }
        change.fill(DVec3::ZERO);
        for edge in &context.model.edges {
            if let Some((direction, excess)) = violation(limiter, context, edge, velocity) {
                pull(context, edge, direction * excess, crowd, change);
            }
        }
        for (velocity, change) in velocity.iter_mut().zip(&*change) {
            *velocity += *change;
        }
    }
    limiter.max_iterations
}

/// Direction of an edge in the preview and how much it is too long [m]; none when it is within its limits.
fn violation(
    limiter: &Limiter,
    context: StepContext<'_>,
    edge: &LimitedEdge,
    velocity: &[DVec3],
) -> Option<(DVec3, f64)> {
    let StepContext { state, h, .. } = context;
    let (a, b) = (edge.a as usize, edge.b as usize);
    let d = (state.x[b] + velocity[b] * h) - (state.x[a] + velocity[a] * h);
    let length = d.length();
    let excess = length - limiter.allowed_length(edge, length)?;
    (excess.abs() > 1e-12 * edge.rest).then(|| (d.normalize_or_zero(), excess))
}

fn count_pulling_edges(limiter: &Limiter, context: StepContext<'_>, crowd: &mut [u32], velocity: &[DVec3]) {
    crowd.fill(0);
    for edge in &context.model.edges {
        if let Some((direction, _)) = violation(limiter, context, edge, velocity)
            && yielding(context, edge, direction) > 0.0
        {
            crowd[edge.a as usize] += 1;
            crowd[edge.b as usize] += 1;
        }
    }
}

/// nᵀC_a n/m_a + nᵀC_b n/m_b [1/kg]: how readily an edge changes its length.
fn yielding(context: StepContext<'_>, edge: &LimitedEdge, n: DVec3) -> f64 {
    let response = |i: u32| context.drivers.response(context.model, i as usize, n).dot(n);
    response(edge.a) + response(edge.b)
}

fn pull(context: StepContext<'_>, edge: &LimitedEdge, excess: DVec3, crowd: &[u32], change: &mut [DVec3]) {
    let StepContext { model, drivers, h, .. } = context;
    let (a, b) = (edge.a as usize, edge.b as usize);
    let yielding = yielding(context, edge, excess.normalize_or_zero());
    if yielding > 0.0 {
        let impulse = excess / (h * yielding * f64::from(crowd[a].max(crowd[b])));
        change[a] += drivers.response(model, a, impulse);
        change[b] -= drivers.response(model, b, impulse);
    }
}
