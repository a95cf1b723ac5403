//! Rigid motions of pins and colliders: keys by rising time, or a spin.

use glam::DVec3;
use muslin::model::{Ease, Key, Motion};

use super::Checker;
use crate::error::Problem;
use crate::typed;

/// How long a spin goes on [s]: longer than the longest run.
const SPIN_LASTS: f64 = 2e6;

/// The motion at `path`, with what it turns about unless it says so [m].
pub(super) fn check(check: &mut Checker<'_>, path: &str, motion: &typed::Motion, centre: DVec3) -> Motion {
    let centre = motion.centre.map_or(centre, DVec3::from);
    match (&motion.keys, &motion.spin) {
        (Some(keys), None) => by_keys(check, path, keys, motion.ease, centre),
        (None, Some(spin)) => spinning(check, path, *spin, motion.ease, centre),
        (Some(_), Some(_)) => {
            let message = format!("`{path}` has both `keys` and a `spin`");
            let help = "keep one; keys may turn more than once: `rotate = { axis = [0, 1, 0], degrees = 720 }`";
            check.report(Problem::at(format!("{path}.spin"), message).label("a second motion").help(help));
            Motion::default()
        }
        (None, None) => {
            let message = format!("`{path}` has neither `keys` nor a `spin`");
            let help = "for example `keys = [{ time = 0 }, { time = 1, translate = [0, 1, 0] }]`";
            check.report(Problem::at(path, message).label("no motion").help(help));
            Motion::default()
        }
    }
}

fn by_keys(
    check: &mut Checker<'_>,
    path: &str,
    keys: &[typed::Key],
    ease: Option<typed::Ease>,
    centre: DVec3,
) -> Motion {
    for (number, pair) in keys.windows(2).enumerate() {
        if pair[1].time <= pair[0].time {
            let key = format!("{path}.keys.{}.time", number + 1);
            let message =
                format!("`{key}` must be after the key before it, but {} s follows {} s", pair[1].time, pair[0].time);
            check.report(Problem::at(key, message).label("not later").help("sort the keys by time, each time once"));
        }
    }
    let ease = match ease.unwrap_or_default() {
        typed::Ease::Smooth => Ease::Smooth,
        typed::Ease::Linear => Ease::Linear,
    };
    let keys = keys.iter().enumerate().map(|(number, key)| {
        let turn = key.rotate.map(|rotate| {
            let axis = check.direction(&format!("{path}.keys.{number}.rotate.axis"), rotate.axis);
            (axis, rotate.degrees.to_radians())
        });
        let (axis, angle) = turn.unwrap_or((DVec3::Y, 0.0));
        Key { time: key.time, translate: DVec3::from(key.translate), axis, angle }
    });
    Motion { keys: keys.collect(), ease, centre }
}

/// A passage at constant speed that no run sees the end of.
fn spinning(
    check: &mut Checker<'_>,
    path: &str,
    spin: typed::Turning,
    ease: Option<typed::Ease>,
    centre: DVec3,
) -> Motion {
    if ease.is_some() {
        let message = format!("`{path}.ease` belongs to `keys`: a `spin` has constant speed");
        let help = "remove it, or turn by keys, which start gently: `rotate = { axis = [0, 1, 0], degrees = 720 }`";
        check.report(Problem::at(format!("{path}.ease"), message).help(help));
    }
    let axis = check.direction(&format!("{path}.spin.axis"), spin.axis);
    let key = |time, angle| Key { time, translate: DVec3::ZERO, axis, angle };
    let end = key(spin.start + SPIN_LASTS, spin.degrees_per_second.to_radians() * SPIN_LASTS);
    Motion { keys: vec![key(spin.start, 0.0), end], ease: Ease::Linear, centre }
}
