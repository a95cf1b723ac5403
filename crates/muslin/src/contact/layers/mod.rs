//! Cloth against cloth, itself included: which parts may meet, where they are near, and whether a motion leaves all of
//! them apart.
//!
//! ```text
//! a list holds every two triangles with   gap < 1.25 ξ + f + T |w_a - w_b| + 2 m                when it is made
//! it is complete for parts with           gap < 1.25 ξ + f + t |v_a - v_b|                  in an interval t, while
//!                                         |x - X - s w| + t |v - w| <= m  for every particle, s since it was made
//! a plane:                                gap + t min(0, v_n) < 1.25 ξ + f,  and the nearest places inside both parts
//! a motion is safe when every pair stays further apart than  min(ξ/4, half of its gap when the step started)
//! ```
//!
//! X, w where particles were when the list was made [m] and how fast [m/s], T its span [s], m its margin [m], f what
//! gravity does in the interval [m]; x, v now; v_n the velocity at which the nearest places part [m/s]. Motions that
//! all particles have in common do not count. ξ thickness [m]: that of both cloths, at the mean, but no more than half
//! of the distance that the parts of one cloth have at rest: neighbours would not fit otherwise. Parts that coincide at
//! rest, as on both sides of a slit, do not meet, and neither do parts that touch when the run starts, until they have
//! come apart.
//!
//! What planes there are depends on positions and velocities alone, not on when the list was made: pairs are in the
//! order of trees that never change, and every list that is complete gives the same planes. So nothing of this belongs
//! to a state, and a run that is resumed goes on to the same bits.
//!
//! Triangles that are far apart by what was measured last, less what has brought them nearer since (`tile`), are not
//! looked at again. What is left is verified by additive continuous collision detection.

mod list;
mod pair;
mod sheet;
mod tile;

use glam::DVec3;

use self::list::{Listed, TilePair};
use self::pair::Between;
pub(crate) use self::pair::Parts;
pub(crate) use self::sheet::Sheet;
use self::tile::{Drift, Tile};
use super::verify::{FLOOR, Segment};
use crate::model::Skin;

/// A pair gets a plane when it may come as near as this multiple of the thickness; with less, intervals are redone.
pub(crate) const NEAR: f64 = 1.25;
/// Parts that are nearer at rest than this part of the thickness coincide.
const COINCIDENT: f64 = 1e-6;

/// A place between two parts of cloth that may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BetweenLayers {
    pub(crate) parts: Parts,
    /// Of the particles; positive on the first side, negative on the second.
    pub(crate) weights: [f64; 4],
    /// From the second side to the first (unit).
    pub(crate) normal: DVec3,
    /// The distance to keep [m], and the one if the parts were not near at rest.
    pub(crate) thickness: f64,
    pub(crate) usual: f64,
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
    fabric: Fabric,
    drifts: Vec<Drift>,
    listed: Listed,
    pairs: Vec<TilePair>,
    near: Vec<BetweenLayers>,
    hits: Vec<BetweenLayers>,
    /// Where particles were when they were last looked at [m].
    known: Vec<DVec3>,
    /// How far each goes in the motion that is verified [m], and how fast [m/s].
    moved: Vec<DVec3>,
    speed: Vec<DVec3>,
}

/// What of the cloths of an island never changes.
#[derive(Debug, Default)]
struct Fabric {
    tiles: Vec<Tile>,
    /// Where particles are at rest, and where they started [m].
    rest: Vec<DVec3>,
    start: Vec<DVec3>,
    /// One per cloth.
    skins: Vec<Skin>,
}

impl Layers {
    /// Forgets everything: other cloths come.
    pub(crate) fn forget(&mut self) {
        self.listed.forget();
        self.pairs.clear();
        self.known.clear();
    }

    /// Looks for all places that may touch in an interval that starts at `x` [m] with `v` [m/s].
    pub(crate) fn look<S: AsRef<Sheet> + AsMut<Sheet>>(
        &mut self,
        sheets: &mut [&mut S],
        x: &[DVec3],
        v: &[DVec3],
        interval: Interval,
    ) {
        self.follow(sheets, x);
        if !self.listed.is_complete(x, v, interval) {
            self.listed.make(sheets, x, v, interval, &mut self.pairs);
        }
        let Self { fabric, drifts, pairs, near, .. } = self;
        near.clear();
        let (fall, span) = (interval.fall(), interval.span);
        let reach = NEAR * fabric.thickest() + fall;
        fabric.sift(pairs, drifts, [x, v], reach, span, |parts, rules, between, gap| {
            let normal = between.vector / gap;
            let speeds = parts.of(v);
            let parting: f64 = (0..4).map(|k| between.weights[k] * normal.dot(speeds[k])).sum();
            if between.inside && gap > 0.0 && gap + span * parting.min(0.0) < NEAR * rules.thickness + fall {
                near.push(BetweenLayers::new(parts, rules, between, normal, false));
            }
        });
    }

    /// What the last look has found.
    pub(crate) fn near(&self) -> &[BetweenLayers] {
        &self.near
    }

    /// All pairs that would come too near in a motion; `start` is where the step began [m].
    pub(crate) fn hits<S: AsRef<Sheet> + AsMut<Sheet>>(
        &mut self,
        sheets: &mut [&mut S],
        segment: Segment<'_>,
        start: &[DVec3],
        interval: Interval,
    ) -> &[BetweenLayers] {
        self.follow(sheets, segment.from);
        self.moved.clear();
        self.moved.extend(segment.from.iter().zip(segment.to).map(|(from, to)| *to - *from));
        if !self.listed.covers(segment.to, interval) {
            self.speed.clear();
            self.speed.extend(self.moved.iter().map(|moved| *moved / interval.span));
            self.listed.make(sheets, segment.from, &self.speed, interval, &mut self.pairs);
        }
        let Self { fabric, drifts, pairs, hits, moved, .. } = self;
        hits.clear();
        let reach = FLOOR * fabric.thickest();
        fabric.sift(pairs, drifts, [segment.from, moved], reach, 1.0, |parts, rules, _, _| {
            let at_start = parts.between(parts.of(start)).vector.length();
            if at_start <= COINCIDENT * rules.thickness && fabric.started_together(parts, rules.thickness) {
                return;
            }
            let floor = (FLOOR * rules.thickness).min(0.5 * at_start);
            if let Some(impact) = parts.impact(segment, floor) {
                let between = parts.between(parts.at(segment, impact.time));
                hits.push(BetweenLayers::new(parts, rules, between, impact.normal, true));
            }
        });
        hits
    }

    /// Takes where all particles are now.
    fn follow<S: AsRef<Sheet>>(&mut self, sheets: &[&mut S], x: &[DVec3]) {
        let Self { fabric, drifts, known, .. } = self;
        if known.len() == x.len() {
            fabric.tiles.iter().zip(drifts).for_each(|(tile, drift)| tile.follow(known, x, drift));
        } else {
            fabric.take(sheets);
            drifts.clear();
            drifts.extend(fabric.tiles.iter().map(|tile| tile.start(x)));
        }
        known.clear();
        known.extend_from_slice(x);
    }
}

impl Fabric {
    fn take<S: AsRef<Sheet>>(&mut self, sheets: &[&mut S]) {
        *self = Self::default();
        for (cloth, sheet) in (0..).zip(sheets) {
            let sheet = (**sheet).as_ref();
            Tile::list(sheet, cloth, self.rest.len() as u32, &mut self.tiles);
            self.rest.extend_from_slice(&sheet.rest);
            self.start.extend_from_slice(&sheet.start);
            self.skins.push(sheet.skin);
        }
    }

    /// The greatest thickness [m].
    fn thickest(&self) -> f64 {
        self.skins.iter().map(|skin| skin.thickness).fold(0.0, f64::max)
    }

    /// Calls `found` with all parts that may come as near as `reach` [m] when particles at `x` [m] go on with `v` for
    /// some time, how they meet, where they are nearest now, and their distance [m].
    fn sift(
        &self,
        pairs: &mut [TilePair],
        drifts: &mut [Drift],
        [x, v]: [&[DVec3]; 2],
        reach: f64,
        span: f64,
        mut found: impl FnMut(Parts, LayerRules, Between, f64),
    ) {
        self.tiles.iter().zip(&mut *drifts).for_each(|(tile, drift)| tile.take_speed(v, drift));
        for pair in pairs {
            if !pair.may_meet(drifts, reach, span) {
                continue;
            }
            let [s, t] = pair.tiles;
            let (s, t) = (&self.tiles[s as usize], &self.tiles[t as usize]);
            let mut least = f64::INFINITY;
            s.parts(t, |parts| {
                let at = parts.of(x);
                let reach = reach + span * parts.greatest_difference(parts.of(v));
                let quick = parts.least(at);
                if quick > reach {
                    least = least.min(quick);
                    return;
                }
                let between = parts.between(at);
                let gap = between.vector.length();
                least = least.min(gap);
                if gap <= reach {
                    let rules = self.rules([s.cloth, t.cloth], parts);
                    if rules.thickness > 0.0 {
                        found(parts, rules, between, gap);
                    }
                }
            });
            pair.take_least(least, drifts);
        }
    }

    /// Whether two parts touched when the run started.
    fn started_together(&self, parts: Parts, thickness: f64) -> bool {
        parts.between(parts.of(&self.start)).vector.length() <= COINCIDENT * thickness
    }

    /// How two parts of cloths meet: not at all where their thickness is 0.
    fn rules(&self, cloths: [u32; 2], parts: Parts) -> LayerRules {
        let [one, other] = [&self.skins[cloths[0] as usize], &self.skins[cloths[1] as usize]];
        let usual = 0.5 * (one.thickness + other.thickness);
        let mut rules = LayerRules { thickness: usual, usual, friction: 0.5 * (one.friction + other.friction) };
        if cloths[0] == cloths[1] {
            let rest = parts.of(&self.rest);
            if parts.least(rest) < 2.0 * usual {
                let apart = parts.between(rest).vector.length();
                rules.thickness = if apart > COINCIDENT * usual { usual.min(0.5 * apart) } else { 0.0 };
            }
        }
        rules
    }
}

/// How two parts meet.
#[derive(Debug, Clone, Copy)]
struct LayerRules {
    thickness: f64,
    usual: f64,
    friction: f64,
}

impl BetweenLayers {
    fn new(parts: Parts, rules: LayerRules, between: Between, normal: DVec3, obstacle: bool) -> Self {
        let LayerRules { thickness, usual, friction } = rules;
        Self { parts, weights: between.weights, normal, thickness, usual, friction, obstacle }
    }
}
