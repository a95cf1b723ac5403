//! Contact in the loop: one round over the vertices that are near solids.
//!
//! Each gets the push that its own preview asks for, accumulated and never less than none, and friction of at most μ
//! times that ([BB08] §4, which refers to Bender, Finkenzeller & Oel 2006 for it). No two threads share this: rows are
//! few.

use glam::DVec3;

use crate::contact::{ContactRow, Contacts};
use crate::integrate::StepContext;
use crate::limit::shared::SharedVectors;

/// Changes that move the preview by less than this fraction of ξ ask for no further round.
const NOTICED: f64 = 0.01;

/// One round of the position pass; true when it moved something.
pub(super) fn push_positions(context: StepContext<'_>, contacts: &mut Contacts, velocity: &SharedVectors) -> bool {
    let rows = contacts.rows_mut().iter_mut().filter(|row| row.can_be_pushed());
    let speed = |row: &ContactRow| row.least_speed(context.state.x[row.particle as usize], context.h);
    push(context, rows, speed, velocity)
}

/// One round of the velocity pass; true when it changed something.
pub(super) fn push_velocities(context: StepContext<'_>, contacts: &mut Contacts, velocity: &SharedVectors) -> bool {
    push(context, contacts.in_contact(), ContactRow::surface_speed, velocity)
}

fn push<'a>(
    context: StepContext<'_>,
    rows: impl Iterator<Item = &'a mut ContactRow>,
    speed: impl Fn(&ContactRow) -> f64,
    velocity: &SharedVectors,
) -> bool {
    let mut moved = false;
    for row in rows {
        let mut v: DVec3 = velocity.get(row.particle);
        let push = row.balance(v, speed(row));
        v += push;
        let change = push + row.rub(v);
        velocity.add(row.particle, change);
        moved |= change.length() * context.h > NOTICED * row.thickness;
    }
    moved
}
