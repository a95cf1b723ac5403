//! Pulls: which vertices, where to, how hard, from when until when.

use glam::DVec3;
use muslin::model::Motion;

use super::{Checker, motion, outcome, pins};
use crate::error::Problem;
use crate::plan::{ClothPlan, PullPlan};
use crate::typed;

/// The cap of a pull that names none [N]: a few hundred grams of cloth are lifted by ten vertices.
const CAP: f64 = 0.5;

pub(super) fn check_all(check: &mut Checker<'_>, pulls: &[typed::Pull], cloths: &[ClothPlan]) -> Vec<PullPlan> {
    let one = |(number, pull)| self::check(check, &format!("pull.{number}"), pull, cloths);
    pulls.iter().enumerate().filter_map(one).collect()
}

fn check(check: &mut Checker<'_>, path: &str, pull: &typed::Pull, cloths: &[ClothPlan]) -> Option<PullPlan> {
    let cloth = outcome::cloth_of(check, path, pull.cloth.as_deref(), cloths);
    let choice = pins::Choice { corner: pull.corner, index: &pull.index, range: pull.range, nearest: pull.nearest };
    let select = pins::select(check, path, "pull", choice);
    let moved = pull.motion.as_ref();
    let motion = moved
        .map_or_else(Motion::default, |motion| motion::check(check, &format!("{path}.motion"), motion, DVec3::ZERO));
    let from = pull.from.unwrap_or(0.0);
    if let Some(until) = pull.until.filter(|until| *until <= from) {
        let message = format!("`{path}` ends at {until} s, but begins at {from} s");
        let help = "`until` must be later than `from`; leave it out to draw to the end";
        check.report(Problem::at(format!("{path}.until"), message).label("not later").help(help));
    }
    // As `muslin::Pull::new` has it.
    let cap = pull.cap.unwrap_or(CAP);
    let stiffness = pull.stiffness.unwrap_or(cap / 0.05);
    let damping = pull.damping.unwrap_or(0.05 * stiffness);
    Some(PullPlan { cloth: cloth?, select: select?, motion, stiffness, damping, cap, from, until: pull.until })
}
