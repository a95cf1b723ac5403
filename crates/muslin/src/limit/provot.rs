//! Position correction in passes.
//!
//! ```text
//! q = x + h v;   for each edge longer (or shorter) than allowed, in order:  d = q_b - q_a,  e = |d| - L
//! both ends free: q_a += ½ e n, q_b -= ½ e n;   one end free: all of it there;   finally v = (q - x)/h
//! ```
//!
//! Source: Provot 1995, as described in [Ye08] §2 and [BB08] §2. Departures: passes repeat until nothing is out of
//! bounds or `max_iterations` is reached (Provot makes one); the velocity follows the moved positions, since otherwise
//! gravity would speed up particles that cannot move. Each end takes half of the correction whatever its mass, as
//! published, so momentum is kept only for equal masses.

use glam::DVec3;

use crate::drivers::Freedom;
use crate::integrate::StepContext;
use crate::model::Model;
use crate::report::LimiterWork;
use crate::settings::Limiter;

/// Working memory of the passes.
#[derive(Debug)]
pub(super) struct Passes {
    /// Preview positions [m].
    preview: Vec<DVec3>,
}

impl Passes {
    pub(super) fn new(model: &Model) -> Self {
        Self { preview: vec![DVec3::ZERO; model.len()] }
    }

    pub(super) fn apply(&mut self, limiter: &Limiter, context: StepContext<'_>, velocity: &mut [DVec3]) -> LimiterWork {
        let StepContext { model, state, drivers, h, .. } = context;
        for i in 0..model.len() {
            self.preview[i] = state.x[i] + velocity[i] * h;
        }
        let mut rounds = 0;
        let mut unfinished = pass(limiter, context, &mut self.preview);
        while unfinished {
            rounds += 1;
            if rounds == limiter.max_iterations || context.interrupt.asked() {
                break;
            }
            unfinished = pass(limiter, context, &mut self.preview);
        }
        if rounds > 0 {
            for i in (0..model.len()).filter(|&i| drivers.freedom[i] != Freedom::Fixed) {
                velocity[i] = (self.preview[i] - state.x[i]) / h;
            }
        }
        LimiterWork { rounds, unfinished, ..LimiterWork::default() }
    }
}

/// One pass over all edges; false when none was out of bounds.
fn pass(limiter: &Limiter, context: StepContext<'_>, q: &mut [DVec3]) -> bool {
    let freedom = &context.drivers.freedom;
    let mut moved = false;
    for edge in &context.model.edges {
        let (a, b) = (edge.a as usize, edge.b as usize);
        let d = q[b] - q[a];
        let length = d.length();
        let Some(allowed) = limiter.allowed_length(edge, length) else { continue };
        // An epsilon of slack: without it rounding would keep passes going for ever.
        if (length - allowed).abs() <= 1e-12 * edge.rest {
            continue;
        }
        let correction = (length - allowed) * d.normalize_or_zero();
        let (fraction_a, fraction_b) = match (freedom[a] == Freedom::Fixed, freedom[b] == Freedom::Fixed) {
            (true, true) => continue,
            (true, false) => (0.0, 1.0),
            (false, true) => (1.0, 0.0),
            (false, false) => (0.5, 0.5),
        };
        q[a] += freedom[a].filter(correction * fraction_a);
        q[b] -= freedom[b].filter(correction * fraction_b);
        moved = true;
    }
    moved
}
