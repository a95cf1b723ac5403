//! One vertex near one solid: what keeps them apart, and what rubs.
//!
//! ```text
//! n·q >= n·q̂ + g* - g(q̂)                         q = x + h v;  g* = ξ,  or min(ξ, g₀ + ξ/5) when g₀ < ξ
//! p >= 0:  v += C n p/m                          p pushes no more than it must
//! |f| <= μ (p - p_r),  f ⟂ n:  v += f/m            f stops the slip (v - u) across n, or does what it can
//! ```
//!
//! q̂ where the gap g was last measured [m], n its direction there, g₀ the gap at the start of the step [m], ξ the
//! distance kept [m], u velocity of the solid's surface [m/s], C the filter matrix of the vertex, m its mass [kg], p
//! and f impulses [N s]. Distances to convex solids are convex, so their tangent plane promises no more than is true. A
//! vertex that starts the step nearer than ξ comes back by at most a fifth of ξ a step; p_r is what that takes. It
//! moves the vertex and nothing else: it enters neither friction nor the velocity after the step, or cloth would be
//! thrown off.

use glam::DVec3;

use super::vertices::NearVertex;
use crate::drivers::Freedom;
use crate::integrate::StepContext;

/// A vertex that a push moves by less than this fraction of what it would if free is left alone: one on a rail nearly
/// along the surface would have to run a hundred times its depth.
const LEAST_RESPONSE: f64 = 1e-4;
/// How much of ξ a vertex that starts too near may come back in a step.
const RECOVERY: f64 = 0.2;
/// Directions at less than this sine to each other count as one: across both, no direction is left that is well
/// defined.
const PARALLEL: f64 = 0.1;
/// Vertices less deep than this fraction of ξ are where they should be.
const SETTLED: f64 = 1e-6;
/// Up to this fraction of ξ a vertex counts as in contact without being pushed.
const IN_CONTACT: f64 = 1.001;

/// Where the last measurement found a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Proximity {
    /// Out of reach: the row does not act.
    Away,
    /// Within reach.
    Near,
    /// No further than ξ.
    Contact,
}

/// A vertex near a solid during a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactRow {
    pub(crate) particle: u32,
    pub(super) collider: u32,
    /// n.
    pub(crate) normal: DVec3,
    /// u [m/s].
    surface: DVec3,
    /// The least n·q [m].
    place: f64,
    /// ξ [m].
    pub(crate) thickness: f64,
    /// μ.
    friction: f64,
    proximity: Proximity,
    /// The velocity along n that is recovery [m/s].
    recovery: f64,
    /// C n/m [1/kg].
    response: DVec3,
    /// 1/m [1/kg].
    inverse_mass: f64,
    /// What is left of the vertex's freedom across n.
    slide: Freedom,
    /// p [N s].
    pub(crate) push: f64,
    /// f [N s].
    pub(crate) drag: DVec3,
    /// All impulses so far, each along the normal and surface of its time [N s].
    given: DVec3,
    /// True when the vertex loses the direction n altogether.
    pub(crate) constrained: bool,
    /// True when the vertex was away from the solid at the start of the step.
    arrives: bool,
    /// True when the pass over positions pushed, once velocities are the matter.
    pub(super) pushed: bool,
}

impl ContactRow {
    /// A row from a first measurement at `q` [m]; `start_gap` is g₀ [m], none when it is
    /// beyond reach. None when nothing can push the vertex.
    pub(super) fn new(context: StepContext<'_>, near: &NearVertex, q: DVec3, start_gap: Option<f64>) -> Option<Self> {
        if context.drivers.freedom[near.particle] == Freedom::Fixed {
            return None;
        }
        let mut row = Self {
            particle: near.particle as u32,
            collider: near.collider as u32,
            normal: DVec3::ZERO,
            surface: DVec3::ZERO,
            place: 0.0,
            thickness: context.model.colliders[near.collider].thickness[near.cloth],
            friction: context.model.colliders[near.collider].friction[near.cloth],
            proximity: Proximity::Near,
            recovery: 0.0,
            response: DVec3::ZERO,
            inverse_mass: 1.0 / context.model.mass[near.particle],
            slide: Freedom::Free,
            push: 0.0,
            drag: DVec3::ZERO,
            given: DVec3::ZERO,
            constrained: false,
            arrives: start_gap.is_none(),
            pushed: false,
        };
        row.measure(context, near, q, start_gap);
        Some(row)
    }

    /// Takes a new measurement at `q` [m]; impulses stay.
    pub(super) fn measure(&mut self, context: StepContext<'_>, near: &NearVertex, q: DVec3, start_gap: Option<f64>) {
        let xi = self.thickness;
        let target = start_gap.map_or(xi, |gap| xi.min(gap + RECOVERY * xi));
        let freedom = context.drivers.freedom[near.particle];
        self.normal = near.separation.normal;
        self.surface = near.separation.velocity;
        self.place = self.normal.dot(q) + target - near.separation.gap;
        let in_contact = near.separation.gap <= IN_CONTACT * target;
        self.proximity = if in_contact { Proximity::Contact } else { Proximity::Near };
        self.recovery = start_gap.map_or(0.0, |gap| (target - gap).max(0.0)) / context.h;
        self.response = freedom.filter(self.normal) * self.inverse_mass;
        self.slide = without(freedom, self.normal);
        // What was rubbed along an older surface has to be along this one.
        self.drag = self.slide.filter(self.drag);
    }

    /// The vertex has left the solid's reach: the row no longer acts.
    pub(super) fn leave(&mut self) {
        self.proximity = Proximity::Away;
    }

    /// True when a push moves the vertex along n.
    pub(crate) fn can_be_pushed(&self) -> bool {
        self.proximity != Proximity::Away && self.inverse_effective_mass() > LEAST_RESPONSE * self.inverse_mass
    }

    /// nᵀC n/m [1/kg].
    pub(crate) fn inverse_effective_mass(&self) -> f64 {
        self.response.dot(self.normal)
    }

    /// How much nearer to the solid than allowed a vertex at `q` [m] is [m]; negative: it is further.
    pub(crate) fn depth(&self, q: DVec3) -> f64 {
        self.place - self.normal.dot(q)
    }

    /// Which collider and particle: rows are in this order.
    pub(crate) fn key(&self) -> (u32, u32) {
        (self.collider, self.particle)
    }

    /// The least n·q [m].
    pub(crate) fn least(&self) -> f64 {
        self.place
    }

    /// True when a vertex at `q` [m] has to be pushed, and can be.
    pub(crate) fn is_too_near(&self, q: DVec3) -> bool {
        self.depth(q) > SETTLED * self.thickness && self.can_be_pushed()
    }

    /// The least n·v [m/s] of a vertex that starts the step at `x` [m].
    pub(crate) fn least_speed(&self, x: DVec3, h: f64) -> f64 {
        (self.place - self.normal.dot(x)) / h
    }

    /// What is left of the vertex's freedom across n, on top of what `freedom` already takes.
    pub(crate) fn constrain(&self, freedom: Freedom) -> Freedom {
        without(freedom, self.normal)
    }

    /// The change of v that brings n·v to `speed` [m/s], be it a push or a pull; counts as neither.
    pub(crate) fn steer(&self, v: DVec3, speed: f64) -> DVec3 {
        self.response * ((speed - self.normal.dot(v)) / self.inverse_effective_mass())
    }

    /// The push that brings n·v to `speed` [m/s], from none or more; returns the change of v [m/s]. Never pulls, but
    /// takes back what it pushed before.
    pub(crate) fn balance(&mut self, v: DVec3, speed: f64) -> DVec3 {
        let push = (self.push + (speed - self.normal.dot(v)) / self.inverse_effective_mass()).max(0.0);
        let change = self.response * (push - self.push);
        self.add_push(push - self.push);
        change
    }

    /// Forgets all pushes so far; returns their sum, each along the normal of its time [N s].
    pub(crate) fn take_back(&mut self) -> DVec3 {
        let pushes = self.given - self.drag;
        (self.push, self.given) = (0.0, self.drag);
        pushes
    }

    /// Counts a push [N s] that has been applied; negative: that has been taken back.
    pub(crate) fn add_push(&mut self, push: f64) {
        self.push = (self.push + push).max(0.0);
        self.given += self.normal * push;
    }

    /// Makes a push [N s] the only one so far, beside the friction of the row as it is.
    pub(crate) fn set_push(&mut self, push: f64) {
        self.push = push;
        self.given = self.normal * push + self.drag;
    }

    /// The same, but takes nothing back.
    pub(crate) fn lift(&mut self, v: DVec3, speed: f64) -> DVec3 {
        if self.normal.dot(v) < speed { self.balance(v, speed) } else { DVec3::ZERO }
    }

    /// Stops the slip as far as friction can; returns the change of v [m/s].
    pub(crate) fn rub(&mut self, v: DVec3) -> DVec3 {
        let most = self.friction * self.lasting_push();
        let stopping = self.drag - self.slide.filter(v - self.surface) / self.inverse_mass;
        let drag = stopping.clamp_length_max(most);
        let change = (drag - self.drag) * self.inverse_mass;
        self.given += drag - self.drag;
        self.drag = drag;
        change
    }

    /// n·u [m/s].
    pub(crate) fn surface_speed(&self) -> f64 {
        self.normal.dot(self.surface)
    }

    /// True when the solid pushes the vertex, or is there to do so.
    pub(super) fn is_in_contact(&self) -> bool {
        self.can_be_pushed() && (self.proximity == Proximity::Contact || self.push > 0.0)
    }

    /// True when the solid pushes a vertex that was away from it.
    pub(super) fn is_impact(&self) -> bool {
        self.arrives && (self.pushed || self.push > 0.0)
    }

    /// p - p_r: the push without what brings the vertex back [N s].
    fn lasting_push(&self) -> f64 {
        if self.recovery == 0.0 {
            return self.push;
        }
        (self.push - self.recovery / self.inverse_effective_mass()).max(0.0)
    }

    /// The part of the velocity that only brings the vertex back [m/s].
    pub(super) fn recovered(&self) -> DVec3 {
        self.response * (self.push - self.lasting_push())
    }

    /// What the solid gives the vertex that lasts, friction included [N s].
    pub(super) fn impulse(&self) -> DVec3 {
        self.given - self.normal * (self.push - self.lasting_push())
    }

    /// Makes it a row of velocities at the end of the step, with impulses of its own.
    pub(super) fn turn_to_velocities(&mut self) {
        if self.is_in_contact() {
            self.proximity = Proximity::Contact;
        }
        self.pushed = self.push > 0.0;
        (self.push, self.recovery) = (0.0, 0.0);
        (self.drag, self.given) = (DVec3::ZERO, DVec3::ZERO);
    }
}

/// What is left of a freedom when the unit direction `n` is taken away too.
fn without(freedom: Freedom, n: DVec3) -> Freedom {
    match freedom {
        Freedom::Free => Freedom::Plane(n),
        Freedom::Plane(p) => {
            let along = p.cross(n);
            let sine = along.length();
            if sine > PARALLEL { Freedom::Line(along / sine) } else { Freedom::Plane(p) }
        }
        Freedom::Line(line) if line.dot(n).abs() <= PARALLEL => Freedom::Line(line),
        Freedom::Line(_) | Freedom::Fixed => Freedom::Fixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_freedom_without_a_direction_allows_nothing_along_it_that_was_allowed_before() {
        let tilted = DVec3::new(1.0, 2.0, -0.5).normalize();
        let freedoms = [
            Freedom::Free,
            Freedom::Plane(DVec3::Y),
            Freedom::Plane(tilted),
            Freedom::Line(DVec3::X),
            Freedom::Line(tilted),
            Freedom::Fixed,
        ];
        for freedom in freedoms {
            for n in [DVec3::Y, DVec3::Z, tilted] {
                let left = without(freedom, n);
                for v in [DVec3::X, DVec3::Y, DVec3::Z] {
                    let allowed = left.filter(v);
                    // Directions within PARALLEL of each other count as one; none of these are.
                    assert!(allowed.dot(n).abs() < 1e-12, "{freedom:?} without {n}: {left:?}");
                    assert!((freedom.filter(allowed) - allowed).length() < 1e-12, "{freedom:?} without {n}: {left:?}");
                }
            }
        }
        assert_eq!(without(Freedom::Plane(DVec3::Y), DVec3::Y), Freedom::Plane(DVec3::Y));
        assert_eq!(without(Freedom::Line(DVec3::X), DVec3::Y), Freedom::Line(DVec3::X));
    }
}
