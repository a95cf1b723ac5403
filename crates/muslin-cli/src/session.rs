//! A scene made ready to step, with what takes long named.

use muslin::Simulation;
use muslin_scene::{Ready, Scene};

use crate::exit::{Exit, Failure};
use crate::progress::Activity;

/// Everything that a simulation of the scene is made of.
pub(crate) fn ready(scene: &Scene, activity: &Activity) -> Result<Ready, Failure> {
    activity.now("building the scene");
    Ok(scene.ready()?)
}

/// The simulation at its start, with cloth moved out of solids where the scene wants that.
pub(crate) fn start(ready: &Ready, activity: &Activity) -> Result<Simulation, Failure> {
    activity.now("moving cloth out of solids, and preparing the solver");
    ready.start().map_err(|error| Failure::new(Exit::BadInput, error.to_string()))
}
