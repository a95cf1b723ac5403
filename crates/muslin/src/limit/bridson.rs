//! Impulses in Jacobi rounds.
//!
//! ```text
//! for each edge whose preview length |q_b - q_a| is beyond its limit L:   n = (q_b - q_a)/|q_b - q_a|
//! p = (|q_b - q_a| - L) / (h (nᵀC_a n/m_a + nᵀC_b n/m_b));   v_a += C_a n p/m_a,  v_b -= C_b n p/m_b
//! ```
//!
//! p [N·s]. Source: Bridson, Fedkiw & Anderson 2002, as described in [Ye08] §2. In a round all impulses are found from
//! the same preview and applied at once; where several edges pull at a particle they are averaged, or they would
//! overshoot. Departure: an edge's impulse is divided by the greater number of pulling edges at its two ends, not by
//! each end's own, so that it stays equal and opposite and momentum is kept. Rounds go on until nothing is out of
//! bounds or `max_iterations` is reached.

use glam::DVec3;

use crate::integrate::StepContext;
use crate::model::{LimitedEdge, Model};
use crate::report::LimiterWork;
use crate::settings::Limiter;

/// Working memory of the rounds.
#[derive(Debug)]
pub(super) struct Rounds {
    /// The edges that pull in this round, with their impulses before averaging [N·s].
    pulls: Vec<(u32, DVec3)>,
    /// How many of them pull at each particle.
    crowd: Vec<u32>,
}

impl Rounds {
    /// Memory for a model, all of which a round may need.
    pub(super) fn new(model: &Model) -> Self {
        Self { pulls: Vec::with_capacity(model.edges.len()), crowd: Vec::with_capacity(model.len()) }
    }

    pub(super) fn apply(&mut self, limiter: &Limiter, context: StepContext<'_>, velocity: &mut [DVec3]) -> LimiterWork {
        for round in 0..limiter.max_iterations {
            self.gather(limiter, context, velocity);
            if self.pulls.is_empty() {
                return LimiterWork { rounds: round, ..LimiterWork::default() };
            }
            self.pull(context, velocity);
            if context.interrupt.asked() {
                break;
            }
        }
        LimiterWork { rounds: limiter.max_iterations, unfinished: true, ..LimiterWork::default() }
    }

    /// Finds the edges that are out of bounds in the preview and whose ends can move.
    fn gather(&mut self, limiter: &Limiter, context: StepContext<'_>, velocity: &[DVec3]) {
        self.pulls.clear();
        self.crowd.clear();
        self.crowd.resize(velocity.len(), 0);
        for (number, edge) in (0..).zip(&context.model.edges) {
            if let Some(impulse) = impulse(limiter, context, edge, velocity) {
                self.pulls.push((number, impulse));
                self.crowd[edge.a as usize] += 1;
                self.crowd[edge.b as usize] += 1;
            }
        }
    }

    /// Applies all impulses of the round, averaged.
    fn pull(&self, context: StepContext<'_>, velocity: &mut [DVec3]) {
        let StepContext { model, drivers, .. } = context;
        for &(number, impulse) in &self.pulls {
            let edge = &model.edges[number as usize];
            let (a, b) = (edge.a as usize, edge.b as usize);
            let part = impulse / f64::from(self.crowd[a].max(self.crowd[b]));
            velocity[a] += drivers.response(model, a, part);
            velocity[b] -= drivers.response(model, b, part);
        }
    }
}

/// The impulse on an edge's first end that brings it to its limit [N·s]; none when it is within its limits, or both
/// ends are pinned.
fn impulse(limiter: &Limiter, context: StepContext<'_>, edge: &LimitedEdge, velocity: &[DVec3]) -> Option<DVec3> {
    let StepContext { model, state, drivers, h, .. } = context;
    let (a, b) = (edge.a as usize, edge.b as usize);
    let d = (state.x[b] + velocity[b] * h) - (state.x[a] + velocity[a] * h);
    let length = d.length();
    let excess = length - limiter.allowed_length(edge, length)?;
    // An epsilon of slack: without it rounding would keep rounds going for ever.
    if excess.abs() <= 1e-12 * edge.rest {
        return None;
    }
    let n = d.normalize_or_zero();
    let response = drivers.response(model, a, n).dot(n) + drivers.response(model, b, n).dot(n);
    (response > 0.0).then(|| n * (excess / (h * response)))
}
