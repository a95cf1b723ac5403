//! Pins: which vertices, which freedom, until when.

use glam::DVec3;
use muslin::model::{Hold, Motion, Select};

use super::{Checker, corner, motion, present};
use crate::error::Problem;
use crate::plan::PinPlan;
use crate::{suggest, typed};

pub(super) fn pin(check: &mut Checker<'_>, path: &str, pin: &typed::Pin) -> Option<PinPlan> {
    let choice = Choice { corner: pin.corner, index: &pin.index, range: pin.range, nearest: pin.nearest };
    let select = select(check, path, "pin", choice);
    let hold = hold(check, path, pin);
    Some(PinPlan { select: select?, hold, release: pin.release })
}

/// Ways to say which vertices are meant, of which one is taken.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    pub(super) corner: Option<[f64; 2]>,
    pub(super) index: &'a Option<typed::Indices>,
    pub(super) range: Option<typed::Range>,
    pub(super) nearest: Option<[f64; 3]>,
}

pub(super) fn select(check: &mut Checker<'_>, path: &str, what: &str, choice: Choice<'_>) -> Option<Select> {
    let there = present(&[
        ("corner", choice.corner.is_some()),
        ("index", choice.index.is_some()),
        ("box", choice.range.is_some()),
        ("nearest", choice.nearest.is_some()),
    ]);
    if !one_choice(check, path, what, &there, &["corner", "index", "box", "nearest"]) {
        return None;
    }
    if let Some(at) = choice.corner {
        return Some(Select::Corner(corner(check, &format!("{path}.corner"), at)));
    }
    if let Some(range) = choice.range {
        let (min, max) = (DVec3::from(range.min), DVec3::from(range.max));
        if min.cmpgt(max).any() {
            let message = format!("`{path}.box` has its `min` above its `max`");
            check.report(
                Problem::at(format!("{path}.box.min"), message).help("exchange them, coordinate by coordinate"),
            );
            return None;
        }
        return Some(Select::Box { min, max });
    }
    match choice.index {
        Some(typed::Indices::One(index)) => Some(Select::Index(vec![*index])),
        Some(typed::Indices::Many(list)) => Some(Select::Index(list.clone())),
        None => choice.nearest.map(|point| Select::Nearest(DVec3::from(point))),
    }
}

/// Exactly one way to choose vertices.
pub(super) fn one_choice(check: &mut Checker<'_>, path: &str, what: &str, there: &[&str], all: &[&str]) -> bool {
    match there {
        [_] => true,
        [] => {
            let message = format!("`{path}` does not say which vertices it means");
            let help = format!("give the {what} one of {}", suggest::quoted(all));
            check.report(Problem::at(path, message).label(format!("this {what}")).help(help));
            false
        }
        [_, second, ..] => {
            let message = format!("`{path}` chooses vertices in {} ways: {}", there.len(), suggest::quoted(there));
            let help = format!("keep one of them; for more vertices write another {what}");
            check.report(Problem::at(format!("{path}.{second}"), message).label("a second choice").help(help));
            false
        }
    }
}

fn hold(check: &mut Checker<'_>, path: &str, pin: &typed::Pin) -> Hold {
    if pin.plane.is_some() && pin.line.is_some() {
        let message = format!("`{path}` has both a `plane` and a `line`");
        let help = "keep one: `plane` takes motion along its normal, `line` leaves only motion along it";
        check.report(Problem::at(format!("{path}.line"), message).label("a second constraint").help(help));
    }
    let guide = if pin.plane.is_some() { "plane" } else { "line" };
    if pin.motion.is_some() && (pin.plane.is_some() || pin.line.is_some()) {
        let message = format!("`{path}` has a `motion` and a `{guide}`");
        let help = format!("only fixed pins move by keyframes: remove `motion` or `{guide}`");
        check.report(Problem::at(format!("{path}.motion"), message).help(help));
    }
    if let Some(normal) = pin.plane {
        return Hold::Plane(check.direction(&format!("{path}.plane"), normal));
    }
    if let Some(direction) = pin.line {
        return Hold::Line(check.direction(&format!("{path}.line"), direction));
    }
    let moved = pin.motion.as_ref();
    Hold::Fixed(
        moved.map_or_else(Motion::default, |motion| {
            motion::check(check, &format!("{path}.motion"), motion, DVec3::ZERO)
        }),
    )
}
