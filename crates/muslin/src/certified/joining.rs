//! Which cloths may touch each other in a step: those are taken through it together.
//!
//! ```text
//! expected   two cloths are joined when any two of their triangles' boxes meet, around  x, x + h v,  each wider by
//!            ½ (1.25 ξ + g h²)
//! corrected  two that were not, when boxes around  x, x'  meet, each wider by ½ ξ:  then the step is redone with them
//!            joined
//! ```
//!
//! x, v positions and velocities at the start of a step of length h, x' positions at its end, ξ thickness [m], g
//! gravity. Boxes that do not meet show that straight motions from x to x' pass through nothing, whatever way substeps
//! took. What is joined depends on the state alone.

use glam::DVec3;

use super::Alone;
use crate::collide::{Bounds, Bvh};
use crate::contact::{NEAR, Sheet};
use crate::integrate::StepContext;

/// Islands of cloths; keeps its memory.
#[derive(Debug, Default)]
pub(super) struct Joining {
    /// The first cloth of the island of each, or one on the way to it.
    first: Vec<usize>,
    /// Where each cloth may be in the step.
    around: Vec<Bounds>,
    /// Over those.
    tree: Bvh,
    /// Pairs of cloths whose boxes meet.
    pairs: Vec<[usize; 2]>,
    /// For each cloth, whether its triangles have their boxes.
    fitted: Vec<bool>,
}

impl Joining {
    /// The first cloth of the island of a cloth.
    pub(super) fn first(&self, cloth: usize) -> usize {
        first(&self.first, cloth)
    }

    /// Joins cloths that are expected to come near each other, if they are to meet (`own`).
    pub(super) fn expect(&mut self, cloths: &mut [Alone], own: bool, whole: StepContext<'_>) {
        self.first.clear();
        self.first.extend(0..cloths.len());
        if own && cloths.len() > 1 {
            let fall = whole.model.gravity.length() * whole.h * whole.h;
            self.join(cloths, Some(whole.h), |thickness| 0.5 * (NEAR * thickness + fall));
        }
    }

    /// Joins cloths that have come near each other although that was not expected. True: there were any.
    pub(super) fn correct(&mut self, cloths: &mut [Alone], own: bool) -> bool {
        own && cloths.len() > 1 && self.join(cloths, None, |thickness| 0.5 * thickness)
    }

    /// Joins cloths whose triangles may meet, in a motion expected for a time [s] or the one that was made, when boxes
    /// are wider by what `wider` says of a thickness [m]. True: some were not joined before.
    fn join(&mut self, cloths: &mut [Alone], expected: Option<f64>, wider: impl Fn(f64) -> f64) -> bool {
        self.around.clear();
        self.around.extend(cloths.iter_mut().map(|alone| {
            let (sheet, motion) = alone.motion(expected);
            Bounds::of((0..sheet.len()).flat_map(motion)).grown(wider(sheet.thickness()))
        }));
        self.tree.rebuild(cloths.len(), |cloth| self.around[cloth as usize]);
        self.pairs.clear();
        self.tree.own_pairs(|one, other| self.pairs.push([one.min(other), one.max(other)].map(|cloth| cloth as usize)));
        self.pairs.sort_unstable();
        self.fitted.clear();
        self.fitted.resize(cloths.len(), false);
        let mut any = false;
        for pair in &self.pairs {
            let [one, other] = pair.map(|cloth| first(&self.first, cloth));
            if one == other {
                continue;
            }
            for &cloth in pair {
                if !std::mem::replace(&mut self.fitted[cloth], true) {
                    let (sheet, motion) = cloths[cloth].motion(expected);
                    let wider = wider(sheet.thickness());
                    sheet
                        .refit(|corners| Bounds::of(corners.into_iter().flat_map(|i| motion(i as usize))).grown(wider));
                }
            }
            if Sheet::may_meet(pair.map(|cloth| &cloths[cloth].sheet)) {
                self.first[one.max(other)] = one.min(other);
                any = true;
            }
        }
        any
    }
}

/// The first cloth of the island of a cloth.
fn first(known: &[usize], mut cloth: usize) -> usize {
    while known[cloth] != cloth {
        cloth = known[cloth];
    }
    cloth
}

impl Alone {
    /// The cloth as others meet it, and from where to where each particle goes in a step [m]: as is expected of a time
    /// [s], or as it was.
    fn motion(&mut self, expected: Option<f64>) -> (&mut Sheet, impl Fn(usize) -> [DVec3; 2]) {
        let Self { sheet, state, velocity, solver, .. } = self;
        let x = &state.x;
        (sheet, move |i| [x[i], expected.map_or(solver.end[i], |h| x[i] + velocity[i] * h)])
    }
}
