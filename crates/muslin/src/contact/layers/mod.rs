//! Cloth against cloth, itself included: which parts may meet, where they are near, and whether a motion leaves all of
//! them apart.
//!
//! ```text
//! a list holds every pair of parts with   gap < 1.25 ξ + f + T |w_a - w_b| + m_a + m_b     when it is made
//! it is complete for pairs with           gap < 1.25 ξ + f + t |v_a - v_b|                 in an interval t, as long as
//!                                         |x - X - s w| + t |v - w| <= m  for every particle, s since it was made
//! a plane:                                gap + t min(0, v_n) < 1.25 ξ + f,  and the nearest places inside both parts
//! a motion is safe when every pair stays further apart than  min(ξ/4, half of its gap when the step started)
//! ```
//!
//! X, w where particles were when the list was made [m] and how fast [m/s], T its span [s], m margins [m], f what
//! gravity does in the interval [m]; x, v now; v_n the velocity at which the nearest places part [m/s]. Motions that
//! all particles have in common do not count. ξ thickness [m]: that of both cloths, at the mean, but no more than half
//! of the distance at rest of parts that are near each other along the cloth: neighbours would not fit otherwise.
//!
//! What planes there are depends on positions and velocities alone, not on when the list was made: pairs are in the
//! order of trees that never change, and every list that is complete gives the same planes. So nothing of this belongs
//! to a state, and a run that is resumed goes on to the same bits.
//!
//! Pairs that are far apart by what was measured last, less what their particles have moved since, are not measured
//! again. All others are verified by additive continuous collision detection.

mod list;
mod pair;
mod sheet;

use glam::DVec3;

pub(crate) use self::list::may_meet;
use self::list::{Listed, Pair};
pub(crate) use self::pair::Parts;
pub(crate) use self::sheet::Sheet;
use super::verify::{FLOOR, Segment};

/// A pair gets a plane when it may come as near as this multiple of the thickness; with less, intervals are redone.
const NEAR: f64 = 1.25;

/// A place between two parts of cloth that may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BetweenLayers {
    pub(crate) parts: Parts,
    /// Of the particles; positive on the first side, negative on the second.
    pub(crate) weights: [f64; 4],
    /// From the second side to the first (unit).
    pub(crate) normal: DVec3,
    /// The distance to keep [m].
    pub(crate) thickness: f64,
    /// Coulomb's coefficient.
    pub(crate) friction: f64,
    /// True: it blocked a motion, and keeps its parts from coming nearer only.
    pub(crate) obstacle: bool,
}

/// An interval of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Interval {
    /// When it starts [s].
    pub(crate) time: f64,
    /// Its length [s].
    pub(crate) span: f64,
    /// Acceleration of gravity [m/s²].
    pub(crate) gravity: f64,
}

impl Interval {
    /// What gravity does in it, with as much to spare [m].
    fn fall(self) -> f64 {
        self.gravity * self.span * self.span
    }
}

/// Cloths that may touch each other, or one that may touch itself; keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    listed: Listed,
    pairs: Vec<Pair>,
    near: Vec<BetweenLayers>,
    hits: Vec<BetweenLayers>,
    /// Where particles were when they were last looked at [m].
    known: Vec<DVec3>,
    /// How far each has moved so far, seen from the motion common to all [m].
    paths: Vec<f64>,
    /// The same in the motion that is verified [m].
    moved: Vec<f64>,
}

impl Layers {
    /// Forgets everything: other cloths come.
    pub(crate) fn forget(&mut self) {
        self.listed.forget();
        self.pairs.clear();
        self.known.clear();
    }

    /// Looks for all places that may touch in an interval that starts at `x` [m] with `v` [m/s].
    pub(crate) fn look(&mut self, sheets: &mut [&mut Sheet], x: &[DVec3], v: &[DVec3], interval: Interval) {
        self.follow(x);
        if !self.listed.is_complete(sheets, x, v, interval) {
            self.listed.make(sheets, x, v, interval, &mut self.pairs);
            let Self { pairs, paths, .. } = self;
            pairs.iter_mut().for_each(|pair| pair.since = pair.parts.of(paths).iter().sum());
        }
        self.near.clear();
        let fall = interval.fall();
        for pair in &mut self.pairs {
            let reach = NEAR * pair.thickness + fall;
            let least = pair.least_now(&self.paths);
            if least > reach && least > reach + interval.span * pair.parts.greatest_difference(pair.parts.of(v)) {
                continue;
            }
            let between = pair.measure(x, &self.paths);
            let gap = pair.least;
            let normal = between.vector / gap;
            let speeds = pair.parts.of(v);
            let parting: f64 = (0..4).map(|k| between.weights[k] * normal.dot(speeds[k])).sum();
            if between.inside && gap > 0.0 && gap + interval.span * parting.min(0.0) < reach {
                self.near.push(BetweenLayers {
                    parts: pair.parts,
                    weights: between.weights,
                    normal,
                    thickness: pair.thickness,
                    friction: pair.friction,
                    obstacle: false,
                });
            }
        }
    }

    /// What the last look has found.
    pub(crate) fn near(&self) -> &[BetweenLayers] {
        &self.near
    }

    /// All pairs that would come too near in a motion, after a look at where it starts; `start` is where the step
    /// began [m], `v` the velocities that the look was given [m/s].
    pub(crate) fn hits(
        &mut self,
        sheets: &mut [&mut Sheet],
        segment: Segment<'_>,
        start: &[DVec3],
        interval: Interval,
    ) -> &[BetweenLayers] {
        if !self.listed.covers(sheets, segment.to, interval) {
            let speeds: Vec<DVec3> =
                segment.from.iter().zip(segment.to).map(|(from, to)| (*to - *from) / interval.span).collect();
            self.listed.make(sheets, segment.from, &speeds, interval, &mut self.pairs);
            let Self { pairs, paths, .. } = self;
            pairs.iter_mut().for_each(|pair| pair.since = pair.parts.of(paths).iter().sum());
        }
        measure_paths(segment.from, segment.to, &mut self.moved);
        self.hits.clear();
        for pair in &mut self.pairs {
            let floor = FLOOR * pair.thickness;
            let moved: f64 = pair.parts.of(&self.moved).iter().sum();
            if pair.least_now(&self.paths) - moved > floor {
                continue;
            }
            pair.measure(segment.from, &self.paths);
            if pair.least - moved > floor {
                continue;
            }
            let at_start = pair.parts.between(pair.parts.of(start)).vector.length();
            self.hits.extend(pair.hit(segment, floor.min(0.5 * at_start)));
        }
        &self.hits
    }

    /// Adds up how far particles have moved.
    fn follow(&mut self, x: &[DVec3]) {
        if self.known.len() == x.len() {
            measure_paths(&self.known, x, &mut self.moved);
            self.paths.iter_mut().zip(&self.moved).for_each(|(path, moved)| *path += moved);
        } else {
            self.paths.clear();
            self.paths.resize(x.len(), 0.0);
        }
        self.known.clear();
        self.known.extend_from_slice(x);
    }
}

/// How far particles go, seen from their mean motion [m].
fn measure_paths(from: &[DVec3], to: &[DVec3], moved: &mut Vec<f64>) {
    let mean = from.iter().zip(to).map(|(from, to)| *to - *from).sum::<DVec3>() / from.len().max(1) as f64;
    moved.clear();
    moved.extend(from.iter().zip(to).map(|(from, to)| (*to - *from - mean).length()));
}

impl Pair {
    /// A distance that the parts are apart at least, after all that particles have moved since it was measured [m].
    fn least_now(&self, paths: &[f64]) -> f64 {
        self.least - (self.parts.of(paths).iter().sum::<f64>() - self.since)
    }

    /// Measures it at `x` [m].
    fn measure(&mut self, x: &[DVec3], paths: &[f64]) -> pair::Between {
        let between = self.parts.between(self.parts.of(x));
        (self.least, self.since) = (between.vector.length(), self.parts.of(paths).iter().sum());
        between
    }

    /// Where it comes as near as `floor` [m] in a motion; none: it does not.
    fn hit(&self, segment: Segment<'_>, floor: f64) -> Option<BetweenLayers> {
        let impact = self.parts.impact(segment, floor)?;
        let between = self.parts.between(self.parts.at(segment, impact.time));
        Some(BetweenLayers {
            parts: self.parts,
            weights: between.weights,
            normal: impact.normal,
            thickness: self.thickness,
            friction: self.friction,
            obstacle: true,
        })
    }
}
