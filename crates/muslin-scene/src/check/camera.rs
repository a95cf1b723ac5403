//! The camera: it must have something to look at.

use glam::DVec3;

use super::Checker;
use crate::error::Problem;
use crate::plan::CameraPlan;
use crate::typed;

/// The nearest that a camera may be to what it looks at [m]. Nearer, the direction is lost in single precision.
const NEAREST: f64 = 1e-6;

pub(super) fn check(check: &mut Checker<'_>, camera: &typed::Camera) -> CameraPlan {
    let plan = CameraPlan {
        eye: DVec3::from(camera.eye),
        target: DVec3::from(camera.target),
        field_of_view: camera.field_of_view,
    };
    if plan.eye.distance(plan.target) < NEAREST {
        let message = "`camera.target` is where the camera is, so that it looks nowhere";
        let help = "`eye` is where the camera stands, `target` what it looks at; without `[camera]` muslin finds both";
        check.report(Problem::at("camera.target", message).label("the same place as `eye`").help(help));
    }
    plan
}
