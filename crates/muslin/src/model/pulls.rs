//! Pulls that are known beforehand: like pins they follow keys, but they draw with a force that has a cap.

use super::motion::Motion;
use crate::inputs::Pull;
use crate::model::Model;

/// Draws particles along a motion, between two times.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptedPull {
    /// The particles it draws.
    pub particles: Vec<u32>,
    /// Where it draws them: to where the motion takes their start positions.
    pub motion: Motion,
    /// k [N/m].
    pub stiffness: f64,
    /// c [N s/m].
    pub damping: f64,
    /// Greatest force on each particle [N].
    pub cap: f64,
    /// It begins then [s].
    pub from: f64,
    /// It ends then [s]; none: never.
    pub until: Option<f64>,
}

impl ScriptedPull {
    /// A step that ends no later than this after a time still belongs to what is before it: times are sums of steps
    /// [s].
    const SLACK: f64 = 1e-9;

    /// True when it draws in a step that ends at `end_time` [s].
    fn draws(&self, end_time: f64) -> bool {
        end_time > self.from + Self::SLACK && self.until.is_none_or(|until| end_time <= until + Self::SLACK)
    }
}

impl Model {
    /// What draws particles in a step that ends at `end_time` [s], without inputs.
    pub(crate) fn scripted_pulls(&self, end_time: f64) -> impl Iterator<Item = Pull> {
        let drawing = self.pulls.iter().filter(move |pull| pull.draws(end_time));
        drawing.flat_map(move |pull| {
            pull.particles.iter().map(move |&i| Pull {
                particle: i as usize,
                target: pull.motion.place(self.start[i as usize], end_time),
                stiffness: pull.stiffness,
                damping: pull.damping,
                force: glam::DVec3::ZERO,
                cap: pull.cap,
            })
        })
    }
}
