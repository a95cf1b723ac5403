//! Contact inside the linear systems: a particle in contact loses its normal direction from C.
//!
//! ```text
//! C_i = I - n nᵀ,   n·v_i as the surface has it,   friction on the rest of v_i;   then the system with these C
//! reaction p = m (least n·v - n·v⁰) - n·Σ s        p < 0: the particle gets its direction back
//! ```
//!
//! v⁰ velocity before contact and impulses [m/s], Σ s impulses of the edges on the particle [N s]. Source: [Ye08] §5,
//! which has the matrices C and leaves open which vertices are in contact and for how long. Here: those that would end
//! the step too near are; after the solve, those that the surface would have to hold back are set free, those that
//! edges have pulled too near are constrained, and the step is solved again from the start, at most `MOST_SOLVES`
//! times. Friction acts before the solve, so that it cannot undo what keeps lengths: it resists springs and weight, not
//! the impulses of the step.

use glam::DVec3;

use crate::contact::{Contacts, Solids};
use crate::drivers::Drivers;
use crate::integrate::StepContext;
use crate::report::LimiterWork;

/// Most solves of a step.
const MOST_SOLVES: u32 = 5;
/// Rounds over the rows that bring normal velocities right; more than one matters only between two solids.
const NORMAL_ROUNDS: u32 = 8;
/// A particle is set free when it would leave the surface by more than this fraction of its speed: less is rounding.
const PULLING: f64 = 1e-9;

/// Working memory.
#[derive(Debug, Default)]
pub(super) struct ContactFilter {
    /// Those of the step, with contact.
    drivers: Drivers,
    /// Velocities before contact and impulses [m/s].
    start: Vec<DVec3>,
    /// Sum of the edges' impulses on each particle [N s], C or no C.
    pulls: Vec<DVec3>,
}

impl ContactFilter {
    /// Solves for the impulses of edges with vertices in contact constrained. `solve` changes velocities by impulses,
    /// with the drivers it is given, and adds these impulses to its last argument.
    pub(super) fn solve(
        &mut self,
        context: StepContext<'_>,
        (contacts, solids): (&mut Contacts, &Solids),
        velocity: &mut [DVec3],
        mut solve: impl FnMut(StepContext<'_>, &mut [DVec3], &mut [DVec3]) -> LimiterWork,
    ) -> LimiterWork {
        self.start.clear();
        self.start.extend_from_slice(velocity);
        contacts.gather_preview(context, solids, velocity);
        constrain_near(context, contacts, velocity);
        let mut work = LimiterWork::default();
        for number in 1.. {
            velocity.copy_from_slice(&self.start);
            self.constrain(context, contacts, velocity);
            self.pulls.clear();
            self.pulls.resize(velocity.len(), DVec3::ZERO);
            let done = solve(StepContext { drivers: &self.drivers, ..context }, velocity, &mut self.pulls);
            let freed = self.free_the_pulled(context, contacts);
            contacts.gather_preview(context, solids, velocity);
            let caught = constrain_near(context, contacts, velocity);
            add(&mut work, done);
            if !(freed || caught) || number == MOST_SOLVES || context.interrupt.asked() {
                break;
            }
        }
        work
    }

    /// Gives constrained particles their velocities and their C.
    fn constrain(&mut self, context: StepContext<'_>, contacts: &mut Contacts, velocity: &mut [DVec3]) {
        let StepContext { state, drivers, h, .. } = context;
        self.drivers.freedom.clone_from(&drivers.freedom);
        self.drivers.target.clone_from(&drivers.target);
        for row in contacts.rows_mut() {
            row.drag = DVec3::ZERO;
            let i = row.particle as usize;
            // Until a solve has found the reaction, friction takes the push that velocities alone ask for.
            if row.constrained && row.push == 0.0 {
                row.lift(velocity[i], row.least_speed(state.x[i], h));
            }
            row.set_push(if row.constrained { row.push } else { 0.0 });
        }
        for _ in 0..NORMAL_ROUNDS {
            for row in contacts.rows().iter().filter(|row| row.constrained) {
                let i = row.particle as usize;
                velocity[i] += row.steer(velocity[i], row.least_speed(state.x[i], h));
            }
        }
        for row in contacts.rows_mut().iter_mut().filter(|row| row.constrained) {
            let i = row.particle as usize;
            velocity[i] += row.rub(velocity[i]);
            self.drivers.freedom[i] = row.constrain(self.drivers.freedom[i]);
        }
    }

    /// Finds the reactions of the surfaces, and releases the particles that they would have to pull; true when there
    /// are any.
    fn free_the_pulled(&mut self, context: StepContext<'_>, contacts: &mut Contacts) -> bool {
        let StepContext { model, state, drivers, h, .. } = context;
        let mut freed = false;
        for row in contacts.rows_mut().iter_mut().filter(|row| row.constrained) {
            let i = row.particle as usize;
            let unconstrained = self.start[i] + drivers.response(model, i, self.pulls[i]);
            let missing = row.least_speed(state.x[i], h) - row.normal.dot(unconstrained);
            row.set_push(missing.max(0.0) / row.inverse_effective_mass());
            row.constrained = missing >= -PULLING * unconstrained.length();
            freed |= !row.constrained;
        }
        freed
    }
}

/// Constrains vertices that are too near in the preview and are not yet; true when there are any. One that has gone out
/// of reach is let go.
fn constrain_near(context: StepContext<'_>, contacts: &mut Contacts, velocity: &[DVec3]) -> bool {
    let mut caught = false;
    for row in contacts.rows_mut() {
        let i = row.particle as usize;
        let is_too_near = row.is_too_near(context.state.x[i] + velocity[i] * context.h);
        caught |= is_too_near && !row.constrained;
        row.constrained = row.can_be_pushed() && (row.constrained || is_too_near);
    }
    caught
}

/// Adds a solve to the work of the step.
fn add(work: &mut LimiterWork, done: LimiterWork) {
    work.rounds += done.rounds;
    work.iterations += done.iterations;
    work.regularisation = work.regularisation.max(done.regularisation);
    // The last solve is the one that counts.
    work.unfinished = done.unfinished;
}
