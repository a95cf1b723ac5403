//! Intervals of a step: what cloth may come near to is searched at the start of each, and its motion is verified at its
//! end.
//!
//! ```text
//! interval: search what is near at x0;   substeps with those contact planes, to x1;   safe when the straight motion
//!           x0 → x1 passes through no solid (`contact::verify`); else back to x0, with half as many substeps in the
//!           interval, and a plane for what blocked it
//! ```
//!
//! A state that is reached from another by a straight motion in which nothing touches anything has passed through
//! nothing, whatever path the substeps took. So every accepted step is a chain of such motions, and so is the run. An
//! interval of one substep that is not safe although what blocks it has its plane ends the attempt: the step is
//! redone in shorter substeps. Without those planes cloth between the horns of a cow was trapped: pairs that meet where
//! a solid is hollow have none.

use glam::DVec3;

use crate::collide::Bounds;
use crate::contact::survey::Place;
use crate::contact::{Ahead, ClothSurface, FLOOR, Finder, Hit, Near, Segment, Solids, Verifier, survey};
use crate::integrate::StepContext;
use crate::model::Model;
use crate::simd::{Points, Slots};

/// How far cloth and solids move past each other in an interval, at most, by the longest edge: contact planes are those
/// of its start, and further on others would be nearer. Also how far a solid moves in a substep, by its least extent:
/// more, and it would come out on the other side of cloth.
const FURTHEST: f64 = 0.25;
/// How fast cloth that is nearer than the thickness recedes to it [m/s]. Slower, gaps creep to nothing where cloth
/// rolls over a solid, however thin it is, and more intervals are redone; far faster, cloth that is caught shakes.
pub(super) const RECOVERY: f64 = 0.05;

/// A moment of the substeps: positions, displacements, and how long a substep is.
#[derive(Debug)]
pub(super) struct SubstepState<'a> {
    pub(super) x: &'a mut Points,
    pub(super) u: &'a mut Points,
    /// Length of a substep [s].
    pub(super) h: f64,
}

/// Contact with solids in the intervals of a step; keeps its memory.
#[derive(Debug)]
pub(super) struct Intervals {
    cloth: ClothSurface,
    finder: Finder,
    verifier: Verifier,
    slots: Slots,
    /// Where the interval began [m], and how fast particles were [m/s].
    begun: Vec<DVec3>,
    speed: Vec<DVec3>,
    reached: Vec<DVec3>,
    x: Points,
    u: Points,
    /// What blocked it last.
    hit: Option<Hit>,
    /// What blocked this interval: planes of their own when it is redone.
    obstacles: Vec<Near>,
    firmness: Firmness,
    /// False: no solid is near in this attempt, and none is searched.
    active: bool,
    /// True when cloth came nearer to solids in this step than was expected.
    alert: bool,
}

/// How firm solids are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Firmness {
    /// They push, and every motion past them is verified.
    Verified,
    /// They push, but contact is given up, and nothing is verified.
    Pushing,
    /// They do not even push.
    None,
}

/// How an interval ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passage {
    /// Nothing blocked it.
    Safe,
    /// A solid did: it gets a plane of its own.
    Unsafe,
    /// Layers of cloth did: they get planes of their own.
    Again,
    /// Something was in spite of that plane.
    Blocked,
}

impl Intervals {
    pub(super) fn new(model: &Model) -> Self {
        let vectors = || Vec::with_capacity(model.len());
        let cloth = ClothSurface::new(model);
        Self {
            finder: Finder::new(model, &cloth),
            cloth,
            verifier: Verifier::new(model),
            slots: Slots::new(model.len()),
            begun: vectors(),
            speed: vectors(),
            reached: vectors(),
            x: Points::new(model.len()),
            u: Points::new(model.len()),
            hit: None,
            obstacles: Vec::new(),
            firmness: Firmness::Verified,
            active: true,
            alert: false,
        }
    }

    /// Begins a step.
    pub(super) fn begin_step(&mut self) {
        self.alert = false;
    }

    /// Says whether solids are searched from now on: not where a plan says that none is `near`, unless one was met all
    /// the same.
    pub(super) fn activate(&mut self, near: bool) -> bool {
        self.active = near || self.alert;
        self.active
    }

    /// Whether solids were searched in this attempt.
    pub(super) fn is_active(&self) -> bool {
        self.active
    }

    /// Begins an attempt at a step, with solids as firm as given.
    pub(super) fn begin(&mut self, firmness: Firmness) {
        self.firmness = firmness;
        self.finder.forget();
        self.obstacles.clear();
        self.hit = None;
    }

    /// What blocked it last, in this attempt.
    pub(super) fn hit(&self) -> Option<Hit> {
        self.hit
    }

    /// What was near when the last interval began, or when positions were last repaired.
    pub(super) fn found(&self) -> &[Near] {
        self.finder.found()
    }

    /// Substeps that a step needs so that no solid near the cloth leaps over it, and intervals so that nothing moves
    /// far in one, for cloth that moves at most at `fastest` [m/s].
    pub(super) fn plan(&self, context: StepContext<'_>, solids: &Solids, fastest: f64) -> ContactPlan {
        let StepContext { model, state, h, .. } = context;
        let faster = fastest + model.gravity.length() * h;
        let around = Bounds::of(state.x.iter().copied());
        let (mut substeps, mut speed) = (1.0_f64, 0.0_f64);
        let mut near = false;
        for collider in 0..model.colliders.len() {
            let further = faster * h + self.cloth.greatest_sag(&model.colliders[collider]);
            if solids.may_come_to(model, collider, &state.x.iter(), &around, further) {
                near = true;
                let path = solids.path_length(collider, &around.grown(faster * h));
                substeps = substeps.max(path / (FURTHEST * solids.extent(collider)));
                speed = speed.max(faster + path / h);
            }
        }
        // Without cloth there is no edge either, and nothing to divide by.
        let intervals = if speed > 0.0 { speed * h / (FURTHEST * self.cloth.longest_edge()) } else { 1.0 };
        ContactPlan {
            near,
            substeps: substeps.ceil().min(1e6) as u32,
            intervals: intervals.ceil().clamp(1.0, 1e6) as u32,
        }
    }

    /// True when cloth that was expected to stay away from all solids, and is at `x` at the end of the step, may not
    /// have done so.
    pub(super) fn strayed(&mut self, context: StepContext<'_>, solids: &Solids, x: &Points) -> bool {
        self.slots.unsort(x, &mut self.reached, |x| x);
        self.alert = solids.may_meet(context.model, &context.state.x.iter().chain(&self.reached));
        self.alert
    }

    /// Starts an interval between two fractions of the step: keeps its start, and searches what is near.
    pub(super) fn open(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        moment: &SubstepState<'_>,
        fractions: [f64; 2],
    ) {
        self.x.copy_from(moment.x);
        self.u.copy_from(moment.u);
        self.slots.unsort(moment.x, &mut self.begun, |x| x);
        self.slots.unsort(moment.u, &mut self.speed, |u| u / moment.h);
        if self.active {
            solids.place(fractions[0]);
            let span = (fractions[1] - fractions[0]) * context.h;
            let ahead = Ahead { x: &self.begun, v: &self.speed, span, further: 0.0 };
            self.finder.look(context.model, &mut self.cloth, solids, ahead);
        }
    }

    /// Where the interval began [m], and with which velocities [m/s].
    pub(super) fn beginning(&self) -> (&[DVec3], &[DVec3]) {
        (&self.begun, &self.speed)
    }

    /// What is near solids in the interval.
    pub(super) fn near(&self) -> impl Iterator<Item = &Near> {
        let found = if self.firmness == Firmness::None || !self.active { &[] } else { self.finder.found() };
        found.iter().chain(&self.obstacles)
    }

    /// Where the interval has led to [m].
    pub(super) fn reach(&mut self, x: &Points) -> &[DVec3] {
        self.slots.unsort(x, &mut self.reached, |x| x);
        &self.reached
    }

    /// Whether an interval between two fractions of the step was safe from solids. What blocked it gets a plane.
    pub(super) fn close(&mut self, model: &Model, solids: &Solids, fractions: [f64; 2]) -> Passage {
        if !self.active || self.firmness != Firmness::Verified {
            return Passage::Safe;
        }
        let motion = Segment { from: &self.begun, to: &self.reached, fractions };
        let Some(hit) = self.verifier.hit(model, &mut self.cloth, solids, &self.finder, motion) else {
            return Passage::Safe;
        };
        self.hit = Some(hit);
        if self.obstacles.contains(&hit.plane) || !hit.plane.gap.is_finite() {
            return Passage::Blocked;
        }
        self.obstacles.push(hit.plane);
        Passage::Unsafe
    }

    /// Goes back to the start of the interval, which is redone.
    pub(super) fn backtrack(&mut self, moment: &mut SubstepState<'_>) {
        moment.x.copy_from(&self.x);
        moment.u.copy_from(&self.u);
    }

    /// Forgets what blocked an interval, which was safe in the end.
    pub(super) fn pass(&mut self) {
        self.obstacles.clear();
    }

    /// Searches what is near where the step ends, before positions are repaired.
    pub(super) fn open_repair(&mut self, context: StepContext<'_>, solids: &mut Solids, x: &Points) {
        self.slots.unsort(x, &mut self.begun, |x| x);
        self.speed.clear();
        self.speed.resize(self.begun.len(), DVec3::ZERO);
        if self.active {
            solids.place(1.0);
            let ahead = Ahead { x: &self.begun, v: &self.speed, span: 0.0, further: 1.0 };
            self.finder.look(context.model, &mut self.cloth, solids, ahead);
        }
    }

    /// What repairs have to keep off: where contact is given up, nothing.
    pub(super) fn near_repair(&self) -> &[Near] {
        if self.active && self.firmness == Firmness::Verified { self.finder.found() } else { &[] }
    }

    /// True when going straight from where the repair of positions began to `end` [m] passes through no solid.
    pub(super) fn repaired_safely(&mut self, model: &Model, solids: &Solids, end: &[DVec3]) -> bool {
        if self.firmness != Firmness::Verified {
            return true;
        }
        let motion = Segment { from: &self.begun, to: end, fractions: [1.0, 1.0] };
        self.hit = self.verifier.hit(model, &mut self.cloth, solids, &self.finder, motion);
        self.hit.is_none()
    }
}

/// How a step is divided for the sake of contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContactPlan {
    /// False: all solids are further from all of the cloth than it is expected to go.
    pub(super) near: bool,
    /// Substeps, at least.
    pub(super) substeps: u32,
    /// Intervals, to start with.
    pub(super) intervals: u32,
}

/// How far the cloth, at its `end` [m] of the step, is short of the distance that a verified step keeps at least [m],
/// where it is nearest or deepest; 0 when the motion was `verified` and all of the cloth is outside.
pub(super) fn breach(context: StepContext<'_>, end: &[DVec3], verified: bool) -> f64 {
    let (model, [_, at]) = (context.model, context.surroundings());
    let survey = survey(model, end, at);
    if verified && survey.is_clear() {
        return 0.0;
    }
    let short = |place: Place| FLOOR * model.colliders[place.collider].thickness[place.cloth] - place.gap;
    // What was not let pass by the verifier is a breach, however small.
    survey.nearest.map_or(0.0, short).max(f64::MIN_POSITIVE)
}
