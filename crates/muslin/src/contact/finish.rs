//! The end of a step with contact: what its pushes mean for velocities, and for the report.
//!
//! ```text
//! (v - u)·n >= 0 for vertices in contact, by a push q >= 0;   friction |f| <= μ q
//! ```
//!
//! The pass over positions changed the mean velocity of the step, and the end velocity by as much. Where the two are
//! not the same (`exact`, `newmark`, `explicit-euler`) a vertex at rest on a floor would still fall by half a step of
//! gravity at the end: the push that stops it is the other half of its weight.
//!
//! Under `bdf2` velocities are differences of positions, over two steps. A force that acts all the time moves a vertex
//! by 4/9 h² a, so a push p of the pass over positions stands for 9/4 p. An impact would rebound by those differences:
//! its vertex ends with the mean velocity of the step, and its history is rewritten as if it had always moved so.

use glam::DVec3;

use super::response::Contacts;
use super::row::ContactRow;
use crate::integrate::{StepContext, StepVelocities};
use crate::report::ContactWork;
use crate::settings::{EndVelocity, Integrator, Newmark};
use crate::state::Before;

impl Contacts {
    /// After the pass over positions: takes out of the end velocity what only brought vertices back, and notes what the
    /// solids did.
    pub(crate) fn conclude(&self, context: StepContext<'_>, motion: &mut StepVelocities, work: &mut ContactWork) {
        let lasting = if self.uses_differences(context) { 2.25 } else { 1.0 };
        for row in &self.rows {
            motion.end_velocity[row.particle as usize] -= row.recovered();
            work.impulse += row.impulse() * if row.is_impact() { 1.0 } else { lasting };
            work.contacts += u32::from(row.push > 0.0);
        }
    }

    /// Starts the pass over the velocities `v` [m/s] at the end of the step, as the integrator left them.
    pub(crate) fn begin_finish(&mut self, context: StepContext<'_>, motion: &StepVelocities, v: &mut [DVec3]) {
        let differences = self.uses_differences(context);
        let from_mean = matches!(self.integrator, Integrator::Newmark(Newmark { end_velocity: EndVelocity::Half }));
        let recovery_fraction = if differences { 1.5 } else { f64::from(u8::from(from_mean)) };
        for row in &mut self.rows {
            let i = row.particle as usize;
            if differences && row.is_impact() {
                v[i] = motion.velocity[i] - row.recovered();
            } else {
                v[i] -= row.recovered() * recovery_fraction;
            }
            row.turn_to_velocities();
        }
    }

    /// The rows of vertices in contact.
    pub(crate) fn in_contact(&mut self) -> impl Iterator<Item = &mut ContactRow> {
        self.rows.iter_mut().filter(|row| row.is_in_contact())
    }

    /// Stops vertices in contact from approaching, with the friction of that push.
    pub(crate) fn settle_velocities(&mut self, v: &mut [DVec3]) {
        for row in self.in_contact() {
            let i = row.particle as usize;
            v[i] += row.lift(v[i], row.surface_speed());
            v[i] += row.rub(v[i]);
        }
    }

    /// After the pass over velocities: notes what the solids did in it.
    pub(crate) fn conclude_finish(&self, work: &mut ContactWork) {
        for row in &self.rows {
            work.impulse += row.impulse();
            work.contacts += u32::from(row.push > 0.0 && !row.pushed);
        }
    }

    /// Rewrites the history of vertices that struck a solid in the step of length `h` [s] that ended at `x` [m] with
    /// `v` [m/s].
    pub(crate) fn rewrite_history(&self, h: f64, x: &[DVec3], v: &[DVec3], before: &mut Before) {
        for row in self.rows.iter().filter(|row| row.is_impact()) {
            before.restart(row.particle as usize, h, x, v);
        }
    }

    /// True when the end velocity is a difference of positions over two steps.
    fn uses_differences(&self, context: StepContext<'_>) -> bool {
        let before = context.state.before.as_ref();
        let usable = before.is_some_and(|before| (before.step - context.h).abs() <= 1e-9 * context.h);
        usable && matches!(self.integrator, Integrator::Bdf2(_))
    }
}
