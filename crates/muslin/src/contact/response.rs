//! Contact of vertices with solids, for the published limiters and the baselines.
//!
//! Solids are met where they are at the end of the step, by vertices only, as the papers do it: an edge may cut
//! through a solid's corner, and what moves further than its own size in a step passes unseen. Both are for the
//! certificate to report. A step goes like this:
//!
//! ```text
//! begin    which vertices start nearer than ξ, where the solids start;  then the solids go to the end of the step
//! gather   which would end nearer than 2 ξ: one row each (`row`); again after motions that make rows stale
//! settle   rows one by one: push until the gap is kept, then friction: the response of the baselines
//! finish   (`finish`) velocities at the end: vertices in contact no longer approach; friction of that push
//! ```

use glam::DVec3;

use super::row::ContactRow;
use super::solids::Solids;
use super::vertices::VertexSearch;
use crate::integrate::StepContext;
use crate::model::Model;
use crate::settings::{Integrator, Settings};

/// Vertices nearer than this many ξ get a row.
const REACH: f64 = 2.0;
/// Up to this many ξ a vertex was in contact before the step.
const START_REACH: f64 = 1.01;
/// Most rounds of measuring and pushing in `settle`; a vertex between two solids takes several.
const MOST_ROUNDS: u32 = 8;

/// The gap of a vertex that starts the step in contact.
#[derive(Debug, Clone, Copy)]
struct StartGap {
    collider: u32,
    particle: u32,
    gap: f64,
}

/// All rows of a step, and working memory.
#[derive(Debug)]
pub(crate) struct Contacts {
    pub(super) integrator: Integrator,
    search: VertexSearch,
    /// By collider, then by particle.
    start_gaps: Vec<StartGap>,
    /// By collider, then by particle.
    pub(super) rows: Vec<ContactRow>,
}

impl Contacts {
    pub(crate) fn new(settings: &Settings, model: &Model) -> Self {
        let most = if model.colliders.is_empty() { 0 } else { model.len() };
        Self {
            integrator: settings.integrator,
            search: VertexSearch::new(model),
            start_gaps: Vec::with_capacity(most),
            rows: Vec::with_capacity(most),
        }
    }

    /// Starts a step, and places the solids at its end.
    pub(crate) fn begin(&mut self, context: StepContext<'_>, solids: &mut Solids) {
        self.rows.clear();
        self.start_gaps.clear();
        if solids.is_empty() {
            return;
        }
        if solids.fraction() != 0.0 {
            solids.place(0.0);
        }
        let start_gaps = &mut self.start_gaps;
        self.search.each(
            context.model,
            solids,
            START_REACH,
            |i| context.state.x[i],
            |near| {
                let (collider, particle) = (near.collider as u32, near.particle as u32);
                start_gaps.push(StartGap { collider, particle, gap: near.separation.gap });
            },
        );
        solids.place(1.0);
    }

    /// The rows; none before the first gathering.
    pub(crate) fn rows(&self) -> &[ContactRow] {
        &self.rows
    }

    pub(crate) fn rows_mut(&mut self) -> &mut [ContactRow] {
        &mut self.rows
    }

    /// Measures where vertices at `at(particle)` [m] lie to the solids. Rows there are keep their impulses; new ones
    /// join.
    pub(crate) fn gather(&mut self, context: StepContext<'_>, solids: &Solids, at: impl Fn(usize) -> DVec3) {
        if solids.is_empty() {
            return;
        }
        let (rows, start_gaps) = (&mut self.rows, &self.start_gaps);
        let known = rows.len();
        for row in &mut *rows {
            row.leave();
        }
        self.search.each(context.model, solids, REACH, &at, |near| {
            let key = (near.collider as u32, near.particle as u32);
            let start = start_gaps.binary_search_by_key(&key, |start| (start.collider, start.particle));
            let gap = start.ok().map(|place| start_gaps[place].gap);
            let q = at(near.particle);
            match rows[..known].binary_search_by_key(&key, |row| (row.collider, row.particle)) {
                Ok(place) => rows[place].measure(context, &near, q, gap),
                Err(_) => rows.extend(ContactRow::new(context, &near, q, gap)),
            }
        });
        if rows.len() > known {
            rows.sort_unstable_by_key(|row| (row.collider, row.particle));
        }
    }

    /// Measures where the vertices would be after the step.
    pub(crate) fn gather_preview(&mut self, context: StepContext<'_>, solids: &Solids, velocity: &[DVec3]) {
        self.gather(context, solids, |i| context.state.x[i] + velocity[i] * context.h);
    }

    /// Pushes every vertex that would end too near, and rubs where `friction`: contact after the limiter.
    pub(crate) fn settle(&mut self, context: StepContext<'_>, solids: &Solids, friction: bool, velocity: &mut [DVec3]) {
        for _ in 0..MOST_ROUNDS {
            self.gather_preview(context, solids, velocity);
            let mut unsettled = false;
            for row in self.rows.iter_mut().filter(|row| row.can_be_pushed()) {
                let i = row.particle as usize;
                let x = context.state.x[i];
                unsettled |= row.is_too_near(x + velocity[i] * context.h);
                velocity[i] += row.lift(velocity[i], row.least_speed(x, context.h));
                if friction {
                    velocity[i] += row.rub(velocity[i]);
                }
            }
            // Whatever friction moved along a surface that is not flat is seen in the next round.
            if !unsettled {
                break;
            }
        }
    }
}
