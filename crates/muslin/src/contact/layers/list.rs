//! The list of pairs that may meet in some time.

use glam::DVec3;

use super::pair::Parts;
use super::sheet::Sheet;
use super::{Interval, NEAR};
use crate::collide::{Bounds, Bvh};
use crate::contact::patch::used;

/// How far a particle may come off from what was expected of it before a list has to be made again, by the mean edge.
/// With more, parts are listed with their neighbours; with less, lists are made more often.
const MARGIN: f64 = 0.2;
/// How many steps a list is made for, at most, by the length of the interval that it was asked for.
const LONGEST: f64 = 16.0;

/// A pair of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) parts: Parts,
    /// The distance to keep [m].
    pub(super) thickness: f64,
    pub(super) friction: f64,
    /// Its distance when it was last measured, at least [m].
    pub(super) least: f64,
    /// How far its particles had moved then, together [m].
    pub(super) since: f64,
}

/// What a list was made for.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// Where particles were [m]; empty: there is no list.
    x: Vec<DVec3>,
    /// How fast they were expected to go on [m/s].
    w: Vec<DVec3>,
    /// When it was made [s].
    time: f64,
    /// For how long [s].
    span: f64,
    /// What gravity may do in an interval [m].
    fall: f64,
    /// How long the next one is to last, by the interval that it is asked for.
    patience: f64,
    /// Working memory.
    path: Vec<(u32, f64)>,
}

impl Listed {
    pub(super) fn forget(&mut self) {
        self.x.clear();
    }

    /// True when every pair that may get a plane in an interval is in the list.
    pub(super) fn is_complete(&mut self, sheets: &[&mut Sheet], x: &[DVec3], v: &[DVec3], interval: Interval) -> bool {
        let since = interval.time - self.time;
        if self.x.len() != x.len() || since < 0.0 || interval.fall() > self.fall {
            return false;
        }
        if since + interval.span > self.span * (1.0 + 1e-9) {
            self.patience = (2.0 * self.patience).min(LONGEST);
            return false;
        }
        let count = x.len() as f64;
        let off = |i: usize| x[i] - self.x[i] - self.w[i] * since;
        let faster = |i: usize| (v[i] - self.w[i]) * interval.span;
        let mean_off = (0..x.len()).map(off).sum::<DVec3>() / count;
        let mean_faster = (0..x.len()).map(faster).sum::<DVec3>() / count;
        let within = self.within(sheets, |i| (off(i) - mean_off).length() + (faster(i) - mean_faster).length());
        if !within {
            self.patience = (0.5 * self.patience).max(1.0);
        }
        within
    }

    /// True when every pair that a motion to `to` [m] in an interval could bring together is in the list.
    pub(super) fn covers(&self, sheets: &[&mut Sheet], to: &[DVec3], interval: Interval) -> bool {
        let since = interval.time - self.time + interval.span;
        let off = |i: usize| to[i] - self.x[i] - self.w[i] * since;
        let mean = (0..to.len()).map(off).sum::<DVec3>() / to.len() as f64;
        self.within(sheets, |i| (off(i) - mean).length())
    }

    fn within(&self, sheets: &[&mut Sheet], off: impl Fn(usize) -> f64) -> bool {
        let mut first = 0;
        sheets.iter().all(|sheet| {
            let range = first..first + sheet.len();
            first = range.end;
            range.into_iter().all(|i| off(i) <= sheet.margin())
        })
    }

    /// Lists all pairs for some time from an interval on, for particles at `x` [m] with `v` [m/s].
    pub(super) fn make(
        &mut self,
        sheets: &mut [&mut Sheet],
        x: &[DVec3],
        v: &[DVec3],
        interval: Interval,
        pairs: &mut Vec<Pair>,
    ) {
        self.x.clear();
        self.x.extend_from_slice(x);
        self.w.clear();
        self.w.extend_from_slice(v);
        self.patience = self.patience.max(1.0);
        (self.time, self.span, self.fall) = (interval.time, self.patience * interval.span, interval.fall());
        let mean = v.iter().sum::<DVec3>() / v.len().max(1) as f64;
        let mut first = 0;
        for sheet in sheets.iter_mut() {
            let wider = sheet.margin() + 0.5 * (NEAR * sheet.skin.thickness + self.fall);
            let (patch, span) = (&sheet.patch, self.span);
            let place = |i: u32| {
                let i = first + i as usize;
                [x[i], x[i] + (v[i] - mean) * span]
            };
            sheet.tree.refit(|t| Bounds::of(patch.triangles[t as usize].into_iter().flat_map(place)).grown(wider));
            first += sheet.len();
        }
        pairs.clear();
        let mut one_first = 0;
        for number in 0..sheets.len() {
            let one = Numbered { sheet: &*sheets[number], first: one_first };
            let mut other_first = one_first;
            for (ahead, other) in sheets[number..].iter().enumerate() {
                let other = Numbered { sheet: other, first: other_first };
                other_first += other.sheet.len() as u32;
                let mut adder = Adder::new(self.span, self.fall, [one, other], (x, v), &mut self.path, pairs);
                if ahead == 0 {
                    one.sheet.tree.own_pairs(|s, t| adder.add(s, t));
                } else {
                    one.sheet.tree.pairs(&other.sheet.tree, |s, t| adder.add(s, t));
                }
            }
            one_first += one.sheet.len() as u32;
        }
    }
}

impl Sheet {
    /// How far a particle may come off from what was expected of it [m].
    fn margin(&self) -> f64 {
        MARGIN * self.edge
    }
}

/// A cloth with the number of its first particle in the island.
#[derive(Clone, Copy)]
struct Numbered<'a> {
    sheet: &'a Sheet,
    first: u32,
}

/// Adds pairs of two sheets, or of one with itself, to a list.
struct Adder<'a> {
    sheets: [Numbered<'a>; 2],
    own: bool,
    x: &'a [DVec3],
    v: &'a [DVec3],
    span: f64,
    thickness: f64,
    friction: f64,
    /// How near a pair has to be, but for its motion [m].
    reach: f64,
    path: &'a mut Vec<(u32, f64)>,
    pairs: &'a mut Vec<Pair>,
}

impl<'a> Adder<'a> {
    fn new(
        span: f64,
        fall: f64,
        sheets: [Numbered<'a>; 2],
        (x, v): (&'a [DVec3], &'a [DVec3]),
        path: &'a mut Vec<(u32, f64)>,
        pairs: &'a mut Vec<Pair>,
    ) -> Self {
        let [one, other] = sheets.map(|numbered| numbered.sheet);
        let thickness = 0.5 * (one.skin.thickness + other.skin.thickness);
        Self {
            own: sheets[0].first == sheets[1].first,
            x,
            v,
            span,
            thickness,
            friction: 0.5 * (one.skin.friction + other.skin.friction),
            reach: NEAR * thickness + fall + one.margin() + other.margin(),
            sheets,
            path,
            pairs,
        }
    }

    /// Adds what two triangles answer for.
    fn add(&mut self, s: u32, t: u32) {
        let [one, other] = self.sheets;
        let (patch, their) = (&one.sheet.patch, &other.sheet.patch);
        let (owned, owned_there) = (&patch.owned[s as usize], &their.owned[t as usize]);
        let [triangle, triangle_there] = [patch.triangles[s as usize], their.triangles[t as usize]];
        for vertex in used(&owned.corners) {
            self.add_vertex([one, other], vertex, triangle_there);
        }
        for vertex in used(&owned_there.corners) {
            self.add_vertex([other, one], vertex, triangle);
        }
        for edge in used(&owned.edges) {
            let [a, b] = patch.edges[edge as usize];
            for edge in used(&owned_there.edges) {
                let [c, d] = their.edges[edge as usize];
                if !(self.own && (a == c || a == d || b == c || b == d)) {
                    let particles = [a + one.first, b + one.first, c + other.first, d + other.first];
                    self.offer(Parts { edges: true, particles });
                }
            }
        }
    }

    fn add_vertex(&mut self, [one, other]: [Numbered<'_>; 2], vertex: u32, [a, b, c]: [u32; 3]) {
        // Of a line the edges are enough.
        if b != c && !(self.own && (a == vertex || b == vertex || c == vertex)) {
            let particles = [vertex + one.first, a + other.first, b + other.first, c + other.first];
            self.offer(Parts { edges: false, particles });
        }
    }

    /// Adds a pair if it is near enough.
    fn offer(&mut self, parts: Parts) {
        let x = parts.of(self.x);
        let least = parts.least(x);
        let mut reach = self.reach;
        if least > reach {
            reach += self.span * parts.greatest_difference(parts.of(self.v));
            if least > reach {
                return;
            }
        } else {
            reach += self.span * parts.greatest_difference(parts.of(self.v));
        }
        let least = parts.between(x).vector.length();
        if least < reach {
            let thickness = self.thickness_of(parts);
            self.pairs.push(Pair { parts, thickness, friction: self.friction, least, since: 0.0 });
        }
    }

    /// The distance that a pair has to keep [m]: no more than half of what it has at rest, if it is near along the
    /// cloth.
    fn thickness_of(&mut self, parts: Parts) -> f64 {
        let Numbered { sheet, first } = self.sheets[0];
        if !self.own {
            return self.thickness;
        }
        let near = 2.0 * self.thickness;
        let own = Parts { particles: parts.particles.map(|i| i - first), ..parts };
        let rest = own.of(&sheet.rest);
        if own.least(rest) > near {
            return self.thickness;
        }
        let apart = own.between(rest).vector.length();
        let (one, other) = own.particles.split_at(own.first());
        if apart > near || !sheet.is_near(one[0], other, near + 2.0 * sheet.longest, self.path) {
            return self.thickness;
        }
        0.5 * apart
    }
}

/// True when the boxes of two cloths, whose particles go from `from` to `to` [m], come as near as they may touch.
pub(crate) fn may_meet(trees: [&Bvh; 2]) -> bool {
    let mut any = false;
    trees[0].pairs(trees[1], |_, _| any = true);
    any
}
