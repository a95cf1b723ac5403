//! The list of pairs of triangles that may meet in some time.

use glam::DVec3;

use super::sheet::Sheet;
use super::tile::Drift;
use super::{Interval, NEAR};
use crate::collide::Bounds;

/// How far a particle may come off from what was expected of it before a list has to be made again, by the mean edge
/// and the thickness. With twice as much lists have twice as many pairs, with half of it they are made twice as often.
const MARGIN: f64 = 0.15;
/// How many times the interval that it was asked for a list is made for, at most.
const LONGEST: f64 = 8.0;

/// A pair of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct TilePair {
    pub(super) tiles: [u32; 2],
    /// A distance that its parts had at least when they were last looked at [m].
    least: f64,
    /// C_s - C_t then [m].
    apart: DVec3,
    /// τ_s + τ_t then [m].
    turned: f64,
}

impl TilePair {
    fn new(tiles: [u32; 2]) -> Self {
        Self { tiles, least: f64::NEG_INFINITY, apart: DVec3::ZERO, turned: 0.0 }
    }

    /// Whether its parts may come as near as `reach` [m], now or after going on for some time.
    #[inline]
    pub(super) fn may_meet(&self, drifts: &[Drift], reach: f64, span: f64) -> bool {
        let [s, t] = self.tiles;
        let (s, t) = (&drifts[s as usize], &drifts[t as usize]);
        let closer = (s.centre - t.centre - self.apart).length() + (s.turned + t.turned - self.turned);
        self.least - closer <= reach + span * ((s.speed - t.speed).length() + s.spread + t.spread)
    }

    /// Takes a distance that its parts have at least now [m].
    pub(super) fn take_least(&mut self, least: f64, drifts: &[Drift]) {
        let [s, t] = self.tiles;
        let (s, t) = (&drifts[s as usize], &drifts[t as usize]);
        *self = Self { least, apart: s.centre - t.centre, turned: s.turned + t.turned, ..*self };
    }
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
    /// How far particles may come off [m].
    margin: f64,
    /// How long the next one is to last, by the interval that it is asked for.
    patience: f64,
}

impl Listed {
    pub(super) fn forget(&mut self) {
        self.x.clear();
    }

    /// True when every pair that may get a plane in an interval is in the list.
    pub(super) fn is_complete(&mut self, x: &[DVec3], v: &[DVec3], interval: Interval) -> bool {
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
        let come_off = |i: usize| (off(i) - mean_off).length() + (faster(i) - mean_faster).length();
        let within = (0..x.len()).all(|i| come_off(i) <= self.margin);
        if !within {
            self.patience = (0.5 * self.patience).max(1.0);
        }
        within
    }

    /// True when every pair that a motion to `to` [m] in an interval could bring together is in the list.
    pub(super) fn covers(&self, to: &[DVec3], interval: Interval) -> bool {
        let since = interval.time - self.time + interval.span;
        if self.x.len() != to.len() || since > self.span * (1.0 + 1e-9) {
            return false;
        }
        let off = |i: usize| to[i] - self.x[i] - self.w[i] * since;
        let mean = (0..to.len()).map(off).sum::<DVec3>() / to.len() as f64;
        (0..to.len()).all(|i| (off(i) - mean).length() <= self.margin)
    }

    /// Lists all pairs for some time from an interval on, for particles at `x` [m] with `v` [m/s].
    pub(super) fn make<S: AsRef<Sheet> + AsMut<Sheet>>(
        &mut self,
        sheets: &mut [&mut S],
        x: &[DVec3],
        v: &[DVec3],
        interval: Interval,
        pairs: &mut Vec<TilePair>,
    ) {
        self.x.clear();
        self.x.extend_from_slice(x);
        self.w.clear();
        self.w.extend_from_slice(v);
        let margin = |sheet: &Sheet| MARGIN * (sheet.edge + sheet.thickness());
        self.margin = sheets.iter().map(|sheet| margin((**sheet).as_ref())).fold(f64::INFINITY, f64::min);
        self.patience = self.patience.max(1.0);
        (self.time, self.span, self.fall) = (interval.time, self.patience * interval.span, interval.fall());
        self.refit(sheets);
        pairs.clear();
        let mut first = 0;
        for number in 0..sheets.len() {
            let (one, mut there) = ((*sheets[number]).as_ref(), first);
            for (ahead, other) in sheets[number..].iter().map(|sheet| (**sheet).as_ref()).enumerate() {
                let mut add = |s: u32, t: u32| {
                    pairs.push(TilePair::new([first + s, there + t]));
                };
                if ahead == 0 {
                    one.tree.own_pairs(&mut add);
                } else {
                    one.tree.pairs(&other.tree, &mut add);
                }
                there += other.tree.len() as u32;
            }
            first += one.tree.len() as u32;
        }
    }

    /// Boxes around where triangles are expected to be.
    fn refit<S: AsMut<Sheet>>(&self, sheets: &mut [&mut S]) {
        let mean = self.w.iter().sum::<DVec3>() / self.w.len().max(1) as f64;
        let mut first = 0;
        for sheet in sheets.iter_mut().map(|sheet| (**sheet).as_mut()) {
            let wider = self.margin + 0.5 * (NEAR * sheet.skin.thickness + self.fall);
            let place = |i: u32| {
                let i = first + i as usize;
                [self.x[i], self.x[i] + (self.w[i] - mean) * self.span]
            };
            sheet.refit(|corners| Bounds::of(corners.into_iter().flat_map(place)).grown(wider));
            first += sheet.len();
        }
    }
}
